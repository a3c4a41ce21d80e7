//! Asking a person for a move.

use super::table::Table;
use crate::commands::analyze::{print_moves, print_summary};
use crate::commands::zoo;
use crate::failure::Failure;
use crate::position::play_turn_text;
use crate::quoting::quoted;
use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;
use std::fs::File;
use std::io::{BufRead, IsTerminal, Write, stdin, stdout};
use tablero_env::{ActionId, Player};
use tablero_minimax::Playable;

/// Moves that a hint shows.
const N_HINTS: usize = 5;

const HELP: &str = "\
A move, or a whole turn as a list, plays it. Else:
  moves       the legal moves                 hint        the best moves, by the trained agent
  eval        who stands better               history     the moves so far
  takeback    take your last turn back        resign      give the game up
  save FILE   write the game as a record      quit        leave; the record is printed";

/// What a person wants.
pub(super) enum Wish {
    /// Actions that were checked.
    Play(Vec<ActionId>),
    TakeBack,
    Resign,
    Quit,
}

/// The person who types, with a line editor if the input is a terminal.
pub(super) struct Person {
    editor: Option<DefaultEditor>,
}

impl Person {
    pub(super) fn new() -> Result<Person, Failure> {
        let is_terminal = stdin().is_terminal() && stdout().is_terminal();
        let editor = is_terminal.then(DefaultEditor::new).transpose();
        Ok(Person {
            editor: editor.map_err(anyhow::Error::from)?,
        })
    }

    /// Asks until the person plays a move or gives another command.
    pub(super) fn ask<G: Playable>(
        &mut self,
        table: &mut Table<'_, G>,
        mover: Player,
    ) -> Result<Wish, Failure> {
        let example = example(table.game, &table.state);
        let prompt = format!("{}, such as {example}: ", table.game.side(mover));
        loop {
            let Some(line) = self.read(&prompt)? else {
                return Ok(Wish::Quit);
            };
            let line = line.trim();
            let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
            match word {
                "" => {}
                "quit" | "exit" | "q" => return Ok(Wish::Quit),
                "undo" | "takeback" => return Ok(Wish::TakeBack),
                "resign" => return Ok(Wish::Resign),
                "help" | "?" => println!("{HELP}"),
                "moves" => print_legal(table.game, &table.state),
                "hint" | "eval" => {
                    // A game is not lost to a question.
                    if let Err(failed) = analyse(table, word == "hint") {
                        failed.report(false);
                    }
                }
                "history" => print!("{}", table.record()),
                "save" => save(table, rest.trim()),
                _ => {
                    let mut next = table.state.clone();
                    match play_turn_text(table.game, &mut next, line) {
                        Ok(turn) => {
                            let actions = turn.into_iter().map(|(action, _)| action);
                            return Ok(Wish::Play(actions.collect()));
                        }
                        Err(Failure::BadInput(error)) => {
                            println!("{error:#} (type help for the commands)")
                        }
                        Err(failed) => return Err(failed),
                    }
                }
            }
        }
    }

    /// A line; `None` at the end of the input, or if Ctrl-C or Ctrl-D is pressed.
    fn read(&mut self, prompt: &str) -> Result<Option<String>, Failure> {
        let Some(editor) = &mut self.editor else {
            print!("{prompt}");
            stdout().flush()?;
            let mut line = String::new();
            let is_end = stdin().lock().read_line(&mut line)? == 0;
            println!();
            return Ok((!is_end).then_some(line));
        };
        match editor.readline(prompt) {
            Ok(line) => {
                // A line that is not remembered can still be played.
                let _ = editor.add_history_entry(line.as_str());
                Ok(Some(line))
            }
            Err(ReadlineError::Eof | ReadlineError::Interrupted) => Ok(None),
            Err(error) => Err(Failure::Failed(error.into())),
        }
    }
}

/// A legal move, to show how moves are written.
fn example<G: Playable>(game: &G, state: &G::State) -> String {
    let mut legal = Vec::new();
    game.legal_actions(state, &mut legal);
    let first = legal.first();
    first.map_or_else(String::new, |&action| game.action_text(state, action))
}

fn print_legal<G: Playable>(game: &G, state: &G::State) {
    let mut legal: Vec<ActionId> = Vec::new();
    game.legal_actions(state, &mut legal);
    let texts = legal.iter().map(|&action| game.action_text(state, action));
    println!("{}", texts.collect::<Vec<_>>().join("  "));
    for remark in game.remarks(state) {
        println!("{remark}");
    }
}

/// Shows the best moves, or who is ahead, by the bundled policy or by rollouts.
fn analyse<G: Playable>(table: &Table<'_, G>, shows_moves: bool) -> Result<(), Failure> {
    let player = zoo::player_or(table.game, "mcts:sims=2000");
    table.screen.wait("thinking …");
    let mut analyst = player.load(table.game)?.analyst(table.game)?;
    let analysis = analyst.analyse(&table.state, table.seed)?;
    table.screen.end_wait();
    if shows_moves {
        print_moves(&analysis.moves[..N_HINTS.min(analysis.moves.len())], false);
    } else {
        print_summary(table.game, &analysis);
    }
    Ok(())
}

/// Writes the game so far to a new file.
fn save<G: Playable>(table: &Table<'_, G>, file: &str) {
    if file.is_empty() {
        return println!("expected a file: save FILE");
    }
    let record = table.record().to_string();
    let written = File::create_new(file).and_then(|mut to| to.write_all(record.as_bytes()));
    match written {
        Ok(()) => println!("saved; replay it with: tablero replay {}", quoted(file)),
        Err(error) => println!("cannot save {file}: {error}"),
    }
}
