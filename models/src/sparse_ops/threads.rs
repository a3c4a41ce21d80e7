//! Work cut into one part a thread.

use std::ops::Range;

/// Runs `work` on each part, all but the first on threads of their own, and returns what they
/// made, in the order of the parts.
pub(super) fn in_parallel<Part: Send, Made: Send>(
    parts: Vec<Part>,
    work: impl Fn(Part) -> Made + Sync,
) -> Vec<Made> {
    let work = &work;
    std::thread::scope(|scope| {
        let mut parts = parts.into_iter();
        let Some(first) = parts.next() else {
            return Vec::new();
        };
        let others: Vec<_> = parts.map(|part| scope.spawn(move || work(part))).collect();
        let mut made = vec![work(first)];
        made.extend(others.into_iter().map(|thread| match thread.join() {
            Ok(made) => made,
            Err(panic) => std::panic::resume_unwind(panic),
        }));
        made
    })
}

/// At most `n_parts` ranges that together are `0..n`, of about the same size.
pub(super) fn ranges(n: usize, n_parts: usize) -> Vec<Range<usize>> {
    let n_parts = n_parts.clamp(1, n.max(1));
    let start = |part: usize| part * n / n_parts;
    (0..n_parts)
        .map(|part| start(part)..start(part + 1))
        .collect()
}

/// A slice cut into pieces of these lengths times `width`.
pub(super) fn pieces<'a>(
    mut values: &'a mut [f32],
    ranges: &[Range<usize>],
    width: usize,
) -> Vec<&'a mut [f32]> {
    ranges
        .iter()
        .map(|range| {
            let rest = std::mem::take(&mut values);
            let (piece, rest) = rest.split_at_mut(range.len() * width);
            values = rest;
            piece
        })
        .collect()
}
