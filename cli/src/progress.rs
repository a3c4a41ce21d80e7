//! Progress of long work: bars on a terminal, plain lines elsewhere.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU32, Ordering};
use tablero_train::Run;
use tablero_train::run::{Observer, RoundMetrics};

/// A bar that counts to `length` on a terminal, and nothing elsewhere.
pub fn bar(length: u64, what: &str) -> ProgressBar {
    let style =
        ProgressStyle::with_template("{msg:24} [{bar:30}] {human_pos}/{human_len} {per_sec} {eta}")
            .expect("the template is valid")
            .progress_chars("=> ");
    // indicatif draws nothing where standard error is no terminal.
    let target = ProgressDrawTarget::stderr_with_hz(8);
    ProgressBar::with_draw_target(Some(length), target)
        .with_style(style)
        .with_message(what.to_owned())
}

/// Shows a training run: a bar for the games and steps of the round under way, a line for each
/// round that is done.
pub struct TrainingProgress {
    /// The rounds that are played. Not those of the metrics, which count each learning after the last
    /// games, too, where a run went on after its end.
    done: AtomicU32,
    /// The last round, where their number ends the run.
    end: Option<u32>,
    bar: Mutex<Option<ProgressBar>>,
}

impl TrainingProgress {
    /// For a run as it is now.
    pub fn new(run: &Run) -> Self {
        let config = run.config();
        TrainingProgress {
            done: AtomicU32::new(run.manifest().rounds),
            end: config.evaluations.is_none().then_some(config.rounds),
            bar: Mutex::new(None),
        }
    }

    fn tick(&self) {
        let bar = self.bar.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bar) = bar.as_ref() {
            bar.inc(1);
        }
    }
}

impl Observer for TrainingProgress {
    fn round_started(&self, games: u64, steps: u64) {
        let what = if games > 0 {
            let done = self.done.load(Ordering::Relaxed);
            format!("round {}", numbered(done + 1, self.end).trim_start())
        } else {
            "learning from the last".to_owned()
        };
        let new = bar(games + steps, &what);
        *self.bar.lock().unwrap_or_else(PoisonError::into_inner) = Some(new);
    }

    fn game_finished(&self) {
        self.tick();
    }

    fn step_finished(&self) {
        self.tick();
    }

    fn warned(&self, warning: &str) {
        eprintln!("warning: {warning}");
    }

    fn round_finished(&self, metrics: &RoundMetrics) {
        if let Some(bar) = self
            .bar
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take()
        {
            bar.finish_and_clear();
        }
        let played = u32::from(metrics.self_play.is_some());
        let done = self.done.fetch_add(played, Ordering::Relaxed) + played;
        eprintln!("{}", round_line(metrics, done, self.end));
        for warning in &metrics.warnings {
            eprintln!("warning: {warning}");
        }
    }
}

/// The number of a round, with that of the last one where it is known.
fn numbered(round: u32, end: Option<u32>) -> String {
    match end {
        Some(end) => format!("{round:>3}/{end}"),
        None => format!("{round:>3}"),
    }
}

/// One line for people about a round, the `done`th that is played.
fn round_line(metrics: &RoundMetrics, done: u32, end: Option<u32>) -> String {
    let mut parts = vec![match &metrics.self_play {
        Some(_) => format!("round {}", numbered(done, end)),
        None => "learning from the last".to_owned(),
    }];
    if let Some(played) = &metrics.self_play {
        parts.push(format!(
            "{} games ({} distinct), {:.0} evaluations/s",
            played.games,
            played.distinct_games,
            played.evaluations as f64 / played.seconds.max(1e-9)
        ));
    }
    if let Some(learnt) = &metrics.learning {
        parts.push(format!(
            "{} steps, losses: policy {:.3}, value {:.3}, points {:.4}",
            learnt.steps, learnt.policy_loss, learnt.value_loss, learnt.points_loss
        ));
        if let (Some(policy), Some(value)) = (learnt.new_policy_loss, learnt.new_value_loss) {
            parts.push(format!("of new games {policy:.3} and {value:.3}"));
        }
    }
    parts.push(format!("{:.1} s", metrics.seconds));
    parts.join("; ")
}
