//! Proof-number search where positions recur: random games on graphs, in which the third
//! occurrence of a position draws as in Hive, against minimax that knows the whole history.

use crate::common::check_strategy;
use rand::{Rng, RngExt};
use std::convert::Infallible;
use std::hash::{Hash, Hasher};
use tablero_env::random::{mix, positions, stream};
use tablero_env::{ActionId, ForFirst, Game, Outcome, Player};
use tablero_minimax::{
    ActionValue, ProofNumberSearch, Solution, Solvable, SolveError, Solver, Verdict,
};

#[derive(Clone, Debug)]
enum Place {
    /// Who moves, and to which places.
    Open(Player, Vec<usize>),
    End(Option<Player>),
}

/// A token goes from place to place, beginning on place 0.
#[derive(Clone, Debug)]
struct Walk {
    places: Vec<Place>,
}

impl Walk {
    /// Two or three ways from each of the open places; the ends are few, so that there are many
    /// cycles.
    fn random<R: Rng>(n_open: usize, rng: &mut R) -> Walk {
        let ends = [Some(Player::First), Some(Player::Second), None];
        let n = n_open + ends.len();
        let mut open = || {
            let mover = Player::BOTH[rng.random_range(0..2)];
            let mut ways = Vec::new();
            for _ in 0..rng.random_range(2..4) {
                // Only one way in six or so leads to an end.
                let any = rng.random_range(0..n);
                ways.push(any.min(rng.random_range(0..n)));
            }
            Place::Open(mover, ways)
        };
        let mut places: Vec<Place> = (0..n_open).map(|_| open()).collect();
        places.extend(ends.map(Place::End));
        Walk { places }
    }
}

/// All places so far, this one last.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Trail(Vec<usize>);

impl Trail {
    fn here(&self) -> usize {
        self.0[self.0.len() - 1]
    }

    fn n_occurrences(&self) -> usize {
        let here = self.here();
        self.0.iter().filter(|&&place| place == here).count()
    }
}

impl Hash for Trail {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.here().hash(hasher);
    }
}

impl Game for Walk {
    type State = Trail;
    type Played = usize;
    type Illegal = std::fmt::Error;

    fn rules_version(&self) -> u32 {
        1
    }

    fn spec(&self) -> String {
        "walk".to_owned()
    }

    fn n_actions(&self) -> usize {
        3
    }

    fn max_plies(&self) -> Option<usize> {
        Some(2 * self.places.len() + 1)
    }

    fn initial(&self) -> Trail {
        Trail(vec![0])
    }

    fn player_to_move(&self, state: &Trail) -> Player {
        match self.places[state.here()] {
            Place::Open(player, _) => player,
            Place::End(_) => Player::First,
        }
    }

    fn outcome(&self, state: &Trail) -> Option<Outcome> {
        match self.places[state.here()] {
            Place::End(winner) => Some(Outcome::won_by(winner)),
            Place::Open(..) => (state.n_occurrences() >= 3).then(|| Outcome::won_by(None)),
        }
    }

    fn legal_actions(&self, state: &Trail, out: &mut Vec<ActionId>) {
        out.clear();
        if let Place::Open(_, ways) = &self.places[state.here()]
            && !self.is_over(state)
        {
            out.extend((0..ways.len() as u32).map(ActionId));
        }
    }

    fn legality(&self, state: &Trail, action: ActionId) -> Result<(), std::fmt::Error> {
        let mut legal = Vec::new();
        self.legal_actions(state, &mut legal);
        legal.contains(&action).then_some(()).ok_or(std::fmt::Error)
    }

    fn play(&self, state: &mut Trail, action: ActionId) -> Result<usize, std::fmt::Error> {
        self.legality(state, action)?;
        self.play_unchecked(state, action);
        Ok(state.here())
    }

    fn play_unchecked(&self, state: &mut Trail, action: ActionId) {
        if let Place::Open(_, ways) = &self.places[state.here()] {
            state.0.push(ways[action.index()]);
        }
    }

    /// As in Hive, of the position alone.
    fn hash(&self, state: &Trail) -> u64 {
        mix(state.here() as u64)
    }
}

impl Solvable for Walk {
    type Solver = NoSolver;

    fn solver(&self) -> Result<NoSolver, SolveError> {
        Err(SolveError::NoSolver {
            game: self.spec(),
            reason: "minimax will do",
        })
    }
}

struct NoSolver(Infallible);

impl Solver<Walk> for NoSolver {
    fn action_values(&mut self, _state: &Trail) -> Vec<ActionValue> {
        match self.0 {}
    }

