//! Times as the protocol writes them: `hh:mm:ss`.

use std::time::Duration;

/// Reads `hh:mm:ss`, the seconds with a fraction if need be; `None` for anything else.
pub(super) fn parse(text: &str) -> Option<Duration> {
    let mut parts = text.split(':');
    let (hours, minutes, seconds) = (parts.next()?, parts.next()?, parts.next()?);
    if parts.next().is_some() {
        return None;
    }
    let (seconds, fraction) = seconds.split_once('.').unwrap_or((seconds, "0"));
    let whole = [hours, minutes, seconds]
        .into_iter()
        .try_fold(0u64, |total, part| {
            total.checked_mul(60)?.checked_add(number(part)?)
        })?;
    // Nine digits are nanoseconds; what is finer makes no difference.
    let digits: String = fraction
        .chars()
        .chain("000000000".chars())
        .take(9)
        .collect();
    number(fraction)?;
    Duration::from_secs(whole).checked_add(Duration::from_nanos(number(&digits)?))
}

fn number(digits: &str) -> Option<u64> {
    let plain = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    plain.then(|| digits.parse().ok())?
}

/// Writes `hh:mm:ss`; a part of a second counts as a whole one, since engines differ in what
/// they read beyond.
pub(super) fn format(time: Duration) -> String {
    let seconds = time.as_secs() + u64::from(time.subsec_nanos() > 0);
    format!(
        "{:02}:{:02}:{:02}",
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hours_minutes_and_seconds_add_up() {
        for (text, ms) in [
            ("00:00:05", 5_000),
            ("01:01:01", 3_661_000),
            ("0:0:0", 0),
            ("00:00:00.25", 250),
            ("100:00:00", 360_000_000),
        ] {
            assert_eq!(parse(text), Some(Duration::from_millis(ms)), "{text}");
        }
        for text in [
            "",
            "5",
            "00:05",
            "00:00:00:05",
            "-1:00:00",
            "00:00:+5",
            "a:b:c",
            "::",
            "00:00:5.",
            "99999999999999999999:00:00",
            "18446744073709551615:59:59",
            "00:00:1.x",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_started_second_counts() {
        for (ms, text) in [
            (0, "00:00:00"),
            (1, "00:00:01"),
            (5_000, "00:00:05"),
            (3_661_001, "01:01:02"),
        ] {
            assert_eq!(format(Duration::from_millis(ms)), text);
        }
    }
}
