use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// How exactly leaf evaluation calculates. In JSON and TOML `"f32"` or `"bf16"`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Precision {
    /// In 32-bit floats.
    #[default]
    F32,
    /// The trunk of a residual network with numbers rounded to bf16 (8 significant bits) and sums in
    /// 32-bit floats, where the processor has instructions for that
    /// ([`InstructionSet::Avx512Bf16`] or [`InstructionSet::AmxBf16`]); anything else, and
    /// elsewhere, in 32-bit floats.
    Bf16,
}

/// The instructions that leaf evaluation uses.
///
/// On one machine and with one set, results are the same bit for bit. Between the sets of 32-bit
/// floats the last bits may differ: the portable code rounds after each multiplication, the others
/// do not. Between those of bf16 they may differ too: they sum in another order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum InstructionSet {
    /// Whatever the compiler makes of plain code.
    Portable,
    /// 8 floats at a time: AVX2 with FMA, on x86-64 processors since about 2013.
    Avx2,
    /// 16 floats at a time: AVX-512F.
    Avx512,
    /// Convolutions of residual networks by pairs of rounded numbers: AVX-512 with bf16, on AMD
    /// processors since 2022 (Zen 4) and Intel server processors since 2023; the rest as with
    /// AVX-512F.
    Avx512Bf16,
    /// Convolutions of residual networks by tiles of rounded numbers: AMX with bf16, on Intel server
    /// processors since 2023, on Linux; the rest as with AVX-512F.
    AmxBf16,
}

impl InstructionSet {
    /// The sets that this machine has, the slowest first.
    #[must_use]
    pub fn available() -> Vec<InstructionSet> {
        use InstructionSet::{AmxBf16, Avx2, Avx512, Avx512Bf16, Portable};
        let mut sets = vec![Portable, Avx2, Avx512, Avx512Bf16, AmxBf16];
        sets.retain(|set| set.is_available());
        sets
    }

    /// The fastest set of this machine that is as exact as wanted.
    #[must_use]
    pub fn best(precision: Precision) -> InstructionSet {
        let sets = Self::available().into_iter();
        let exact =
            sets.filter(|set| set.precision() == Precision::F32 || precision != Precision::F32);
        exact.max().expect("plain code runs anywhere")
    }

    /// How exactly it calculates.
    #[must_use]
    pub fn precision(self) -> Precision {
        match self {
            InstructionSet::Avx512Bf16 | InstructionSet::AmxBf16 => Precision::Bf16,
            _ => Precision::F32,
        }
    }

    /// The set for everything that stays in 32-bit floats.
    pub(crate) fn in_f32(self) -> InstructionSet {
        match self.precision() {
            Precision::F32 => self,
            Precision::Bf16 => InstructionSet::Avx512,
        }
    }

    /// Whether this machine has it.
    #[must_use]
    pub fn is_available(self) -> bool {
        match self {
            InstructionSet::Portable => true,
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 => {
                is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")
            }
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512 => is_x86_feature_detected!("avx512f"),
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512Bf16 => super::avx512_bf16::is_available(),
            #[cfg(target_arch = "x86_64")]
            InstructionSet::AmxBf16 => super::amx::is_available(),
            #[cfg(not(target_arch = "x86_64"))]
            _ => false,
        }
    }
}

impl fmt::Display for InstructionSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            InstructionSet::Portable => "portable",
            InstructionSet::Avx2 => "AVX2+FMA",
            InstructionSet::Avx512 => "AVX-512",
            InstructionSet::Avx512Bf16 => "AVX512-BF16",
            InstructionSet::AmxBf16 => "AMX-BF16",
        })
    }
}

impl fmt::Display for Precision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Precision::F32 => "f32",
            Precision::Bf16 => "bf16",
        })
    }
}

impl FromStr for Precision {
    type Err = UnknownPrecision;

    fn from_str(text: &str) -> Result<Precision, UnknownPrecision> {
        match text {
            "f32" => Ok(Precision::F32),
            "bf16" => Ok(Precision::Bf16),
            _ => Err(UnknownPrecision(text.to_owned())),
        }
    }
}

/// A text that names no [`Precision`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a precision is f32 or bf16, got {0:?}")]
pub struct UnknownPrecision(pub String);
