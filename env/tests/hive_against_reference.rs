//! The rules agree with a second, slow and independent reading of them over random games of all
//! types, in which rare things are made frequent.

mod hive_reference;

use hive_reference::{Hex, Move, Reference};
use rand::RngExt;
use tablero_env::hive::{Action, Cell, Hive, Kind, Opening, Piece, State};
use tablero_env::random::{Stream, stream};
use tablero_env::{ActionId, Game, Player};

const MAX_PLIES: usize = 160;
const GAMES_A_TYPE: u64 = 6;

fn id_of(played: Move) -> ActionId {
    match played {
        None => Action::Pass.id(),
        Some((piece, (q, r))) => Action::Put(piece, Cell::new(q, r)).id(),
    }
}

/// What a game looks for more often than chance would.
#[derive(Clone, Copy, Debug)]
enum Taste {
    /// Whatever comes.
    None,
    /// Climbing, throwing, and the bugs of the expansions.
    Rare,
    /// Moves to and fro, so that positions come back.
    Shuffling,
    /// Climbing onto stacks.
    High,
    /// Leaving the opponent as few moves as may be.
    Smothering,
    /// Crowding both queens.
    Crowding,
}

impl Taste {
    const ALL: [Taste; 6] = [
        Taste::None,
        Taste::Rare,
        Taste::Shuffling,
        Taste::High,
        Taste::Smothering,
        Taste::Crowding,
    ];

    /// How much a move is to the taste. `came_from` is where the mover's last piece came from.
    fn weigh(
        self,
        game: &Hive,
        state: &State,
        reference: &Reference,
        came_from: Option<(Piece, Hex)>,
        played: Move,
    ) -> usize {
        let Some((piece, to)) = played else {
            return 0;
        };
        match self {
            Taste::None => 0,
            Taste::Rare => usize::from(
                reference.stacks.contains_key(&to)
                    || reference.find(piece).is_some_and(|(_, level)| level > 0)
                    || piece.owner() != reference.mover
                    || matches!(piece.kind(), Kind::Mosquito | Kind::Ladybug | Kind::Pillbug),
            ),
            Taste::Shuffling => usize::from(came_from == Some((piece, to))),
            Taste::High => match reference.stacks.get(&to) {
                Some(stack) => 1 + stack.len(),
                None => usize::from(matches!(piece.kind(), Kind::Beetle | Kind::Mosquito)),
            },
            Taste::Smothering => {
                let mut next = state.clone();
                game.play_unchecked(&mut next, id_of(played));
                let n_replies = game.n_legal_actions(&next, &mut Vec::new());
                // A finished game has no replies at all.
                if n_replies == 0 { 0 } else { 1000 - n_replies }
            }
            Taste::Crowding => {
                let mut next = state.clone();
                game.play_unchecked(&mut next, id_of(played));
                let around_queen = |player| {
                    let cell = next.cell_of(Piece::queen(player));
                    let around = cell.into_iter().flat_map(Cell::neighbours);
                    around.filter(|&cell| next.is_occupied(cell)).count()
                };
                Player::BOTH.into_iter().map(around_queen).sum()
            }
        }
    }
}

/// What a set of games has seen, so that a test that looks away is noticed.
#[derive(Debug, Default)]
struct Seen {
    positions: usize,
    stacked: usize,
    high_stacks: usize,
    thrown: usize,
    passes: usize,
    surrounded: usize,
    drawn_by_repetition: usize,
}

impl Seen {
    fn look(&mut self, reference: &Reference, legal: &[Move]) {
        self.positions += 1;
        let highest = reference.stacks.values().map(Vec::len).max();
        self.stacked += usize::from(highest >= Some(2));
        self.high_stacks += usize::from(highest >= Some(4));
        let is_throw =
            |played: &&Move| played.is_some_and(|(piece, _)| piece.owner() != reference.mover);
        self.thrown += legal.iter().filter(is_throw).count();
        self.passes += usize::from(legal == [None]);
    }
}

/// Compares everything that the rules say of a position, and returns the legal moves.
fn compare(
    game: &Hive,
    state: &State,
    reference: &Reference,
    buffer: &mut Vec<ActionId>,
) -> Vec<Move> {
    let legal = reference.legal_moves();
    let mut expected: Vec<ActionId> = legal.iter().map(|&played| id_of(played)).collect();
    expected.sort_unstable();
    game.legal_actions(state, buffer);
    let history = || state.moves().map(Action::from_id).collect::<Vec<_>>();
    assert_eq!(*buffer, expected, "{game:?} after {:?}", history());
    assert_eq!(
        game.n_legal_actions(state, buffer),
        expected.len(),
        "{game:?} after {:?}",
        history()
    );
    assert_eq!(game.player_to_move(state), reference.mover);
    assert_eq!(
        game.outcome(state).map(|outcome| outcome.winner),
        reference.winner(),
        "{game:?} after {:?}",
        history()
    );
    assert_eq!(
        state.n_occurrences(),
        reference.n_occurrences(),
        "{game:?} after {:?}",
        history()
    );
    legal
}

fn play_one(game: &Hive, taste: Taste, rng: &mut Stream, seen: &mut Seen) {
    let pieces = Piece::all().filter(|&piece| game.has(piece)).collect();
    let mut reference = Reference::new(pieces, game.opening);
    let mut state = game.initial();
    let mut buffer = Vec::new();
    let mut came_from = [None; 2];
    for _ in 0..MAX_PLIES {
        let legal = compare(game, &state, &reference, &mut buffer);
        if legal.is_empty() {
            break;
        }
        seen.look(&reference, &legal);
        let side = reference.mover.index();
        let weights: Vec<usize> = legal
            .iter()
            .map(|&played| taste.weigh(game, &state, &reference, came_from[side], played))
            .collect();
        let best = weights.iter().max().copied().unwrap_or(0);
        let liked: Vec<Move> = std::iter::zip(&legal, &weights)
            .filter(|&(_, &weight)| weight == best)
            .map(|(&played, _)| played)
            .collect();
        let choice = if rng.random_range(0..4) == 0 {
            &legal
        } else {
            &liked
        };
        let played = choice[rng.random_range(0..choice.len())];
        came_from[side] = played.and_then(|(piece, _)| Some((piece, reference.find(piece)?.0)));
        reference.play(played);
        game.play(&mut state, id_of(played)).expect("a legal move");
    }
    match game.outcome(&state) {
        Some(_) if state.n_occurrences() >= 3 => seen.drawn_by_repetition += 1,
        Some(_) => seen.surrounded += 1,
        None => {}
    }
}

#[test]
fn both_readings_of_the_rules_agree_over_random_games() {
    let mut seen = Seen::default();
    for (number, game_type) in Hive::all_types().into_iter().enumerate() {
        for opening in [Opening::Tournament, Opening::Free] {
            let game = Hive {
                opening,
                ..game_type
            };
            for index in 0..GAMES_A_TYPE {
                let mut rng = stream(number as u64, "hive against reference", index);
                let taste = Taste::ALL[index as usize % Taste::ALL.len()];
                play_one(&game, taste, &mut rng, &mut seen);
            }
        }
    }
    println!("{seen:?}");
    // The games must have been about something.
    assert!(seen.positions > 5000, "{seen:?}");
    assert!(seen.stacked > 1000, "{seen:?}");
    assert!(seen.high_stacks > 50, "{seen:?}");
    assert!(seen.thrown > 1000, "{seen:?}");
    assert!(seen.passes > 5, "{seen:?}");
    assert!(seen.surrounded > 5, "{seen:?}");
    assert!(seen.drawn_by_repetition > 5, "{seen:?}");
}
