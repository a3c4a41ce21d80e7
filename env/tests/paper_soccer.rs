//! Paper Soccer: the laws, known counts, and the rules one by one.

use tablero_env::conformance::check;
use tablero_env::paper_soccer::{
    ConfigError, Direction, End, Illegal, PaperSoccer, Played, Point, State,
};
use tablero_env::perft::{perft, perft_turns};
use tablero_env::{ActionId, Encode, Game, Notation, Outcome, Player};

fn pitch(width: usize, height: usize) -> PaperSoccer {
    PaperSoccer::new(width, height).unwrap()
}

fn at(x: i8, y: i8) -> Point {
    Point { x, y }
}

/// Plays segments, given as targets or directions; returns what the last one did.
fn play(game: &PaperSoccer, state: &mut State, segments: &str) -> Played {
    let actions = game.parse_turn(state, segments).unwrap();
    let played = actions.iter().map(|&action| {
        let text = game.state_text(state);
        game.play(state, action)
            .unwrap_or_else(|reason| panic!("{reason} in {text}"))
    });
    played.last().unwrap()
}

fn after(game: &PaperSoccer, segments: &str) -> State {
    let mut state = game.initial();
    play(game, &mut state, segments);
    state
}

fn refusal(game: &PaperSoccer, state: &State, direction: Direction) -> Illegal {
    game.legality(state, direction.action()).unwrap_err()
}

#[test]
fn the_laws_hold_on_small_and_large_pitches() {
    let sizes = [
        (2, 2, 60),
        (2, 4, 60),
        (4, 2, 60),
        (4, 4, 60),
        (2, 16, 10),
        (16, 2, 10),
        (8, 10, 20),
        (16, 16, 10),
    ];
    for (width, height, n_games) in sizes {
        let game = pitch(width, height);
        let report = check(&game, n_games, 2).unwrap_or_else(|violation| panic!("{violation}"));
        assert_eq!(report.games, n_games);
        assert!(report.longest <= game.n_segments());
    }
}

/// The numbers of the truth table that goes with the rules (`paper_soccer.tsv`).
#[test]
fn sequences_of_segments_and_of_turns_are_as_many_as_published() {
    for (width, height, expected) in [
        (4, 4, [8, 56, 270, 1256, 5948, 27552]),
        (8, 10, [8, 56, 392, 2720, 17846, 113_442]),
    ] {
        let game = pitch(width, height);
        assert_eq!(perft(&game, &game.initial(), 6), expected);
    }
    let turns: [(usize, usize, &[u64]); 5] = [
        (2, 2, &[14, 3022, 163_420]),
        (2, 4, &[14, 3838, 565_766]),
        (4, 2, &[136, 5814, 326_496]),
        (4, 4, &[8, 166, 5310]),
        (8, 10, &[8, 56, 512, 5478, 82434]),
    ];
    for (width, height, expected) in turns {
        let game = pitch(width, height);
        assert_eq!(
            perft_turns(&game, &game.initial(), expected.len()),
            expected
        );
    }
}

#[test]
fn a_pitch_has_even_sides_of_2_to_16() {
    for side in 0..20 {
        let fits = [2, 4, 6, 8, 10, 12, 14, 16].contains(&side);
        assert_eq!(PaperSoccer::new(side, 10).is_ok(), fits);
        assert_eq!(PaperSoccer::new(8, side).is_ok(), fits);
    }
    let (width, height) = (7, 10);
    let error = PaperSoccer::new(width, height).unwrap_err();
    assert_eq!(error, ConfigError::Size { width, height });
    assert!(error.to_string().contains("7x10"));
    assert_eq!(pitch(8, 10).spec(), "paper-soccer:8x10");
}

