//! Laws of the search.

mod decision;
mod evaluators;
mod every_game;
mod forced;
mod golden;
mod gumbel;
mod laws;
mod leaves;
mod lockstep;
mod points_of_view;
mod positions;
mod reports;
mod solved_boards;
mod solver;
mod symmetries;
