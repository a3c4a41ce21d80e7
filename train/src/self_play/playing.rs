//! One game of self-play: its opening, its moves, how it ends, and what forks from it.

use super::opening::{forked_opening, random_opening};
use crate::config::{Resignation, SelfPlayConfig};
use crate::record::{Decision, GameRecord};
use rand::RngExt;
use std::borrow::{Borrow, BorrowMut};
use tablero_env::random::{Stream, stream};
use tablero_env::{ActionId, Game, Outcome, Player};
use tablero_mcts::{Budget, Search};

/// How far a game has come.
#[derive(Clone, Copy, Debug)]
pub(super) enum Progress {
    /// The search of the next move is not done.
    Searching,
    /// The game is over, by the rules or because somebody resigned.
    Finished,
    /// The game has reached the limit of plies.
    TooLong,
}

/// A game under way.
pub(super) struct Playing<'a, G: Game> {
    game: &'a G,
    config: &'a SelfPlayConfig,
    seed: u64,
    search: Search<G>,
    record: GameRecord,
    /// Draws what each move is worth.
    budgets: Stream,
    resigning: Resigning,
}

/// Who sees no hope, and whether that ends the game.
#[derive(Default)]
struct Resigning {
    is_allowed: bool,
    /// Moves in a row that each player found hopeless.
    n_hopeless: [u32; 2],
    /// Who would have resigned first.
    first: Option<Player>,
}

impl<'a, G: Game> Playing<'a, G> {
    pub fn start(game: &'a G, config: &'a SelfPlayConfig, seed: u64, id: u64) -> Self {
        let mut moves = stream(seed, "self-play opening", id);
        let (state, opening) = random_opening(game, config.random_plies, &mut moves);
        let mut resignations = stream(seed, "self-play resignation", id);
        let is_allowed = config.resignation.is_some_and(|resignation| {
            !resignations.random_bool(f64::from(resignation.played_out))
        });
        Self::begin(
            game,
            config,
            seed,
            (state, opening),
            GameRecord {
                id,
                forked: false,
                opening: Vec::new(),
                decisions: Vec::new(),
                // Replaced at the end of the game.
                outcome: Outcome::won_by(None),
                resigned: false,
            },
            is_allowed,
        )
    }

    fn begin(
        game: &'a G,
        config: &'a SelfPlayConfig,
        seed: u64,
        (state, opening): (G::State, Vec<ActionId>),
        record: GameRecord,
        is_allowed: bool,
    ) -> Self {
        // A fork draws from other streams than the game that it leaves.
        let number = record.id << 1 | u64::from(record.forked);
        let params = config.search.clone();
        let searches = stream(seed, "self-play search", number);
        let mut playing = Playing {
            game,
            config,
            seed,
            search: Search::new(game.clone(), state, params, searches),
            record: GameRecord { opening, ..record },
            budgets: stream(seed, "self-play budget", number),
            resigning: Resigning {
                is_allowed,
                ..Resigning::default()
            },
        };
        playing.begin_move();
        playing
    }

    /// Whether it goes on from a position of another game.
    pub fn is_fork(&self) -> bool {
        self.record.forked
    }

    /// Draws what the next move is worth.
    fn begin_move(&mut self) {
        let quick_share = self.config.quick.map_or(0.0, |quick| quick.share);
        let full = !self.budgets.random_bool(f64::from(quick_share));
        self.search.begin_move(Budget {
            n_simulations: self.config.simulations_of(full),
            full,
        });
    }

    /// Plays as long as the search of the move is done.
    pub fn play_moves_due(&mut self) -> Progress {
        loop {
            if let Some(outcome) = self.game.outcome(self.search.state()) {
                self.record.outcome = outcome;
                return Progress::Finished;
            }
            let n_plies = self.record.opening.len() + self.record.decisions.len();
            if self.config.max_plies.is_some_and(|limit| n_plies >= limit) {
                return Progress::TooLong;
            }
            let wanted = self.config.simulations_of(self.search.budget().full);
            let is_searched =
                self.search.root_visits() >= wanted || self.search.root_proven().is_some();
            if !is_searched {
                return Progress::Searching;
            }
            if self.resigns() {
                let winner = self.search.player_to_move().opponent();
                self.record.outcome = Outcome::won_by(Some(winner));
                self.record.resigned = true;
                return Progress::Finished;
            }
            self.play_move();
        }
    }

    /// Whether the player to move gives up.
    fn resigns(&mut self) -> bool {
        let Some(Resignation { below, moves, .. }) = self.config.resignation else {
            return false;
        };
        let player = self.search.player_to_move();
        let wdl = self.search.root_wdl();
        let n_hopeless = &mut self.resigning.n_hopeless[player.index()];
        if wdl.win + wdl.draw / 2.0 >= below {
            *n_hopeless = 0;
            return false;
        }
        *n_hopeless += 1;
        if *n_hopeless < moves {
            return false;
        }
        self.resigning.first.get_or_insert(player);
        self.resigning.is_allowed
    }

    /// If somebody would have resigned, but nobody was allowed to: whether he lost.
    pub fn hopeless_but_played_out(&self) -> Option<bool> {
        let first = self.resigning.first.filter(|_| !self.record.resigned)?;
        Some(self.record.outcome.return_for(first) == -1)
    }

    fn play_move(&mut self) {
        let temperature = if self.record.decisions.len() < self.config.temperature_plies {
            self.config.temperature
        } else {
            0.0
        };
        let wdl = self.search.root_wdl();
        let policy = if self.search.budget().full {
            self.search.policy_target()
        } else {
            Vec::new()
        };
        let action = self.search.choose(temperature);
        self.record.decisions.push(Decision {
            action,
            policy,
            root_wdl: [wdl.win, wdl.draw, wdl.loss],
            proven: self.search.root_proven(),
        });
        self.search
            .advance(action)
            .expect("a search chooses legal actions");
        self.begin_move();
    }

    /// The game that goes on from a position of this one, drawn uniformly, with another move, drawn
    /// likewise; if it is drawn at all and there is another move that does not end the game.
    pub fn fork(&self) -> Option<Self> {
        let mut rng = stream(self.seed, "self-play fork", self.record.id);
        let is_drawn = rng.random_bool(f64::from(self.config.fork_share));
        if !is_drawn || self.is_fork() || self.record.decisions.is_empty() {
            return None;
        }
        let (state, opening) = forked_opening(self.game, &self.record, &mut rng)?;
        let record = GameRecord {
            id: self.record.id,
            forked: true,
            opening: Vec::new(),
            decisions: Vec::new(),
            outcome: Outcome::won_by(None),
            resigned: false,
        };
        let is_allowed = self.resigning.is_allowed;
        Some(Self::begin(
            self.game,
            self.config,
            self.seed,
            (state, opening),
            record,
            is_allowed,
        ))
    }

    pub fn take_record(&mut self) -> GameRecord {
        GameRecord {
            opening: std::mem::take(&mut self.record.opening),
            decisions: std::mem::take(&mut self.record.decisions),
            ..self.record
        }
    }
}

impl<G: Game> Borrow<Search<G>> for Playing<'_, G> {
    fn borrow(&self) -> &Search<G> {
        &self.search
    }
}

impl<G: Game> BorrowMut<Search<G>> for Playing<'_, G> {
    fn borrow_mut(&mut self) -> &mut Search<G> {
        &mut self.search
    }
}
