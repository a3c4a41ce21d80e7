//! What is reported of a round.

use crate::learner::LearnReport;
use crate::record::{GameRecord, record_hash};
use crate::self_play::SelfPlayBatch;
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use tablero_agents::Cancel;

/// What is reported of a round, and written to `metrics.jsonl`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RoundMetrics {
    /// The checkpoint that it made: the number of the entry, from 1.
    pub checkpoint: u32,
    /// Games played in this round, and what they were like; none in the last, learning-only
    /// round.
    pub self_play: Option<SelfPlayMetrics>,
    /// What was learnt; nothing in the first round.
    pub learning: Option<LearnReport>,
    /// Seconds of the whole round, by the wall clock.
    pub seconds: f64,
    /// Bytes of memory that the process held when it ended, where the system tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_bytes: Option<u64>,
    /// When it ended, in seconds since 1970.
    #[serde(default)]
    pub finished_at: f64,
    /// Hash of the checkpoint's weights.
    pub weights_hash: String,
    /// What went wrong beside the training: matches on the way that were not played to their end.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

impl RoundMetrics {
    /// The memory that the process held, in MiB.
    #[must_use]
    pub fn memory_mib(&self) -> Option<f64> {
        self.memory_bytes.map(|bytes| bytes as f64 / 1_048_576.0)
    }
}

/// The games of a round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SelfPlayMetrics {
    /// Games played to their end.
    pub games: u64,
    /// Games thrown away since they were longer than `max_plies`.
    #[serde(default)]
    pub unfinished: u64,
    /// Games among them that are forks of others.
    #[serde(default)]
    pub forked: u64,
    /// Distinct games, as sequences of actions.
    pub distinct_games: u64,
    /// Searched positions.
    pub positions: u64,
    /// Positions to learn from: those searched in full.
    #[serde(default)]
    pub taught: u64,
    /// Share of positions whose value the search proved.
    pub proven_share: f64,
    /// Share of games that the first player won.
    pub first_player_wins: f64,
    /// Share of drawn games.
    pub draws: f64,
    /// Mean number of plies, the random opening included.
    pub mean_plies: f64,
    /// Mean entropy of the search's policies, in nats.
    pub policy_entropy: f64,
    /// Leaves evaluated.
    pub evaluations: u64,
    /// Seconds of self-play, by the wall clock.
    pub seconds: f64,
    /// The share of the workers' time that was spent in leaf evaluation.
    #[serde(default)]
    pub evaluation_share: f64,
    /// [`record_hash`] of the games.
    pub record_hash: String,
}

impl SelfPlayMetrics {
    /// Describes the games of a round that took so many seconds.
    pub(super) fn of(batch: &SelfPlayBatch, seconds: f64) -> SelfPlayMetrics {
        let games = &batch.games;
        let n = games.len().max(1) as f64;
        let share = |holds: &dyn Fn(&GameRecord) -> bool| {
            games.iter().filter(|game| holds(game)).count() as f64 / n
        };
        let decisions = || games.iter().flat_map(|game| &game.decisions);
        let positions = decisions().count();
        let taught = || decisions().filter(|decision| !decision.policy.is_empty());
        let entropy = |policy: &[f32]| -> f64 {
            let terms = policy.iter().filter(|&&p| p > 0.0);
            terms.map(|&p| -f64::from(p) * f64::from(p).ln()).sum()
        };
        let lines: FxHashSet<Vec<_>> = games.iter().map(|game| game.actions().collect()).collect();
        SelfPlayMetrics {
            games: games.len() as u64,
            unfinished: batch.n_unfinished,
            forked: games.iter().filter(|game| game.forked).count() as u64,
            distinct_games: lines.len() as u64,
            positions: positions as u64,
            taught: taught().count() as u64,
            proven_share: decisions().filter(|d| d.proven.is_some()).count() as f64
                / positions.max(1) as f64,
            first_player_wins: share(&|game| game.outcome.returns()[0] == 1),
            draws: share(&|game| game.outcome.winner.is_none()),
            mean_plies: games
                .iter()
                .map(|game| game.actions().count())
                .sum::<usize>() as f64
                / n,
            policy_entropy: taught().map(|d| entropy(&d.policy)).sum::<f64>()
                / taught().count().max(1) as f64,
            evaluations: batch.n_evaluations,
            seconds,
            evaluation_share: batch.evaluation_time.as_secs_f64()
                / batch.worker_time.as_secs_f64().max(1e-9),
            record_hash: record_hash(games),
        }
    }
}

/// What a run tells whoever watches. Called from several threads.
pub trait Observer: Sync {
    /// Asked before each round: `false` ends the training here, to be resumed later.
    fn goes_on(&self) -> bool {
        true
    }
    /// A way to end the training at once, asked for when it begins: the round under way is dropped, and
    /// played again when the run is resumed.
    fn cancel(&self) -> Cancel {
        Cancel::new()
    }
    /// A round starts; it will play `games` games and take `steps` gradient steps.
    fn round_started(&self, _games: u64, _steps: u64) {}
    /// A game of self-play is over.
    fn game_finished(&self) {}
    /// A gradient step is done.
    fn step_finished(&self) {}
    /// A warning for the user; it changes nothing.
    fn warned(&self, _warning: &str) {}
    /// The round is on disk.
    fn round_finished(&self, _metrics: &RoundMetrics) {}
}

/// Watches nothing.
impl Observer for () {}
