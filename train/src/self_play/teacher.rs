//! Games of minimax against itself, to learn from before self-play is worth anything.

use super::{SelfPlayBatch, random_opening};
use crate::config::{SelfPlayConfig, Teacher};
use crate::record::{Decision, GameRecord};
use rand::RngExt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use tablero_env::random::stream;
use tablero_env::{Game, Player};
use tablero_minimax::{Baseline, Limits, Minimax};

/// A search of few nodes needs no more.
const TABLE_MIB: usize = 4;

/// What a return of player 0 is worth to each player.
const PLAYER_SIGNS: [i8; 2] = [1, -1];

/// The share of the move chosen in the policy to learn; the others divide the rest.
const CHOSEN_SHARE: f32 = 0.8;

/// Plays the games numbered `first_game..first_game + config.games` by minimax on both sides, with
/// some random moves, which are not learnt from, as long as no search has proven the result. Values
/// are the results of the games, or what a search has proven.
///
/// `on_game` is called after each game, from any thread.
pub fn teach_games<G: Game + Baseline>(
    game: &G,
    config: &SelfPlayConfig,
    teacher: &Teacher,
    seed: u64,
    first_game: u64,
    threads: usize,
    on_game: &(impl Fn() + Sync),
) -> SelfPlayBatch {
    let next_game = AtomicU64::new(first_game);
    let end = first_game + config.games;
    let total = Mutex::new(SelfPlayBatch::default());
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| {
                let mut minimax = Minimax::new(game.clone(), TABLE_MIB);
                let mut own = SelfPlayBatch::default();
                loop {
                    let id = next_game.fetch_add(1, Ordering::Relaxed);
                    if id >= end {
                        break;
                    }
                    match play(game, config, teacher, seed, id, &mut minimax) {
                        Some(record) => own.games.push(record),
                        None => own.n_unfinished += 1,
                    }
                    on_game();
                }
                let mut total = total.lock().unwrap_or_else(PoisonError::into_inner);
                total.add(own);
            });
        }
    });
    let mut total = total.into_inner().unwrap_or_else(PoisonError::into_inner);
    total.games.sort_by_key(|record| record.id);
    total
}

/// One game; `None` if it is longer than the limit.
fn play<G: Game + Baseline>(
    game: &G,
    config: &SelfPlayConfig,
    teacher: &Teacher,
    seed: u64,
    id: u64,
    minimax: &mut Minimax<G>,
) -> Option<GameRecord> {
    let limits = Limits {
        nodes: Some(teacher.nodes),
        ..Limits::default()
    };
    let mut rng = stream(seed, "teacher", id);
    let (mut state, opening) = random_opening(game, config.random_plies, &mut rng);
    let mut decisions: Vec<Decision> = Vec::new();
    let mut movers: Vec<Player> = Vec::new();
    let mut legal = Vec::new();
    // What the table holds from other games must not sway this one.
    minimax.clear();
    let mut is_open = true;
    let outcome = loop {
        if let Some(outcome) = game.outcome(&state) {
            break outcome;
        }
        let n_plies = opening.len() + decisions.len();
        if config.max_plies.is_some_and(|limit| n_plies >= limit) {
            return None;
        }
        game.legal_actions(&state, &mut legal);
        let mover = game.player_to_move(&state);
        let is_random = is_open && rng.random_bool(f64::from(teacher.random_moves));
        let (action, policy, proven) = if is_random {
            (legal[rng.random_range(0..legal.len())], Vec::new(), None)
        } else {
            let report = minimax.search(&state, &limits);
            let (best, proven) = (report.best, report.proven);
            is_open &= proven.is_none();
            let other = (1.0 - CHOSEN_SHARE) / (legal.len() - 1).max(1) as f32;
            let share = |&action| match action == best {
                true if legal.len() == 1 => 1.0,
                true => CHOSEN_SHARE,
                false => other,
            };
            // Proven is the return of player 0.
            let proven = proven.map(|value| value * PLAYER_SIGNS[mover.index()]);
            (best, legal.iter().map(share).collect(), proven)
        };
        movers.push(mover);
        decisions.push(Decision {
            action,
            policy,
            // Replaced by the result.
            root_wdl: [0.0; 3],
            proven,
        });
        game.play_unchecked(&mut state, action);
    };
    for (decision, mover) in decisions.iter_mut().zip(movers) {
        decision.root_wdl = match outcome.return_for(mover) {
            1 => [1.0, 0.0, 0.0],
            0 => [0.0, 1.0, 0.0],
            _ => [0.0, 0.0, 1.0],
        };
    }
    Some(GameRecord {
        id,
        forked: false,
        opening,
        decisions,
        outcome,
        resigned: false,
    })
}
