#![doc = include_str!("../../features/xadrersi.md")]

use super::board::bitboard::{Bitboard, squares};
use super::board::square::Square;
use super::board::symmetry::{N_SYMMETRIES, image};
use super::pieces::attacks::attacks;
use super::pieces::kind::{Kind, N_KINDS};
use super::pieces::placements::parts;
use super::state::{N_PLIES, State};
use crate::features::{clamped, group_starts};
use crate::{ActionFeatures, ActionId, FeatureImages, FeatureSizes, Player};
use arrayvec::ArrayVec;

const AREA: usize = 64;
/// Attackers of a square, up to 3 of each side.
const ATTACKERS: usize = 16;
const MOST_LEAD: i32 = 40;
/// A queen attacks 27 squares at most.
const REACHES: usize = 28;
/// What is lost, up to this less one.
const LOSSES: usize = 16;
const LEAST_GAIN: i32 = -16;
const GAINS: usize = 57;

const SIZES: [usize; 9] = [
    2 * N_KINDS * AREA,
    AREA,
    AREA * ATTACKERS,
    N_PLIES as usize + 1,
    2 * (N_KINDS - 1) * 3,
    2,
    2 * MOST_LEAD as usize + 1,
    2 * N_KINDS * REACHES * 2,
    GAINS,
];
const ACTION_SIZES: [usize; 7] = [
    N_KINDS * AREA,
    N_KINDS * ATTACKERS,
    N_KINDS * REACHES,
    LOSSES,
    LOSSES,
    GAINS,
    N_KINDS * N_PLIES as usize,
];

const STARTS: [usize; SIZES.len()] = group_starts(0, SIZES);
const ACTION_STARTS: [usize; ACTION_SIZES.len()] = group_starts(0, ACTION_SIZES);

/// A piece on the board.
#[derive(Clone, Copy)]
struct Attacker {
    kind: Kind,
    square: Square,
    /// The squares that it attacks, empty and not.
    attacks: Bitboard,
}

/// The pieces of both sides and what they attack: the mover's first.
pub(super) struct Attackers {
    occupied: Bitboard,
    sides: [ArrayVec<Attacker, 8>; 2],
    /// Bits of the number of attackers of each square: `[side][bit]`, saturated at 3.
    counts: [[Bitboard; 2]; 2],
}

impl Attackers {
    pub(super) fn new(state: &State) -> Attackers {
        let mover = state.to_move();
        let occupied = state.occupied();
        let mut all = Attackers {
            occupied,
            sides: [ArrayVec::new(), ArrayVec::new()],
            counts: [[0; 2]; 2],
        };
        for (side, player) in [mover, mover.opponent()].into_iter().enumerate() {
            let own = state.side(player);
            let [low, high] = &mut all.counts[side];
            for kind in Kind::ALL {
                for square in squares(state.kinds[kind.index()] & own) {
                    let attacks = attacks(kind, square, occupied);
                    all.sides[side].push(Attacker {
                        kind,
                        square,
                        attacks,
                    });
                    let carry = *low & attacks;
                    let full = carry & *high;
                    *low = (*low ^ attacks) | full;
                    *high |= carry;
                }
            }
        }
        all
    }

    /// The attackers of a square, as a number below 16.
    #[inline]
    fn of(&self, square: Square) -> usize {
        let bit = |set: Bitboard| (set >> square.index() & 1) as usize;
        let [mine, theirs] = self.counts.map(|[low, high]| bit(low) | bit(high) << 1);
        mine * 4 + theirs
    }

    /// The squares that each side no longer counts once a piece stands on an empty square.
    fn losses(&self, square: Square) -> [i32; 2] {
        let occupied = self.occupied | square.bit();
        [0, 1].map(|side| {
            let there = |attacker: &&Attacker| attacker.attacks & square.bit() != 0;
            let hit = self.sides[side].iter().filter(there);
            hit.map(|attacker| {
                let now = match attacker.kind {
                    Kind::King | Kind::Knight => attacker.attacks,
                    kind => attacks(kind, attacker.square, occupied),
                };
                count(attacker.attacks & !self.occupied) - count(now & !occupied)
            })
            .sum()
        })
    }
}

fn count(set: Bitboard) -> i32 {
    set.count_ones() as i32
}

pub(super) fn sizes() -> FeatureSizes {
    FeatureSizes {
        features: SIZES.iter().sum(),
        // One of each square and of the anchor, of each piece, and of the small groups.
        most_active: AREA + 1 + N_PLIES as usize + 2 * (N_KINDS - 1) + 4,
        action_features: ACTION_SIZES.iter().sum(),
        most_active_of_action: ACTION_SIZES.len(),
    }
}

