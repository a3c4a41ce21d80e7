"""What a stranger tries: games that end at once, copies, numbers that are no actions, arrays of any type."""

import copy
import pickle

import gymnasium
import numpy as np
import pytest
import tablero
from conftest import random_states
from gymnasium.error import ResetNeeded
from tablero._tablero import VecEnv


def test_an_episode_that_the_opponent_ends_at_once_is_drawn_again_or_refused():
    # The first queen on a board of 2x2 attacks all other cells: who answers never moves.
    env = tablero.make_single("queens:2", "random")
    for seed in range(20):
        _, info = env.reset(seed=seed)
        assert info["player"] == 0 and info["action_mask"].sum() == 4
        assert env.step(int(np.flatnonzero(info["action_mask"])[0]))[1:3] == (1.0, True)
    env = tablero.make_single("queens:2", "random", player=1)
    with pytest.raises(RuntimeError, match=r"no episode of queens:2 begins: in 100 tries Player\(.*player 1"):
        env.reset(seed=0)
    with pytest.raises(ResetNeeded):
        env.step(0)


@pytest.mark.parametrize("plies", [11, 12, 500])
def test_an_opening_leaves_the_agent_a_move(plies):
    env = tablero.make_single("dots-and-boxes:2x2", "random", random_opening_plies=plies)
    for seed in range(30):
        _, info = env.reset(seed=seed)
        assert info["action_mask"].sum() == 1
        assert env.step(int(np.flatnonzero(info["action_mask"])[0]))[2]


def copies(thing):
    return [pickle.loads(pickle.dumps(thing)), copy.deepcopy(thing), copy.copy(thing)]


def copies_that_play_alike(thing, play, n_turns):
    """Copies, after each has played as the original does."""
    others = copies(thing)
    expected = play(thing, n_turns)
    for other in others:
        assert play(other, n_turns) == expected
    return others


def first_legal(mask, turn):
    legal = np.flatnonzero(mask)
    return int(legal[turn % len(legal)])


def play_aec(env, n_turns):
    seen = []
    for turn in range(n_turns):
        observation, reward, terminated, truncated, _ = env.last()
        over = terminated or truncated
        env.step(None if over else first_legal(observation["action_mask"], turn))
        seen.append((observation["observation"].tobytes(), reward, over, str(env.state_of_game)))
        if not env.agents:
            env.reset()
    return seen


@pytest.mark.parametrize("n_before", [0, 7, 40])
def test_a_copied_aec_environment_goes_on_as_the_original(spec, n_before):
    env = tablero.make(spec, random_opening_plies=2, max_plies=30)
    env.reset(seed=3)
    play_aec(env, n_before)
    copies_that_play_alike(env, play_aec, 80)


def test_a_copy_made_before_the_first_reset_works():
    for env in (tablero.make("queens:6"), tablero.make_vec("queens:6", 2), tablero.make_single("queens:6")):
        for other in copies(env):
            other.reset(seed=1)


def play_vector(envs, n_steps):
    seen = []
    masks = envs._env.masks
    for turn in range(n_steps):
        actions = [first_legal(row, turn) for row in masks]
        observations, rewards, terminated, truncated, infos = envs.step(actions)
        seen.append((observations.tobytes(), rewards.tolist(), terminated.tolist(), infos["player"].tolist()))
    return seen


@pytest.mark.parametrize("copied", [True, False])
def test_a_copied_vector_environment_goes_on_as_the_original(spec, copied):
    envs = tablero.make_vec(spec, 3, random_opening_plies=3, max_plies=25, copy=copied)
    envs.reset(seed=3)
    play_vector(envs, 60)
    others = copies_that_play_alike(envs, play_vector, 60)
    rolled = [env.reset()[0].tobytes() for env in (envs, *others)]
    assert len(set(rolled)) == 1


def play_single(env, n_steps):
    seen = []
    for turn in range(n_steps):
        observation, reward, terminated, truncated, _ = env.step(first_legal(env.action_masks(), turn))
        seen.append((observation.tobytes(), reward, str(env.state)))
        if terminated or truncated:
            env.reset()
    return seen


@pytest.mark.parametrize("opponent", ["random", "minimax:depth=2", "mcts:sims=30"])
def test_a_copied_environment_of_one_agent_goes_on_as_the_original(opponent):
    env = tablero.make_single("paper-soccer:4x4", opponent, random_opening_plies=2)
    env.reset(seed=5)
    play_single(env, 5)
    copies_that_play_alike(env, play_single, 30)


def test_a_copied_gymnasium_environment_goes_on(tmp_path):
    env = gymnasium.make("tablero/DotsAndBoxes-v0", spec="dots-and-boxes:2x2", opponent="random")
    env.reset(seed=1)
    env.step(first_legal(env.unwrapped.action_masks(), 0))
    other = copy.deepcopy(env)
    action = first_legal(env.unwrapped.action_masks(), 3)
    assert other.step(action)[0].tobytes() == env.step(action)[0].tobytes()


def test_a_search_remembers_its_tree_over_an_episode():
    player = tablero.Player("queens:6", "mcts:sims=200")
    seat, state = player.seat(), tablero.Game("queens:6").initial()
    assert seat.remembers and not tablero.Player("queens:6", "random").seat().remembers
    while not state.is_over:
        action = seat.choose(state, seed=1)
        assert action in state.legal_actions()
        seat.played(action)
        state.play(action)
    with pytest.raises(ValueError, match="the game is over"):
        seat.choose(state)
    with pytest.raises(ValueError, match="expected a state of queens:6"):
        seat.choose(tablero.Game("queens:8").initial())


