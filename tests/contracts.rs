//! The forms of output and the exit codes that programs rely on.

use serde_json::json;
use std::path::Path;
use tablero_tests::{Finished, run_in, run_with_input};

const BINARY: &str = env!("CARGO_BIN_EXE_tablero-under-test");

fn tablero(arguments: &str) -> Finished {
    let folder = tempfile::tempdir().unwrap();
    run_in(BINARY, folder.path(), arguments)
}

#[test]
fn perft_counts_sequences() {
    // Any undrawn edge may be drawn, so 1x1 has 4, 4*3, 4*3*2, 4! sequences and none of length 5.
    let counts = tablero("perft dots-and-boxes:1x1 --depth 5 --json").json();
    assert_eq!(
        counts,
        json!({"game": "dots-and-boxes:1x1", "counts": [4, 12, 24, 24, 0]})
    );
    let from = tablero("perft dots-and-boxes:1x2 --depth 2 --from 11/11:000:..:0 --json").json();
    assert_eq!(from["counts"], json!([3, 6]));
    let moves = tablero("perft dots-and-boxes:1x2 --depth 2 --moves '0 1 2 3' --json").json();
    assert_eq!(moves["counts"], json!([3, 6]));
}

#[test]
fn solve_reports_value_points_and_every_optimal_action() {
    let solution = tablero("solve dots-and-boxes:1x1 --json").json();
    assert_eq!(solution["value"], -1);
    assert_eq!(solution["points"], json!([0, 1]));
    assert_eq!(
        solution["best"],
        json!(["1-1-h", "2-1-h", "1-1-v", "1-2-v"]),
        "all four lose alike"
    );
    assert!(solution["nodes"].is_u64() && solution["seconds"].is_f64());
    let over = tablero("solve dots-and-boxes:1x1 --from 1/1:11:0:1 --json").json();
    assert_eq!((&over["value"], &over["best"]), (&json!(1), &json!([])));
}

#[test]
fn solve_proves_a_forced_win_in_hive_or_says_that_it_did_not() {
    // An ant on its way around closes the last space beside Black's queen.
    let moves = r"wS1;bS1 wS1/;wQ -wS1;bQ bS1-;wQ \wS1;bS2 bQ-;wS1 bS2\;bG1 /bQ;wA1 \wQ;bB1 bQ/;wA1 \bB1;bA1 /bG1";
    let solve = |rest: &str| {
        tablero(&format!(
            "solve hive:base --moves '{moves}{rest}' --nodes 500 --json"
        ))
        .json()
    };
    let won = solve(r";wS1 bA1\;bG2 bG1-");
    assert_eq!(
        (&won["value"], &won["plies"]),
        (&json!(1), &json!(1)),
        "{won}"
    );
    assert_eq!(won["best"], json!(["wA1 bS1/"]));
    assert_eq!(won["line"], json!(["wA1 bS1/"]));
    let open = solve("");
    assert_eq!(
        (&open["value"], &open["nodes"]),
        (&json!(null), &json!(500)),
        "{open}"
    );
}

#[test]
fn replay_reports_each_ply_and_the_end() {
    let lines = tablero("replay dots-and-boxes:1x1 --actions '1-1-h 3 1 2' --json").json_lines();
    assert_eq!(lines.len(), 5);
    assert_eq!(
        lines[0],
        json!({"ply": 1, "player": 0, "legal": [0, 1, 2, 3], "action": 0, "text": "1-1-h",
               "captured": [], "next": 1})
    );
    assert_eq!(
        lines[3],
        json!({"ply": 4, "player": 1, "legal": [2], "action": 2, "text": "1-1-v",
               "captured": [0], "next": null})
    );
    assert_eq!(lines[4]["outcome"], json!([-1, 1]));
    assert_eq!(lines[4]["points"], json!([0, 1]));
    let open = tablero("replay dots-and-boxes:1x1 --actions 0 --json").json_lines();
    assert_eq!(open[1]["outcome"], json!(null));
}

#[test]
fn a_player_who_captures_is_reported_as_the_next_mover() {
    let lines = tablero("replay dots-and-boxes:1x2 --actions '0 2 4 5 1' --json").json_lines();
    let movers: Vec<i64> = lines[..5]
        .iter()
        .map(|l| l["player"].as_i64().unwrap())
        .collect();
    assert_eq!(movers, [0, 1, 0, 1, 1]);
    assert_eq!(lines[3]["captured"], json!([0]));
}

