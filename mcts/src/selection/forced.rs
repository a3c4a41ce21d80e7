//! Forced playouts, and how a policy target leaves them out again (KataGo, Wu, 2019).

use super::puct::score;
use crate::moves::Moves;

/// The visits that a tried move should have at least: sqrt(k * P * visits of all moves).
#[inline]
pub(super) fn n_forced(k: f32, prior: f32, n_all: u32) -> f32 {
    (k * prior * n_all as f32).sqrt()
}

/// The first tried move with fewer visits than it should have; moves that are cut need none.
pub(super) fn owed(moves: Moves<'_>, k: f32, n_all: u32) -> Option<usize> {
    (0..moves.n_tried).find(|&index| {
        let wanted = n_forced(k, moves.priors[index], n_all);
        !moves.cut.cuts(moves.bounds[index]) && (moves.n_visits[index] as f32) < wanted
    })
}

/// A move as the pruning sees it, its value seen by the player who chooses.
#[derive(Clone, Copy, Debug)]
pub(super) struct Visited {
    pub prior: f32,
    pub value: f32,
    pub n_visits: u32,
}

/// The visits that a move keeps in the policy target, when `top` is the score of the most visited
/// move: those taken away are at most the forced ones, and only while the score stays below the
/// top; a single one that is left goes, too.
pub(super) fn pruned(mv: Visited, top: f32, exploration: f32, n_forced: f32) -> u32 {
    let Visited {
        prior,
        value,
        n_visits,
    } = mv;
    let mut kept = n_visits;
    // A forced number that is not finite rounds to a valid one.
    let least = n_visits.saturating_sub(n_forced as u32);
    while kept > least && score(value, prior, kept - 1, exploration) < top {
        kept -= 1;
    }
    if kept <= 1 { 0 } else { kept }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bounds::{Bounds, Cut};
    use tablero_env::{ForFirst, Player};

    #[test]
    fn the_number_forced_follows_the_formula() {
        // sqrt(2 * 0.08 * 400) = 8.
        assert!((n_forced(2.0, 0.08, 400) - 8.0).abs() < 1e-5);
        assert_eq!(n_forced(0.0, 0.08, 400), 0.0);
    }

    #[test]
    fn a_tried_move_below_its_number_is_owed_visits_unless_it_is_lost() {
        const OPEN: Bounds = Bounds::OPEN;
        let moves = |n_visits, mover| Moves {
            priors: &[0.5, 0.25, 0.125, 0.125],
            n_visits,
            values: &[ForFirst(0.0); 4],
            bounds: &[OPEN, Bounds::SECOND_WINS, OPEN, OPEN],
            cut: Cut::new(mover, OPEN),
            n_tried: 3,
        };
        // Of 64 visits: sqrt(2 * 64 * P) = 8, 5.66, 4, 4. The last was never tried.
        let n_visits = [60, 1, 3, 0];
        let owed_to = |mover| owed(moves(&n_visits, mover), 2.0, 64);
        assert_eq!(owed_to(Player::First), Some(2));
        assert_eq!(owed_to(Player::Second), Some(1));
        assert_eq!(owed(moves(&[59, 1, 4, 0], Player::First), 2.0, 64), None);
    }

    #[test]
    fn pruning_takes_forced_visits_while_the_score_stays_below_the_top() {
        let mv = Visited {
            prior: 0.1,
            value: 0.0,
            n_visits: 9,
        };
        // With an exploration of 10 the score of n visits is 1 / (1 + n): below a top of 0.15
        // from n = 6 on (1/7 = 0.143; 1/6 = 0.167).
        assert_eq!(pruned(mv, 0.15, 10.0, 8.0), 6);
        // Never more than the forced ones.
        assert_eq!(pruned(mv, 0.15, 10.0, 2.9), 7);
        // A score that is not below the top keeps all its visits.
        assert_eq!(pruned(mv, 0.1, 10.0, 8.0), 9);
        // A move that is as good as lost loses all that was forced, and then its last visit.
        let lost = Visited { value: -0.9, ..mv };
        assert_eq!(pruned(lost, 0.9, 10.0, 8.0), 0);
    }
}
