//! What a game must tell an alpha-beta search: how good an unfinished position looks.

use std::fmt::Debug;
use tablero_env::{ActionId, ForFirst, Game};

/// Evaluations are strictly between `-MAX_EVALUATION` and `MAX_EVALUATION`, so that a decided
/// game always weighs more than a promising one.
pub const MAX_EVALUATION: i32 = 1_000_000;

/// An evaluation of unfinished positions.
///
/// All methods are pure functions of the state.
pub trait Heuristic<G: Game>: Clone + Debug + Send + Sync + 'static {
    /// Whether a position can come back in the same game, so that its value depends on how often
    /// it has occurred: draws by repetition. `false` by default, as where every ply leaves a
    /// mark.
    ///
    /// A transposition table that knows positions by their hash then mixes up the ways to them
    /// (the graph-history interaction problem: Campbell, 1985). What the search still
    /// guarantees, where this is `true`:
    /// - No drawn game counts as a proof, nor what rests on one: a draw is never proven.
    /// - Each search starts with an empty table, so all its entries share the game so far.
    /// - Then a proven win is one. Give each position that is claimed as won the number of plies in
    ///   which the claim wins. A winner who always goes on to a smaller number never meets a position
    ///   twice after the root, so a repetition could only be the third occurrence of one
    ///   that had occurred twice before the root; and that is a draw by every way to it, on which
    ///   no claim rests.
    ///
    /// An evaluation or a draw score may still come from another way to the same position.
    const POSITIONS_RECUR: bool = false;

    /// Whether a [forcing action](Heuristic::forcing_actions) is the first of a turn that wins for
    /// certain: below the root the search then takes the position for won, and looks no further.
    /// `false` by default. Only for games without points.
    const FORCING_WINS: bool = false;

    /// The reduction of late actions, in quarters of a turn: actions late in the order are searched
    /// less deep by so much, unless they turn out better than the best so far (late move
    /// reductions: Romstad, "An Introduction to Late Move Reductions", 2006). 0, none, by default.
    /// A search limited by depth reduces nothing, so that the limit means what it says.
    const LATE_REDUCTION: u16 = 0;

    /// The log-odds of a win for one unit of a search's score: with a score s a game that is not
    /// drawn is won with probability `1 / (1 + exp(-LOG_ODDS_PER_UNIT s))`. Fitted to games of
    /// minimax against itself, on the board that each implementation names.
    const LOG_ODDS_PER_UNIT: f64;

    /// How good an unfinished position is, in units of the game's own. The absolute value is below
    /// [`MAX_EVALUATION`].
    fn evaluate(&self, game: &G, state: &G::State) -> ForFirst<i32>;

    /// Clears `out` and fills it with the legal actions of an unfinished position that change
    /// its evaluation sharply, such as captures. They are tried first, and a line that reaches the
    /// depth limit is followed along them until there are none (quiescence search), so that no
    /// such sequence is cut in the middle; every sequence of them must end. Empty by default.
    /// The search itself handles turns of several actions: see
    /// [`Limits::depth`](crate::Limits::depth).
    fn forcing_actions(&self, _game: &G, _state: &G::State, out: &mut Vec<ActionId>) {
        out.clear();
    }

    /// Clears `out` and fills it with legal actions of an unfinished position, ascending, that are
    /// enough to look at: under best play of both players no other leads to a better result nor,
    /// in games with points, to a better lead. What a search proves rests on that, so it must be
    /// exact, never a guess. All legal actions by default.
    fn sufficient_actions(&self, game: &G, state: &G::State, out: &mut Vec<ActionId>) {
        game.legal_actions(state, out);
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
