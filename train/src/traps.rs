//! What to play in a lost position: the move after which the opponent is most likely to go wrong.

use tablero_env::{ActionId, Game, Player};
use tablero_mcts::{RootEdge, Search};
use tablero_minimax::{Baseline, Limits, Minimax};

/// MiB of the table of a search for an answer, which is cleared for each, and of that for its refutation.
const TABLE_MIB: usize = 16;

/// A position is taken for lost below this chance to win, of which a draw is half.
const LOST_BELOW: f32 = 0.25;

/// The fewest nodes with which an opponent is thought to search: those of the weakest level.
const FEWEST_NODES: u64 = 500;

/// Sets traps. Best play tells nothing of the moves of a lost position, and a network that has learnt from
/// its like little. But opponents err, and some moves are harder to answer than others (Jansen, "Using
/// Knowledge about the Opponent in Game-Tree Search", 1992).
///
/// The opponent is thought of as a minimax search of its own game with n nodes, ln n being uniform between
/// ln 500 and ln N. So a move's trap is the probability that the answer of such a search is a mistake: one
/// after which N nodes prove that it does not win, which counts 1, or a half where they prove a draw. One
/// search with N nodes tells the [answers](tablero_minimax::Report::answers) of all those with fewer. An
/// opponent who sees farther may fall into none, by which nothing is lost in a lost position.
pub(crate) struct Traps<G: Baseline> {
    game: G,
    /// In the opponent's place.
    opponent: Minimax<G>,
    /// Refutes its answers; remembers from one to the next.
    referee: Minimax<G>,
    n_nodes: u64,
}

impl<G: Baseline> Traps<G> {
    /// For opponents of up to `n_nodes` nodes a move.
    pub(crate) fn new(game: &G, n_nodes: u64) -> Self {
        Traps {
            game: game.clone(),
            opponent: Minimax::new(game.clone(), TABLE_MIB),
            referee: Minimax::new(game.clone(), TABLE_MIB),
            n_nodes,
        }
    }

    /// The probability, 0..=1, that the opponent goes wrong after each legal action, in ascending order of
    /// actions. Empty in a position that does not look lost to the search, or leaves no choice.
    pub(crate) fn set(&mut self, search: &Search<G>) -> Vec<f32> {
        let moves = search.root_edges();
        if moves.len() < 2 || chance(search) >= LOST_BELOW {
            return Vec::new();
        }
        self.referee.clear();
        let mover = search.player_to_move();
        let trap = |edge: RootEdge| {
            let mut after = search.state().clone();
            self.game.play_unchecked(&mut after, edge.action);
            self.trap(&mut after, mover)
        };
        moves.into_iter().map(trap).collect()
    }

    /// The probability, 0..=1, that the opponent of `player` does not win from here by its own mistake.
    /// Plays on for `player` as long as the turn is not over.
    fn trap(&mut self, state: &mut G::State, player: Player) -> f32 {
        let limits = Limits::nodes(self.n_nodes);
        while !self.game.is_over(state) && self.game.player_to_move(state) == player {
            let action = self.referee.search(state, &limits).best;
            self.game.play_unchecked(state, action);
        }
        if let Some(outcome) = self.game.outcome(state) {
            return (1.0 + f32::from(outcome.return_for(player))) / 2.0;
        }
        self.opponent.clear();
        let answers = self.opponent.search(state, &limits).answers;
        let most = self.n_nodes.max(FEWEST_NODES + 1);
        let log = |n: u64| (n.clamp(FEWEST_NODES, most) as f64).ln();
        // Each is the answer until the next one.
        let ends = answers[1..].iter().map(|&(n, _)| n).chain([most]);
        let mut trap = 0.0;
        for (&(n, answer), end) in answers.iter().zip(ends) {
            let share = (log(end) - log(n)) / (log(most) - log(FEWEST_NODES));
            if share > 0.0 {
                trap += share * f64::from(self.mistake(state, answer, player));
            }
        }
        // Sums of the same shares in another order are equal after rounding, nearly always.
        trap as f32
    }

