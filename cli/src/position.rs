//! The position that a command starts from, as given by its arguments.

use crate::failure::Failure;
use clap::Args;
use std::path::Path;
use tablero_env::record::{Record, Replayed};
use tablero_env::{ActionId, AnyGame, BoardGame};
use tablero_models::storage;

/// A game by its name, or a recorded game from a file.
#[derive(Clone, Debug)]
pub struct GameSource {
    pub game: AnyGame,
    pub record: Option<Record>,
}

impl GameSource {
    /// Reads a game's name or, if there is such a file, a recorded game.
    ///
    /// # Errors
    /// What was expected and got.
    pub fn parse(text: &str) -> Result<GameSource, String> {
        let unknown = match AnyGame::parse(text) {
            Ok(game) => return Ok(GameSource { game, record: None }),
            Err(unknown) => unknown,
        };
        let file = Path::new(text);
        if !file.exists() {
            return Err(unknown.to_string());
        }
        let record = read_record(file)?;
        let game = record.game().map_err(|error| error.to_string())?;
        let record = Some(record);
        Ok(GameSource { game, record })
    }
}

fn read_record(file: &Path) -> Result<Record, String> {
    /// Far beyond any game.
    const MOST_BYTES: u64 = 1 << 20;
    let bytes = storage::read_at_most(file, MOST_BYTES).map_err(|error| error.to_string())?;
    let name = file.display();
    let text = String::from_utf8(bytes).map_err(|_| format!("{name} is not text"))?;
    Record::parse(&text).map_err(|error| format!("{name}: {error}"))
}

/// A position of a game on the command line.
#[derive(Args, Debug)]
pub struct PositionArgs {
    /// The game, such as `dots-and-boxes:3x3` (`tablero games` lists them), or a file with a recorded
    /// game, as saved by `play` and `eval`: its last position
    #[arg(value_name = "GAME|FILE", value_parser = GameSource::parse)]
    source: GameSource,
    #[command(flatten)]
    start: StartArgs,
}

impl PositionArgs {
    pub fn game(&self) -> &AnyGame {
        &self.source.game
    }

    /// What was played up to the position. `each` is called after each action, with the position
    /// before it.
    ///
    /// # Errors
    /// Bad input: a text that does not parse, or an illegal action; what was legal before it was told
    /// by then.
    pub fn follow<G: BoardGame>(
        &self,
        game: &G,
        each: impl FnMut(&G::State, ActionId, &G::Played),
    ) -> Result<Replayed<G::State>, Failure> {
        let record = self.source.record.as_ref();
        self.start.follow(game, record, each)
    }

    /// The position.
    ///
    /// # Errors
    /// As [`follow`](Self::follow).
    pub fn resolve<G: BoardGame>(&self, game: &G) -> Result<G::State, Failure> {
        Ok(self.follow(game, |_, _, _| ())?.end)
    }

    /// The position; a finished one is bad input.
    ///
    /// # Errors
    /// As [`follow`](Self::follow), and if the game is over.
    pub fn resolve_unfinished<G: BoardGame>(&self, game: &G) -> Result<G::State, Failure> {
        let state = self.resolve(game)?;
        check_unfinished(game, &state)?;
        Ok(state)
    }
}

/// Where to start, if not at the beginning of the game.
#[derive(Args, Debug, Default)]
pub struct StartArgs {
    /// Start from this state, as text in the form that `replay` prints
    #[arg(long, value_name = "STATE", allow_hyphen_values = true)]
    from: Option<String>,
    /// Use only the first N moves of a recorded game
    #[arg(long, value_name = "N")]
    ply: Option<usize>,
    /// Then play these actions, as ids or texts separated by spaces (or by `;`)
    #[arg(
        long,
        visible_alias = "actions",
        value_name = "ACTIONS",
        allow_hyphen_values = true,
        default_value = "",
        hide_default_value = true
    )]
    moves: String,
}

impl StartArgs {
    /// What was played up to the position, as [`PositionArgs::follow`].
    ///
    /// # Errors
    /// Bad input: a text that does not parse, an illegal action, arguments that contradict each other.
    pub fn follow<G: BoardGame>(
        &self,
        game: &G,
        record: Option<&Record>,
        mut each: impl FnMut(&G::State, ActionId, &G::Played),
    ) -> Result<Replayed<G::State>, Failure> {
        let mut history = match (record, &self.from) {
            (Some(_), Some(_)) => {
                return Err(Failure::bad_input(
                    "expected either a recorded game or --from, got both: a recorded game has its own start",
                ));
            }
            (Some(record), None) => self.follow_record(game, record, &mut each)?,
            (None, _) if self.ply.is_some() => {
                return Err(Failure::bad_input("expected a recorded game with --ply"));
            }
            (None, from) => {
                let state = from
                    .as_ref()
                    .map(|text| game.parse_state(text))
                    .transpose()?;
                Replayed::new(state.unwrap_or_else(|| game.initial()))
            }
        };
        for text in game.split_actions(&history.end.clone(), &self.moves) {
            let before = history.end.clone();
            let (action, played) = play_text(game, &mut history.end, text)?;
            each(&before, action, &played);
            history.actions.push(action);
        }
        Ok(history)
    }

    /// The recorded game, or its first moves; even then the whole record must be valid.
    fn follow_record<G: BoardGame>(
        &self,
        game: &G,
        record: &Record,
        each: &mut impl FnMut(&G::State, ActionId, &G::Played),
    ) -> Result<Replayed<G::State>, Failure> {
        let Some(ply) = self.ply else {
            return Ok(record.follow(game, each)?);
        };
        let whole = record.replay(game)?;
        let n_moves = whole.actions.len();
        if ply > n_moves {
            return Err(Failure::bad_input(format!(
                "expected --ply to be at most {n_moves}, the number of moves of the recorded game, got {ply}"
            )));
        }
        let mut first = Replayed::new(whole.start);
        for &action in &whole.actions[..ply] {
            let before = first.end.clone();
            let played = game.play(&mut first.end, action);
            each(&before, action, &played.expect("the record was checked"));
            first.actions.push(action);
        }
        Ok(first)
    }
}

/// Refuses a finished game.
///
/// # Errors
/// Bad input, if the game is over.
pub fn check_unfinished<G: BoardGame>(game: &G, state: &G::State) -> Result<(), Failure> {
    match game.is_over(state) {
        false => Ok(()),
        true => Err(Failure::bad_input(
            "the game is over in this position: expected one with a move to make",
        )),
    }
}

/// Plays an action, or several of the same player as one list; all or none. Returns the effect of each.
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
                "the turn continues after it is complete: it ends before {step}"
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
