//! Features of the five games: what they tell, and by name in single positions.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use tablero_env::dots_and_boxes::DotsAndBoxes;
use tablero_env::hive::{Hive, Kind};
use tablero_env::paper_soccer::{Direction, PaperSoccer};
use tablero_env::queens::{FullBoard, Queens};
use tablero_env::random::{positions, stream};
use tablero_env::xadrersi::Xadrersi;
use tablero_env::{ActionFeatures, Encode, Game, Notation};

/// The features of a position, and those of each action by its text.
struct Seen {
    features: Vec<u32>,
    actions: HashMap<String, Vec<u32>>,
}

impl Seen {
    fn new<G: Encode + Notation>(game: &G, state: &G::State) -> Seen {
        let (mut legal, mut features) = (Vec::new(), Vec::new());
        let mut actions = ActionFeatures::new();
        game.legal_actions(state, &mut legal);
        game.write_features(state, &legal, &mut features, &mut actions);
        let texts = legal.iter().map(|&action| game.action_text(state, action));
        Seen {
            features,
            actions: texts.zip(actions.iter().map(<[u32]>::to_vec)).collect(),
        }
    }

    fn has(&self, feature: usize) -> bool {
        self.features.contains(&(feature as u32))
    }
}

/// Requires that positions of random games and all that follow them by one action have different
/// features wherever their planes differ, but for planes left out and features that are vague;
/// returns how many pairs of different positions with equal features were compared.
fn features_tell_the_planes<G: Encode + Notation>(
    game: &G,
    n_games: u64,
    left_out: &[usize],
    is_vague: impl Fn(&[u32]) -> bool,
) -> usize {
    let (mut legal, mut next_legal, mut features) = (Vec::new(), Vec::new(), Vec::new());
    let mut actions = ActionFeatures::new();
    let mut seen: HashMap<Vec<u32>, (u64, G::State)> = HashMap::new();
    let mut n_compared = 0;
    for index in 0..n_games {
        for state in positions(game, stream(3, "features", index)).take(80) {
            game.legal_actions(&state, &mut legal);
            for &action in &legal {
                let mut next = state.clone();
                game.play_unchecked(&mut next, action);
                game.legal_actions(&next, &mut next_legal);
                game.write_features(&next, &next_legal, &mut features, &mut actions);
                if game.is_over(&next) || is_vague(&features) {
                    continue;
                }
                let planes = hash_of_planes(game, &next, left_out);
                let (others, other) = seen
                    .entry(features.clone())
                    .or_insert_with(|| (planes, next.clone()));
                let texts = || [game.state_text(&next), game.state_text(other)];
                assert_eq!(planes, *others, "{} {:?}", game.spec(), texts());
                n_compared += usize::from(next != *other);
            }
        }
    }
    n_compared
}

fn hash_of_planes<G: Encode>(game: &G, state: &G::State, left_out: &[usize]) -> u64 {
    let [n_planes, height, width] = game.observation_shape();
    let mut planes = vec![0.0; n_planes * height * width];
    game.write_observation(state, &mut planes);
    let mut hasher = DefaultHasher::new();
    for (plane, values) in planes.chunks_exact(height * width).enumerate() {
        if !left_out.contains(&plane) {
            values
                .iter()
                .for_each(|value| value.to_bits().hash(&mut hasher));
        }
    }
    hasher.finish()
}

#[test]
fn dots_and_boxes_features_tell_the_planes() {
    for (rows, cols, n_games) in [(1, 1, 50), (2, 2, 500), (3, 3, 100), (5, 5, 20)] {
        let game = DotsAndBoxes::new(rows, cols).unwrap();
        let n_compared = features_tell_the_planes(&game, n_games, &[], |_| false);
        assert!(rows != 2 || n_compared > 500, "{n_compared}");
    }
}

