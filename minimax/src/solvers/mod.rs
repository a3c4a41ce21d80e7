//! Exact solvers, one file a game.
