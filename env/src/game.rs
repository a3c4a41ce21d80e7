use crate::{ActionId, ForFirst, Outcome, Player};
use rand::{Rng, RngExt};
use serde::Serialize;
use std::error::Error;
use std::fmt::{Debug, Display};
use std::hash::Hash;

/// The exact rules of one configured two-player, zero-sum, perfect-information game.
///
/// A `Game` value holds the configuration (board size, variants); a [`State`](Game::State) is a
/// small value that is played forward in place. The same player may move several times in a row,
/// so nothing may be derived from the parity of the ply: ask [`player_to_move`].
///
/// The laws that every implementation keeps are stated and checked by
/// [`conformance::check`](crate::conformance::check).
///
/// [`player_to_move`]: Game::player_to_move
pub trait Game: Clone + Debug + Send + Sync + 'static {
    /// A position. `Eq` and `Hash` compare what the rules can tell apart: two equal states have
    /// the same legal actions, the same successors and the same outcome. Searches copy states
    /// with `clone_from` where they can: a state that owns storage implements it to reuse its own.
    type State: Clone + Eq + Hash + Debug + Send + Sync + 'static;

    /// What a played action did, in the game's own terms (captured boxes, who moves next, …).
    /// It serialises to a map, which `tablero replay --json` merges into its line.
    type Played: Clone + Debug + Display + Serialize;

    /// Why an action is refused.
    type Illegal: Error + Clone + Eq + Send + Sync + 'static;

    /// Changes whenever a rule, an action number or a state text changes its meaning. Stored
    /// with replays and policies, which refuse a foreign version.
    fn rules_version(&self) -> u32;

    /// The canonical text that [`AnyGame::parse`](crate::AnyGame) reads back, such as
    /// `dots-and-boxes:5x5`.
    fn spec(&self) -> String;

    /// The number of action ids: every id is below it.
    fn n_actions(&self) -> usize;

    /// No game has more plies than this. `None` where the rules end every game but give no bound
    /// of use (Hive, whose only bound is the number of its positions): set a limit of your own,
    /// such as [`EnvOptions::max_plies`](crate::EnvOptions::max_plies).
    fn max_plies(&self) -> Option<usize>;

    /// The most actions that can be legal in one state; at most [`n_actions`](Game::n_actions).
    fn max_legal_actions(&self) -> usize {
        self.n_actions()
    }

    /// The position before the first move.
    fn initial(&self) -> Self::State;

    /// Who chooses the next action. In a finished state the answer has no meaning.
    fn player_to_move(&self, state: &Self::State) -> Player;

    /// `None` while the game goes on.
    fn outcome(&self, state: &Self::State) -> Option<Outcome>;

    /// Whether the game has ended.
    fn is_over(&self, state: &Self::State) -> bool {
        self.outcome(state).is_some()
    }

    /// The points of both players so far, in games that have points.
    fn points(&self, _state: &Self::State) -> Option<[i32; 2]> {
        None
    }

    /// The least and the greatest lead in points with which the game can still end, however it is
    /// played; where both have the same sign, the winner is certain before the end. The bounds are
    /// sound, not necessarily tight, and only narrow from move to move. `None`, the default, says
    /// nothing.
    fn lead_bounds(&self, _state: &Self::State) -> Option<ForFirst<[i32; 2]>> {
        None
    }

    /// Whether the player to move can win before the other one moves, if that is quick to find out:
    /// `true` is a proof, `false` is not. `legal` are the legal actions. A search need not look below
    /// such a position. Default `false`.
    fn wins_at_once(&self, _state: &Self::State, _legal: &[ActionId]) -> bool {
        false
    }

    /// Whether a legal action wins, or leads to a position in which the same player
    /// [wins at once](Self::wins_at_once).
    fn wins_at_once_by(&self, state: &Self::State, action: ActionId) -> bool {
        let mover = self.player_to_move(state);
        let mut after = state.clone();
        self.play_unchecked(&mut after, action);
        if let Some(outcome) = self.outcome(&after) {
            return outcome.return_for(mover) == 1;
        }
        let mut legal = Vec::new();
        self.legal_actions(&after, &mut legal);
        self.player_to_move(&after) == mover && self.wins_at_once(&after, &legal)
    }

    /// Clears `out` and fills it with the legal actions in ascending order; leaves it empty when
    /// the game is over. Does not allocate once `out` has room for
    /// [`max_legal_actions`](Game::max_legal_actions).
    fn legal_actions(&self, state: &Self::State, out: &mut Vec<ActionId>);

    /// The number of legal actions: the length of [`legal_actions`](Game::legal_actions).
    /// `buffer` is scratch space. Games override it where counting is faster than listing.
    fn n_legal_actions(&self, state: &Self::State, buffer: &mut Vec<ActionId>) -> usize {
        self.legal_actions(state, buffer);
        buffer.len()
    }

    /// Writes the action mask: 1 for each legal action, 0 for every other id; all 0 when the game
    /// is over. `buffer` is scratch space. Games override it where the mask is found without
    /// listing the actions.
    ///
    /// # Panics
    /// If `mask` is not exactly [`n_actions`](Game::n_actions) long.
    fn write_mask(&self, state: &Self::State, buffer: &mut Vec<ActionId>, mask: &mut [i8]) {
        assert_eq!(mask.len(), self.n_actions(), "action mask of {self:?}");
        self.legal_actions(state, buffer);
        mark(buffer, mask);
    }

    /// Whether `action` may be played, and if not, why.
    ///
    /// # Errors
    /// The broken rule. Any id is allowed as input, also one beyond
    /// [`n_actions`](Game::n_actions).
    fn legality(&self, state: &Self::State, action: ActionId) -> Result<(), Self::Illegal>;

    /// Whether `action` may be played.
    fn is_legal(&self, state: &Self::State, action: ActionId) -> bool {
        self.legality(state, action).is_ok()
    }

    /// Plays `action` and tells what it did.
    ///
    /// # Errors
    /// The broken rule; `state` is then unchanged.
    fn play(
        &self,
        state: &mut Self::State,
        action: ActionId,
    ) -> Result<Self::Played, Self::Illegal>;

    /// Plays an action that is known to be legal.
    ///
    /// With an illegal action the state may become one that no game can reach, and later calls
    /// may panic; memory safety is kept.
    fn play_unchecked(&self, state: &mut Self::State, action: ActionId);

    /// A 64-bit hash, kept up to date by each move. Equal states have equal hashes, in every
    /// process and on every machine.
    fn hash(&self, state: &Self::State) -> u64;

    /// A legal action drawn uniformly: the `k`-th of [`legal_actions`](Game::legal_actions),
    /// where `k` is one draw of `rng.random_range(0..n)`. `buffer` is scratch space. Games
    /// override it where the `k`-th action is found without listing all.
    ///
    /// # Panics
    /// If the game is over.
    fn sample_action<R: Rng + ?Sized>(
        &self,
        state: &Self::State,
        buffer: &mut Vec<ActionId>,
        rng: &mut R,
    ) -> ActionId {
        self.legal_actions(state, buffer);
        buffer[rng.random_range(0..buffer.len())]
    }

    /// Plays uniformly random moves until the game is over and returns how it ended. `state` is
    /// left finished; `buffer` is scratch space. Games override it where a whole random game is
    /// drawn faster than its moves one by one.
    fn playout<R: Rng + ?Sized>(
        &self,
        state: &mut Self::State,
        buffer: &mut Vec<ActionId>,
        rng: &mut R,
    ) -> Outcome {
        loop {
            if let Some(outcome) = self.outcome(state) {
                return outcome;
            }
            let action = self.sample_action(state, buffer, rng);
            self.play_unchecked(state, action);
        }
    }
}

/// Writes 1 at the places of these actions, else 0.
pub(crate) fn mark(legal: &[ActionId], mask: &mut [i8]) {
    mask.fill(0);
    for action in legal {
        mask[action.index()] = 1;
    }
}

/// Plays uniformly random moves until the game is over or `max_plies` have been played: how it
/// ended, or `None` if it was cut off. For games without a bound on their length.
pub fn playout_up_to<G: Game, R: Rng + ?Sized>(
    game: &G,
    state: &mut G::State,
    max_plies: usize,
    buffer: &mut Vec<ActionId>,
    rng: &mut R,
) -> Option<Outcome> {
    for _ in 0..max_plies {
        if game.is_over(state) {
            break;
        }
        let action = game.sample_action(state, buffer, rng);
        game.play_unchecked(state, action);
    }
    game.outcome(state)
}

/// Plays uniformly random moves until the game is over and returns how it ended: see
/// [`Game::playout`].
pub fn playout<G: Game, R: Rng + ?Sized>(
    game: &G,
    state: &mut G::State,
    buffer: &mut Vec<ActionId>,
    rng: &mut R,
) -> Outcome {
    game.playout(state, buffer, rng)
}
