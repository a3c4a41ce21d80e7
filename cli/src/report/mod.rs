//! A run as one HTML page: plots, strength, example games.

mod plot;

use plot::{Point, Series, plot};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;
use tablero_env::{BoardGame, Outcome};
use tablero_train::RunConfig;
use tablero_train::record::GameRecord;
use tablero_train::run::{Manifest, RoundMetrics, advice};

/// What the page is made from.
pub struct Source<'a> {
    /// The run's folder, as its name.
    pub name: &'a str,
    pub config: &'a RunConfig,
    pub manifest: &'a Manifest,
    pub metrics: &'a [RoundMetrics],
    /// Lines of `evaluations.jsonl`.
    pub evaluations: &'a [Value],
    /// Games of the latest round.
    pub games: &'a [GameRecord],
}

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;max-width:1180px;margin:2em auto;padding:0 1em;\
                     color:#222}h1,h2{font-weight:600}figure{display:inline-block;margin:.4em}figure[hidden]{display:none}table{border-collapse:\
                     collapse}td,th{padding:.2em .8em;border-bottom:1px solid #ddd;text-align:right}td:first-child,\
                     th:first-child{text-align:left}pre{background:#f6f6f6;padding:1em;overflow-x:auto}.warning{\
                     background:#fff3cd;padding:.5em 1em;border-left:4px solid #e0a800;margin:.4em 0}";

/// Games of the latest round that are shown.
const N_EXAMPLE_GAMES: usize = 5;

/// Puts buttons under each game that go through its boards; without it the last one is shown.
const STEPPING: &str = "for (const game of document.querySelectorAll('.steps')) {
  const boards = [...game.children];
  let at = boards.length - 1;
  const go = (to) => {
    at = Math.max(0, Math.min(boards.length - 1, to));
    boards.forEach((board, ply) => { board.hidden = ply !== at; });
  };
  for (const [label, step] of [['|<', -Infinity], ['<', -1], ['>', 1], ['>|', Infinity]]) {
    const button = document.createElement('button');
    button.textContent = label;
    button.onclick = () => go(at + step);
    game.append(button);
  }
}";

/// The page. `game` is that of the run.
pub fn page<G: BoardGame>(game: &G, source: &Source<'_>) -> String {
    let Source {
        name,
        config,
        manifest,
        metrics,
        ..
    } = source;
    let seconds: f64 = metrics.iter().map(|round| round.seconds).sum();
    let mut html = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}</title><style>{STYLE}</style></head>\
         <body>\n<h1>{0}</h1>\n<p>{1}, seed {2}: {3}, {4} games, {5} gradient steps, {6:.0} s of training.</p>\n",
        escape(name),
        escape(&config.game),
        config.seed,
        manifest.played(config),
        manifest.games,
        manifest.steps,
        seconds,
    );
    for warning in advice(metrics) {
        let _ = writeln!(html, "<p class=\"warning\">{}</p>", escape(&warning));
    }
    html.push_str("<h2>Strength</h2>\n");
    let strength = strength(source.evaluations);
    if strength.is_empty() {
        html.push_str(
            "<p>No match was played with this run. <code>tablero eval --a policy:RUN --b PLAYER</code> plays one, \
             <code>[evaluation]</code> in a configuration many on the way.</p>\n",
        );
    }
    html.push_str(&strength);
    html.push_str("<h2>Learning</h2>\n");
    html.push_str(&learning(metrics));
    html.push_str("<h2>Self-play</h2>\n");
    html.push_str(&self_play(metrics));
    html.push_str("<h2>Speed</h2>\n");
    html.push_str(&speed(metrics));
    html.push_str("<h2>Example games</h2>\n");
    html.push_str(&example_games(game, source.games));
    let _ = write!(
        html,
        "<h2>Configuration</h2>\n<pre>{}</pre>\n</body></html>\n",
        escape(&config.to_toml())
    );
    html
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// The plots that have something to show, side by side.
fn figures(plots: impl IntoIterator<Item = Option<String>>) -> String {
    let figures = plots.into_iter().flatten();
    figures
        .map(|svg| format!("<figure>{svg}</figure>\n"))
        .collect()
}

/// A number of each round that has one.
fn by_round(
    metrics: &[RoundMetrics],
    name: &str,
    value: impl Fn(&RoundMetrics) -> Option<f64>,
) -> Series {
    let points = metrics
        .iter()
        .filter_map(|round| Some((f64::from(round.round + 1), value(round)?)));
    Series::plain(name, points)
}

/// Elo and wrong decisions by checkpoint, and the latest match against each opponent.
/// The latest result of each checkpoint against each opponent, by both.
type Matches<'a> = BTreeMap<(&'a str, u64), &'a Value>;

