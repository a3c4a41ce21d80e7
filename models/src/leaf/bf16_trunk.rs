//! The trunk of the residual network in bf16: weights and the inputs of each convolution are rounded
//! to 8 significant bits, sums and what the blocks add to stay in 32-bit floats.
//!
//! Boards lie in memory as in the exact [`trunk`](super::trunk), but a cell's channels are padded
//! to whole cache lines. Tile instructions need rows at equal distances, so with them all cells of
//! a chunk are computed in one row, those of the borders too, and what comes out for a border is
//! replaced by 0.

use super::amx::Tiles;
use super::bf16::{self, BLOCK, Sums, TILE_DEPTH, TILE_SIDE, TileRow, to_bf16};
use super::boards::Boards;
use super::pack::Folded;
use super::pooling::{self, Pooling};
use super::{InstructionSet, avx512_bf16};
use crate::Weights;
use std::arch::x86_64::{
    __m512i, _mm512_add_ps, _mm512_cvtne2ps_pbh, _mm512_loadu_ps, _mm512_maskz_max_ps,
    _mm512_setzero_ps, _mm512_storeu_ps, _mm512_storeu_si512,
};
use std::ops::Range;

#[derive(Debug)]
pub(super) struct Bf16Trunk {
    n_planes: usize,
    stem: Convolution,
    blocks: Vec<Block>,
    instructions: InstructionSet,
    /// Whether cells are computed in whole blocks, one after another.
    in_whole_blocks: bool,
    /// The cells that are computed, in ascending order.
    cells: Vec<usize>,
    /// For each cell of a chunk, whether it is on a board: a bit for each of 16 outputs.
    on_board: Vec<u16>,
}

#[derive(Debug)]
struct Block {
    first: Convolution,
    second: Convolution,
    pooling: Option<Pooling>,
}

#[derive(Debug, Default)]
pub(super) struct Buffers {
    /// `[cells][planes / 32]`.
    observations: Vec<TileRow>,
    /// `[cells][channels / 32]`: the features, rounded.
    rounded: Vec<TileRow>,
    /// The same in the middle of a block.
    middle: Vec<TileRow>,
    /// In the form of the features: what global pooling adds.
    added: Vec<f32>,
    pooling: pooling::Buffers,
}

/// A 3x3 convolution with a bias, packed for blocks of sums.
#[derive(Debug)]
struct Convolution {
    /// Tile rows of a cell of the input, and of the output.
    n_input_rows: usize,
    n_output_rows: usize,
    /// Pairs of inputs in use in each tile row.
    n_pairs: usize,
    /// `[outputs / 32][places of the window][inputs / 32]` pairs of tiles.
    weights: Vec<TileRow>,
    bias: Vec<f32>,
    /// From a cell to the inputs of each step, in bytes.
    offsets: Vec<isize>,
}

/// What becomes of sums and bias.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Into {
    /// They are rounded only.
    Rounded,
    /// They are added to something that stays as it is, and rounded.
    AddedAndRounded,
    /// They are the features, which are kept beside their rounded form.
    Features,
    /// They are added to the features.
    AddedToFeatures,
}

impl Bf16Trunk {
    /// From weights that are known to fit `(n_blocks, hexagonal, n_planes)`.
    pub fn new(
        (n_blocks, hexagonal, n_planes): (usize, bool, usize),
        weights: &Weights,
        boards: &Boards,
        instructions: InstructionSet,
    ) -> Bf16Trunk {
        // The first and the last place of a hexagonal window have no weight.
        let places = if hexagonal { 1..8 } else { 0..9 };
        let pack =
            |name: &str| Convolution::pack(&Folded::new(weights, name), places.clone(), boards);
        let stem = pack("stem");
        let n_stored = TILE_DEPTH * stem.n_output_rows;
        let half = |block: usize, half: &str| pack(&format!("blocks.{block}.{half}"));
        let mut on_board = vec![0; n_run(boards.n_positions(), boards) + BLOCK];
        for &centre in &boards.centres {
            on_board[centre] = u16::MAX;
        }
        let in_whole_blocks = instructions == InstructionSet::AmxBf16;
        let cells = if in_whole_blocks {
            // The first cells are border.
            (margin(boards)..on_board.len()).collect()
        } else {
            boards.centres.clone()
        };
        Bf16Trunk {
            n_planes,
            stem,
            blocks: (0..n_blocks)
                .map(|block| Block {
                    first: half(block, "first"),
                    second: half(block, "second"),
                    pooling: Pooling::new(weights, &format!("blocks.{block}.pooled"), n_stored),
                })
                .collect(),
            instructions,
            in_whole_blocks,
            cells,
            on_board,
        }
    }

