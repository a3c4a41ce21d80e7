//! What a game of your own implements.

use crate::games::no_parameters;
use crate::{ForFirst, ForMover, Outcome, Player};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;
use std::hash::Hash;

/// The rules of a two-player, zero-sum, perfect-information game, and what a network sees of it.
///
/// The items without a default make a game that every command plays, searches, trains and exports.
/// The others make it nicer to read, faster to learn or stronger; add them when you miss them.
/// Actions are numbers from 0 on. [`conformance::check`](crate::conformance::check) tells whether
/// the whole keeps the laws of a game.
///
/// # Examples
/// Players take one or two of some matches in turn; whoever takes the last wins.
/// ```
/// use tablero_env::{Games, OtherGame, Outcome, Player, Rules, conformance};
///
/// #[derive(Clone, Debug)]
/// struct Matches;
///
/// #[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
/// struct Heap {
///     left: u8,
///     to_move: Player,
/// }
///
/// impl Rules for Matches {
///     type State = Heap;
///     fn name(&self) -> &'static str {
///         "matches"
///     }
///     fn n_actions(&self) -> usize {
///         2
///     }
///     fn max_plies(&self) -> Option<usize> {
///         Some(10)
///     }
///     fn initial(&self) -> Heap {
///         Heap { left: 10, to_move: Player::First }
///     }
///     fn to_move(&self, heap: &Heap) -> Player {
///         heap.to_move
///     }
///     fn legal(&self, heap: &Heap) -> impl Iterator<Item = usize> {
///         0..2.min(heap.left.into())
///     }
///     fn play(&self, heap: &mut Heap, action: usize) {
///         heap.left -= action as u8 + 1;
///         heap.to_move = heap.to_move.opponent();
///     }
///     fn outcome(&self, heap: &Heap) -> Option<Outcome> {
///         (heap.left == 0).then(|| Outcome::won_by(Some(heap.to_move.opponent())))
///     }
///     fn observation_shape(&self) -> [usize; 3] {
///         [1, 1, 10]
///     }
///     fn observe(&self, heap: &Heap, planes: &mut [f32]) {
///         planes[..heap.left.into()].fill(1.0);
///     }
/// }
///
/// conformance::check(&OtherGame::new(Matches), 10, 0).unwrap();
/// Games::builtin().with(Matches).install();
/// assert_eq!(tablero_env::AnyGame::parse("matches").unwrap().spec(), "matches");
/// ```
pub trait Rules: Clone + Debug + Send + Sync + 'static {
    /// A position: all that the rules know of the game so far, such as how often a position has
    /// occurred where repetition is a draw. Equal states have the same future.
    type State: Clone + Eq + Hash + Debug + Serialize + DeserializeOwned + Send + Sync + 'static;

    /// The name in a spec: lower-case letters, digits and `-`, such as `connect-four`.
    fn name(&self) -> &'static str;

    /// The number of actions: each is below it.
    fn n_actions(&self) -> usize;

    /// No game has more plies than this. `None` where the rules end every game but give no bound of
    /// use: training then asks for a limit, and there is no exact solver.
    fn max_plies(&self) -> Option<usize>;

    /// The position before the first move, in which [`Player::First`] is to move.
    fn initial(&self) -> Self::State;

    /// Who moves next. The same player may move twice running.
    fn to_move(&self, state: &Self::State) -> Player;

    /// The legal actions of an unfinished position, each once, in any order; at least one.
    fn legal(&self, state: &Self::State) -> impl Iterator<Item = usize>;

    /// Plays a legal action.
    fn play(&self, state: &mut Self::State, action: usize);

    /// How the game has ended: [`Outcome::won_by`] or [`Outcome::from_points`]. `None` while it goes
    /// on.
    fn outcome(&self, state: &Self::State) -> Option<Outcome>;

    /// `[C, H, W]`: planes, rows and columns of what a network sees.
    fn observation_shape(&self) -> [usize; 3];

    /// Writes what the player to move sees into C planes of H rows of W columns, which are all 0:
    /// values in -1..=1.
    fn observe(&self, state: &Self::State, planes: &mut [f32]);

    // What a game may add.

    /// One line for people.
    fn summary(&self) -> &'static str {
        "A game of your own"
    }

    /// The rules for people: blank lines between paragraphs, `#` before a heading, `-` before an
    /// item of a list.
    fn rules_text(&self) -> &'static str {
        "This game comes without a text of its rules.\n"
    }

    /// The form of the parameters behind the colon of a spec, such as `WIDTHxHEIGHT`.
    fn parameters_form(&self) -> &'static str {
        "none"
    }

    /// The parameters of this value, as [`with_parameters`](Rules::with_parameters) reads them.
    fn parameters(&self) -> String {
        String::new()
    }

    /// The same game with these parameters.
    ///
    /// # Errors
    /// What was expected and what was got. By default any parameter is one too many.
    fn with_parameters(&self, text: &str) -> Result<Self, String> {
        no_parameters(text).map(|()| self.clone())
    }

    /// Raise it when a rule, the number of an action, the text of a state, a plane or a pattern
    /// changes its meaning: policies and runs of another version are refused.
    fn version(&self) -> u32 {
        1
    }

    /// The points of both players so far, in games that have points: always or never, and those of
    /// the outcome at the end.
    fn points(&self, state: &Self::State) -> Option<[i32; 2]> {
        let _ = state;
        None
    }

    /// The number of symmetries, the identity included, which has the number 0.
    fn n_symmetries(&self) -> usize {
        1
    }

    /// The state seen through a symmetry.
    fn transform(&self, symmetry: usize, state: &Self::State) -> Self::State {
        let _ = symmetry;
        state.clone()
    }

    /// What an action is called after [`transform`](Rules::transform).
    fn transform_action(&self, symmetry: usize, action: usize) -> usize {
        let _ = symmetry;
        action
    }

    /// The text of an action, by which it is read as well: of all actions of a position different,
    /// and no number unless its own.
    fn action_text(&self, state: &Self::State, action: usize) -> String {
        let _ = state;
        action.to_string()
    }

    /// The text of a state, on one line. By default its JSON.
    fn state_text(&self, state: &Self::State) -> String {
        serde_json::to_string(state).expect("a state has a JSON form")
    }

    /// Reads [`state_text`](Rules::state_text).
    ///
    /// # Errors
    /// What was expected and what was got.
    fn parse_state(&self, text: &str) -> Result<Self::State, String> {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }

    /// Whether a state that was read can occur, so that no method panics at it.
    ///
    /// # Errors
    /// What is wrong with it. Nothing by default.
    fn check_state(&self, state: &Self::State) -> Result<(), String> {
        let _ = state;
        Ok(())
    }

    /// The character of the drawing at a cell of the board, which has the rows and columns of an
    /// observation. By default a letter for the first plane that is not 0 there, as its mover sees it.
    fn cell(&self, state: &Self::State, row: usize, column: usize) -> char {
        let [planes, height, width] = self.observation_shape();
        let mut seen = vec![0.0; planes * height * width];
        self.observe(state, &mut seen);
        let mut at = seen[row * width + column..].iter().step_by(height * width);
        at.position(|&value| value != 0.0)
            .map_or('.', |plane| char::from(b'a' + (plane % 26) as u8))
    }

    /// The board for people. By default a grid of [`cell`](Rules::cell)s with numbered rows and
    /// columns.
    fn draw(&self, state: &Self::State) -> String {
        draw_grid(self, state)
    }

    /// One line for each plane of an observation: what it holds.
    fn plane_descriptions(&self) -> Vec<String> {
        let [planes, _, _] = self.observation_shape();
        (0..planes).map(|plane| format!("plane {plane}")).collect()
    }

    /// Groups of cells whose contents together are one fact for a sparse network, such as
    /// [`lines`] of four cells where four in a row win (n-tuples: Bledsoe and Browning 1959). A cell is
    /// `row * W + column`; its content is the first plane that is not 0 there. A pattern of n cells
    /// has `(C + 1)^n - 1` features. None by default: each cell is a fact of its own in any case.
    fn patterns(&self) -> Vec<Vec<usize>> {
        Vec::new()
    }

    /// How good an unfinished position looks, for minimax: the log-odds of a win in hundredths,
    /// below 1,000,000 either way. By default half a unit of log-odds for each point of the lead, and
    /// nothing in a game without points.
    fn evaluate(&self, state: &Self::State) -> ForFirst<i32> {
        let [first, second] = self.points(state).unwrap_or_default();
        ForFirst((first - second).saturating_mul(50).clamp(-999_999, 999_999))
    }

    /// A solver of your own with tables of about `table_mib` MiB at most, in a game without points.
    /// It answers `solve` and the oracle, and within a number of nodes it helps informed agents and the
    /// teacher of a run. By default alpha-beta with a table solves what it can finish.
    fn solver(&self, table_mib: usize) -> Option<Box<dyn ExactSolver<Self::State>>> {
        let _ = table_mib;
        None
    }
}

