//! Finding the reason why an action is illegal.
//!
//! Only asked about illegal actions: what is legal is decided by the moves that are generated.

use super::Illegal;
use crate::hive::board::action::{Action, N_ACTIONS};
use crate::hive::board::cell::{Cell, Direction, SIDE};
use crate::hive::board::piece::{Kind, Piece};
use crate::hive::config::{Hive, Opening};
use crate::hive::movement::pins::Pins;
use crate::hive::movement::walks::touched_kinds;
use crate::hive::state::State;
use crate::{ActionId, Game};

/// A side's pieces on the board before its fourth turn, if its queen is not among them.
const TURNS_WITHOUT_QUEEN: usize = 3;

/// Why an illegal action is illegal.
pub(crate) fn refusal(game: &Hive, state: &State, action: ActionId) -> Illegal {
    if game.is_over(state) {
        return Illegal::GameOver;
    }
    match Action::from_id(action) {
        None => Illegal::NoSuchAction {
            id: action,
            last: ActionId::from(N_ACTIONS - 1),
        },
        Some(Action::Pass) => Illegal::PassWithMoves,
        Some(Action::Put(piece, _)) if !game.has(piece) => Illegal::NotInGame { piece },
        Some(Action::Put(piece, to)) => match state.cell_of(piece) {
            None => placement(game, state, piece, to),
            Some(from) => Attempt {
                state,
                piece,
                from,
                to,
            }
            .refusal(),
        },
    }
}

fn placement(game: &Hive, state: &State, piece: Piece, to: Cell) -> Illegal {
    let mover = state.to_move();
    if piece.owner() != mover {
        return Illegal::NotYours { piece };
    }
    let in_hand = |piece: &Piece| state.cell_of(*piece).is_none();
    let next = Piece::of(mover).find(|other| other.kind() == piece.kind() && in_hand(other));
    if let Some(next) = next.filter(|&next| next != piece) {
        return Illegal::OutOfOrder { piece, next };
    }
    let queen = Piece::queen(mover);
    let n_down = Piece::of(mover).filter(|piece| !in_hand(piece)).count();
    if piece == queen && n_down == 0 && game.opening == Opening::Tournament {
        return Illegal::QueenOnFirstTurn { queen };
    }
    if piece != queen && in_hand(&queen) && n_down >= TURNS_WITHOUT_QUEEN {
        return Illegal::QueenMustBePlaced { queen, piece };
    }
    if state.n_plies() == 0 {
        return Illegal::FirstNotOnOrigin { piece };
    }
    if let Some(occupant) = state.top(to) {
        return Illegal::Occupied { piece, occupant };
    }
    let mut touched = to
        .neighbours()
        .into_iter()
        .filter_map(|next| state.top(next));
    match touched.find(|top| top.owner() != mover) {
        Some(enemy) if state.n_plies() > 1 => Illegal::TouchesEnemy { piece, enemy },
        _ => Illegal::NotConnected {
            piece,
            from_hand: true,
        },
    }
}

/// A piece on the board that is to go to a cell.
#[derive(Clone, Copy)]
struct Attempt<'a> {
    state: &'a State,
    piece: Piece,
    from: Cell,
    to: Cell,
}

