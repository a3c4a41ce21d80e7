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

/// Which moves `mover` may sensibly play, given what is proven about each: only winning ones
/// where a win is proven, no losing one where another is left.
pub(crate) fn acceptable(mover: Player, moves: &[Proof]) -> impl Fn(Proof) -> bool + use<> {
    let (win, loss) = (Proof::win_of(mover), Proof::loss_of(mover));
    let has_win = moves.contains(&win);
    let all_lose = moves.iter().all(|&proof| proof == loss);
    move |proof| {
        if has_win {
            proof == win
        } else {
            all_lose || proof != loss
        }
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
        let accepts = |moves: &[Proof]| -> Vec<bool> {
            let accept = acceptable(Player::Second, moves);
            moves.iter().map(|&proof| accept(proof)).collect()
        };
        assert_eq!(accepts(&[FirstWins, Open, Draw]), [false, true, true]);
        assert_eq!(accepts(&[FirstWins, FirstWins]), [true, true]);
        assert_eq!(
            accepts(&[Open, SecondWins, Draw, FirstWins]),
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