    /// How many channels a cell of the features takes, with padding.
    pub fn n_stored(&self) -> usize {
        TILE_DEPTH * self.stem.n_output_rows
    }

    /// Floats of the features of a chunk.
    pub fn n_features(&self) -> usize {
        self.on_board.len() * self.n_stored()
    }

    /// Writes the features of observations `[positions, C, H, W]` onto padded boards,
    /// `[positions][H + 2][W + 2][channels]`; what it leaves on the borders has no meaning.
    pub fn forward(
        &self,
        boards: &Boards,
        observations: &[f32],
        features: &mut [f32],
        buffers: &mut Buffers,
    ) {
        let margin = margin(boards);
        let n_cells = self.on_board.len() + 2 * margin;
        let Buffers {
            observations: planes,
            rounded,
            middle,
            added,
            pooling: pooled,
        } = buffers;
        planes.resize(n_cells * self.stem.n_input_rows, TileRow::ZERO);
        rounded.resize(n_cells * self.stem.n_output_rows, TileRow::ZERO);
        middle.resize(n_cells * self.stem.n_output_rows, TileRow::ZERO);
        for (board, centres) in boards.each(observations, self.n_planes) {
            for (plane, values) in board.chunks_exact(boards.n_cells()).enumerate() {
                let (row, number) = (plane / TILE_DEPTH, plane % TILE_DEPTH);
                for (&value, centre) in values.iter().zip(centres) {
                    let cell = (margin + centre) * self.stem.n_input_rows;
                    planes[cell + row].0[number] = to_bf16(value);
                }
            }
        }

        let n_positions = observations.len() / (self.n_planes * boards.n_cells());
        let n_computed = if self.in_whole_blocks {
            // The last cells are border, too.
            (n_run(n_positions, boards) - 2 * margin).next_multiple_of(BLOCK)
        } else {
            n_positions * boards.n_cells()
        };
        let run = Run {
            multiplier: match self.instructions {
                InstructionSet::AmxBf16 => Multiplier::Tiles(Tiles::take()),
                _ => Multiplier::Vectors,
            },
            margin,
            cells: &self.cells[..n_computed],
            on_board: &self.on_board,
        };
        run.convolve(&self.stem, planes, rounded, features, Into::Features);
        for block in &self.blocks {
            match &block.pooling {
                None => run.convolve(&block.first, rounded, middle, features, Into::Rounded),
                Some(pooling) => {
                    added.resize(features.len(), 0.0);
                    let positions = (boards, n_positions);
                    pooling.apply(self.instructions, positions, features, added, pooled);
                    let into = Into::AddedAndRounded;
                    run.convolve(&block.first, rounded, middle, added, into);
                }
            }
            let into = Into::AddedToFeatures;
            run.convolve(&block.second, middle, rounded, features, into);
        }
    }
}

/// Cells of so many padded boards.
fn n_run(n_positions: usize, boards: &Boards) -> usize {
    n_positions * boards.n_padded_cells()
}

/// From a cell to the first of the nine around it.
fn margin(boards: &Boards) -> usize {
    boards.padded_width() + 1
}

impl Convolution {
    fn pack(folded: &Folded<'_>, places: Range<usize>, boards: &Boards) -> Convolution {
        let [n_outputs, n_inputs] = folded.shape();
        let n_input_rows = n_inputs.div_ceil(TILE_DEPTH);
        let n_output_rows = n_outputs.div_ceil(BLOCK);
        let mut weights = Vec::with_capacity(n_output_rows * places.len() * n_input_rows * BLOCK);
        for pair in 0..n_output_rows {
            for place in places.clone() {
                for (input_row, tile, row) in rows_of_tiles(n_input_rows) {
                    let output = pair * BLOCK + tile * TILE_SIDE;
                    let input = input_row * TILE_DEPTH + 2 * row;
                    weights.push(TileRow(std::array::from_fn(|i| {
                        let (output, input) = (output + i / 2, input + i % 2);
                        if output < n_outputs && input < n_inputs {
                            to_bf16(folded.weight(output, input, place))
                        } else {
                            0
                        }
                    })));
                }
            }
        }
        let mut bias = folded.biases().to_vec();
        bias.resize(n_output_rows * BLOCK, 0.0);
        let offsets = places.clone().flat_map(|place| {
            let cells = (place / 3 * boards.padded_width() + place % 3) as isize;
            let first = (cells - margin(boards) as isize) * n_input_rows as isize;
            (0..n_input_rows as isize).map(move |row| (first + row) * size_of::<TileRow>() as isize)
        });
        Convolution {
            n_input_rows,
            n_output_rows,
            n_pairs: n_inputs.min(TILE_DEPTH).div_ceil(2),
            weights,
            bias,
            offsets: offsets.collect(),
        }
    }
}

