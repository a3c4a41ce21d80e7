//! The transforms of a tile, written once and expanded for each set of instructions.

/// Defines `KERNELS`, [`Kernels`](super::tiles::Kernels) that take `width` channels at a time.
macro_rules! tile_kernels {
    (
        $(feature: $feature:literal,)?
        vector: $vector:ty,
        width: $width:literal,
        load: $load:path,
        store: $store:path,
        add: $add:path,
        subtract: $subtract:path $(,)?
    ) => {
        use super::tiles::{Cells, Kernels, Places};
        use crate::leaf::PANEL;

        pub(super) static KERNELS: Kernels = Kernels {
            inputs,
            gradients,
            outputs,
        };

        /// `Bᵗ d`.
        $(#[target_feature(enable = $feature)])?
        #[inline]
        fn along_inputs([a, b, c, d]: [$vector; 4]) -> [$vector; 4] {
            [$subtract(a, c), $add(b, c), $subtract(c, b), $subtract(d, b)]
        }

        /// `A y`.
        $(#[target_feature(enable = $feature)])?
        #[inline]
        fn along_outputs_back([a, b]: [$vector; 2]) -> [$vector; 4] {
            [a, $add(a, b), $subtract(a, b), b]
        }

        /// `Aᵗ m`.
        $(#[target_feature(enable = $feature)])?
        #[inline]
        fn along_outputs([a, b, c, d]: [$vector; 4]) -> [$vector; 2] {
            [$add($add(a, b), c), $add($subtract(b, c), d)]
        }

        $(#[target_feature(enable = $feature)])?
        unsafe fn inputs(cells: Cells<*const f32>, places: Places<*mut f32>, n_panels: usize) {
            // SAFETY: as the caller promises.
            unsafe {
                for vector in 0..n_panels * (PANEL / $width) {
                    let first = cells.first.add(vector * $width);
                    let at = |row: usize, col: usize| {
                        $load(first.add(row * cells.to_next_row + col * cells.to_next_col))
                    };
                    let mut columns = [[at(0, 0); 4]; 4];
                    for col in 0..4 {
                        columns[col] =
                            along_inputs([at(0, col), at(1, col), at(2, col), at(3, col)]);
                    }
                    let first = places.first.add(vector * $width);
                    for row in 0..4 {
                        let values = along_inputs([
                            columns[0][row],
                            columns[1][row],
                            columns[2][row],
                            columns[3][row],
                        ]);
                        for col in 0..4 {
                            $store(first.add((4 * row + col) * places.to_next), values[col]);
                        }
                    }
                }
            }
        }

        $(#[target_feature(enable = $feature)])?
        unsafe fn gradients(cells: Cells<*const f32>, places: Places<*mut f32>, n_panels: usize) {
            // SAFETY: as the caller promises.
            unsafe {
                for vector in 0..n_panels * (PANEL / $width) {
                    let first = cells.first.add(vector * $width);
                    let at = |row: usize, col: usize| {
                        $load(first.add(row * cells.to_next_row + col * cells.to_next_col))
                    };
                    let columns = [
                        along_outputs_back([at(0, 0), at(1, 0)]),
                        along_outputs_back([at(0, 1), at(1, 1)]),
                    ];
                    let first = places.first.add(vector * $width);
                    for row in 0..4 {
                        let values = along_outputs_back([columns[0][row], columns[1][row]]);
                        for col in 0..4 {
                            $store(first.add((4 * row + col) * places.to_next), values[col]);
                        }
                    }
                }
            }
        }

        $(#[target_feature(enable = $feature)])?
        unsafe fn outputs(
            places: Places<*const f32>,
            cells: Cells<*mut f32>,
            [n_rows, n_cols]: [usize; 2],
            n_panels: usize,
        ) {
            // SAFETY: as the caller promises.
            unsafe {
                for vector in 0..n_panels * (PANEL / $width) {
                    let first = places.first.add(vector * $width);
                    let at = |row: usize, col: usize| {
                        $load(first.add((4 * row + col) * places.to_next))
                    };
                    let mut columns = [[at(0, 0); 2]; 4];
                    for col in 0..4 {
                        columns[col] =
                            along_outputs([at(0, col), at(1, col), at(2, col), at(3, col)]);
                    }
                    let first = cells.first.add(vector * $width);
                    for row in 0..n_rows {
                        let values = along_outputs([
                            columns[0][row],
                            columns[1][row],
                            columns[2][row],
                            columns[3][row],
                        ]);
                        for col in 0..n_cols {
                            let cell = row * cells.to_next_row + col * cells.to_next_col;
                            $store(first.add(cell), values[col]);
                        }
                    }
                }
            }
        }
    };
}

pub(super) use tile_kernels;