fn strength(evaluations: &[Value]) -> String {
    let matches = matches_of(evaluations);
    let elo = curves(&matches, |report| {
        let ends = [report["elo_low"].as_f64(), report["elo_high"].as_f64()];
        // After all wins, or all losses, only one end of the interval is finite.
        let y = report["elo"].as_f64().or(ends[0]).or(ends[1])?;
        let interval = match ends {
            [Some(low), Some(high)] => Some([low, high]),
            _ => None,
        };
        Some((y, interval))
    });
    let regret = curves(&matches, |report| {
        let optimal = report["oracle"]["critical"]["optimal_share"].as_f64()?;
        Some((100.0 * (1.0 - optimal), None))
    });
    let elo_title = "Elo to opponents, 95 % (if all games are won, the lower end)";
    let regret_title = "Critical decisions that were wrong, per cent";
    let mut html = figures([
        plot(elo_title, "checkpoint", &elo),
        plot(regret_title, "checkpoint", &regret),
    ]);
    html.push_str(&latest_matches(&matches));
    html
}

/// Matches of the run's own agents. A run that was killed may have played one twice.
fn matches_of(evaluations: &[Value]) -> Matches<'_> {
    let mut matches = Matches::new();
    for evaluation in evaluations {
        let report = &evaluation["report"];
        // Scores are those of the first player, which may be another agent.
        if evaluation["player"].as_u64().unwrap_or(0) == 0
            && let (Some(checkpoint), Some(opponent)) =
                (evaluation["checkpoint"].as_u64(), report["b"].as_str())
        {
            matches.insert((opponent, checkpoint), report);
        }
    }
    matches
}

/// A curve an opponent: of each checkpoint a value and its interval, where there is one.
fn curves(
    matches: &Matches<'_>,
    value: impl Fn(&Value) -> Option<(f64, Option<[f64; 2]>)>,
) -> Vec<Series> {
    let mut lines: BTreeMap<&str, Vec<Point>> = BTreeMap::new();
    for (&(opponent, checkpoint), report) in matches {
        if let Some((y, interval)) = value(report) {
            let x = checkpoint as f64;
            let line = lines.entry(opponent).or_default();
            line.push(Point { x, y, interval });
        }
    }
    let named = lines.into_iter().map(|(name, points)| Series {
        name: format!("v {name}"),
        points,
    });
    named.collect()
}

/// A table of the latest match against each opponent; nothing without any.
fn latest_matches(matches: &Matches<'_>) -> String {
    let latest: BTreeMap<&str, (u64, &Value)> = matches
        .iter()
        .map(|(&(opponent, checkpoint), &report)| (opponent, (checkpoint, report)))
        .collect();
    if latest.is_empty() {
        return String::new();
    }
    let mut html = "<table><tr><th>opponent</th><th>checkpoint</th><th>games</th><th>distinct</th>\
                    <th>openings</th><th>wins</th><th>draws</th><th>losses</th>\
                    <th>score (95 %)</th></tr>\n"
        .to_owned();
    for (opponent, (checkpoint, report)) in latest {
        let number = |key: &str| {
            let n = report[key].as_u64();
            n.map_or_else(|| "-".to_owned(), |n| n.to_string())
        };
        let percent = |key: &str| {
            let share = report[key].as_f64();
            share.map_or_else(|| "-".to_owned(), |share| format!("{:.1}", 100.0 * share))
        };
        let counts = [
            "games",
            "distinct_games",
            "distinct_openings",
            "wins",
            "draws",
            "losses",
        ];
        let cells: String = counts
            .map(|key| format!("<td>{}</td>", number(key)))
            .concat();
        let [score, low, high] = ["score", "score_low", "score_high"].map(percent);
        let opponent = escape(opponent);
        let _ = writeln!(
            html,
            "<tr><td>{opponent}</td><td>{checkpoint}</td>{cells}<td>{score} % ({low} to {high})</td></tr>"
        );
    }
    html.push_str("</table>\n");
    html
}

fn learning(metrics: &[RoundMetrics]) -> String {
    let of = |name: &str, value: fn(&tablero_train::learner::LearnReport) -> f64| {
        by_round(metrics, name, |round| round.learning.as_ref().map(value))
    };
    figures([
        plot(
            "Losses, in nats",
            "round",
            &[
                of("policy", |l| l.policy_loss),
                of("value", |l| l.value_loss),
            ],
        ),
        plot(
            "Loss of the points head",
            "round",
            &[of("points", |l| l.points_loss)],
        )
        .filter(|_| {
            metrics
                .iter()
                .flat_map(|round| &round.learning)
                .any(|l| l.points_loss > 0.0)
        }),
        plot(
            "Probability on illegal actions; calibration error",
            "round",
            &[
                of("illegal share", |l| l.illegal_share),
                of("calibration error", |l| l.calibration_error),
            ],
        ),
        plot(
            "Norm of the gradient",
            "round",
            &[of("norm", |l| l.gradient_norm)],
        ),
    ])
}

