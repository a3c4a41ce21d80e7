//! What is kept of a game: enough to replay it and to learn from every decision.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tablero_env::{ActionId, ForMover, Game, Outcome};

/// One searched decision of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Decision {
    /// The action played.
    pub action: ActionId,
    /// The search's policy over the legal actions, in ascending order of action; sums to 1. Empty
    /// after a quick search or a random move: the decision is not learnt from.
    pub policy: Vec<f32>,
    /// The search's probabilities of a win, a draw and a loss.
    pub root_wdl: ForMover<[f32; 3]>,
    /// The exact return, where the search proved it: -1, 0 or 1.
    pub proven: Option<ForMover<i8>>,
}

/// A whole game of self-play.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The number of the game in its run. Together with the run's seed and the network it fixes
    /// everything else in this record.
    pub id: u64,
    /// Whether it goes on from a position of the game with the same number, where another move was
    /// played: the actions up to there, and that move, are its opening.
    pub forked: bool,
    /// First actions, played uniformly at random or in another game: not learnt from.
    pub opening: Vec<ActionId>,
    /// The searched decisions that follow, to the end of the game.
    pub decisions: Vec<Decision>,
    /// How the game ended.
    pub outcome: Outcome,
}

impl GameRecord {
    /// A game of which only the opening is played; its outcome is to come.
    #[must_use]
    pub fn begin(id: u64, forked: bool, opening: Vec<ActionId>) -> GameRecord {
        GameRecord {
            id,
            forked,
            opening,
            decisions: Vec::new(),
            outcome: Outcome::won_by(None),
        }
    }

    /// The record, which leaves one without moves.
    pub(crate) fn take(&mut self) -> GameRecord {
        GameRecord {
            opening: std::mem::take(&mut self.opening),
            decisions: std::mem::take(&mut self.decisions),
            ..*self
        }
    }

    /// Every action, from the first.
    pub fn actions(&self) -> impl Iterator<Item = ActionId> + '_ {
        let searched = self.decisions.iter().map(|decision| decision.action);
        self.opening.iter().copied().chain(searched)
    }

    /// Replays the record by the rules.
    ///
    /// # Errors
    /// If an action is illegal, a policy does not fit the legal actions, or the game does not end
    /// as recorded: the record belongs to another game or is damaged.
    pub fn verify<G: Game>(&self, game: &G) -> Result<(), RecordError> {
        let mut state = game.initial();
        let mut legal = Vec::new();
        for (ply, action) in self.actions().enumerate() {
            let wrong = |what: String| RecordError {
                game: self.id,
                ply,
                what,
            };
            if let Some(index) = ply.checked_sub(self.opening.len()) {
                game.legal_actions(&state, &mut legal);
                let got = self.decisions[index].policy.len();
                if got != legal.len() && got != 0 {
                    return Err(wrong(format!(
                        "expected a policy over {} legal actions, got {got}",
                        legal.len()
                    )));
                }
            }
            game.play(&mut state, action)
                .map_err(|illegal| wrong(illegal.to_string()))?;
        }
        let outcome = game.outcome(&state);
        if outcome == Some(self.outcome) {
            Ok(())
        } else {
            Err(RecordError {
                game: self.id,
                ply: self.opening.len() + self.decisions.len(),
                what: format!(
                    "expected the recorded outcome {:?}, got {outcome:?}",
                    self.outcome,
                ),
            })
        }
    }
}

/// A record that does not replay.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("game {game} does not replay at ply {ply}: {what}")]
pub struct RecordError {
    /// The game's number.
    pub game: u64,
    /// The ply, from 0.
    pub ply: usize,
    /// What is wrong.
    pub what: String,
}

/// A hash over the content of games, as 16 hexadecimal digits: equal records, equal hash,
/// whatever file, thread or batch they came from.
#[must_use]
pub fn record_hash(games: &[GameRecord]) -> String {
    let mut hasher = Sha256::new();
    for game in games {
        let bytes = postcard::to_stdvec(game).expect("records are plain data");
        hasher.update(bytes);
    }
    let digest = hasher.finalize();
    digest[..8]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}
