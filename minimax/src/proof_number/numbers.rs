//! Proof and disproof numbers, and how those of a position follow from its children's.

use tablero_env::ActionId;

/// More than any number of an open position.
pub(super) const INFINITY: u32 = 1 << 30;

/// How many positions must at least still be decided, one way and the other, as far as is known
/// (Allis, van der Meulen and van den Herik, 1994).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numbers {
    /// To prove that the attacker wins; 0 if proven, [`INFINITY`] if disproven.
    pub(super) proof: u32,
    /// To prove that the attacker does not win; the other way round.
    pub(super) disproof: u32,
}

impl Numbers {
    pub(super) const PROVEN: Numbers = Numbers {
        proof: 0,
        disproof: INFINITY,
    };
    pub(super) const DISPROVEN: Numbers = Numbers {
        proof: INFINITY,
        disproof: 0,
    };

    /// The number of which one child decides and the one to which all add, where the attacker or
    /// the other player moves.
    #[inline]
    fn of(self, attacks: bool) -> (u32, u32) {
        if attacks {
            (self.proof, self.disproof)
        } else {
            (self.disproof, self.proof)
        }
    }

    /// The inverse of [`of`](Numbers::of).
    #[inline]
    fn from_sides(attacks: bool, one: u32, all: u32) -> Numbers {
        let (proof, disproof) = if attacks { (one, all) } else { (all, one) };
        Numbers { proof, disproof }
    }

    #[inline]
    pub(super) fn is_proven(self) -> bool {
        self.proof == 0
    }

    #[inline]
    pub(super) fn is_disproven(self) -> bool {
        self.disproof == 0
    }

    #[inline]
    pub(super) fn is_decided(self) -> bool {
        self.is_proven() || self.is_disproven()
    }
}

/// What a disproof rests on that holds by every way to the position.
pub(super) const NOTHING: usize = usize::MAX;
/// What a disproof rests on that comes from the longest line that is followed.
pub(super) const THE_CUT: usize = 0;
/// What a disproof rests on that would return to the position asked about: the first of the path.
pub(super) const THE_ROOT: usize = 1;

/// What a search has found of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) numbers: Numbers,
    /// The plies in which a proven win is won.
    pub(super) plies: u16,
    /// The earliest position of the path, counted from 1, to which a disproven position would
    /// return.
    pub(super) rests_on: usize,
}

impl Found {
    pub(super) const fn open(numbers: Numbers) -> Found {
        Found {
            numbers,
            plies: 0,
            rests_on: NOTHING,
        }
    }

    pub(super) const fn disproven(rests_on: usize) -> Found {
        Found {
            numbers: Numbers::DISPROVEN,
            plies: 0,
            rests_on,
        }
    }

    pub(super) const fn proven(plies: u16) -> Found {
        Found {
            numbers: Numbers::PROVEN,
            plies,
            rests_on: NOTHING,
        }
    }
}

/// What an action leads to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child {
    pub(super) action: ActionId,
    pub(super) key: u64,
    pub(super) found: Found,
}

/// What the children say of their parent, in which the attacker or the other player moves. The
/// attacker needs one proven child, so that the smallest proof number counts, and the sum of the
/// disproof numbers; for the other player it is the other way round.
pub(super) fn combine(children: &[Child], attacks: bool) -> Found {
    let found = || children.iter().map(|child| &child.found);
    let proven = || found().filter(|found| found.numbers.is_proven());
    let disproven = || found().filter(|found| found.numbers.is_disproven());
    if attacks {
        if let Some(plies) = proven().map(|found| found.plies).min() {
            return Found::proven(plies + 1);
        }
        if disproven().count() == children.len() {
            return Found::disproven(disproven().map(|found| found.rests_on).min().unwrap());
        }
    } else {
        if let Some(rests_on) = disproven().map(|found| found.rests_on).max() {
            return Found::disproven(rests_on);
        }
        if proven().count() == children.len() {
            return Found::proven(proven().map(|found| found.plies).max().unwrap() + 1);
        }
    }
    let mut least = INFINITY;
    let mut sum = 0;
    for found in found() {
        let (one, all) = found.numbers.of(attacks);
        least = least.min(one);
        sum += u64::from(all);
    }
    Found::open(Numbers::from_sides(
        attacks,
        least,
        sum.min(u64::from(INFINITY - 1)) as u32,
    ))
}

/// The child to search next, and how far (Nagai, 2002). It is searched while it has the smallest
/// number, and a quarter beyond that, so that the search does not jump to and fro between two
/// children (Pawlewicz and Lew, 2007: the 1 + ε trick).
pub(super) fn next_child(
    children: &[Child],
    attacks: bool,
    parent: Numbers,
    limit: Numbers,
) -> (usize, Numbers) {
    let mut best = (INFINITY, 0);
    let mut second = INFINITY;
    for (index, child) in children.iter().enumerate() {
        let (one, _) = child.found.numbers.of(attacks);
        if one < best.0 {
            second = best.0;
            best = (one, index);
        } else {
            second = second.min(one);
        }
    }
    let index = best.1;
    let (_, own) = children[index].found.numbers.of(attacks);
    let (_, all) = parent.of(attacks);
    let (least_limit, sum_limit) = limit.of(attacks);
    let one = least_limit.min(second.saturating_add(second / 4 + 1));
    let sum = if sum_limit == INFINITY {
        INFINITY
    } else {
        sum_limit - (all - own)
    };
    (index, Numbers::from_sides(attacks, one.min(INFINITY), sum))
}
