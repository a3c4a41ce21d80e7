//! The board as people draw it, and what to look at.

use super::board::bitboard::{Bitboard, squares};
use super::board::square::Square;
use super::config::Xadrersi;
use super::pieces::kind::Kind;
use super::state::State;
use crate::{Game, Notation, Player};

/// White's pieces are capital letters, Black's small ones.
pub(super) fn letter(player: Player, kind: Kind) -> char {
    match player {
        Player::First => kind.letter(),
        Player::Second => kind.letter().to_ascii_lowercase(),
    }
}

impl Xadrersi {
    /// See [the module of the game](super).
    pub(super) fn drawing(&self, state: &State) -> String {
        let counts = self.counted_squares(state);
        let files = "     a   b   c   d   e   f   g   h\n";
        let mut text = String::from(files);
        for rank in (0..8).rev() {
            text.push_str(&format!("{}  ", rank + 1));
            for file in 0..8 {
                let square = Square(rank * 8 + file);
                let mark = match (state.piece(square), counts.map(|side| side[square.index()])) {
                    (Some((player, kind)), _) => letter(player, kind).to_string(),
                    (None, [0, 0]) => ".".to_owned(),
                    (None, [first, second]) => format!("{first}:{second}"),
                };
                text.push_str(&format!(" {mark:^3}"));
            }
            text.push_str(&format!("   {}\n", rank + 1));
        }
        text + files
    }

    /// Points, the squares that count, the pieces in hand, and what the player to move must do.
    pub(super) fn remarks_of(&self, state: &State) -> Vec<String> {
        let counts = self.counted_squares(state);
        let mut remarks = Vec::new();
        for player in Player::BOTH {
            let counted: Vec<String> = squares(Bitboard::MAX)
                .filter_map(|square| match counts[player.index()][square.index()] {
                    0 => None,
                    1 => Some(square.to_string()),
                    n => Some(format!("{square}*{n}")),
                })
                .collect();
            let points: i32 = counts[player.index()].iter().map(|&n| i32::from(n)).sum();
            remarks.push(format!(
                "{}: {points} points: {}",
                self.side(player),
                counted.join(" ")
            ));
        }
        if self.is_over(state) {
            return remarks;
        }
        for player in Player::BOTH {
            let in_hand: String = Kind::ALL
                .into_iter()
                .flat_map(|kind| {
                    let left = usize::from(state.in_hand(player, kind));
                    std::iter::repeat_n(letter(player, kind), left)
                })
                .collect();
            remarks.push(format!("{} holds {in_hand}", self.side(player)));
        }
        let mover = self.side(state.to_move());
        if state.queen_called() {
            remarks.push(format!("{mover} must answer with the queen"));
        }
        if let Some(anchor) = state.anchor {
            remarks.push(format!("Black's king must touch {anchor}"));
        }
        remarks
    }
}