#[test]
fn illegal_actions_end_with_2_and_the_reason() {
    let finished = tablero("replay dots-and-boxes:1x1 --actions '0 0' --json");
    assert_eq!(finished.code, Some(2));
    assert_eq!(
        finished.stdout.lines().count(),
        1,
        "the legal ply was reported"
    );
    assert!(finished.stderr.contains("already drawn"), "{finished:?}");
    for (actions, reason) in [
        ("4", "action ids run from 0 to 3"),
        ("'0 1 2 3 0'", "the game is over"),
        ("3-1-h", "expected ROW-COLUMN-h"),
        ("up", "not an action"),
    ] {
        let finished = tablero(&format!("replay dots-and-boxes:1x1 --actions {actions}"));
        assert_eq!(finished.code, Some(2), "{finished:?}");
        assert!(finished.stderr.contains(reason), "{finished:?}");
    }
}

#[test]
fn bad_arguments_end_with_2() {
    for (arguments, reason) in [
        ("perft chess --depth 3", "unknown game \"chess\""),
        ("perft dots-and-boxes:0x3 --depth 3", "1 to 10 rows"),
        ("perft dots-and-boxes:3 --depth 3", "ROWSxCOLS"),
        ("perft dots-and-boxes:3x3 --depth -3", "--depth"),
        ("perft dots-and-boxes:3x3 --depth 0", "0 is not in"),
        ("perft queens:4 --depth 4294967295", "1..=100"),
        (
            "eval --game queens:4 --a random --b greedy --games 18446744073709551615",
            "1..=1000000",
        ),
        (
            "eval --game queens:4 --a random --b greedy --opening-plies 9999999999",
            "0..=1000",
        ),
        (
            "eval --game queens:4 --a random --b greedy --max-plies 4294967295",
            "1..=1000000",
        ),
        (
            "perft dots-and-boxes:1x1 --depth 1 --from nonsense",
            "not a state",
        ),
        ("solve dots-and-boxes:10x10", "too large"),
        (
            "eval --game dots-and-boxes:2x2 --a random --b minimax:depth=0",
            "at least 1",
        ),
        (
            "eval --game dots-and-boxes:2x2 --a random --b minimax:deep=3",
            "unknown option \"deep\"",
        ),
        (
            "eval --game dots-and-boxes:2x2 --a random --b nobody",
            "not a player",
        ),
        (
            "eval --game dots-and-boxes:2x2 --a random --b policy:none",
            "none",
        ),
        ("eval --a random --b greedy", "expected a game"),
        (
            "eval --game dots-and-boxes:9x9 --a random --b greedy --oracle",
            "too large",
        ),
        (
            "hint dots-and-boxes:1x1 --moves '0 1 2 3'",
            "the game is over",
        ),
        ("train --preset none", "unknown preset"),
        ("train --config none.toml --out run", "none.toml"),
        ("train --out none", "not a training run"),
        ("status none", "not a training run"),
        ("export none --out there", "there is no folder none"),
        ("fly", "unrecognized subcommand"),
    ] {
        let finished = tablero(arguments);
        assert!(
            finished.stdout.is_empty() || finished.code != Some(0),
            "{arguments}"
        );
        finished.refused(&[reason]);
    }
}

#[test]
fn eval_reports_what_a_program_needs() {
    let command = "eval --game dots-and-boxes:2x2 --a minimax:depth=3 --b random --games 20 \
                   --seed 5 --oracle --json";
    let report = tablero(command).json();
    assert_eq!(report["games"], 20);
    let total = ["wins", "draws", "losses"].map(|key| report[key].as_u64().unwrap());
    assert_eq!(total.iter().sum::<u64>(), 20);
    let score = report["score"].as_f64().unwrap();
    assert_eq!(score, (total[0] as f64 + total[1] as f64 / 2.0) / 20.0);
    assert!(report["elo_low"].is_f64());
    assert!(report["distinct_games"].as_u64().unwrap() > 10);
    assert!(report["a_effort"]["nodes_a_move"].as_f64().unwrap() > 1.0);
    assert!(report["a_effort"]["seconds_a_move"].is_f64());
    let critical = &report["oracle"]["critical"];
    let all = &report["oracle"]["all"];
    assert!(critical["decisions"].as_u64().unwrap() <= all["decisions"].as_u64().unwrap());
    assert!(critical["optimal_share"].as_f64().unwrap() > 0.5);
    assert!(critical["distinct_positions"].as_u64().unwrap() > 0);
}