fn self_play(metrics: &[RoundMetrics]) -> String {
    let of = |name: &str, value: fn(&tablero_train::run::SelfPlayMetrics) -> f64| {
        by_round(metrics, name, |round| round.self_play.as_ref().map(value))
    };
    figures([
        plot(
            "Entropy of the search's policies, in nats",
            "round",
            &[of("entropy", |p| p.policy_entropy)],
        ),
        plot(
            "Results and distinct games, per cent",
            "round",
            &[
                of("first player wins", |p| 100.0 * p.first_player_wins),
                of("draws", |p| 100.0 * p.draws),
                of("distinct games", |p| {
                    100.0 * p.distinct_games as f64 / p.games.max(1) as f64
                }),
            ],
        ),
        plot("Plies a game", "round", &[of("plies", |p| p.mean_plies)]),
        plot(
            "Positions with a proven value, per cent",
            "round",
            &[of("proven", |p| 100.0 * p.proven_share)],
        ),
    ])
}

fn speed(metrics: &[RoundMetrics]) -> String {
    let played = |name: &str, value: fn(&tablero_train::run::SelfPlayMetrics) -> f64| {
        by_round(metrics, name, |round| round.self_play.as_ref().map(value))
    };
    figures([
        plot(
            "Evaluations a second",
            "round",
            &[played("evaluations/s", |p| {
                p.evaluations as f64 / p.seconds.max(1e-9)
            })],
        ),
        plot(
            "Share of self-play spent in leaf evaluation, per cent",
            "round",
            &[played("leaf evaluation", |p| 100.0 * p.evaluation_share)],
        ),
        plot(
            "Seconds a round",
            "round",
            &[
                by_round(metrics, "all", |round| Some(round.seconds)),
                played("self-play", |p| p.seconds),
                by_round(metrics, "learning", |round| {
                    round.learning.as_ref().map(|l| l.seconds)
                }),
            ],
        ),
        plot(
            "Positions in the window",
            "round",
            &[by_round(metrics, "positions", |round| {
                round.learning.as_ref().map(|l| l.window_positions as f64)
            })],
        ),
        plot(
            "Memory at the end of the round, MiB",
            "round",
            &[by_round(metrics, "memory", RoundMetrics::memory_mib)],
        ),
    ])
}

/// Some games of the latest round, to be stepped through.
fn example_games<G: BoardGame>(game: &G, games: &[GameRecord]) -> String {
    if games.is_empty() {
        return "<p>No games yet.</p>\n".to_owned();
    }
    let shown = games.iter().take(N_EXAMPLE_GAMES);
    let games: String = shown.map(|record| example_game(game, record)).collect();
    format!(
        "{games}<p>* drawn at random, or played in the game that this one forks from</p>\n\
         <script>{STEPPING}</script>\n"
    )
}

/// A game with its moves, and the board after each of them, of which one is shown.
fn example_game<G: BoardGame>(game: &G, record: &GameRecord) -> String {
    let mut state = game.initial();
    let mut texts = vec!["the start".to_owned()];
    let mut boards = vec![game.draw(&state)];
    for (ply, action) in record.actions().enumerate() {
        let text = game.action_text(&state, action);
        let mark = if ply < record.opening.len() { "*" } else { "" };
        texts.push(format!("{text}{mark}"));
        game.play_unchecked(&mut state, action);
        boards.push(game.draw(&state));
    }
    let Outcome { winner, points } = record.outcome;
    let result = match winner {
        None => "a draw".to_owned(),
        Some(winner) if record.resigned => format!("player {winner} wins by resignation"),
        Some(winner) => format!("player {winner} wins"),
    };
    let points = points.map_or_else(String::new, |[a, b]| format!(", {a} to {b} points"));
    let last = boards.len() - 1;
    let steps = boards.iter().zip(&texts).enumerate();
    let steps: String = steps
        .map(|(ply, (board, text))| {
            let hidden = if ply == last { "" } else { " hidden" };
            let (board, text) = (escape(board), escape(text));
            format!(
                "<figure{hidden}><figcaption>{ply}. {text}</figcaption><pre>{board}</pre></figure>"
            )
        })
        .collect();
    format!(
        "<h3>Game {}: {result}{points}</h3>\n<p>{}</p>\n<div class=\"steps\">{steps}</div>\n",
        record.id,
        escape(&texts[1..].join(" ")),
    )
}
