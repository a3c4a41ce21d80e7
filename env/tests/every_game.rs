//! The laws of `Env` and `VecEnv` over every registered game.

use rand::RngExt;
use tablero_env::random::stream;
use tablero_env::{
    ActionId, AnyGame, Autoreset, BoardGame, Env, EnvError, EnvOptions, VecEnv, games, with_game,
};

/// Runs a check on each registered game with its default parameters.
macro_rules! for_every_game {
    ($check:expr) => {
        for entry in games() {
            let any = AnyGame::parse(entry.name).unwrap();
            with_game!(&any, game => $check(game));
        }
    };
}

const OPTIONS: EnvOptions = EnvOptions {
    max_plies: Some(120),
    random_opening_plies: 2,
};

/// What the game says of a state: observation and mask.
fn seen<G: BoardGame>(game: &G, state: &G::State) -> (Vec<f32>, Vec<i8>) {
    let mut observation = vec![0.0; game.observation_shape().iter().product()];
    let mut mask = vec![0; game.n_actions()];
    game.write_observation(state, &mut observation);
    game.write_mask(state, &mut Vec::new(), &mut mask);
    (observation, mask)
}

#[test]
fn steps_show_what_the_game_says_and_rewards_sum_to_zero() {
    fn check<G: BoardGame>(game: &G) {
        let mut env = Env::new(game.clone(), OPTIONS);
        let mut rng = stream(1, "actions", 0);
        let mut buffer = Vec::new();
        for seed in 0..5 {
            env.reset(seed);
            let mut state = env.state().clone();
            let mut steps = 0;
            loop {
                let action = game.sample_action(&state, &mut buffer, &mut rng);
                let step = env.step(action).unwrap();
                game.play(&mut state, action).unwrap();
                steps += 1;
                let (observation, mask) = seen(game, &state);
                assert_eq!(step.observation.as_slice().unwrap(), observation);
                assert_eq!(step.mask.as_slice().unwrap(), mask);
                let returns = game.outcome(&state).map_or([0; 2], |end| end.returns());
                assert_eq!(step.rewards, returns.map(f32::from));
                assert_eq!(step.rewards[0] + step.rewards[1], 0.0);
                assert_eq!(step.terminated, game.is_over(&state));
                assert_eq!(step.truncated, !step.terminated && steps == 120);
                if step.terminated {
                    assert!(step.mask.iter().all(|&entry| entry == 0));
                } else {
                    assert_eq!(step.player_to_move, game.player_to_move(&state));
                }
                if step.terminated || step.truncated {
                    break;
                }
            }
            assert!(game.max_plies().is_none_or(|longest| steps <= longest));
            let again = env.step(ActionId(0)).unwrap_err();
            assert_eq!(again, EnvError::EpisodeOver, "{}", game.spec());
        }
    }
    for_every_game!(check);
}

#[test]
fn refused_actions_change_nothing_and_clones_go_their_own_way() {
    fn check<G: BoardGame>(game: &G) {
        let mut env = Env::new(game.clone(), OPTIONS);
        env.reset(3);
        let mut rng = stream(2, "actions", 0);
        let mut buffer = Vec::new();
        for _ in 0..20 {
            if game.is_over(env.state()) {
                break;
            }
            let before = env.state().clone();
            let illegal = ActionId::from(rng.random_range(0..game.n_actions() + 3));
            if let Err(reason) = game.legality(&before, illegal) {
                let expected = EnvError::Illegal {
                    action: illegal,
                    reason,
                };
                assert_eq!(env.step(illegal).unwrap_err(), expected);
                assert_eq!(env.state(), &before);
            }
            let mut clone = env.clone();
            let action = game.sample_action(&before, &mut buffer, &mut rng);
            clone.step(action).unwrap();
            assert_eq!(env.state(), &before, "{}", game.spec());
            env.step(action).unwrap();
            assert_eq!(env.state(), clone.state());
        }
    }
    for_every_game!(check);
}

#[test]
fn a_batch_is_many_environments() {
    fn check<G: BoardGame>(game: &G) {
        const N: usize = 4;
        let mut envs = VecEnv::new(game.clone(), N, OPTIONS, Autoreset::Disabled);
        envs.reset(7);
        let mut states: Vec<G::State> = (0..N).map(|index| envs.state(index).clone()).collect();
        let mut rng = stream(3, "actions", 0);
        let mut buffer = Vec::new();
        // As long as no episode has ended.
        while !states.iter().any(|state| game.is_over(state)) {
            let actions: Vec<ActionId> = states
                .iter()
                .map(|state| game.sample_action(state, &mut buffer, &mut rng))
                .collect();
            let step = envs.step(&actions).unwrap();
            for (index, state) in states.iter_mut().enumerate() {
                game.play_unchecked(state, actions[index]);
                let (observation, mask) = seen(game, state);
                let shown = step.observations.index_axis(ndarray::Axis(0), index);
                assert!(shown.iter().eq(&observation), "{}", game.spec());
                assert!(step.masks.row(index).iter().eq(&mask), "{}", game.spec());
            }
            if step.truncated.iter().any(|&cut| cut) {
                break;
            }
        }
    }
    for_every_game!(check);
}
