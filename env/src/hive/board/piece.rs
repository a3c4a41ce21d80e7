//! The pieces of both sides.

use crate::Player;
use std::fmt;

/// The number of pieces of both sides, all expansions included.
pub const N_PIECES: usize = 28;
/// The number of pieces of one side, all expansions included.
pub const N_PIECES_A_SIDE: usize = 14;
/// The number of kinds of bug.
pub const N_KINDS: usize = 8;

/// A kind of bug.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Kind {
    /// Moves one cell; the side whose queen is surrounded loses.
    Queen,
    /// Moves exactly three cells.
    Spider,
    /// Moves one cell, also on top of other pieces.
    Beetle,
    /// Jumps in a straight line.
    Grasshopper,
    /// Moves any number of cells.
    Ant,
    /// Expansion: moves like what it touches.
    Mosquito,
    /// Expansion: moves two cells on top of the hive, then one down.
    Ladybug,
    /// Expansion: moves one cell, or throws a neighbour.
    Pillbug,
}

impl Kind {
    /// All kinds, in the order of the pieces.
    pub const ALL: [Kind; N_KINDS] = [
        Kind::Queen,
        Kind::Spider,
        Kind::Beetle,
        Kind::Grasshopper,
        Kind::Ant,
        Kind::Mosquito,
        Kind::Ladybug,
        Kind::Pillbug,
    ];

    /// The letter of the Universal Hive Protocol: Q S B G A M L P.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Kind::Queen => 'Q',
            Kind::Spider => 'S',
            Kind::Beetle => 'B',
            Kind::Grasshopper => 'G',
            Kind::Ant => 'A',
            Kind::Mosquito => 'M',
            Kind::Ladybug => 'L',
            Kind::Pillbug => 'P',
        }
    }

    /// How many pieces of this kind a side has, in games that have the kind.
    #[must_use]
    pub const fn count(self) -> usize {
        match self {
            Kind::Spider | Kind::Beetle => 2,
            Kind::Grasshopper | Kind::Ant => 3,
            Kind::Queen | Kind::Mosquito | Kind::Ladybug | Kind::Pillbug => 1,
        }
    }

    /// The index of the kind's first piece within a side.
    #[must_use]
    pub const fn first(self) -> usize {
        match self {
            Kind::Queen => 0,
            Kind::Spider => 1,
            Kind::Beetle => 3,
            Kind::Grasshopper => 5,
            Kind::Ant => 8,
            Kind::Mosquito => 11,
            Kind::Ladybug => 12,
            Kind::Pillbug => 13,
        }
    }
}

/// One of the 28 pieces: 0 to 13 are player 0's (White), 14 to 27 player 1's (Black), each side
/// in the order Q, S1, S2, B1, B2, G1, G2, G3, A1, A2, A3, M, L, P.
///
/// `Display` writes the name in the Universal Hive Protocol, such as `wA1` or `bQ`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Piece(u8);

impl Piece {
    /// All pieces, ascending.
    pub fn all() -> impl Iterator<Item = Piece> {
        (0..N_PIECES as u8).map(Piece)
    }

    /// The pieces of one side, ascending.
    pub fn of(player: Player) -> impl Iterator<Item = Piece> {
        let first = (player.index() * N_PIECES_A_SIDE) as u8;
        (first..first + N_PIECES_A_SIDE as u8).map(Piece)
    }

    /// The piece of a side, kind and number; numbers count from 1. `None` if there is none.
    #[must_use]
    pub fn new(player: Player, kind: Kind, number: usize) -> Option<Piece> {
        (1..=kind.count())
            .contains(&number)
            .then(|| Piece((player.index() * N_PIECES_A_SIDE + kind.first() + number - 1) as u8))
    }

    /// The piece with a name such as `wA1` or `bQ`, in any case.
    pub(crate) fn parse(name: &str) -> Option<Piece> {
        let mut letters = name.chars().map(|letter| letter.to_ascii_uppercase());
        let owner = match letters.next()? {
            'W' => Player::First,
            'B' => Player::Second,
            _ => return None,
        };
        let letter = letters.next()?;
        let kind = Kind::ALL.into_iter().find(|kind| kind.letter() == letter)?;
        let number = letters.next();
        let n = match (kind.count(), number) {
            (1, None) => 1,
            (1, Some(_)) => return None,
            (_, number) => number?.to_digit(10)? as usize,
        };
        match letters.next() {
            None => Piece::new(owner, kind, n),
            Some(_) => None,
        }
    }

    /// Its kind as a player sees it: own ones are 0 to 7, those of the enemy 8 to 15.
    #[inline]
    pub(crate) fn kind_seen_by(self, player: Player) -> usize {
        self.kind() as usize + N_KINDS * usize::from(self.owner() != player)
    }

    /// The queen of a side.
    #[inline]
    #[must_use]
    pub const fn queen(player: Player) -> Piece {
        Piece::single(player, Kind::Queen)
    }

    /// The first piece of a side and kind, which is the only one of the queen and the expansions.
    #[inline]
    pub(crate) const fn single(player: Player, kind: Kind) -> Piece {
        Piece((player as usize * N_PIECES_A_SIDE + kind.first()) as u8)
    }

    /// The piece with this index, below 28.
    ///
    /// # Panics
    /// If the index is not below 28.
    #[inline]
    #[must_use]
    pub const fn from_index(index: usize) -> Piece {
        assert!(index < N_PIECES, "a piece's index is below 28");
        Piece(index as u8)
    }

    /// 0 to 27.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Whose piece it is.
    #[inline]
    #[must_use]
    pub const fn owner(self) -> Player {
        Player::BOTH[(self.0 as usize >= N_PIECES_A_SIDE) as usize]
    }

    /// What kind of bug it is.
    #[inline]
    #[must_use]
    pub const fn kind(self) -> Kind {
        KINDS[self.0 as usize]
    }

    /// Its number among those of its kind and side, from 1.
    #[must_use]
    pub const fn number(self) -> usize {
        self.0 as usize % N_PIECES_A_SIDE - self.kind().first() + 1
    }
}

static KINDS: [Kind; N_PIECES] = {
    let mut kinds = [Kind::Queen; N_PIECES];
    let mut kind = 0;
    while kind < N_KINDS {
        let mut index = Kind::ALL[kind].first();
        let end = index + Kind::ALL[kind].count();
        while index < end {
            kinds[index] = Kind::ALL[kind];
            kinds[index + N_PIECES_A_SIDE] = Kind::ALL[kind];
            index += 1;
        }
        kind += 1;
    }
    kinds
};

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = match self.owner() {
            Player::First => 'w',
            Player::Second => 'b',
        };
        write!(f, "{side}{}", self.kind().letter())?;
        if self.kind().count() > 1 {
            write!(f, "{}", self.number())?;
        }
        Ok(())
    }
}

impl fmt::Debug for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
