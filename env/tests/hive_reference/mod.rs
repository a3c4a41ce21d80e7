//! The rules of Hive once more, slowly: a second reading of the rules to compare with.
//!
//! Nothing is shared with the crate but the names of the pieces. The grid is a hash map over
//! unbounded coordinates, each question is answered by looking at the whole hive, and every
//! position since the first move is kept.

use std::collections::{BTreeSet, HashMap, HashSet};
use tablero_env::Player;
use tablero_env::hive::{Kind, Opening, Piece};

/// Axial coordinates: q to the east, r to the south-east.
pub type Hex = (i32, i32);

const AROUND: [Hex; 6] = [(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)];

/// A move: a piece and where it goes; `None` is a pass.
pub type Move = Option<(Piece, Hex)>;

/// What the third occurrence is counted over.
type Snapshot = (Player, Vec<(Hex, usize, Player, Kind, bool)>);

pub struct Reference {
    pieces: Vec<Piece>,
    opening: Opening,
    /// Each stack from the ground up; no empty ones.
    pub stacks: HashMap<Hex, Vec<Piece>>,
    pub mover: Player,
    /// How many turns each side has had.
    turns: [usize; 2],
    stunned: Option<Piece>,
    history: Vec<Snapshot>,
}

fn neighbours((q, r): Hex) -> [Hex; 6] {
    AROUND.map(|(dq, dr)| (q + dq, r + dr))
}

/// The two cells that touch both of two adjacent cells.
fn beside_the_way(from: Hex, to: Hex) -> [Hex; 2] {
    let shared: Vec<Hex> = neighbours(from)
        .into_iter()
        .filter(|cell| neighbours(to).contains(cell))
        .collect();
    shared.try_into().expect("adjacent cells share two others")
}

impl Reference {
    pub fn new(pieces: Vec<Piece>, opening: Opening) -> Reference {
        let mut reference = Reference {
            pieces,
            opening,
            stacks: HashMap::new(),
            mover: Player::First,
            turns: [0; 2],
            stunned: None,
            history: Vec::new(),
        };
        reference.history.push(reference.snapshot());
        reference
    }

    pub fn find(&self, piece: Piece) -> Option<(Hex, usize)> {
        self.stacks.iter().find_map(|(&cell, stack)| {
            let level = stack.iter().position(|&other| other == piece)?;
            Some((cell, level))
        })
    }

    fn height(&self, cell: Hex) -> usize {
        self.stacks.get(&cell).map_or(0, Vec::len)
    }

    fn top(&self, cell: Hex) -> Option<Piece> {
        self.stacks
            .get(&cell)
            .and_then(|stack| stack.last())
            .copied()
    }

    fn queen_is_down(&self, player: Player) -> bool {
        self.find(Piece::queen(player)).is_some()
    }

    fn without_top(&self, cell: Hex) -> Reference {
        let mut rest = Reference {
            pieces: Vec::new(),
            stacks: self.stacks.clone(),
            history: Vec::new(),
            ..*self
        };
        let stack = rest.stacks.get_mut(&cell).expect("a piece to lift");
        stack.pop();
        if stack.is_empty() {
            rest.stacks.remove(&cell);
        }
        rest
    }

    fn is_one_hive(&self) -> bool {
        let Some(&first) = self.stacks.keys().next() else {
            return true;
        };
        let mut reached = HashSet::from([first]);
        let mut open = vec![first];
        while let Some(cell) = open.pop() {
            for next in neighbours(cell) {
                if self.height(next) > 0 && reached.insert(next) {
                    open.push(next);
                }
            }
        }
        reached.len() == self.stacks.len()
    }

    /// Whether a bug standing on `from`, itself not part of `self`, can step to the next cell.
    fn can_step(&self, from: Hex, to: Hex) -> bool {
        let [left, right] = beside_the_way(from, to).map(|cell| self.height(cell));
        let (here, there) = (self.height(from), self.height(to));
        let gate_blocks = left > here.max(there) && right > here.max(there);
        // On the ground a bug clings to a neighbour that it passes; higher up it touches what it
        // stands on or climbs.
        let keeps_contact = here > 0 || there > 0 || left > 0 || right > 0;
        !gate_blocks && keeps_contact
    }

