"""Sets our leaf evaluation beside onnxruntime: same weights, one thread each, in turns in one run.

The networks are built here as ONNX from the weights that our program writes, batch norm as a node of
its own, which onnxruntime folds as it likes. First both must say the same of the same observations; then
each is timed for a moment, in turns, and the medians of the turns are compared. Times are processor
time of the evaluating thread.

Exit code 1 if a ratio is below its bar, or the answers differ.

Needs onnxruntime; see README.md.

Example:
    cargo build --release -p tablero-models --example speed
    venv/bin/python tests/outside/leaf_onnxruntime.py --ours target/release/examples/speed
"""

import pathlib
import statistics
import tempfile
import time

import numpy as np
import onnx
import onnxruntime
from network_speed import NETWORKS, Ours, parse_options
from onnx import TensorProto, helper, numpy_helper
from safetensors.numpy import load_file

BATCHES = [1, 8, 32, 128]


def bar_of(blocks):
    """The least ratio to onnxruntime."""
    return 1.0 if blocks is None else 0.9


class Graph:
    """An ONNX graph in the making."""

    def __init__(self, weights):
        self.weights = weights
        self.nodes = []
        self.initializers = []
        # Floating-point operations of a position: two for each weight of a dense layer, and for each weight
        # and cell of a convolution.
        self.flops = 0

    def constant(self, name, array):
        self.initializers.append(numpy_helper.from_array(array, name))
        return name

    def node(self, kind, inputs, output, **attributes):
        self.nodes.append(helper.make_node(kind, inputs, [output], **attributes))
        return output

    def relu(self, x):
        return self.node("Relu", [x], f"{x}.relu")

    def dense(self, name, x):
        weight = self.weights[f"{name}.weight"]
        self.flops += 2 * weight.size
        inputs = [x] + [
            self.constant(f"{name}.{part}", self.weights[f"{name}.{part}"]) for part in ("weight", "bias")
        ]
        return self.node("Gemm", inputs, name)

    def convolution(self, name, x, n_cells, bias=False):
        weight = self.weights[f"{name}.weight"]
        self.flops += 2 * weight.size * n_cells
        inputs = [x, self.constant(f"{name}.weight", weight)]
        if bias:
            inputs.append(self.constant(f"{name}.bias", self.weights[f"{name}.bias"]))
        padding = weight.shape[2] // 2
        return self.node("Conv", inputs, name, kernel_shape=weight.shape[2:], pads=4 * [padding])

    def normed(self, name, x, n_cells):
        x = self.convolution(f"{name}.convolution", x, n_cells)
        parts = ["gamma", "beta", "running_mean", "running_var"]
        norm = [self.constant(f"{name}.norm.{part}", self.weights[f"{name}.norm.{part}"]) for part in parts]
        return self.node("BatchNormalization", [x, *norm], f"{name}.norm", epsilon=1e-5)


def build(weights, observation, blocks):
    """The network as ONNX: policy and wdl from observations. And the operations a position."""
    graph = Graph(weights)
    n_cells = observation[1] * observation[2]
    if blocks is None:
        x = graph.node("Flatten", ["observations"], "flat")
        for index in range(len([name for name in weights if name.startswith("hidden.")]) // 2):
            x = graph.relu(graph.dense(f"hidden.{index}", x))
        policy, value = graph.dense("policy", x), x
    else:
        x = graph.relu(graph.normed("stem", "observations", n_cells))
        for block in range(blocks):
            change = graph.relu(graph.normed(f"blocks.{block}.first", x, n_cells))
            change = graph.normed(f"blocks.{block}.second", change, n_cells)
            x = graph.relu(graph.node("Add", [x, change], f"blocks.{block}"))
        policy = graph.relu(graph.normed("policy_hidden", x, n_cells))
        policy = graph.convolution("policy", policy, n_cells, bias=True)
        policy = graph.node("Flatten", [policy], "policy_flat")
        value = graph.relu(graph.normed("value_cells", x, n_cells))
        value = graph.node("Flatten", [value], "value_flat")
        value = graph.relu(graph.dense("value_hidden", value))
    wdl = graph.dense("wdl", value)
    inputs = [helper.make_tensor_value_info("observations", TensorProto.FLOAT, ["batch", *observation])]
    outputs = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, ["batch", f"{name}s"])
        for name in (policy, wdl)
    ]
    model = helper.make_model(
        helper.make_graph(graph.nodes, "network", inputs, outputs, graph.initializers),
        opset_imports=[helper.make_opsetid("", 18)],
        ir_version=10,
    )
    onnx.checker.check_model(model)
    return model.SerializeToString(), graph.flops


def session(model, n_threads=1):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = n_threads
    options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def check(theirs, directory, name, observation):
    """The largest difference of the two on the same observations."""

    def read(ending):
        return np.fromfile(directory / f"{name}.{ending}", dtype=np.float32)

    observations = read("observations").reshape(-1, *observation)
    ours = read("logits").reshape(len(observations), -1)
    both = np.concatenate(theirs.run(None, {"observations": observations}), axis=1)
    return np.max(np.abs(ours - both) / (1 + np.abs(both)))


def rate(theirs, observation, batch, seconds):
    """onnxruntime's positions a second of processor time."""
    rng = np.random.default_rng(1)
    inputs = {"observations": rng.integers(0, 2, (batch, *observation)).astype(np.float32)}
    theirs.run(None, inputs)
    start, cpu, calls = time.monotonic(), time.thread_time(), 0
    while time.monotonic() - start < seconds:
        theirs.run(None, inputs)
        calls += 1
    return calls * batch / (time.thread_time() - cpu)


def main():
    options = parse_options(__doc__, 0.5)
    ours = Ours(options.ours, "leaf")
    peak = float(ours.ask("peak", 1))
    print(f"onnxruntime {onnxruntime.__version__}; f32 peak of a thread {peak / 1e9:.0f} GFLOP/s")
    print(f"{'network':22} {'batch':>5} {'ours/s':>9} {'theirs/s':>9} {'ratio':>6} {'of peak':>7}")
    is_good = True
    with tempfile.TemporaryDirectory() as directory:
        directory = pathlib.Path(directory)
        ours.ask("write", directory)
        for name, observation, blocks in NETWORKS:
            if options.networks not in name:
                continue
            model, flops = build(load_file(directory / f"{name}.safetensors"), observation, blocks)
            theirs = session(model)
            difference = check(theirs, directory, name, observation)
            is_good &= bool(difference < 1e-4)
            for batch in BATCHES:
                arguments = (batch, options.seconds)
                rates = [
                    (float(ours.ask("time", name, *arguments)), rate(theirs, observation, *arguments))
                    for _ in range(options.turns)
                ]
                us, them = (statistics.median(side) for side in zip(*rates))
                is_good &= us >= bar_of(blocks) * them
                print(f"{name:22} {batch:5} {us:9.0f} {them:9.0f} {us / them:6.2f} {us * flops / peak:7.1%}")
            one, two = (float(ours.ask("workers", name, 8, 2, n)) for n in (1, 2))
            print(f"{name:22} two workers do {two / one:.2f} times one; largest difference {difference:.1e}")
    raise SystemExit(0 if is_good else 1)


if __name__ == "__main__":
    main()
