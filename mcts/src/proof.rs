//! Proven values: what finished games below a move say for certain (MCTS-Solver, Winands,
//! Björnsson and Saito, 2008, with draws).

use crate::value::{FirstValue, FirstWdl};
use tablero_env::{Outcome, Player};

/// The exact result of a position under best play, if it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Proof {
    /// Not known.
    Open,
    /// Player 0 wins.
    FirstWins,
    /// Nobody wins.
    Draw,
    /// Player 1 wins.
    SecondWins,
}

impl Proof {
    pub fn from_outcome(outcome: &Outcome) -> Proof {
        outcome.winner.map_or(Proof::Draw, Proof::win_of)
    }

    #[inline]
    pub fn win_of(player: Player) -> Proof {
        match player {
            Player::First => Proof::FirstWins,
            Player::Second => Proof::SecondWins,
        }
    }

    #[inline]
    pub fn loss_of(player: Player) -> Proof {
        Proof::win_of(player.opponent())
    }

    /// +1, 0 or -1 for `player`, if known.
    #[inline]
    pub fn value_for(self, player: Player) -> Option<i8> {
        match self {
            Proof::Open => None,
            Proof::FirstWins => Some(player.sign()),
            Proof::Draw => Some(0),
            Proof::SecondWins => Some(-player.sign()),
        }
    }

    /// The certain result, if known.
    #[inline]
    pub fn wdl(self) -> Option<FirstWdl> {
        let value = f32::from(self.value_for(Player::First)?);
        Some(FirstWdl {
            value: FirstValue(value),
            draw: if self == Proof::Draw { 1.0 } else { 0.0 },
        })
    }
}

/// What the moves of a position prove about it for `mover`, who chooses: a winning move proves a
/// win; otherwise the best of them, once all are proven.
pub(crate) fn prove(mover: Player, moves: &[Proof]) -> Proof {
    let mut best = Proof::loss_of(mover);
    let mut all_proven = true;
    for &proof in moves {
        match proof.value_for(mover) {
            Some(1) => return proof,
            Some(0) => best = Proof::Draw,
            Some(_) => {}
            None => all_proven = false,
        }
    }
    if all_proven { best } else { Proof::Open }
}

/// Which moves a player may sensibly choose, given what is proven about each for that player:
/// only winning ones where a win is proven, no losing one where another is left.
pub(crate) fn acceptable(
    mut moves: impl Iterator<Item = Option<i8>> + Clone,
) -> impl Fn(Option<i8>) -> bool {
    let has_win = moves.clone().any(|proven| proven == Some(1));
    let all_lose = moves.all(|proven| proven == Some(-1));
    move |proven| match proven {
        Some(1) => true,
        Some(-1) => all_lose,
        _ => !has_win,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Proof::{Draw, FirstWins, Open, SecondWins};

    #[test]
    fn one_winning_move_proves_a_win_whatever_else_is_open() {
        assert_eq!(
            prove(Player::First, &[SecondWins, Open, FirstWins]),
            FirstWins
        );
        assert_eq!(prove(Player::Second, &[Open, SecondWins]), SecondWins);
    }

    #[test]
    fn without_a_win_every_move_must_be_proven() {
        assert_eq!(prove(Player::First, &[Draw, Open]), Open);
        assert_eq!(prove(Player::First, &[Draw, SecondWins]), Draw);
        assert_eq!(prove(Player::Second, &[FirstWins, FirstWins]), FirstWins);
    }

    #[test]
    fn nobody_plays_a_lost_move_while_there_is_another() {
        let accepts = |moves: &[Option<i8>]| -> Vec<bool> {
            moves
                .iter()
                .copied()
                .map(acceptable(moves.iter().copied()))
                .collect()
        };
        assert_eq!(accepts(&[Some(-1), None, Some(0)]), [false, true, true]);
        assert_eq!(accepts(&[Some(-1), Some(-1)]), [true, true]);
        assert_eq!(
            accepts(&[None, Some(1), Some(0), Some(-1)]),
            [false, true, false, false]
        );
    }

    #[test]
    fn a_proof_is_read_from_both_sides() {
        assert_eq!(SecondWins.value_for(Player::First), Some(-1));
        assert_eq!(SecondWins.value_for(Player::Second), Some(1));
        assert_eq!(Draw.value_for(Player::Second), Some(0));
        assert_eq!(Open.value_for(Player::First), None);
    }
}
