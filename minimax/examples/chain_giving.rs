//! Does the fifth level (expert) give away long chains that it could have kept? And how long does
//! it take for a move on 5x5?
//!
//! ```text
//! cargo run --release -p tablero-minimax --example chain_giving [N_GAMES]
//! ```
//!
//! An action *gives a chain* if the turn passes, and the opponent can then take three or more
//! boxes that are joined by open edges, one after the other without passing the turn. A decision is
//! *critical* if some legal action gives a chain, and some other that gives none ends in more
//! boxes for the mover than all that do, by the exact solver. It is a *violation* if the chosen
//! action gives a chain although one that gives none ends in more boxes; if even the result (win,
//! draw, loss) is worse, it is also *costly*. Every decision of the expert on 3x4 counts,
//! against itself and against `greedy` (depth 1), after openings of random edges.

use std::time::{Duration, Instant};
use tablero_env::dots_and_boxes::{BoxId, DotsAndBoxes, State};
use tablero_env::random::{positions, stream};
use tablero_env::{ActionId, Game, Player};
use tablero_minimax::{LEVELS, Level, Limits, Minimax, Solvable, Solver};

const EXPERT: Level = LEVELS[4];
const N_GAMES: u64 = 100;
const TABLE_MIB: usize = 64;
/// As many boxes make a long chain.
const LONG: usize = 3;

fn board(rows: usize, cols: usize) -> DotsAndBoxes {
    DotsAndBoxes::new(rows, cols).expect("a board")
}

fn legal(game: &DotsAndBoxes, state: &State) -> Vec<ActionId> {
    let mut legal = Vec::new();
    game.legal_actions(state, &mut legal);
    legal
}

/// The boxes that the player to move can take before the turn passes.
fn on_offer(game: &DotsAndBoxes, state: &State) -> Vec<BoxId> {
    let mut state = state.clone();
    let mut boxes = Vec::new();
    loop {
        let captures = |&action: &ActionId| {
            let mut next = state.clone();
            let played = game.play(&mut next, action).expect("a legal action");
            (!played.captured.is_empty()).then_some((next, played.captured))
        };
        let Some((next, captured)) = legal(game, &state).iter().find_map(captures) else {
            return boxes;
        };
        boxes.extend(captured);
        state = next;
    }
}

/// The number of boxes in the longest chain that the player to move can take.
fn longest_on_offer(game: &DotsAndBoxes, state: &State) -> usize {
    let mut rest = on_offer(game, state);
    let open = game.undrawn(state);
    let sides = |BoxId(id): BoxId| {
        let id = usize::from(id);
        game.sides(id / game.cols(), id % game.cols())
    };
    let joined = |one: BoxId, other: BoxId| {
        sides(one)
            .into_iter()
            .any(|side| open.contains(side) && sides(other).contains(&side))
    };
    let mut longest = 0;
    while let Some(first) = rest.pop() {
        let mut chain = vec![first];
        let mut seen = 0;
        while let Some(&id) = chain.get(seen) {
            seen += 1;
            chain.extend(rest.extract_if(.., |other| joined(id, *other)));
        }
        longest = longest.max(chain.len());
    }
    longest
}

fn gives_chain(game: &DotsAndBoxes, state: &State, action: ActionId) -> bool {
    let mut next = state.clone();
    game.play(&mut next, action).expect("a legal action");
    game.player_to_move(&next) != game.player_to_move(state)
        && longest_on_offer(game, &next) >= LONG
}

#[derive(Debug, Default)]
struct Tally {
    decisions: u32,
    critical: u32,
    violations: u32,
    costly: u32,
}

impl Tally {
    fn record(
        &mut self,
        game: &DotsAndBoxes,
        solver: &mut impl Solver<DotsAndBoxes>,
        state: &State,
        chosen: ActionId,
    ) {
        self.decisions += 1;
        let (giving, keeping): (Vec<ActionId>, Vec<ActionId>) = legal(game, state)
            .into_iter()
            .partition(|&action| gives_chain(game, state, action));
        if giving.is_empty() || keeping.is_empty() {
            return;
        }
        let mover = game.player_to_move(state);
        let values = solver.action_values(state);
        // The mover's boxes and return.
        let worth = |action: &ActionId| {
            let value = values.iter().find(|value| value.action == *action);
            let value = value.expect("a legal action");
            let points = value.points.expect("Dots and Boxes has points");
            (points[mover.index()], value.value.seen_by(mover))
        };
        let best_kept = keeping.iter().map(worth).max().expect("some keep");
        let best_given = giving.iter().map(worth).max().expect("some give");
        self.critical += u32::from(best_kept.0 > best_given.0);
        let got = worth(&chosen);
        if giving.contains(&chosen) && best_kept.0 > got.0 {
            self.violations += 1;
            self.costly += u32::from(best_kept.1 > got.1);
            println!("violation: {state:?} {chosen:?}: {got:?} instead of {best_kept:?}");
        }
    }
}

/// A position after 2 to 8 random edges.
fn opening(game: &DotsAndBoxes, index: u64) -> State {
    let mut random = positions(game, stream(1, "chain giving", index));
    random.nth(2 + index as usize % 7).expect("a longer game")
}

fn tally_games(n_games: u64) {
    let game = board(3, 4);
    let mut solver = game.solver().expect("a small board");
    for (name, opponent) in [("itself", EXPERT.limits), ("greedy", Limits::depth(1))] {
        let mut tally = Tally::default();
        let mut searcher = Minimax::new(game.clone(), TABLE_MIB);
        for index in 0..n_games {
            let expert = Player::BOTH[index as usize % 2];
            let mut state = opening(&game, index);
            while !game.is_over(&state) {
                let is_expert = game.player_to_move(&state) == expert;
                let limits = if is_expert { EXPERT.limits } else { opponent };
                searcher.clear();
                let chosen = searcher.search(&state, &limits).best;
                if limits == EXPERT.limits {
                    tally.record(&game, &mut solver, &state, chosen);
                }
                game.play_unchecked(&mut state, chosen);
            }
        }
        println!(
            "{} against {name}, {n_games} games on 3x4: {tally:?}",
            EXPERT.name
        );
    }
}

fn time_moves(n_games: u64) {
    let game = board(5, 5);
    let mut searcher = Minimax::new(game.clone(), TABLE_MIB);
    let mut longest = Duration::ZERO;
    for index in 0..n_games {
        let mut state = opening(&game, index);
        while !game.is_over(&state) {
            searcher.clear();
            let start = Instant::now();
            let chosen = searcher.search(&state, &EXPERT.limits).best;
            longest = longest.max(start.elapsed());
            game.play_unchecked(&mut state, chosen);
        }
    }
    println!("longest move of {n_games} games on 5x5: {longest:.0?}");
}

fn main() {
    let n_games = std::env::args().nth(1);
    let n_games = n_games.map_or(N_GAMES, |text| text.parse().expect("a number"));
    tally_games(n_games);
    time_moves(n_games.div_ceil(10));
}
