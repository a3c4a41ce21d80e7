//! What changes over a run.

use std::sync::Arc;
use tablero_agents::Cancel;
use tablero_env::dots_and_boxes::DotsAndBoxes;
use tablero_models::{LeafEvaluator, LeafNetwork};
use tablero_train::replay::ReplayWindow;
use tablero_train::self_play::{Assignment, Workers};
use tablero_train::{Learner, RunConfig};

/// Two learners step at one rate, one at the end of its run and one at the beginning of its own. What
/// they learn differs, for the slope of the activation outside of its range has fallen for one.
#[test]
fn the_slope_of_the_activation_falls_with_the_learning_rate() {
    let game = DotsAndBoxes::new(2, 2).unwrap();
    let mut config = RunConfig::preset("quickstart").unwrap();
    let mut window = ReplayWindow::default();
    let network = Arc::new(new_network(&game, &config));
    let assignment = Assignment {
        round: 0,
        games: 0..8,
    };
    let workers = Workers {
        threads: 1,
        group_size: 8,
    };
    let evaluator = || LeafEvaluator::new(Arc::clone(&network));
    let batch = assignment.play(&game, &config, workers, &evaluator, &|| {}, &Cancel::new());
    window.push(batch.games, 1);

    let rate = config.learner.learning_rate;
    let mut learnt = |first_rate, progress| {
        config.learner.learning_rate = first_rate;
        let mut learner = Learner::new(&game, &config).unwrap();
        let report = learner.learn(&game, &window, 0, 4, progress, &|| {});
        (report.unwrap().learning_rate, learner.average().clone())
    };
    let (at_the_end, late) = learnt(rate, 1.0);
    let (at_the_beginning, early) = learnt(at_the_end, 0.0);
    assert_eq!(at_the_end, at_the_beginning);
    assert!(late != early);
}

fn new_network(game: &DotsAndBoxes, config: &RunConfig) -> LeafNetwork {
    let learner = Learner::new(game, config).unwrap();
    learner.leaf_network(learner.average()).unwrap()
}
