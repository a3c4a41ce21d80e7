//! A full game made of rules whose type is not known.

use super::erased::AnyRules;
use super::patterns::Patterns;
use super::rules::{ExactSolver, Rules};
use super::state::OtherState;
use crate::features::{LEVELS, sizes_from_planes, slots, write_levels};
use crate::random::mix;
use crate::view::View;
use crate::{
    ActionFeatures, ActionId, Encode, FeatureSizes, ForFirst, Game, Notation, NotationError,
    Outcome, Player,
};
use serde::Serialize;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A game of somebody else: see [`Rules`].
#[derive(Clone, Debug)]
pub struct OtherGame(Arc<dyn AnyRules>, Arc<Patterns>);

/// What an action did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OtherPlayed {
    /// Who moves next; `None` when the game is over.
    pub next: Option<Player>,
}

impl fmt::Display for OtherPlayed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.next {
            Some(player) => write!(f, "player {player} to move"),
            None => f.write_str("game over"),
        }
    }
}

/// Why an action is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OtherIllegal {
    /// The game has ended.
    #[error("the game is over")]
    GameOver,
    /// The rules do not list it.
    #[error("action {action} is not legal here: expected one of {legal}")]
    NotLegal {
        /// The action given.
        action: ActionId,
        /// The legal ones.
        legal: String,
    },
}

impl OtherGame {
    /// The game of these rules.
    ///
    /// # Panics
    /// If [a pattern](Rules::patterns) is wrong.
    #[must_use]
    pub fn new<R: Rules>(rules: R) -> Self {
        match OtherGame::try_new(rules) {
            Ok(game) => game,
            Err(problem) => panic!("{problem}"),
        }
    }

    /// The game of these rules.
    ///
    /// # Errors
    /// Which [pattern](Rules::patterns) is wrong: it has a cell that is not on the board, or they have
    /// too many features.
    pub fn try_new<R: Rules>(rules: R) -> Result<Self, String> {
        let shape @ [planes, height, width] = rules.observation_shape();
        let first = planes * height * width * LEVELS;
        let patterns = Patterns::new(rules.patterns(), shape, first)?;
        Ok(OtherGame(Arc::new(rules), Arc::new(patterns)))
    }

    /// How good an unfinished position looks: see [`Rules::evaluate`].
    #[must_use]
    pub fn evaluate(&self, state: &OtherState) -> ForFirst<i32> {
        self.0.evaluate(state)
    }

    /// The game's own solver, where it has one: see [`Rules::solver`]. None in a game with points, which it
    /// would not tell.
    #[must_use]
    pub fn own_solver(&self, table_mib: usize) -> Option<Box<dyn ExactSolver<OtherState>>> {
        let has_points = self.points(&self.initial()).is_some();
        (!has_points).then(|| self.0.solver(table_mib))?
    }
}

impl Game for OtherGame {
    type State = OtherState;
    type Played = OtherPlayed;
    type Illegal = OtherIllegal;

    fn rules_version(&self) -> u32 {
        self.0.version()
    }

    fn spec(&self) -> String {
        self.0.spec()
    }

    fn n_actions(&self) -> usize {
        self.0.n_actions()
    }

    fn max_plies(&self) -> Option<usize> {
        self.0.max_plies()
    }

    fn initial(&self) -> OtherState {
        self.0.initial()
    }

    fn player_to_move(&self, state: &OtherState) -> Player {
        self.0.to_move(state)
    }

    fn outcome(&self, state: &OtherState) -> Option<Outcome> {
        self.0.outcome(state)
    }

    fn points(&self, state: &OtherState) -> Option<[i32; 2]> {
        self.0.points(state)
    }

    fn legal_actions(&self, state: &OtherState, out: &mut Vec<ActionId>) {
        out.clear();
        if !self.is_over(state) {
            self.0.legal(state, out);
            out.sort_unstable();
        }
    }

    fn legality(&self, state: &OtherState, action: ActionId) -> Result<(), OtherIllegal> {
        let mut legal = Vec::new();
        self.legal_actions(state, &mut legal);
        if legal.contains(&action) {
            return Ok(());
        }
        if self.is_over(state) {
            return Err(OtherIllegal::GameOver);
        }
        let ids: Vec<String> = legal.iter().map(ActionId::to_string).collect();
        Err(OtherIllegal::NotLegal {
            action,
            legal: ids.join(", "),
        })
    }

