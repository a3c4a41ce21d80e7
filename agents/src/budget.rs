//! What an agent may spend: limits in time, alike for all agents. Limits in simulations, nodes or
//! depth are the agent's own.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};

/// A time limit of an agent, as fields of its text.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Limit {
    /// Milliseconds a move, at least 1; `None` sets no limit.
    pub ms: Option<u32>,
    /// A clock for the whole game; `None` sets no limit.
    pub clock: Option<GameClock>,
    /// Threads that search one position, 1 to 1024. More than 1 only for minimax limited by time
    /// alone.
    pub threads: u32,
}

impl Default for Limit {
    fn default() -> Self {
        Limit {
            ms: None,
            clock: None,
            threads: 1,
        }
    }
}

impl Limit {
    /// Whether the clock decides anything.
    #[must_use]
    pub fn is_timed(&self) -> bool {
        self.ms.is_some() || self.clock.is_some()
    }

    /// Checks the ranges.
    ///
    /// # Errors
    /// What is expected instead.
    pub fn check(&self) -> Result<(), String> {
        match self {
            Limit { ms: Some(0), .. } => Err("ms is at least 1, got 0".to_owned()),
            Limit { threads, .. } if !(1..=1024).contains(threads) => {
                Err(format!("threads are 1 to 1024, got {threads}"))
            }
            _ => Ok(()),
        }
    }
}

/// Time for a whole game, as `BASE+INCREMENT` in seconds: each move adds the increment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "ClockText", into = "String")]
pub struct GameClock {
    /// What there is at the start.
    pub base: Duration,
    /// What each move adds.
    pub increment: Duration,
}

/// The longest base and increment, beyond any game.
const MOST_SECONDS: f64 = 1e7;

/// A text that is no [`GameClock`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a clock is BASE+INCREMENT in seconds, each at most 10,000,000, such as 60+1, got {0:?}")]
pub struct NotAClock(String);

impl FromStr for GameClock {
    type Err = NotAClock;

    fn from_str(text: &str) -> Result<Self, NotAClock> {
        let seconds = |text: &str| {
            let seconds: f64 = text.parse().ok()?;
            (seconds <= MOST_SECONDS).then_some(())?;
            Duration::try_from_secs_f64(seconds).ok()
        };
        let read = || {
            let (base, increment) = text.split_once('+')?;
            let (base, increment) = (seconds(base)?, seconds(increment)?);
            (base + increment > Duration::ZERO).then_some(GameClock { base, increment })
        };
        read().ok_or_else(|| NotAClock(text.to_owned()))
    }
}

impl fmt::Display for GameClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [base, increment] = [self.base, self.increment].map(|time| time.as_secs_f64());
        write!(f, "{base}+{increment}")
    }
}

/// What may stand for a clock, so that a number alone is refused like any other text.
#[derive(Deserialize)]
#[serde(untagged)]
enum ClockText {
    Text(String),
    Number(f64),
}

impl TryFrom<ClockText> for GameClock {
    type Error = NotAClock;

    fn try_from(text: ClockText) -> Result<Self, NotAClock> {
        match text {
            ClockText::Text(text) => text.parse(),
            ClockText::Number(number) => Err(NotAClock(number.to_string())),
        }
    }
}

impl From<GameClock> for String {
    fn from(clock: GameClock) -> String {
        clock.to_string()
    }
}

/// How many more moves a clock's base is divided among.
const MOVES_TO_COME: u32 = 25;
/// What a move limited in milliseconds may take longer before it counts as late: a tenth, and this.
const GRACE: Duration = Duration::from_millis(50);

/// An agent's time over one game.
#[derive(Clone, Debug)]
pub struct Watch {
    clock: Option<GameClock>,
    /// For each move.
    move_time: Option<Duration>,
    /// Left on the clock.
    left: Duration,
}

/// The time of one move.
#[derive(Clone, Copy, Debug)]
pub struct MoveTime {
    start: Instant,
    /// What the move may take; `None` without a limit.
    pub allowed: Option<Duration>,
}

impl Watch {
    /// For one game.
    #[must_use]
    pub fn new(limit: Limit) -> Watch {
        Watch {
            clock: limit.clock,
            move_time: limit.ms.map(|ms| Duration::from_millis(ms.into())),
            left: limit.clock.map_or(Duration::ZERO, |clock| clock.base),
        }
    }

    /// A time for each move; `None` sets no limit.
    #[must_use]
    pub fn of_move(time: Option<Duration>) -> Watch {
        Watch {
            move_time: time,
            ..Watch::new(Limit::default())
        }
    }

    /// Begins a move. By a clock it may take an even share of what is left and most of the
    /// increment, and never more than half of what is left.
    #[must_use]
    pub fn start(&self) -> MoveTime {
        let by_clock = self.clock.map(|clock| {
            let share = self.left / MOVES_TO_COME + clock.increment * 3 / 4;
            share.min(self.left / 2 + clock.increment / 4)
        });
        MoveTime {
            start: Instant::now(),
            allowed: by_clock.into_iter().chain(self.move_time).min(),
        }
    }

    /// Ends a move, and returns whether it was late: beyond the clock, or beyond its milliseconds
    /// by more than a tenth and 50 ms. A clock that has run out starts again from 0.
    pub fn stop(&mut self, time: MoveTime) -> bool {
        let spent = time.start.elapsed();
        let mut is_late = self
            .move_time
            .is_some_and(|allowed| spent > allowed + allowed / 10 + GRACE);
        if let Some(clock) = self.clock {
            is_late |= spent > self.left;
            self.left = self.left.saturating_sub(spent) + clock.increment;
        }
        is_late
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_read_and_written_alike() {
        for text in ["60+1", "0.5+0.25", "0+3"] {
            let clock: GameClock = text.parse().unwrap();
            assert_eq!(clock.to_string(), text);
        }
        for text in [
            "", "60", "60+", "+1", "-1+2", "0+0", "a+b", "1e400+1", "nan+1",
        ] {
            assert!(text.parse::<GameClock>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_move_takes_a_share_of_the_clock_and_never_all_of_it() {
        let clock: GameClock = "50+4".parse().unwrap();
        let watch = Watch::new(Limit {
            clock: Some(clock),
            ..Limit::default()
        });
        // 50 / 25 + 3.
        assert_eq!(watch.start().allowed, Some(Duration::from_secs(5)));
        let short = Watch {
            left: Duration::from_secs(1),
            ..watch
        };
        // Not 0.04 + 3, but half of what is left and a part of the increment.
        assert_eq!(short.start().allowed, Some(Duration::from_millis(1500)));
        let free = Watch::new(Limit::default());
        assert_eq!(free.start().allowed, None);
        let by_move = Watch::new(Limit {
            ms: Some(20),
            ..Limit::default()
        });
        assert_eq!(by_move.start().allowed, Some(Duration::from_millis(20)));
    }

    #[test]
    fn a_clock_that_runs_out_is_told() {
        let clock = "0.001+0".parse().unwrap();
        let mut watch = Watch::new(Limit {
            clock: Some(clock),
            ..Limit::default()
        });
        let mut time = watch.start();
        time.start -= Duration::from_secs(1);
        assert!(watch.stop(time));
        assert_eq!(watch.left, Duration::ZERO);
    }
}
