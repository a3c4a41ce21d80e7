//! The baseline and the exact solvers: against plain minimax, against each other, and against
//! published values.

mod analyser;
mod common;
mod depths;
mod limits;
mod other_game;
mod proof_number;
mod proof_number_hive;
mod proof_number_repetition;
mod proofs;
mod quick;
mod solver_dots_and_boxes;
mod solver_ends;
mod solver_paper_soccer;
mod solver_queens;
mod solver_xadrersi;
mod threads;
