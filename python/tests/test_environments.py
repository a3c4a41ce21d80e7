"""The ecosystem's own checks, with their warnings as errors."""

import gc
import threading
import warnings

import gymnasium
import numpy as np
import pytest
import tablero
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from pettingzoo.test import api_test, performance_benchmark, render_test, seed_test
from tablero._tablero import VecEnv
from tablero.registration import ENVIRONMENTS


@pytest.fixture(autouse=True)
def warnings_are_errors():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def test_pettingzoo_api(spec):
    # PettingZoo says so of its own classic games, whose form of masks this is; and a finished game has no
    # legal actions.
    for expected in (
        "Observation is not a NumPy array",
        "Observation space for each agent probably should be",
        "Action mask numpy array is all zeros",
    ):
        warnings.filterwarnings("ignore", expected)
    api_test(tablero.make(spec), num_cycles=200)


def test_pettingzoo_seed(spec):
    seed_test(lambda: tablero.make(spec, random_opening_plies=2), num_cycles=50)


def test_pettingzoo_performance(capsys):
    performance_benchmark(tablero.make("queens:6"))
    assert "turns per second" in capsys.readouterr().out


def test_pettingzoo_render(spec, capsys):
    render_test(
        lambda render_mode: tablero.make(spec, render_mode=render_mode),
        custom_tests={"ansi": lambda drawing: isinstance(drawing, str) and drawing},
    )


def test_gymnasium_single_agent(spec):
    env = gymnasium.make("tablero/Queens-v0", spec=spec, opponent="random", render_mode="ansi")
    check_env(env.unwrapped)


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_names_are_registered(name):
    env = gymnasium.make(name, opponent="random")
    observation, info = env.reset(seed=3)
    assert env.observation_space.contains(observation)
    assert info["action_mask"].shape == (env.action_space.n,)
    envs = gymnasium.make_vec(name, num_envs=2)
    observations, infos = envs.reset(seed=3)
    assert envs.observation_space.contains(observations)
    assert infos["action_mask"].shape == (2, envs.single_action_space.n)
    assert envs.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP


def play_batch(envs, n_steps, seed):
    """Random play; yields what each step gave, with the actors and actions."""
    rng = np.random.default_rng(seed)
    _, infos = envs.reset(seed=seed)
    for _ in range(n_steps):
        mask, players = infos["action_mask"], infos["player"].copy()
        actions = np.array([rng.choice(np.flatnonzero(row)) for row in mask])
        observations, rewards, terminated, truncated, infos = envs.step(actions)
        yield players, actions, observations, rewards, terminated, truncated, infos


def test_a_batch_plays_the_same_games_as_states(spec):
    envs = tablero.make_vec(spec, 3, max_plies=60)
    game = tablero.Game(spec)
    states = [game.initial() for _ in range(3)]
    lengths = [0, 0, 0]
    n_ends = 0
    for players, actions, observations, rewards, terminated, truncated, infos in play_batch(envs, 200, 5):
        for index in range(3):
            assert states[index].player_to_move == players[index]
            states[index].play(int(actions[index]))
            lengths[index] += 1
            over = states[index].is_over
            assert terminated[index] == over
            assert truncated[index] == (not over and lengths[index] == 60)
            returns = states[index].returns or (0, 0)
            assert rewards[index] == returns[players[index]]
            assert infos["rewards"][index].tolist() == list(returns)
            if terminated[index] or truncated[index]:
                states[index], lengths[index] = game.initial(), 0
                n_ends += 1
            np.testing.assert_array_equal(observations[index], states[index].observation())
            np.testing.assert_array_equal(infos["action_mask"][index], states[index].mask())
            assert envs.state(index) == states[index]
    assert n_ends > 0


def test_arrays_are_copied_only_on_request():
    for copy in (True, False):
        envs = tablero.make_vec("queens:6", 2, copy=copy)
        first, _ = envs.reset(seed=0)
        before = first.copy()
        envs.step(np.array([0, 7]))
        assert (first == before).all() == copy
        assert first.flags.writeable == copy


