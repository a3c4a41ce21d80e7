//! Who makes the games: the latest checkpoint, or the last one that won its place.

use super::{GateReport, Run, RunError, checkpoint_path};
use crate::learner::Learner;
use crate::matches::{MatchOptions, PlayedMatch, play_match};
use crate::players::{LoadedPlayer, PlayerSpec, PolicyOptions, PolicySource};
use crate::self_play::Workers;
use std::borrow::Cow;
use std::sync::Arc;
use tablero_env::BoardGame;
use tablero_env::random::mix;
use tablero_minimax::{Baseline, Solvable};
use tablero_models::{LeafNetwork, Weights};

impl Run {
    /// The weights that make the games.
    pub(super) fn playing_weights<'a>(
        &self,
        learner: &'a Learner,
    ) -> Result<Cow<'a, Weights>, RunError> {
        if self.manifest.playing == self.manifest.checkpoint {
            return Ok(Cow::Borrowed(learner.average()));
        }
        let folder = checkpoint_path(&self.folder, self.manifest.playing);
        Ok(Cow::Owned(Learner::read_average(&folder)?))
    }

    /// Plays the match at the gate, if there is one, against the network that has played so far.
    pub(super) fn pass_gate<G: BoardGame + Baseline + Solvable>(
        &self,
        game: &G,
        learner: &Learner,
        checkpoint: u32,
        n_steps: u64,
        playing: &Arc<LeafNetwork>,
        workers: Workers,
    ) -> Result<Option<GateReport>, RunError> {
        let Some(gate) = self.config.gate.filter(|_| n_steps > 0) else {
            return Ok(None);
        };
        let player = |network| {
            let spec = PlayerSpec::Policy {
                source: PolicySource::Directory(self.folder.clone()),
                options: PolicyOptions {
                    sims: gate.simulations,
                    precision: self.config.self_play.precision,
                    leaf_search: self.config.self_play.leaf_search,
                    minimax_share: Some(self.config.self_play.search.minimax_share),
                    ..PolicyOptions::default()
                },
            };
            LoadedPlayer::of_network(spec, network)
        };
        let options = MatchOptions::new(
            game,
            gate.games,
            mix(self.config.seed ^ mix(u64::from(checkpoint))),
            workers.threads,
        );
        let new = player(Arc::new(learner.leaf_network(learner.average())?));
        let PlayedMatch { report, .. } =
            play_match(game, &new, &player(Arc::clone(playing)), &options, &|| {})?;
        let score = report.strength.map(|strength| strength.score);
        Ok(Some(GateReport {
            against: self.manifest.playing,
            games: report.games,
            score,
            passed: score.is_none_or(|score| score >= gate.score),
        }))
    }
}