/// The rows of pairs of tiles in their order: tile row of the input's cell, half of the pair, row.
fn rows_of_tiles(n_input_rows: usize) -> impl Iterator<Item = (usize, usize, usize)> {
    (0..n_input_rows * BLOCK).map(|row| {
        let in_pair = row % BLOCK;
        (row / BLOCK, in_pair / TILE_SIDE, in_pair % TILE_SIDE)
    })
}

/// The cells of some boards, with everything that convolutions of them share.
struct Run<'a> {
    multiplier: Multiplier,
    /// Cells of the input before the first one, and at least so many after the last.
    margin: usize,
    cells: &'a [usize],
    on_board: &'a [u16],
}

/// How blocks of sums are computed.
enum Multiplier {
    /// Of cells one after another, in whole blocks.
    Tiles(Tiles),
    /// Of any cells.
    Vectors,
}

impl Run<'_> {
    /// `features` is what the sums become, or what they are added to, as `into` says.
    fn convolve(
        &self,
        convolution: &Convolution,
        input: &[TileRow],
        output: &mut [TileRow],
        features: &mut [f32],
        into: Into,
    ) {
        let (n_input_rows, n_output_rows) = (convolution.n_input_rows, convolution.n_output_rows);
        let end = self.cells.last().map_or(0, |last| last + 1);
        assert!(end <= self.on_board.len());
        assert!((end + 2 * self.margin) * n_input_rows <= input.len());
        let n_weights = convolution.offsets.len() * BLOCK;
        let mut sums = Sums([[0.0; BLOCK]; BLOCK]);
        for (pair, tiles) in convolution.weights.chunks_exact(n_weights).enumerate() {
            let weights = bf16::Weights {
                offsets: &convolution.offsets,
                tiles,
                n_pairs: convolution.n_pairs,
            };
            let bias = &convolution.bias[pair * BLOCK..][..BLOCK];
            for cells in self.cells.chunks(BLOCK) {
                // SAFETY: the nine cells around each of the block's lie within the input, as the
                // assertion says, and the machine has the instructions.
                unsafe {
                    match &self.multiplier {
                        Multiplier::Tiles(instructions) => {
                            let first = (self.margin + cells[0]) * n_input_rows;
                            let row_bytes = n_input_rows * size_of::<TileRow>();
                            let input = input.as_ptr().add(first);
                            instructions.multiply(input, row_bytes, weights, &mut sums);
                        }
                        Multiplier::Vectors => {
                            let input = input.as_ptr().add(self.margin * n_input_rows);
                            avx512_bf16::multiply(input, cells, n_input_rows, weights, &mut sums);
                        }
                    }
                }
                let mut finish = Finish {
                    sums: &sums,
                    bias,
                    cells,
                    on_board: self.on_board,
                    stride: n_output_rows,
                    output: &mut output[self.margin * n_output_rows + pair..],
                    features: &mut features[pair * BLOCK..],
                };
                // SAFETY: the machine has these instructions.
                unsafe {
                    match into {
                        Into::Rounded => finish.write::<false, false>(),
                        Into::AddedAndRounded => finish.write::<false, true>(),
                        Into::Features => finish.write::<true, false>(),
                        Into::AddedToFeatures => finish.write::<true, true>(),
                    }
                }
            }
        }
    }
}

/// A block of sums on its way to the output.
struct Finish<'a> {
    sums: &'a Sums,
    bias: &'a [f32],
    /// Where the rows go.
    cells: &'a [usize],
    on_board: &'a [u16],
    /// Tile rows of a cell of the output; a cell of the features has 32 times as many floats.
    stride: usize,
    output: &'a mut [TileRow],
    features: &'a mut [f32],
}