/// Where the groups of the table in `dots_and_boxes/features.rs` start that follow the boxes.
fn dots_and_boxes_groups(n: usize) -> [usize; 14] {
    let sizes = [
        34,
        34,
        10,
        4,
        8,
        32,
        32,
        2 * n + 1,
        n + 1,
        48,
        49,
        49,
        120,
        192,
    ];
    let mut start = n * 64;
    sizes.map(|size| {
        start += size;
        start - size
    })
}

#[test]
fn a_chain_of_three_and_its_edges_are_named() {
    let game = DotsAndBoxes::new(2, 3).unwrap();
    // The upper row is a chain from the left to the right border; the lower row is empty.
    let state = game.parse_state("111/111/000:0000/0000:.../...:0").unwrap();
    let seen = Seen::new(&game, &state);
    let [
        undrawn,
        safe,
        long,
        loops,
        to_take,
        in_chains,
        in_loops,
        lead,
        left,
        control,
        with,
        without,
        fight,
        components,
    ] = dots_and_boxes_groups(6);
    // The sides are top 1, bottom 2, left 4, right 8; class 2 is a long chain.
    for id in 0..3 {
        assert!(seen.has(id * 64 + 3 * 4 + 2), "top and bottom of box {id}");
    }
    for id in 3..6 {
        assert!(seen.has(id * 64 + 4), "the top of box {id} alone");
    }
    let facts = [
        undrawn + 11,
        safe + 7,
        long + 1,
        loops,
        to_take,
        in_chains + 3,
        in_loops,
        lead + 6,
        left + 6,
        control + 15,
        with + 23,
        without + 25,
        fight + 7 * 12 + 3,
        components + 2 * 4,
    ];
    assert!(facts.into_iter().all(|fact| seen.has(fact)));
    assert_eq!(seen.features.len(), 6 + facts.len());
    // 17 edges, 15 pairs; the pair of sides (low, high) is high * (high + 1) / 2 + low.
    let (alone, last) = (17 + 17 * 15, 17 + 18 * 15);
    let of = |edge: usize, pair: usize, fact: usize| {
        [edge, 17 + edge * 15 + pair, alone + pair, last + fact].map(|f| f as u32)
    };
    // The left end of the chain of three, and an edge inside.
    assert_eq!(seen.actions["1-1-v"], of(9, 12, 2 * 2));
    assert_eq!(seen.actions["1-2-v"], of(10, 5, 2 * 2 + 1));
    // The bottom of the middle box below: two edges become unsafe, and a chain of one is made.
    assert_eq!(seen.actions["3-2-h"], of(7, 11, 64 + 2 * 9 + 1));
}

#[test]
fn a_loop_and_an_opened_chain_are_counted() {
    let game = DotsAndBoxes::new(2, 4).unwrap();
    // A loop of four on the left; on the right two chains of two, one above the other, the upper
    // with three sides at its left end.
    let state = game
        .parse_state("1111/0011/1101:10100/10100:..../....:0")
        .unwrap();
    let seen = Seen::new(&game, &state);
    let groups = dots_and_boxes_groups(8);
    let (loops, to_take, components) = (groups[3], groups[4], groups[13]);
    assert!(seen.has(loops + 1) && seen.has(to_take + 1));
    let at_least =
        |kind: usize, len: usize, k: usize| components + (kind * 12 + len - 1) * 4 + k - 1;
    assert!(seen.has(at_least(1, 4, 1)), "a loop of four");
    assert!(seen.has(at_least(0, 2, 1)), "a chain of two");
    assert!(
        seen.has(at_least(2, 2, 1)),
        "a chain of two open at one end"
    );
    assert_eq!(seen.features.len(), 8 + 13 + 3);
}

#[test]
fn paper_soccer_features_tell_the_planes() {
    for (width, height, n_games) in [(2, 2, 500), (2, 4, 300), (4, 4, 200), (8, 10, 40)] {
        let game = PaperSoccer::new(width, height).unwrap();
        features_tell_the_planes(&game, n_games, &[], |_| false);
    }
}

