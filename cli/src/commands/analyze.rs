//! `tablero analyze`.

use crate::commands::zoo;
use crate::failure::{Failure, message};
use crate::figures::percent;
use crate::player::player;
use crate::position::{PositionArgs, play_text};
use crate::table::{Table, signed};
use clap::builder::RangedU64ValueParser;
use serde_json::json;
use std::io::{BufRead, Write};
use tablero_agents::PlayerSpec;
use tablero_agents::analysis::{Analysis, Analyst, MoveAnalysis};
use tablero_env::{ForMover, Player, with_game};
use tablero_minimax::Playable;

/// Analyze a position: every move with its value, proof and line
///
/// Tree search (`mcts:sims=N`, `zoo:sims=N`, `policy:DIR,sims=N`) gives visits, priors and values; a
/// policy also gives the expected lead in points. `minimax:…` gives scores. `solver` gives exact
/// results and leads.
///
/// Values (-1 to 1), scores and leads are from the view of the player to move; a proven value is exact.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    tablero analyze dots-and-boxes:2x2 --player solver\n  \
    tablero analyze xadrersi --moves \"Kd4 Rd5\" --player minimax:level=5\n  \
    printf '\\n0\\n0 7\\n' | tablero analyze dots-and-boxes:3x3 --lines --player mcts:sims=500")]
pub struct Arguments {
    #[command(flatten)]
    question: Question,
    /// Analyze one position for every line of standard input. A line contains the moves that lead to it
    /// from the given position (a blank line means none). Prints a line of JSON for each. A line that
    /// cannot be analyzed gives {"error"}, and the exit code is 2 at the end
    #[arg(long)]
    lines: bool,
}

