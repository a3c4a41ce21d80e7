//! Dialogues with the engine, after the Universal Hive Protocol:
//! <https://github.com/jonthysell/Mzinga/wiki/UniversalHiveProtocol>.

use rand::RngExt;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tablero_agents::uhp::{Engine, EngineOption, Thinker, serve};
use tablero_env::hive::{Hive, State};
use tablero_env::random::stream;
use tablero_env::{ActionId, Game, Notation};
use tablero_minimax::Limits;

/// What a thinker has been asked for.
#[derive(Clone, Debug, Default)]
struct Asked {
    limits: Option<Limits>,
    table_mib: Vec<u64>,
}

/// Plays the last legal action and tells what it was asked for.
#[derive(Clone, Debug, Default)]
struct Last(Arc<Mutex<Asked>>);

impl Thinker for Last {
    fn best_action(
        &mut self,
        game: &Hive,
        state: &State,
        limits: &Limits,
    ) -> Result<ActionId, String> {
        self.0.lock().unwrap().limits = Some(*limits);
        let mut legal = Vec::new();
        game.legal_actions(state, &mut legal);
        Ok(legal[legal.len() - 1])
    }

    fn options(&self) -> Vec<EngineOption> {
        let set = self.0.lock().unwrap().table_mib.last().copied();
        let value = set.unwrap_or(64);
        vec![EngineOption::int("TableSizeMiB", value, 64, 0..=1024)]
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        assert_eq!(name, "TableSizeMiB");
        self.0
            .lock()
            .unwrap()
            .table_mib
            .push(value.parse().unwrap());
        Ok(())
    }
}

fn engine() -> Engine<Last> {
    Engine::new(Last::default())
}

/// Each pair is a line and its answer, without the closing `ok`.
fn dialogue(engine: &mut Engine<Last>, lines: &[(&str, &str)]) {
    for (line, answer) in lines {
        assert_eq!(engine.handle(line), format!("{answer}\nok\n"), "{line}");
    }
}

/// Sends a line that is refused, by `word`, and returns what is said.
fn refused(engine: &mut Engine<Last>, word: &str, line: &str) -> String {
    let answer = engine.handle(line);
    let refusal = answer
        .strip_suffix("\nok\n")
        .and_then(|text| text.strip_prefix(word)?.strip_prefix(' '));
    let refusal = refusal.unwrap_or_else(|| panic!("{line}: {answer}"));
    assert!(!refusal.is_empty() && !refusal.contains('\n'), "{answer}");
    refusal.to_owned()
}

#[test]
fn a_game_is_played_move_by_move() {
    dialogue(
        &mut engine(),
        &[
            ("newgame", "Base;NotStarted;White[1]"),
            ("validmoves", "wS1;wB1;wG1;wA1"),
            ("play wS1", "Base;InProgress;Black[1];wS1"),
            ("play bS1 wS1-", "Base;InProgress;White[2];wS1;bS1 wS1-"),
            ("undo", "Base;InProgress;Black[1];wS1"),
            ("play bG1 wS1/", "Base;InProgress;White[2];wS1;bG1 wS1/"),
            ("undo 2", "Base;NotStarted;White[1]"),
        ],
    );
}

#[test]
fn newgame_reads_types_and_whole_games() {
    dialogue(
        &mut engine(),
        &[
            ("newgame Base", "Base;NotStarted;White[1]"),
            ("newgame Base+MLP", "Base+MLP;NotStarted;White[1]"),
            ("validmoves", "wS1;wB1;wG1;wA1;wM;wL;wP"),
            (
                "newgame Base+P;InProgress;White[2];wP;bS1 wP-",
                "Base+P;InProgress;White[2];wP;bS1 wP-",
            ),
            (
                "play wQ -wP",
                "Base+P;InProgress;Black[2];wP;bS1 wP-;wQ -wP",
            ),
        ],
    );
}