    fn play(&self, state: &mut OtherState, action: ActionId) -> Result<OtherPlayed, OtherIllegal> {
        self.legality(state, action)?;
        self.play_unchecked(state, action);
        let next = (!self.is_over(state)).then(|| self.player_to_move(state));
        Ok(OtherPlayed { next })
    }

    fn play_unchecked(&self, state: &mut OtherState, action: ActionId) {
        self.0.play(state, action.index());
    }

    fn hash(&self, state: &OtherState) -> u64 {
        let mut hasher = StableHasher(0);
        state.hash(&mut hasher);
        hasher.finish()
    }
}

/// A hash that is the same in every process and on every 64-bit machine with little-endian numbers.
struct StableHasher(u64);

impl Hasher for StableHasher {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = mix(self.0 ^ word);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

impl Encode for OtherGame {
    fn encoding_version(&self) -> u32 {
        self.0.version()
    }

    fn observation_shape(&self) -> [usize; 3] {
        self.0.observation_shape()
    }

    fn plane_descriptions(&self) -> Vec<String> {
        self.0.plane_descriptions()
    }

    fn write_observation(&self, state: &OtherState, out: &mut [f32]) {
        let n_values: usize = self.observation_shape().iter().product();
        assert_eq!(out.len(), n_values, "observation of {self:?}");
        out.fill(0.0);
        self.0.observe(state, out);
    }

    /// As many as give each action a slot of its own.
    fn policy_planes(&self) -> usize {
        let [_, height, width] = self.observation_shape();
        self.n_actions().div_ceil(height * width)
    }

    fn policy_descriptions(&self) -> Vec<String> {
        let [_, height, width] = self.observation_shape();
        let area = height * width;
        let plane = |plane| format!("action {} + r * {width} + c at (r, c)", plane * area);
        (0..self.policy_planes()).map(plane).collect()
    }

    fn feature_sizes(&self) -> FeatureSizes {
        let sizes = sizes_from_planes(self);
        FeatureSizes {
            features: self.1.end(),
            most_active: sizes.most_active + self.1.len(),
            ..sizes
        }
    }

    /// The levels of the planes, and the contents of the patterns.
    fn write_features(
        &self,
        state: &OtherState,
        legal: &[ActionId],
        features: &mut Vec<u32>,
        actions: &mut ActionFeatures,
    ) {
        let mut planes = vec![0.0; self.observation_shape().iter().product()];
        self.write_observation(state, &mut planes);
        features.clear();
        write_levels(&planes, features);
        self.1.write(&planes, features);
        slots(self, state, legal, actions);
    }

    /// The number of the action.
    fn policy_slot(&self, _state: &OtherState, action: ActionId) -> usize {
        action.index()
    }

    fn n_symmetries(&self) -> usize {
        self.0.n_symmetries()
    }

    fn transform(&self, symmetry: usize, state: &OtherState) -> OtherState {
        assert!(symmetry < self.n_symmetries(), "symmetry {symmetry}");
        self.0.transform(symmetry, state)
    }

    fn transform_action(&self, symmetry: usize, _state: &OtherState, action: ActionId) -> ActionId {
        assert!(symmetry < self.n_symmetries(), "symmetry {symmetry}");
        self.0.transform_action(symmetry, action.index()).into()
    }
}

impl Notation for OtherGame {
    fn action_text(&self, state: &OtherState, action: ActionId) -> String {
        self.0.action_text(state, action.index())
    }

    /// The action of this text.
    fn parse_action(&self, state: &OtherState, text: &str) -> Result<ActionId, NotationError> {
        let text = text.trim();
        let mut actions = (0..self.n_actions()).map(ActionId::from);
        let found = actions.find(|&action| self.action_text(state, action) == text);
        found.ok_or_else(|| {
            let mut legal = Vec::new();
            self.legal_actions(state, &mut legal);
            let texts = legal.iter().map(|&action| self.action_text(state, action));
            NotationError::Action {
                expected: texts.collect::<Vec<_>>().join(", "),
                got: text.to_owned(),
            }
        })
    }

    fn state_text(&self, state: &OtherState) -> String {
        self.0.state_text(state)
    }

    fn parse_state(&self, text: &str) -> Result<OtherState, NotationError> {
        let wrong = |expected| NotationError::State {
            expected,
            got: text.to_owned(),
        };
        self.0.parse_state(text.trim()).map_err(wrong)
    }

    fn draw(&self, state: &OtherState) -> String {
        self.0.draw(state)
    }
}

/// The drawing, with a button for each legal action.
impl View for OtherGame {}
