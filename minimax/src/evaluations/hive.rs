//! Hive: the siege of both queens, and the pieces that can still take part in it.
//!
//! - **Siege.** Each neighbour of a queen brings her end nearer, and the next one more than the
//!   one before. One of her own that is free to go weighs only half, an enemy a little more. A
//!   beetle on top holds her fast. A pillbug beside her, or a mosquito with its power, can throw
//!   her out.
//! - **Freedom.** A piece that is covered, hemmed in, or holds the hive together is worth nothing
//!   while it is; one that is free is worth what its kind can do, more if it stands on others,
//!   and most on the enemy's queen. A piece beside the enemy's queen has done its work and counts
//!   in the siege alone. Pieces in hand are worth a half: they come in time, but not at once.
//! - **Tempo.** The player to move is a little ahead.
//!
//! Pins, freedom and power are the terms in which players talk of the game; see Ingersoll, "Play
//! Hive Like a Champion" (2012).

use crate::heuristic::{Baseline, Heuristic};
use tablero_env::hive::{
    Action, Cell, Direction, Hive, Kind, N_KINDS, N_PIECES_A_SIDE, Piece, State,
};
use tablero_env::{ActionId, ForFirst, Game, Player};

/// By the number of a queen's neighbours; with six the game is over.
const SIEGE: [i32; 7] = [0, 30, 80, 150, 240, 370, 1110];
/// What the last neighbour loses if it is an own piece that can go away, and gains if it is an
/// enemy, in hundredths.
const OWN_FREE_NEIGHBOUR: i32 = 50;
const ENEMY_NEIGHBOUR: i32 = 10;
/// An enemy on top of a queen, beside what it is worth where it stands.
const COVERED_QUEEN: i32 = 150;
/// A neighbour that can throw the queen.
const RESCUER: i32 = 150;
/// A free piece by kind, in the order of [`Kind::ALL`].
const FREE: [i32; N_KINDS] = [60, 15, 45, 18, 50, 45, 40, 35];
/// A piece on top of others, and what is added on top of the enemy's queen.
const ON_TOP: i32 = 60;
const ON_ENEMY_QUEEN: i32 = 100;
/// The right to move.
const TEMPO: i32 = 20;

/// The evaluation, in units of about a hundredth of a queen's neighbour in a middle game.
#[derive(Clone, Copy, Debug, Default)]
pub struct SiegeAndFreedom;

impl Baseline for Hive {
    type Heuristic = SiegeAndFreedom;

    fn heuristic(&self) -> SiegeAndFreedom {
        SiegeAndFreedom
    }
}

/// The numbers of the set bits, ascending.
fn bits(mut set: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        (lowest < u32::BITS as usize).then_some(lowest)
    })
}

/// The top pieces of the stacks around a cell.
fn tops_around(state: &State, cell: Cell) -> impl Iterator<Item = Piece> {
    bits(state.occupied_around(cell).into())
        .filter_map(move |direction| state.top(cell.neighbour(Direction::ALL[direction])))
}

fn is_in(piece: Piece, set: u32) -> bool {
    set >> piece.index() & 1 == 1
}

/// What a player's pieces can do, on the board and from the hand.
fn freedom(game: &Hive, state: &State, player: Player, free: u32) -> i32 {
    let enemy_queen = state.cell_of(Piece::queen(player.opponent()));
    let first = player.index() * N_PIECES_A_SIDE;
    let side = (1 << N_PIECES_A_SIDE) - 1;
    let on_board = state.pieces_on_board() >> first & side;
    let mut sum = 0;
    for piece in bits(on_board & free >> first).map(|index| Piece::from_index(first + index)) {
        let (kind, cell) = (piece.kind(), state.cell_of(piece));
        let beside_enemy_queen = || {
            enemy_queen
                .zip(cell)
                .is_some_and(|(queen, cell)| queen.neighbours().contains(&cell))
        };
        if state.level(piece) > 0 {
            sum += FREE[kind as usize] + ON_TOP;
            if cell == enemy_queen {
                sum += ON_ENEMY_QUEEN;
            }
        } else if kind == Kind::Queen || !beside_enemy_queen() {
            sum += FREE[kind as usize];
        }
    }
    for piece in bits(!on_board & side).map(|index| Piece::from_index(first + index)) {
        if piece.kind() != Kind::Queen && game.has(piece) {
            sum += FREE[piece.kind() as usize] / 2;
        }
    }
    sum
}

/// How near a player's queen is to her end.
fn siege(state: &State, player: Player, free: u32) -> i32 {
    let queen = Piece::queen(player);
    let Some(cell) = state.cell_of(queen) else {
        return 0;
    };
    let n_neighbours = state.occupied_around(cell).count_ones() as usize;
    let last = SIEGE[n_neighbours] - SIEGE[n_neighbours.saturating_sub(1)];
    let mut weighed = 0;
    let mut rescued = false;
    for piece in tops_around(state, cell) {
        if piece.owner() != player {
            weighed += ENEMY_NEIGHBOUR;
            continue;
        }
        if is_in(piece, free) {
            weighed -= OWN_FREE_NEIGHBOUR;
        }
        rescued |= can_rescue(state, piece);
    }
    let mut sum = SIEGE[n_neighbours] + weighed * last / 100;
    if state.is_covered(queen) {
        if state.top(cell).is_some_and(|top| top.owner() != player) {
            sum += COVERED_QUEEN;
        }
    } else if rescued {
        sum -= RESCUER;
    }
    sum
}

