"""Networks: by our evaluation, and as ONNX models by onnxruntime."""

import json

import numpy as np
import onnx
import onnxruntime
import pytest
import tablero
from conftest import random_states

#: As many positions as are compared.
N_POSITIONS = 1000
#: The largest difference allowed, of values of about 1.
TOLERANCE = 1e-5

TINY = """
game = "{game}"
rounds = 1
[network]
{network}
[search]
sims = 4
[self_play]
games = 20
random_plies = 4
temperature = 1.0
temperature_plies = 10
max_plies = 60
[learner]
batch_size = 32
samples_per_position = 2
"""

NETWORKS = {
    "dense": ("queens:6", 'kind = "mlp"\nhidden = [24, 16]'),
    "dense with pairs of places": ("hive:base", 'kind = "mlp"\nhidden = [4]'),
    "residual": ("xadrersi", 'kind = "residual"\nblocks = 1\nchannels = 8'),
    "residual with points": ("dots-and-boxes:3x4", 'kind = "residual"\nblocks = 2\nchannels = 16'),
}
SPARSE = {
    "dots-and-boxes:3x3": 'kind = "sparse"\nwidth = 32\nhidden = [16, 8]',
    "hive:base+mlp": 'kind = "sparse"\nwidth = 16\nhidden = [8]',
}
#: The largest difference of a probability in integers of 16 bits from one in floats, where logits are within 0.05
#: (models/src/leaf/sparse/tests.rs): a quarter of the difference of two such errors.
INTEGER_TOLERANCE = 0.025
ZOO = [
    "dots-and-boxes:3x3",
    "dots-and-boxes:5x5",
    "queens:8",
    "paper-soccer:8x10",
    "hive:base",
    "hive:base+mlp",
    "xadrersi",
]


@pytest.fixture(scope="module", params=NETWORKS)
def policy(request, tmp_path_factory):
    game, network = NETWORKS[request.param]
    run = tmp_path_factory.mktemp("training") / "run"
    tablero.train(TINY.format(game=game, network=network), run, threads=1)
    return tablero.Policy.load(str(run))


def positions(policy):
    """Observations, policy slots (short rows filled up with 0) and how many of them count."""
    game = tablero.Game(policy.game)
    states = []
    for state in random_states(game, 400, seed=9):
        states.append(state)
        if len(states) == N_POSITIONS:
            break
    observations = np.stack([state.observation() for state in states])
    lists = [state.policy_slots() for state in states]
    lengths = np.array([len(slots) for slots in lists])
    slots = np.zeros((len(states), lengths.max()), dtype=np.int64)
    for row, values in zip(slots, lists):
        row[: len(values)] = values
    return observations, slots, lengths


def close(got, expected, what, scale=None):
    difference = np.abs(got - expected) / (1 + np.abs(expected if scale is None else scale))
    assert difference.max() <= TOLERANCE, f"{what}: {difference.max()}"


def test_onnxruntime_says_the_same(policy, tmp_path):
    policy.save(tmp_path / "policy", format="onnx")
    file = tmp_path / "policy" / "policy.onnx"
    model = onnx.load(file)
    onnx.checker.check_model(model, full_check=True)
    metadata = {entry.key: entry.value for entry in model.metadata_props}
    assert metadata["game"] == policy.game
    assert json.loads(metadata["tablero"]) == policy.manifest
    document = json.loads((tmp_path / "policy" / "policy.json").read_text())
    assert document["planes"] == tablero.Game(policy.game).planes

    session = onnxruntime.InferenceSession(file, providers=["CPUExecutionProvider"])
    observations, slots, lengths = positions(policy)
    names = [tensor.name for tensor in session.get_outputs()]
    policy_logits, wdl, points = policy.logits(observations, slots)
    counts = np.arange(slots.shape[1]) < lengths[:, None]
    # In batches of two sizes: the axis is free.
    for rows in (slice(0, 1), slice(1, None)):
        outputs = dict(zip(names, session.run(None, {"observation": observations[rows]})))
        logits = np.take_along_axis(outputs["policy_logits"], slots[rows], axis=1)
        close(logits[counts[rows]], policy_logits[rows][counts[rows]], "policy")
        close(outputs["wdl_logits"], wdl[rows], "wdl")
        assert ("points_lead" in outputs) == (points is not None)
        if points is not None:
            close(outputs["points_lead"], points[rows], "points")


def test_weights_come_back_from_both_formats(policy, tmp_path):
    for format in ("onnx", "safetensors"):
        policy.save(tmp_path / format, format=format)
    observations, slots, _ = positions(policy)
    expected = policy.logits(observations[:20], slots[:20])
    for format in ("onnx", "safetensors"):
        back = tablero.Policy.load(str(tmp_path / format))
        assert back.manifest == policy.manifest
        for got, values in zip(back.logits(observations[:20], slots[:20]), expected):
            assert (got is None) == (values is None)
            if got is not None:
                np.testing.assert_array_equal(got, values)


