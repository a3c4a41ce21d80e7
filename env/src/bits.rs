//! Bits of a machine word: what the boards share.

/// Bytes of ones: multiplied with a byte they repeat it, multiplied with bytes they add them up.
const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH_BITS: u64 = 0x80 * ONES;

/// The position of the `rank`-th set bit of `bits`, from 0; `rank` must be below the number of
/// set bits. (Vigna, "Broadword Implementation of Rank/Select Queries", 2008.) Without a branch,
/// as a random rank would be mispredicted, and without the bit-count and bit-deposit
/// instructions, which a portable x86-64 binary lacks.
#[inline]
pub(crate) fn select(bits: u64, rank: u32) -> usize {
    let rank = u64::from(rank);
    let counts = prefix_counts(bits);
    let shift = bytes_up_to(counts, rank) * 8;
    let below = ((counts << 8) >> shift) & 0xff;
    // The byte once more: its bits as bytes, each with the count of those up to it.
    let ones = spread((bits >> shift) as u8);
    (shift + bytes_up_to(ones.wrapping_mul(ONES), rank - below)) as usize
}

/// The bits of a byte as eight bytes, lowest first.
#[inline]
pub(crate) fn bits_as_bytes(byte: u8) -> [i8; 8] {
    spread(byte).to_le_bytes().map(|bit| bit as i8)
}

/// Byte i of the result is bit i of the byte.
#[inline]
const fn spread(byte: u8) -> u64 {
    // Byte i of the product keeps bit i alone; adding 0x7f carries it into the high bit.
    let kept = (byte as u64 * ONES) & 0x8040_2010_0804_0201;
    ((kept + 0x7f * ONES) >> 7) & ONES
}

/// Byte i of the result counts the set bits in bytes `0..=i`: the sideways addition of Knuth,
/// TAOCP 7.1.3.
#[inline]
const fn prefix_counts(bits: u64) -> u64 {
    let pairs = bits - ((bits >> 1) & (0x55 * ONES));
    let nibbles = (pairs & (0x33 * ONES)) + ((pairs >> 2) & (0x33 * ONES));
    let bytes = (nibbles + (nibbles >> 4)) & (0x0f * ONES);
    bytes.wrapping_mul(ONES)
}

/// How many of the eight bytes, each at most 64, are not above `rank`.
#[inline]
const fn bytes_up_to(counts: u64, rank: u64) -> u64 {
    let not_above = (((rank * ONES) | HIGH_BITS) - counts) & HIGH_BITS;
    (not_above >> 7).wrapping_mul(ONES) >> 56
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::stream;
    use rand::Rng;

    #[test]
    fn select_finds_each_set_bit_of_sparse_and_dense_words() {
        let mut rng = stream(0, "select", 0);
        for index in 0..2000 {
            let bits = match index % 4 {
                0 => rng.next_u64(),
                1 => rng.next_u64() & rng.next_u64() & rng.next_u64(),
                2 => rng.next_u64() | rng.next_u64() | rng.next_u64(),
                _ => u64::MAX << (index / 4 % 64),
            };
            let positions = (0..64).filter(|position| bits >> position & 1 == 1);
            for (rank, position) in positions.enumerate() {
                assert_eq!(select(bits, rank as u32), position, "{bits:x}");
            }
        }
    }
}
