//! Laws of the search.

mod evaluators;
mod every_game;
mod golden;
mod gumbel;
mod laws;
mod lockstep;
mod noise;
mod points_of_view;
mod positions;
mod proofs;
mod reports;
mod solved_boards;
mod solver;
