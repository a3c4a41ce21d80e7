//! Which action to try first: alpha-beta cuts most when the best one comes early.

use tablero_env::{ActionId, Player};

/// What earlier cut-offs teach: *killers*, the last two actions that cut at the same distance
/// from the root (Akl and Newborn, 1977), and the *history* of how much each action has cut
/// anywhere (Schaeffer, 1983).
#[derive(Clone, Debug)]
pub(crate) struct Ordering {
    /// `killers[ply]`, the newer first.
    killers: Vec<[Option<ActionId>; 2]>,
    /// `history[player][action]`.
    history: [Vec<u32>; 2],
}

/// A legal action, as its index in the list, under the order in which to try it: the highest
/// number first. Of equals the first in the list: the lower half holds what is left of `u32::MAX`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Ranked(u64);

impl Ranked {
    fn new(rank: u32, index: usize) -> Self {
        Ranked(u64::from(rank) << 32 | u64::from(u32::MAX - index as u32))
    }

    fn index(self) -> usize {
        (u32::MAX - self.0 as u32) as usize
    }
}

// Ranks of the classes, above any history count.
const FROM_TABLE: u32 = u32::MAX;
const FORCING: u32 = u32::MAX - 1;
const KILLERS: [u32; 2] = [u32::MAX - 2, u32::MAX - 3];
const MAX_HISTORY: u32 = u32::MAX - 4;

impl Ordering {
    pub(crate) fn new(n_actions: usize) -> Self {
        Ordering {
            killers: Vec::new(),
            history: [vec![0; n_actions], vec![0; n_actions]],
        }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.killers.clear();
        self.history.iter_mut().for_each(|counts| counts.fill(0));
    }

    /// Ranks `legal` into `out`: the table's action, forcing actions, killers, then by history.
    pub(crate) fn rank(
        &self,
        player: Player,
        ply: usize,
        from_table: Option<ActionId>,
        forcing: &[ActionId],
        legal: &[ActionId],
        out: &mut Vec<Ranked>,
    ) {
        let killers = self.killers.get(ply).copied().unwrap_or_default();
        let history = &self.history[player.index()];
        out.clear();
        out.extend(legal.iter().enumerate().map(|(index, &action)| {
            let some = Some(action);
            let rank = if some == from_table {
                FROM_TABLE
            } else if forcing.contains(&action) {
                FORCING
            } else if some == killers[0] {
                KILLERS[0]
            } else if some == killers[1] {
                KILLERS[1]
            } else {
                history[action.index()]
            };
            Ranked::new(rank, index)
        }));
    }

    /// Learns that `action` cut off the other actions at this ply with `depth` plies to go.
    pub(crate) fn record_cut(&mut self, player: Player, ply: usize, depth: u16, action: ActionId) {
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, [None; 2]);
        }
        let killers = &mut self.killers[ply];
        if killers[0] != Some(action) {
            *killers = [Some(action), killers[0]];
        }
        let count = &mut self.history[player.index()][action.index()];
        *count = count
            .saturating_add(u32::from(depth).pow(2))
            .min(MAX_HISTORY);
    }
}

/// Takes the highest of the actions not yet taken, as its index in the list of legal actions:
/// `ranked[..taken]` are done. A cut-off usually comes after one or two, so sorting all would be
/// wasted.
pub(crate) fn take_next(ranked: &mut [Ranked], taken: usize) -> usize {
    let mut best = taken;
    for index in taken + 1..ranked.len() {
        if ranked[index] > ranked[best] {
            best = index;
        }
    }
    ranked.swap(taken, best);
    ranked[taken].index()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_come_in_order_and_equals_ascend() {
        let mut ordering = Ordering::new(10);
        ordering.record_cut(Player::First, 3, 2, ActionId(5));
        ordering.record_cut(Player::First, 3, 2, ActionId(6));
        ordering.record_cut(Player::First, 0, 9, ActionId(8));
        ordering.record_cut(Player::Second, 0, 50, ActionId(9));
        let legal: Vec<ActionId> = (0..10).map(ActionId).collect();
        let mut ranked = Vec::new();
        let forcing = [ActionId(3), ActionId(4)];
        ordering.rank(
            Player::First,
            3,
            Some(ActionId(7)),
            &forcing,
            &legal,
            &mut ranked,
        );
        let order: Vec<u32> = (0..10)
            .map(|taken| legal[take_next(&mut ranked, taken)].0)
            .collect();
        assert_eq!(order, [7, 3, 4, 6, 5, 8, 0, 1, 2, 9]);
    }
}
