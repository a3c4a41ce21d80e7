//! Games to be played, and who plays them: threads of this process, or actors in others.

use super::{NetworkActor, SelfPlayBatch, TeacherActor, Workers, play_games};
use crate::config::RunConfig;
use rustc_hash::FxHashSet;
use std::error::Error;
use std::ops::Range;
use std::sync::Arc;
use tablero_agents::Cancel;
use tablero_env::{AnyGame, Game, with_game};
use tablero_mcts::Evaluator;
use tablero_minimax::Playable;
use tablero_models::{LeafEvaluator, LeafNetwork, NetworkShape, Weights};

/// Games of a round. With the run's configuration and the weights that play it fixes their
/// records, whoever plays them and however they are divided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// How many rounds were played before: the teacher has the first.
    pub round: u32,
    /// The numbers of the games.
    pub games: Range<u64>,
}

/// Actors in other processes.
pub trait Actors: Sync {
    /// Has all these games played with these weights. The parts may come in any order, but each
    /// game is in one of them.
    ///
    /// # Errors
    /// If the actors cannot be reached, or none can play some of the games.
    fn play(
        &self,
        assignment: &Assignment,
        weights: &Weights,
    ) -> Result<Vec<SelfPlayBatch>, ActorError>;
}

/// Why actors did not play.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct ActorError(pub Box<dyn Error + Send + Sync>);

impl Assignment {
    /// Plays the games in this process: the teacher in its rounds, then the network.
    ///
    /// `new_evaluator` makes the evaluator of each worker, `on_game` is called after each game that
    /// is no fork, from any worker. Once it is cancelled it returns at once, without games that were
    /// under way.
    pub fn play<G: Playable, E: Evaluator<G>>(
        &self,
        game: &G,
        config: &RunConfig,
        workers: Workers,
        new_evaluator: &(impl Fn() -> E + Sync),
        on_game: &(impl Fn() + Sync),
        cancel: &Cancel,
    ) -> SelfPlayBatch {
        let (threads, games) = (workers.threads, self.games.clone());
        match config.self_play.teacher.filter(|it| self.round < it.rounds) {
            Some(teacher) => {
                let actor = || TeacherActor::new(game, config, &teacher);
                play_games(threads, games, actor, on_game, cancel)
            }
            None => {
                let actor = || NetworkActor::new(game, config, workers.group_size, new_evaluator());
                play_games(threads, games, actor, on_game, cancel)
            }
        }
    }

    /// Plays the games in this process, on the processor, with weights that were sent to it, unless it
    /// is cancelled: then it returns at once, without games that were under way.
    ///
    /// # Errors
    /// If the configuration names no game, or the weights are those of another network.
    pub fn play_with(
        &self,
        config: &RunConfig,
        weights: &Weights,
        workers: Workers,
        cancel: &Cancel,
    ) -> Result<SelfPlayBatch, ActorError> {
        let any = AnyGame::parse(&config.game).map_err(ActorError::new)?;
        with_game!(&any, game => {
            let shape = NetworkShape::of_network(game, &config.network);
            let network = LeafNetwork::new(&config.network, &shape, weights);
            let network = Arc::new(network.map_err(ActorError::new)?);
            let evaluator = || LeafEvaluator::new(Arc::clone(&network));
            Ok(self.play(game, config, workers, &evaluator, &|| {}, cancel))
        })
    }

    /// Has the games played by actors, and checks what they send.
    pub(crate) fn play_by<G: Game>(
        &self,
        game: &G,
        actors: &dyn Actors,
        weights: &Weights,
    ) -> Result<SelfPlayBatch, ActorError> {
        let batch = SelfPlayBatch::join(actors.play(self, weights)?);
        self.check(game, &batch)?;
        Ok(batch)
    }

    fn check<G: Game>(&self, game: &G, batch: &SelfPlayBatch) -> Result<(), ActorError> {
        let mut seen = FxHashSet::default();
        for record in &batch.games {
            if !self.games.contains(&record.id) || !seen.insert((record.id, record.forked)) {
                return Err(ActorError::say(format!(
                    "expected each of the games {:?} once, got {} again or besides",
                    self.games, record.id
                )));
            }
            record.verify(game).map_err(ActorError::new)?;
        }
        let n_games = self.games.end - self.games.start;
        let n_first = batch.games.iter().filter(|record| !record.forked).count() as u64;
        if n_first + batch.n_unfinished < n_games {
            return Err(ActorError::say(format!(
                "expected {n_games} games, got {n_first} and {} unfinished",
                batch.n_unfinished
            )));
        }
        Ok(())
    }
}

impl ActorError {
    fn new(error: impl Error + Send + Sync + 'static) -> ActorError {
        ActorError(Box::new(error))
    }

    fn say(message: String) -> ActorError {
        ActorError(message.into())
    }
}
