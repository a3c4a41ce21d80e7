//! How far expected scores are from those that came true.

/// Scores expected and scores that came true, in ten bins by the former.
#[derive(Default)]
pub(super) struct Calibration([Bin; 10]);

#[derive(Default)]
struct Bin {
    n: u64,
    expected: f64,
    came_true: f64,
}

impl Calibration {
    /// Adds win, draw and loss of positions, `[B, 3]`, expected and to learn.
    pub(super) fn add(&mut self, expected: &[f32], targets: &[f32]) {
        let score = |wdl: &[f32]| f64::from(wdl[0]) + f64::from(wdl[1]) / 2.0;
        for (expected, target) in expected.chunks_exact(3).zip(targets.chunks_exact(3)) {
            let expected = score(expected);
            let bin = &mut self.0[((expected * 10.0) as usize).min(9)];
            bin.n += 1;
            bin.expected += expected;
            bin.came_true += score(target);
        }
    }

    pub(super) fn error(&self) -> f64 {
        let n: u64 = self.0.iter().map(|bin| bin.n).sum();
        let distances = self
            .0
            .iter()
            .map(|bin| (bin.expected - bin.came_true).abs());
        distances.sum::<f64>() / n.max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_head_that_is_as_often_right_as_it_says_is_calibrated() {
        let mut calibration = Calibration::default();
        // Says 75 %, and wins three of four; says 50 %, and always draws.
        for target in [
            [1.0, 0.0, 0.0],
            [1.0, 0.0, 0.0],
            [1.0, 0.0, 0.0],
            [0.0, 0.0, 1.0],
        ] {
            calibration.add(&[0.75, 0.0, 0.25], &target);
        }
        calibration.add(&[0.0, 1.0, 0.0], &[0.0, 1.0, 0.0]);
        assert!(calibration.error() < 1e-9);
        // Says 95 %, and loses.
        calibration.add(&[0.9, 0.1, 0.0], &[0.0, 0.0, 1.0]);
        assert!((calibration.error() - 0.95 / 6.0).abs() < 1e-6);
    }
}
