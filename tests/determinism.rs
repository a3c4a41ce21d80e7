//! A seed fixes every record and every weight, whatever the threads and the batches.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use tablero_agents::Cancel;
use tablero_env::dots_and_boxes::DotsAndBoxes;
use tablero_models::{LeafEvaluator, LeafNetwork, NetworkConfig, NetworkShape, Weights};
use tablero_tests::shrunk_presets;
use tablero_train::record::record_hash;
use tablero_train::run::{Observer, RoundMetrics};
use tablero_train::self_play::{NetworkActor, Workers, play_games};
use tablero_train::{Run, RunConfig};

fn small() -> RunConfig {
    RunConfig::from_toml(include_str!("data/small.toml"), "small.toml").unwrap()
}

fn workers(threads: usize, group_size: usize) -> Workers {
    Workers {
        threads,
        group_size,
    }
}

#[test]
fn the_records_of_self_play_do_not_depend_on_threads_or_groups() {
    let game = DotsAndBoxes::new(3, 3).unwrap();
    let mut config = small();
    config.self_play.games = 20;
    for network in [
        r#"{"kind": "mlp", "hidden": [32, 32]}"#,
        r#"{"kind": "residual", "blocks": 1, "channels": 16}"#,
    ] {
        let network = serde_json::from_str(network).unwrap();
        let shape = NetworkShape::of(&game);
        let mut weights = Weights::init(&network, &shape, 5).unwrap();
        // A new network says nothing at all; this one has opinions.
        for (index, (_, tensor)) in weights.iter_mut().enumerate() {
            for (place, value) in tensor.values.iter_mut().enumerate() {
                *value += 0.3 * ((place * 7 + index) as f32).sin();
            }
        }
        let leaf = Arc::new(LeafNetwork::new(&network, &shape, &weights).unwrap());
        let play = |seed, workers: Workers| {
            let config = RunConfig {
                seed,
                ..config.clone()
            };
            let actor = || {
                let evaluator = LeafEvaluator::new(Arc::clone(&leaf));
                NetworkActor::new(&game, &config, workers.group_size, evaluator)
            };
            play_games(workers.threads, 100..120, actor, &|| {}, &Cancel::new()).games
        };
        let games = play(1, workers(1, 1));
        assert_eq!(games.iter().filter(|game| !game.forked).count(), 20);
        for game_record in &games {
            game_record.verify(&game).unwrap();
        }
        let expected = record_hash(&games);
        for workers in [workers(2, 1), workers(1, 7), workers(2, 32), workers(3, 4)] {
            assert_eq!(record_hash(&play(1, workers)), expected, "{workers:?}");
        }
        assert_ne!(
            record_hash(&play(2, workers(2, 32))),
            expected,
            "another seed"
        );
    }
}

#[test]
fn a_larger_network_learns_first_what_another_run_has_played() {
    let folder = tempfile::tempdir().unwrap();
    let (theirs, ours) = (folder.path().join("theirs"), folder.path().join("ours"));
    // Another way to write the same game.
    let game = "dots-and-boxes:02x2".to_owned();
    let mut run = Run::create(&theirs, RunConfig { game, ..small() }).unwrap();
    run.train(workers(2, 8), &()).unwrap();
    let given = run.manifest().shards.clone();
    assert!((2..5).contains(&given.len()), "{}", given.len());
    drop(run);

    let config = RunConfig {
        network: NetworkConfig::Mlp { hidden: vec![24] },
        games_from: vec![theirs.clone()],
        rounds: given.len() as u32 + 1,
        ..small()
    };
    let mut run = Run::create(&ours, config).unwrap();
    // The run has what it needs.
    std::fs::remove_dir_all(&theirs).unwrap();
    run.train(workers(2, 8), &()).unwrap();
    drop(run);
    let rounds = Run::read_metrics(&ours).unwrap();
    let played: Vec<_> = rounds.iter().filter_map(|r| r.self_play.as_ref()).collect();
    assert_eq!(played.len(), given.len() + 1);
    for (played, given) in played.iter().zip(&given) {
        assert_eq!(
            (played.games, &played.record_hash, played.evaluations),
            (given.games, &given.record_hash, 0)
        );
    }
    // Then it plays itself.
    assert!(played.last().unwrap().evaluations > 0);
    let learnt = rounds.iter().filter(|round| round.learning.is_some());
    assert_eq!(learnt.count(), given.len() + 1);
}

/// Stops a run after so many rounds.
struct Until(AtomicU32);

