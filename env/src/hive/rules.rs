//! The rules: which actions are legal, what they do and how a game ends.

use super::action::{Action, N_ACTIONS};
use super::cell::{Cell, Direction};
use super::cell_set::CellSet;
use super::config::{Hive, Opening};
use super::illegal::Illegal;
use super::piece::{Kind, N_PIECES_A_SIDE, Piece};
use super::pins::splits;
use super::state::State;
use super::throws;
use super::walks::add_walks;
use crate::{ActionId, Game, Outcome, Player};
use serde::{Serialize, Serializer};
use std::fmt;

/// Where a piece came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    /// A piece came from the hand.
    Placed(Piece),
    /// A piece of the player went to another cell, by its own power or by a throw.
    Moved(Piece),
    /// A piece of the opponent was thrown.
    Thrown(Piece),
    /// Nothing else was legal.
    Passed,
}

/// What an action did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Played {
    /// What became of which piece.
    #[serde(serialize_with = "as_text")]
    pub deed: Deed,
    /// How the game ended, if it did.
    pub outcome: Option<Outcome>,
}

fn as_text<S: Serializer>(deed: &Deed, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(deed)
}

impl fmt::Display for Deed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Deed::Placed(piece) => write!(f, "{piece} placed"),
            Deed::Moved(piece) => write!(f, "{piece} moved"),
            Deed::Thrown(piece) => write!(f, "{piece} thrown"),
            Deed::Passed => f.write_str("passed"),
        }
    }
}

impl fmt::Display for Played {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.deed)?;
        match self.outcome.map(|outcome| outcome.winner) {
            None => Ok(()),
            Some(None) => f.write_str(", the game is drawn"),
            Some(Some(player)) => write!(f, ", player {player} wins"),
        }
    }
}

impl Hive {
    /// Visits each piece that can be put somewhere, ascending, with its destinations. A pass is
    /// not among them.
    fn visit_moves(&self, state: &State, mut visit: impl FnMut(Piece, &CellSet)) {
        if self.is_over(state) {
            return;
        }
        let placements = placement_cells(state);
        for piece in Piece::all() {
            if state.cell_of(piece).is_some() {
                let mut to = CellSet::EMPTY;
                add_board_moves(state, piece, &mut to);
                visit(piece, &to);
            } else if self.may_come_from_hand(state, piece) {
                visit(piece, &placements);
            }
        }
    }

    /// Whether a piece in hand is one that the player to move may place now, given a cell for it.
    fn may_come_from_hand(&self, state: &State, piece: Piece) -> bool {
        let mover = state.to_move();
        if !self.has(piece) || piece.owner() != mover {
            return false;
        }
        let is_queen = piece.kind() == Kind::Queen;
        let in_order = piece.number() == 1
            || state
                .cell_of(Piece::from_index(piece.index() - 1))
                .is_some();
        let n_placed = Piece::of(mover)
            .filter(|&piece| state.cell_of(piece).is_some())
            .count();
        let queen_is_down = state.cell_of(Piece::queen(mover)).is_some();
        in_order
            && if is_queen {
                n_placed > 0 || self.opening == Opening::Free
            } else {
                queen_is_down || n_placed < 3
            }
    }
}

/// The cells on which the player to move may place a piece.
fn placement_cells(state: &State) -> CellSet {
    let mut cells = CellSet::EMPTY;
    match state.n_plies() {
        0 => cells.insert(Cell::ORIGIN),
        1 => Cell::ORIGIN
            .neighbours()
            .into_iter()
            .for_each(|cell| cells.insert(cell)),
        _ => {
            let touches = |cell: Cell, player: Player| {
                cell.neighbours()
                    .into_iter()
                    .any(|next| state.top(next).is_some_and(|top| top.owner() == player))
            };
            for piece in Piece::of(state.to_move()) {
                let Some(cell) = state.cell_of(piece) else {
                    continue;
                };
                for next in cell.neighbours() {
                    if !state.is_occupied(next)
                        && touches(next, state.to_move())
                        && !touches(next, state.to_move().opponent())
                    {
                        cells.insert(next);
                    }
                }
            }
        }
    }
    cells
}

