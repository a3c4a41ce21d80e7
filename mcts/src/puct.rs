//! The selection rule: PUCT (Rosin, 2011) as in AlphaZero (Silver et al., 2018), with KataGo's
//! first-play urgency (Wu, 2019).

use crate::SearchParams;
use crate::bounds::{Bounds, Cut};
use crate::value::FirstValue;
use tablero_env::Player;

/// The exploration factor of a position visited `n_visits` times, its own evaluation included:
/// (c_init + c_log * ln((1 + N + c_base) / c_base)) * sqrt(N).
#[inline]
pub(crate) fn exploration(params: &SearchParams, n_visits: u32) -> f32 {
    let n = n_visits as f32;
    let growth = ((1.0 + n) / params.c_puct_base).ln_1p();
    (params.c_puct + params.c_puct_log * growth) * n.sqrt()
}

/// The score of a move, whose value is seen by the player who chooses:
/// Q + exploration * P / (1 + n).
#[inline]
pub(crate) fn score(value: f32, prior: f32, n_visits: u32, exploration: f32) -> f32 {
    value + exploration * prior / (1.0 + n_visits as f32)
}

/// First-play urgency: the value given to an untried move of a position with this value, when
/// the tried moves have this share of the priors. Never below a certain loss.
#[inline]
pub(crate) fn first_play_urgency(parent_value: f32, tried_mass: f32, reduction: f32) -> f32 {
    (parent_value - reduction * tried_mass.sqrt()).max(-1.0)
}

/// The moves of one position, in the tree's order: those tried come first, the others follow by
/// falling prior. All slices have one element a move, at least one.
#[derive(Clone, Copy)]
pub(crate) struct Moves<'a> {
    pub priors: &'a [f32],
    pub n_visits: &'a [u32],
    pub values: &'a [FirstValue],
    pub bounds: &'a [Bounds],
    /// Which of them need not be followed.
    pub cut: Cut,
    pub n_tried: usize,
}

/// The index of the move with the highest score for `mover`; the first of equals. Moves that are
/// cut are passed over while there are others.
#[inline]
pub(crate) fn select(
    moves: Moves<'_>,
    mover: Player,
    exploration: f32,
    parent_value: f32,
    fpu_reduction: f32,
) -> usize {
    let Moves { n_tried, .. } = moves;
    let mut best = 0;
    let mut best_score = f32::NEG_INFINITY;
    let mut tried_mass = 0.0;
    let tried = moves.priors[..n_tried]
        .iter()
        .zip(&moves.n_visits[..n_tried])
        .zip(&moves.values[..n_tried])
        .zip(&moves.bounds[..n_tried]);
    for (index, (((&prior, &n_visits), &value), &bounds)) in tried.enumerate() {
        tried_mass += prior;
        let score = score(value.seen_by(mover), prior, n_visits, exploration);
        if score > best_score && !moves.cut.cuts(bounds) {
            best = index;
            best_score = score;
        }
    }
    // Untried moves differ by their priors alone, so the first of them is the best of them.
    if let Some(&prior) = moves.priors.get(n_tried) {
        let value = first_play_urgency(parent_value, tried_mass, fpu_reduction);
        if best_score == f32::NEG_INFINITY || score(value, prior, 0, exploration) > best_score {
            best = n_tried;
        }
    }
    best
}