#[test]
fn a_command_that_is_refused_changes_nothing() {
    let mut engine = engine();
    for line in ["play wS1", "pass", "validmoves", "bestmove depth 1", "undo"] {
        assert!(refused(&mut engine, "err", line).contains("newgame"));
    }
    dialogue(
        &mut engine,
        &[
            ("newgame Base+M", "Base+M;NotStarted;White[1]"),
            ("play wS1", "Base+M;InProgress;Black[1];wS1"),
        ],
    );
    for (word, line) in [
        ("err", "newgame Chess"),
        ("err", "newgame Base+M;InProgress;White[1];wS1"),
        ("err", "newgame Base+M;InProgress;White[2];wS1;wS2 wS1-"),
        ("err", "undo 0"),
        ("err", "undo 2"),
        ("err", "undo -1"),
        ("err", "undo x"),
        ("err", "undo 99999999999999999999999"),
        ("err", "bestmove"),
        ("err", "bestmove time"),
        ("err", "bestmove time 5"),
        ("err", "bestmove depth -1"),
        ("err", "bestmove depth 4294967296"),
        ("err", "bestmove depth 1 1"),
        ("err", "bestmove nodes 5"),
        ("err", "options get"),
        ("err", "options get Nothing"),
        ("err", "options set TableSizeMiB"),
        ("err", "options set TableSizeMiB x"),
        ("err", "options set TableSizeMiB 1025"),
        ("err", "options set Opening Closed"),
        ("err", "options set Nothing 1"),
        ("err", "castle"),
        ("invalidmove", "play"),
        ("invalidmove", "play xyz"),
        ("invalidmove", "play bS1"),
        ("invalidmove", "play bQ wS1-"),
        ("invalidmove", "play wG1 wS1-"),
        ("invalidmove", "pass"),
    ] {
        refused(&mut engine, word, line);
        assert_eq!(
            engine.handle("play bS1 wS1-"),
            "Base+M;InProgress;White[2];wS1;bS1 wS1-\nok\n",
            "{line}"
        );
        engine.handle("undo");
    }
    assert_eq!(engine.handle(""), "");
    assert_eq!(engine.handle("  \t "), "");
}

#[test]
fn a_finished_game_has_no_moves() {
    let mut engine = engine();
    // Black's queen is surrounded.
    let game = r"Base;WhiteWins;Black[8];wS1;bS1 wS1-;wQ -wS1;bQ bS1/;wG1 -wQ;bG1 \bQ;wG1 bQ\;bG2 bQ/;wA1 wQ\;bA1 bG2/;wA1 bG2\;bA1 \bG2;wQ \wS1;bA1 bG2/;wQ /bG1";
    let answer = engine.handle(&format!("newgame {game}"));
    assert!(answer.starts_with("Base;WhiteWins;Black[8];"), "{answer}");
    for (word, line) in [
        ("err", "validmoves"),
        ("err", "bestmove depth 2"),
        ("invalidmove", "play bA1 bS1-"),
        ("invalidmove", "pass"),
    ] {
        assert!(refused(&mut engine, word, line).contains("over"), "{line}");
    }
    assert!(
        engine
            .handle("undo")
            .starts_with("Base;InProgress;White[8];")
    );
}

#[test]
fn bestmove_hands_its_limit_to_the_thinker() {
    let asked = Arc::default();
    let mut engine = Engine::new(Last(Arc::clone(&asked)));
    let limits = |line: &str, engine: &mut Engine<Last>| {
        assert_eq!(engine.handle(line), "wA1\nok\n", "{line}");
        let asked: &Mutex<Asked> = &asked;
        asked.lock().unwrap().limits.take().unwrap()
    };
    engine.handle("newgame");
    assert_eq!(limits("bestmove depth 3", &mut engine), Limits::depth(3));
    let hour = limits("bestmove time 01:00:00", &mut engine);
    let time = Duration::from_secs(3600);
    assert_eq!(hour.depth, None);
    assert!(
        hour.time
            .is_some_and(|given| given < time && given > time * 9 / 10)
    );
    let none = limits("BestMove Time 00:00:00", &mut engine);
    assert_eq!(none.time, Some(Duration::ZERO));
}

#[test]
fn options_are_listed_read_and_set() {
    let asked = Arc::default();
    let mut engine = Engine::new(Last(Arc::clone(&asked)));
    let (table, opening) = (
        "TableSizeMiB;int;64;64;0;1024",
        "Opening;enum;Tournament;Tournament;Tournament;Free",
    );
    dialogue(
        &mut engine,
        &[
            ("options", &format!("{opening}\n{table}")),
            ("options get tablesizemib", table),
            ("options get Opening", opening),
            ("options set TableSizeMiB 5", "TableSizeMiB;int;5;64;0;1024"),
            ("newgame", "Base;NotStarted;White[1]"),
            (
                "options set Opening Free",
                "Opening;enum;Free;Tournament;Tournament;Free",
            ),
            // The game goes on as it began.
            ("validmoves", "wS1;wB1;wG1;wA1"),
            ("newgame", "Base;NotStarted;White[1]"),
            ("validmoves", "wQ;wS1;wB1;wG1;wA1"),
        ],
    );
    let asked: &Mutex<Asked> = &asked;
    assert_eq!(asked.lock().unwrap().table_mib, [5]);
}

