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
//! | [`WinsAtOnce`](Law::WinsAtOnce) | Where `wins_at_once` is true, a legal action wins, or leads to a position of the same player that `wins_at_once`. |
//! | [`Length`](Law::Length) | No game lasts longer than `max_plies`, where the game has a bound. |
//! | [`ActionText`](Law::ActionText) | The legal actions of a state have different texts, each of which parses back to its action; so does each id. |
//! | [`StateText`](Law::StateText) | `state_text` is one line; it parses back to an equal state with the same text, mover, legal actions, outcome and points. |
//! | [`Hash`](Law::Hash) | The incremental hash is the one of the state that is parsed back, which is hashed from scratch. |
//! | [`Equality`](Law::Equality) | Equal states, reached in two orders of moves or by parsing, have equal hashes (`Game::hash` and `std::hash::Hash`), movers, legal actions, outcomes, points, observations and features. |
//! | [`Symmetry`](Law::Symmetry) | `transform` keeps mover, outcome and points, maps legal actions to legal actions one to one and commutes with `play`; its hash is the one from scratch; symmetry 0 changes nothing. |
//! | [`Slots`](Law::Slots) | The legal actions of a state have policy slots below `n_policy_slots`, all different unless the state is folded. |
//! | [`Observation`](Law::Observation) | `write_observation` writes every value, in -1..=1, and depends on the state alone. |
//! | [`Features`](Law::Features) | The features of a position, and those of each of its legal actions, are strictly ascending, below their number and at most as many as declared; each action has one at least; all clear their buffers and depend on the state alone. |
//! | [`FeatureImages`](Law::FeatureImages) | Where `feature_images` are given, they are permutations, that of symmetry 0 the identity; the features of the image of a state are the images of its features, and those of the image of an action the images of the action's. |
//! | [`View`](Law::View) | The targets of the board have different names; the clicks of a legal action are targets and mean this action; no action's clicks are another's or their beginning; one or two targets mean a legal action only where they are its clicks. |
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

mod breach;
mod encoding;
mod equality;
mod features;
mod notation;
mod rules;
mod view;

use crate::random::{Stream, stream};
use crate::{ActionId, BoardGame, FeatureImages};
use breach::{Breach, ensure};
pub use breach::{Law, Violation};
use rand::RngExt;
use std::collections::{HashSet, VecDeque};

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
/// The first violation; after fewer actions where there is one, so that it can be followed by hand.
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
        .and_then(|()| features::declared(game))
        .and_then(|()| rules::initial(game))
        .map_err(|breach| breach.located(game, &game.initial(), &[]))?;
    let images: Vec<_> = (0..game.n_symmetries())
        .map(|symmetry| game.feature_images(symmetry))
        .collect();
    let mut report = Report::default();
    for index in 0..n_games {
        check_game(game, index, seed, &images, &mut report)
            .map_err(|found| shortest(game, &images, found))?;
    }
    Ok(report)
}

/// Plays one random game and checks every law in every position.
fn check_game<G: BoardGame>(
    game: &G,
    index: usize,
    seed: u64,
    images: &[Option<FeatureImages>],
    report: &mut Report,
) -> Result<(), Violation> {
    let mut rng = stream(seed, "conformance", index as u64);
    let mut path = Vec::new();
    let mut previous = None;
    let mut state = game.initial();
    loop {
        let located = |breach: Breach| breach.located(game, &state, &path);
        let ids = ids_to_try(game, path.len() + index, &rng);
        let legal = state_laws(game, &state, &ids, images, &rng).map_err(located)?;
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
    Ok(())
}

/// The same law broken after as few actions as possible, if the positions that are reached first
/// show it; else what was found.
fn shortest<G: BoardGame>(
    game: &G,
    images: &[Option<FeatureImages>],
    found: Violation,
) -> Violation {
    let rng = stream(0, "shortest violation", 0);
    let ids = ids_to_try(game, 0, &rng);
    let mut seen = HashSet::from([game.initial()]);
    let mut waiting = VecDeque::from([(game.initial(), Vec::new())]);
    let mut legal = Vec::new();
    for _ in 0..SHORTEST_POSITIONS {
        let Some((state, path)) = waiting.pop_front() else {
            break;
        };
        if path.len() >= found.actions.len() {
            break;
        }
        match state_laws(game, &state, &ids, images, &rng) {
            Err(breach) if breach.law == found.law => return breach.located(game, &state, &path),
            _ => game.legal_actions(&state, &mut legal),
        }
        for &action in &legal {
            let mut next = state.clone();
            game.play_unchecked(&mut next, action);
            if seen.insert(next.clone()) {
                waiting.push_back((next, [path.as_slice(), &[action]].concat()));
            }
        }
    }
    found
}

/// Positions in which a shorter way to a violation is looked for.
const SHORTEST_POSITIONS: usize = 300;

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

/// Tries the laws of one position and returns its legal actions.
fn state_laws<G: BoardGame>(
    game: &G,
    state: &G::State,
    ids: &[ActionId],
    images: &[Option<FeatureImages>],
    rng: &Stream,
) -> Result<Vec<ActionId>, Breach> {
    rules::ending(game, state)?;
    let legal = rules::legal(game, state)?;
    rules::legality(game, state, &legal, ids)?;
    rules::mask(game, state, &legal)?;
    rules::refusal(game, state, &legal, ids)?;
    rules::play(game, state, &legal)?;
    rules::lead_bounds(game, state, &legal)?;
    rules::wins_at_once(game, state, &legal)?;
    rules::sample(game, state, &legal, rng)?;
    notation::action_text(game, state, &legal)?;
    notation::state_text(game, state)?;
    encoding::observation(game, state)?;
    encoding::slots(game, state, &legal)?;
    features::well_formed(game, state, &legal)?;
    encoding::symmetry(game, state, &legal, ids.len() >= game.n_actions())?;
    features::of_images(game, state, &legal, images)?;
    view::clicks(game, state, &legal)?;
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
        equality::same_rules(game, &other, after, Law::Equality)?;
        equality::same_observation(game, &other, after, Law::Equality)?;
        features::same(game, &other, after)?;
    }
    Ok(())
}