    fn slides(&self, from: Hex) -> Vec<Hex> {
        neighbours(from)
            .into_iter()
            .filter(|&to| self.height(to) == 0 && self.can_step(from, to))
            .collect()
    }

    /// Ends of the paths of slides of exactly `n` steps that never come back to a cell.
    fn paths(&self, path: &mut Vec<Hex>, n: usize, ends: &mut BTreeSet<Hex>) {
        let here = path[path.len() - 1];
        if n == 0 {
            ends.insert(here);
            return;
        }
        for next in self.slides(here) {
            if !path.contains(&next) {
                path.push(next);
                self.paths(path, n - 1, ends);
                path.pop();
            }
        }
    }

    /// Where a bug of a kind can walk from a cell; it is itself not part of `self`.
    fn walks(&self, kind: Kind, from: Hex) -> BTreeSet<Hex> {
        let mut ends = BTreeSet::new();
        match kind {
            Kind::Queen | Kind::Pillbug => ends.extend(self.slides(from)),
            Kind::Spider => self.paths(&mut vec![from], 3, &mut ends),
            Kind::Ant => {
                let mut open = vec![from];
                while let Some(cell) = open.pop() {
                    for next in self.slides(cell) {
                        if ends.insert(next) {
                            open.push(next);
                        }
                    }
                }
            }
            Kind::Beetle => ends.extend(
                neighbours(from)
                    .into_iter()
                    .filter(|&to| self.can_step(from, to)),
            ),
            Kind::Grasshopper => {
                for (dq, dr) in AROUND {
                    let on_the_line = |n: i32| (from.0 + n * dq, from.1 + n * dr);
                    let first_empty = (1..)
                        .find(|&n| self.height(on_the_line(n)) == 0)
                        .expect("a hive is finite");
                    if first_empty > 1 {
                        ends.insert(on_the_line(first_empty));
                    }
                }
            }
            Kind::Ladybug => {
                for first in neighbours(from) {
                    for second in neighbours(first) {
                        for third in neighbours(second) {
                            let on_top = self.height(first) > 0 && self.height(second) > 0;
                            if on_top
                                && self.height(third) == 0
                                && self.can_step(from, first)
                                && self.can_step(first, second)
                                && self.can_step(second, third)
                            {
                                ends.insert(third);
                            }
                        }
                    }
                }
            }
            Kind::Mosquito => {}
        }
        ends.remove(&from);
        ends
    }

    /// The kinds whose power a piece on top of its stack has.
    fn kinds_of(&self, piece: Piece, cell: Hex) -> HashSet<Kind> {
        match piece.kind() {
            Kind::Mosquito if self.height(cell) > 1 => HashSet::from([Kind::Beetle]),
            Kind::Mosquito => neighbours(cell)
                .into_iter()
                .filter_map(|next| self.top(next))
                .map(Piece::kind)
                .filter(|&kind| kind != Kind::Mosquito)
                .collect(),
            kind => HashSet::from([kind]),
        }
    }

    /// Where the mover may put a piece that is on the board.
    fn board_moves(&self, piece: Piece) -> BTreeSet<Hex> {
        let mut ends = BTreeSet::new();
        let Some((from, _)) = self.find(piece) else {
            return ends;
        };
        let free = self.queen_is_down(self.mover)
            && self.top(from) == Some(piece)
            && self.stunned != Some(piece);
        let rest = self.without_top(from);
        if !free || !rest.is_one_hive() {
            return ends;
        }
        if piece.owner() == self.mover {
            for kind in self.kinds_of(piece, from) {
                ends.extend(rest.walks(kind, from));
            }
        }
        if self.height(from) == 1 {
            for thrower in neighbours(from) {
                if self.can_throw(thrower) && rest.can_step(from, thrower) {
                    ends.extend(
                        neighbours(thrower)
                            .into_iter()
                            .filter(|&to| self.height(to) == 0 && rest.can_step(thrower, to)),
                    );
                }
            }
        }
        ends
    }

    /// Whether a pillbug of the mover, or a mosquito beside one, throws from a cell.
    fn can_throw(&self, cell: Hex) -> bool {
        self.top(cell).is_some_and(|piece| {
            piece.owner() == self.mover
                && matches!(piece.kind(), Kind::Pillbug | Kind::Mosquito)
                && self.height(cell) == 1
                && self.stunned != Some(piece)
                && self.kinds_of(piece, cell).contains(&Kind::Pillbug)
        })
    }

