//! The laws that every game keeps, and a check of them on random games.
//!
//! [`check`] plays uniformly random games and tries every law in every position that they visit.
//! It is written for any [`BoardGame`], yours included: the first thing to run on a new game.
//!
//! # The laws
//! Each is a [`Law`], which a [`Violation`] names.
//!
//! | law | statement |
//! |---|---|
//! | [`Declared`](Law::Declared) | Sizes are above 0, `max_legal_actions <= n_actions`, there is a description for each plane and at least one symmetry, and the policy has as many planes as its form says. |
//! | [`Initial`](Law::Initial) | Every call of `initial` returns the same state; player 0 is to move, the game is not over. |
//! | [`Legal`](Law::Legal) | `legal_actions` is strictly ascending, below `n_actions`, at most `max_legal_actions` long, clears the buffer, and is empty exactly when the game is over; `n_legal_actions` is its length. |
//! | [`Legality`](Law::Legality) | `is_legal` and `legality` accept exactly the listed actions, over all ids and some beyond `n_actions` (see below). A finished game so refuses all. |
//! | [`Mask`](Law::Mask) | `write_mask` writes 1 for each listed action and 0 for every other id. |
//! | [`Refusal`](Law::Refusal) | `play` refuses every unlisted id with the reason that `legality` gives, and leaves the state as it was. |
//! | [`Play`](Law::Play) | `play` accepts every listed action and leads to the same state as `play_unchecked`. |
//! | [`Clones`](Law::Clones) | Playing on a clone leaves the original as it was. |
//! | [`Sample`](Law::Sample) | `sample_action` is `legal[k]` for one draw `k` of `random_range(0..n)`, and draws nothing else. |
//! | [`Playout`](Law::Playout) | `playout` leaves the state finished and returns its outcome; the same generator gives the same game. |
//! | [`Ending`](Law::Ending) | `is_over` is `outcome.is_some()`; the points of an outcome are those of the state. |
//! | [`LeadBounds`](Law::LeadBounds) | `lead_bounds` are those of every position after, or wider, and hold the final lead of a finished game. |
//! | [`Length`](Law::Length) | No game lasts longer than `max_plies`, where the game has a bound. |
//! | [`ActionText`](Law::ActionText) | The legal actions of a state have different texts, each of which parses back to its action; so does each id. |
//! | [`StateText`](Law::StateText) | `state_text` is one line; it parses back to an equal state with the same text, mover, legal actions, outcome and points. |
//! | [`Hash`](Law::Hash) | The incremental hash is the one of the state that is parsed back, which is hashed from scratch. |
//! | [`Equality`](Law::Equality) | Equal states, reached in two orders of moves or by parsing, have equal hashes (`Game::hash` and `std::hash::Hash`), movers, legal actions, outcomes, points and observations. |
//! | [`Symmetry`](Law::Symmetry) | `transform` keeps mover, outcome and points, maps legal actions to legal actions one to one and commutes with `play`; its hash is the one from scratch; symmetry 0 changes nothing. |
//! | [`Slots`](Law::Slots) | The legal actions of a state have policy slots below `n_policy_slots`, all different unless the state is folded. |
//! | [`Observation`](Law::Observation) | `write_observation` writes every value, in -1..=1, and depends on the state alone. |
//!
//! Games with more than 4,096 action ids would take too long over all of them in every position:
//! there, one position in 64 tries all ids, and all moves under all symmetries, the others 256
//! ids drawn at random, and a few moves under each symmetry. A game
//! without a bound on its length is left after 400 plies, and its playouts are tried from one
//! position in 64.
//!
//! That the returns of both players sum to zero needs no check: [`Outcome`](crate::Outcome) cannot
//! say otherwise. Whether the rules are the *right* ones no law can tell: that is what
//! [`perft`](crate::perft) and recorded games are for.

mod encoding;
mod notation;
mod rules;

use crate::random::{Stream, stream};
use crate::{ActionId, BoardGame};
use rand::RngExt;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};

