//! `tablero eval ladder`.

use crate::failure::Failure;
use crate::figures::percent;
use crate::interrupt;
use crate::matches::{MatchArguments, finish};
use crate::output;
use crate::player::player;
use crate::progress::bar;
use crate::table::{Table, signed};
use std::collections::BTreeSet;
use tablero_agents::PlayerSpec;
use tablero_agents::ladder::{LadderReport, Pairing, play_ladder};
use tablero_agents::matches::MatchReport;
use tablero_env::with_game;
use tablero_minimax::Playable;

/// Rate several players by matches between all of them
///
/// Ratings are Elo differences to the first player: maximum-likelihood estimates from all matches, with
/// 95 % intervals by resampling pairs. A second table shows the score of each row's player against each
/// column's player.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    tablero eval ladder --game queens:8 random greedy minimax:level=1 mcts:sims=400\n  \
    tablero eval ladder --game xadrersi --neighbours --games 400 random greedy minimax:level=1 minimax:level=2")]
pub struct Arguments {
    /// The players, two or more
    #[arg(value_name = "PLAYER", required = true, num_args = 2.., value_parser = player)]
    players: Vec<PlayerSpec>,
    /// Each player meets only the next one in the list
    #[arg(long)]
    neighbours: bool,
    #[command(flatten)]
    matches: MatchArguments,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let any = arguments.matches.game(&arguments.players)?;
    with_game!(&any, game => ladder(game, arguments))
}

fn ladder<G: Playable>(game: &G, arguments: &Arguments) -> Result<(), Failure> {
    // Scores are told by name.
    let mut names = BTreeSet::new();
    if let Some(twice) = arguments
        .players
        .iter()
        .find(|it| !names.insert(it.to_string()))
    {
        return Err(Failure::bad_input(format!(
            "expected each player once, got {twice} twice"
        )));
    }
    interrupt::ends_matches();
    output::continues_without_output();
    let options = arguments.matches.options(game);
    let pairing = if arguments.neighbours {
        Pairing::Neighbours
    } else {
        Pairing::RoundRobin
    };
    let players = arguments.players.iter();
    let players = players
        .map(|player| player.load(game))
        .collect::<Result<Vec<_>, _>>()?;
    let n_games = options.games.div_ceil(2) * 2 * pairing.matches(players.len()).len() as u64;
    let bar = bar(n_games, "games");
    let result = play_ladder(game, &players, pairing, &options, &|| bar.inc(1));
    bar.finish_and_clear();
    let report = result?;
    let value = serde_json::to_value(&report)?;
    if arguments.matches.json {
        println!("{value}");
    } else {
        print(&report, arguments.matches.games);
    }
    finish(&arguments.players, &value)
}

/// Prints ratings and scores. `games` is the number asked for of each match.
pub fn print(report: &LadderReport, games_a_match: u64) {
    let games: u64 = report.matches.iter().map(|each| each.games).sum();
    let distinct: usize = report.matches.iter().map(|each| each.distinct_games).sum();
    let unfinished: u64 = report.matches.iter().map(|each| each.unfinished).sum();
    println!(
        "{}: {} matches of {} games in pairs with colours swapped; {games} games, {distinct} of them distinct \
         within their match, {unfinished} more unfinished",
        report.game,
        report.matches.len(),
        games_a_match.div_ceil(2) * 2,
    );
    let n = report.players.len();
    let mut titles = vec![
        "".to_owned(),
        "player".to_owned(),
        ">Elo".to_owned(),
        ">95 % interval".to_owned(),
    ];
    titles.push(">score".to_owned());
    titles.push(">draws".to_owned());
    let has_forfeits = (0..n).any(|player| forfeits(report, player) > 0);
    if has_forfeits {
        titles.push(">lost by a failure".to_owned());
    }
    let titles: Vec<&str> = titles.iter().map(String::as_str).collect();
    let mut table = Table::new(&titles);
    let mut order: Vec<usize> = (0..n).collect();
    let elo = |player: usize| report.players[player].rating.elo;
    order.sort_by(|&a, &b| elo(b).total_cmp(&elo(a)));
    for (place, &player) in order.iter().enumerate() {
        let each = &report.players[player];
        let mut row = vec![
            (place + 1).to_string(),
            each.player.clone(),
            signed(each.rating.elo, 0),
            [each.rating.elo_low, each.rating.elo_high]
                .map(|elo| signed(elo, 0))
                .join(" to "),
            each.results.score().map_or_else(|| "-".to_owned(), percent),
            each.results.draws.to_string(),
        ];
        if has_forfeits {
            row.push(forfeits(report, player).to_string());
        }
        table.row(row);
    }
    table.print();
    print_scores(report, &order);
}

/// What each player of a row scored against each of a column, by their places.
fn print_scores(report: &LadderReport, order: &[usize]) {
    let numbers = (1..=order.len()).map(|place| format!(">{place}"));
    let titles: Vec<String> = std::iter::once(String::new()).chain(numbers).collect();
    let titles: Vec<&str> = titles.iter().map(String::as_str).collect();
    let mut table = Table::new(&titles);
    for (place, &player) in order.iter().enumerate() {
        let mut row = vec![(place + 1).to_string()];
        row.extend(order.iter().map(|&other| score(report, player, other)));
        table.row(row);
    }
    println!("\nScore of the row against the column, in per cent:");
    table.print();
}

/// Games that a player lost by a fault of its own.
fn forfeits(report: &LadderReport, player: usize) -> u64 {
    let name = &report.players[player].player;
    let of_match = |each: &MatchReport| {
        let of_a = each.a_forfeits.total() * u64::from(each.a == *name);
        of_a + each.b_forfeits.total() * u64::from(each.b == *name)
    };
    report.matches.iter().map(of_match).sum()
}

/// What a player scored against another, in per cent; empty where they did not meet.
fn score(report: &LadderReport, player: usize, other: usize) -> String {
    let [name, other] = [player, other].map(|number| &report.players[number].player);
    let found = report.matches.iter().find_map(|each| {
        let tally = if (&each.a, &each.b) == (name, other) {
            each.a_results
        } else if (&each.b, &each.a) == (name, other) {
            each.a_results.reversed()
        } else {
            return None;
        };
        tally.score()
    });
    found.map_or_else(String::new, |score| format!("{:.0}", 100.0 * score))
}
