//! One game of self-play: its opening, its moves, how it ends, and what forks from it.

use super::SelfPlayBatch;
use super::opening::{forked_opening, random_opening};
use crate::config::RunConfig;
use crate::record::{Decision, GameRecord};
use rand::RngExt;
use std::borrow::{Borrow, BorrowMut};
use tablero_env::random::{Stream, stream};
use tablero_env::{ActionId, ForMover, Game};
use tablero_mcts::{Budget, Search, Wdl};

/// How far a game has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    /// The search of the next move is not done.
    Searching,
    /// The game is over.
    Finished,
    /// The game has reached the limit of plies.
    TooLong,
}

/// A game under way.
pub(super) struct PlayedGame<'a, G: Game> {
    game: &'a G,
    config: &'a RunConfig,
    search: Search<G>,
    record: GameRecord,
    /// Draws what each move is worth.
    budgets: Stream,
}

impl<'a, G: Game> PlayedGame<'a, G> {
    /// The game with this number, after its random opening.
    pub fn start(game: &'a G, config: &'a RunConfig, id: u64) -> Self {
        let play = &config.self_play;
        let mut moves = stream(config.seed, "self-play opening", id);
        let opening = random_opening(game, play.random_plies, &mut moves);
        Self::begin(game, config, id, false, opening)
    }

    fn begin(
        game: &'a G,
        config: &'a RunConfig,
        id: u64,
        forked: bool,
        (state, opening): (G::State, Vec<ActionId>),
    ) -> Self {
        // A fork draws from other streams than the game that it leaves.
        let number = id << 1 | u64::from(forked);
        let (tree, seed) = (config.search.tree.clone(), config.seed);
        let searches = stream(seed, "self-play search", number);
        let mut begun = PlayedGame {
            game,
            config,
            search: Search::new(game.clone(), state, tree, searches),
            record: GameRecord::begin(id, forked, opening),
            budgets: stream(seed, "self-play budget", number),
        };
        begun.begin_move();
        begun
    }

    /// Whether it goes on from a position of another game.
    pub fn is_fork(&self) -> bool {
        self.record.forked
    }

    /// Draws what the next move is worth: in full, it explores and teaches the policy.
    fn begin_move(&mut self) {
        let quick_share = self.config.self_play.quick.map_or(0.0, |quick| quick.share);
        let explores = !self.budgets.random_bool(f64::from(quick_share));
        self.search.begin_move(Budget {
            n_simulations: self.config.sims_of(explores),
            explores,
        });
    }

    /// Plays as long as the search of the move is done.
    pub fn play_moves_due(&mut self) -> Progress {
        let limit = self.config.self_play.max_plies;
        loop {
            if let Some(outcome) = self.game.outcome(self.search.state()) {
                self.record.outcome = outcome;
                return Progress::Finished;
            }
            let n_plies = self.record.opening.len() + self.record.decisions.len();
            if limit.is_some_and(|limit| n_plies >= limit) {
                return Progress::TooLong;
            }
            let wanted = self.config.sims_of(self.search.budget().explores);
            let is_searched =
                self.search.root_visits() >= wanted || self.search.root_proven().is_some();
            if !is_searched {
                return Progress::Searching;
            }
            self.play_move();
        }
    }

    fn play_move(&mut self) {
        let play = &self.config.self_play;
        let is_early = self.record.decisions.len() < play.temperature_plies;
        let temperature = if is_early { play.temperature } else { 0.0 };
        let ForMover(Wdl { win, draw, loss }) = self.search.root_wdl();
        let policy = match self.search.budget().explores {
            true => self.search.policy_target(),
            false => Vec::new(),
        };
        let action = self.search.choose(temperature);
        self.record.decisions.push(Decision {
            action,
            policy,
            root_wdl: ForMover([win, draw, loss]),
            proven: self.search.root_proven(),
        });
        self.search
            .advance(action)
            .expect("a search chooses legal actions");
        self.begin_move();
    }

    /// Moves the finished game into `played`, or counts it as unfinished if it was too long. Returns its
    /// fork, if it has one.
    pub fn end(&mut self, progress: Progress, played: &mut SelfPlayBatch) -> Option<Self> {
        if progress == Progress::TooLong {
            played.n_unfinished += 1;
            return None;
        }
        let fork = self.fork();
        played.games.push(self.record.take());
        fork
    }

    /// The game that goes on from a position of this one, drawn uniformly, with another move, drawn
    /// likewise; if it is drawn at all and there is another move that does not end the game.
    fn fork(&self) -> Option<Self> {
        let id = self.record.id;
        let mut rng = stream(self.config.seed, "self-play fork", id);
        let is_drawn = rng.random_bool(f64::from(self.config.self_play.fork_share));
        if !is_drawn || self.is_fork() || self.record.decisions.is_empty() {
            return None;
        }
        let opening = forked_opening(self.game, &self.record, &mut rng)?;
        Some(Self::begin(self.game, self.config, id, true, opening))
    }
}

impl<G: Game> Borrow<Search<G>> for PlayedGame<'_, G> {
    fn borrow(&self) -> &Search<G> {
        &self.search
    }
}

impl<G: Game> BorrowMut<Search<G>> for PlayedGame<'_, G> {
    fn borrow_mut(&mut self) -> &mut Search<G> {
        &mut self.search
    }
}
