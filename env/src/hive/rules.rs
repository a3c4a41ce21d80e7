//! The rules: which actions are legal, what they do and how a game ends.

use super::board::action::{Action, N_ACTIONS};
use super::board::piece::{N_PIECES, N_PIECES_A_SIDE, Piece};
use super::config::{Hive, Opening};
use super::illegal::{Illegal, refusal};
use super::movement::moves::Moves;
use super::notation::SIDES;
use super::state::State;
use crate::{ActionId, Game, Outcome, Player};
use rand::{Rng, RngExt};
use serde::{Serialize, Serializer};
use std::fmt;

/// Where a piece came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    /// A piece came from the hand.
    Placed(Piece),
    /// A piece of the player went to another cell, by its own power or by a throw.
    Moved(Piece),
    /// A piece of the opponent was thrown.
    Thrown(Piece),
    /// Nothing else was legal.
    Passed,
}

/// What an action did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Played {
    /// What became of which piece.
    #[serde(serialize_with = "as_text")]
    pub deed: Deed,
    /// How the game ended, if it did.
    pub outcome: Option<Outcome>,
}

fn as_text<S: Serializer>(deed: &Deed, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(deed)
}

impl fmt::Display for Deed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Deed::Placed(piece) => write!(f, "{piece} placed"),
            Deed::Moved(piece) => write!(f, "{piece} moved"),
            Deed::Thrown(piece) => write!(f, "{piece} thrown"),
            Deed::Passed => f.write_str("passed"),
        }
    }
}

impl fmt::Display for Played {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.deed)?;
        match self.outcome.map(|outcome| outcome.winner) {
            None => Ok(()),
            Some(None) => f.write_str(", the game is drawn"),
            Some(Some(player)) => write!(f, ", {} wins", SIDES[player.index()]),
        }
    }
}

impl Game for Hive {
    type State = State;
    type Played = Played;
    type Illegal = Illegal;

    // 2: without a pillbug no piece is stunned.
    fn rules_version(&self) -> u32 {
        2
    }

    fn spec(&self) -> String {
        let opening = match self.opening {
            Opening::Tournament => "",
            Opening::Free => ",opening=free",
        };
        format!("hive:{}{opening}", self.game_type().to_ascii_lowercase())
    }

    fn n_actions(&self) -> usize {
        N_ACTIONS
    }

    fn max_plies(&self) -> Option<usize> {
        None
    }

    fn max_legal_actions(&self) -> usize {
        // Pieces land on the hive or beside it. A hive of n cells touches at most 2n + 4 empty
        // ones: the first has 6 neighbours, and each further cell takes one and adds three at
        // most. So each of the mover's pieces has at most the 2 * 27 + 4 cells beside the other
        // 27, and the 6 stacks around it; and two throwers throw 6 neighbours to 6 cells.
        N_PIECES_A_SIDE * (2 * 27 + 4 + 6) + 2 * 6 * 6
    }

    fn initial(&self) -> State {
        State::empty()
    }

    #[inline]
    fn player_to_move(&self, state: &State) -> Player {
        state.to_move()
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        match Player::BOTH.map(|player| state.is_surrounded(player)) {
            [true, true] => Some(Outcome::won_by(None)),
            [true, false] => Some(Outcome::won_by(Some(Player::Second))),
            [false, true] => Some(Outcome::won_by(Some(Player::First))),
            [false, false] => (state.n_occurrences() >= 3).then(|| Outcome::won_by(None)),
        }
    }

    #[inline]
    fn is_over(&self, state: &State) -> bool {
        let [first, second] = Player::BOTH.map(|player| state.is_surrounded(player));
        first | second | (state.n_occurrences() >= 3)
    }

    fn wins_at_once(&self, state: &State, legal: &[ActionId]) -> bool {
        let mover = state.to_move();
        let Some(last) = state.last_liberty(mover.opponent()) else {
            return false;
        };
        legal.iter().any(|&action| {
            matches!(Action::from_id(action), Some(Action::Put(_, cell)) if cell == last) && {
                let mut next = state.clone();
                self.play_unchecked(&mut next, action);
                next.is_surrounded(mover.opponent()) && !next.is_surrounded(mover)
            }
        })
    }

    fn legal_actions(&self, state: &State, out: &mut Vec<ActionId>) {
        out.clear();
        if self.is_over(state) {
            return;
        }
        let mut moves = Moves::new(self, state);
        for piece in moves.pieces() {
            for cell in moves.of(piece).cells.iter() {
                out.push(Action::Put(piece, cell).id());
            }
        }
        if out.is_empty() {
            out.push(Action::Pass.id());
        }
    }

    #[inline]
    fn n_legal_actions(&self, state: &State, _buffer: &mut Vec<ActionId>) -> usize {
        if self.is_over(state) {
            return 0;
        }
        // With no move there is the pass.
        Moves::new(self, state).count().max(1)
    }

    fn legality(&self, state: &State, action: ActionId) -> Result<(), Illegal> {
        if self.is_legal(state, action) {
            Ok(())
        } else {
            Err(refusal(self, state, action))
        }
    }

    fn is_legal(&self, state: &State, action: ActionId) -> bool {
        if self.is_over(state) {
            return false;
        }
        match Action::from_id(action) {
            None => false,
            Some(Action::Pass) => Moves::new(self, state).count() == 0,
            Some(Action::Put(piece, cell)) => {
                Moves::new(self, state).of(piece).cells.contains(cell)
            }
        }
    }

    fn play(&self, state: &mut State, action: ActionId) -> Result<Played, Illegal> {
        self.legality(state, action)?;
        let deed = match Action::from_id(action) {
            None | Some(Action::Pass) => Deed::Passed,
            Some(Action::Put(piece, _)) if state.cell_of(piece).is_none() => Deed::Placed(piece),
            Some(Action::Put(piece, _)) if piece.owner() == state.to_move() => Deed::Moved(piece),
            Some(Action::Put(piece, _)) => Deed::Thrown(piece),
        };
        self.play_unchecked(state, action);
        Ok(Played {
            deed,
            outcome: self.outcome(state),
        })
    }

    fn play_unchecked(&self, state: &mut State, action: ActionId) {
        if let Some(action) = Action::from_id(action) {
            state.apply(action, self.pillbug);
        }
    }

    #[inline]
    fn hash(&self, state: &State) -> u64 {
        state.key()
    }

    /// Counts the moves of each piece, and finds again only those of the piece that is drawn.
    fn sample_action<R: Rng + ?Sized>(
        &self,
        state: &State,
        _buffer: &mut Vec<ActionId>,
        rng: &mut R,
    ) -> ActionId {
        assert!(!self.is_over(state), "a finished game has no actions");
        let mut moves = Moves::new(self, state);
        let mut counts = [0; N_PIECES];
        let mut n = 0;
        for piece in moves.pieces() {
            counts[piece.index()] = moves.count_of(piece);
            n += counts[piece.index()];
        }
        let mut k = rng.random_range(0..n.max(1));
        for piece in moves.pieces() {
            if k < counts[piece.index()] {
                let cell = moves.of(piece).cells.nth(k);
                return cell
                    .map_or(Action::Pass, |cell| Action::Put(piece, cell))
                    .id();
            }
            k -= counts[piece.index()];
        }
        Action::Pass.id()
    }
}
