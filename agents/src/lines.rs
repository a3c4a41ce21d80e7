//! Lines of a stranger: commands that come through standard input.

use std::io::{self, BufRead, Read};

/// Bytes of a line, its end not counted. Far beyond any game as text.
pub(crate) const LONGEST_LINE: usize = 1 << 20;

/// What was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// A line, which stands in the buffer. The last one may lack its end.
    Whole,
    /// A line of more than [`LONGEST_LINE`] bytes, which is skipped.
    TooLong,
    /// There are no more lines.
    End,
}

/// Reads a line into `buffer`, which it clears.
///
/// # Errors
/// If reading fails.
pub(crate) fn read_line(input: &mut impl BufRead, buffer: &mut Vec<u8>) -> io::Result<Line> {
    buffer.clear();
    let most = LONGEST_LINE as u64 + 1;
    let n_read = input.by_ref().take(most).read_until(b'\n', buffer)?;
    if n_read == 0 {
        return Ok(Line::End);
    }
    if n_read <= LONGEST_LINE || buffer.ends_with(b"\n") {
        return Ok(Line::Whole);
    }
    buffer.clear();
    input.skip_until(b'\n')?;
    Ok(Line::TooLong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_beyond_the_bound_is_skipped_and_those_after_it_are_read() {
        let fits = "a".repeat(LONGEST_LINE);
        let text = format!("{fits}\n{fits}b\nlast");
        let (mut input, mut buffer) = (text.as_bytes(), Vec::new());
        let mut next = || read_line(&mut input, &mut buffer).map(|line| (line, buffer.len()));
        assert_eq!(next().unwrap(), (Line::Whole, LONGEST_LINE + 1));
        assert_eq!(next().unwrap(), (Line::TooLong, 0));
        assert_eq!(next().unwrap(), (Line::Whole, 4));
        assert_eq!(next().unwrap(), (Line::End, 0));
    }
}
