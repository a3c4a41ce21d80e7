//! Moves: of a person, who clicks or types them, and of an agent.

use crate::error::Refusal;
use crate::line::Line;
use crate::roster::Loaded;
use serde::{Deserialize, Serialize};
use tablero_agents::Cancel;
use tablero_env::random::stream;
use tablero_env::view::Position;
use tablero_env::{ActionId, BoardGame};
use tablero_minimax::Playable;

/// Actions that can be typed at once, at most.
const MOST_TYPED: usize = 400;

/// What a person does.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Input {
    /// Targets of the board, one after the other.
    Clicks(Vec<String>),
    /// Actions as text: one, or several as one list.
    Text(String),
}

/// Where actions lead.
#[derive(Debug, Serialize)]
pub(crate) struct Played {
    /// The actions that were played now.
    pub(crate) actions: Vec<ActionId>,
    /// Their texts.
    pub(crate) texts: Vec<String>,
    /// The notes that were typed: the first of the start, then one behind each action. Empty ones
    /// are no notes; there are none at all where nothing was noted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) notes: Vec<String>,
    pub(crate) position: Position,
}

impl Played {
    fn new<G: BoardGame>(
        game: &G,
        line: &Line,
        state: &G::State,
        actions: Vec<ActionId>,
    ) -> Result<Played, Refusal> {
        Ok(Played {
            position: line.position_after(game, &actions)?,
            texts: game.line_texts(state, &actions),
            notes: Vec::new(),
            actions,
        })
    }
}

/// Plays what a person does, or says why it cannot be played. All of it, or nothing.
pub(crate) fn person<G: BoardGame>(
    game: &G,
    line: &Line,
    input: &Input,
) -> Result<Played, Refusal> {
    let state = line.state(game)?;
    let (actions, notes) = match input {
        Input::Clicks(clicks) => {
            let clicks: Vec<&str> = clicks.iter().map(String::as_str).collect();
            let action = game.clicked(&state, &clicks);
            let action = action.ok_or_else(|| Refusal::illegal("these clicks are not a move"))?;
            game.legality(&state, action).map_err(Refusal::illegal)?;
            (vec![action], Vec::new())
        }
        Input::Text(text) => typed(game, &state, text)?,
    };
    Ok(Played {
        notes,
        ..Played::new(game, line, &state, actions)?
    })
}

/// The actions of a text, and the notes in it: see [`Played::notes`].
fn typed<G: BoardGame>(
    game: &G,
    state: &G::State,
    text: &str,
) -> Result<(Vec<ActionId>, Vec<String>), Refusal> {
    let mut state = state.clone();
    let mut steps = game.split_annotated(&state, text);
    if steps.first().is_none_or(|(action, _)| !action.is_empty()) {
        steps.insert(0, ("", ""));
    }
    let n_actions = steps.len() - 1;
    if n_actions == 0 || n_actions > MOST_TYPED {
        let what = format!("expected 1 to {MOST_TYPED} moves, got {n_actions}");
        return Err(Refusal::illegal(what));
    }
    let mut actions = Vec::with_capacity(n_actions);
    for (step, _) in &steps[1..] {
        let action = game
            .parse_id_or_action(&state, step)
            .map_err(Refusal::illegal)?;
        game.play(&mut state, action)
            .map_err(|reason| Refusal::illegal(format!("{step}: {reason}")))?;
        actions.push(action);
    }
    let is_noted = steps.iter().any(|(_, note)| !note.is_empty());
    let notes = steps.iter().map(|(_, note)| (*note).to_owned());
    Ok((actions, notes.filter(|_| is_noted).collect()))
}

/// Plays what an agent chooses.
pub(crate) fn agent<G: Playable>(
    game: &G,
    line: &Line,
    player: &Loaded,
    seed: u64,
    cancel: &Cancel,
) -> Result<Played, Refusal> {
    let state = line.unfinished(game)?;
    // Of the position, too: else every move of a random player would be drawn alike.
    let mut stream = stream(seed, "serve", line.actions().len() as u64);
    let mut agent = player.player.agent(game);
    agent.cancelled_by(cancel);
    let choice = agent
        .choose(&state, &mut stream)
        .map_err(Refusal::illegal)?;
    Played::new(game, line, &state, vec![choice.action])
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablero_env::Game;
    use tablero_env::paper_soccer::PaperSoccer;

    #[test]
    fn notes_come_with_their_moves() {
        let game = PaperSoccer::new(8, 10).unwrap();
        let typed = |text: &str| typed(&game, &game.initial(), text).unwrap();
        let (actions, notes) = typed("{start} N ; NE {a trap} ; E");
        assert_eq!(actions.len(), 3);
        assert_eq!(notes, ["start", "", "a trap", ""]);
        assert_eq!(typed("N NE").1, [""; 0]);
    }
}