    fn may_place(&self, piece: Piece, to: Hex) -> bool {
        let side = self.mover.index();
        let in_hand = self.find(piece).is_none();
        let in_order = (1..piece.number()).all(|number| {
            Piece::new(piece.owner(), piece.kind(), number)
                .is_some_and(|lower| self.find(lower).is_some())
        });
        if piece.owner() != self.mover || !in_hand || !in_order || self.height(to) > 0 {
            return false;
        }
        let is_queen = piece.kind() == Kind::Queen;
        if is_queen && self.turns[side] == 0 && self.opening == Opening::Tournament {
            return false;
        }
        if !is_queen && self.turns[side] >= 3 && !self.queen_is_down(self.mover) {
            return false;
        }
        let touching: Vec<Player> = neighbours(to)
            .into_iter()
            .filter_map(|next| self.top(next))
            .map(Piece::owner)
            .collect();
        match self.stacks.len() {
            0 => to == (0, 0),
            1 if self.turns[side] == 0 => !touching.is_empty(),
            _ => !touching.is_empty() && touching.iter().all(|&owner| owner == self.mover),
        }
    }

    /// Every legal move; none when the game is over.
    pub fn legal_moves(&self) -> Vec<Move> {
        if self.winner().is_some() {
            return Vec::new();
        }
        let mut cells: BTreeSet<Hex> = self.stacks.keys().copied().collect();
        cells.extend(self.stacks.keys().flat_map(|&cell| neighbours(cell)));
        cells.insert((0, 0));
        let mut moves = Vec::new();
        for &piece in &self.pieces {
            let placements = cells.iter().filter(|&&to| self.may_place(piece, to));
            moves.extend(placements.map(|&to| Some((piece, to))));
            moves.extend(
                self.board_moves(piece)
                    .into_iter()
                    .map(|to| Some((piece, to))),
            );
        }
        if moves.is_empty() {
            moves.push(None);
        }
        moves
    }

    pub fn play(&mut self, played: Move) {
        self.stunned = None;
        if let Some((piece, to)) = played {
            if let Some((from, _)) = self.find(piece) {
                self.stacks = self.without_top(from).stacks;
                self.stunned = Some(piece);
            }
            self.stacks.entry(to).or_default().push(piece);
        }
        self.turns[self.mover.index()] += 1;
        self.mover = self.mover.opponent();
        self.history.push(self.snapshot());
    }

    fn snapshot(&self) -> Snapshot {
        let west = self.stacks.keys().map(|cell| cell.0).min().unwrap_or(0);
        let north = self.stacks.keys().map(|cell| cell.1).min().unwrap_or(0);
        let has_pillbug = self
            .pieces
            .iter()
            .any(|piece| piece.kind() == Kind::Pillbug);
        let mut facts: Vec<_> = self
            .stacks
            .iter()
            .flat_map(|(&(q, r), stack)| {
                stack.iter().enumerate().map(move |(level, &piece)| {
                    let is_stunned = has_pillbug && self.stunned == Some(piece);
                    let cell = (q - west, r - north);
                    (cell, level, piece.owner(), piece.kind(), is_stunned)
                })
            })
            .collect();
        facts.sort_unstable();
        (self.mover, facts)
    }

    pub fn n_occurrences(&self) -> usize {
        let now = self.snapshot();
        self.history.iter().filter(|&past| *past == now).count()
    }

    /// `None` while the game goes on, then the winner, if there is one.
    pub fn winner(&self) -> Option<Option<Player>> {
        let is_surrounded = |player| {
            self.find(Piece::queen(player)).is_some_and(|(cell, _)| {
                neighbours(cell)
                    .into_iter()
                    .all(|next| self.height(next) > 0)
            })
        };
        match (is_surrounded(Player::First), is_surrounded(Player::Second)) {
            (true, true) => Some(None),
            (true, false) => Some(Some(Player::Second)),
            (false, true) => Some(Some(Player::First)),
            (false, false) => (self.n_occurrences() >= 3).then_some(None),
        }
    }
}
