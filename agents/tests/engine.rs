//! Sessions with `tablero engine`: the protocol of `docs/engine.md`.

use tablero_agents::PlayerSpec;
use tablero_agents::engine::{Engine, serve};
use tablero_env::dots_and_boxes::DotsAndBoxes;
use tablero_env::paper_soccer::PaperSoccer;
use tablero_env::{AnyGame, with_game};
use tablero_minimax::Playable;

fn engine<G: Playable>(game: &G, player: &str) -> Engine<G> {
    let player = player.parse::<PlayerSpec>().unwrap().load(game).unwrap();
    Engine::new(game.clone(), player, 1, 1)
}

/// What the engine says to `input`, all of it.
fn session(input: &[u8]) -> String {
    let mut engine = engine(&DotsAndBoxes::new(1, 1).unwrap(), "random");
    let mut output = Vec::new();
    serve(&mut engine, input, &mut output).unwrap();
    String::from_utf8(output).unwrap()
}

#[test]
fn a_session_is_a_line_for_a_line() {
    let said = session(
        b"state\nmoves\nplay 1-1-h\n\nplay 1 2\nstate\ngo 1000\nstate\nmoves\nnew 1/0:00:.:1\nmoves\n\
          new\nstate\nquit\nstate\n",
    );
    let expected = "state move 0 0/0:00:.:0\n\
                    moves 1-1-h;2-1-h;1-1-v;1-2-v\n\
                    ok\n\
                    ok\n\
                    state move 1 1/1:10:.:1\n\
                    turn 1-2-v\n\
                    state over -1 1 1/1:11:1:1\n\
                    moves\n\
                    ok\n\
                    moves 2-1-h;1-1-v;1-2-v\n\
                    ok\n\
                    state move 0 0/0:00:.:0\n";
    assert_eq!(said, expected);
}

#[test]
fn an_error_is_one_line_and_changes_nothing() {
    let mut engine = engine(&DotsAndBoxes::new(2, 2).unwrap(), "random");
    assert_eq!(engine.handle("play 0"), "ok");
    let before = engine.handle("state");
    for wrong in [
        "fly",
        "play",
        "play 0",
        "play 1 2 1",
        "play 1-1-x",
        "play 99999999999999999999",
        "go",
        "go soon",
        "go 0",
        "go -5",
        "go 1.5",
        "go 99999999999999999",
        "new 1/2/3",
        "new \u{1F600}",
        "GO 5",
    ] {
        let answer = engine.handle(wrong);
        assert!(answer.starts_with("error "), "{wrong}: {answer}");
        assert!(!answer.contains('\n') && answer.len() < 2000, "{answer}");
        assert_eq!(engine.handle("state"), before, "{wrong}");
    }
    for edge in 1..12 {
        assert_eq!(engine.handle(&format!("play {edge}")), "ok");
    }
    assert_eq!(engine.handle("go 1000"), "error the game is over");
}

#[test]
fn garbage_is_answered_and_the_session_goes_on() {
    let mut input = vec![b'x'; 3 << 20];
    input.extend_from_slice(b"\n\xff\xfe\x00 go\nplay \xff\n");
    input.extend_from_slice(&vec![b'y'; 100_000]);
    input.extend_from_slice(b"\nname");
    let said = session(&input);
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), 5, "{said}");
    assert!(lines[0].starts_with("error a line has at most"), "{said}");
    assert!(lines[1..4].iter().all(|line| line.starts_with("error ")));
    assert!(lines.iter().all(|line| line.len() < 2000));
    assert!(
        lines[4].starts_with("name Tablero v") && lines[4].ends_with("dots-and-boxes:1x1 random")
    );
}

#[test]
fn two_engines_play_whole_games_of_every_game() {
    for spec in [
        "dots-and-boxes:2x2",
        "queens:6",
        "paper-soccer:4x4",
        "xadrersi",
        "hive:base",
    ] {
        let any = AnyGame::parse(spec).unwrap();
        with_game!(&any, game => {
            let mut sides = [engine(game, "random"), engine(game, "mcts:sims=50")];
            let mut referee = engine(game, "random");
            for turn in 0..30 {
                let state = referee.handle("state");
                if state.starts_with("state over") {
                    break;
                }
                let mover = usize::from(state.starts_with("state move 1"));
                let answer = sides[mover].handle("go 2000");
                let actions = answer.strip_prefix("turn ").unwrap_or_else(|| panic!("{answer}"));
                for other in [&mut referee, &mut sides[1 - mover]] {
                    assert_eq!(other.handle(&format!("play {actions}")), "ok", "{spec} {turn}");
                }
                let states = [&mut referee, &mut sides[0]].map(|it| it.handle("state"));
                assert_eq!(states[0], states[1]);
                assert_ne!(states[0], state);
                // A turn is whole: another is to move, or the game is over.
                assert!(!states[0].starts_with(&format!("state move {mover}")), "{spec}");
            }
        });
    }
}

#[test]
fn a_turn_keeps_its_time_and_a_game_depends_on_its_seed() {
    let game = PaperSoccer::new(8, 10).unwrap();
    let mut timed = engine(&game, "minimax:level=1");
    let start = std::time::Instant::now();
    assert!(timed.handle("go 20000").starts_with("turn "));
    assert!(start.elapsed().as_millis() < 5000);
    let play = || {
        let mut engine = engine(&game, "random");
        let turns =
            |engine: &mut Engine<_>| (0..4).map(|_| engine.handle("go 5")).collect::<Vec<_>>();
        let first = turns(&mut engine);
        assert_eq!(engine.handle("new"), "ok");
        (first, turns(&mut engine))
    };
    let (first, second) = play();
    assert_eq!(play(), (first.clone(), second.clone()));
    assert_ne!(first, second);
}
