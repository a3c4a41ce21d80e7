//! Whether the player to move wins.

use super::graph::{DirectionBits, Graph, Segments};
use crate::solvers::nodes::Nodes;
use arrayvec::ArrayVec;
use tablero_env::Game;
use tablero_env::paper_soccer::{Directions, PaperSoccer, State};
use tablero_env::random::mix;

/// As many as a set of points has bits; a pitch has fewer points than segments.
const MAX_POINTS: usize = 128;

/// All eight directions are free: a point off the border that was never visited, which passes the
/// turn.
const FRESH: DirectionBits = Directions::ALL.0;

/// What is known of one position: the segments of it or of its mirror image, whichever is the
/// smaller number, and two flags. 0 is an empty entry.
type Entry = u128;
const KNOWN: Entry = 1 << 127;
const WON: Entry = 1 << 126;

/// MiB of the table at most; memory is used only as it fills.
const MOST_MIB: usize = 64;

/// The order in which a player who attacks upwards tries directions: forwards first. Turned for
/// the other one.
const FORWARDS: [usize; 8] = [0, 1, 7, 2, 6, 3, 5, 4];

/// A position that is played forward and taken back, and the table.
#[derive(Clone, Debug)]
pub(super) struct Search {
    graph: Graph,
    free: Vec<DirectionBits>,
    ball: usize,
    /// 0 or 1.
    mover: usize,
    drawn: Segments,
    mirrored: Segments,
    /// As many entries as a power of two.
    table: Vec<Entry>,
    pub(super) nodes: Nodes,
}

impl Search {
    /// A search on a pitch with at most 126 segments, with a table of `mib` MiB at most, but of one at
    /// least.
    pub(super) fn new(game: &PaperSoccer, mib: usize) -> Self {
        let index_bits = ((mib.clamp(1, MOST_MIB) << 20) / size_of::<Entry>()).ilog2();
        Search {
            graph: Graph::new(game),
            free: Vec::new(),
            ball: 0,
            mover: 0,
            drawn: 0,
            mirrored: 0,
            table: vec![0; 1 << index_bits],
            nodes: Nodes::default(),
        }
    }

    /// Whether the player to move wins an unfinished game.
    pub(super) fn mover_wins(&mut self, game: &PaperSoccer, state: &State) -> bool {
        self.free = self.graph.free(game, state);
        self.ball = self.graph.number(state.ball());
        self.mover = game.player_to_move(state).index();
        [self.drawn, self.mirrored] = self.graph.drawn(game, state);
        self.scores_this_turn() || self.wins()
    }

    /// Whether the ball can reach the mover's goal without passing the turn.
    ///
    /// A flood over the points that bounce is exact: if any line leads there, one does that visits
    /// no point twice and so draws no segment twice, and a turn makes no point bounce that it goes
    /// on from.
    fn scores_this_turn(&self) -> bool {
        let mut seen: u128 = 1 << self.ball;
        let mut to_leave: ArrayVec<usize, MAX_POINTS> = ArrayVec::new();
        to_leave.push(self.ball);
        while let Some(point) = to_leave.pop() {
            for direction in Directions(self.free[point]).iter() {
                let next = usize::from(self.graph.edges[point][direction as usize].to);
                if seen >> next & 1 == 1 {
                    continue;
                }
                seen |= 1 << next;
                match self.graph.goals[next] {
                    Some(winner) if winner.index() == self.mover => return true,
                    None if self.free[next] != FRESH => to_leave.push(next),
                    _ => {}
                }
            }
        }
        false
    }

    /// Whether the mover, who cannot score this turn, wins nevertheless.
    fn wins(&mut self) -> bool {
        self.nodes.visit();
        let key = self.drawn.min(self.mirrored);
        let slot = mix(key as u64 ^ mix((key >> 64) as u64)) as usize & (self.table.len() - 1);
        let entry = self.table[slot];
        if entry & !WON == key | KNOWN {
            return entry & WON != 0;
        }
        // Passing the turn first, as most turns are short.
        let wins = self.wins_by(true) || self.wins_by(false);
        self.table[slot] = key | KNOWN | if wins { WON } else { 0 };
        wins
    }

    /// Whether a segment wins that passes the turn, or one that bounces.
    fn wins_by(&mut self, passing: bool) -> bool {
        let from = self.ball;
        let free = self.free[from];
        FORWARDS.into_iter().any(|forwards| {
            let direction = forwards ^ (4 * self.mover);
            let to = usize::from(self.graph.edges[from][direction].to);
            // The own goal loses, and the other one is out of reach.
            if free >> direction & 1 == 0
                || self.graph.goals[to].is_some()
                || (self.free[to] == FRESH) != passing
            {
                return false;
            }
            self.toggle(from, direction);
            self.ball = to;
            let wins = if passing {
                self.mover ^= 1;
                let opponent_wins = self.scores_this_turn() || self.wins();
                self.mover ^= 1;
                !opponent_wins
            } else {
                self.free[to] != 0 && self.wins()
            };
            self.ball = from;
            self.toggle(from, direction);
            wins
        })
    }

    /// Draws a segment between two points of the field, or takes it back.
    fn toggle(&mut self, from: usize, direction: usize) {
        let edge = self.graph.edges[from][direction];
        self.free[from] ^= 1 << direction;
        self.free[usize::from(edge.to)] ^= 1 << (direction ^ 4);
        self.drawn ^= 1 << edge.segment;
        self.mirrored ^= 1 << edge.mirrored;
    }
}
