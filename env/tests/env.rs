//! What a user of `Env` and `VecEnv` relies on.

use tablero_env::dots_and_boxes::{DotsAndBoxes, Illegal};
use tablero_env::random::stream;
use tablero_env::{
    ActionId, Autoreset, Encode, Env, EnvError, EnvOptions, Game, Player, VecEnv, VecEnvError,
};

fn board(rows: usize, cols: usize) -> DotsAndBoxes {
    DotsAndBoxes::new(rows, cols).unwrap()
}

/// What the game itself says about a state: observation and mask.
fn seen(game: &DotsAndBoxes, state: &<DotsAndBoxes as Game>::State) -> (Vec<f32>, Vec<i8>) {
    let mut observation = vec![0.0; game.observation_shape().iter().product()];
    game.write_observation(state, &mut observation);
    let mask = (0..game.n_actions()).map(|id| game.is_legal(state, ActionId::from(id)).into());
    (observation, mask.collect())
}

/// A legal action of a mask, chosen by `draw`.
fn choose<'a>(mask: impl IntoIterator<Item = &'a i8>, draw: usize) -> ActionId {
    let legal: Vec<usize> = mask
        .into_iter()
        .enumerate()
        .filter_map(|(id, &entry)| (entry == 1).then_some(id))
        .collect();
    ActionId::from(legal[draw % legal.len()])
}

mod env {
    use super::*;

    #[test]
    fn a_step_shows_what_the_game_says() {
        let game = board(2, 3);
        let mut env = Env::new(game.clone(), EnvOptions::default());
        let (observation, mask) = env.reset(0);
        assert_eq!(observation.shape(), game.observation_shape());
        let (observation, mask) = (observation.to_owned(), mask.to_owned());
        let mut state = game.initial();
        let (expected_observation, expected_mask) = seen(&game, &state);
        assert_eq!(observation.as_slice().unwrap(), expected_observation);
        assert_eq!(mask.to_vec(), expected_mask);

        let mut mask = mask.to_vec();
        for ply in 1..=game.n_edges() {
            let action = choose(&mask, 7 * ply);
            let step = env.step(action).unwrap();
            game.play(&mut state, action).unwrap();
            let (expected_observation, expected_mask) = seen(&game, &state);
            assert_eq!(step.observation.as_slice().unwrap(), expected_observation);
            assert_eq!(step.mask.to_vec(), expected_mask);
            assert_eq!(step.player_to_move, game.player_to_move(&state));
            assert_eq!(step.terminated, game.is_over(&state));
            assert!(!step.truncated);
            let returns = game
                .outcome(&state)
                .map_or([0; 2], |outcome| outcome.returns());
            assert_eq!(step.rewards, returns.map(f32::from));
            mask = step.mask.to_vec();
            assert_eq!(env.state(), &state);
        }
        assert!(game.is_over(&state));
        assert_eq!(mask, vec![0; game.n_actions()]);
    }

    #[test]
    fn steps_are_refused_before_the_first_reset_and_after_the_end() {
        let mut env = Env::new(board(1, 1), EnvOptions::default());
        assert_eq!(env.step(ActionId(0)), Err(EnvError::NotReset));
        env.reset(0);
        for edge in 0..4 {
            env.step(ActionId(edge)).unwrap();
        }
        let finished = env.clone();
        for action in [ActionId(0), ActionId(4), ActionId(u32::MAX)] {
            assert_eq!(env.step(action), Err(EnvError::EpisodeOver));
        }
        assert_eq!(env.state(), finished.state());
        env.reset(0);
        assert!(env.step(ActionId(0)).is_ok());
    }

    #[test]
    fn a_refused_action_is_named_with_its_reason_and_changes_nothing() {
        let mut env = Env::new(
            board(2, 2),
            EnvOptions {
                max_plies: Some(2),
                ..Default::default()
            },
        );
        env.reset(0);
        env.step(ActionId(3)).unwrap();
        for (id, reason) in [
            (3, Illegal::AlreadyDrawn(3)),
            (12, Illegal::OutOfBoard { edge: 12, last: 11 }),
        ] {
            let before = env.state().clone();
            let action = ActionId(id);
            assert_eq!(env.step(action), Err(EnvError::Illegal { action, reason }));
            assert_eq!(env.state(), &before);
        }
        // The refused steps were not counted either.
        assert!(env.step(ActionId(4)).unwrap().truncated);
    }