/// Whether a piece beside its queen can throw her to a cell: a pillbug's power, on the ground,
/// with an empty neighbour.
fn can_rescue(state: &State, piece: Piece) -> bool {
    let Some(cell) = state.cell_of(piece) else {
        return false;
    };
    let has_power = match piece.kind() {
        Kind::Pillbug => true,
        Kind::Mosquito => tops_around(state, cell).any(|top| top.kind() == Kind::Pillbug),
        _ => false,
    };
    has_power && state.level(piece) == 0 && state.occupied_around(cell) != 63
}

impl Heuristic<Hive> for SiegeAndFreedom {
    /// The base game.
    const LOG_ODDS_PER_UNIT: f64 = 0.0052;

    const POSITIONS_RECUR: bool = true;

    fn evaluate(&self, game: &Hive, state: &State) -> ForFirst<i32> {
        let free = state.free_pieces();
        let [first, second] = Player::BOTH
            .map(|player| freedom(game, state, player, free) - siege(state, player, free));
        let ForFirst(tempo) = ForFirst::from_player(TEMPO, state.to_move());
        ForFirst(first - second + tempo)
    }

    /// The moves to the last empty cell beside the enemy's queen from one that is not beside her
    /// or does not become empty: each of them ends the game.
    fn forcing_actions(&self, game: &Hive, state: &State, out: &mut Vec<ActionId>) {
        out.clear();
        let Some(queen) = state.cell_of(Piece::queen(state.to_move().opponent())) else {
            return;
        };
        let empty = !state.occupied_around(queen) & 63;
        if empty.count_ones() != 1 {
            return;
        }
        let last = queen.neighbour(Direction::ALL[empty.trailing_zeros() as usize]);
        let around = queen.neighbours();
        game.legal_actions(state, out);
        out.retain(|&action| match Action::from_id(action) {
            Some(Action::Put(piece, to)) if to == last => {
                let from = state.cell_of(piece);
                let stays = from.is_none_or(|from| from != queen && !around.contains(&from));
                stays || state.level(piece) > 0
            }
            _ => false,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MAX_EVALUATION;
    use tablero_env::Encode;
    use tablero_env::random::stream;

    /// The unfinished positions of random games in which every other move goes beside a queen.
    fn random_states(game: &Hive, n_games: u64) -> Vec<State> {
        let mut states = Vec::new();
        let mut legal = Vec::new();
        for index in 0..n_games {
            let mut rng = stream(5, "hive evaluation", index);
            let mut state = game.initial();
            while !game.is_over(&state) && state.n_plies() < 100 {
                states.push(state.clone());
                let mut action = game.sample_action(&state, &mut legal, &mut rng);
                for _ in 0..4 {
                    let Some(Action::Put(piece, cell)) = Action::from_id(action) else {
                        break;
                    };
                    let queen = state.cell_of(Piece::queen(state.to_move().opponent()));
                    let besieges = queen.is_some_and(|queen| queen.neighbours().contains(&cell));
                    if besieges && piece.owner() == state.to_move() {
                        break;
                    }
                    action = game.sample_action(&state, &mut legal, &mut rng);
                }
                game.play_unchecked(&mut state, action);
            }
        }
        states
    }

    #[test]
    fn evaluations_stay_below_decided_games() {
        let game = Hive::default();
        for state in random_states(&game, 40) {
            let ForFirst(value) = SiegeAndFreedom.evaluate(&game, &state);
            assert!(value.abs() < MAX_EVALUATION / 100, "{value} {state:?}");
        }
    }

    /// The grid has no preferred direction.
    #[test]
    fn turning_and_mirroring_a_game_changes_no_evaluation() {
        let game = Hive::default();
        for state in random_states(&game, 12) {
            let value = SiegeAndFreedom.evaluate(&game, &state);
            for symmetry in 0..game.n_symmetries() {
                let image = game.transform(symmetry, &state);
                assert_eq!(SiegeAndFreedom.evaluate(&game, &image), value, "{state:?}");
            }
        }
    }

    #[test]
    fn a_forcing_action_surrounds_the_enemys_queen() {
        let game = Hive::default();
        let mut forcing = Vec::new();
        let mut n_forcing = 0;
        for state in random_states(&game, 400) {
            SiegeAndFreedom.forcing_actions(&game, &state, &mut forcing);
            for &action in &forcing {
                let mut next = state.clone();
                game.play(&mut next, action).unwrap();
                assert!(next.is_surrounded(state.to_move().opponent()), "{state:?}");
            }
            n_forcing += forcing.len();
        }
        assert!(n_forcing >= 20, "{n_forcing}");
    }
}
