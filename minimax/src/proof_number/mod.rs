//! Proof-number search: whether a player can force a win (Allis, van der Meulen and van den Herik,
//! "Proof-Number Search", 1994), depth first with a table (df-pn: Nagai, "Df-pn Algorithm for
//! Searching AND/OR Trees and Its Applications", 2002).
//!
//! One player, the *attacker*, is to win; whatever else happens, a draw too, counts as a failure.
//! So each position is proven, disproven or open. Where the attacker moves one proven child is
//! enough (an OR node), where the other player does all must be proven (an AND node); who moves is
//! asked of the game, since a player may move twice in a row. The numbers of an open position say
//! how many positions must at least be decided to prove it, and to disprove it; the search goes
//! where they are smallest.
//!
//! # Why a verdict is true
//! In Hive the third occurrence of a position is a draw, so that the value of a position depends
//! on the game so far (the graph-history interaction problem: Campbell, 1985), while the table
//! knows positions without their history. Call a position *dead* if it has already occurred twice
//! in the game before the search, and let *W* be the positions from which the attacker can force
//! the win if every dead position is drawn and nothing else is by repetition. Then:
//!
//! 1. *A position of W is won, whatever repetitions draw.* Let its rank be the number of plies in
//!    which the attacker can force the win. Going always to a lower rank the attacker meets no position
//!    twice from the root on. So a third occurrence could only be of a position that occurred twice
//!    before, which is dead and not in W.
//! 2. *A position outside of W is not won.* Further draws win the attacker nothing.
//!
//! So the question is about W alone, in which no history counts but that before the root:
//!
//! - **Proofs.** A proof rests on finished games that the attacker wins, never on a repetition,
//!   and on proofs made before it. Hence it is true by every way to the position, and the table's
//!   proofs may be put together at will. Both queens surrounded at once is a draw, and proves
//!   nothing.
//! - **Disproofs.** A position that is on the path from the root already is taken as disproven
//!   there: by 1 an attacker who can win can do so without coming back. But on another path it need not be.
//!   A disproof that rests on a position of the path is therefore remembered together with
//!   the set of positions on the path, after Kishimoto and Müller ("A General Solution to the Graph
//!   History Interaction Problem", 2004). It holds by every way as soon as the position that it
//!   rests on is the disproven one itself; so at the root every disproof does.
//! - **Lines of more than [`MAX_PROOF_PLIES`]** count as disproven in the same way, but for that
//!   the root is then undecided.
//! - **A draw** is what is left if neither player can force a win.
//!
//! The table starts empty for each question, and proofs are never dropped from it, so that the
//! whole strategy is there in the end. What remains is the chance that two positions have the same
//! 64-bit hash: for a million positions about 3 in 100 million.

mod frame;
mod numbers;
mod search;
mod table;

use crate::solver::Solvable;
use frame::Frame;
use numbers::{Found, INFINITY, Numbers, THE_CUT};
use table::Table;
use tablero_env::random::mix;
use tablero_env::{ActionId, ForFirst, Player};

/// No line is followed further than so many plies beyond the position asked about.
pub const MAX_PROOF_PLIES: usize = 200;

/// A win that nothing can prevent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForcedWin {
    /// Who wins.
    pub winner: Player,
    /// The winner wins within so many plies. Another strategy may win sooner.
    pub plies: usize,
    /// If the winner is to move: the actions that are proven to win, ascending. Others may win
    /// too. Otherwise empty: every action loses.
    pub winning: Vec<ActionId>,
    /// A line of [`plies`](ForcedWin::plies) actions to the end, in which the loser resists for as
    /// long as possible.
    pub line: Vec<ActionId>,
}

/// What is known of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// A player can force a win.
    Win(ForcedWin),
    /// Neither player can.
    Draw,
    /// The limits did not suffice to find out.
    Undecided,
}

impl Verdict {
    /// The return (+1, 0, -1) under best play; `None` if undecided.
    #[must_use]
    pub fn value(&self) -> Option<ForFirst<i8>> {
        match self {
            Verdict::Win(win) => Some(ForFirst::from_player(1, win.winner)),
            Verdict::Draw => Some(ForFirst(0)),
            Verdict::Undecided => None,
        }
    }
}

/// What a search has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProofReport {
    /// The result.
    pub verdict: Verdict,
    /// The positions whose actions were looked at; one that was visited again counts again.
    pub nodes: u64,
}

/// As many nodes as are worth a try.
pub const DEFAULT_PROOF_NODES: u64 = 100_000;

