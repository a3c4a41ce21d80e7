"""Tree search with an evaluator of Python."""

import numpy as np
import pytest
import tablero


def uniform(n_actions):
    def evaluate(observations):
        assert observations.dtype == np.float32
        n = len(observations)
        return np.zeros((n, n_actions)), np.zeros(n)

    return evaluate


def positions(spec, n):
    states = []
    for index in range(n):
        state = tablero.Game(spec).initial()
        for seed in range(index):
            state.play(state.random_action(seed))
        states.append(state)
    return states


def test_a_policy_as_an_evaluator_searches_as_the_policy_does(planes_policy):
    policy = planes_policy
    game = tablero.Game("queens:8")
    # In this game an action is its own slot, so that all logits can be asked for.
    assert game.policy_shape == (1, 8, 8)
    state = game.initial()
    assert state.policy_slots() == state.legal_actions()

    def evaluate(observations):
        slots = np.tile(np.arange(64), (len(observations), 1))
        logits, wdl, _ = policy.logits(observations, slots)
        wdl = np.exp(wdl - wdl.max(axis=1, keepdims=True))
        return logits, wdl / wdl.sum(axis=1, keepdims=True)

    config = {name: policy.manifest["search"][name] for name in ("root", "c_puct")}
    for state in positions("queens:8", 4):
        (ours,) = tablero.search([state], evaluate, sims=60, **config)
        theirs = policy.search(state, sims=60, analyser_nodes=0)
        assert ours["action"] == theirs["action"]
        assert ours["value"] == pytest.approx(theirs["value"], abs=0.02)
        assert set(theirs) < set(ours)


@pytest.mark.parametrize("spec", ["dots-and-boxes:3x3", "xadrersi", "hive:base+mlp"])
@pytest.mark.parametrize("options", [{}, {"root": "gumbel"}, {"explore": True}])
def test_leaves_of_all_states_are_evaluated_together(spec, options):
    game = tablero.Game(spec)
    sizes = []

    def evaluate(observations):
        sizes.append(observations.shape)
        # A function of what it sees.
        sums = observations.sum(axis=(1, 2, 3))
        logits = np.sin(sums[:, None] * np.arange(1, game.n_actions + 1))
        return logits, np.sin(sums)[:, None]

    states = positions(spec, 5)
    before = [str(state) for state in states]
    found = tablero.search(states, evaluate, sims=50, seed=3, **options)
    assert sizes[0] == (5, *game.observation_shape) and max(size[0] for size in sizes) == 5
    assert 25 <= len(sizes) <= 50
    assert before == [str(state) for state in states]
    again = tablero.search(states, evaluate, sims=50, seed=3, **options)
    for state, result, other in zip(states, found, again):
        policy = result.pop("policy")
        assert np.array_equal(policy, other.pop("policy")) and result == other
        assert policy.shape == (game.n_actions,) and policy.sum() == pytest.approx(1, abs=1e-5)
        assert set(np.flatnonzero(policy)) <= set(state.legal_actions())
        assert result["action"] in state.legal_actions()
        assert sum(move["visits"] for move in result["moves"]) == result["nodes"] - 1
        assert -1 <= result["value"] <= 1


def test_what_is_in_a_batch_changes_no_search():
    states = positions("dots-and-boxes:3x3", 3)
    evaluate = uniform(24)
    together = tablero.search(states, evaluate, sims=40)
    (alone,) = tablero.search(states[:1], evaluate, sims=40)
    assert together[0]["moves"] == alone["moves"]


def test_search_finds_a_win_with_an_evaluator_that_knows_nothing():
    state = tablero.Game("dots-and-boxes:2x2").initial()
    for seed in range(6):
        state.play(state.random_action(seed))
    (found,) = tablero.search([state], uniform(12), sims=3000)
    assert found["proven"] == tablero.solve(state)["proven"]
    assert tablero.search([], uniform(12)) == []


def test_wrong_states_and_answers_are_told():
    state = tablero.Game("queens:6").initial()
    other = tablero.Game("queens:8").initial()
    with pytest.raises(ValueError, match="expected a state of queens:6, got one of queens:8"):
        tablero.search([state, other], uniform(36))
    over = state.clone()
    while not over.is_over:
        over.play(over.random_action(1))
    with pytest.raises(ValueError, match="the game is over"):
        tablero.search([state, over], uniform(36))
    with pytest.raises(ValueError, match='unknown option "simz"'):
        tablero.search([state], uniform(36), simz=3)
    with pytest.raises(ValueError, match="analyser_nodes"):
        tablero.search([state], uniform(36), analyser_nodes=3)
    ones = np.ones((1, 36))
    for answer, error, text in (
        (ones, TypeError, "a pair of arrays"),
        (None, TypeError, "a pair of arrays"),
        ((ones[:, :5], np.zeros(1)), ValueError, r"logits: expected the shape \[1, 36\], got \[1, 5\]"),
        ((ones, np.zeros(2)), ValueError, r"a value of the shape \[1\], got \[2\]"),
        ((ones, np.array([2.0])), ValueError, "value: expected numbers in -1..=1, got 2"),
        ((ones, np.array([np.nan])), ValueError, "got NaN"),
        ((ones, np.array([[3.0, 0.0, -1.0]])), ValueError, "probabilities of win, draw and loss"),
        ((ones * np.nan, np.zeros(1)), ValueError, "logits: expected a finite number"),
    ):
        with pytest.raises(error, match=text):
            tablero.search([state], lambda observations, answer=answer: answer)

    def fails(observations):
        raise KeyError("my own")

    with pytest.raises(KeyError, match="my own"):
        tablero.search([state], fails)


class Tensor:
    """What a tensor of PyTorch has, one with a gradient: NumPy reads it only once it is detached."""

    def __init__(self, values, is_detached=False):
        self.values, self.is_detached = values, is_detached

    def detach(self):
        return Tensor(self.values, is_detached=True)

    def cpu(self):
        return self

    def __array__(self, dtype=None, copy=None):
        assert self.is_detached
        return np.asarray(self.values, dtype=dtype)


def test_tensors_are_taken():
    state = tablero.Game("queens:6").initial()
    plain = tablero.search([state], uniform(36), sims=20)
    tensors = tablero.search([state], lambda it: tuple(map(Tensor, uniform(36)(it))), sims=20)
    assert plain[0]["moves"] == tensors[0]["moves"]
