//! What a position is made of: cells and sets of them, pieces and stacks, and actions, which put a
//! piece on a cell.

pub(super) mod action;
pub(super) mod cell;
pub(super) mod cell_set;
pub(super) mod frame;
pub(super) mod key;
pub(super) mod piece;
pub(super) mod stacks;
pub(super) mod symmetry;
