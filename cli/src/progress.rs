//! Progress of long work: bars on a terminal, plain lines elsewhere.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU32, Ordering};
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
    rounds: u32,
    quiet: bool,
    bar: Mutex<Option<ProgressBar>>,
}

impl TrainingProgress {
    /// For a run of which so many of so many rounds are played. `quiet` prints no lines.
    pub fn new(done: u32, rounds: u32, quiet: bool) -> Self {
        TrainingProgress {
            done: AtomicU32::new(done),
            rounds,
            quiet,
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
            format!("round {}", of_rounds(done + 1, self.rounds).trim_start())
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
        if !self.quiet {
            eprintln!("{}", round_line(metrics, done, self.rounds));
            for warning in &metrics.warnings {
                eprintln!("warning: {warning}");
            }
        }
    }
}

/// A round among so many, of which there may be no end.
fn of_rounds(round: u32, rounds: u32) -> String {
    if rounds == u32::MAX {
        round.to_string()
    } else {
        format!("{round:>3}/{rounds}")
    }
}

/// One line about a round after which so many of so many are played, for people.
fn round_line(metrics: &RoundMetrics, done: u32, rounds: u32) -> String {
    let mut parts = vec![match &metrics.self_play {
        Some(_) => format!("round {}", of_rounds(done, rounds)),
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
    }
    parts.push(format!("{:.1} s", metrics.seconds));
    parts.join("; ")
}
