//! Tile instructions (Intel AMX with bf16): products of tiles of 16 rows by 32 numbers.
//!
//! The intrinsics are not stable in Rust; inline assembly is. Numbers are bf16, the upper half of a
//! 32-bit float; sums are 32-bit floats. See the Intel Architecture Instruction Set Extensions
//! Programming Reference, chapter 3.

use std::arch::asm;
use std::arch::x86_64::__cpuid_count;
use std::sync::OnceLock;

/// Numbers of a row of a tile.
pub(super) const TILE_DEPTH: usize = 32;
/// Rows of a tile of inputs, and outputs of a tile of weights.
pub(super) const TILE_SIDE: usize = 16;
/// Rows, and outputs, of the four tiles of sums that are computed at a time.
pub(super) const BLOCK: usize = 2 * TILE_SIDE;

/// 32 bf16 numbers on a cache line of their own: a tile's row. Rows that lie across two lines make
/// loading tiles three times as slow.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct TileRow(pub [u16; TILE_DEPTH]);

impl TileRow {
    pub const ZERO: TileRow = TileRow([0; TILE_DEPTH]);
}

/// A block of sums, `[rows][outputs]`.
#[repr(C, align(64))]
pub(super) struct Sums(pub [[f32; BLOCK]; BLOCK]);

/// The nearest bf16 number, ties to even; for finite numbers.
pub(super) fn to_bf16(value: f32) -> u16 {
    let bits = value.to_bits();
    // Carries over into an infinity where the number is too large.
    (bits.wrapping_add(0x7fff + ((bits >> 16) & 1)) >> 16) as u16
}

/// Whether the processor has the instructions, and the system lets this process use them.
pub(super) fn is_available() -> bool {
    static AVAILABLE: OnceLock<bool> = OnceLock::new();
    *AVAILABLE.get_or_init(|| {
        let has_vectors = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512bf16");
        let features = __cpuid_count(7, 0).edx;
        let has_tiles = features & (1 << 22) != 0 && features & (1 << 24) != 0;
        has_vectors && has_tiles && may_use_tiles()
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
/// so that a switch to another thread does not have to save them.
pub(super) struct Tiles(());

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
        Tiles(())
    }

    /// Computes a block of sums: of `BLOCK` rows of inputs, one after another every `row_bytes`
    /// bytes, times weights. The inputs of a row are the `offsets.len()` tile rows at these
    /// offsets, in bytes, from its start; `weights` holds two tiles for each: `BLOCK` rows,
    /// of which row `r` of the first half holds inputs `2r` and `2r + 1` of outputs 0, 1, …, 15,
    /// and the second half those of outputs 16 to 31.
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
        offsets: &[isize],
        weights: &[TileRow],
        sums: &mut Sums,
    ) {
        assert!(weights.len() == BLOCK * offsets.len() && !offsets.is_empty());
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
                weights = inout(reg) weights.as_ptr() => _,
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
    use super::*;

    #[test]
    fn bf16_is_the_nearest_number_with_ties_to_even() {
        let back = |bits: u16| f32::from_bits(u32::from(bits) << 16);
        for (value, expected) in [
            (0.0, 0.0),
            (1.0, 1.0),
            (-2.5, -2.5),
            // Numbers near 1 are a 128th apart.
            (1.0 + 1.0 / 256.0, 1.0),
            (1.0 + 3.0 / 256.0, 1.0 + 4.0 / 256.0),
            (1.0 + 1.1 / 256.0, 1.0 + 2.0 / 256.0),
            (f32::MAX, f32::INFINITY),
        ] {
            assert_eq!(back(to_bf16(value)), expected, "{value}");
        }
    }

    #[test]
    fn a_block_of_sums_is_that_of_plain_arithmetic() {
        if !is_available() {
            return;
        }
        // Small whole numbers are exact, whatever the order of summation.
        let number = |i: usize| ((i * i + 3 * i) % 7) as f32 - 3.0;
        let n_steps = 3;
        let mut input = vec![TileRow::ZERO; BLOCK * n_steps];
        let mut weights = vec![TileRow::ZERO; BLOCK * n_steps];
        for (row, inputs) in input.iter_mut().enumerate() {
            inputs.0 = std::array::from_fn(|i| to_bf16(number(row * TILE_DEPTH + i)));
        }
        let weight = |input: usize, output: usize| number(input * 5 + output);
        for (index, row) in weights.iter_mut().enumerate() {
            let (step, tile_row) = (index / BLOCK, index % BLOCK);
            let first_output = tile_row / TILE_SIDE * TILE_SIDE;
            let first_input = step * TILE_DEPTH + 2 * (tile_row % TILE_SIDE);
            row.0 =
                std::array::from_fn(|i| to_bf16(weight(first_input + i % 2, first_output + i / 2)));
        }
        let row_bytes = n_steps * size_of::<TileRow>();
        let offsets: Vec<isize> = (0..n_steps)
            .map(|step| (step * size_of::<TileRow>()) as isize)
            .collect();
        let mut sums = Sums([[f32::NAN; BLOCK]; BLOCK]);
        // SAFETY: `input` holds `BLOCK` rows of `n_steps` tile rows.
        unsafe {
            Tiles::take().multiply(input.as_ptr(), row_bytes, &offsets, &weights, &mut sums);
        }
        for (row, sums) in sums.0.iter().enumerate() {
            for (output, &sum) in sums.iter().enumerate() {
                let n_inputs = n_steps * TILE_DEPTH;
                let products =
                    (0..n_inputs).map(|i| number(row * n_inputs + i) * weight(i, output));
                assert_eq!(sum, products.sum::<f32>(), "row {row}, output {output}");
            }
        }
    }
}
