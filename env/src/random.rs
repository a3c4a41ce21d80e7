//! Seeded randomness that does not depend on the order of work, and random positions.
//!
//! Every consumer (game number g of a run, the opening of a match, the batches of an iteration)
//! has a stream of its own, fixed by the run's seed, a name and a number. So threads, batch sizes
//! and resumed runs cannot change what anyone draws, and there is no generator state to save.

use crate::{ActionId, Game};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, SeedableRng};

/// The generator of all seeded randomness: xoshiro256++ (Blackman and Vigna, 2019).
pub type Stream = Xoshiro256PlusPlus;

/// The generator that belongs to `index` within `purpose` for this `seed`.
///
/// ```
/// use rand::Rng;
/// use tablero_env::random::stream;
/// let first = stream(7, "self-play", 0).next_u64();
/// assert_eq!(first, stream(7, "self-play", 0).next_u64());
/// assert_ne!(first, stream(7, "self-play", 1).next_u64());
/// assert_ne!(first, stream(7, "opening", 0).next_u64());
/// ```
#[must_use]
pub fn stream(seed: u64, purpose: &str, index: u64) -> Stream {
    // FNV-1a turns the name into a number; each input then goes through the SplitMix64
    // finaliser, a bijection with full avalanche, before the next is added.
    let name = purpose
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
    let key = mix(mix(mix(seed) ^ name).wrapping_add(index));
    Xoshiro256PlusPlus::seed_from_u64(key)
}

/// The unfinished positions of one uniformly random game, in their order from the initial one.
///
/// Each position after the first costs one draw of
/// [`sample_action`](Game::sample_action), made when it is asked for. Where a game has no bound on
/// its length, take a limited number.
///
/// ```
/// use tablero_env::random::{positions, stream};
/// use tablero_env::{Game, dots_and_boxes::DotsAndBoxes};
/// let game = DotsAndBoxes::new(2, 2).unwrap();
/// let random = |index| positions(&game, stream(7, "example", index));
/// assert_eq!(random(0).count(), 12, "one before each ply");
/// // After three plies, or the last unfinished position of a shorter game.
/// let state = random(1).take(1 + 3).last().unwrap();
/// assert_eq!(state.edges().len(), 3);
/// ```
pub fn positions<G: Game, R: Rng>(game: &G, mut rng: R) -> impl Iterator<Item = G::State> {
    let mut buffer = Vec::new();
    std::iter::successors(Some(game.initial()), move |state| {
        let mut next = state.clone();
        let action = game.sample_action(state, &mut buffer, &mut rng);
        game.play_unchecked(&mut next, action);
        (!game.is_over(&next)).then_some(next)
    })
}

/// Exactly `n_plies` uniformly random plies from the start, fewer if one more would end the game: the
/// position and the actions that lead to it.
pub fn opening<G: Game, R: Rng>(
    game: &G,
    n_plies: usize,
    rng: &mut R,
) -> (G::State, Vec<ActionId>) {
    let mut state = game.initial();
    let mut actions = Vec::with_capacity(n_plies);
    let mut buffer = Vec::new();
    for _ in 0..n_plies {
        let action = game.sample_action(&state, &mut buffer, rng);
        let mut next = state.clone();
        game.play_unchecked(&mut next, action);
        if game.is_over(&next) {
            break;
        }
        state = next;
        actions.push(action);
    }
    (state, actions)
}

/// The SplitMix64 finaliser (Steele, Lea and Flood, 2014): a bijection on 64 bits in which each
/// input bit changes about half of the output bits.
#[inline]
#[must_use]
pub const fn mix(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
