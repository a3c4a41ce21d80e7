//! The teacher as an actor: an analyser that plays both sides, to learn from before self-play is
//! worth anything.

use super::opening::{forked_opening, random_opening};
use super::{Actor, SelfPlayBatch};
use crate::config::{RunConfig, Teacher};
use crate::record::{Decision, GameRecord};
use rand::RngExt;
use tablero_agents::spread::Jobs;
use tablero_env::random::stream;
use tablero_env::{ActionId, ForMover, Game};
use tablero_minimax::{Analyser, Evidence, Playable, analyser};

/// A search of few nodes needs no more.
const TABLE_MIB: usize = 4;

/// The share of the chosen action in the policy to learn; the others divide the rest.
const CHOSEN_SHARE: f32 = 0.8;

/// Plays by an analyser with a fixed number of nodes a move. The policy to learn is mostly its choice, the
/// value its evidence.
pub struct TeacherActor<'a, G: Game> {
    game: &'a G,
    config: &'a RunConfig,
    nodes: u64,
    analyser: Box<dyn Analyser<G>>,
}

impl<'a, G: Playable> TeacherActor<'a, G> {
    /// The teacher of a run.
    #[must_use]
    pub fn new(game: &'a G, config: &'a RunConfig, teacher: &Teacher) -> Self {
        TeacherActor {
            game,
            config,
            nodes: teacher.nodes,
            analyser: analyser(game, TABLE_MIB),
        }
    }
}

impl<G: Game> Actor for TeacherActor<'_, G> {
    fn play(&mut self, games: &Jobs, on_game: &dyn Fn()) -> SelfPlayBatch {
        let play = &self.config.self_play;
        let mut played = SelfPlayBatch::default();
        while let Some(id) = games.take() {
            let mut rng = stream(self.config.seed, "teacher", id);
            let opening = random_opening(self.game, play.random_plies, &mut rng);
            let record = self.play_game(games, id, opening, false);
            let is_forked = rng.random_bool(f64::from(play.fork_share));
            let fork = record
                .as_ref()
                .filter(|record| is_forked && !record.decisions.is_empty())
                .and_then(|record| forked_opening(self.game, record, &mut rng))
                .map(|opening| self.play_game(games, id, opening, true));
            if games.is_cancelled() {
                break;
            }
            for record in [Some(record), fork].into_iter().flatten() {
                match record {
                    Some(record) => played.games.push(record),
                    None => played.n_unfinished += 1,
                }
            }
            on_game();
        }
        played
    }
}

impl<G: Game> TeacherActor<'_, G> {
    /// A game from an opening on; `None` if it is longer than the limit, or cancelled.
    fn play_game(
        &mut self,
        games: &Jobs,
        id: u64,
        (mut state, opening): (G::State, Vec<ActionId>),
        forked: bool,
    ) -> Option<GameRecord> {
        // What is known from other games must not sway this one.
        self.analyser.clear();
        let limit = self.config.self_play.max_plies;
        let mut record = GameRecord::begin(id, forked, opening);
        loop {
            if let Some(outcome) = self.game.outcome(&state) {
                record.outcome = outcome;
                return Some(record);
            }
            let n_plies = record.opening.len() + record.decisions.len();
            if games.is_cancelled() || limit.is_some_and(|limit| n_plies >= limit) {
                return None;
            }
            let decision = self.decide(&state);
            self.game.play_unchecked(&mut state, decision.action);
            record.decisions.push(decision);
        }
    }

    fn decide(&mut self, state: &G::State) -> Decision {
        let (
            action,
            Evidence {
                proven, log_odds, ..
            },
        ) = self.analyser.decide(state, self.nodes);
        let mut legal = Vec::new();
        self.game.legal_actions(state, &mut legal);
        let other = (1.0 - CHOSEN_SHARE) / (legal.len() - 1).max(1) as f32;
        let share = |&each: &ActionId| match each == action {
            true if legal.len() == 1 => 1.0,
            true => CHOSEN_SHARE,
            false => other,
        };
        let win = 1.0 / (1.0 + (-log_odds.0).exp()) as f32;
        Decision {
            action,
            policy: legal.iter().map(share).collect(),
            root_wdl: ForMover([win, 0.0, 1.0 - win]),
            proven,
        }
    }
}
