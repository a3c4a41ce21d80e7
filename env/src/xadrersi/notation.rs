//! Text forms of actions and positions.

use super::board::bitboard::{Bitboard, DARK, is_connected, neighbours, squares};
use super::board::square::Square;
use super::config::Xadrersi;
use super::drawing::letter;
use super::pieces::kind::{Kind, N_KINDS};
use super::pieces::placements::parts;
use super::state::{N_PLIES, State};
use crate::{ActionId, Notation, NotationError, Player};

/// What the players are called.
pub(super) const SIDES: [&str; 2] = ["White", "Black"];

/// The pieces in a placement such as `8/8/3q4/3K4/8/8/8/8`: the squares of each kind, and those of
/// Black. `None` if the text has another form.
fn read_placement(text: &str) -> Option<([Bitboard; N_KINDS], Bitboard)> {
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != 8 {
        return None;
    }
    let (mut kinds, mut second) = ([0; N_KINDS], 0);
    for (rank, marks) in (0..8).rev().zip(ranks) {
        let (mut file, mut after_a_gap) = (0, false);
        for mark in marks.chars() {
            match mark.to_digit(10) {
                // Two numbers in a row would be another text of the same rank.
                Some(gap) if (1..=8).contains(&gap) && !after_a_gap => file += gap,
                Some(_) => return None,
                None => {
                    let kind = Kind::from_letter(mark)?;
                    if file > 7 {
                        return None;
                    }
                    let bit = 1 << (rank * 8 + file);
                    kinds[kind.index()] |= bit;
                    second |= if mark.is_ascii_lowercase() { bit } else { 0 };
                    file += 1;
                }
            }
            after_a_gap = mark.is_ascii_digit();
        }
        if file != 8 {
            return None;
        }
    }
    Some((kinds, second))
}

/// What must hold of the pieces and does not.
fn contradiction(
    kinds: [Bitboard; N_KINDS],
    second: Bitboard,
    anchor: Option<Square>,
) -> Option<&'static str> {
    let occupied = kinds.iter().fold(0, |all, set| all | set);
    let sides = [occupied & !second, second];
    let count = |set: Bitboard| set.count_ones() as u8;
    let n_pieces = count(occupied);
    let [n_first, n_second] = sides.map(count);
    let of = |kind: Kind, player: usize| kinds[kind.index()] & sides[player];
    let mover = usize::from(n_pieces % 2 == 1);
    // Whether the pieces but those of the set can have been placed one beside the other.
    let holds_without = |set: Bitboard| is_connected(occupied & !set);
    let may_be_last_of_white =
        |set: Bitboard| squares(set & sides[0] & !kinds[Kind::King.index()]).collect::<Vec<_>>();

    if Kind::ALL.into_iter().any(|kind| {
        [0, 1]
            .iter()
            .any(|&player| count(of(kind, player)) > kind.stock())
    }) {
        Some("at most a king, a queen, two rooks, two bishops and two knights a side")
    } else if n_first != n_second && n_first != n_second + 1 {
        Some("as many pieces of White as of Black, or one more")
    } else if (of(Kind::King, 0) == 0) != (n_pieces == 0) {
        Some("White's king before all other pieces")
    } else if (of(Kind::King, 1) == 0) != (n_pieces < N_PLIES) {
        Some("Black's king after all other pieces")
    } else if sides.iter().any(|side| {
        let bishops = kinds[Kind::Bishop.index()] & side;
        count(bishops & DARK) > 1 || count(bishops & !DARK) > 1
    }) {
        Some("the two bishops of a side on squares of different colours")
    } else if of(Kind::Queen, mover) != 0 && of(Kind::Queen, 1 - mover) == 0 {
        Some("a queen of both players, or that of the player to move in hand")
    } else if !holds_without(0) {
        Some("pieces that touch each other")
    } else if anchor.is_some() != (n_pieces == N_PLIES - 1) {
        Some("the square of White's last piece when only Black's king is missing, else '-'")
    } else if let Some(anchor) = anchor
        && (may_be_last_of_white(anchor.bit()).is_empty()
            || !holds_without(anchor.bit())
            || neighbours(anchor.bit()) & !occupied == 0)
    {
        Some("a last piece of White that touches others and leaves a square for Black's king")
    } else if n_pieces == N_PLIES
        && !may_be_last_of_white(neighbours(of(Kind::King, 1)))
            .iter()
            .any(|last| holds_without(of(Kind::King, 1) | last.bit()))
    {
        Some("Black's king beside a piece that White can have placed last")
    } else {
        None
    }
}

impl Notation for Xadrersi {
    fn side(&self, player: Player) -> &'static str {
        SIDES[player.index()]
    }

    fn action_text(&self, _state: &State, action: ActionId) -> String {
        let (kind, square) = parts(action);
        format!("{}{square}", kind.letter())
    }

    fn parse_action(&self, _state: &State, text: &str) -> Result<ActionId, NotationError> {
        let read = || {
            let mut rest = text.trim().chars();
            let kind = Kind::from_letter(rest.next()?)?;
            let square = Square::parse(rest.as_str())?;
            Some(ActionId::from(kind.index() * 64 + square.index()))
        };
        read().ok_or_else(|| NotationError::Action {
            expected: "a piece (K, Q, R, B or N) and a square (a1 to h8), such as Qd4".to_owned(),
            got: text.to_owned(),
        })
    }

    fn state_text(&self, state: &State) -> String {
        let mut text = String::new();
        for rank in (0..8).rev() {
            let mut gap = 0;
            for file in 0..8 {
                match state.piece(Square(rank * 8 + file)) {
                    None => gap += 1,
                    Some((player, kind)) => {
                        if gap > 0 {
                            text.push_str(&gap.to_string());
                        }
                        text.push(letter(player, kind));
                        gap = 0;
                    }
                }
            }
            if gap > 0 {
                text.push_str(&gap.to_string());
            }
            text.push(if rank > 0 { '/' } else { ':' });
        }
        match state.anchor {
            Some(square) => text + &square.to_string(),
            None => text + "-",
        }
    }

    /// Positions that no order of placing can reach are refused where the pieces show it at a
    /// glance: counts, kings, bishops, queens, pieces that touch nothing, and the last two plies.
    fn parse_state(&self, text: &str) -> Result<State, NotationError> {
        let wrong = |expected: &str| NotationError::State {
            expected: expected.to_owned(),
            got: text.to_owned(),
        };
        let form = "PLACEMENT:LAST, such as 8/8/8/3q4/3K4/8/8/8:- (ranks 8 to 1, White's pieces \
                    KQRBN, Black's kqrbn, numbers for empty squares)";
        let (placement, anchor) = text.trim().split_once(':').ok_or_else(|| wrong(form))?;
        let (kinds, second) = read_placement(placement).ok_or_else(|| wrong(form))?;
        let anchor = match anchor {
            "-" => None,
            square => Some(Square::parse(square).ok_or_else(|| wrong(form))?),
        };
        match contradiction(kinds, second, anchor) {
            Some(expected) => Err(wrong(expected)),
            None => Ok(State::from_parts(kinds, second, anchor)),
        }
    }

    fn draw(&self, state: &State) -> String {
        self.drawing(state)
    }

    fn remarks(&self, state: &State) -> Vec<String> {
        self.remarks_of(state)
    }
}
