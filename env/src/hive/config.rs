//! The configured game: which expansions are in play, how a game may be opened, and the text of both.

use super::board::piece::{Kind, N_PIECES_A_SIDE, Piece};
use super::board::stacks::PieceSet;
use std::fmt;

/// Whether a side may place its queen on its first turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Opening {
    /// It may not: the rule of tournaments.
    #[default]
    Tournament,
    /// It may.
    Free,
}

/// The configured game: expansions and opening rule. The default is Base+MLP, tournament.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Hive {
    /// Whether the mosquito is in play.
    pub mosquito: bool,
    /// Whether the ladybug is in play.
    pub ladybug: bool,
    /// Whether the pillbug is in play.
    pub pillbug: bool,
    /// Whether a queen may be placed on a side's first turn.
    pub opening: Opening,
}

/// Parameters that name no game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected base, or base+ with some of the letters m, l and p (such as base+mlp), \
     optionally with ,opening=free or ,opening=tournament; got {got:?}"
)]
pub struct ConfigError {
    /// The text given.
    pub got: String,
}

impl Hive {
    /// The base game without expansions, opened by the tournament rule.
    pub const BASE: Hive = Hive {
        mosquito: false,
        ladybug: false,
        pillbug: false,
        opening: Opening::Tournament,
    };

    /// All eight game types, opened by the tournament rule, from Base to Base+MLP.
    #[must_use]
    pub fn all_types() -> [Hive; 8] {
        std::array::from_fn(|set| Hive {
            mosquito: set & 1 != 0,
            ladybug: set & 2 != 0,
            pillbug: set & 4 != 0,
            ..Hive::BASE
        })
    }

    /// Reads the parameters of a spec: a game type in any case, such as `base+mlp` or `Base`,
    /// optionally with `,opening=free`.
    ///
    /// # Errors
    /// If the text is anything else.
    pub fn parse_parameters(text: &str) -> Result<Hive, ConfigError> {
        let error = || ConfigError {
            got: text.to_owned(),
        };
        let lower = text.to_ascii_lowercase();
        let (game_type, option) = match lower.split_once(',') {
            Some((game_type, option)) => (game_type, Some(option.trim())),
            None => (lower.as_str(), None),
        };
        let opening = match option {
            None | Some("opening=tournament") => Opening::Tournament,
            Some("opening=free") => Opening::Free,
            Some(_) => return Err(error()),
        };
        let letters = match game_type.trim().strip_prefix("base") {
            Some("") => "",
            Some(rest) => rest
                .strip_prefix('+')
                .filter(|letters| !letters.is_empty())
                .ok_or_else(error)?,
            None => return Err(error()),
        };
        let mut game = Hive {
            opening,
            ..Hive::BASE
        };
        for letter in letters.chars() {
            let flag = match letter {
                'm' => &mut game.mosquito,
                'l' => &mut game.ladybug,
                'p' => &mut game.pillbug,
                _ => return Err(error()),
            };
            if std::mem::replace(flag, true) {
                return Err(error());
            }
        }
        Ok(game)
    }

    /// The GameTypeString of the Universal Hive Protocol: `Base`, `Base+M`, … `Base+MLP`.
    #[must_use]
    pub fn game_type(&self) -> String {
        let mut text = "Base".to_owned();
        if self.mosquito || self.ladybug || self.pillbug {
            text.push('+');
        }
        for (flag, letter) in [
            (self.mosquito, 'M'),
            (self.ladybug, 'L'),
            (self.pillbug, 'P'),
        ] {
            if flag {
                text.push(letter);
            }
        }
        text
    }

    /// Whether the piece belongs to this game.
    #[inline]
    #[must_use]
    pub fn has(&self, piece: Piece) -> bool {
        self.pieces() >> piece.index() & 1 == 1
    }

    /// The pieces of this game.
    #[inline]
    pub(super) fn pieces(&self) -> PieceSet {
        let base: PieceSet = (1 << Kind::Mosquito.first()) - 1;
        let side = base
            | PieceSet::from(self.mosquito) << Kind::Mosquito.first()
            | PieceSet::from(self.ladybug) << Kind::Ladybug.first()
            | PieceSet::from(self.pillbug) << Kind::Pillbug.first();
        side | side << N_PIECES_A_SIDE
    }
}

impl Default for Hive {
    fn default() -> Self {
        Hive {
            mosquito: true,
            ladybug: true,
            pillbug: true,
            opening: Opening::Tournament,
        }
    }
}

impl fmt::Debug for Hive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Hive({}, {:?})", self.game_type(), self.opening)
    }
}
