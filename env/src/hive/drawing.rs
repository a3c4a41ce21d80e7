//! The hive as people draw it, and what to look at.

use super::board::action::Action;
use super::board::cell::Cell;
use super::board::frame::Frame;
use super::board::piece::{Kind, Piece};
use super::config::Hive;
use super::movement::stuck::{Stuck, moves, why_stuck};
use super::notation::SIDES;
use super::state::State;
use crate::{Game, Notation, Player};
use std::fmt::Write;

/// Characters from one hex to the next.
const PITCH: i32 = 6;

impl Hive {
    /// See [the module of the game](super).
    pub(super) fn drawing(&self, state: &State) -> String {
        let mut text = draw_hexes(state);
        text.push('\n');
        // Writing to a string does not fail.
        let _ = draw_stacks(state, &mut text);
        for player in Player::BOTH {
            let _ = writeln!(
                text,
                "{} in hand: {}",
                self.side(player),
                self.hand_text(state, player)
            );
        }
        let turn = state.n_plies() / 2 + 1;
        let _ = match self.outcome(state).map(|outcome| outcome.winner) {
            None => writeln!(text, "Turn {turn}, {} to move", self.side(state.to_move())),
            Some(None) => writeln!(text, "Turn {turn}: draw"),
            Some(Some(winner)) => writeln!(text, "Turn {turn}: {} has won", self.side(winner)),
        };
        text
    }

    /// How free the queens are, how near a draw by repetition is, and what the player to move
    /// cannot do.
    pub(super) fn remarks_of(&self, state: &State) -> Vec<String> {
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
        let mover = self.side(state.to_move());
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

fn queen_remark(state: &State, player: Player) -> Option<String> {
    let cell = state.cell_of(Piece::queen(player))?;
    let neighbours = cell.neighbours().into_iter();
    let n_free = neighbours.filter(|&next| !state.is_occupied(next)).count();
    let side = SIDES[player.index()];
    Some(match n_free {
        0 => format!("{side}'s queen is surrounded"),
        n => format!("{side}'s queen has {n} of 6 neighbours free"),
    })
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
    let frame = Frame::of(&state.board);
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
    use crate::hive::N_CELLS;

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
