//! What a player at the board would ask next.

use super::action::Action;
use super::config::Hive;
use super::drawing::side_name;
use super::piece::Piece;
use super::pins::Pins;
use super::state::State;
use crate::{ActionId, Game, Player};

/// Why a piece on the board does not move.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Stuck {
    Covered,
    Stunned,
    Pinned,
    Hemmed,
}

impl Stuck {
    const ALL: [Stuck; 4] = [Stuck::Covered, Stuck::Stunned, Stuck::Pinned, Stuck::Hemmed];

    pub(super) fn text(self) -> &'static str {
        match self {
            Stuck::Covered => "under another piece",
            Stuck::Stunned => "has just been moved by the opponent",
            Stuck::Pinned => "the hive would split",
            Stuck::Hemmed => "no way to go",
        }
    }
}

impl Hive {
    /// How free the queens are, how near a draw by repetition is, and what the player to move
    /// cannot do.
    pub(super) fn remarks_on(&self, state: &State) -> Vec<String> {
        let mut remarks: Vec<String> = Player::BOTH
            .into_iter()
            .filter_map(|player| queen_remark(state, player))
            .collect();
        if self.is_over(state) {
            return remarks;
        }
        if state.n_occurrences() > 1 {
            remarks.push("This position has occurred twice: a third time is a draw".to_owned());
        }
        let mover = side_name(state.to_move());
        let mut legal = Vec::new();
        self.legal_actions(state, &mut legal);
        if legal == [Action::Pass.id()] {
            remarks.push(format!("{mover} can do nothing but pass"));
        }
        if !state.queen_is_down() {
            if state.n_plies() > 1 {
                remarks.push(format!("{mover} moves nothing before the queen is placed"));
            }
            return remarks;
        }
        let stuck: Vec<(Piece, Stuck)> = Piece::of(state.to_move())
            .filter(|&piece| state.cell_of(piece).is_some() && !moves(piece, &legal))
            .map(|piece| (piece, why_stuck(state, piece)))
            .collect();
        remarks.extend(Stuck::ALL.into_iter().filter_map(|reason| {
            let pieces: Vec<String> = stuck
                .iter()
                .filter(|(_, why)| *why == reason)
                .map(|(piece, _)| piece.to_string())
                .collect();
            let text = reason.text();
            (!pieces.is_empty()).then(|| format!("Stuck: {} ({text})", pieces.join(" ")))
        }));
        remarks
    }

    /// Why a piece on the board does not move, where that is not for lack of a turn or of the queen:
    /// `legal` are the legal actions.
    pub(super) fn stuck(&self, state: &State, piece: Piece, legal: &[ActionId]) -> Option<Stuck> {
        let is_own = piece.owner() == state.to_move();
        let stuck = why_stuck(state, piece);
        match stuck {
            Stuck::Hemmed => {
                (is_own && state.queen_is_down() && !moves(piece, legal)).then_some(stuck)
            }
            // A pinned or stunned piece may still throw, and that moves another.
            _ => Some(stuck),
        }
    }
}

/// Whether one of these actions moves the piece.
fn moves(piece: Piece, legal: &[ActionId]) -> bool {
    let moves = |&id| matches!(Action::from_id(id), Some(Action::Put(moved, _)) if moved == piece);
    legal.iter().any(moves)
}

fn queen_remark(state: &State, player: Player) -> Option<String> {
    let cell = state.cell_of(Piece::queen(player))?;
    let neighbours = cell.neighbours().into_iter();
    let n_free = neighbours.filter(|&next| !state.is_occupied(next)).count();
    let side = side_name(player);
    Some(match n_free {
        0 => format!("{side}'s queen is surrounded"),
        n => format!("{side}'s queen has {n} of 6 neighbours free"),
    })
}

/// Why a piece on the board without a legal move has none.
fn why_stuck(state: &State, piece: Piece) -> Stuck {
    let mut pins = Pins::UNKNOWN;
    let mut splits = |cell| state.level(piece) == 0 && pins.splits(&state.board, cell);
    if state.is_covered(piece) {
        Stuck::Covered
    } else if state.stunned() == Some(piece) {
        Stuck::Stunned
    } else if state.cell_of(piece).is_some_and(&mut splits) {
        Stuck::Pinned
    } else {
        Stuck::Hemmed
    }
}
