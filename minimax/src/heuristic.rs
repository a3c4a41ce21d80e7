//! What a game must tell an alpha-beta search: how good an unfinished position looks.

use tablero_env::{ActionId, Game};

/// Evaluations are strictly between `-MAX_EVALUATION` and `MAX_EVALUATION`, so that a decided
/// game always weighs more than a promising one.
pub const MAX_EVALUATION: i32 = 1_000_000;

/// A judgement of unfinished positions.
///
/// Both methods are pure functions of the state.
pub trait Heuristic<G: Game>: Clone + Send + Sync + 'static {
    /// How good an unfinished position is for player 0, whoever is to move, in units of the
    /// game's own. The absolute value is below [`MAX_EVALUATION`].
    fn evaluate(&self, game: &G, state: &G::State) -> i32;

    /// Clears `out` and fills it with the legal actions of an unfinished position that change
    /// its evaluation at one blow, such as captures. They are tried first, and a line that
    /// reaches the depth limit is followed along them until there are none, so that no such
    /// sequence is cut in the middle; every sequence of them must end. Empty by default.
    fn forcing_actions(&self, _game: &G, _state: &G::State, out: &mut Vec<ActionId>) {
        out.clear();
    }
}

/// A game that has a baseline opponent: its evaluation stands in one file of
/// [`evaluations`](crate::evaluations).
pub trait Baseline: Game {
    /// The evaluation.
    type Heuristic: Heuristic<Self>;

    /// The evaluation for this configuration, with its tables built.
    fn heuristic(&self) -> Self::Heuristic;
}
