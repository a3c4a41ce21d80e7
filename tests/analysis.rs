//! What `hint` and `analyze` say, by every kind of player, of every game.

use std::collections::BTreeSet;
use tablero_agents::PlayerSpec;
use tablero_agents::analysis::Analysis;
use tablero_env::random::{positions, stream};
use tablero_env::{AnyGame, BoardGame, ForMover, with_game};
use tablero_minimax::Playable;
use tablero_tests::{Finished, run_in, run_with_input};

const BINARY: &str = env!("CARGO_BIN_EXE_tablero-under-test");

fn tablero(arguments: &str) -> Finished {
    let folder = tempfile::tempdir().unwrap();
    run_in(BINARY, folder.path(), arguments)
}

/// An unfinished position after about `n_plies` random actions.
fn random_position<G: BoardGame>(game: &G, n_plies: usize, index: u64) -> G::State {
    let random = stream(7, "analysis positions", index);
    let states = positions(game, random).take(1 + n_plies);
    states.last().expect("a game begins")
}

/// The analyses by `player` of some positions of a game.
fn analyses<G>(game: &G, player: &str, plies: &[usize]) -> Vec<(G::State, Analysis)>
where
    G: Playable,
{
    let player: PlayerSpec = player.parse().unwrap();
    let mut analyst = player.load(game).unwrap().analyst(game).unwrap();
    let positions = plies.iter().zip(0..);
    let positions = positions.map(|(&plies, index)| random_position(game, plies, index));
    positions
        .map(|state| {
            let analysis = analyst.analyse(&state, 3).unwrap();
            (state, analysis)
        })
        .collect()
}

/// Plays a line of texts, and panics at one that is illegal.
fn check_line<G: BoardGame>(game: &G, state: &G::State, line: &[String]) {
    let mut state = state.clone();
    for text in line {
        let action = game.parse_action(&state, text).unwrap();
        game.play(&mut state, action)
            .unwrap_or_else(|illegal| panic!("{line:?}: {text}: {illegal}"));
    }
}

fn check_form<G: BoardGame>(game: &G, state: &G::State, analysis: &Analysis) {
    let mut legal = Vec::new();
    game.legal_actions(state, &mut legal);
    let told: BTreeSet<_> = analysis.moves.iter().map(|m| m.action).collect();
    assert_eq!(analysis.moves.len(), legal.len());
    assert_eq!(told, legal.iter().copied().collect(), "{}", game.spec());
    assert_eq!(analysis.player, game.player_to_move(state).index());
    let best = &analysis.moves[0];
    assert_eq!((best.action, &best.text), (analysis.action, &analysis.text));
    assert_eq!(best.line, analysis.line);
    check_line(game, state, &analysis.line);
    assert!(best.visits == Some(0) || analysis.line[0] == best.text);
    for mv in &analysis.moves {
        check_line(game, state, &mv.line);
        if let Some(proven) = mv.proven {
            assert_eq!(mv.value.unwrap().0, f32::from(proven.0), "{mv:?}");
        }
        // Nobody prefers what is known to be worse.
        assert!(mv.score.is_none() || best.score.is_none() || mv.score <= best.score);
        assert!(mv.proven < Some(ForMover(1)) || analysis.proven == Some(ForMover(1)));
    }
    if let Some(wdl) = analysis.wdl {
        let wdl = wdl.0;
        assert!((wdl.iter().sum::<f32>() - 1.0).abs() < 1e-4, "{wdl:?}");
        let priors: f32 = analysis.moves.iter().filter_map(|m| m.prior).sum();
        assert!((priors - 1.0).abs() < 1e-4);
    }
}

#[test]
fn every_player_tells_of_every_legal_move_with_a_legal_line() {
    for spec in [
        "dots-and-boxes:3x3",
        "queens:6",
        "paper-soccer:4x6",
        "xadrersi",
        "hive:base+mlp",
    ] {
        let any = AnyGame::parse(spec).unwrap();
        for player in ["mcts:sims=60", "minimax:level=1", "minimax:depth=2"] {
            with_game!(&any, game => {
                for (state, analysis) in analyses(game, player, &[0, 3, 9]) {
                    assert_eq!(analysis.by, player.replace("=1", "=beginner"));
                    check_form(game, &state, &analysis);
                }
            });
        }
    }
}