impl Attempt<'_> {
    fn refusal(self) -> Illegal {
        let Attempt {
            state,
            piece,
            from,
            to,
        } = self;
        let mover = state.to_move();
        let is_own = piece.owner() == mover;
        let throwers = [Kind::Pillbug, Kind::Mosquito]
            .map(|kind| Piece::single(mover, kind))
            .into_iter()
            .filter(|&thrower| state.cell_of(thrower).is_some());
        if !is_own && throwers.clone().next().is_none() {
            return Illegal::NotYours { piece };
        }
        if !state.queen_is_down() {
            let queen = Piece::queen(mover);
            return Illegal::QueenNotPlaced { piece, queen };
        }
        if let Some(covered) = self.covered(piece) {
            return covered;
        }
        if state.stunned() == Some(piece) {
            return if is_own {
                Illegal::Stunned { piece }
            } else {
                Illegal::TargetMovedLast { piece }
            };
        }
        let mut pins = Pins::UNKNOWN;
        if state.level(piece) == 0 && pins.splits(&state.board, from) {
            return Illegal::WouldSplit { piece };
        }
        if from == to {
            return Illegal::AlreadyThere { piece };
        }
        let thrown = throwers
            .filter(|&thrower| self.touches_both(thrower))
            .map(|thrower| self.throw(thrower))
            .next();
        match thrown {
            // What keeps an own piece from walking is of no interest if it could almost be
            // thrown, and the other way round.
            Some(gate @ Illegal::GateBlocks { .. }) => gate,
            Some(reason) if !is_own => reason,
            None if !is_own => Illegal::NoPillbugReaches { piece },
            _ => self.walk(piece.kind()),
        }
    }

    fn covered(self, piece: Piece) -> Option<Illegal> {
        let top = self.state.top(self.state.cell_of(piece)?)?;
        (top != piece).then_some(Illegal::Covered { piece, top })
    }

    fn touches_both(self, thrower: Piece) -> bool {
        self.state.cell_of(thrower).is_some_and(|via| {
            via.direction_to(self.from).is_some() && via.direction_to(self.to).is_some()
        })
    }

    /// Why a thrower that touches both cells does not throw the piece.
    fn throw(self, thrower: Piece) -> Illegal {
        let Attempt { state, piece, .. } = self;
        if let Some(covered) = self.covered(thrower) {
            return covered;
        }
        if state.stunned() == Some(thrower) {
            return Illegal::Stunned { piece: thrower };
        }
        if thrower.kind() == Kind::Mosquito
            && let Some(reason) = self.powerless(thrower)
        {
            return reason;
        }
        if let Some(under) = state.board.under(piece) {
            return Illegal::TargetStacked { piece, under };
        }
        if let Some(occupant) = state.top(self.to) {
            return Illegal::Occupied { piece, occupant };
        }
        let legs = state
            .cell_of(thrower)
            .map(|via| [self.step(self.from, 0, via), self.step(via, 1, self.to)]);
        let gate = |reason: &Illegal| matches!(reason, Illegal::GateBlocks { .. });
        legs.into_iter()
            .flatten()
            .find(gate)
            .unwrap_or(Illegal::NoPillbugReaches { piece })
    }

    /// Why a mosquito has not the power of the pillbug.
    fn powerless(self, mosquito: Piece) -> Option<Illegal> {
        let piece = mosquito;
        let cell = self.state.cell_of(mosquito)?;
        let kinds = touched_kinds(&self.state.board, cell);
        if self.state.level(mosquito) > 0 {
            Some(Illegal::NoNeighbourCan { piece })
        } else if kinds & !(1 << Kind::Mosquito as u8) == 0 {
            Some(Illegal::OnlyMosquitoes { piece })
        } else {
            (kinds & 1 << Kind::Pillbug as u8 == 0).then_some(Illegal::NoNeighbourCan { piece })
        }
    }

    /// Why the piece does not walk there by the power of a kind.
    fn walk(self, kind: Kind) -> Illegal {
        let Attempt {
            state, piece, to, ..
        } = self;
        let level = state.level(piece);
        let is_adjacent = self.from.direction_to(to).is_some();
        match (kind, state.top(to)) {
            (Kind::Mosquito, _) if level > 0 => self.walk(Kind::Beetle),
            (Kind::Mosquito, _) => {
                let kinds = touched_kinds(&state.board, self.from);
                if kinds == 1 << Kind::Mosquito as u8 {
                    Illegal::OnlyMosquitoes { piece }
                } else {
                    Illegal::NoNeighbourCan { piece }
                }
            }
            (Kind::Queen | Kind::Pillbug | Kind::Beetle, _) if !is_adjacent => {
                Illegal::NotAdjacent { piece }
            }
            (Kind::Beetle, _) => self.step(self.from, level, to),
            (_, Some(occupant)) => Illegal::Occupied { piece, occupant },
            (Kind::Queen | Kind::Pillbug, None) => self.step(self.from, level, to),
            (Kind::Spider, None) => Illegal::NotThreeSteps { piece },
            (Kind::Ant, None) => Illegal::NoPath { piece },
            (Kind::Ladybug, None) => Illegal::NoPathOverHive { piece },
            (Kind::Grasshopper, None) => self.jump(),
        }
    }

    /// Why the piece, standing on `height` others, does not step between adjacent cells, if it
    /// does not: at a gate, or else because it loses touch with the hive.
    fn step(self, from: Cell, height: usize, to: Cell) -> Illegal {
        let Attempt { state, piece, .. } = self;
        let lost = Illegal::NotConnected {
            piece,
            from_hand: false,
        };
        let Some(direction) = from.direction_to(to) else {
            return lost;
        };
        let height_at = |cell: Cell| state.height(cell) - usize::from(cell == self.from);
        let way = height.max(height_at(to));
        let sides = [1, 5].map(|turn| from.neighbour(direction.turned(turn)));
        match sides.map(|side| state.top(side)) {
            [Some(left), Some(right)] if sides.iter().all(|&side| height_at(side) > way) => {
                Illegal::GateBlocks {
                    piece,
                    gate: [left, right],
                }
            }
            _ => lost,
        }
    }

    /// Why a grasshopper does not jump to an empty cell.
    fn jump(self) -> Illegal {
        let piece = self.piece;
        // Of two ways round the torus the shorter is the one meant.
        let aimed = Direction::ALL
            .into_iter()
            .filter_map(|direction| {
                let distance = line(self.from, direction).position(|cell| cell == self.to)?;
                Some((distance, direction))
            })
            .min_by_key(|&(distance, _)| distance);
        let Some((_, direction)) = aimed else {
            return Illegal::NotStraight { piece };
        };
        let n_jumped = line(self.from, direction)
            .take_while(|&cell| self.state.is_occupied(cell))
            .count();
        Illegal::GapInLine { piece, n_jumped }
    }
}

/// The cells in a direction, once round the torus.
fn line(from: Cell, direction: Direction) -> impl Iterator<Item = Cell> {
    std::iter::successors(Some(from.neighbour(direction)), move |cell| {
        Some(cell.neighbour(direction))
    })
    .take(SIDE - 1)
}
