//! The aspiration window: an iteration is first searched as if its score were known to be near
//! that of the one before (Slate and Atkin, "Chess 4.5", 1977), which cuts more. A score outside
//! is only a bound, so the window is widened on that side and the iteration searched again.

use super::units::INFINITY;
use crate::heuristic::MAX_EVALUATION;

/// Scores of an iteration that are believed possible, both ends excluded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Window {
    pub(super) alpha: i32,
    pub(super) beta: i32,
    /// How far the next widening reaches.
    step: i32,
}

impl Window {
    pub(super) const FULL: Window = Window {
        alpha: -INFINITY,
        beta: INFINITY,
        step: INFINITY,
    };

    /// The window for an iteration, given the scores of those before.
    ///
    /// Each game has its own unit of evaluation, so the width is taken from the scores themselves:
    /// how far they lately moved. A decided score gives no measure, nor do the first two.
    pub(super) fn around(scores: &[i32]) -> Window {
        let &[.., third, second, last] = scores else {
            return Window::FULL;
        };
        if [third, second, last]
            .iter()
            .any(|score| score.abs() >= MAX_EVALUATION)
        {
            return Window::FULL;
        }
        let step = 1 + (last - second).abs().max((second - third).abs());
        Window {
            alpha: last - step,
            beta: last + step,
            step: step * 2,
        }
    }

    /// The window to search again with, after a score on its edge or beyond; `None` if the score
    /// is inside and so exact.
    pub(super) fn widened(self, score: i32) -> Option<Window> {
        let reach = |step: i32| {
            if step < MAX_EVALUATION / 8 {
                step
            } else {
                INFINITY
            }
        };
        let step = self.step.saturating_mul(4);
        if score <= self.alpha {
            let alpha = score.saturating_sub(reach(self.step)).max(-INFINITY);
            Some(Window {
                alpha,
                step,
                ..self
            })
        } else if score >= self.beta {
            let beta = score.saturating_add(reach(self.step)).min(INFINITY);
            Some(Window { beta, step, ..self })
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::WIN_SCORE;

    #[test]
    fn a_window_holds_the_last_score_and_a_decided_one_opens_it() {
        let window = Window::around(&[0, 7, 5]);
        assert_eq!((window.alpha, window.beta), (-3, 13));
        for scores in [&[][..], &[1, 2], &[1, 2, WIN_SCORE], &[-WIN_SCORE, 2, 3]] {
            assert_eq!(Window::around(scores), Window::FULL);
        }
    }

    /// Any score is inside after a few steps, the decided ones too.
    #[test]
    fn widening_reaches_every_score() {
        for score in [
            -WIN_SCORE - 100,
            -70_000,
            -1,
            0,
            5,
            999_999,
            WIN_SCORE + 100,
        ] {
            let mut window = Window::around(&[3, 3, 3]);
            let mut n_widenings = 0;
            while let Some(wider) = window.widened(score.clamp(window.alpha, window.beta)) {
                assert!(wider.alpha <= window.alpha && wider.beta >= window.beta);
                window = wider;
                n_widenings += 1;
            }
            assert!(window.alpha < score && score < window.beta);
            assert!(n_widenings <= 10, "{score}: {n_widenings}");
        }
    }
}
