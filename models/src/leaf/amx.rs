//! Tile instructions (Intel AMX with bf16): products of tiles of 16 rows by 32 numbers.
//!
//! The intrinsics are not stable in Rust; inline assembly is. Sums are 32-bit floats. See the Intel
//! Architecture Instruction Set Extensions Programming Reference, chapter 3.

use super::avx512_bf16;
use super::bf16::{BLOCK, Sums, TILE_SIDE, TileRow, Weights};
use std::arch::asm;
use std::arch::x86_64::__cpuid_count;
use std::marker::PhantomData;
use std::sync::OnceLock;

/// Whether the processor has the instructions, and the system lets this process use them.
pub(super) fn is_available() -> bool {
    static AVAILABLE: OnceLock<bool> = OnceLock::new();
    *AVAILABLE.get_or_init(|| {
        let features = __cpuid_count(7, 0).edx;
        let has_tiles = features & (1 << 22) != 0 && features & (1 << 24) != 0;
        avx512_bf16::is_available() && has_tiles && may_use_tiles()
    })
}

/// Asks the system for the tile registers, which are 8 KiB more to save for each thread; they are
/// granted to all threads of the process.
#[cfg(target_os = "linux")]
fn may_use_tiles() -> bool {
    const ARCH_REQ_XCOMP_PERM: libc::c_long = 0x1023;
    const XFEATURE_XTILEDATA: libc::c_long = 18;
    // SAFETY: the call takes two numbers and changes nothing but the permission.
    unsafe {
        libc::syscall(
            libc::SYS_arch_prctl,
            ARCH_REQ_XCOMP_PERM,
            XFEATURE_XTILEDATA,
        ) == 0
    }
}

#[cfg(not(target_os = "linux"))]
fn may_use_tiles() -> bool {
    false
}

/// The tile registers of this thread, set up as eight tiles of full size; given back when dropped,
/// so that a switch to another thread does not have to save them. They stay with the thread: the pointer
/// makes the type neither `Send` nor `Sync`.
pub(super) struct Tiles(PhantomData<*const ()>);

impl Tiles {
    /// # Panics
    /// If the machine has no tiles.
    pub fn take() -> Tiles {
        #[repr(C, align(64))]
        struct Config([u8; 64]);
        assert!(is_available(), "this machine has no AMX");
        let mut config = Config([0; 64]);
        config.0[0] = 1; // The palette.
        for tile in 0..8 {
            config.0[16 + 2 * tile] = size_of::<TileRow>() as u8;
            config.0[48 + tile] = TILE_SIDE as u8;
        }
        // SAFETY: the machine has the instruction, and the configuration is a valid one.
        unsafe {
            asm!(
                "ldtilecfg [{}]",
                in(reg) &config,
                options(nostack, preserves_flags, readonly),
            );
        }
        Tiles(PhantomData)
    }

    /// Computes a block of sums: of `BLOCK` rows of inputs, one after another every `row_bytes`
    /// bytes, times weights.
    ///
    /// # Safety
    /// All rows at all offsets from `input` can be read, and are on cache lines of their own.
    ///
    /// # Panics
    /// If there are not as many weights.
    #[inline]
    pub unsafe fn multiply(
        &self,
        input: *const TileRow,
        row_bytes: usize,
        weights: Weights<'_>,
        sums: &mut Sums,
    ) {
        let Weights { offsets, tiles, .. } = weights;
        assert!(tiles.len() == BLOCK * offsets.len() && !offsets.is_empty());
        // SAFETY: reads what the caller allows, the offsets and the weights, of which there are
        // enough; writes all of the sums.
        unsafe {
            asm!(
                "tilezero tmm0",
                "tilezero tmm1",
                "tilezero tmm2",
                "tilezero tmm3",
                "2:",
                "mov {row}, [{offsets}]",
                "add {row}, {input}",
                "tileloadd tmm4, [{row} + {row_bytes}]",
                "tileloadd tmm6, [{weights} + {line}]",
                "tdpbf16ps tmm0, tmm4, tmm6",
                "tileloadd tmm7, [{weights} + {line} + 1024]",
                "tdpbf16ps tmm1, tmm4, tmm7",
                "add {row}, {half}",
                "tileloadd tmm5, [{row} + {row_bytes}]",
                "tdpbf16ps tmm2, tmm5, tmm6",
                "tdpbf16ps tmm3, tmm5, tmm7",
                "add {weights}, 2048",
                "add {offsets}, 8",
                "dec {n}",
                "jnz 2b",
                "add {line}, {line}",
                "tilestored [{sums} + {line}], tmm0",
                "tilestored [{sums} + {line} + 64], tmm1",
                "tilestored [{sums} + {line} + 2048], tmm2",
                "tilestored [{sums} + {line} + 2112], tmm3",
                row = out(reg) _,
                offsets = inout(reg) offsets.as_ptr() => _,
                input = in(reg) input,
                row_bytes = in(reg) row_bytes,
                weights = inout(reg) tiles.as_ptr() => _,
                line = inout(reg) size_of::<TileRow>() => _,
                half = in(reg) TILE_SIDE * row_bytes,
                n = inout(reg) offsets.len() => _,
                sums = in(reg) sums,
                out("tmm0") _, out("tmm1") _, out("tmm2") _, out("tmm3") _,
                out("tmm4") _, out("tmm5") _, out("tmm6") _, out("tmm7") _,
                options(nostack),
            );
        }
    }
}

impl Drop for Tiles {
    fn drop(&mut self) {
        // SAFETY: tiles are only there if the machine has the instruction.
        unsafe { asm!("tilerelease", options(nomem, nostack, preserves_flags)) };
    }
}

#[cfg(test)]
mod tests {
    use super::super::bf16::tests::check_block;
    use super::*;

    /// Tiles belong to a thread's registers. If they were `Send` or `Sync`, two implementations would
    /// fit, and this would not compile.
    const _: fn() = || {
        trait Stays<Case> {
            fn with_its_thread() {}
        }
        struct IsSend;
        struct IsSync;
        impl<T> Stays<()> for T {}
        impl<T: Send> Stays<IsSend> for T {}
        impl<T: Sync> Stays<IsSync> for T {}
        <Tiles as Stays<_>>::with_its_thread();
    };

    #[test]
    fn a_block_of_sums_is_that_of_plain_arithmetic() {
        if !is_available() {
            return;
        }
        check_block(BLOCK, |input, row_bytes, weights, sums| {
            // SAFETY: there are so many rows.
            unsafe { Tiles::take().multiply(input, row_bytes, weights, sums) };
        });
    }
}