impl Observer for Until {
    fn goes_on(&self) -> bool {
        self.0.load(Ordering::Relaxed) > 0
    }

    fn round_finished(&self, _metrics: &RoundMetrics) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Cancels a run in the middle of a round: after so many games, or gradient steps.
struct Within {
    cancel: Cancel,
    games: AtomicU32,
    steps: AtomicU32,
}

impl Within {
    fn new(games: u32, steps: u32) -> Within {
        Within {
            cancel: Cancel::new(),
            games: games.into(),
            steps: steps.into(),
        }
    }

    fn count(&self, left: &AtomicU32) {
        if left.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.cancel.cancel();
        }
    }
}

impl Observer for Within {
    fn cancel(&self) -> Cancel {
        self.cancel.clone()
    }

    fn game_finished(&self) {
        self.count(&self.games);
    }

    fn step_finished(&self) {
        self.count(&self.steps);
    }

    fn round_finished(&self, _metrics: &RoundMetrics) {
        assert!(!self.cancel.is_cancelled(), "that round is dropped");
    }
}

#[test]
fn a_run_that_is_cancelled_within_a_round_is_resumed_as_if_it_had_not_been() {
    const NEVER: u32 = u32::MAX;
    let folder = tempfile::tempdir().unwrap();
    let mut run = Run::create(&folder.path().join("cut"), small()).unwrap();
    for cut in [
        (3, NEVER),
        (small().self_play.games as u32 + 2, NEVER),
        (NEVER, 2),
    ] {
        run.train(workers(1, 8), &Within::new(cut.0, cut.1))
            .unwrap();
        assert!(run.manifest().rounds < small().rounds, "{cut:?}");
    }
    run.train(workers(2, 8), &()).unwrap();
    let mut whole = Run::create(&folder.path().join("whole"), small()).unwrap();
    whole.train(workers(2, 8), &()).unwrap();
    let hashes = |run: &Run| -> Vec<String> {
        let rounds = Run::read_metrics(run.folder()).unwrap();
        rounds.into_iter().map(|it| it.weights_hash).collect()
    };
    assert_eq!(hashes(&run), hashes(&whole));
}

#[test]
fn a_run_can_be_told_to_end_sooner_or_later() {
    let folder = tempfile::tempdir().unwrap();
    let mut run = Run::create(folder.path(), small()).unwrap();
    run.train(workers(2, 8), &Until(2.into())).unwrap();
    assert!(run.set_rounds(1).is_err());
    assert_eq!(run.config().rounds, 5, "as if nobody had asked");
    for n_rounds in [3, 6] {
        run.set_rounds(n_rounds).unwrap();
        run.train(workers(2, 8), &()).unwrap();
        assert_eq!(Run::read(folder.path()).unwrap().0.rounds, n_rounds);
        let rounds = Run::read_metrics(folder.path()).unwrap();
        let n_played = rounds.iter().filter(|round| round.self_play.is_some());
        assert_eq!(n_played.count(), n_rounds as usize);
        // The last has the lowest rate, a twentieth.
        let learnt = rounds.iter().filter_map(|round| round.learning.as_ref());
        let rates: Vec<f64> = learnt.map(|learnt| learnt.learning_rate).collect();
        let expected = small().learner.learning_rate / 20.0;
        assert!(
            (rates.last().unwrap() / expected - 1.0).abs() < 1e-9,
            "{rates:?}"
        );
    }
}

/// The hashes of all weights and records of a run.
fn hashes(config: &RunConfig, workers: Workers) -> Vec<(String, Option<String>)> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let mut run = Run::create(&path, config.clone()).unwrap();
    run.train(workers, &()).unwrap();
    drop(run);
    let rounds = Run::read_metrics(&path).unwrap();
    let hashes = rounds.iter().map(|round| {
        let records = round.self_play.as_ref().map(|p| p.record_hash.clone());
        (round.weights_hash.clone(), records)
    });
    hashes.collect()
}

#[test]
fn the_weights_of_a_run_do_not_depend_on_threads() {
    let one = hashes(&small(), workers(1, 32));
    assert_eq!(one.len(), 6, "five rounds and the last learning");
    assert_eq!(hashes(&small(), workers(2, 5)), one);
}

#[test]
fn the_weights_of_every_preset_do_not_depend_on_threads() {
    for (name, config) in shrunk_presets() {
        let one = hashes(&config, workers(1, 32));
        assert_eq!(one.len(), 4, "three rounds and the last learning");
        assert_eq!(hashes(&config, workers(3, 2)), one, "{name}");
    }
}
