//! Rules without their type.

use super::rules::{ExactSolver, Rules};
use super::state::OtherState;
use crate::games::spec;
use crate::{ActionId, ForFirst, ForMover, Outcome, Player};
use std::fmt::Debug;

/// [`Rules`], over states whose type is not known.
pub(super) trait AnyRules: Debug + Send + Sync {
    fn spec(&self) -> String;
    fn version(&self) -> u32;
    fn n_actions(&self) -> usize;
    fn max_plies(&self) -> Option<usize>;
    fn initial(&self) -> OtherState;
    fn to_move(&self, state: &OtherState) -> Player;
    /// Appends the legal actions of an unfinished position.
    fn legal(&self, state: &OtherState, out: &mut Vec<ActionId>);
    fn play(&self, state: &mut OtherState, action: usize);
    fn outcome(&self, state: &OtherState) -> Option<Outcome>;
    fn points(&self, state: &OtherState) -> Option<[i32; 2]>;
    fn observation_shape(&self) -> [usize; 3];
    fn observe(&self, state: &OtherState, planes: &mut [f32]);
    fn plane_descriptions(&self) -> Vec<String>;
    fn n_symmetries(&self) -> usize;
    fn transform(&self, symmetry: usize, state: &OtherState) -> OtherState;
    fn transform_action(&self, symmetry: usize, action: usize) -> usize;
    fn action_text(&self, state: &OtherState, action: usize) -> String;
    fn state_text(&self, state: &OtherState) -> String;
    fn parse_state(&self, text: &str) -> Result<OtherState, String>;
    fn draw(&self, state: &OtherState) -> String;
    fn evaluate(&self, state: &OtherState) -> ForFirst<i32>;
    fn solver(&self, table_mib: usize) -> Option<Box<dyn ExactSolver<OtherState>>>;
}

/// The state of these rules inside.
fn of<R: Rules>(state: &OtherState) -> &R::State {
    state.get().expect("a state of this game")
}

impl<R: Rules> AnyRules for R {
    fn spec(&self) -> String {
        spec(self.name(), &self.parameters())
    }

    fn version(&self) -> u32 {
        self.version()
    }

    fn n_actions(&self) -> usize {
        self.n_actions()
    }

    fn max_plies(&self) -> Option<usize> {
        self.max_plies()
    }

    fn initial(&self) -> OtherState {
        OtherState::new(self.initial())
    }

    fn to_move(&self, state: &OtherState) -> Player {
        self.to_move(of::<R>(state))
    }

    fn legal(&self, state: &OtherState, out: &mut Vec<ActionId>) {
        out.extend(self.legal(of::<R>(state)).map(ActionId::from));
    }

    fn play(&self, state: &mut OtherState, action: usize) {
        self.play(state.get_mut().expect("a state of this game"), action);
    }

    fn outcome(&self, state: &OtherState) -> Option<Outcome> {
        self.outcome(of::<R>(state))
    }

    fn points(&self, state: &OtherState) -> Option<[i32; 2]> {
        self.points(of::<R>(state))
    }

    fn observation_shape(&self) -> [usize; 3] {
        self.observation_shape()
    }

    fn observe(&self, state: &OtherState, planes: &mut [f32]) {
        self.observe(of::<R>(state), planes);
    }

    fn plane_descriptions(&self) -> Vec<String> {
        self.plane_descriptions()
    }

    fn n_symmetries(&self) -> usize {
        self.n_symmetries()
    }

    fn transform(&self, symmetry: usize, state: &OtherState) -> OtherState {
        OtherState::new(self.transform(symmetry, of::<R>(state)))
    }

    fn transform_action(&self, symmetry: usize, action: usize) -> usize {
        self.transform_action(symmetry, action)
    }

    fn action_text(&self, state: &OtherState, action: usize) -> String {
        self.action_text(of::<R>(state), action)
    }

    fn state_text(&self, state: &OtherState) -> String {
        self.state_text(of::<R>(state))
    }

    fn parse_state(&self, text: &str) -> Result<OtherState, String> {
        let state = self.parse_state(text)?;
        self.check_state(&state)?;
        Ok(OtherState::new(state))
    }

    fn draw(&self, state: &OtherState) -> String {
        self.draw(of::<R>(state))
    }

    fn evaluate(&self, state: &OtherState) -> ForFirst<i32> {
        self.evaluate(of::<R>(state))
    }

    fn solver(&self, table_mib: usize) -> Option<Box<dyn ExactSolver<OtherState>>> {
        let solver = self.solver(table_mib)?;
        Some(Box::new(Erased::<R>(solver)))
    }
}

/// A solver over states whose type is not known.
struct Erased<R: Rules>(Box<dyn ExactSolver<R::State>>);

impl<R: Rules> ExactSolver<OtherState> for Erased<R> {
    fn is_in_reach(&self, state: &OtherState) -> bool {
        self.0.is_in_reach(of::<R>(state))
    }

    fn value(&mut self, state: &OtherState, visit: &mut dyn FnMut()) -> ForMover<i8> {
        self.0.value(of::<R>(state), visit)
    }
}
