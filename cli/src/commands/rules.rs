//! `tablero rules`.

use crate::failure::Failure;
use crate::table::print_wrapped;
use tablero_env::record::{Ending, Record};
use tablero_env::{AnyGame, BoardGame, did_you_mean, games, with_game};

/// Print the rules of a game, with a drawing and an example game
#[derive(clap::Args, Debug)]
#[command(after_help = "Example:\n  tablero rules hive")]
pub struct Arguments {
    /// The game's name
    #[arg(value_name = "GAME")]
    game: String,
}

/// An example game for each game that comes with Tablero.
const EXAMPLES: [(&str, &str); 5] = [
    (
        "dots-and-boxes",
        include_str!("../../rules/dots-and-boxes.txt"),
    ),
    ("queens", include_str!("../../rules/queens.txt")),
    ("paper-soccer", include_str!("../../rules/paper-soccer.txt")),
    ("xadrersi", include_str!("../../rules/xadrersi.txt")),
    ("hive", include_str!("../../rules/hive.txt")),
];

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let (name, parameters) = match arguments.game.split_once(':') {
        Some((name, parameters)) => (name, Some(parameters)),
        None => (arguments.game.as_str(), None),
    };
    let names = || games().iter().map(|game| game.name);
    let entry = games().iter().find(|game| game.name == name);
    let entry = entry.ok_or_else(|| {
        let meant = did_you_mean(name, names());
        let known = names().collect::<Vec<_>>().join(", ");
        Failure::bad_input(format!(
            "unknown game {name:?}{meant}; known games: {known}"
        ))
    })?;
    if parameters.is_some() {
        // The rules are the same for all; wrong parameters are wrong all the same.
        AnyGame::parse(&arguments.game)?;
    }
    for line in entry.rules.lines() {
        print_wrapped(line);
    }
    let example = EXAMPLES.iter().find(|(game, _)| game == &name);
    match example {
        Some((_, text)) => print_example(text),
        None => {
            let game = AnyGame::parse(name)?;
            with_game!(&game, game => print_board(game));
            Ok(())
        }
    }
}

/// The board of a game of somebody else.
fn print_board<G: BoardGame>(game: &G) {
    println!("\n# The board\n\n{}", game.draw(&game.initial()));
}

fn print_example(text: &str) -> Result<(), Failure> {
    let record = Record::parse(text)?;
    let game = record.game()?;
    with_game!(&game, game => print_game(game, &record))
}

/// A game: its board at the end, and how it came about.
fn print_game<G: BoardGame>(game: &G, record: &Record) -> Result<(), Failure> {
    let played = record.replay(game)?;
    println!("\n# An example\n");
    println!("The end of a game of {}:\n", game.spec());
    print!("{}", game.draw(&played.end));
    if let Some([first, second]) = game.points(&played.end) {
        println!("Points: {first} to {second}");
    }
    match record.ending() {
        Ending::Won(winner) => println!("{} has won.", game.side(winner)),
        Ending::Draw => println!("The game is a draw."),
        Ending::Open => {}
    }
    let moves = game.line_texts(&played.start, &played.actions).join("; ");
    println!(
        "\nThe moves, which `tablero replay {} --moves \"…\"` reads:\n",
        game.spec()
    );
    print_wrapped(&moves);
    Ok(())
}