pub(super) fn write_position(
    state: &State,
    all: &Attackers,
    legal: &[ActionId],
    out: &mut Vec<u32>,
) {
    out.clear();
    let [
        pieces,
        anchor,
        attacked,
        placed,
        hands,
        call,
        at_lead,
        reach,
        gain,
    ] = STARTS;
    let mut push = |start: usize, fact: usize| out.push((start + fact) as u32);
    for (side, of_side) in all.sides.iter().enumerate() {
        for attacker in of_side {
            let kind = side * N_KINDS + attacker.kind.index();
            push(pieces, kind * AREA + attacker.square.index());
        }
    }
    if let Some(square) = state.anchor {
        push(anchor, square.index());
    }
    let [[a, b], [c, d]] = all.counts;
    for square in squares((a | b | c | d) & !all.occupied) {
        push(attacked, square.index() * ATTACKERS + all.of(square));
    }
    push(placed, usize::from(state.n_pieces));
    let mover = state.to_move();
    let hand = |(side, player): (usize, _)| {
        let left = state.left[Player::index(player)];
        (1..N_KINDS)
            .map(move |kind| (side * (N_KINDS - 1) + kind - 1) * 3 + usize::from(left[kind]))
    };
    let players = [mover, mover.opponent()].into_iter().enumerate();
    players.flat_map(hand).for_each(|fact| push(hands, fact));
    push(call, usize::from(state.queen_called()));
    let counted = |attacker: &Attacker| count(attacker.attacks & !all.occupied);
    let [mine, theirs] = [0, 1].map(|side| all.sides[side].iter().map(counted).sum::<i32>());
    push(at_lead, clamped(mine - theirs, -MOST_LEAD, SIZES[6]));
    for (side, of_side) in all.sides.iter().enumerate() {
        write_reaches(of_side, counted, |fact| {
            push(reach, side * N_KINDS * REACHES * 2 + fact);
        });
    }
    let mut gains = Gains::new(all);
    let best = legal.iter().map(|&action| gains.of(action).lead()).max();
    if let Some(best) = best {
        push(gain, clamped(best, LEAST_GAIN, GAINS));
    }
}

/// The numbers of squares that the pieces of a side attack, in ascending order.
fn write_reaches(
    side: &[Attacker],
    counted: impl Fn(&Attacker) -> i32,
    mut push: impl FnMut(usize),
) {
    let of_kind = side.chunk_by(|a, b| a.kind == b.kind);
    for pieces in of_kind {
        let start = pieces[0].kind.index() * REACHES;
        let reach = |at: usize| counted(&pieces[at]) as usize;
        match pieces.len() {
            1 => push((start + reach(0)) * 2),
            _ if reach(0) == reach(1) => push((start + reach(0)) * 2 + 1),
            _ => {
                push((start + reach(0).min(reach(1))) * 2);
                push((start + reach(0).max(reach(1))) * 2);
            }
        }
    }
}

/// What placements gain and lose, by square where several kinds may go there.
struct Gains<'a> {
    all: &'a Attackers,
    losses: [[i32; 2]; AREA],
    /// The squares with known losses.
    known: Bitboard,
}

/// What a placement does: the empty squares that the piece attacks, and those that each side no
/// longer counts.
struct Gain {
    attacked: i32,
    losses: [i32; 2],
}

impl Gain {
    /// What the lead of the mover gains.
    fn lead(&self) -> i32 {
        self.attacked - self.losses[0] + self.losses[1]
    }
}

impl Gains<'_> {
    fn new(all: &Attackers) -> Gains<'_> {
        Gains {
            all,
            losses: [[0; 2]; AREA],
            known: 0,
        }
    }

    #[inline]
    fn of(&mut self, action: ActionId) -> Gain {
        let (kind, square) = parts(action);
        let at = square.index();
        if self.known & square.bit() == 0 {
            self.known |= square.bit();
            self.losses[at] = self.all.losses(square);
        }
        let occupied = self.all.occupied;
        Gain {
            attacked: count(attacks(kind, square, occupied) & !occupied),
            losses: self.losses[at],
        }
    }
}

pub(super) fn write_actions(
    state: &State,
    all: &Attackers,
    legal: &[ActionId],
    out: &mut ActionFeatures,
) {
    out.clear();
    let [place, attacked, reach, own, enemy, lead, ply] = ACTION_STARTS;
    let mut gains = Gains::new(all);
    for &action in legal {
        let (kind, square) = parts(action);
        let kind = kind.index();
        let gain = gains.of(action);
        let [mine, theirs] = gain.losses;
        let features = [
            place + action.index(),
            attacked + kind * ATTACKERS + all.of(square),
            reach + kind * REACHES + gain.attacked as usize,
            own + clamped(mine, 0, LOSSES),
            enemy + clamped(theirs, 0, LOSSES),
            lead + clamped(gain.lead(), LEAST_GAIN, GAINS),
            ply + kind * usize::from(N_PLIES) + usize::from(state.n_pieces),
        ];
        out.push(features.map(|feature| feature as u32));
    }
}

/// What a symmetry makes of the features.
pub(super) fn images(symmetry: usize) -> FeatureImages {
    assert!(symmetry < N_SYMMETRIES, "symmetry {symmetry} of 8");
    let mut features: Vec<u32> = (0..sizes().features as u32).collect();
    let mut action_features: Vec<u32> = (0..sizes().action_features as u32).collect();
    let [_, _, attacked, ..] = STARTS;
    for number in 0..AREA {
        let to = image(symmetry, Square(number as u8)).index();
        // Pieces and the anchor.
        for kind in 0..=2 * N_KINDS {
            features[kind * AREA + number] = (kind * AREA + to) as u32;
        }
        for kind in 0..N_KINDS {
            action_features[kind * AREA + number] = (kind * AREA + to) as u32;
        }
        for fact in 0..ATTACKERS {
            features[attacked + number * ATTACKERS + fact] =
                (attacked + to * ATTACKERS + fact) as u32;
        }
    }
    FeatureImages {
        features,
        action_features,
    }
}