/// A law of the [module's table](self).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Law {
    /// The declared sizes make sense.
    Declared,
    /// The initial state is one, unfinished, with player 0 to move.
    Initial,
    /// The list of legal actions is well-formed.
    Legal,
    /// The predicates accept exactly the listed actions.
    Legality,
    /// The mask marks exactly the listed actions.
    Mask,
    /// An unlisted action is refused and changes nothing.
    Refusal,
    /// A listed action is accepted, and checked and unchecked play agree.
    Play,
    /// Clones are independent.
    Clones,
    /// A sampled action is the listed one with the same draw.
    Sample,
    /// A playout is played to the end.
    Playout,
    /// Outcome, points and the end of the game agree.
    Ending,
    /// The bounds of the lead only narrow, down to the final lead.
    LeadBounds,
    /// The game ends within its declared maximum.
    Length,
    /// Actions are read back from their texts.
    ActionText,
    /// States are read back from their texts.
    StateText,
    /// The incremental hash is the hash from scratch.
    Hash,
    /// Equal states cannot be told apart.
    Equality,
    /// Symmetries commute with the rules.
    Symmetry,
    /// Legal actions have policy slots of their own.
    Slots,
    /// The observation is complete, bounded and a function of the state.
    Observation,
}

impl fmt::Display for Law {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// A law that a game breaks, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{game} breaks the law {law}: {detail}\n  in the state {state}\n  after the actions {}",
    if actions.is_empty() { "(none)".to_owned() } else { join(actions) })]
pub struct Violation {
    /// The game's spec.
    pub game: String,
    /// The law broken.
    pub law: Law,
    /// What was expected and what was got.
    pub detail: String,
    /// The text of the state in which it was broken.
    pub state: String,
    /// The actions that lead there from the initial state.
    pub actions: Vec<ActionId>,
}

fn join(actions: &[ActionId]) -> String {
    let ids = actions.iter().map(ActionId::to_string);
    ids.collect::<Vec<_>>().join(" ")
}

/// What a check looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Random games played to their end.
    pub games: usize,
    /// Positions visited; a position is counted each time.
    pub states: usize,
    /// Moves tried: the legal actions of all positions visited.
    pub moves: usize,
    /// Plies of the longest game.
    pub longest: usize,
}

/// Plays `n_games` random games and checks every law in every position.
///
/// # Errors
/// The first violation.
///
/// # Examples
/// ```
/// use tablero_env::{conformance, dots_and_boxes::DotsAndBoxes};
/// let game = DotsAndBoxes::new(2, 2).unwrap();
/// let report = conformance::check(&game, 3, 0).unwrap();
/// assert_eq!(report.longest, 12);
/// ```
pub fn check<G: BoardGame>(game: &G, n_games: usize, seed: u64) -> Result<Report, Violation> {
    rules::declared(game)
        .and_then(|()| encoding::declared(game))
        .and_then(|()| rules::initial(game))
        .map_err(|breach| breach.located(game, &game.initial(), &[]))?;
    let mut report = Report::default();
    for index in 0..n_games {
        let mut rng = stream(seed, "conformance", index as u64);
        let mut path = Vec::new();
        let mut previous = None;
        let mut state = game.initial();
        loop {
            let located = |breach: Breach| breach.located(game, &state, &path);
            let ids = ids_to_try(game, path.len() + index, &rng);
            let legal = state_laws(game, &state, &ids, &rng).map_err(located)?;
            report.states += 1;
            report.moves += legal.len();
            if legal.is_empty() {
                break;
            }
            if let Some(max_plies) = game.max_plies() {
                ensure(path.len() < max_plies, Law::Length, || {
                    format!("not over after max_plies = {max_plies}")
                })
                .map_err(located)?;
            } else if path.len() >= UNBOUNDED_PLIES {
                break;
            }
            let action = legal[rng.random_range(0..legal.len())];
            let mut next = state.clone();
            game.play_unchecked(&mut next, action);
            if let Some((before, first)) = &previous {
                transposition(game, before, [*first, action], &next).map_err(located)?;
            }
            path.push(action);
            previous = Some((std::mem::replace(&mut state, next), action));
        }
        // Only now that the game is known to end: a playout has no limit.
        let mut state = game.initial();
        let stride = game.max_plies().map_or(SAMPLED_POSITIONS, |_| 1);
        for (ply, &action) in path.iter().enumerate() {
            if ply % stride == 0 {
                rules::playout(game, &state, &rng)
                    .map_err(|breach| breach.located(game, &state, &path[..ply]))?;
            }
            game.play_unchecked(&mut state, action);
        }
        report.games += 1;
        report.longest = report.longest.max(path.len());
    }
    Ok(report)
}

