//! The hive as people draw it: rows of hexes, each half a hex to the right of the row above.

use super::cell::Cell;
use super::config::Hive;
use super::frame::Frame;
use super::piece::{Kind, Piece};
use super::state::State;
use crate::{Game, Player};
use std::fmt::Write;

/// Characters from one hex to the next.
const PITCH: i32 = 6;

impl Hive {
    /// The hexes with their top pieces and `.` where the hive ends, then what a look at the hive
    /// does not tell: the stacks, the pieces in hand, who is to move.
    pub(super) fn draw_state(&self, state: &State) -> String {
        let mut text = draw_hexes(state);
        text.push('\n');
        // Writing to a string does not fail.
        let _ = draw_stacks(state, &mut text);
        for player in Player::BOTH {
            let _ = writeln!(
                text,
                "{} in hand: {}",
                side_name(player),
                self.hand_text(state, player)
            );
        }
        let turn = state.n_plies() / 2 + 1;
        let _ = match self.outcome(state).map(|outcome| outcome.winner) {
            None => writeln!(text, "Turn {turn}, {} to move", side_name(state.to_move())),
            Some(None) => writeln!(text, "Turn {turn}: draw"),
            Some(Some(winner)) => writeln!(text, "Turn {turn}: {} has won", side_name(winner)),
        };
        text
    }

    /// `Q 2S B`, or `nothing`.
    fn hand_text(&self, state: &State, player: Player) -> String {
        let in_hand = |kind: Kind| {
            Piece::of(player)
                .filter(|&piece| piece.kind() == kind && self.has(piece))
                .filter(|&piece| state.cell_of(piece).is_none())
                .count()
        };
        let kinds: Vec<String> = Kind::ALL
            .into_iter()
            .filter_map(|kind| match in_hand(kind) {
                0 => None,
                1 => Some(kind.letter().to_string()),
                n => Some(format!("{n}{}", kind.letter())),
            })
            .collect();
        if kinds.is_empty() {
            "nothing".to_owned()
        } else {
            kinds.join(" ")
        }
    }
}

pub(super) fn side_name(player: Player) -> &'static str {
    match player {
        Player::First => "White",
        Player::Second => "Black",
    }
}

/// Six characters for a hex: `*` if its top piece is stunned, the piece, the height of a stack.
fn hex(state: &State, cell: Cell) -> Option<String> {
    if let Some(piece) = state.top(cell) {
        let stunned = if state.stunned() == Some(piece) {
            '*'
        } else {
            ' '
        };
        let height = match state.height(cell) {
            1 => String::new(),
            n => format!("^{n}"),
        };
        return Some(format!("{stunned}{:<5}", format!("{piece}{height}")));
    }
    let touches = cell
        .neighbours()
        .into_iter()
        .any(|next| state.is_occupied(next));
    (touches || state.n_plies() == 0 && cell == Cell::ORIGIN).then(|| "  .   ".to_owned())
}

fn draw_hexes(state: &State) -> String {
    let frame = Frame::of(state);
    let [columns, rows] = frame.size().map(|len| len as i32);
    let lines: Vec<String> = (-1..=rows)
        .map(|row| {
            let mut line = " ".repeat((PITCH / 2 * (row + 1)) as usize);
            for column in -1..=columns {
                match hex(state, frame.cell([column, row])) {
                    Some(hex) => line.push_str(&hex),
                    None => line.push_str(&" ".repeat(PITCH as usize)),
                }
            }
            line
        })
        .collect();
    let indent = |line: &String| line.find(|mark| mark != ' ');
    let margin = lines.iter().filter_map(indent).min().unwrap_or(0);
    let mut text = String::new();
    for line in lines.iter().filter(|line| indent(line).is_some()) {
        text.push_str("  ");
        text.push_str(line[margin..].trim_end());
        text.push('\n');
    }
    text
}

fn draw_stacks(state: &State, text: &mut String) -> std::fmt::Result {
    let tops = Piece::all().filter_map(|piece| {
        let cell = state.cell_of(piece)?;
        (state.top(cell) == Some(piece) && state.height(cell) > 1).then_some(cell)
    });
    for cell in tops {
        let mut pieces: Vec<String> = state.stack(cell).map(|piece| piece.to_string()).collect();
        pieces.reverse();
        writeln!(text, "Stack, from the bottom up: {}", pieces.join(" "))?;
    }
    if let Some(stunned) = state.stunned() {
        writeln!(text, "* {stunned} has just moved: stunned")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hive::{Action, N_CELLS};

    #[test]
    fn a_translated_hive_is_drawn_the_same_also_across_the_seam() {
        let shifted = |q, r| {
            let mut state = State::empty();
            for (piece, dq, dr) in [(0, 0, 0), (14, 1, 0), (1, -1, 1), (15, 2, -1), (3, 0, 0)] {
                let cell = Cell::new(q + dq, r + dr);
                state.apply(Action::Put(Piece::from_index(piece), cell), true);
            }
            draw_hexes(&state)
        };
        for index in 0..N_CELLS as i32 {
            assert_eq!(shifted(index % 32, index / 32), shifted(0, 0));
        }
    }
}