#[test]
fn each_refusal_names_its_reason() {
    let game = pitch(8, 10);
    let state = game.initial();
    for id in [8, 9, u32::MAX] {
        let reason = game.legality(&state, ActionId(id)).unwrap_err();
        assert_eq!(reason, Illegal::NotANeighbour(id));
    }
    let state = after(&game, "0,1");
    let (from, to) = (at(0, 1), at(0, 0));
    let used = Illegal::AlreadyUsed { from, to };
    assert_eq!(refusal(&game, &state, Direction::S), used);

    let state = after(&game, "1,1 2,1 3,1 4,1");
    let (from, to) = (at(4, 1), at(5, 1));
    let outside = Illegal::OutsideThePitch { from, to };
    assert_eq!(refusal(&game, &state, Direction::E), outside);
    let to = at(4, 2);
    assert_eq!(
        refusal(&game, &state, Direction::N),
        Illegal::Wall { from, to }
    );

    let state = after(&game, "0,1 0,2 0,3 0,4 0,5 0,6");
    for action in 0..8 {
        let reason = game.legality(&state, ActionId(action)).unwrap_err();
        assert_eq!(reason, Illegal::GameOver);
    }
}

#[test]
fn a_post_enters_the_goal_to_its_middle_only() {
    let game = pitch(8, 10);
    for x in [-1, 1] {
        for y in [-5_i8, 5] {
            let before = (1..5).map(|step| format!("0,{} ", step * y.signum()));
            let text = before.collect::<String>() + &format!("{x},{y}");
            let state = after(&game, &text);
            let targets: Vec<String> = state
                .free()
                .iter()
                .map(|direction| state.ball().step(direction).to_string())
                .collect();
            let up = y + y.signum();
            assert!(targets.contains(&format!("0,{up}")));
            assert!(targets.contains(&format!("0,{y}")), "the goal line is open");
            assert_eq!(targets.len(), 4, "and two on the field: {targets:?}");
            let along = if y > 0 { Direction::N } else { Direction::S };
            let outwards = if x > 0 { Direction::E } else { Direction::W };
            for (direction, to) in [(along, at(x, up)), (outwards, at(2 * x, y))] {
                let from = at(x, y);
                assert_eq!(
                    refusal(&game, &state, direction),
                    Illegal::Wall { from, to }
                );
            }
        }
    }
}

#[test]
fn the_middle_of_the_goal_line_enters_all_three_points_and_bounces_once_visited() {
    let game = pitch(8, 10);
    let mut state = after(&game, "0,1 0,2 0,3 0,4");
    assert_eq!(game.player_to_move(&state), Player::First);
    let played = play(&game, &mut state, "0,5");
    assert!(!played.bounces, "not a wall");
    assert_eq!(played.next, Some(Player::Second));
    for (target, x) in [("-1,6", -1), ("0,6", 0), ("1,6", 1)] {
        let mut scored = state.clone();
        let played = play(&game, &mut scored, target);
        assert_eq!((played.target, played.end), (at(x, 6), Some(End::Goal)));
        assert_eq!(played.winner, Some(Player::First), "an own goal counts");
        assert_eq!((played.next, played.bounces), (None, false));
        assert_eq!(
            game.outcome(&scored),
            Some(Outcome::won_by(Some(Player::First)))
        );
    }
    // Round over the post: now the middle is visited.
    assert!(play(&game, &mut state, "1,5").bounces);
    assert!(!play(&game, &mut state, "1,4").bounces);
    let played = play(&game, &mut state, "0,5");
    assert_eq!((played.bounces, played.next), (true, Some(Player::First)));
}

#[test]
fn beyond_the_post_nothing_leads_into_the_goal() {
    let game = pitch(8, 10);
    let state = after(&game, "1,1 1,2 1,3 1,4 2,5");
    let from = at(2, 5);
    let corner = Illegal::OutsideThePitch { from, to: at(1, 6) };
    assert_eq!(refusal(&game, &state, Direction::NW), corner);
    let post = Illegal::Wall { from, to: at(1, 5) };
    assert_eq!(refusal(&game, &state, Direction::W), post);
}

