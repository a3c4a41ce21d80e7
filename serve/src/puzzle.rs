//! Puzzles: positions in which one move alone keeps the exact result.

use crate::error::Refusal;
use rand::RngExt;
use serde::Serialize;
use tablero_agents::Cancel;
use tablero_env::random::stream;
use tablero_env::view::Position;
use tablero_env::{ActionId, BoardGame, ForMover};
use tablero_minimax::{Playable, Solver, unless_interrupted};

/// Random games that are looked through, and positions that are solved, at most.
const MOST_GAMES: u64 = 60;
const MOST_SOLVED: usize = 150;
/// With fewer moves to choose from there is no riddle.
const FEWEST_MOVES: usize = 4;

/// A position, and the move to find.
#[derive(Debug, Serialize)]
pub(crate) struct Puzzle {
    /// The actions that lead to it.
    actions: Vec<ActionId>,
    /// Their texts.
    texts: Vec<String>,
    position: Position,
    /// What the move keeps: 1 a win, 0 a draw, for the player to move.
    result: ForMover<i8>,
    solution: ActionId,
    solution_text: String,
}

/// Looks through random games, which `seed` fixes, with a table of `table_mib` MiB at most.
pub(crate) fn puzzle<G: Playable>(
    game: &G,
    seed: u64,
    table_mib: usize,
    cancel: &Cancel,
) -> Result<Puzzle, Refusal> {
    let mut solver = game.solver_within(table_mib).map_err(Refusal::illegal)?;
    solver.set_interrupt(cancel.flag());
    let mut n_solved = 0;
    for index in 0..MOST_GAMES {
        let mut rng = stream(seed, "puzzle", index);
        let (mut state, mut actions) = (game.initial(), Vec::new());
        while !game.is_over(&state) {
            if cancel.is_cancelled() || n_solved >= MOST_SOLVED {
                return Err(none(game));
            }
            // Not every position, so that one game does not use up the patience.
            if game.is_quickly_solved(&state) && rng.random_range(0..3) == 0 {
                n_solved += 1;
                if let Some((result, solution)) = only_move(game, &mut solver, &state) {
                    return finished(game, &state, actions, result, solution);
                }
            }
            let action = game.sample_action(&state, &mut Vec::new(), &mut rng);
            game.play_unchecked(&mut state, action);
            actions.push(action);
        }
    }
    Err(none(game))
}

fn none<G: BoardGame>(game: &G) -> Refusal {
    Refusal::illegal(format!("no puzzle of {} was found: try again", game.spec()))
}

/// The only move that keeps the result, and the result.
fn only_move<G: Playable>(
    game: &G,
    solver: &mut G::Solver,
    state: &G::State,
) -> Option<(ForMover<i8>, ActionId)> {
    solver.check(state).ok()?;
    let mover = game.player_to_move(state);
    let values = unless_interrupted(|| solver.action_values(state)).ok()?;
    let value = |at: usize| values[at].value.for_mover(mover);
    let best = (0..values.len()).max_by_key(|&at| value(at))?;
    let n_best = (0..values.len()).filter(|&at| value(at) == value(best));
    let is_puzzle = values.len() >= FEWEST_MOVES && n_best.count() == 1;
    is_puzzle.then(|| (value(best), values[best].action))
}

fn finished<G: BoardGame>(
    game: &G,
    state: &G::State,
    actions: Vec<ActionId>,
    result: ForMover<i8>,
    solution: ActionId,
) -> Result<Puzzle, Refusal> {
    let start = game.initial();
    Ok(Puzzle {
        position: Position::after(game, &start, &actions).map_err(Refusal::failed)?,
        texts: game.line_texts(&start, &actions),
        actions,
        result,
        solution,
        solution_text: game.action_text(state, solution),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablero_env::dots_and_boxes::DotsAndBoxes;
    use tablero_env::queens::{FullBoard, Queens};

    fn check<G: Playable>(game: &G) {
        for seed in 0..5 {
            let found = puzzle(game, seed, 16, &Cancel::new()).unwrap();
            let mut state = game.initial();
            for &action in &found.actions {
                game.play(&mut state, action).unwrap();
            }
            let mover = game.player_to_move(&state);
            let mut solver = game.solver().unwrap();
            for value in solver.action_values(&state) {
                let keeps = value.value.for_mover(mover) == found.result;
                assert_eq!(keeps, value.action == found.solution);
            }
        }
    }

    #[test]
    fn one_move_alone_keeps_the_result() {
        check(&DotsAndBoxes::new(2, 2).unwrap());
        check(&Queens::new(6, FullBoard::White).unwrap());
    }
}
