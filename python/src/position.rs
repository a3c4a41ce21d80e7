//! Positions of any game behind one type.

use std::any::Any;
use tablero_env::perft::perft_while;
use tablero_env::random::stream;
use tablero_env::view::Position as View;
use tablero_env::{ActionFeatures, ActionId, AnyGame, BoardGame};

/// A position with its game, whatever game it is.
pub trait Position: Any + Send + Sync {
    fn game(&self) -> AnyGame;
    fn clone_box(&self) -> Box<dyn Position>;
    fn player_to_move(&self) -> usize;
    fn legal_actions(&self) -> Vec<u32>;
    fn play(&mut self, action: u32) -> Result<String, String>;
    fn returns(&self) -> Option<[i8; 2]>;
    fn points(&self) -> Option<[i32; 2]>;
    fn text(&self) -> String;
    fn drawing(&self) -> String;
    fn view(&self) -> String;
    fn hash(&self) -> u64;
    fn action_text(&self, action: u32) -> Result<String, String>;
    fn parse_action(&self, text: &str) -> Result<u32, String>;
    fn policy_slots(&self) -> Vec<usize>;
    fn features(&self) -> Vec<u32>;
    fn action_features(&self) -> Vec<Vec<u32>>;
    fn write_observation(&self, out: &mut [f32]);
    fn write_mask(&self, out: &mut [i8]);
    fn perft(&self, depth: usize, goes_on: &dyn Fn() -> bool) -> Option<Vec<u64>>;
    fn n_actions(&self) -> usize;
    fn random_action(&self, seed: u64) -> u32;
    fn as_any(&self) -> &dyn Any;
}

/// A position of one game.
#[derive(Clone)]
pub struct Typed<G: BoardGame> {
    pub game: G,
    pub state: G::State,
}

impl<G: BoardGame> Typed<G> {
    pub fn new(game: &G, state: G::State) -> Self {
        let game = game.clone();
        Typed { game, state }
    }

    /// The features of the position and of its actions.
    fn all_features(&self) -> (Vec<u32>, ActionFeatures) {
        let (mut legal, mut features) = (Vec::new(), Vec::new());
        let mut actions = ActionFeatures::new();
        self.game.legal_actions(&self.state, &mut legal);
        self.game
            .write_features(&self.state, &legal, &mut features, &mut actions);
        (features, actions)
    }
}

impl<G: BoardGame + Into<AnyGame>> Position for Typed<G> {
    fn game(&self) -> AnyGame {
        self.game.clone().into()
    }

    fn clone_box(&self) -> Box<dyn Position> {
        Box::new(self.clone())
    }

    fn player_to_move(&self) -> usize {
        self.game.player_to_move(&self.state).index()
    }

    fn legal_actions(&self) -> Vec<u32> {
        let mut legal = Vec::new();
        self.game.legal_actions(&self.state, &mut legal);
        legal.into_iter().map(|action| action.0).collect()
    }

    fn play(&mut self, action: u32) -> Result<String, String> {
        let played = self.game.play(&mut self.state, ActionId(action));
        played
            .map(|played| played.to_string())
            .map_err(|reason| format!("action {action} is illegal: {reason}"))
    }

    fn returns(&self) -> Option<[i8; 2]> {
        self.game
            .outcome(&self.state)
            .map(|outcome| outcome.returns())
    }

    fn points(&self) -> Option<[i32; 2]> {
        self.game.points(&self.state)
    }

    fn text(&self) -> String {
        self.game.state_text(&self.state)
    }

    fn drawing(&self) -> String {
        self.game.draw(&self.state)
    }

    fn view(&self) -> String {
        let view = View::of(&self.game, &self.state);
        serde_json::to_string(&view).expect("plain data")
    }

    fn hash(&self) -> u64 {
        self.game.hash(&self.state)
    }

    fn action_text(&self, action: u32) -> Result<String, String> {
        let n_actions = self.game.n_actions();
        if action as usize >= n_actions {
            return Err(format!(
                "expected an action below {n_actions}, got {action}"
            ));
        }
        Ok(self.game.action_text(&self.state, ActionId(action)))
    }

    fn parse_action(&self, text: &str) -> Result<u32, String> {
        let action = self.game.parse_action(&self.state, text);
        action
            .map(|action| action.0)
            .map_err(|error| error.to_string())
    }

    fn policy_slots(&self) -> Vec<usize> {
        let mut legal = Vec::new();
        self.game.legal_actions(&self.state, &mut legal);
        let slot = |action| self.game.policy_slot(&self.state, action);
        legal.into_iter().map(slot).collect()
    }

    fn features(&self) -> Vec<u32> {
        self.all_features().0
    }

    fn action_features(&self) -> Vec<Vec<u32>> {
        let (_, actions) = self.all_features();
        actions.iter().map(<[u32]>::to_vec).collect()
    }

    fn write_observation(&self, out: &mut [f32]) {
        self.game.write_observation(&self.state, out);
    }

    fn write_mask(&self, out: &mut [i8]) {
        self.game.write_mask(&self.state, &mut Vec::new(), out);
    }

    fn perft(&self, depth: usize, goes_on: &dyn Fn() -> bool) -> Option<Vec<u64>> {
        perft_while(&self.game, &self.state, depth, goes_on)
    }

    fn n_actions(&self) -> usize {
        self.game.n_actions()
    }

    fn random_action(&self, seed: u64) -> u32 {
        let mut rng = stream(seed, "random player", 0);
        let action = self
            .game
            .sample_action(&self.state, &mut Vec::new(), &mut rng);
        action.0
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// The position as one of a game that it is known to be of.
pub fn typed<'a, G: BoardGame>(_game: &G, position: &'a dyn Any) -> &'a Typed<G> {
    position.downcast_ref().expect("a position of this game")
}
