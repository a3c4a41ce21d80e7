//! The board as sets of open (undrawn) edges in one word.

use tablero_env::dots_and_boxes::DotsAndBoxes;

/// A set of open edges, bit e for the edge with action id e. It is all that the rest of a game
/// depends on: who drew what, and who took which box, makes no difference.
pub(super) type Open = u64;

/// The sides of every box as sets of edges.
#[derive(Clone, Debug)]
pub(super) struct Lines {
    pub(super) n_edges: usize,
    /// The four sides of each box.
    pub(super) boxes: Vec<Open>,
    /// `bordering[e]`: the sides of the one or two boxes that edge e borders; 0 for none.
    pub(super) bordering: Vec<[Open; 2]>,
}

impl Lines {
    /// `None` if the board has more than 64 edges, which is more than one word holds.
    pub(super) fn new(game: &DotsAndBoxes) -> Option<Self> {
        if game.n_edges() > Open::BITS as usize {
            return None;
        }
        let boxes: Vec<Open> = (0..game.n_boxes())
            .map(|id| {
                let sides = game.sides(id / game.cols(), id % game.cols());
                sides.iter().fold(0, |set, &side| set | 1 << side)
            })
            .collect();
        let mut bordering = vec![[0; 2]; game.n_edges()];
        for &sides in &boxes {
            for edge in edges(sides) {
                let free = usize::from(bordering[edge][0] != 0);
                bordering[edge][free] = sides;
            }
        }
        Some(Lines {
            n_edges: game.n_edges(),
            boxes,
            bordering,
        })
    }

    /// The boxes with an open side.
    pub(super) fn n_unfinished(&self, open: Open) -> i32 {
        self.boxes
            .iter()
            .filter(|&&sides| sides & open != 0)
            .count() as i32
    }

    /// How many boxes are completed by the edge that was just removed from `open`.
    #[inline]
    pub(super) fn completed_by(&self, edge: usize, open: Open) -> i32 {
        let completes = |sides: Open| i32::from(sides != 0 && sides & open == 0);
        let [one, other] = self.bordering[edge];
        completes(one) + completes(other)
    }
}

/// The edges of a set, ascending.
pub(super) fn edges(mut set: Open) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let edge = set.trailing_zeros() as usize;
            set &= set - 1;
            edge
        })
    })
}