#[test]
fn the_kick_off_names_stops_and_threats() {
    let game = PaperSoccer::new(4, 4).unwrap();
    let state = game.initial();
    let seen = Seen::new(&game, &state);
    const AREA: usize = 7 * 5;
    let cell = |x: i32, y: i32| ((3 - y) * 5 + 2 + x) as usize;
    let ball = cell(0, 0);
    // Of fresh points: 1 the turn can end there, 2 a run into the attacked goal, 4 into the own.
    // A post is a bounce, and so is the side border: from 1,0 a ball runs to both posts.
    let fresh = [
        ((0, 2), 2),
        ((-1, 1), 3),
        ((0, 1), 3),
        ((1, 1), 3),
        ((-1, 0), 7),
        ((1, 0), 7),
        ((-1, -1), 5),
        ((0, -1), 5),
        ((1, -1), 5),
        ((0, -2), 4),
    ];
    let mut expected: Vec<usize> = fresh
        .iter()
        .map(|&((x, y), facts)| cell(x, y) * 16 + 8 + facts)
        .collect();
    expected.push(ball * 16);
    let (points, segments) = (AREA * 16, AREA);
    let at_ball = points + segments;
    let ways = at_ball + AREA;
    let targets = ways + AREA * 8;
    let counts = targets + 64;
    expected.push(at_ball + ball);
    expected.extend((0..8).map(|way| ways + ball * 8 + way));
    // 1 is a stop, 2 one from which the opponent could score: all but N, NE and NW.
    let target = |way: usize| if [0, 1, 7].contains(&way) { 1 } else { 2 };
    expected.extend((0..8).map(|way| targets + way * 8 + target(way)));
    // Ten points are fresh; of eight ends three are safe, and no goal is near.
    expected.extend([counts + 10, counts + 12, counts + 14 + 3 * 6 + 5]);
    // Which directions are not free near the ball, N the lowest bit: along the side borders, at the
    // corners and at the posts.
    let [left, right] = [0b1111_0001, 0b0001_1111];
    let near = [
        ((-2, -2), 0b1111_1101),
        ((-1, -2), 0b0111_0000),
        ((1, -2), 0b0001_1100),
        ((2, -2), 0b0111_1111),
        ((-2, -1), left),
        ((2, -1), right),
        ((-2, 0), left),
        ((2, 0), right),
        ((-2, 1), left),
        ((2, 1), right),
        ((-2, 2), 0b1111_0111),
        ((-1, 2), 0b1100_0001),
        ((1, 2), 0b0000_0111),
        ((2, 2), 0b1101_1111),
    ];
    expected.extend(near.map(|((dx, dy), set): ((i32, i32), usize)| {
        counts + 14 + 60 + ((dy + 2) * 5 + dx + 2) as usize * 256 + set
    }));
    expected.sort_unstable();
    let features: Vec<usize> = seen.features.iter().map(|&f| f as usize).collect();
    assert_eq!(features, expected);
    let east = Direction::E as usize;
    let of_east = [
        east * 8 + 2,
        64 + cell(1, 0) * 8 + 2,
        64 + AREA * 8 + ball * 8 + east,
        64 + AREA * 16 + 0b1111_1111,
    ];
    assert_eq!(seen.actions["1,0"], of_east.map(|f| f as u32));
}

#[test]
fn queens_features_tell_the_planes() {
    for (side, n_games) in [(2, 10), (4, 100), (6, 100), (8, 50), (16, 5)] {
        let game = Queens::new(side, FullBoard::White).unwrap();
        features_tell_the_planes(&game, n_games, &[], |_| false);
    }
}

