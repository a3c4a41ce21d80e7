//! Any agent behind a line protocol, for any game: how another program plays against Tablero, and how a
//! referee asks for the rules. `docs/engine.md` has the protocol.

use crate::lines::{LONGEST_LINE, Line, read_line};
use crate::players::{Agent, AgentError, LoadedPlayer};
use std::io::{self, BufRead, Write};
use std::time::{Duration, Instant};
use tablero_env::ActionId;
use tablero_env::random::{Stream, stream};
use tablero_minimax::{Limits, Playable};

/// The longest turn that `go` takes: a day.
const LONGEST_TURN: Duration = Duration::from_secs(24 * 60 * 60);

/// Characters of an error, which may quote what was read.
const LONGEST_ERROR: usize = 400;

/// An engine of the protocol. It answers each line by one line and panics on none.
///
/// Its agent lives as long as a game and follows all of it, so that trees and tables are kept.
///
/// ```
/// use tablero_agents::PlayerSpec;
/// use tablero_agents::engine::Engine;
/// use tablero_env::dots_and_boxes::DotsAndBoxes;
///
/// let game = DotsAndBoxes::new(1, 1).unwrap();
/// let player = "random".parse::<PlayerSpec>().unwrap().load(&game).unwrap();
/// let mut engine = Engine::new(game, player, 1, 1);
/// assert_eq!(engine.handle("play 1-1-h 2-1-h 1-1-v"), "ok");
/// assert_eq!(engine.handle("go 1000"), "turn 1-2-v");
/// assert_eq!(engine.handle("state"), "state over -1 1 1/1:11:1:1");
/// ```
pub struct Engine<G: Playable> {
    game: G,
    player: LoadedPlayer,
    threads: u32,
    seed: u64,
    /// Games begun.
    n_games: u64,
    state: G::State,
    agent: Box<dyn Agent<G>>,
    random: Stream,
    has_quit: bool,
}

impl<G: Playable> Engine<G> {
    /// An engine at the beginning of its first game. `threads`, at least 1, are those of minimax;
    /// `seed` fixes the agent's randomness, game by game.
    #[must_use]
    pub fn new(game: G, player: LoadedPlayer, threads: u32, seed: u64) -> Engine<G> {
        Engine {
            state: game.initial(),
            agent: player.agent(&game),
            random: stream(seed, "engine", 0),
            n_games: 1,
            has_quit: false,
            game,
            player,
            threads,
            seed,
        }
    }

    /// Whether `quit` has been asked for.
    #[must_use]
    pub fn has_quit(&self) -> bool {
        self.has_quit
    }

    /// The answer to a line: one line without its end. Blank lines and `quit` have none. What is
    /// answered by `error` has changed nothing.
    pub fn handle(&mut self, line: &str) -> String {
        let line = line.trim();
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let answer = match command {
            "" => return String::new(),
            "quit" => {
                self.has_quit = true;
                return String::new();
            }
            "name" => Ok(self.name()),
            "new" => self.new_game(rest),
            "play" => self.play(rest),
            "go" => self.go(rest),
            "moves" => Ok(self.moves()),
            "state" => Ok(self.state_line()),
            _ => Err(format!(
                "unknown command {command:?}: expected name, new, play, go, moves, state or quit"
            )),
        };
        answer.unwrap_or_else(|why| error_line(&why))
    }

    fn name(&self) -> String {
        let (version, player) = (env!("CARGO_PKG_VERSION"), self.player.spec());
        format!("name Tablero v{version} {} {player}", self.game.spec())
    }

    fn new_game(&mut self, text: &str) -> Result<String, String> {
        self.state = match text {
            "" => self.game.initial(),
            text => self.game.parse_state(text).map_err(|it| it.to_string())?,
        };
        self.agent = self.player.agent(&self.game);
        self.random = stream(self.seed, "engine", self.n_games);
        self.n_games += 1;
        Ok("ok".to_owned())
    }

    fn play(&mut self, text: &str) -> Result<String, String> {
        let mut next = self.state.clone();
        let mut actions = Vec::new();
        for step in self.game.split_actions(&self.state, text) {
            let read = self.game.parse_id_or_action(&next, step);
            let action = read.map_err(|error| error.to_string())?;
            let played = self.game.play(&mut next, action);
            played.map_err(|illegal| format!("{step} is illegal: {illegal}"))?;
            actions.push(action);
        }
        if actions.is_empty() {
            return Err("expected actions to play".to_owned());
        }
        self.state = next;
        for action in actions {
            self.agent.played(action);
        }
        Ok("ok".to_owned())
    }