#[test]
fn the_same_seed_gives_the_same_match_for_any_number_of_threads() {
    let play = |players: &str, threads: u32| {
        let command = format!(
            "eval --game dots-and-boxes:{players} --b minimax:depth=2 --games 60 --seed 9 \
             --threads {threads} --json"
        );
        let mut report = tablero(&command).json();
        for side in ["a_effort", "b_effort"] {
            report[side]
                .as_object_mut()
                .unwrap()
                .remove("seconds_a_move");
        }
        report
    };
    // The others remember from leaf to leaf and from move to move, but not from game to game.
    for players in [
        "2x3 --a mcts:sims=50",
        "3x3 --a zoo:sims=16,analyser_nodes=0",
        "3x3 --a zoo:sims=16,analyser_nodes=200,analyser_share=0.9",
        "3x3 --a zoo:sims=16,root=gumbel",
    ] {
        assert_eq!(play(players, 1), play(players, 2));
    }
}

#[test]
fn a_sequential_test_ends_a_match_alike_for_any_number_of_threads() {
    let play = |threads: u32| {
        let command = format!(
            "eval --game dots-and-boxes:3x3 --a greedy --b random --games 1000 --sprt 0,100 \
             --threads {threads} --json"
        );
        let report = tablero(&command).json();
        assert_eq!(report["sprt"]["verdict"], "accepted");
        let games = report["games"].as_u64().unwrap();
        assert!(games < 200, "{games}");
        assert_eq!(report["distinct_openings"], games / 2);
        (
            games,
            report["wins"].clone(),
            report["distinct_games"].clone(),
        )
    };
    assert_eq!(play(1), play(3));
}

#[test]
fn a_ladder_rates_its_players() {
    let command = "eval ladder --game dots-and-boxes:2x2 random greedy minimax:depth=12 --games 40";
    let report = tablero(&format!("{command} --json")).json();
    let players = report["players"].as_array().unwrap();
    let elo = |player: usize| players[player]["elo"].as_f64().unwrap();
    assert_eq!(
        (elo(0), report["matches"].as_array().unwrap().len()),
        (0.0, 3)
    );
    assert!(elo(2) > elo(1) && elo(1) > 0.0, "{players:?}");
    let games = |player: usize| {
        let counts = ["wins", "draws", "losses"].map(|key| players[player][key].as_u64().unwrap());
        counts.iter().sum::<u64>()
    };
    assert_eq!([0, 1, 2].map(games), [80, 80, 80]);
    assert!(tablero(command).ok().contains("minimax:depth=12"));
    let neighbours = tablero(&format!("{command} --neighbours --json")).json();
    assert_eq!(neighbours["matches"].as_array().unwrap().len(), 2);
}

#[test]
fn exact_players_make_no_mistake() {
    // 12 plies are the whole game of 2x2: minimax plays it exactly.
    let command = "eval --game dots-and-boxes:2x2 --a minimax:depth=12 --b random --games 40 \
                   --oracle --json";
    let report = tablero(command).json();
    assert_eq!(report["oracle"]["all"]["optimal_share"], 1.0);
    assert_eq!(report["oracle"]["all"]["points_optimal_share"], 1.0);
}

/// A line a game of `data/bench.tsv`. A change of behaviour that is meant is recorded by
/// `TABLERO_RECORD=1` in the environment of this test.
#[test]
fn every_search_behaves_as_recorded() {
    let report = tablero("bench --json").json();
    let games = report["games"].as_array().unwrap();
    let lines: Vec<String> = games
        .iter()
        .map(|one| {
            ["game", "signature"]
                .map(|key| one[key].as_str().unwrap())
                .join("\t")
        })
        .collect();
    let got = lines.join("\n") + "\n";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/bench.tsv");
    if std::env::var_os("TABLERO_RECORD").is_some_and(|value| value == "1") {
        std::fs::write(&path, &got).unwrap();
    }
    assert_eq!(got, std::fs::read_to_string(&path).unwrap());
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let mut child = std::process::Command::new(BINARY)
        .args([
            "analyze",
            "dots-and-boxes:7x7",
            "--player",
            "minimax:level=1",
        ])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let finished = child.wait_with_output().unwrap();
    assert_eq!(finished.stderr, b"", "no panic");
    assert_eq!(finished.status.code(), Some(0));
}