    #[test]
    fn a_truncated_game_has_no_result_and_shows_what_could_be_played() {
        let options = EnvOptions {
            max_plies: Some(3),
            ..Default::default()
        };
        let mut env = Env::new(board(2, 2), options);
        env.reset(0);
        for edge in 0..3 {
            let step = env.step(ActionId(edge)).unwrap();
            assert_eq!(step.truncated, edge == 2);
            assert!(!step.terminated);
            assert_eq!(step.rewards, [0.0, 0.0]);
            assert_eq!(
                step.mask.iter().filter(|&&entry| entry == 1).count(),
                11 - edge as usize
            );
        }
        assert_eq!(env.step(ActionId(3)), Err(EnvError::EpisodeOver));
    }

    #[test]
    fn a_game_that_ends_at_the_limit_is_terminated_not_truncated() {
        let options = EnvOptions {
            max_plies: Some(4),
            ..Default::default()
        };
        let mut env = Env::new(board(1, 1), options);
        env.reset(0);
        (0..3).for_each(|edge| assert!(!env.step(ActionId(edge)).unwrap().truncated));
        let last = env.step(ActionId(3)).unwrap();
        assert!(last.terminated && !last.truncated);
        // Of four edges player 1 draws the last.
        assert_eq!(last.rewards, [-1.0, 1.0]);
    }

    #[test]
    fn the_seed_draws_the_opening_and_nothing_else() {
        let opening = |plies, seed| {
            let options = EnvOptions {
                random_opening_plies: plies,
                ..Default::default()
            };
            let mut env = Env::new(board(3, 3), options);
            env.reset(seed);
            env.state().clone()
        };
        assert_eq!(opening(0, 1), opening(0, 2));
        assert_eq!(opening(6, 1), opening(6, 1));
        assert_ne!(opening(6, 1), opening(6, 2));
        for seed in 0..20 {
            assert_eq!(opening(6, seed).edges().len(), 6);
            // A longer opening goes on from the shorter one.
            let (short, long) = (opening(5, seed).edges(), opening(6, seed).edges());
            assert!(short.iter().all(|edge| long.contains(edge)));
        }
    }

    #[test]
    fn an_opening_never_plays_into_a_finished_game() {
        for plies in [3, 4, 1000] {
            let options = EnvOptions {
                random_opening_plies: plies,
                max_plies: Some(1),
            };
            let mut env = Env::new(board(1, 1), options);
            for seed in 0..20 {
                let (_, mask) = env.reset(seed);
                assert_eq!(mask.sum(), 1);
                let last = choose(&mask.to_vec(), 0);
                assert_eq!(env.player_to_move(), Player::Second);
                // The opening does not count as plies: the one step allowed ends the game.
                assert!(env.step(last).unwrap().terminated);
            }
        }
    }

    #[test]
    fn openings_are_uniform_over_the_first_actions() {
        let options = EnvOptions {
            random_opening_plies: 1,
            ..Default::default()
        };
        let mut env = Env::new(board(1, 1), options);
        let mut counts = [0; 4];
        const N_RESETS: u64 = 10_000;
        for seed in 0..N_RESETS {
            env.reset(seed);
            counts[env.state().edges().iter().next().unwrap()] += 1;
        }
        // Binomial(10000, 1/4) has mean 2500 and a standard deviation of 43.3.
        assert!(
            counts.iter().all(|count| (2500i32 - count).abs() < 4 * 44),
            "{counts:?}"
        );
    }
}

mod vec_env {
    use super::*;

    const OPTIONS: EnvOptions = EnvOptions {
        max_plies: Some(9),
        random_opening_plies: 2,
    };

    /// Requires that environment `index` of the batch shows what `env` shows.
    fn assert_same(envs: &VecEnv<DotsAndBoxes>, index: usize, env: &Env<DotsAndBoxes>) {
        assert_eq!(envs.state(index), env.state());
        let (observation, mask) = seen(env.game(), env.state());
        let row = envs.observations();
        let row = row.outer_iter().nth(index).unwrap();
        assert_eq!(row.as_slice().unwrap(), observation);
        assert_eq!(envs.masks().row(index).to_vec(), mask);
        assert_eq!(envs.players_to_move()[index], env.player_to_move());
    }