def test_an_illegal_action_of_a_batch_changes_nothing():
    envs = tablero.make_vec("dots-and-boxes:2x2", 2)
    envs.reset(seed=0)
    envs.step(np.array([0, 5]))
    before = [envs.state(0), envs.state(1)]
    with pytest.raises(tablero.IllegalActionError, match="environment 1: action 5 is illegal"):
        envs.step(np.array([1, 5]))
    with pytest.raises(tablero.IllegalActionError):
        envs.step(np.array([1, -1]))
    with pytest.raises(ValueError, match="expected 2 actions"):
        envs.step(np.array([1]))
    assert [envs.state(0), envs.state(1)] == before


def test_no_thread_sees_a_batch_that_is_half_reset():
    envs = VecEnv("dots-and-boxes:5x5", 256, random_opening_plies=20)
    views = (envs.observations, envs.masks)

    def read():
        # Copies that NumPy makes with the interpreter's lock held.
        return views[0].tobytes(), views[1].tobytes()

    def of_seed(seed):
        envs.reset(seed)
        return read()

    whole = {part for seed in (1, 2) for part in of_seed(seed)}
    assert len(whole) == 4
    seen, is_over = set(), threading.Event()

    def watch():
        while not is_over.is_set():
            seen.update(read())

    watcher = threading.Thread(target=watch)
    watcher.start()
    for turn in range(400):
        envs.reset(1 + turn % 2)
    is_over.set()
    watcher.join()
    assert seen and seen <= whole


def test_views_are_read_only_and_outlive_their_batch():
    envs = VecEnv("queens:6", 3)
    envs.reset(1)
    observations, masks = envs.observations, envs.masks
    expected = observations.copy(), masks.copy()
    for view in (observations, masks):
        with pytest.raises(ValueError, match="read-only"):
            view[:] = 0
    del envs
    gc.collect()
    assert np.array_equal(observations, expected[0]) and np.array_equal(masks, expected[1])


def test_an_illegal_action_loses_or_raises():
    env = tablero.make_single("dots-and-boxes:2x2", "random", player=0)
    env.reset(seed=1)
    taken = (
        int(np.flatnonzero(env.unwrapped.state.mask() == 0)[0])
        if not env.unwrapped.state.mask().all()
        else 12
    )
    _, reward, terminated, _, info = env.step(taken)
    assert (reward, terminated) == (-1.0, True)
    assert "illegal" in info["illegal_action"]
    env = tablero.make_single("dots-and-boxes:2x2", "random", player=0, illegal="raise")
    env.reset(seed=1)
    with pytest.raises(tablero.IllegalActionError):
        env.step(12)


def test_the_same_seed_plays_the_same_episode_against_a_player():
    def episode():
        env = tablero.make_single("paper-soccer:4x4", "mcts:sims=20", random_opening_plies=2)
        _, info = env.reset(seed=11)
        rng = np.random.default_rng(4)
        seen, over = [], False
        while not over:
            _, reward, terminated, truncated, info = env.step(rng.choice(np.flatnonzero(info["action_mask"])))
            seen.append((str(env.state), reward))
            over = terminated or truncated
        assert seen[-1][1] in (-1.0, 1.0)
        return seen

    assert episode() == episode()


def test_masks_are_given_as_sb3_contrib_asks_for_them(spec):
    env = gymnasium.make("tablero/Queens-v0", spec=spec, opponent="random")
    _, info = env.reset(seed=1)
    for _ in range(3):
        # What its `get_action_masks` calls, through any wrappers.
        masks = env.get_wrapper_attr("action_masks")()
        assert masks.dtype == bool and np.array_equal(masks, info["action_mask"] == 1)
        _, _, terminated, _, info = env.step(int(np.flatnonzero(masks)[0]))
        if terminated:
            break
    batch = tablero.make_vec(spec, 2)
    _, infos = batch.reset(seed=1)
    assert np.array_equal(batch.action_masks(), infos["action_mask"] == 1)