#[test]
fn each_goal_is_won_by_the_player_who_attacks_it() {
    let game = pitch(4, 4);
    for (segments, mover, winner) in [
        ("0,1 1,2 0,3", Player::Second, Player::First),
        ("0,1 0,2 0,3", Player::First, Player::First),
        ("0,-1 1,-2 0,-3", Player::Second, Player::Second),
        ("0,-1 0,-2 0,-3", Player::First, Player::Second),
    ] {
        let (before, _) = segments.rsplit_once(' ').unwrap();
        assert_eq!(game.player_to_move(&after(&game, before)), mover);
        let outcome = game.outcome(&after(&game, segments)).unwrap();
        assert_eq!(outcome.winner, Some(winner));
    }
}

#[test]
fn corners_are_dead_ends_and_lose() {
    let game = pitch(4, 4);
    for (segments, loser) in [
        ("1,1 2,2", Player::Second),
        ("1,-1 2,-2", Player::Second),
        ("-1,1 -2,2", Player::Second),
        ("-1,-1 -2,-2", Player::Second),
        ("0,1 1,1 2,2", Player::First),
    ] {
        let (before, corner) = segments.rsplit_once(' ').unwrap();
        let mut state = after(&game, before);
        assert_eq!(game.player_to_move(&state), loser);
        let played = play(&game, &mut state, corner);
        assert_eq!(played.end, Some(End::DeadEnd));
        assert_eq!((played.bounces, played.next), (true, None));
        assert_eq!(played.winner, Some(loser.opponent()));
        assert_eq!(game.outcome(&state), Some(Outcome::won_by(played.winner)));
    }
}

/// Between the posts of a pitch two squares wide there is no end line, and the posts are its
/// corners: they are no dead ends.
#[test]
fn on_the_narrowest_pitch_the_corners_are_posts() {
    let game = pitch(2, 2);
    let state = after(&game, "0,1 1,1");
    let free: Vec<Direction> = state.free().iter().collect();
    assert_eq!(free, [Direction::SW, Direction::NW]);
    assert_eq!(
        refusal(&game, &state, Direction::S),
        Illegal::Wall {
            from: at(1, 1),
            to: at(1, 0)
        }
    );
    assert_eq!(
        refusal(&game, &state, Direction::N),
        Illegal::Wall {
            from: at(1, 1),
            to: at(1, 2)
        }
    );
    let outside = Illegal::OutsideThePitch {
        from: at(1, 1),
        to: at(2, 1),
    };
    assert_eq!(refusal(&game, &state, Direction::E), outside);
}

/// Three loops and a last one through 0,0 use all of its eight segments.
#[test]
fn a_visited_point_without_a_free_segment_is_a_dead_end_too() {
    let game = pitch(4, 4);
    for (segments, loser) in [
        (
            "1,-1 2,0 1,0 0,0 -1,0 -1,1 0,0 0,1 1,1 0,0 0,-1 -1,-1",
            Player::First,
        ),
        (
            "-1,1 -1,0 0,0 -1,-1 0,-1 1,0 0,0 1,-1 0,-1 0,0 1,1 0,2 0,1",
            Player::Second,
        ),
    ] {
        let mut state = after(&game, segments);
        assert_eq!(game.player_to_move(&state), loser);
        let played = play(&game, &mut state, "0,0");
        assert_eq!(played.end, Some(End::DeadEnd));
        assert_eq!(played.winner, Some(loser.opponent()));
        assert_eq!(game.outcome(&state), Some(Outcome::won_by(played.winner)));
    }
}

#[test]
fn the_start_the_border_and_visited_points_bounce_and_fresh_ones_do_not() {
    let game = pitch(4, 4);
    let mut state = game.initial();
    assert!(game.bounces_at(&state, Point::KICK_OFF));
    for (target, bounces, next) in [
        ("1,1", false, Player::Second),
        ("1,0", false, Player::First),
        ("0,0", true, Player::First),
        ("0,1", false, Player::Second),
        ("1,1", true, Player::Second),
        ("2,0", true, Player::Second),
        ("1,0", true, Player::Second),
        ("1,-1", false, Player::First),
        ("1,-2", true, Player::First),
    ] {
        let action = game.parse_action(&state, target).unwrap();
        let point = state.ball().step(Direction::ALL[action.index()]);
        assert_eq!(game.bounces_at(&state, point), bounces);
        let played = play(&game, &mut state, target);
        assert_eq!(
            (played.bounces, played.next),
            (bounces, Some(next)),
            "{target}"
        );
    }
}