/// The drawing that [`Rules::draw`] makes where a game has none of its own.
pub fn draw_grid<R: Rules>(rules: &R, state: &R::State) -> String {
    let [_, height, width] = rules.observation_shape();
    let mut text = String::from("   ");
    (0..width).for_each(|column| text += &format!("{column:>2}"));
    for row in 0..height {
        text += &format!("\n{row:>2} ");
        (0..width).for_each(|column| text += &format!(" {}", rules.cell(state, row, column)));
    }
    text + "\n"
}

/// All straight lines of `length` cells on a board: rows, then columns, then both kinds of diagonals. A
/// cell is `row * width + column`, as in [`Rules::patterns`].
#[must_use]
pub fn lines(height: usize, width: usize, length: usize) -> Vec<Vec<usize>> {
    let cell = |row: isize, column: isize| {
        let (row, column) = (usize::try_from(row).ok()?, usize::try_from(column).ok()?);
        (row < height && column < width).then_some(row * width + column)
    };
    let mut lines = Vec::new();
    for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
        for first in 0..height * width {
            let (row, column) = ((first / width) as isize, (first % width) as isize);
            let steps = 0..length as isize;
            let line = steps.map(|step| cell(row + step * down, column + step * right));
            // None if it leaves the board.
            lines.extend(line.collect::<Option<Vec<usize>>>());
        }
    }
    lines
}

/// Finds exact results of a game without points, faster than alpha-beta over its [`Rules`] does.
pub trait ExactSolver<S>: Send {
    /// Whether [`value`](ExactSolver::value) would take no longer than anyone waits.
    fn is_in_reach(&self, state: &S) -> bool;

    /// The result under best play of an unfinished position: +1, 0 or -1. Calls `visit` at each
    /// position that it looks at, which may unwind: what is kept must be right at any time.
    fn value(&mut self, state: &S, visit: &mut dyn FnMut()) -> ForMover<i8>;
}
