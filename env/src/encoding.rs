use crate::features::{from_planes, sizes_from_planes, slots};
use crate::{ActionFeatures, ActionId, FeatureImages, FeatureSizes, Game};

/// How a game meets a neural network: tensors, policy slots and symmetries.
///
/// The rules never bend to the network. A network reads an observation `[C, H, W]` and writes a
/// policy of `[P, H, W]` logits, P = [`policy_planes`](Encode::policy_planes); the logit of a
/// legal action stands at its [`policy_slot`](Encode::policy_slot). A plane may be a way to act on
/// a cell, such as drawing the edge above it, or the place that a piece comes from, with the cell
/// as where it goes (Hive). Only legal actions are ever read.
pub trait Encode: Game {
    /// Changes whenever a plane, a slot, a feature or a symmetry changes its meaning. Stored with policies,
    /// which refuse a foreign version.
    fn encoding_version(&self) -> u32;

    /// Whether observations show the legal actions, so that
    /// [`write_observation_knowing`](Encode::write_observation_knowing) is worth calling.
    const SHOWS_LEGAL_ACTIONS: bool = false;

    /// `[C, H, W]`: planes, rows, columns.
    fn observation_shape(&self) -> [usize; 3];

    /// One line for each of the C planes: what it holds, its range and its point of view.
    fn plane_descriptions(&self) -> Vec<String>;

    /// Writes the position as the player to move sees it, C planes of H rows of W columns, all
    /// values in -1..=1. Depends on the state alone.
    ///
    /// # Panics
    /// If `out` is not exactly `C * H * W` long.
    fn write_observation(&self, state: &Self::State, out: &mut [f32]);

    /// The same, faster [where observations show the legal actions](Encode::SHOWS_LEGAL_ACTIONS),
    /// for a caller who knows them: `legal` is what [`legal_actions`](Game::legal_actions) writes.
    ///
    /// # Panics
    /// If `out` is not exactly `C * H * W` long.
    fn write_observation_knowing(&self, state: &Self::State, legal: &[ActionId], out: &mut [f32]) {
        let _ = legal;
        self.write_observation(state, out);
    }

    /// P: how many policy planes of H x W slots there are.
    fn policy_planes(&self) -> usize;

    /// One line for each of the P planes: which action has its slot there at cell (r, c).
    fn policy_descriptions(&self) -> Vec<String>;

    /// The number of policy slots, `P * H * W`.
    fn n_policy_slots(&self) -> usize {
        let [_, height, width] = self.observation_shape();
        self.policy_planes() * height * width
    }

    /// Where the logit of a legal action stands in the policy `[P, H, W]`, flattened. Legal
    /// actions of one state have different slots, unless the state [is
    /// folded](Encode::is_folded).
    fn policy_slot(&self, state: &Self::State, action: ActionId) -> usize;

    /// Whether the state is too large for the grid, so that several of the board's cells are one
    /// cell of it. Actions that differ only by such cells share their slot, and with it their
    /// logit.
    fn is_folded(&self, state: &Self::State) -> bool {
        let _ = state;
        false
    }

    /// How many features and action features there are.
    fn feature_sizes(&self) -> FeatureSizes {
        sizes_from_planes(self)
    }

    /// Clears both lists and fills `features` with the facts of an unfinished position as the player to
    /// move sees it: ascending numbers below [`features`](FeatureSizes::features), at most
    /// [`most_active`](FeatureSizes::most_active); and `actions` with the facts of each legal action:
    /// ascending numbers below [`action_features`](FeatureSizes::action_features), from 1 to
    /// [`most_active_of_action`](FeatureSizes::most_active_of_action) an action. `legal` is what
    /// [`legal_actions`](Game::legal_actions) writes. By default a fact of the position is a value of
    /// a plane, in eighths, and the one fact of an action is its policy slot.
    fn write_features(
        &self,
        state: &Self::State,
        legal: &[ActionId],
        features: &mut Vec<u32>,
        actions: &mut ActionFeatures,
    ) {
        from_planes(self, state, legal, features);
        slots(self, state, legal, actions);
    }

    /// What the features become under a symmetry: those of the
    /// [transformed](Encode::transform) state are the images, sorted. `None`, the default, tells
    /// whoever needs them to transform the state.
    ///
    /// # Panics
    /// If `symmetry >= n_symmetries()`.
    fn feature_images(&self, symmetry: usize) -> Option<FeatureImages> {
        assert!(symmetry < self.n_symmetries(), "symmetry {symmetry}");
        None
    }

    /// The number of symmetries, the identity included; symmetry 0 is the identity.
    fn n_symmetries(&self) -> usize;

    /// The state seen through a symmetry. Commutes with the rules:
    /// `transform(play(s, a)) == play(transform(s), transform_action(s, a))`, with the same
    /// player to move, outcome and points.
    ///
    /// # Panics
    /// If `symmetry >= n_symmetries()`.
    fn transform(&self, symmetry: usize, state: &Self::State) -> Self::State;

    /// What `action`, legal in `state`, is called in `transform(symmetry, state)`.
    ///
    /// # Panics
    /// If `symmetry >= n_symmetries()`.
    fn transform_action(&self, symmetry: usize, state: &Self::State, action: ActionId) -> ActionId;
}
