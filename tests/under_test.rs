//! The binary `tablero` with one game and some players more, built where the tests can find it, and
//! with file operations that can fail.

#[cfg(target_os = "linux")]
mod failing_calls;

use connect_four::ConnectFour;
use std::process::ExitCode;
use tablero::agents::{Agent, AgentError, Choice};
use tablero::env::random::Stream;
use tablero::env::{ActionId, Encode, ForMover, Game, OtherGame, OtherState};
use tablero::mcts::{Evaluations, Evaluator, Request, Wdl};
use tablero::{Games, Players};

/// Plays the last legal action, or one that is none.
struct Fixed {
    game: OtherGame,
    is_legal: bool,
}

impl Agent<OtherGame> for Fixed {
    fn choose(&mut self, state: &OtherState, _: &mut Stream) -> Result<Choice, AgentError> {
        let mut legal = Vec::new();
        self.game.legal_actions(state, &mut legal);
        let last = *legal.last().expect("the game is not over");
        let none = ActionId::from(self.game.n_actions());
        Ok(Choice {
            action: if self.is_legal { last } else { none },
            nodes: 0,
            is_late: false,
        })
    }
}

/// The more stones in the column in the middle, the better.
struct Central;

impl Evaluator<OtherGame> for Central {
    fn evaluate(
        &mut self,
        game: &OtherGame,
        requests: &[Request<'_, OtherGame>],
        out: &mut Evaluations,
    ) {
        out.clear();
        let [planes, height, width] = game.observation_shape();
        let mut seen = vec![0.0; planes * height * width];
        for request in requests {
            game.write_observation(request.state, &mut seen);
            let in_the_middle = |plane: usize| -> f32 {
                let rows = (0..height).map(|row| seen[(plane * height + row) * width + width / 2]);
                rows.sum()
            };
            let win = 0.5 + 0.05 * (in_the_middle(0) - in_the_middle(1));
            let wdl = Wdl {
                win,
                draw: 0.0,
                loss: 1.0 - win,
            };
            let n = request.legal.len();
            out.push(n, ForMover(wdl), None).fill(1.0 / n as f32);
        }
    }
}

fn players() -> Players {
    let fixed = |is_legal| {
        move |game: &OtherGame| {
            let game = game.clone();
            Ok(Fixed { game, is_legal })
        }
    };
    Players::new()
        .with_agent("last", fixed(true))
        .with_agent("illegal", fixed(false))
        .with_agent("missing", |_: &OtherGame| -> Result<Fixed, String> {
            Err("no such file of mine".to_owned())
        })
        .with_evaluator("central", |_: &OtherGame| Ok(Central))
        .with_evaluator("weightless", |_: &OtherGame| -> Result<Central, String> {
            Err("no weights of mine".to_owned())
        })
}

fn main() -> ExitCode {
    players().install();
    let code = tablero::run_with(Games::builtin().with(ConnectFour::default()));
    #[cfg(target_os = "linux")]
    failing_calls::report();
    code
}