    /// How much of a win an answer is proven to give away: 0, a half or 1.
    fn mistake(&mut self, state: &G::State, answer: ActionId, player: Player) -> f32 {
        let mut after = state.clone();
        self.game.play_unchecked(&mut after, answer);
        let value = match self.game.outcome(&after) {
            Some(outcome) => outcome.return_for(player),
            None => {
                let limits = Limits::nodes(self.n_nodes);
                let proven = self.referee.search(&after, &limits).proven;
                proven.map_or(-1, |value| value * player.sign())
            }
        };
        (1.0 + f32::from(value)) / 2.0
    }
}

/// The chance to win of the player to move, of which a draw is half.
fn chance<G: Game>(search: &Search<G>) -> f32 {
    let wdl = search.root_wdl();
    wdl.win + wdl.draw / 2.0
}

/// The best trap, of equals that which the search recommends most, if it is likelier to win than the search
/// thinks it is to win at all.
pub(crate) fn best_trap<G: Game>(search: &Search<G>, traps: &[f32]) -> Option<ActionId> {
    let moves = search.root_edges().into_iter().zip(search.policy_target());
    let moves = traps.iter().zip(moves);
    let best = moves.max_by(|a, b| a.0.total_cmp(b.0).then(a.1.1.total_cmp(&b.1.1)));
    let (&trap, (edge, _)) = best?;
    (trap > chance(search)).then_some(edge.action)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablero_env::dots_and_boxes::DotsAndBoxes;
    use tablero_env::queens::{FullBoard, Queens};
    use tablero_env::random::stream;
    use tablero_env::{AnyGame, Notation, with_game};
    use tablero_mcts::{Batch, Evaluations, Evaluator, Request, SearchParams, Wdl, run};
    use tablero_minimax::{Solvable, Solver};

    fn queens(side: usize) -> Queens {
        Queens::new(side, FullBoard::default()).unwrap()
    }

    /// Gives a player this chance to win.
    struct Chance(Player, f32);

    impl<G: Game> Evaluator<G> for Chance {
        fn evaluate(&mut self, game: &G, requests: &[Request<'_, G>], out: &mut Evaluations) {
            out.clear();
            for request in requests {
                let is_his = game.player_to_move(request.state) == self.0;
                let win = if is_his { self.1 } else { 1.0 - self.1 };
                let (draw, loss) = (0.0, 1.0 - win);
                let n = request.legal.len();
                out.push(n, Wdl { win, draw, loss }, None)
                    .fill(1.0 / n as f32);
            }
        }
    }

    /// A search of few simulations that gives the player to move this chance.
    fn searched<G: Game>(game: &G, state: &G::State, chance: f32) -> Search<G> {
        let evaluator = &mut Chance(game.player_to_move(state), chance);
        let (game, state, rng) = (game.clone(), state.clone(), stream(4, "traps", 0));
        let mut search = Search::new(game, state, SearchParams::default(), rng);
        let one = std::slice::from_mut(&mut search);
        run(one, 4, evaluator, &mut Batch::new());
        search
    }

    /// Unfinished positions after so many random plies.
    fn random_states<G: Game>(game: &G, n_plies: usize, n_states: u64) -> Vec<G::State> {
        let play = |index| {
            let mut rng = stream(5, "traps", index);
            let mut state = game.initial();
            for _ in 0..n_plies {
                let action = game.sample_action(&state, &mut Vec::new(), &mut rng);
                game.play_unchecked(&mut state, action);
                if game.is_over(&state) {
                    return None;
                }
            }
            Some(state)
        };
        (0..).filter_map(play).take(n_states as usize).collect()
    }

    /// The definition: each number of nodes from 500 on has a search of its own, whose mistakes the
    /// exact solver tells.
    #[test]
    fn a_trap_is_the_probability_that_a_search_errs() {
        let (game, most) = (queens(8), 3000);
        let mut solver = game.solver().unwrap();
        let mut traps = Traps::new(&game, most);
        let mut n_between = 0;
        for state in random_states(&game, 1, 40) {
            let player = game.player_to_move(&state).opponent();
            let mut expected = 0.0;
            for nodes in (FEWEST_NODES..most).step_by(50) {
                let mut minimax = Minimax::new(game.clone(), 1);
                let mut after = state.clone();
                let answer = minimax.search(&state, &Limits::nodes(nodes)).best;
                game.play_unchecked(&mut after, answer);
                let wins = solver.solve(&after).value == player.sign();
                // The probability of 50 nodes from here on.
                let share = ((nodes + 50) as f64 / nodes as f64).ln();
                expected += f64::from(u8::from(wins)) * share;
            }
            expected /= (most as f64 / FEWEST_NODES as f64).ln();
            let trap = f64::from(traps.trap(&mut state.clone(), player));
            // An answer may change within those 50.
            assert!((trap - expected).abs() < 0.06, "{trap} {expected}");
            n_between += u32::from((0.01..=0.99).contains(&trap));
        }
        assert!(n_between > 1, "{n_between} traps for some opponents only");
    }

    #[test]
    fn a_lost_position_is_played_by_the_best_trap_and_no_other_is() {
        let game = queens(8);
        let mut traps = Traps::new(&game, 1000);
        let mut n_changed = 0;
        for state in random_states(&game, 1, 10) {
            let even = searched(&game, &state, LOST_BELOW);
            let none = traps.set(&even);
            assert_eq!(best_trap(&even, &none), None);
            let lost = searched(&game, &state, 0.1);
            let set = traps.set(&lost);
            let action = best_trap(&lost, &set).unwrap_or_else(|| lost.best());
            n_changed += u32::from(action != lost.best());
            let player = game.player_to_move(&state);
            let mut trap = |action| {
                let mut after = state.clone();
                game.play_unchecked(&mut after, action);
                traps.trap(&mut after, player)
            };
            let edges = lost.root_edges().into_iter();
            let best = edges.map(|edge| trap(edge.action)).fold(0.0, f32::max);
            if best > 0.1 {
                assert_eq!(trap(action), best);
            } else {
                assert_eq!(action, lost.best());
            }
        }
        assert!(n_changed > 2, "{n_changed}");
    }

    /// Two boxes of four are sure, whatever the search thinks.
    #[test]
    fn a_proven_draw_is_not_given_up() {
        let game = DotsAndBoxes::new(2, 2).unwrap();
        let mut traps = Traps::new(&game, 600);
        let mut n_safe = 0;
        for state in random_states(&game, 9, 1000) {
            let search = searched(&game, &state, 0.0);
            if search.root_bounds() == [0, 1] {
                n_safe += 1;
                assert!(search.root_wdl().win < LOST_BELOW);
                assert!(traps.set(&search).is_empty());
            }
        }
        assert!(n_safe > 0);
    }

    /// One box of two is left: whoever draws its third edge gives it away, and takes it and goes on
    /// where three are drawn already.
    #[test]
    fn a_turn_is_played_to_its_end() {
        let game = DotsAndBoxes::new(1, 2).unwrap();
        let mut traps = Traps::new(&game, 1000);
        for state in random_states(&game, 5, 20) {
            let player = game.player_to_move(&state);
            let mut after = state.clone();
            let trap = traps.trap(&mut after, player);
            assert!(game.is_over(&after) || game.player_to_move(&after) != player);
            assert!((0.0..=1.0).contains(&trap));
        }
    }

    /// Legal, and the same whatever was asked before, in every game.
    #[test]
    fn a_choice_depends_on_the_position_alone() {
        for spec in [
            "dots-and-boxes:2x2",
            "queens:6",
            "paper-soccer:4x4",
            "xadrersi",
            "hive:base",
        ] {
            let any = AnyGame::parse(spec).unwrap();
            with_game!(&any, game => {
                let mut used = Traps::new(game, 600);
                for state in random_states(game, 4, 3) {
                    let search = searched(game, &state, 0.1);
                    let set = used.set(&search);
                    assert_eq!(set, Traps::new(game, 600).set(&search));
                    if let Some(action) = best_trap(&search, &set) {
                        assert!(game.is_legal(&state, action), "{}", game.action_text(&state, action));
                    }
                }
            });
        }
    }
}
