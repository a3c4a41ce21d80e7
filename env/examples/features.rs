//! How many features the positions of random games have, and how long writing them takes:
//! `cargo run --release -p tablero-env --example features [SPEC...]`.

use std::hint::black_box;
use std::time::Instant;
use tablero_env::random::{positions, stream};
use tablero_env::{ActionFeatures, ActionId, AnyGame, BoardGame, Game, games, with_game};

/// Random games, and the most positions taken of each.
const GAMES_PLAYED: u64 = 40;
const POSITIONS: usize = 120;
/// How often all positions are written, [`CHUNK`] at a time; the fastest round counts.
const ROUNDS: usize = 50;
const CHUNK: usize = 16;

/// A position and its legal actions.
type Position<G> = (<G as Game>::State, Vec<ActionId>);

fn report<G: BoardGame>(game: &G) {
    let states: Vec<_> = (0..GAMES_PLAYED)
        .flat_map(|index| positions(game, stream(5, "features", index)).take(POSITIONS))
        .map(|state| {
            let mut legal = Vec::new();
            game.legal_actions(&state, &mut legal);
            (state, legal)
        })
        .collect();
    let (mut features, mut actions) = (Vec::new(), ActionFeatures::new());
    let (mut n_active, mut most, mut n_actions, mut n_of_actions) = (0, 0, 0, 0);
    for (state, legal) in &states {
        game.write_features(state, legal, &mut features, &mut actions);
        n_active += features.len();
        most = most.max(features.len());
        n_actions += actions.len();
        n_of_actions += actions.iter().map(<[u32]>::len).sum::<usize>();
    }
    // Few positions at a time, as a search has those in the cache that it asks about.
    let nanoseconds = |write: &mut dyn FnMut(&Position<G>)| {
        let fastest = states.chunks(CHUNK).map(|chunk| {
            let rounds = (0..ROUNDS).map(|_| {
                let start = Instant::now();
                chunk.iter().for_each(&mut *write);
                start.elapsed().as_nanos()
            });
            rounds.min().expect("a round")
        });
        fastest.sum::<u128>() / states.len() as u128
    };
    let time = nanoseconds(&mut |(state, legal)| {
        game.write_features(state, legal, &mut features, &mut actions);
        black_box((&features, &actions));
    });
    let sizes = game.feature_sizes();
    println!(
        "{}: {} features, {:.1} active (most {most}, declared {}); {} of actions, {:.1} \
         for each of {:.1} actions; {time} ns",
        game.spec(),
        sizes.features,
        n_active as f64 / states.len() as f64,
        sizes.most_active,
        sizes.action_features,
        n_of_actions as f64 / n_actions as f64,
        n_actions as f64 / states.len() as f64,
    );
}

fn main() {
    let mut specs: Vec<String> = std::env::args().skip(1).collect();
    if specs.is_empty() {
        specs.extend(games().iter().map(|entry| entry.name.to_owned()));
    }
    for spec in specs {
        let any = AnyGame::parse(&spec).expect("the spec of a game");
        with_game!(&any, game => report(game));
    }
}
