"""Sets our training step of a small sparse network beside PyTorch's EmbeddingBag: same weights and batch, in one run.

A step is forward, cross-entropy of policy and result, backward, clipping and AdamW, with 512 positions of random
games. First both must have the same losses over some steps; then each is timed for a moment, in turns, and the medians
of the turns are compared. PyTorch is timed with gradients of whole tables, by AdamW, and with sparse gradients, by
SparseAdam and without clipping; the faster one counts. Ours keeps the moving average of weights, too. With one thread
times are processor time, else those of the clock: keep the machine idle.

Exit code 1 if ours is slower, or the losses differ.

Needs PyTorch; see README.md.

Example:
    cargo build --release -p tablero-models --example speed
    venv/bin/python tests/outside/sparse_training_pytorch.py --ours target/release/examples/speed
"""

import copy
import json
import pathlib
import statistics
import tempfile
import time

import numpy as np
import torch
from network_speed import Ours, options_parser
from safetensors.torch import load_file
from torch import nn
from torch.nn import functional
from training_step_pytorch import dense

NETWORKS = ["dots-and-boxes-5x5", "paper-soccer-8x10", "hive-base+mlp"]
N_COMPARED = 6
# The slope of the activation outside of 0..1, for gradients that lead back into it.
RETURN_SLOPE = 0.5


class Activation(torch.autograd.Function):
    """The square of values limited to 0..1."""

    @staticmethod
    def forward(context, x):
        limited = x.clamp(0, 1)
        context.save_for_backward(x)
        return limited * limited

    @staticmethod
    def backward(context, gradient):
        (x,) = context.saved_tensors
        returns = torch.where(x <= 0, gradient < 0, gradient > 0)
        inside = (x > 0) & (x < 1)
        return gradient * torch.where(inside, 2 * x, RETURN_SLOPE * returns)


def bag(weight, sparse):
    layer = nn.EmbeddingBag(*weight.shape, mode="sum", sparse=sparse, include_last_offset=True)
    layer.weight.data = weight.clone()
    return layer


class Sparse(nn.Module):
    def __init__(self, weights, sparse):
        super().__init__()
        self.features = bag(weights["features.weight"], sparse)
        self.bias = nn.Parameter(weights["features.bias"].clone())
        self.hidden = dense(weights, "hidden.0")
        self.actions = bag(weights["actions.weight"], sparse)
        self.wdl = dense(weights, "wdl")

    def forward(self, batch):
        values = Activation.apply(self.features(batch["features"], batch["ends"]) + self.bias)
        values = Activation.apply(self.hidden(values))
        actions = self.actions(batch["action_features"], batch["action_ends"])
        actions = actions.view(len(values), -1, values.shape[1])
        policy = torch.bmm(actions, values.unsqueeze(2)).squeeze(2) + batch["padding"]
        return policy, self.wdl(values)


def read_batch(path):
    found = json.loads(path.read_text())
    n_actions = found["n_actions"]
    n_legal = torch.tensor(found["n_legal"])
    n_positions = len(n_legal)
    return {
        "features": torch.tensor(found["features"]),
        "ends": torch.tensor([0, *found["ends"]]),
        "action_features": torch.tensor(found["action_features"]),
        "action_ends": torch.tensor([0, *found["action_ends"]]),
        "padding": torch.where(torch.arange(n_actions) < n_legal[:, None], 0.0, -1e9),
        "policy": torch.tensor(found["policy"]).view(n_positions, n_actions),
        "wdl": torch.tensor(found["wdl"]).view(n_positions, 3),
    }


class Theirs:
    """A network of PyTorch's in training."""

    def __init__(self, weights, batch, sparse):
        self.batch, self.sparse = batch, sparse
        self.network = Sparse(weights, sparse)
        tables = [self.network.features.weight, self.network.actions.weight]
        matrices = [self.network.hidden.weight, self.network.wdl.weight]
        biases = [self.network.bias, self.network.hidden.bias, self.network.wdl.bias]
        decaying = matrices if sparse else matrices + tables
        self.optimizers = [
            torch.optim.AdamW(
                [{"params": decaying, "weight_decay": 1e-4}, {"params": biases, "weight_decay": 0.0}], lr=1e-3
            )
        ]
        if sparse:
            self.optimizers.append(torch.optim.SparseAdam(tables, lr=1e-3))

    def step(self):
        """One step; the loss before it."""
        policy, wdl = self.network(self.batch)
        loss = functional.cross_entropy(policy, self.batch["policy"]) + functional.cross_entropy(
            wdl, self.batch["wdl"]
        )
        self.network.zero_grad(set_to_none=True)
        loss.backward()
        if not self.sparse:
            nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        for optimizer in self.optimizers:
            optimizer.step()
        return loss.item()

    def rate(self, seconds, threads):
        """Positions a second."""
        self.step()
        clock = time.process_time if threads == 1 else time.monotonic
        start, before, steps = time.monotonic(), clock(), 0
        while steps == 0 or time.monotonic() - start < seconds:
            self.step()
            steps += 1
        return steps * len(self.batch["wdl"]) / (clock() - before)


def main():
    parser = options_parser(__doc__, 3)
    parser.add_argument("--threads", type=int, default=1, help="threads of each side (default 1)")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    ours = Ours(options.ours, "sparse-training")
    print(f"PyTorch {torch.__version__}, {options.threads} threads; positions a second")
    print(f"{'network':20} {'ours':>9} {'(dense':>9} {'sparse)':>9} {'ratio':>6} {'difference':>10}")
    is_good = True
    with tempfile.TemporaryDirectory() as directory:
        directory = pathlib.Path(directory)
        for name in NETWORKS:
            if options.networks not in name:
                continue
            ours.ask("write", directory, name)
            weights = load_file(directory / f"{name}.safetensors")
            batch = read_batch(directory / f"{name}.json")
            both = [Theirs(weights, batch, sparse) for sparse in (False, True)]
            compared = copy.deepcopy(both[0])
            expected = np.array([compared.step() for _ in range(N_COMPARED)])
            losses = np.array([float(word) for word in ours.ask("losses", name, N_COMPARED).split()])
            difference = np.max(np.abs(losses - expected) / np.abs(expected))
            is_good &= bool(difference < 1e-3)
            rates = [
                (
                    float(ours.ask("time", name, options.seconds, options.threads)),
                    *[one.rate(options.seconds, options.threads) for one in both],
                )
                for _ in range(options.turns)
            ]
            us, *them = (statistics.median(side) for side in zip(*rates))
            is_good &= us >= max(them)
            print(
                f"{name:20} {us:9,.0f} {them[0]:9,.0f} {them[1]:9,.0f} {us / max(them):6.2f} {difference:10.1e}"
            )
    raise SystemExit(0 if is_good else 1)


if __name__ == "__main__":
    main()
