//! The next batch, drawn while the step before it computes.

use std::sync::mpsc::sync_channel;
use std::thread;

/// Calls `body` with the items. If `is_ahead`, a thread of its own makes them, at most two more than `body`
/// has taken; it ends with `body`.
///
/// # Panics
/// If making an item does.
pub(super) fn taken_ahead<T: Send, R>(
    is_ahead: bool,
    mut items: impl Iterator<Item = T> + Send,
    body: impl FnOnce(&mut dyn Iterator<Item = T>) -> R,
) -> R {
    if !is_ahead {
        return body(&mut items);
    }
    thread::scope(|scope| {
        let (send, receive) = sync_channel(1);
        scope.spawn(move || {
            for item in items {
                if send.send(item).is_err() {
                    break;
                }
            }
        });
        body(&mut receive.into_iter())
    })
}

#[cfg(test)]
mod tests {
    use super::taken_ahead;
    use std::sync::atomic::{AtomicU32, Ordering};

    #[test]
    fn items_are_the_same_ahead() {
        for is_ahead in [false, true] {
            let squares = (0..1000).map(|i| i * i);
            let sum = taken_ahead(is_ahead, squares, |items| items.sum::<u64>());
            assert_eq!(sum, 332_833_500);
        }
    }

    #[test]
    fn no_more_are_made_once_the_body_has_ended() {
        let n_made = AtomicU32::new(0);
        let items = (0..1000).inspect(|_| {
            n_made.fetch_add(1, Ordering::Relaxed);
        });
        let first = taken_ahead(true, items, |items| items.take(3).count());
        let n_made = n_made.into_inner();
        assert_eq!(first, 3);
        assert!((3..=5).contains(&n_made), "{n_made}");
    }

    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn what_panics_ahead_is_not_lost() {
        let items = (0..10).inspect(|&i| assert!(i < 5));
        taken_ahead(true, items, |items| items.count());
    }
}