#[test]
fn games_lists_every_registered_game() {
    let games = tablero("games --json").json();
    let names: Vec<&str> = games
        .as_array()
        .unwrap()
        .iter()
        .map(|game| game["name"].as_str().unwrap())
        .collect();
    let built_in = tablero_env::games().iter().map(|entry| entry.name);
    let known: Vec<&str> = built_in.chain(["connect-four"]).collect();
    assert_eq!(names, known);
    assert_eq!(games[0]["actions"], 60, "5x5 has 60 edges");
    for game in games.as_array().unwrap() {
        assert!(
            game["observation_shape"].as_array().unwrap().len() == 3,
            "{game}"
        );
        let bounded = game["max_plies"].is_u64();
        assert_eq!(bounded, game["name"] != "hive", "{game}");
    }
}

#[test]
fn turns_are_counted_checked_and_played_as_one_list() {
    let turns = tablero("perft paper-soccer:8x10 --depth 3 --turns --json").json();
    assert_eq!(turns["counts"], json!([8, 56, 512]));
    let kick_off = "--moves '0,1 1,0'";
    // From (1,0) back to the start bounces, so the turn must go on; from (0,-1) it need not.
    let check = |steps: &str| {
        tablero(&format!(
            "moves paper-soccer {kick_off} --check '{steps}' --json"
        ))
    };
    assert_eq!(check("0,0").json()["complete"], false);
    assert_eq!(check("0,0 0,-1").json()["complete"], true);
    check("0,0 0,-1 0,-2").refused(&["continues after it is complete"]);
    check("0,0 1,0").refused(&["step 2", "already"]);
    let folder = tempfile::tempdir().unwrap();
    let command = format!("play paper-soccer {kick_off} --a human --b human");
    let shown = run_with_input(BINARY, folder.path(), &command, "0,0 0,-1\nquit\n").ok();
    assert!(shown.contains("Orange:"), "{shown}");
}

#[test]
fn moves_lists_what_is_legal_what_counts_and_why_pieces_are_stuck() {
    let list = tablero("moves xadrersi --moves 'Kd4 Qd5' --json").json();
    assert_eq!(list["points"], json!([7, 23]));
    assert_eq!(
        list["actions"].as_array().unwrap().len(),
        10,
        "the queen call leaves 10 squares"
    );
    assert!(
        list["remarks"][0]
            .as_str()
            .unwrap()
            .contains("7 points: c3 d3"),
        "{list}"
    );
    let hive = tablero("moves hive:base --moves 'wG1;bG1 wG1-;wQ -wG1;bQ bG1-' --json").json();
    let remarks = hive["remarks"].to_string();
    assert!(
        remarks.contains("wG1") && remarks.contains("split"),
        "{hive}"
    );
}

#[test]
fn count_tells_positions_and_complete_games() {
    let census = tablero("count dots-and-boxes:1x1 --json").json();
    assert_eq!(
        (&census["positions"], &census["games"]),
        (&json!(16), &json!("24"))
    );
    let cut = tablero("count xadrersi --plies 2 --json").json();
    assert_eq!(cut["plies"][2]["sequences"], "1680");
    tablero("count hive").refused(&["--plies"]);
}

#[test]
fn every_command_has_help_with_an_example() {
    let help = tablero("--help").ok();
    for command in [
        "games",
        "quickstart",
        "train",
        "eval",
        "export",
        "play",
        "hint",
        "analyze",
        "moves",
        "perft",
        "count",
        "solve",
        "uhp",
        "replay",
        "status",
        "bench",
        "doctor",
        "new-game",
    ] {
        assert!(help.contains(command), "{help}");
        let help = tablero(&format!("{command} --help")).ok();
        assert!(help.contains(&format!("tablero {command}")), "{help}");
        assert!(help.contains("Example"), "{help}");
    }
}

#[test]
fn a_build_without_graphics_cards_says_so_and_the_folder_can_be_used_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let small = include_str!("data/small.toml");
    std::fs::write(path("cpu.toml"), small).unwrap();
    std::fs::write(path("gpu.toml"), format!("device = \"gpu\"\n{small}")).unwrap();
    let train = |config: &str| {
        tablero(&format!(
            "train --config {} --out {}",
            path(config),
            path("run")
        ))
    };
    train("gpu.toml").refused(&["\"gpu\"", "--features gpu", "device = \"cpu\""]);
    let _ = train("cpu.toml").ok();
}
