//! Random positions, minimax by its definition, and the laws of every exact solver.

use std::collections::HashMap;
use tablero_env::random::{positions, stream};
use tablero_env::{ActionId, Encode, ForFirst, Game, Player, games};
use tablero_minimax::{MAX_EVALUATION, ProofNumberSearch, Report, Solvable, Solver};

/// Every game, on small boards, on its default and on its largest.
pub const SPECS: [&str; 13] = [
    "dots-and-boxes:1x1",
    "dots-and-boxes:5x5",
    "dots-and-boxes:10x10",
    "queens:2",
    "queens:8",
    "queens:16,full_board=draw",
    "paper-soccer:2x2",
    "paper-soccer:8x10",
    "paper-soccer:16x16",
    "xadrersi",
    "hive:base",
    "hive:base+mlp",
    "hive:base+mlp,opening=free",
];

#[test]
fn no_game_is_left_out() {
    for entry in games() {
        assert!(SPECS.iter().any(|spec| spec.starts_with(entry.name)));
    }
}

/// A position after `n_plies` random moves, or the last unfinished one if the game is over by then.
pub fn random_state<G: Game>(game: &G, n_plies: usize, index: u64) -> G::State {
    let random = positions(game, stream(2, "minimax test", index));
    random.take(1 + n_plies).last().unwrap()
}

pub fn after<G: Game>(game: &G, state: &G::State, action: ActionId) -> G::State {
    let mut next = state.clone();
    game.play(&mut next, action).unwrap();
    next
}

pub fn legal<G: Game>(game: &G, state: &G::State) -> Vec<ActionId> {
    let mut legal = Vec::new();
    game.legal_actions(state, &mut legal);
    legal
}

/// The unfinished positions of a random game of at most `max_plies`.
pub fn game_positions<G: Game>(game: &G, max_plies: usize, index: u64) -> Vec<G::State> {
    let random = positions(game, stream(3, "minimax test", index));
    random.take(max_plies).collect()
}

/// The report makes sense by itself: legal actions, and a proof only for what is decided.
pub fn check_report<G: Game>(game: &G, state: &G::State, report: &Report) {
    assert_eq!(report.pv.first(), Some(&report.best));
    let mut state = state.clone();
    for &action in &report.pv {
        game.play(&mut state, action).unwrap();
    }
    let ForFirst(score) = report.score;
    if score.abs() > MAX_EVALUATION {
        let value = ForFirst(score.signum() as i8);
        assert!(report.proven.is_none_or(|proven| proven == value));
    } else if let Some(ForFirst(value)) = report.proven {
        assert_eq!((value, score), (0, 0), "a proven draw");
    }
}

/// The return and the final points.
pub type Final = (ForFirst<i8>, Option<[i32; 2]>);

/// How player 0 ranks the ends of games: by the result, then the lead, then the sum of the points.
/// Player 1 ranks them the other way.
fn rank((value, points): Final) -> (ForFirst<i8>, i32, i32) {
    let [first, second] = points.unwrap_or_default();
    (value, first - second, first + second)
}

/// The lead of player 0, or the result in games without points.
fn lead(end: Final) -> i32 {
    let (ForFirst(value), lead, _) = rank(end);
    end.1.map_or(value.into(), |_| lead)
}

/// Minimax by its definition, over the rules and nothing else. It remembers whole positions.
pub struct Plain<G: Game> {
    game: G,
    known: HashMap<G::State, Final>,
}

impl<G: Game> Plain<G> {
    pub fn new(game: &G) -> Self {
        Plain {
            game: game.clone(),
            known: HashMap::new(),
        }
    }

    /// How the game ends under best play.
    pub fn end(&mut self, state: &G::State) -> Final {
        if let Some(outcome) = self.game.outcome(state) {
            return (outcome.value(), outcome.points);
        }
        if let Some(&end) = self.known.get(state) {
            return end;
        }
        let mover = self.game.player_to_move(state);
        let mut best: Option<Final> = None;
        for action in legal(&self.game, state) {
            let end = self.end(&after(&self.game, state, action));
            let is_better = best.is_none_or(|best| match mover {
                Player::First => rank(end) > rank(best),
                Player::Second => rank(end) < rank(best),
            });
            if is_better {
                best = Some(end);
            }
            if end == (ForFirst::from_player(1, mover), None) {
                break; // Nothing is better than a win.
            }
        }
        let best = best.unwrap();
        self.known.insert(state.clone(), best);
        best
    }
}

/// Whatever the solver says of an unfinished position is what plain minimax says.
pub fn check_against_plain<G: Game>(
    game: &G,
    solver: &mut impl Solver<G>,
    state: &G::State,
    plain: &mut Plain<G>,
) {
    let expected = plain.end(state);
    let values = solver.action_values(state);
    let actions: Vec<ActionId> = values.iter().map(|value| value.action).collect();
    assert_eq!(actions, legal(game, state));
    let mut best = Vec::new();
    for value in &values {
        let end = plain.end(&after(game, state, value.action));
        assert_eq!((value.value, value.points), end, "{state:?} {value:?}");
        if lead(end) == lead(expected) {
            best.push(value.action);
        }
    }
    let solution = solver.solve(state);
    assert_eq!((solution.value, solution.points), expected, "{state:?}");
    assert_eq!(solution.best, best, "{state:?}");
}

/// Actions and their images lead to the same end. Each position gets a solver of its own, whose
/// table does not know the others.
pub fn check_mirror_images<G: Encode + Solvable>(game: &G, state: &G::State) {
    let values = game.solver().unwrap().action_values(state);
    for symmetry in 1..game.n_symmetries() {
        let image = game.transform(symmetry, state);
        let images = game.solver().unwrap().action_values(&image);
        for value in &values {
            let action = game.transform_action(symmetry, state, value.action);
            let image = images.iter().find(|image| image.action == action).unwrap();
            assert_eq!((image.value, image.points), (value.value, value.points));
        }
    }
}

/// A finished game has its outcome for a value, and no best action.
pub fn check_finished<G: Game>(game: &G, solver: &mut impl Solver<G>, state: &G::State) {
    let outcome = game.outcome(state).unwrap();
    let solution = solver.solve(state);
    assert_eq!(solution.value, outcome.value());
    assert_eq!(solution.points, outcome.points);
    assert!(solution.best.is_empty() && solver.action_values(state).is_empty());
}

/// Whatever the loser does, the continuations that the search gives win within so many plies: by
/// the exact rules, with the whole history.
pub fn check_strategy<G: Solvable>(
    game: &G,
    search: &ProofNumberSearch<G>,
    state: &G::State,
    winner: Player,
    plies: usize,
) {
    if let Some(outcome) = game.outcome(state) {
        assert_eq!(outcome.winner, Some(winner), "{state:?}");
        return;
    }
    assert!(plies > 0, "{state:?}");
    let actions = if game.player_to_move(state) == winner {
        vec![search.continuation(state).expect("a winning action")]
    } else {
        legal(game, state)
    };
    for action in actions {
        check_strategy(game, search, &after(game, state, action), winner, plies - 1);
    }
}