    fn go(&mut self, text: &str) -> Result<String, String> {
        let time = text.parse().ok().map(Duration::from_micros);
        let time = time.filter(|time| (Duration::from_micros(1)..=LONGEST_TURN).contains(time));
        let Some(time) = time else {
            let most = LONGEST_TURN.as_micros();
            return Err(format!(
                "expected go MICROSECONDS, 1 to {most}, got {text:?}"
            ));
        };
        if self.game.is_over(&self.state) {
            return Err("the game is over".to_owned());
        }
        let before = self.state.clone();
        match self.turn(time) {
            Ok(texts) => Ok(format!("turn {}", texts.join(" "))),
            Err(error) => {
                // What it has seen of the turn was not played.
                self.state = before;
                self.agent = self.player.agent(&self.game);
                Err(error.to_string())
            }
        }
    }

    /// Plays a whole turn and returns the texts of its actions.
    fn turn(&mut self, time: Duration) -> Result<Vec<String>, AgentError> {
        let start = Instant::now();
        let mover = self.game.player_to_move(&self.state);
        let mut texts = Vec::new();
        while !self.game.is_over(&self.state) && self.game.player_to_move(&self.state) == mover {
            let action = self.choose(time.saturating_sub(start.elapsed()))?;
            texts.push(self.game.action_text(&self.state, action));
            self.game.play_unchecked(&mut self.state, action);
            self.agent.played(action);
        }
        Ok(texts)
    }

    /// An action within `left`, what is left of the turn's time. It may take half of that, since the
    /// turn may be long, and all of it where the action found ends the turn. A forced action takes
    /// none.
    fn choose(&mut self, left: Duration) -> Result<ActionId, AgentError> {
        let mut legal = Vec::new();
        self.game.legal_actions(&self.state, &mut legal);
        if let [forced] = legal[..] {
            return Ok(forced);
        }
        if legal.iter().all(|&action| self.ends_turn(action)) {
            return self.think(left);
        }
        let start = Instant::now();
        let action = self.think(left / 2)?;
        let spent = start.elapsed();
        // A search that ends before its time is sure of its choice.
        if spent < left / 2 || spent >= left || !self.ends_turn(action) {
            return Ok(action);
        }
        // The search resumes where it was: a tree is kept.
        self.think(left - spent)
    }

    fn ends_turn(&self, action: ActionId) -> bool {
        let mover = self.game.player_to_move(&self.state);
        let mut next = self.state.clone();
        self.game.play_unchecked(&mut next, action);
        self.game.is_over(&next) || self.game.player_to_move(&next) != mover
    }

    fn think(&mut self, time: Duration) -> Result<ActionId, AgentError> {
        self.agent.limit(&Limits::time(time), self.threads);
        let choice = self.agent.choose(&self.state, &mut self.random)?;
        Ok(choice.action)
    }

    fn moves(&self) -> String {
        let mut legal = Vec::new();
        if !self.game.is_over(&self.state) {
            self.game.legal_actions(&self.state, &mut legal);
        }
        let texts = legal.iter();
        let texts = texts.map(|&action| self.game.action_text(&self.state, action));
        let line = format!("moves {}", texts.collect::<Vec<_>>().join(";"));
        line.trim_end().to_owned()
    }

    fn state_line(&self) -> String {
        let text = self.game.state_text(&self.state);
        match self.game.outcome(&self.state) {
            None => format!(
                "state move {} {text}",
                self.game.player_to_move(&self.state)
            ),
            Some(outcome) => {
                let value = outcome.value().0;
                format!("state over {value} {} {text}", -value)
            }
        }
    }
}

/// One line, however the reason is written and however long it is.
fn error_line(why: &str) -> String {
    let words: Vec<&str> = why.split_whitespace().collect();
    let line = words.join(" ");
    format!(
        "error {}",
        line.chars().take(LONGEST_ERROR).collect::<String>()
    )
}

/// Answers the lines of `input` until it ends or says `quit`.
///
/// # Errors
/// If reading or writing fails.
pub fn serve<G: Playable>(
    engine: &mut Engine<G>,
    mut input: impl BufRead,
    mut output: impl Write,
) -> io::Result<()> {
    let mut line = Vec::new();
    while !engine.has_quit() {
        let answer = match read_line(&mut input, &mut line)? {
            Line::Whole => engine.handle(&String::from_utf8_lossy(&line)),
            Line::TooLong => error_line(&format!("a line has at most {LONGEST_LINE} bytes")),
            Line::End => break,
        };
        if !answer.is_empty() {
            writeln!(output, "{answer}")?;
            output.flush()?;
        }
    }
    Ok(())
}
