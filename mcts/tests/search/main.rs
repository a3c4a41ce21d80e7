//! Laws of the search, on Dots and Boxes.

mod evaluators;
mod golden;
mod laws;
mod lockstep;
mod points_of_view;
mod positions;
mod reports;
mod solver;