#[test]
fn an_engine_introduces_itself_and_serves_until_exit_or_the_end_of_input() {
    let introduction = engine().greeting();
    assert!(introduction.starts_with("id Tablero v"), "{introduction}");
    assert!(introduction.ends_with("\nMosquito;Ladybug;Pillbug\nok\n"));
    let game = "Base;NotStarted;White[1]\nok\n";
    for (input, answers) in [
        ("", ""),
        ("info\n", introduction.as_str()),
        ("newgame\nexit\nnewgame\n", game),
        ("newgame\r\nEXIT\r\n", game),
        ("newgame", game),
    ] {
        let mut output = Vec::new();
        serve(&mut engine(), input.as_bytes(), &mut output).unwrap();
        let expected = format!("{introduction}{answers}");
        assert_eq!(String::from_utf8(output).unwrap(), expected, "{input:?}");
    }
    let mut output = Vec::new();
    serve(
        &mut engine(),
        &b"\xff\xfe \x00\nplay \xf0\n"[..],
        &mut output,
    )
    .unwrap();
    let output = String::from_utf8(output).unwrap();
    assert_eq!(output.matches("\nok\n").count(), 3, "{output}");
}

/// Every listed move is played and taken back, and the engine says what the rules say.
#[test]
fn a_random_game_is_played_through_the_protocol() {
    let mut rng = stream(0, "uhp", 0);
    for game in Hive::all_types() {
        let mut engine = engine();
        let mut state = game.initial();
        let mut buffer = Vec::new();
        engine.handle(&format!("newgame {}", game.game_type()));
        for _ in 0..60 {
            if game.is_over(&state) {
                break;
            }
            game.legal_actions(&state, &mut buffer);
            let texts: Vec<String> = buffer
                .iter()
                .map(|&action| game.action_text(&state, action))
                .collect();
            let listed = format!("{}\nok\n", texts.join(";"));
            assert_eq!(engine.handle("validmoves"), listed);
            let best = engine.handle("bestmove depth 1");
            assert_eq!(best, format!("{}\nok\n", texts[texts.len() - 1]));
            let action = game.sample_action(&state, &mut buffer, &mut rng);
            let text = game.action_text(&state, action);
            game.play_unchecked(&mut state, action);
            let answer = engine.handle(&format!("play {text}"));
            assert_eq!(answer, format!("{}\nok\n", game.state_text(&state)));
        }
    }
}

/// Lines put together from the protocol's words and from noise: each is answered in whole lines
/// up to `ok`, and the engine always knows a game that it can be told again.
#[test]
fn any_line_is_answered() {
    const WORDS: &str = "info newgame play pass validmoves bestmove undo options time depth get set \
        Base Base+MLP Base;NotStarted;White[1] ; wS1 bS1 wQ bQ wS1- -wS1 \\wS1 wQ\\ \
        /bQ wB1/ bM 00:00:01 1 2 -1 99999999999999999999 TableSizeMiB Opening Free \
        \u{1F41D} \0 - @31,31 @32,0";
    let all: Vec<&str> = WORDS.split(' ').collect();
    let mut rng = stream(1, "uhp", 0);
    let mut engine = engine();
    engine.handle("newgame");
    for _ in 0..20_000 {
        let n_words = rng.random_range(1..5);
        let words: Vec<&str> = (0..n_words)
            .map(|_| all[rng.random_range(0..all.len())])
            .collect();
        let line = words.join(if rng.random_bool(0.9) { " " } else { "" });
        let answer = engine.handle(&line);
        let (body, end) = answer.split_at(answer.len().saturating_sub(4));
        assert_eq!(end, "\nok\n", "{line:?}");
        assert!(
            !body.contains("\nok") && !body.is_empty(),
            "{line:?}: {answer}"
        );
        let refused = body.starts_with("err ") || body.starts_with("invalidmove ");
        if body.starts_with("Base") {
            let again = engine.clone().handle(&format!("newgame {body}"));
            assert_eq!(again, answer, "{line:?}");
        } else if line.starts_with("play") || line.starts_with("newgame") {
            assert!(refused, "{line:?}: {answer}");
        }
    }
}