/// Adds the cells to which the player to move may put a piece that is on the board: his own
/// pieces walk, and his pillbug throws.
fn add_board_moves(state: &State, piece: Piece, to: &mut CellSet) {
    let Some(from) = state.cell_of(piece) else {
        return;
    };
    let queen_is_down = state.cell_of(Piece::queen(state.to_move())).is_some();
    let free = state.top(from) == Some(piece)
        && state.stunned() != Some(piece)
        && queen_is_down
        && (state.level(piece) > 0 || !splits(state, from));
    if !free {
        return;
    }
    if piece.owner() == state.to_move() {
        add_walks(state, piece, from, to);
    }
    for thrower in throws::throwers(state) {
        if throws::targets(state, thrower).any(|target| target == piece) {
            throws::exits(state, thrower).for_each(|cell| to.insert(cell));
        }
    }
}

/// Whether all six cells around a player's queen are occupied.
fn is_surrounded(state: &State, player: Player) -> bool {
    state.cell_of(Piece::queen(player)).is_some_and(|cell| {
        Direction::ALL
            .into_iter()
            .all(|direction| state.is_occupied(cell.neighbour(direction)))
    })
}

impl Game for Hive {
    type State = State;
    type Played = Played;
    type Illegal = Illegal;

    const RULES_VERSION: u32 = 1;

    fn spec(&self) -> String {
        let opening = match self.opening {
            Opening::Tournament => "",
            Opening::Free => ",opening=free",
        };
        format!("hive:{}{opening}", self.game_type().to_ascii_lowercase())
    }

    fn n_actions(&self) -> usize {
        N_ACTIONS
    }

    fn max_plies(&self) -> Option<usize> {
        None
    }

    fn max_legal_actions(&self) -> usize {
        // Pieces land on the hive or beside it. A hive of n cells touches at most 2n + 4 empty
        // ones: the first has 6 neighbours, and each further cell takes one and adds three at
        // most. So each of the mover's pieces has at most the 2 * 27 + 4 cells beside the other
        // 27, and the 6 stacks around it; and two throwers throw 6 neighbours to 6 cells.
        N_PIECES_A_SIDE * (2 * 27 + 4 + 6) + 2 * 6 * 6
    }

    fn initial(&self) -> State {
        State::empty()
    }

    #[inline]
    fn player_to_move(&self, state: &State) -> Player {
        state.to_move()
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        let lost = Player::BOTH.map(|player| is_surrounded(state, player));
        match lost {
            [true, true] => Some(Outcome::won_by(None)),
            [true, false] => Some(Outcome::won_by(Some(Player::Second))),
            [false, true] => Some(Outcome::won_by(Some(Player::First))),
            [false, false] => (state.n_occurrences() >= 3).then(|| Outcome::won_by(None)),
        }
    }

    fn legal_actions(&self, state: &State, out: &mut Vec<ActionId>) {
        out.clear();
        self.visit_moves(state, |piece, to| {
            out.extend(to.iter().map(|cell| Action::Put(piece, cell).id()));
        });
        if out.is_empty() && !self.is_over(state) {
            out.push(Action::Pass.id());
        }
    }

    fn legality(&self, state: &State, action: ActionId) -> Result<(), Illegal> {
        let mut legal = Vec::new();
        self.legal_actions(state, &mut legal);
        if legal.binary_search(&action).is_ok() {
            Ok(())
        } else if self.is_over(state) {
            Err(Illegal::GameOver)
        } else {
            Err(Illegal::NotLegal)
        }
    }

    fn play(&self, state: &mut State, action: ActionId) -> Result<Played, Illegal> {
        self.legality(state, action)?;
        let deed = match Action::from_id(action) {
            None | Some(Action::Pass) => Deed::Passed,
            Some(Action::Put(piece, _)) if state.cell_of(piece).is_none() => Deed::Placed(piece),
            Some(Action::Put(piece, _)) if piece.owner() == state.to_move() => Deed::Moved(piece),
            Some(Action::Put(piece, _)) => Deed::Thrown(piece),
        };
        self.play_unchecked(state, action);
        Ok(Played {
            deed,
            outcome: self.outcome(state),
        })
    }

    fn play_unchecked(&self, state: &mut State, action: ActionId) {
        if let Some(action) = Action::from_id(action) {
            state.apply(action);
        }
    }

    #[inline]
    fn hash(&self, state: &State) -> u64 {
        state.key()
    }
}