PLAYERS = ["random", "greedy", "minimax:depth=2", "mcts:sims=50", "zoo:sims=20", "zoo:sims=0", "solver"]


@pytest.mark.parametrize("text", PLAYERS)
def test_players_are_copied(text):
    player = tablero.Player("dots-and-boxes:3x3", text)
    states = [state for _, state in zip(range(20), random_states(player_game(), 5)) if state_is_late(state)]
    assert states
    for other in copies(player):
        assert repr(other) == repr(player)
        assert all(other.choose(it, seed=4) == player.choose(it, seed=4) for it in states)


def player_game():
    return tablero.Game("dots-and-boxes:3x3")


def state_is_late(state):
    # So that the solver answers at once.
    return len(state.legal_actions()) < 14


def test_policies_are_copied_with_all_that_they_are(tmp_path):
    tablero.Policy.load("zoo:queens:8").save(tmp_path / "policy")
    policy = tablero.Policy.load(tmp_path / "policy")
    player = tablero.Player("queens:8", tmp_path / "policy")
    pickled = pickle.dumps((policy, player))
    state = tablero.Game("queens:8").initial()
    expected = policy.search(state, sims=30), player.choose(state, seed=2)
    # The files are not asked for again.
    (tmp_path / "policy").rename(tmp_path / "elsewhere")
    for other, other_player in (pickle.loads(pickled), *[copy.deepcopy((policy, player))]):
        assert other.manifest == policy.manifest
        assert (other.search(state, sims=30), other_player.choose(state, seed=2)) == expected
    for other in copies(tablero.Policy.load("zoo:queens:8")):
        assert other.search(state, sims=30)["by"] == tablero.Policy.load("zoo:queens:8").search(state)["by"]


def test_numbers_that_are_no_actions_are_refused_as_they_are():
    state = tablero.Game("dots-and-boxes:2x2").initial()
    for action in (-1, np.int64(-1), 2**40, 2**70):
        with pytest.raises(tablero.IllegalActionError, match=f"action {action} is illegal: expected 0 to 11"):
            state.play(action)
    with pytest.raises(tablero.IllegalActionError, match="action 12 is illegal"):
        state.play(12)
    for action in (0.5, 1.0, None, np.float64(2)):
        with pytest.raises(TypeError):
            state.play(action)
    with pytest.raises(ValueError, match="expected an action below 12, got -1"):
        state.action_text(-1)
    assert state == tablero.Game("dots-and-boxes:2x2").initial()


def test_environments_refuse_them_too_and_change_nothing():
    single = tablero.make_single("dots-and-boxes:2x2", "random", illegal="raise")
    single.reset(seed=1)
    aec = tablero.make("dots-and-boxes:2x2")
    aec.reset(seed=1)
    for env, position in ((single, lambda: single.state), (aec, lambda: aec.state_of_game)):
        before = str(position())
        with pytest.raises(tablero.IllegalActionError, match="action -1 is illegal"):
            env.step(-1)
        for action in (0.5, np.float32(0.5), "1-1-h", [0]):
            with pytest.raises(TypeError, match="whole number"):
                env.step(action)
        assert str(position()) == before
    envs = tablero.make_vec("dots-and-boxes:2x2", 2)
    envs.reset(seed=1)
    with pytest.raises(tablero.IllegalActionError, match="environment 1: action -1 is illegal"):
        envs.step([1, -1])
    for actions in ([0.5, 1.0], [np.nan, 1.0], [np.inf, 1.0], ["a", "b"], [None, 1]):
        with pytest.raises(TypeError, match="whole numbers"):
            envs.step(actions)
    assert envs.state(0) == tablero.Game("dots-and-boxes:2x2").initial()


def test_arrays_of_any_number_type_and_layout_are_taken(planes_policy):
    wide = np.zeros((2, 6), dtype=np.float64)
    for actions in (
        wide[:, ::3][:, 0],
        np.zeros(2, np.int8),
        np.zeros(2, np.uint64),
        [0, 0],
        (0, np.int32(0)),
    ):
        envs = tablero.make_vec("dots-and-boxes:2x2", 2)
        envs.reset(seed=1)
        envs.step(actions)
        assert envs.state(1).legal_actions() == list(range(1, 12))
    with pytest.raises(
        ValueError, match=r"actions: expected an array of 1 dimensions, got the shape \(1, 2\)"
    ):
        envs.step(np.zeros((1, 2), np.int64))
    policy = planes_policy
    state = tablero.Game("queens:8").initial()
    observations = np.stack([state.observation()] * 2)
    slots = np.array([state.policy_slots()] * 2)
    expected = policy.logits(observations, slots)
    turned = np.asfortranarray(observations.astype(np.float64))
    for given in ((turned, slots.astype(np.int32)), (observations[::-1], slots.astype(float))):
        for got, values in zip(policy.logits(*given), expected):
            assert got is values or np.array_equal(got, values)
    with pytest.raises(TypeError, match="slots: expected whole numbers, got 0.5"):
        policy.logits(observations, slots + 0.5)


def test_a_step_before_the_first_reset_says_so():
    for env in (tablero.make("queens:6"), tablero.make_single("queens:6"), tablero.make_vec("queens:6", 1)):
        with pytest.raises(ResetNeeded, match="call reset before the first step"):
            env.step([0])
    with pytest.raises(ValueError, match="call reset before the first step"):
        VecEnv("queens:6", 1).step([0])
    env = tablero.make_single("queens:2", "random", player=0)
    env.reset()
    env.step(0)
    with pytest.raises(ResetNeeded, match="the episode is over"):
        env.step(0)