def test_shapes_and_slots_are_checked(planes_policy):
    policy = planes_policy
    game = tablero.Game("queens:8")
    observations = np.zeros((2, *game.observation_shape), dtype=np.float32)
    with pytest.raises(ValueError, match="expected observations"):
        policy.logits(observations[:, :1], np.zeros((2, 1), dtype=np.int64))
    with pytest.raises(ValueError, match="expected slots from 0 to 63, got 64"):
        policy.logits(observations, np.full((2, 1), 64))
    with pytest.raises(ValueError, match="there is no folder nowhere"):
        tablero.Policy.load("nowhere")
    with pytest.raises(ValueError, match="expected safetensors or onnx"):
        policy.save("there", format="pickle")


def test_positions_are_evaluated_and_searched(policy):
    states = [state for _, state in zip(range(40), random_states(tablero.Game(policy.game), 40, seed=4))]
    priors, wdl, points = policy.evaluate(states)
    assert [len(row) for row in priors] == [len(state.legal_actions()) for state in states]
    assert all(np.isclose(row.sum(), 1, atol=1e-5) for row in priors)
    assert wdl.shape == (40, 3) and np.allclose(wdl.sum(axis=1), 1, atol=1e-5)
    assert (points is not None) == tablero.Game(policy.game).has_points
    # Whatever else is in the batch.
    alone, alone_wdl, _ = policy.evaluate(states[7:8])
    assert np.array_equal(alone[0], priors[7]) and np.array_equal(alone_wdl[0], wdl[7])
    found = policy.search(states[7], sims=20, seed=3)
    assert found == policy.search(states[7], sims=20, seed=3)
    assert found["action"] in states[7].legal_actions()
    assert [move["action"] for move in found["moves"] if move["prior"] is None] == []
    assert policy.search(states[7], sims=20, root="gumbel")["action"] in states[7].legal_actions()
    with pytest.raises(ValueError, match='unknown option "simz"'):
        policy.search(states[7], simz=20)
    with pytest.raises(ValueError, match="c_puct"):
        policy.search(states[7], c_puct=-1)


def test_finished_and_foreign_positions_are_refused():
    policy = tablero.Policy.load("zoo:queens:8")
    state = tablero.Game("queens:8").initial()
    while not state.is_over:
        state.play(state.random_action(1))
    for ask in (lambda state: policy.evaluate([state]), policy.search):
        with pytest.raises(ValueError, match="the game is over"):
            ask(state)
        with pytest.raises(ValueError, match="expected a state of queens:8, got one of queens:6"):
            ask(tablero.Game("queens:6").initial())


@pytest.fixture(scope="module", params=[*SPARSE, *(f"zoo:{game}" for game in ZOO)], ids=str)
def sparse_policy(request, tmp_path_factory):
    if request.param.startswith("zoo:"):
        return tablero.Policy.load(request.param)
    game, network = request.param, SPARSE[request.param]
    run = tmp_path_factory.mktemp("training") / "run"
    tablero.train(TINY.format(game=game, network=network), run, threads=1)
    return tablero.Policy.load(str(run))


def padded(lists):
    """Lists of numbers as rows, filled up with -1."""
    rows = np.full((len(lists), max(map(len, lists))), -1, dtype=np.int64)
    for row, values in zip(rows, lists):
        row[: len(values)] = values
    return rows


def read_safetensors(file):
    """The tensors of a file of floats of 16 or 32 bits, by numpy alone."""
    data = file.read_bytes()
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + length])
    header.pop("__metadata__", None)
    body = data[8 + length :]
    types = {"F16": np.float16, "F32": np.float32}
    return {
        name: np.frombuffer(body[slice(*entry["data_offsets"])], types[entry["dtype"]]).reshape(
            entry["shape"]
        )
        for name, entry in header.items()
    }