impl Finish<'_> {
    /// Adds the bias, and the features if they `ADD`, makes what is negative 0 and rounds; writes
    /// the features too if it is to `KEEP` them.
    #[target_feature(enable = "avx512f,avx512bw,avx512bf16")]
    fn write<const KEEP: bool, const ADD: bool>(&mut self) {
        let last = self.cells.iter().copied().max().unwrap_or(0);
        assert!(self.bias.len() == BLOCK && last < self.on_board.len());
        assert!(last * self.stride < self.output.len());
        assert!(last * self.stride * BLOCK + BLOCK <= self.features.len());
        let zero = _mm512_setzero_ps();
        // SAFETY: all pointers stay within the slices, by the assertions above.
        unsafe {
            let bias = [0, 16].map(|half| _mm512_loadu_ps(self.bias.as_ptr().add(half)));
            for (sums, &cell) in self.sums.0.iter().zip(self.cells) {
                let on_board = *self.on_board.as_ptr().add(cell);
                let features = self.features.as_mut_ptr().add(cell * self.stride * BLOCK);
                let mut halves = [zero; 2];
                for half in 0..2 {
                    let sum = _mm512_loadu_ps(sums.as_ptr().add(16 * half));
                    let mut sum = _mm512_add_ps(sum, bias[half]);
                    if ADD {
                        sum = _mm512_add_ps(sum, _mm512_loadu_ps(features.add(16 * half)));
                    }
                    halves[half] = _mm512_maskz_max_ps(on_board, sum, zero);
                    if KEEP {
                        _mm512_storeu_ps(features.add(16 * half), halves[half]);
                    }
                }
                let rounded = _mm512_cvtne2ps_pbh(halves[1], halves[0]);
                let output = self.output.as_mut_ptr().add(cell * self.stride);
                let rounded: __m512i = std::mem::transmute(rounded);
                _mm512_storeu_si512(output.cast(), rounded);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{NetworkConfig, NetworkShape};
    use rand::RngExt;
    use tablero_env::PolicyForm;
    use tablero_env::random::stream;

    /// The order of cells that tiles need, on machines without tiles too.
    #[test]
    fn whole_blocks_of_cells_say_the_same_as_the_cells_of_the_boards() {
        if !avx512_bf16::is_available() {
            return;
        }
        for [planes, height, width] in [[3, 1, 1], [7, 3, 5], [40, 9, 4], [20, 16, 16]] {
            for (channels, global_pooling) in [(24, false), (64, true)] {
                let config = NetworkConfig::Residual {
                    blocks: 2,
                    channels,
                    value_hidden: 8,
                    hexagonal: false,
                    global_pooling,
                };
                let shape = NetworkShape {
                    observation: [planes, height, width],
                    policy_planes: 2,
                    policy_form: PolicyForm::Ways,
                    points: false,
                    features: None,
                };
                let weights = Weights::init(&config, &shape, 1).unwrap();
                let boards = Boards::new(&shape);
                let [vectors, tiles] = [InstructionSet::Avx512Bf16, InstructionSet::AmxBf16]
                    .map(|set| Bf16Trunk::new((2, false, planes), &weights, &boards, set));
                let tiles = Bf16Trunk {
                    instructions: InstructionSet::Avx512Bf16,
                    ..tiles
                };
                for n_positions in [1, boards.n_positions()] {
                    let mut rng = stream(2, "observations", n_positions as u64);
                    let observations: Vec<f32> = (0..n_positions * planes * height * width)
                        .map(|_| rng.random_range(-1.0..1.0))
                        .collect();
                    let features = |trunk: &Bf16Trunk| -> Vec<u32> {
                        let mut features = vec![0.0; trunk.n_features()];
                        let mut buffers = Buffers::default();
                        trunk.forward(&boards, &observations, &mut features, &mut buffers);
                        let cells = &boards.centres[..n_positions * boards.n_cells()];
                        let n_stored = trunk.n_stored();
                        cells
                            .iter()
                            .flat_map(|cell| &features[cell * n_stored..][..n_stored])
                            .map(|feature| feature.to_bits())
                            .collect()
                    };
                    let expected = features(&vectors);
                    assert!(expected.iter().any(|&bits| bits != 0));
                    assert!(features(&tiles) == expected, "{shape:?}, {n_positions}");
                }
            }
        }
    }
}
