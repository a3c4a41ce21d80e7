//! Progress of long work: bars on a terminal, a line now and then elsewhere.

use crate::evaluations::Evaluation;
use crate::table::duration;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tablero_train::Run;
use tablero_train::run::{Observer, RoundMetrics};

/// Where no bar is seen, a line comes after this time at the earliest.
const PERIOD: Duration = Duration::from_secs(10);
/// Parts of the bar that a round fills.
const PARTS: f64 = 1000.0;

/// A bar that counts to `length` on a terminal, and nothing elsewhere.
pub fn bar(length: u64, what: &str) -> ProgressBar {
    styled(
        length,
        "{msg:24} [{bar:30}] {human_pos}/{human_len}, {eta} left",
    )
    .with_message(what.to_owned())
}

fn styled(length: u64, template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(template)
        .expect("the template is valid")
        .progress_chars("=> ");
    // indicatif draws nothing where standard error is no terminal.
    let target = ProgressDrawTarget::stderr_with_hz(8);
    ProgressBar::with_draw_target(Some(length), target).with_style(style)
}

/// Shows a training run: a bar over all of it with the time left, and a line for each match that was
/// played on the way.
pub struct TrainingProgress {
    folder: PathBuf,
    /// The last round, where their number ends the run.
    end: Option<u32>,
    bar: ProgressBar,
    has_terminal: bool,
    state: Mutex<State>,
}

struct State {
    begun: Instant,
    /// Rounds that were played before.
    before: u32,
    /// The rounds that are played. Not those of the metrics, which count each learning after the last
    /// games, too, where a run went on after its end.
    done: u32,
    /// Games and steps of the round under way, and how many of them are done.
    in_round: [u64; 2],
    /// When a line was printed.
    last_line: Option<Instant>,
}

impl TrainingProgress {
    /// For a run as it is now.
    pub fn new(run: &Run) -> Self {
        let config = run.config();
        let done = run.manifest().rounds;
        let end = config.evaluations.is_none().then_some(config.rounds);
        let template = match end {
            Some(_) => "{msg:24} [{bar:30}] {percent} %, {eta} left",
            None => "{msg:24} {elapsed}",
        };
        let parts = f64::from(end.unwrap_or(0)) * PARTS;
        let bar = styled(parts as u64, template).with_position((f64::from(done) * PARTS) as u64);
        bar.reset_eta();
        TrainingProgress {
            folder: run.folder().to_owned(),
            end,
            bar,
            has_terminal: std::io::stderr().is_terminal(),
            state: Mutex::new(State {
                begun: Instant::now(),
                before: done,
                done,
                in_round: [0, 0],
                last_line: None,
            }),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tick(&self) {
        let mut state = self.state();
        state.in_round[1] += 1;
        let [all, done] = state.in_round;
        // Less than the whole round: it is done when it is on the disk.
        let part = (done as f64 / all.max(1) as f64).min(0.99);
        if self.end.is_some() {
            let parts = (f64::from(state.done) + part) * PARTS;
            self.bar.set_position(parts as u64);
        }
    }

    /// Prints a line above the bar.
    fn print(&self, text: &str) {
        self.bar.suspend(|| eprintln!("{text}"));
    }

    /// Where there is no bar: how far the run has come.
    fn print_round(&self, state: &mut State, metrics: &RoundMetrics) {
        let is_first = state.last_line.is_none();
        let is_last = Some(state.done) == self.end;
        let is_due = state.last_line.is_none_or(|then| then.elapsed() >= PERIOD);
        let Some(played) = metrics.self_play.as_ref().filter(|_| is_due || is_last) else {
            return;
        };
        let mut text = format!(
            "{}: {} games and {} steps in {}",
            numbered(state.done, self.end),
            played.games,
            metrics.learning.as_ref().map_or(0, |learnt| learnt.steps),
            duration(metrics.seconds)
        );
        let n_done = state.done - state.before;
        if let Some(end) = self.end.filter(|&end| end > state.done && !is_first) {
            let pace = state.begun.elapsed().as_secs_f64() / f64::from(n_done.max(1));
            let left = pace * f64::from(end - state.done);
            text.push_str(&format!(", about {} left", duration(left)));
        }
        state.last_line = Some(Instant::now());
        eprintln!("{text}");
    }
}

impl Drop for TrainingProgress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

impl Observer for TrainingProgress {
    fn round_started(&self, games: u64, steps: u64) {
        let mut state = self.state();
        state.in_round = [games + steps, 0];
        let what = match games {
            0 => "learning from the last".to_owned(),
            _ => numbered(state.done + 1, self.end),
        };
        self.bar.set_message(what);
    }

    fn game_finished(&self) {
        self.tick();
    }

    fn step_finished(&self) {
        self.tick();
    }

    fn warned(&self, warning: &str) {
        self.print(&format!("warning: {warning}"));
    }

    fn round_finished(&self, metrics: &RoundMetrics) {
        let done = {
            let mut state = self.state();
            state.done += u32::from(metrics.self_play.is_some());
            if !self.has_terminal {
                self.print_round(&mut state, metrics);
            }
            state.done
        };
        if self.end.is_some() {
            self.bar.set_position((f64::from(done) * PARTS) as u64);
        }
        // What cannot be read is a matter of `status`.
        let kept = Run::read_evaluations(&self.folder).unwrap_or_default();
        let matches = kept.iter().filter_map(Evaluation::read);
        for played in matches.filter(|it| it.checkpoint == metrics.checkpoint) {
            let text = format!("{}: {}", numbered(done, self.end), played.in_words());
            self.print(&text);
        }
        for warning in &metrics.warnings {
            self.print(&format!("warning: {warning}"));
        }
    }
}

/// A round, with the number of the last one where it is known.
fn numbered(round: u32, end: Option<u32>) -> String {
    match end {
        Some(end) => format!("round {round} of {end}"),
        None => format!("round {round}"),
    }
}
