//! What a driver spends on one move.

/// How much a move is worth, and what for.
///
/// Playout cap randomisation (KataGo, Wu, 2019) is a driver that gives a few moves, drawn at
/// random, many simulations with noise, and the others few without: the few teach the policy,
/// the others only make the game go on, so that there are more games, and values, for the same
/// evaluations. KataGo draws one move in four, with 600 to 1,000 simulations against 100 to 200.
///
/// ```
/// use rand::RngExt;
/// use tablero_env::{Game, dots_and_boxes::DotsAndBoxes, random::stream};
/// use tablero_mcts::{Batch, Budget, Search, SearchParams, Uniform, run};
/// let game = DotsAndBoxes::new(3, 3).unwrap();
/// let params = SearchParams::default();
/// let mut search = Search::new(game.clone(), game.initial(), params, stream(1, "search", 0));
/// let (mut caps, mut batch) = (stream(1, "caps", 0), Batch::new());
/// let mut targets = Vec::new();
/// for _ in 0..10 {
///     let explores = caps.random_bool(0.25);
///     let n_simulations = if explores { 200 } else { 40 };
///     search.begin_move(Budget { n_simulations, explores });
///     run(std::slice::from_mut(&mut search), n_simulations, &mut Uniform, &mut batch);
///     if search.budget().explores {
///         targets.push(search.policy_target());
///     }
///     search.advance(search.best()).unwrap();
/// }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// The simulations until the move is chosen, visits inherited from before not counted.
    /// Gumbel halves its moves by this number. Drivers with [`run`](crate::run) or
    /// [`Batch::round`](crate::Batch::round) need not set it: these do.
    pub n_simulations: u32,
    /// Whether the root gets noise, as a move in self-play should whose
    /// policy becomes a training target. Default false.
    pub explores: bool,
}