    fn solve(&mut self, _state: &Trail) -> Solution {
        match self.0 {}
    }

    fn nodes(&self) -> u64 {
        match self.0 {}
    }
}

/// The return by the definition of minimax, with the exact history.
fn plain(game: &Walk, state: &mut Trail) -> ForFirst<i8> {
    if let Some(outcome) = game.outcome(state) {
        return outcome.value();
    }
    let mover = game.player_to_move(state);
    let mut legal = Vec::new();
    game.legal_actions(state, &mut legal);
    let mut best = -1;
    for action in legal {
        game.play_unchecked(state, action);
        best = best.max(plain(game, state).seen_by(mover));
        state.0.pop();
        if best == 1 {
            break;
        }
    }
    ForFirst::from_player(best, mover)
}

/// Whether a player can force a win where no position but the dead ones draws by repetition: the
/// places from which they can, found backwards from the ends.
fn wins_without_repetition(game: &Walk, state: &Trail, player: Player) -> bool {
    let n_before = |place: usize| state.0.iter().filter(|&&other| other == place).count();
    let is_dead = |place: usize| place != state.here() && n_before(place) >= 2;
    let mut won = vec![false; game.places.len()];
    loop {
        let is_won = |(place, what): (usize, &Place)| match what {
            Place::End(winner) => *winner == Some(player),
            Place::Open(..) if is_dead(place) => false,
            Place::Open(mover, ways) if *mover == player => ways.iter().any(|&way| won[way]),
            Place::Open(_, ways) => ways.iter().all(|&way| won[way]),
        };
        let next: Vec<bool> = game.places.iter().enumerate().map(is_won).collect();
        if next == won {
            return won[state.here()];
        }
        won = next;
    }
}

/// The value that the argument of the module gives: whose win can be forced without repetition.
fn value_without_repetition(game: &Walk, state: &Trail) -> ForFirst<i8> {
    let [first, second] =
        Player::BOTH.map(|player| i8::from(wins_without_repetition(game, state, player)));
    ForFirst(first - second)
}

/// A random graph with a random unfinished walk on it.
fn random_walk(index: u64, n_open: std::ops::Range<usize>, max_plies: usize) -> (Walk, Trail) {
    let mut rng = stream(1, "walks", index);
    let game = Walk::random(rng.random_range(n_open), &mut rng);
    let n_plies = rng.random_range(0..max_plies);
    let state = positions(&game, rng).take(1 + n_plies).last().unwrap();
    (game, state)
}

/// The value of the verdict, its strategy checked.
fn verdict(game: &Walk, state: &Trail) -> ForFirst<i8> {
    let mut search = ProofNumberSearch::new(game.clone(), 1);
    let verdict = search.search(state, 10_000_000).verdict;
    if let Verdict::Win(win) = &verdict {
        check_strategy(game, &search, state, win.winner, win.plies);
    }
    let value = verdict.value();
    value.unwrap_or_else(|| panic!("undecided: {game:?} {state:?}"))
}

/// Each verdict is that of minimax, wins, losses and draws alike, also where positions occurred
/// once or twice before.
#[test]
fn verdicts_hold_for_the_whole_history() {
    let mut n_verdicts = [0; 3];
    let mut n_other_with_history = 0;
    for index in 0..6000 {
        let (game, mut state) = random_walk(index, 2..6, 10);
        let expected = plain(&game, &mut state);
        assert_eq!(value_without_repetition(&game, &state), expected);
        assert_eq!(verdict(&game, &state), expected, "{game:?} {state:?}");
        n_verdicts[(expected.0 + 1) as usize] += 1;
        let mut fresh = Trail(vec![state.here()]);
        n_other_with_history += u32::from(plain(&game, &mut fresh) != expected);
    }
    assert!(n_verdicts.iter().all(|&n| n > 500), "{n_verdicts:?}");
    assert!(n_other_with_history > 20, "{n_other_with_history}");
}

/// On graphs with many ways to each place, no disproof that rests on one of them is taken for
/// another.
#[test]
fn verdicts_hold_by_every_way() {
    let mut n_verdicts = [0; 3];
    for index in 0..20_000 {
        let (game, state) = random_walk(index, 6..14, 10);
        let expected = value_without_repetition(&game, &state);
        assert_eq!(
            verdict(&game, &state),
            expected,
            "{index} {game:?} {state:?}"
        );
        n_verdicts[(expected.0 + 1) as usize] += 1;
    }
    assert!(n_verdicts.iter().all(|&n| n > 500), "{n_verdicts:?}");
}