#[test]
fn a_queen_on_a_small_board_leaves_one_component() {
    let game = Queens::new(4, FullBoard::White).unwrap();
    let state = game.parse_state("W.../..../..../....").unwrap();
    // Free are 6 and 7 in row 1, 9 and 11 in row 2, 13 and 14 in row 3.
    let seen = Seen::new(&game, &state);
    let sizes = [16, 160, 5, 17, 2, 24, 64, 5, 5, 20, 64];
    let mut start = 0;
    let [
        _,
        free,
        placed,
        counts,
        parity,
        leaving,
        taking,
        fewer,
        more,
        components,
        of_sizes,
    ] = sizes.map(|size| {
        start += size;
        start - size
    });
    // 7 does not attack 9 and 14, nor 13 the cells 6 and 11; all others attack each other.
    let left = [(6, 1), (7, 2), (9, 1), (11, 1), (13, 2), (14, 1)];
    let mut expected = vec![0];
    expected.extend(left.map(|(cell, left)| free + cell * 10 + left));
    expected.extend([placed + 1, counts + 6, parity]);
    expected.extend(
        [0, 3, 2, 0, 0, 0]
            .iter()
            .enumerate()
            .map(|(at, n)| leaving + at * 4 + n),
    );
    let n_taking = [0, 0, 0, 2, 4, 0, 0, 0];
    expected.extend(
        n_taking
            .iter()
            .enumerate()
            .map(|(at, n)| taking + at * 8 + n),
    );
    expected.extend([fewer + 3, more + 3, components + 1, of_sizes + 5 * 4]);
    let features: Vec<usize> = seen.features.iter().map(|&f| f as usize).collect();
    assert_eq!(features, expected);
    // Row 2, column 1: five cells are taken, and the reply on the last one ends the game.
    let of_nine = [9, 16 + 9 * 10 + 1, 176 + 4, 176 + 32 + 2 + 1];
    assert_eq!(seen.actions["1,2"], of_nine.map(|f| f as u32));
}

#[test]
fn xadrersi_features_tell_the_planes() {
    features_tell_the_planes(&Xadrersi, 50, &[], |_| false);
}

#[test]
fn a_king_and_a_queen_attack_and_stand_in_the_way() {
    let state = Xadrersi.parse_state("8/8/8/3q4/3K4/8/8/8:-").unwrap();
    let seen = Seen::new(&Xadrersi, &state);
    let (anchor, attacks) = (640, 704);
    let (placed, hands) = (attacks + 1024, attacks + 1024 + 17);
    let (call, lead) = (hands + 24, hands + 26);
    let reach = lead + 81;
    // White is to move: the king on d4 (27), and the opponent's queen on d5 (35).
    assert!(seen.has(27) && seen.has((5 + 1) * 64 + 35));
    assert!(
        !seen
            .features
            .iter()
            .any(|&f| (anchor..attacks).contains(&f))
    );
    // e5 (36) by both, h8 by none, d6 (43) by the queen alone.
    let attacks = attacks as usize;
    assert!(seen.has(attacks + 36 * 16 + 4 + 1) && seen.has(attacks + 43 * 16 + 1));
    let [placed, hands, call, lead, reach] = [placed, hands, call, lead, reach].map(|f| f as usize);
    // White's queen, 2 rooks, bishops and knights; Black's queen is placed, so White is called.
    let in_hand = [1, 2, 2, 2, 0, 2, 2, 2].into_iter().enumerate();
    assert!(in_hand.clone().all(|(at, n)| seen.has(hands + at * 3 + n)));
    let facts = [placed + 2, call + 1, lead + 40 + 7 - 23, reach + 7 * 2];
    assert!(facts.into_iter().all(|fact| seen.has(fact)));
    assert!(seen.has(reach + ((5 + 1) * 28 + 23) * 2));
    // White's best queen gains no less than one on d6 does.
    let gain = reach + 560;
    let best = seen.features.iter().find(|&&f| f as usize >= gain).unwrap();
    assert!(*best as usize >= gain + 16 + 20 + 3, "{best}");
    // A queen on d6: of the queen on d5 it takes d6, d7 and d8; it attacks all that one does from
    // d6: 14 + 11 less d5 to d1.
    let of = &seen.actions["Qd6"];
    let places = [
        64 + 43,
        320 + 16 + 1,
        400 + 28 + 20,
        540,
        556 + 3,
        572 + 16 + 20 + 3,
        629 + 16 + 2,
    ];
    assert_eq!(of, &places.map(|f| f as u32));
}