/// Games with more action ids than this try all of them in some positions only.
const MANY_IDS: usize = 4096;
/// One position in this many tries what would take too long in each.
const SAMPLED_POSITIONS: usize = 64;
/// How many ids the other positions try.
const SAMPLED_IDS: usize = 256;
/// Where a game without a bound on its length is left.
const UNBOUNDED_PLIES: usize = 400;

/// The action ids that the predicates are asked about, some beyond `n_actions` among them.
fn ids_to_try<G: BoardGame>(game: &G, position: usize, rng: &Stream) -> Vec<ActionId> {
    let n_actions = game.n_actions() as u32;
    let beyond = [n_actions, n_actions.saturating_add(1), u32::MAX];
    let mut ids: Vec<u32> =
        if game.n_actions() <= MANY_IDS || position.is_multiple_of(SAMPLED_POSITIONS) {
            (0..n_actions).collect()
        } else {
            let mut rng = rng.clone();
            (0..SAMPLED_IDS)
                .map(|_| rng.random_range(0..n_actions))
                .collect()
        };
    ids.extend(beyond);
    ids.into_iter().map(ActionId).collect()
}

/// A broken law before it is known where.
struct Breach {
    law: Law,
    detail: String,
}

impl Breach {
    fn located<G: BoardGame>(self, game: &G, state: &G::State, path: &[ActionId]) -> Violation {
        Violation {
            game: game.spec(),
            law: self.law,
            detail: self.detail,
            state: game.state_text(state),
            actions: path.to_vec(),
        }
    }
}

fn ensure(holds: bool, law: Law, detail: impl FnOnce() -> String) -> Result<(), Breach> {
    if holds {
        Ok(())
    } else {
        let detail = detail();
        Err(Breach { law, detail })
    }
}

/// Tries the laws of one position and returns its legal actions.
fn state_laws<G: BoardGame>(
    game: &G,
    state: &G::State,
    ids: &[ActionId],
    rng: &Stream,
) -> Result<Vec<ActionId>, Breach> {
    rules::ending(game, state)?;
    let legal = rules::legal(game, state)?;
    rules::legality(game, state, &legal, ids)?;
    rules::mask(game, state, &legal)?;
    rules::refusal(game, state, &legal, ids)?;
    rules::play(game, state, &legal)?;
    rules::lead_bounds(game, state, &legal)?;
    rules::sample(game, state, &legal, rng)?;
    notation::action_text(game, state, &legal)?;
    notation::state_text(game, state)?;
    encoding::observation(game, state)?;
    encoding::slots(game, state, &legal)?;
    encoding::symmetry(game, state, &legal, ids.len() >= game.n_actions())?;
    Ok(legal)
}

/// The law of equality on the two orders of the last two actions, where both can be played and
/// lead to equal states.
fn transposition<G: BoardGame>(
    game: &G,
    before: &G::State,
    [first, second]: [ActionId; 2],
    after: &G::State,
) -> Result<(), Breach> {
    let mut other = before.clone();
    for action in [second, first] {
        if game.play(&mut other, action).is_err() {
            return Ok(());
        }
    }
    if other == *after {
        indistinguishable(game, &other, after, Law::Equality)?;
        encoding::same_observation(game, &other, after, Law::Equality)?;
    }
    Ok(())
}

/// Requires that nothing in the rules tells two equal states apart.
fn indistinguishable<G: BoardGame>(
    game: &G,
    a: &G::State,
    b: &G::State,
    law: Law,
) -> Result<(), Breach> {
    let differ = |what: &str| format!("equal states differ in {what}");
    ensure(a == b, law, || format!("{a:?} != {b:?}"))?;
    ensure(game.hash(a) == game.hash(b), Law::Equality, || {
        differ("Game::hash")
    })?;
    ensure(std_hash(a) == std_hash(b), Law::Equality, || {
        differ("std::hash::Hash")
    })?;
    ensure(game.outcome(a) == game.outcome(b), law, || {
        differ("outcome")
    })?;
    ensure(game.points(a) == game.points(b), law, || differ("points"))?;
    ensure(
        game.is_over(a) || game.player_to_move(a) == game.player_to_move(b),
        law,
        || differ("the player to move"),
    )?;
    let mut legal = [Vec::new(), Vec::new()];
    game.legal_actions(a, &mut legal[0]);
    game.legal_actions(b, &mut legal[1]);
    ensure(legal[0] == legal[1], law, || differ("legal actions"))
}

fn std_hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