#[test]
fn diagonals_cross_in_the_middle_of_a_square() {
    let game = pitch(4, 4);
    let state = after(&game, "1,1 1,0 0,1");
    assert!(game.is_used(&state, at(0, 0), Direction::NE));
    assert!(game.is_used(&state, at(0, 1), Direction::SE));
    assert!(game.draw(&state).contains('X'));
}

#[test]
fn a_played_segment_is_told_in_words() {
    let game = pitch(4, 4);
    for (segments, text) in [
        ("1,1", "to 1,1, Orange to move"),
        ("1,1 0,1 0,0", "to 0,0, Blue moves again"),
        ("1,1 2,2", "to 2,2, a dead end, Blue wins"),
        ("0,-1 1,-2 0,-3", "to 0,-3, goal for Orange"),
    ] {
        assert_eq!(play(&game, &mut game.initial(), segments).to_string(), text);
    }
}

#[test]
fn the_drawing_shows_walls_segments_and_the_ball() {
    let game = pitch(4, 4);
    let expected = r"
  3      +=======+  Blue scores here
         #       #
  2  +===+   .   +===+
     #               #
  1  #   .   o   o   #
     #       | X |   #
  0  #   @---o   o   #
     #               #
 -1  #   .   .   .   #
     #               #
 -2  +===+   .   +===+
         #       #
 -3      +=======+  Orange scores here
    -2  -1   0   1   2
";
    let drawing = game.draw(&after(&game, "0,1 1,0 1,1 0,0 -1,0"));
    assert_eq!(drawing, expected.trim_start_matches('\n'));
}

#[test]
fn remarks_tell_what_is_free_what_bounces_and_what_scores() {
    let game = pitch(4, 4);
    let remarks = |segments| game.remarks(&after(&game, segments));
    assert_eq!(
        remarks("0,1 1,2"),
        [
            "Free: SE 2,1, S 1,1, W 0,2, NW 0,3",
            "Bounce: SE 2,1",
            "Score for Blue: NW 0,3"
        ]
    );
    assert_eq!(remarks("0,-1 1,-2")[2], "Score for Orange: SW 0,-3");
    assert_eq!(
        remarks("0,1 1,2 0,3"),
        ["The ball is in the goal that Blue attacks."]
    );
    assert_eq!(
        remarks("1,1 2,2"),
        ["The ball is in a dead end: Blue wins."]
    );
}

#[test]
fn each_player_sees_himself_attack_upwards() {
    let game = pitch(4, 4);
    let observe = |state: &State| {
        let mut values = vec![0.0; game.observation_shape().iter().product()];
        game.write_observation(state, &mut values);
        values
    };
    let first = after(&game, "0,1 1,1 0,0");
    let second = after(&game, "0,-1 -1,-1 -1,0 0,0");
    assert_ne!(game.player_to_move(&first), game.player_to_move(&second));
    let [_, height, width] = game.observation_shape();
    for state in [first, second] {
        let values = observe(&state);
        let plane = |index: usize| &values[index * height * width..][..height * width];
        let sum = |index| plane(index).iter().sum::<f32>();
        assert_eq!((sum(9), sum(10), sum(11)), (1.0, 3.0, 3.0));
        assert!(
            plane(10)[..width].contains(&1.0),
            "the attacked goal is on top"
        );
        assert!(plane(11)[(height - 1) * width..].contains(&1.0));
        let ball = plane(9).iter().position(|&value| value == 1.0).unwrap();
        for direction in Direction::ALL {
            let slot = game.policy_slot(&state, direction.action());
            assert_eq!(slot % (height * width), ball);
            let free = game.is_legal(&state, direction.action());
            let seen = plane(slot / (height * width))[ball];
            assert_eq!(seen, f32::from(u8::from(free)), "the plane of the slot");
        }
    }
}