    #[test]
    fn a_batch_is_many_envs_that_reset_themselves() {
        // 2x2 has 12 edges: after 2 random ones it is truncated after 9 steps, one before its end.
        for (rows, cols) in [(2, 2), (1, 2)] {
            let mut envs = VecEnv::new(board(rows, cols), 5, OPTIONS, Autoreset::SameStep);
            envs.reset(3);
            let mut singles: Vec<_> = (0..5)
                .map(|index| {
                    let mut env = Env::new(board(rows, cols), OPTIONS);
                    env.reset(envs.episode_seed(index));
                    env
                })
                .collect();
            let mut n_episodes = 0;
            for round in 0..40 {
                let actions: Vec<ActionId> = (0..5)
                    .map(|index| choose(envs.masks().row(index), 5 * round + index))
                    .collect();
                let step = envs.step(&actions).unwrap();
                let mut ended = Vec::new();
                for (index, (env, &action)) in singles.iter_mut().zip(&actions).enumerate() {
                    let single = env.step(action).unwrap();
                    assert_eq!(step.rewards.row(index).to_vec(), single.rewards);
                    assert_eq!(step.terminated[index], single.terminated);
                    assert_eq!(step.truncated[index], single.truncated);
                    if single.terminated || single.truncated {
                        ended.push(index);
                    }
                }
                n_episodes += ended.len();
                for index in ended {
                    singles[index].reset(envs.episode_seed(index));
                }
                for (index, env) in singles.iter().enumerate() {
                    assert_same(&envs, index, env);
                }
            }
            assert!(n_episodes >= 5 * 3, "{n_episodes}");
        }
    }

    /// The texts of the first states of environment `index`, and its episode seeds, when `play`
    /// chooses the actions of the others.
    fn history(n_envs: usize, index: usize, others: usize) -> Vec<(u64, Vec<usize>)> {
        let mut envs = VecEnv::new(board(1, 2), n_envs, OPTIONS, Autoreset::SameStep);
        envs.reset(11);
        let mut history = Vec::new();
        for round in 0..60 {
            let edges = envs.state(index).edges().iter().collect();
            history.push((envs.episode_seed(index), edges));
            let actions: Vec<ActionId> = (0..n_envs)
                .map(|env| {
                    let draw = if env == index {
                        round
                    } else {
                        others * round + env
                    };
                    choose(envs.masks().row(env), draw)
                })
                .collect();
            envs.step(&actions).unwrap();
        }
        history
    }

    #[test]
    fn episodes_do_not_depend_on_the_rest_of_the_batch() {
        let alone = history(2, 1, 0);
        assert_eq!(alone, history(2, 1, 5));
        assert_eq!(alone, history(7, 1, 3));
        assert_ne!(alone, history(2, 0, 0));
        let mut seeds: Vec<u64> = alone.iter().map(|(seed, _)| *seed).collect();
        seeds.dedup();
        assert!(
            seeds.len() > 10,
            "every episode has a seed of its own: {seeds:?}"
        );
    }

    #[test]
    fn reset_begins_the_same_episodes_again() {
        let mut envs = VecEnv::new(board(3, 3), 4, OPTIONS, Autoreset::SameStep);
        let first = envs.reset(5).0.to_owned();
        let action = |envs: &VecEnv<DotsAndBoxes>| -> Vec<ActionId> {
            (0..4)
                .map(|index| choose(envs.masks().row(index), index))
                .collect()
        };
        let actions = action(&envs);
        envs.step(&actions).unwrap();
        assert_eq!(envs.reset(5).0, first);
        assert_ne!(envs.reset(6).0, first);
    }

    #[test]
    fn a_batch_goes_on_where_another_stood() {
        for autoreset in [Autoreset::SameStep, Autoreset::Disabled] {
            let new = || VecEnv::new(board(2, 2), 3, OPTIONS, autoreset);
            let play = |envs: &mut VecEnv<DotsAndBoxes>, draw: usize| {
                for index in 0..3 {
                    let standings = envs.standings().unwrap().1;
                    if standings[index].is_over {
                        envs.reset_env(index).unwrap();
                    }
                }
                let rows = (0..3).map(|index| choose(envs.masks().row(index), draw + index));
                let actions: Vec<ActionId> = rows.collect();
                envs.step(&actions).unwrap();
            };
            let mut first = new();
            assert_eq!(first.standings(), None);
            first.reset(5);
            (0..40).for_each(|draw| play(&mut first, draw));
            let (seed, standings) = first.standings().unwrap();
            assert!(standings.iter().all(|standing| standing.n_episodes > 2));
            let mut second = new();
            second.resume(seed, &standings).unwrap();
            for draw in 0..40 {
                assert_eq!(first.standings(), second.standings());
                assert_eq!(first.observations(), second.observations());
                assert_eq!(first.masks(), second.masks());
                assert_eq!(first.episode_seed(1), second.episode_seed(1));
                play(&mut first, draw);
                play(&mut second, draw);
            }
            let wrong = VecEnvError::WrongLength {
                expected: 3,
                got: 1,
            };
            assert_eq!(second.resume(seed, &standings[..1]), Err(wrong));
        }
    }

