//! Sequential halving: which move of the root is looked at.

use super::completed::{Completed, counting};
use crate::moves::Moves;
use tablero_env::Player;

/// Sequential halving (Karnin et al., 2013) as a rule for the simulation number `done` of `n`
/// over `m` moves: look at the best of the moves that have been visited this often.
///
/// A phase gives each move still considered floor(n / (ceil(log2 m) * considered)) visits, at
/// least one, and halves their number, down to 2.
pub(super) fn considered_visits(m: usize, n: u32, done: u32) -> u32 {
    if m <= 1 {
        return done;
    }
    let n_phases = m.next_power_of_two().ilog2();
    let (mut considered, mut visits, mut left) = (m as u32, 0, done);
    loop {
        let each = (n / n_phases.saturating_mul(considered)).max(1);
        let in_phase = each.saturating_mul(considered);
        if left < in_phase || considered == 2 {
            return visits + left / considered;
        }
        left -= in_phase;
        visits += each;
        considered = (considered / 2).max(2);
    }
}

/// The index of the move of the root that sequential halving looks at: of the moves visited
/// `visits` times in this search (`n_new`), the one with the highest score. Where moves were cut
/// there may be none; then of the most visited below that.
///
/// `scores` are g + logit, for each move in the tree's order; untried moves follow the others by
/// falling score.
pub(super) fn select_root(
    moves: Moves<'_>,
    mover: Player,
    scores: &[f32],
    n_new: impl Fn(usize) -> u32,
    visits: u32,
    completed: &Completed,
) -> usize {
    // The first of the untried moves is the best of them.
    let untried = (moves.n_tried < scores.len()).then_some(moves.n_tried);
    let open = counting(moves).chain(untried);
    let key = |index: usize| {
        let n = n_new(index);
        // Those with as many visits first, then fewer, then more.
        let rank = if n <= visits {
            (1, n)
        } else {
            (0, u32::MAX - n)
        };
        let value = match moves.edges[index].n_visits {
            0 => completed.mixed,
            _ => moves.edges[index].value.seen_by(mover),
        };
        (rank, scores[index] + completed.sigma(value))
    };
    best_by(open, key).unwrap_or(0)
}

/// The first of those with the greatest key.
pub(super) fn best_by<R: Ord + Copy>(
    indices: impl Iterator<Item = usize>,
    key: impl Fn(usize) -> (R, f32),
) -> Option<usize> {
    let mut best: Option<(usize, (R, f32))> = None;
    for index in indices {
        let new = key(index);
        let is_better = best.is_none_or(|(_, old)| {
            let by_score = || new.1.total_cmp(&old.1);
            new.0.cmp(&old.0).then_with(by_score).is_gt()
        });
        if is_better {
            best = Some((index, new));
        }
    }
    best.map(|(index, _)| index)
}

#[cfg(test)]
mod tests {
    use super::super::gumbel::tests::{OPEN, bandit, edges};
    use super::*;
    use crate::bounds::Bounds;

    fn sequence(m: usize, n: u32) -> Vec<u32> {
        (0..n).map(|done| considered_visits(m, n, done)).collect()
    }

    #[test]
    fn sequential_halving_deals_visits_in_phases() {
        // Four moves, 16 simulations, two phases: 16 / (2 * 4) = 2 visits for each of 4, then
        // 16 / (2 * 2) = 4 for each of 2.
        let four = [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5];
        assert_eq!(sequence(4, 16), four);
        // Three moves, two phases (log2 3 rounds up): 9 / (2 * 3) = 1 visit each, then
        // 9 / (2 * 2) = 2 for each of 2, and again.
        assert_eq!(sequence(3, 9), [0, 0, 0, 1, 1, 2, 2, 3, 3]);
        // Fewer simulations than moves look at the first ones once.
        assert_eq!(sequence(16, 5), [0; 5]);
        assert_eq!(sequence(1, 4), [0, 1, 2, 3]);
        assert_eq!(sequence(2, 4), [0, 0, 1, 1]);
    }

    #[test]
    fn halving_spends_every_simulation_on_moves_that_are_there() {
        for m in 2..20 {
            for n in 1..200 {
                let mut visits = vec![0; m];
                for wanted in sequence(m, n) {
                    let found = visits.iter().position(|&visits| visits == wanted);
                    visits[found.expect("a move with so many visits")] += 1;
                }
                assert_eq!(visits.iter().sum::<u32>(), n);
            }
        }
    }

    #[test]
    fn the_root_takes_the_best_score_of_the_moves_with_the_wanted_visits() {
        let completed = Completed {
            mixed: 0.0,
            scale: 2.0,
            n_all: 4,
        };
        let choose = |scores: [f32; 3], visits, mover, edges| {
            let n_new = |rank: usize| [2, 2, 0][rank];
            select_root(
                bandit(mover, edges),
                mover,
                &scores,
                n_new,
                visits,
                &completed,
            )
        };
        // sigma is 1.5, 0.5 and 1 for player 0.
        assert_eq!(choose([0.0, 0.9, 9.0], 2, Player::First, &OPEN), 0);
        assert_eq!(choose([0.0, 1.1, 9.0], 2, Player::First, &OPEN), 1);
        assert_eq!(choose([0.0, 0.9, 9.0], 2, Player::Second, &OPEN), 1);
        assert_eq!(choose([9.0, 9.0, 0.0], 0, Player::First, &OPEN), 2);
        // The one that was halved away comes back before a lost one is looked at again.
        let lost = edges([Bounds::SECOND_WINS, Bounds::SECOND_WINS, Bounds::OPEN]);
        assert_eq!(choose([9.0, 9.0, 0.0], 2, Player::First, &lost), 2);
    }
}
