//! The position that a command starts from, as its arguments tell it.

use crate::failure::Failure;
use clap::Args;
use tablero_env::{ActionId, AnyGame, BoardGame};

/// A game on the command line.
#[derive(Args, Debug)]
pub struct GameArg {
    /// The game, such as `dots-and-boxes:3x3`; `tablero games` lists them
    #[arg(value_name = "GAME", value_parser = AnyGame::parse)]
    pub game: AnyGame,
}

/// Where to start, where it is not the beginning of the game.
#[derive(Args, Debug, Default)]
pub struct PositionArgs {
    /// Start from this state, in the text form that `replay` prints
    #[arg(long, value_name = "STATE")]
    from: Option<String>,
    /// Then play these actions, as ids or texts separated by spaces (or by `;`)
    #[arg(
        long,
        value_name = "ACTIONS",
        default_value = "",
        hide_default_value = true
    )]
    moves: String,
}

impl PositionArgs {
    /// The position.
    ///
    /// # Errors
    /// Bad input: a text that does not parse, or an illegal action.
    pub fn resolve<G: BoardGame>(&self, game: &G) -> Result<G::State, Failure> {
        let mut state = self.start(game)?;
        for text in game.split_actions(&state.clone(), &self.moves) {
            play_text(game, &mut state, text)?;
        }
        Ok(state)
    }

    fn start<G: BoardGame>(&self, game: &G) -> Result<G::State, Failure> {
        Ok(match &self.from {
            Some(text) => game.parse_state(text)?,
            None => game.initial(),
        })
    }

    /// The position; a finished one is bad input.
    ///
    /// # Errors
    /// As [`resolve`](Self::resolve), and if the game is over.
    pub fn resolve_unfinished<G: BoardGame>(&self, game: &G) -> Result<G::State, Failure> {
        let state = self.resolve(game)?;
        if game.is_over(&state) {
            return Err(Failure::bad_input(
                "the game is over in this position: expected one with a move to make",
            ));
        }
        Ok(state)
    }
}

/// Plays an action, or several of the same player as one list; all or none. Tells what each did.
///
/// # Errors
/// Bad input: not an action, or an illegal one, with the reason; actions after another player is
/// to move. The state is then unchanged.
pub fn play_turn_text<G: BoardGame>(
    game: &G,
    state: &mut G::State,
    text: &str,
) -> Result<Vec<(ActionId, G::Played)>, Failure> {
    let steps = game.split_actions(state, text);
    let mover = game.player_to_move(state);
    let mut next = state.clone();
    let mut all = Vec::with_capacity(steps.len());
    for step in steps {
        if !all.is_empty() && (game.is_over(&next) || game.player_to_move(&next) != mover) {
            return Err(Failure::bad_input(format!(
                "the turn goes on after it is complete: it ends before {step}"
            )));
        }
        all.push(play_text(game, &mut next, step)?);
    }
    *state = next;
    Ok(all)
}

/// Plays an action given as id or text.
///
/// # Errors
/// Bad input: not an action, or an illegal one, with the reason.
pub fn play_text<G: BoardGame>(
    game: &G,
    state: &mut G::State,
    text: &str,
) -> Result<(ActionId, G::Played), Failure> {
    let action = game.parse_id_or_action(state, text)?;
    match game.play(state, action) {
        Ok(played) => Ok((action, played)),
        Err(illegal) => Err(Failure::bad_input(format!("{text} is illegal: {illegal}"))),
    }
}