/// Hive's features leave out which of the bugs of one kind is which, and where far bugs stand.
#[test]
fn hive_features_tell_the_planes() {
    const NUMBERS: [usize; 2] = [16, 17];
    const PLACES: usize = 128;
    for name in ["base+mlp", "base+p,opening=free"] {
        let game = Hive::parse_parameters(name).unwrap();
        let is_far = |&feature: &u32| {
            let feature = feature as usize;
            feature < 3 * 40 * PLACES + 2 * PLACES && feature % PLACES == PLACES - 1
        };
        features_tell_the_planes(&game, 6, &NUMBERS, |features| features.iter().any(is_far));
    }
}

#[test]
fn bugs_are_named_by_their_places_around_both_queens() {
    let game = Hive::default();
    let state = game
        .parse_state("Base+MLP;InProgress;White[3];wL;bL wL-;wQ -wL;bQ bL-")
        .unwrap();
    let seen = Seen::new(&game, &state);
    // From west to east wQ, wL, bL and bQ; to the east of a queen is place 1, to the west place 4.
    let sizes = [
        5120, 5120, 5120, 128, 128, 16, 432, 48, 98, 4, 98, 8, 16, 30, 1, 9,
    ];
    let mut start = 0;
    let starts = sizes.map(|size| {
        start += size;
        start - size
    });
    let [own, enemy, first, ..] = starts;
    let [queen, ladybug] = [Kind::Queen, Kind::Ladybug].map(|kind| kind as usize);
    let facts = [
        own + queen * 128,
        own + ladybug * 128 + 1,
        enemy + (8 + queen) * 128,
        enemy + (8 + ladybug) * 128 + 4,
        // A queen can move, a ladybug between is held fast and up to three cells from the queen.
        starts[6] + (((queen * 3) * 3) + 1) * 3,
        starts[6] + (((ladybug * 3 + 1) * 3) + 1) * 3,
        starts[6] + ((((8 + ladybug) * 3 + 1) * 3) + 1) * 3,
        // Three ants in each hand.
        starts[7] + 4 * 3 + 2,
        starts[7] + (8 + 4) * 3 + 2,
        // One neighbour each, an own piece; it is the own one of the enemy, too.
        starts[8] + 7,
        starts[8] + 49 + 1,
        // One occupied neighbour, and nothing can come to the queen but pieces from the hand.
        starts[11] + 2,
        starts[11] + 4 + 2,
        starts[13] + 1,
        starts[13] + 15 + 1,
        starts[15],
        starts[15] + 3,
    ];
    for fact in facts {
        assert!(seen.has(fact), "{fact} of {:?}", seen.features);
    }
    assert!(
        !seen
            .features
            .iter()
            .any(|&f| (first..first + 5120 + 256).contains(&(f as usize)))
    );
    // White's queen goes to the south-east of where she stands: from one neighbour to one.
    let of = &seen.actions["wQ /wL"];
    let [to_own, to_enemy] = [6, 2048 + 127].map(|f| f as u32);
    assert_eq!(of[0], to_own);
    assert!(of[1] != to_enemy, "the enemy's queen is near");
    let source = [3 * 2048, 4 * 2048 + of[3] as usize % 128].map(|f| f as u32);
    assert_eq!(of[2..4], source);
    let groups = 5 * 2048 + 16;
    assert_eq!(
        of[4..6],
        [groups + 7 + 1, groups + 49 + 7 + 1].map(|f| f as u32)
    );
    // Her one neighbour there is the ladybug.
    assert_eq!(of[6..], [(groups + 98 + 32 + ladybug) as u32]);
    // An ant from the hand beside the ladybug and nothing else.
    let placed = &seen.actions["wA1 -wQ"];
    assert!(placed.contains(&(5 * 2048 + 4)) && placed.contains(&(4 * 128 + 4)));
}
