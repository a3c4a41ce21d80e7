//! The rules agree with a second, slow and independent reading of them over random games of all
//! types, in which rare things are made frequent.

mod hive_reference;

use hive_reference::{Hex, Move, Reference};
use rand::RngExt;
use tablero_env::hive::{Action, Cell, Hive, Kind, Opening, Piece, State};
use tablero_env::random::{Stream, stream};
use tablero_env::{ActionId, Game, Player};

const MAX_PLIES: usize = 160;

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
    /// Going east, so that the hive wanders round the torus.
    Eastward,
}

impl Taste {
    const ALL: [Taste; 7] = [
        Taste::None,
        Taste::Rare,
        Taste::Shuffling,
        Taste::High,
        Taste::Smothering,
        Taste::Crowding,
        Taste::Eastward,
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
            Taste::Eastward => {
                // A placement is as good as two cells back.
                let gain = reference.find(piece).map_or(-2, |((q, _), _)| to.0 - q);
                (100 + gain) as usize
            }
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
    /// How far east a piece has been.
    eastmost: i32,
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
        let columns = reference.stacks.keys().map(|cell| cell.0);
        self.eastmost = self.eastmost.max(columns.max().unwrap_or(0));
    }
}

/// A game by both readings of the rules.
struct Both<'a> {
    game: &'a Hive,
    state: State,
    reference: Reference,
}

impl Both<'_> {
    fn new(game: &Hive) -> Both<'_> {
        let pieces = Piece::all().filter(|&piece| game.has(piece)).collect();
        Both {
            game,
            state: game.initial(),
            reference: Reference::new(pieces, game.opening),
        }
    }

    /// Compares everything that the rules say of a position, and returns the legal moves.
    fn compare(&self) -> Vec<Move> {
        let Both {
            game,
            state,
            reference,
        } = self;
        let legal = reference.legal_moves();
        let mut expected: Vec<ActionId> = legal.iter().map(|&played| id_of(played)).collect();
        expected.sort_unstable();
        assert!(expected.is_sorted_by(|a, b| a < b), "two moves share an id");
        let mut found = Vec::new();
        game.legal_actions(state, &mut found);
        let history = || state.moves().map(Action::from_id).collect::<Vec<_>>();
        assert_eq!(found, expected, "{game:?} after {:?}", history());
        let n = game.n_legal_actions(state, &mut found);
        assert_eq!(n, expected.len(), "{game:?} after {:?}", history());
        assert_eq!(game.player_to_move(state), reference.mover);
        let outcome = game.outcome(state).map(|outcome| outcome.winner);
        assert_eq!(
            outcome,
            reference.winner(),
            "{game:?} after {:?}",
            history()
        );
        let (n, m) = (state.n_occurrences(), reference.n_occurrences());
        assert_eq!(n, m, "{game:?} after {:?}", history());
        legal
    }

    fn play(&mut self, played: Move) {
        self.reference.play(played);
        let result = self.game.play(&mut self.state, id_of(played));
        result.expect("a legal move");
    }
}

fn play_one(game: &Hive, taste: Taste, rng: &mut Stream, seen: &mut Seen) {
    let mut both = Both::new(game);
    let mut came_from = [None; 2];
    for _ in 0..MAX_PLIES {
        let legal = both.compare();
        if legal.is_empty() {
            break;
        }
        let Both {
            state, reference, ..
        } = &both;
        seen.look(reference, &legal);
        let side = reference.mover.index();
        let weights: Vec<usize> = legal
            .iter()
            .map(|&played| taste.weigh(game, state, reference, came_from[side], played))
            .collect();
        let best = weights.iter().max().copied().unwrap_or(0);
        let liked: Vec<Move> = std::iter::zip(&legal, &weights)
            .filter(|&(_, &weight)| weight == best)
            .map(|(&played, _)| played)
            .collect();
        let whim = rng.random_range(0..4) == 0 && !matches!(taste, Taste::Eastward);
        let choice = if whim { &legal } else { &liked };
        let played = choice[rng.random_range(0..choice.len())];
        came_from[side] = played.and_then(|(piece, _)| Some((piece, reference.find(piece)?.0)));
        both.play(played);
    }
    match game.outcome(&both.state) {
        Some(_) if both.state.n_occurrences() >= 3 => seen.drawn_by_repetition += 1,
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
            for (index, taste) in Taste::ALL.into_iter().enumerate() {
                let mut rng = stream(number as u64, "hive against reference", index as u64);
                play_one(&game, taste, &mut rng, &mut seen);
            }
        }
    }
    // The games must have been about something.
    assert!(seen.positions > 5000, "{seen:?}");
    assert!(seen.stacked > 1000, "{seen:?}");
    assert!(seen.high_stacks > 50, "{seen:?}");
    assert!(seen.thrown > 1000, "{seen:?}");
    assert!(seen.passes > 5, "{seen:?}");
    assert!(seen.surrounded > 5, "{seen:?}");
    assert!(seen.drawn_by_repetition > 5, "{seen:?}");
    assert!(seen.eastmost >= 32, "once round the torus: {seen:?}");
}

/// White builds a straight line to one side, Black to the other, until both hands are empty; then
/// the ends move at random. The torus is 32 cells around, and nothing may be confused on it.
#[test]
fn straight_lines_of_all_pieces_are_played_as_on_a_grid_without_edges() {
    let longest = [(Hive::BASE, 22), (Hive::default(), 28)];
    let directions = [(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)];
    for (game, n_pieces) in longest {
        for (seed, (dq, dr)) in directions.into_iter().enumerate() {
            let mut both = Both::new(&game);
            let mut hands = Player::BOTH.map(|player| {
                let mut hand: Vec<Piece> =
                    Piece::of(player).filter(|&piece| game.has(piece)).collect();
                // Not the queen first.
                hand.swap(0, 1);
                hand.into_iter()
            });
            for ply in 0..n_pieces {
                let legal = both.compare();
                // White at 0, -1, -2, … and Black at 1, 2, 3, …
                let distance = if ply % 2 == 0 {
                    -(ply / 2)
                } else {
                    ply / 2 + 1
                };
                let piece = hands[ply as usize % 2].next().expect("a piece in hand");
                let played = Some((piece, (distance * dq, distance * dr)));
                assert!(legal.contains(&played), "{game:?}, {piece}");
                both.play(played);
            }
            assert_eq!(both.reference.stacks.len(), n_pieces as usize);
            let mut rng = stream(seed as u64, "lines", n_pieces as u64);
            for _ in 0..20 {
                let legal = both.compare();
                if legal.is_empty() {
                    break;
                }
                both.play(legal[rng.random_range(0..legal.len())]);
            }
        }
    }
}
