use std::fmt;

/// The instructions that leaf evaluation uses.
///
/// On one machine and with one set, results are the same bit for bit. Between the sets the last
/// bits of 32-bit floats may differ: the portable code rounds after each multiplication, the others
/// do not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum InstructionSet {
    /// Whatever the compiler makes of plain code.
    Portable,
    /// 8 floats at a time: AVX2 with FMA, on x86-64 processors since about 2013.
    Avx2,
    /// 16 floats at a time: AVX-512F.
    Avx512,
}

impl InstructionSet {
    /// The sets that this machine has, the slowest first.
    #[must_use]
    pub fn available() -> Vec<InstructionSet> {
        use InstructionSet::{Avx2, Avx512, Portable};
        let mut sets = vec![Portable, Avx2, Avx512];
        sets.retain(|set| set.is_available());
        sets
    }

    /// The fastest set of this machine.
    #[must_use]
    pub fn best() -> InstructionSet {
        use InstructionSet::{Avx2, Avx512, Portable};
        let fastest = [Avx512, Avx2].into_iter().find(|set| set.is_available());
        fastest.unwrap_or(Portable)
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
        })
    }
}
