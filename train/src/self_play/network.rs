//! The network as an actor: many games in lock-step, one batch of leaves a step.

use super::game::{PlayedGame, Progress};
use super::{Actor, SelfPlayBatch};
use crate::config::RunConfig;
use std::time::{Duration, Instant};
use tablero_agents::spread::Jobs;
use tablero_env::Game;
use tablero_mcts::{Batch, Evaluations, Evaluator, Request, Search};

/// Plays by tree search over an evaluator.
pub struct NetworkActor<'a, G: Game, E> {
    game: &'a G,
    config: &'a RunConfig,
    group_size: usize,
    evaluator: Timed<E>,
}

impl<'a, G: Game, E: Evaluator<G>> NetworkActor<'a, G, E> {
    /// An actor that plays `group_size` games at once (0 counts as 1).
    pub fn new(game: &'a G, config: &'a RunConfig, group_size: usize, evaluator: E) -> Self {
        NetworkActor {
            game,
            config,
            group_size: group_size.max(1),
            evaluator: Timed {
                evaluator,
                spent: Duration::ZERO,
            },
        }
    }
}

impl<G: Game, E: Evaluator<G>> Actor for NetworkActor<'_, G, E> {
    fn play(&mut self, games: &Jobs, on_game: &dyn Fn()) -> SelfPlayBatch {
        let start = Instant::now();
        let mut batch = Batch::new();
        let mut group: Vec<PlayedGame<'_, G>> = Vec::new();
        let mut played = SelfPlayBatch::default();
        while !games.is_cancelled() {
            while group.len() < self.group_size
                && let Some(id) = games.take()
            {
                group.push(PlayedGame::start(self.game, self.config, id));
            }
            if group.is_empty() {
                break;
            }
            group.retain_mut(|game| match game.play_moves_due() {
                Progress::Searching => true,
                ended => {
                    if !game.is_fork() {
                        on_game();
                    }
                    let fork = game.end(ended, &mut played);
                    fork.map(|fork| *game = fork).is_some()
                }
            });
            let evaluator = &mut self.evaluator;
            let size = batch.round(&mut group, |search| self.config.n_sims(search), evaluator);
            played.n_evaluations += size as u64;
        }
        played.evaluation_time = std::mem::take(&mut self.evaluator.spent);
        played.worker_time = start.elapsed();
        played
    }
}

impl RunConfig {
    /// The simulations after which a move is searched: visits kept from the move before count.
    fn n_sims<G: Game>(&self, search: &Search<G>) -> u32 {
        let wanted = self.sims_of(search.budget().explores);
        let missing = wanted.saturating_sub(search.root_visits());
        search.n_simulations() + missing
    }
}

/// An evaluator whose time is taken.
struct Timed<E> {
    evaluator: E,
    spent: Duration,
}

impl<G: Game, E: Evaluator<G>> Evaluator<G> for Timed<E> {
    fn evaluate(&mut self, game: &G, requests: &[Request<'_, G>], out: &mut Evaluations) {
        let start = Instant::now();
        self.evaluator.evaluate(game, requests, out);
        self.spent += start.elapsed();
    }
}