def forward(weights, features, actions):
    """A sparse network of one position: logits of actions, of win, draw and loss, and the lead or None."""

    def act(values):
        return np.clip(values, 0, 1) ** 2

    hidden = act(weights["features.bias"] + weights["features.weight"][features].sum(axis=0))
    for layer in range(sum(name.startswith("hidden.") for name in weights) // 2):
        hidden = act(hidden @ weights[f"hidden.{layer}.weight"] + weights[f"hidden.{layer}.bias"])
    logits = [weights["actions.weight"][action].sum(axis=0) @ hidden for action in actions]
    wdl = hidden @ weights["wdl.weight"] + weights["wdl.bias"]
    if "points.weight" not in weights:
        return logits, wdl, None
    return logits, wdl, (hidden @ weights["points.weight"] + weights["points.bias"])[0]


def in_integers(weights, most_active_of_action):
    """The same in the arithmetic of models/src/leaf/sparse, written anew: logits, and win, draw and loss."""

    def nearest(values):
        return np.trunc(values + np.copysign(0.5, values))

    def scaled(rows, largest_sum):
        one = 2.0**14
        while True:
            whole = nearest(rows * one)
            if np.abs(whole).max() < 2**15 and np.abs(whole).sum(axis=-1).max() <= largest_sum:
                return whole, one
            one /= 2

    def dense(layer):
        columns = [scaled(column, 2**17 - 1) for column in weights[f"{layer}.weight"].T]
        matrix = np.array([whole for whole, _ in columns])
        units = np.array([1 / one / 2**14 for _, one in columns], np.float32)
        bias = np.float32(weights[f"{layer}.bias"])
        return lambda values: np.float32(matrix @ values) * units + bias

    def activated(values):
        clamped = np.clip(values, 0, 1)
        return np.trunc(clamped * clamped * np.float32(2**14) + np.float32(0.5)).astype(np.float64)

    embeddings = nearest(weights["features.weight"] * 1024)
    bias = nearest(weights["features.bias"] * 1024)
    n_hidden = sum(name.startswith("hidden.") for name in weights) // 2
    layers = [dense(f"hidden.{index}") for index in range(n_hidden)]
    value = dense("wdl")
    rows, one = scaled(weights["actions.weight"], (2**17 - 1) // most_active_of_action)

    def forward(features, actions):
        # No sum of these networks leaves the 16 bits, so none saturates.
        hidden = np.clip(bias + embeddings[features].sum(axis=0), 0, 1024) ** 2 // 64
        for layer in layers:
            hidden = activated(layer(hidden))
        logits = [rows[action].sum(axis=0) @ hidden / one / 2**14 for action in actions]
        return logits, value(hidden)

    return forward


def softmax(logits):
    chances = np.exp(logits - np.max(logits))
    return chances / chances.sum()


def test_a_sparse_policy_is_the_same_in_numpy_onnxruntime_and_tablero(sparse_policy, tmp_path):
    policy = sparse_policy
    for format in ("onnx", "safetensors"):
        policy.save(tmp_path / format, format=format)
        assert tablero.Policy.load(str(tmp_path / format)).manifest == policy.manifest
    file = tmp_path / "onnx" / "policy.onnx"
    onnx.checker.check_model(onnx.load(file), full_check=True)
    session = onnxruntime.InferenceSession(file, providers=["CPUExecutionProvider"])
    names = [tensor.name for tensor in session.get_outputs()]
    weights = read_safetensors(tmp_path / "safetensors" / "weights.safetensors")
    # In 64 bits, so that one side rounds and not both.
    weights = {name: tensor.astype(np.float64) for name, tensor in weights.items()}
    shape = policy.manifest["shape"]["features"]
    whole = in_integers(weights, shape["most_active_of_action"])
    game = tablero.Game(policy.game)
    states = [state for _, state in zip(range(200), random_states(game, 60, seed=5))]
    priors, wdl, points = policy.evaluate(states)
    assert (points is not None) == game.has_points

    features = padded([state.features() for state in states])
    of_actions = [state.action_features() for state in states]
    n_moves = max(map(len, of_actions))
    n_features = max(len(action) for actions in of_actions for action in actions)
    action_features = np.full((len(states), n_moves, n_features), -1, dtype=np.int64)
    for rows, actions in zip(action_features, of_actions):
        for row, action in zip(rows, actions):
            row[: len(action)] = action
    inputs = {"features": features, "action_features": action_features}
    outputs = dict(zip(names, session.run(None, inputs)))
    for index, (state, actions) in enumerate(zip(states, of_actions)):
        assert len(actions) == len(state.legal_actions())
        logits, wdl_logits, lead = forward(weights, state.features(), actions)
        # A small logit is what is left of terms as large as the others': it is as exact as they are.
        close(
            outputs["policy_logits"][index][: len(actions)],
            np.array(logits),
            "policy",
            np.max(np.abs(logits)),
        )
        chances = softmax(outputs["policy_logits"][index][: len(actions)])
        assert np.abs(chances - softmax(logits)).max() <= TOLERANCE
        close(outputs["wdl_logits"][index], wdl_logits, "wdl")
        assert np.abs(softmax(logits) - priors[index]).max() < INTEGER_TOLERANCE
        assert np.abs(softmax(wdl_logits) - wdl[index]).max() < INTEGER_TOLERANCE
        logits, wdl_logits = whole(state.features(), actions)
        assert np.abs(softmax(logits) - priors[index]).max() < TOLERANCE
        assert np.abs(softmax(wdl_logits) - wdl[index]).max() < TOLERANCE
        if lead is not None:
            close(outputs["points_lead"][index], lead, "points")


def test_a_sparse_policy_reads_no_observations(sparse_policy):
    game = tablero.Game(sparse_policy.game)
    observations = np.zeros((1, *game.observation_shape), dtype=np.float32)
    with pytest.raises(ValueError, match="reads features, not observations"):
        sparse_policy.logits(observations, np.zeros((1, 1), dtype=np.int64))
    state = game.initial()
    assert sparse_policy.search(state, sims=20)["action"] in state.legal_actions()