/// Looks for forced wins in a game, guided by [`Solvable::initial_numbers`] and
/// [`Solvable::deciding_actions`]. The answer is a function of the position, the nodes and the
/// size of the table.
///
/// ```
/// use tablero_env::{ActionId, Game, dots_and_boxes::DotsAndBoxes};
/// use tablero_minimax::{ProofNumberSearch, Verdict};
/// let game = DotsAndBoxes::new(1, 1).unwrap();
/// let report = ProofNumberSearch::new(game.clone(), 1).search(&game.initial(), 1000);
/// let Verdict::Win(win) = report.verdict else { panic!("undecided") };
/// assert_eq!((win.winner.index(), win.plies), (1, 4), "the fourth edge takes the box");
/// ```
#[derive(Clone, Debug)]
pub struct ProofNumberSearch<G: Solvable> {
    game: G,
    table: Table,
    /// The player whose win is to be proven.
    attacker: Player,
    /// The keys of the positions from the root on.
    path: Vec<u64>,
    /// Stands for the set of positions on the path.
    signature: u64,
    nodes: u64,
    /// When to give up.
    max_nodes: u64,
    /// Storage that no node uses at the moment.
    frames: Vec<Box<Frame<G::State>>>,
}

impl<G: Solvable> ProofNumberSearch<G> {
    /// A search with a table of at most `table_mib` MiB (but of 12 KiB at least). When proofs fill
    /// it, the search ends undecided.
    #[must_use]
    pub fn new(game: G, table_mib: usize) -> Self {
        ProofNumberSearch {
            game,
            table: Table::new(table_mib),
            attacker: Player::First,
            path: Vec::new(),
            signature: 0,
            nodes: 0,
            max_nodes: 0,
            frames: Vec::new(),
        }
    }

    /// Searches for a forced win of either player in at most `max_nodes` nodes, forgetting all
    /// earlier searches.
    pub fn search(&mut self, state: &G::State, max_nodes: u64) -> ProofReport {
        self.table.clear();
        self.nodes = 0;
        let verdict = match self.game.outcome(state).map(|outcome| outcome.winner) {
            Some(Some(winner)) => Verdict::Win(ForcedWin {
                winner,
                plies: 0,
                winning: Vec::new(),
                line: Vec::new(),
            }),
            Some(None) => Verdict::Draw,
            None => self.decide(state, max_nodes),
        };
        ProofReport {
            verdict,
            nodes: self.nodes,
        }
    }

    /// The winning action of the last [`search`](ProofNumberSearch::search) in a position that comes
    /// up when the winner plays such actions from the root on. `None` in other positions, and if nothing was
    /// proven.
    pub fn continuation(&self, state: &G::State) -> Option<ActionId> {
        let attacks = self.game.player_to_move(state) == self.attacker;
        let proven = attacks.then(|| self.proven_actions(state))?;
        let (action, _) = proven.into_iter().min_by_key(|&(_, plies)| plies)?;
        Some(action)
    }

    /// The verdict on an unfinished position: first half of the nodes for the player to move,
    /// then what is left for the opponent, and then, if anything still is, the rest for the first.
    fn decide(&mut self, state: &G::State, max_nodes: u64) -> Verdict {
        let mover = self.game.player_to_move(state);
        let mut is_refuted = [false; 2];
        for (attacker, max_nodes) in [
            (mover, max_nodes / 2),
            (mover.opponent(), max_nodes),
            (mover, max_nodes),
        ] {
            if is_refuted[attacker.index()] {
                continue;
            }
            self.attacker = attacker;
            self.max_nodes = max_nodes;
            if self.is_spent() {
                continue;
            }
            let found = self.expand(
                state,
                self.key(state),
                Numbers {
                    proof: INFINITY,
                    disproof: INFINITY,
                },
            );
            if found.numbers.is_proven() {
                return Verdict::Win(self.forced_win(state, &found));
            }
            is_refuted[attacker.index()] =
                found.numbers.is_disproven() && found.rests_on != THE_CUT;
            if is_refuted == [true; 2] {
                return Verdict::Draw;
            }
        }
        Verdict::Undecided
    }

    fn is_spent(&self) -> bool {
        self.nodes >= self.max_nodes || self.table.is_full()
    }

    /// The key of a position in the search for the attacker's win.
    fn key(&self, state: &G::State) -> u64 {
        mix(self.game.hash(state) ^ self.attacker as u64)
    }

    /// What a proven root says, with its line.
    fn forced_win(&self, state: &G::State, root: &Found) -> ForcedWin {
        let mut state = state.clone();
        let mut winning = Vec::new();
        if self.game.player_to_move(&state) == self.attacker {
            let proven = self.proven_actions(&state).into_iter();
            winning.extend(proven.map(|(action, _)| action));
        }
        let mut line = Vec::new();
        for left in (0..root.plies).rev() {
            let next = self
                .proven_actions(&state)
                .into_iter()
                .find(|&(_, plies)| plies == left);
            let (action, _) = next.expect("a proof is never forgotten");
            self.game.play_unchecked(&mut state, action);
            line.push(action);
        }
        ForcedWin {
            winner: self.attacker,
            plies: line.len(),
            winning,
            line,
        }
    }

    /// The actions that are proven to leave the attacker a won position, each with the plies in
    /// which it is won.
    fn proven_actions(&self, state: &G::State) -> Vec<(ActionId, u16)> {
        let mut frame = Frame::new(state);
        self.look_around(state, &mut frame, true);
        frame.proven_actions()
    }
}