#[test]
fn what_search_proves_of_mv_the_solver_says_too() {
    for (spec, plies) in [
        ("dots-and-boxes:2x2", [5, 6, 7, 8]),
        ("queens:4", [0, 1, 2, 3]),
        ("paper-soccer:2x2", [0, 1, 2, 3]),
    ] {
        let any = AnyGame::parse(spec).unwrap();
        with_game!(&any, game => {
            let exact = analyses(game, "solver", &plies);
            for (state, analysis) in &exact {
                check_form(game, state, analysis);
            }
            for player in ["mcts:sims=3000", "minimax:depth=9"] {
                let mut n_proven = 0;
                for ((_, exact), (_, analysis)) in exact.iter().zip(analyses(game, player, &plies)) {
                    let proof = analysis.proven;
                    assert!(proof.is_none() || proof == exact.proven, "{spec} {player}");
                    for mv in analysis.moves {
                        let truth = exact.moves.iter().find(|m| m.action == mv.action).unwrap();
                        assert!(mv.proven.is_none() || mv.proven == truth.proven);
                        n_proven += usize::from(mv.proven.is_some());
                    }
                }
                assert!(n_proven > 3, "{spec} {player}: {n_proven} moves proven");
            }
        });
    }
}

#[test]
fn the_solver_tells_the_final_lead_of_every_move() {
    // All four edges of one box lose it alike.
    let analysis = tablero("analyze dots-and-boxes:1x1 --player solver --json").json();
    assert_eq!(analysis["proven"], -1);
    let moves = analysis["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 4);
    for mv in moves {
        assert_eq!((&mv["lead"], &mv["proven"]), (&(-1.0).into(), &(-1).into()));
        assert_eq!(mv["line"].as_array().unwrap().len(), 4);
    }
    let shown = tablero("analyze dots-and-boxes:1x1 --player solver").ok();
    assert!(
        shown.contains("proven: loss") && shown.contains("final lead -1.0"),
        "{shown}"
    );
}

#[test]
fn every_line_of_input_gets_a_line_of_output() {
    let folder = tempfile::tempdir().unwrap();
    let command = "analyze dots-and-boxes:1x2 --moves 0 --player minimax:depth=3 --lines";
    let input = "\n1 2\n1 1\n2\n";
    let finished = run_with_input(BINARY, folder.path(), command, input);
    assert_eq!(finished.code, Some(2), "{finished:?}");
    assert!(
        finished.stderr.contains("1 lines could not"),
        "{finished:?}"
    );
    let lines: Vec<serde_json::Value> = finished
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let n_moves = |index: usize| lines[index]["moves"].as_array().map(Vec::len);
    assert_eq!([0, 1, 2, 3].map(n_moves), [Some(6), Some(4), None, Some(5)]);
    let error = lines[2]["error"].as_str().unwrap();
    assert!(error.contains("1 is illegal"), "{error}");
}

/// A board that is too large from the start is solved later: by `solve`, move by move, and for a
/// policy that has the solver at its leaves.
#[test]
fn an_endgame_of_5x5_is_solved_everywhere_alike() {
    let edges: Vec<String> = (0..60)
        .filter(|edge| edge % 5 < 2)
        .map(|edge| edge.to_string())
        .collect();
    let moves = edges.join(" ");
    let solved = tablero(&format!(
        "solve dots-and-boxes:5x5 --json --moves '{moves}'"
    ))
    .json();
    let value = solved["value"].as_i64().unwrap();
    let analyzed = |player: &str| {
        let command =
            format!("analyze dots-and-boxes:5x5 --json --player {player} --moves '{moves}'");
        tablero(&command).json()
    };
    let by_solver = analyzed("solver");
    let sign = if by_solver["player"] == 0 { 1 } else { -1 };
    assert_eq!(by_solver["proven"].as_i64(), Some(sign * value));
    let best = by_solver["text"].as_str().unwrap();
    let all_best: Vec<&str> = solved["best"]
        .as_array()
        .unwrap()
        .iter()
        .map(|text| text.as_str().unwrap())
        .collect();
    assert!(all_best.contains(&best), "{best} {all_best:?}");
    let by_policy = analyzed("zoo:sims=50,analyser_nodes=2500");
    assert_eq!(by_policy["proven"].as_i64(), Some(sign * value));
}

#[test]
fn those_without_reasons_are_refused() {
    for player in ["random", "greedy", "uhp:engine"] {
        let command = format!("analyze hive:base --player {player}");
        tablero(&command).refused(&["cannot analyse a position"]);
    }
    tablero("hint queens:16 --player solver").refused(&["too large to be solved"]);
    tablero("solve dots-and-boxes:5x5")
        .refused(&["60 undrawn edges, but the solver accepts at most 36"]);
    tablero("solve dots-and-boxes:6x6").refused(&["84 edges, but the solver accepts at most 64"]);
    tablero("hint queens:4 --player minimax:level=7").refused(&["6 (master)"]);
    tablero("hint queens:4 --player minimax:level=2,depth=3")
        .refused(&["a level has no other limits"]);
    tablero("hint queens:4 --player minimax:depth=2,threads=2").refused(&["threads need"]);
}