/// The player that analyzes, and the position.
#[derive(clap::Args, Debug)]
pub struct Question {
    #[command(flatten)]
    pub position: PositionArgs,
    /// The player that analyzes; default the bundled policy (`zoo`), or mcts:sims=2000 if there is
    /// none
    #[arg(long, value_name = "PLAYER", value_parser = player)]
    player: Option<PlayerSpec>,
    /// The seed of the search
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Show at most this many moves [default: 10 of a hint, all of an analysis]
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    top: Option<usize>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Question {
    fn analyst<G: Playable>(&self, game: &G) -> Result<Analyst<G>, Failure> {
        let player = self.player.clone();
        let player = player.unwrap_or_else(|| zoo::player_or(game, "mcts:sims=2000"));
        player.check_analyst()?;
        Ok(player.load(game)?.analyst(game)?)
    }

    /// Prints the answer: JSON if it was asked for, else the position, a summary, and a table of the best
    /// moves: `by_default` of them in the table and all in JSON, unless the arguments tell their number.
    pub fn answer<G: Playable>(
        &self,
        game: &G,
        by_default: usize,
        with_lines: bool,
    ) -> Result<(), Failure> {
        let state = self.position.resolve_unfinished(game)?;
        let mut analyst = self.analyst(game)?;
        let mut analysis = analyst.analyse(&state, self.seed)?;
        let n_moves = analysis.moves.len();
        if self.json {
            analysis.moves.truncate(self.top.unwrap_or(n_moves));
            println!("{}", serde_json::to_string(&analysis)?);
            return Ok(());
        }
        print!("{}", game.draw(&state));
        print_summary(game, &analysis);
        analysis.moves.truncate(self.top.unwrap_or(by_default));
        print_moves(&analysis.moves, with_lines);
        let n_more = n_moves - analysis.moves.len();
        if n_more > 0 {
            println!("… and {n_more} more");
        }
        Ok(())
    }
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    with_game!(arguments.question.position.game(), game => analyze(game, arguments))
}

fn analyze<G: Playable>(game: &G, arguments: &Arguments) -> Result<(), Failure> {
    let question = &arguments.question;
    if arguments.lines {
        let start = question.position.resolve(game)?;
        let mut analyst = question.analyst(game)?;
        return analyze_lines(game, &start, &mut analyst, question.seed);
    }
    question.answer(game, usize::MAX, true)
}

/// One line of JSON for every line of standard input.
fn analyze_lines<G: Playable>(
    game: &G,
    start: &G::State,
    analyst: &mut Analyst<G>,
    seed: u64,
) -> Result<(), Failure> {
    let mut n_failed = 0;
    let mut out = std::io::stdout();
    for line in std::io::stdin().lock().lines() {
        let text = match analyze_line(game, start.clone(), analyst, seed, &line?) {
            Ok(analysis) => serde_json::to_string(&analysis)?,
            Err(Failure::BadInput(error)) => {
                n_failed += 1;
                json!({ "error": message(&error) }).to_string()
            }
            Err(failed) => return Err(failed),
        };
        writeln!(out, "{text}")?;
        out.flush()?;
    }
    if n_failed > 0 {
        let message = format!("{n_failed} lines could not be analyzed");
        return Err(Failure::bad_input(message));
    }
    Ok(())
}

fn analyze_line<G: Playable>(
    game: &G,
    mut state: G::State,
    analyst: &mut Analyst<G>,
    seed: u64,
    line: &str,
) -> Result<Analysis, Failure> {
    for text in game.split_actions(&state.clone(), line) {
        play_text(game, &mut state, text)?;
    }
    if game.is_over(&state) {
        return Err(Failure::bad_input("the game is over"));
    }
    Ok(analyst.analyse(&state, seed)?)
}

/// What is known about the position as a whole.
pub fn print_summary<G: Playable>(game: &G, analysis: &Analysis) {
    println!(
        "{} to move, best {}; asked: {}",
        game.side(Player::BOTH[analysis.player]),
        analysis.text,
        analysis.by
    );
    let mut known = Vec::new();
    if let Some(ForMover([win, draw, loss])) = analysis.wdl {
        known.extend(
            [("win", win), ("draw", draw), ("loss", loss)]
                .map(|(name, share)| format!("{name} {}", percent(f64::from(share)))),
        );
    }
    known.extend(
        analysis
            .proven
            .map(|value| format!("proven: {}", result(value.0))),
    );
    known.extend(analysis.score.map(|score| format!("score {:+}", score.0)));
    known.extend(
        analysis
            .lead
            .map(|lead| format!("final lead {}", signed(f64::from(lead.0), 1))),
    );
    known.extend(analysis.depth.map(|depth| format!("depth {depth}")));
    known.push(format!("{} nodes", analysis.nodes));
    println!("{}", known.join(", "));
    println!("Line: {}", analysis.line.join(" "));
}

/// A table of moves, with the columns in which anything is known.
pub fn print_moves(moves: &[MoveAnalysis], with_lines: bool) {
    type Column = (&'static str, fn(&MoveAnalysis) -> Option<String>);
    let mut columns: Vec<Column> = vec![
        (">visits", |m| m.visits.map(|n| n.to_string())),
        (">prior", |m| m.prior.map(|share| percent(f64::from(share)))),
        (">value", |m| {
            m.value.map(|value| signed(f64::from(value.0), 3))
        }),
        ("proven", |m| {
            m.proven.map(|value| result(value.0).to_owned())
        }),
        (">score", |m| m.score.map(|score| format!("{:+}", score.0))),
        (">lead", |m| m.lead.map(|lead| signed(f64::from(lead.0), 1))),
    ];
    if with_lines {
        columns.push(("line", |m| Some(m.line.join(" "))));
    }
    columns.retain(|(_, cell)| moves.iter().any(|m| cell(m).is_some()));
    let mut titles = vec!["move"];
    titles.extend(columns.iter().map(|(title, _)| *title));
    let mut table = Table::new(&titles);
    for mv in moves {
        let mut row = vec![mv.text.clone()];
        row.extend(columns.iter().map(|(_, cell)| cell(mv).unwrap_or_default()));
        table.row(row);
    }
    table.print();
}

/// A return in words.
fn result(value: i8) -> &'static str {
    match value {
        1 => "win",
        0 => "draw",
        _ => "loss",
    }
}