    #[test]
    fn nothing_changes_unless_every_action_is_accepted() {
        let mut envs = VecEnv::new(board(2, 2), 3, EnvOptions::default(), Autoreset::SameStep);
        let none = VecEnvError::Env {
            index: 0,
            error: EnvError::NotReset,
        };
        assert_eq!(envs.step(&[ActionId(0); 3]).unwrap_err(), none);
        envs.reset(0);
        envs.step(&[ActionId(0), ActionId(1), ActionId(2)]).unwrap();
        let before = envs.clone();
        let (action, reason) = (ActionId(2), Illegal::AlreadyDrawn(2));
        let refused = VecEnvError::Env {
            index: 2,
            error: EnvError::Illegal { action, reason },
        };
        assert_eq!(envs.step(&[ActionId(2); 3]).unwrap_err(), refused);
        for actions in [&[][..], &[ActionId(5); 2], &[ActionId(5); 4]] {
            let wrong = VecEnvError::WrongLength {
                expected: 3,
                got: actions.len(),
            };
            assert_eq!(envs.step(actions).unwrap_err(), wrong);
        }
        for index in 0..3 {
            assert_eq!(envs.state(index), before.state(index));
        }
        assert_eq!(envs.observations(), before.observations());
        assert_eq!(envs.masks(), before.masks());
    }

    #[test]
    fn without_autoreset_each_environment_waits_for_its_reset() {
        let mut envs = VecEnv::new(board(1, 1), 2, EnvOptions::default(), Autoreset::Disabled);
        let index = 0;
        let none = VecEnvError::Env {
            index,
            error: EnvError::NotReset,
        };
        assert_eq!(envs.reset_env(0), Err(none));
        envs.reset(0);
        for edge in 0..4 {
            let step = envs.step(&[ActionId(edge); 2]).unwrap();
            assert_eq!(step.terminated, [edge == 3; 2]);
            assert_eq!(step.masks.sum(), 2 * (3 - edge as i8));
        }
        let over = |index| VecEnvError::Env {
            index,
            error: EnvError::EpisodeOver,
        };
        assert_eq!(envs.step(&[ActionId(0); 2]).unwrap_err(), over(0));
        envs.reset_env(0).unwrap();
        assert_eq!(envs.masks().row(0).sum(), 4);
        assert_eq!(envs.masks().row(1).sum(), 0);
        assert_eq!(envs.step(&[ActionId(0); 2]).unwrap_err(), over(1));
        envs.reset_env(1).unwrap();
        assert!(envs.step(&[ActionId(0); 2]).is_ok());
        let missing = VecEnvError::NoSuchEnv {
            index: 2,
            n_envs: 2,
        };
        assert_eq!(envs.reset_env(2), Err(missing));
    }

    #[test]
    fn an_empty_batch_is_harmless() {
        let mut envs = VecEnv::new(board(1, 1), 0, EnvOptions::default(), Autoreset::SameStep);
        assert_eq!(envs.reset(0).0.shape(), [0, 15, 2, 2]);
        assert_eq!(envs.step(&[]).unwrap().masks.shape(), [0, 4]);
    }

    #[test]
    fn episode_seeds_come_from_the_stream_of_the_environment() {
        use rand::Rng;
        let mut envs = VecEnv::new(board(1, 1), 3, EnvOptions::default(), Autoreset::Disabled);
        envs.reset(9);
        for index in 0..3 {
            let mut seeds = stream(9, "vec-env", index as u64);
            assert_eq!(envs.episode_seed(index), seeds.next_u64());
            envs.reset_env(index).unwrap();
            assert_eq!(envs.episode_seed(index), seeds.next_u64());
        }
    }
}
