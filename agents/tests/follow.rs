//! Analyses that are followed, and searches that are cancelled.

use std::thread;
use std::time::{Duration, Instant};
use tablero_agents::{Cancel, PlayerSpec};
use tablero_env::Game;
use tablero_env::dots_and_boxes::DotsAndBoxes;
use tablero_env::hive::Hive;
use tablero_env::paper_soccer::PaperSoccer;
use tablero_env::random::stream;
use tablero_minimax::{Playable, SolveError};

fn player(text: &str) -> PlayerSpec {
    text.parse().unwrap()
}

/// Reports do not change the answer.
#[test]
fn a_followed_analysis_ends_as_any_other() {
    let game = PaperSoccer::new(8, 10).unwrap();
    let state = game.initial();
    for text in ["mcts:sims=3000", "minimax:nodes=60000"] {
        let loaded = player(text).load(&game).unwrap();
        let expected = loaded.analyst(&game).unwrap().analyse(&state, 1).unwrap();
        let mut told = Vec::new();
        let mut analyst = loaded.analyst(&game).unwrap();
        let analysis = analyst
            .follow(&state, 1, &Cancel::new(), &mut |news| told.push(news))
            .unwrap();
        assert_eq!(analysis, expected, "{text}");
        assert!(!told.is_empty());
        for news in told {
            assert_eq!(news.by, analysis.by);
            assert!(news.nodes <= analysis.nodes);
            assert_eq!(news.moves.len(), analysis.moves.len());
        }
    }
}

fn ends_soon<G: Playable>(game: &G, text: &str) {
    let state = game.initial();
    let loaded = player(text).load(game).unwrap();
    let cancel = Cancel::new();
    let stopper = cancel.clone();
    let mut analyst = loaded.analyst(game).unwrap();
    let start = Instant::now();
    let analysis = analyst
        .follow(&state, 1, &cancel, &mut |_| stopper.cancel())
        .unwrap();
    // Without the end it would take hours.
    assert!(start.elapsed() < Duration::from_secs(5), "{text}");
    assert!(game.is_legal(&state, analysis.action));
    let mut agent = loaded.agent(game);
    agent.cancelled_by(&cancel);
    let choice = agent.choose(&state, &mut stream(1, "follow", 0)).unwrap();
    assert!(game.is_legal(&state, choice.action));
    assert!(start.elapsed() < Duration::from_secs(10), "{text}");
}

#[test]
fn a_cancelled_search_answers_soon_with_a_legal_move() {
    for text in ["mcts:sims=400000000", "minimax:nodes=40000000000"] {
        ends_soon(&PaperSoccer::new(8, 10).unwrap(), text);
        ends_soon(&Hive::default(), text);
    }
}

/// The exact solver has no answer before its end, and says so.
#[test]
fn a_cancelled_solver_ends_without_an_answer() {
    // Minutes of work.
    let game = DotsAndBoxes::new(4, 4).unwrap();
    let state = game.initial();
    let loaded = player("solver").load(&game).unwrap();
    let cancel = Cancel::new();
    let stopper = cancel.clone();
    let stopped = thread::spawn(move || {
        thread::sleep(Duration::from_millis(50));
        stopper.cancel();
        Instant::now()
    });
    let mut analyst = loaded.analyst(&game).unwrap();
    let analysis = analyst.follow(&state, 1, &cancel, &mut |_| ());
    assert_eq!(analysis, Err(SolveError::Interrupted));
    assert!(stopped.join().unwrap().elapsed() < Duration::from_secs(2));
    let mut agent = loaded.agent(&game);
    agent.cancelled_by(&cancel);
    let choice = agent.choose(&state, &mut stream(1, "follow", 0));
    assert!(choice.unwrap_err().to_string().contains("interrupted"));
}