/// The index of the first move that may still change the bounds of its position, where there is
/// one: depth first, since moves keep their places while they are tried.
#[inline]
pub(crate) fn first_open(moves: Moves<'_>) -> Option<usize> {
    let mut bounds = moves.bounds.iter();
    bounds.position(|&bounds| !bounds.is_exact() && !moves.cut.cuts(bounds))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bounds::best_of;
    use tablero_env::Player::{First, Second};

    const OPEN: [Bounds; 3] = [Bounds::OPEN; 3];

    #[test]
    fn exploration_follows_the_formula_of_alphazero() {
        let params = SearchParams::default();
        for n in [1_u32, 100, 40_000] {
            let exact =
                (1.25 + ((1.0 + f64::from(n) + 19652.0) / 19652.0).ln()) * f64::from(n).sqrt();
            let got = f64::from(exploration(&params, n));
            assert!((got / exact - 1.0).abs() < 1e-6, "{n}: {got} {exact}");
        }
    }

    #[test]
    fn the_logarithm_can_be_weighed_as_in_katago() {
        let params = SearchParams {
            c_puct: 1.0,
            c_puct_base: 500.0,
            c_puct_log: 0.45,
            ..SearchParams::default()
        };
        // ln((1 + 499 + 500) / 500) = ln 2, and 1 + 0.45 * ln 2 = 1.311916.
        let got = exploration(&params, 499);
        assert!((got - 1.311_916 * 499_f32.sqrt()).abs() < 1e-4, "{got}");
    }

    #[test]
    fn a_score_is_the_value_and_the_share_of_exploration() {
        // 0.25 + 3 * 0.5 / (1 + 4).
        assert!((score(0.25, 0.5, 4, 3.0) - 0.55).abs() < 1e-6);
        assert_eq!(score(-0.5, 0.5, 0, 2.0), 0.5);
        assert_eq!(score(0.125, 0.0, 7, 3.0), 0.125);
    }

    #[test]
    fn urgency_falls_with_the_tried_mass_down_to_a_loss() {
        assert_eq!(first_play_urgency(0.5, 0.0, 0.2), 0.5);
        assert!((first_play_urgency(0.5, 0.25, 0.2) - 0.4).abs() < 1e-6);
        assert_eq!(first_play_urgency(-0.95, 1.0, 0.2), -1.0);
    }

    const PRIORS: [f32; 3] = [0.2, 0.5, 0.3];

    fn choose(values: [f32; 3], n_visits: [u32; 3], bounds: [Bounds; 3], mover: Player) -> usize {
        let values = values.map(FirstValue);
        let moves = Moves {
            priors: &PRIORS,
            n_visits: &n_visits,
            values: &values,
            bounds: &bounds,
            cut: Cut::new(mover, best_of(mover, &bounds)),
            n_tried: n_visits.iter().filter(|&&n| n > 0).count(),
        };
        select(moves, mover, 1.0, 0.0, 0.2)
    }

    #[test]
    fn equal_values_and_visits_follow_the_prior() {
        for mover in Player::BOTH {
            assert_eq!(choose([0.0; 3], [1; 3], OPEN, mover), 1);
        }
    }

    #[test]
    fn each_player_reads_the_values_from_the_own_side() {
        let values = [0.9, 0.0, -0.9];
        assert_eq!(choose(values, [5; 3], OPEN, Player::First), 0);
        assert_eq!(choose(values, [5; 3], OPEN, Player::Second), 2);
    }

    #[test]
    fn visits_wear_the_prior_off() {
        assert_eq!(choose([0.0; 3], [1, 4, 1], OPEN, Player::First), 2);
    }

    #[test]
    fn an_untried_move_competes_with_its_urgency() {
        // Untried: 0 - 0.2 * sqrt(0.7) + 0.3 = 0.133. Tried: value + 0.5 / 5 at the second.
        let n_visits = [4, 4, 0];
        assert_eq!(choose([-0.5, 0.0, 0.0], n_visits, OPEN, Player::First), 2);
        assert_eq!(choose([-0.5, 0.1, 0.0], n_visits, OPEN, Player::First), 1);
    }

    #[test]
    fn lost_moves_are_passed_over_while_there_are_others() {
        let values = [1.0, -1.0, 1.0];
        let bounds = [Bounds::FIRST_WINS, Bounds::OPEN, Bounds::FIRST_WINS];
        assert_eq!(choose(values, [1, 900, 1], bounds, Second), 1);
        let bounds = [Bounds::SECOND_WINS, Bounds::SECOND_WINS, Bounds::OPEN];
        assert_eq!(choose([-1.0; 3], [1, 1, 0], bounds, First), 2);
    }

    #[test]
    fn with_a_draw_secured_moves_that_cannot_win_are_passed_over() {
        let at_most_a_draw = Bounds::from_lead([-1, 0]);
        let draw = Bounds::from_lead([0, 0]);
        let bounds = [at_most_a_draw, draw, Bounds::OPEN];
        assert_eq!(choose([0.0, 0.0, -0.9], [1, 900, 9], bounds, First), 1);
        assert_eq!(choose([0.0, 0.0, -0.1], [1, 900, 9], bounds, First), 1);
        assert_eq!(choose([0.0, 0.0, 0.1], [1, 900, 9], bounds, First), 2);
        // Without it, they are not.
        let bounds = [at_most_a_draw, Bounds::OPEN, Bounds::OPEN];
        assert_eq!(choose([0.0, 0.0, -0.9], [1, 900, 9], bounds, First), 0);
    }

    #[test]
    fn depth_first_stays_with_a_move_until_it_is_decided_or_cannot_matter() {
        let first_open = |bounds: [Bounds; 3], mover| {
            first_open(Moves {
                priors: &PRIORS,
                n_visits: &[9, 1, 0],
                values: &[FirstValue(0.0); 3],
                bounds: &bounds,
                cut: Cut::new(mover, best_of(mover, &bounds)),
                n_tried: 2,
            })
        };
        let at_most_a_draw = Bounds::from_lead([-1, 0]);
        let draw = Bounds::from_lead([0, 0]);
        assert_eq!(first_open(OPEN, First), Some(0));
        let lost = [Bounds::SECOND_WINS, at_most_a_draw, Bounds::OPEN];
        assert_eq!(first_open(lost, First), Some(1));
        let drawn = [draw, at_most_a_draw, Bounds::OPEN];
        assert_eq!(first_open(drawn, First), Some(2));
        assert_eq!(first_open(drawn, Second), Some(1));
        assert_eq!(first_open([draw; 3], First), None);
    }

    #[test]
    fn numbers_that_are_not_finite_still_choose_a_move() {
        assert!(choose([f32::NAN; 3], [1; 3], OPEN, Player::First) < 3);
        assert_eq!(choose([f32::NAN; 3], [1, 1, 0], OPEN, Player::First), 2);
    }
}
