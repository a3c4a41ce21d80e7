"""Sets our training step beside PyTorch's: same network, weights and batch, one thread each, in turns in one run.

A step is forward, cross-entropy of policy and result, backward, clipping and AdamW, with 256 positions. First
both must have the same losses over some steps; then each is timed for a moment, in turns, and the medians of
the turns are compared. Times are processor time.

Exit code 1 if a ratio is below its bar, or the losses differ.

Needs PyTorch; see README.md.

Example:
    cargo build --release -p tablero-models --example speed
    venv/bin/python tests/outside/training_step_pytorch.py --ours target/release/examples/speed
"""

import copy
import pathlib
import statistics
import tempfile
import time

import numpy as np
import torch
from network_speed import NETWORKS, Ours, parse_options
from safetensors.torch import load_file
from torch import nn
from torch.nn import functional

BATCH = 256
N_COMPARED = 6


def dense(weights, name):
    weight = weights[f"{name}.weight"]
    layer = nn.Linear(*weight.shape)
    layer.weight.data = weight.T.contiguous()
    layer.bias.data = weights[f"{name}.bias"].clone()
    return layer


def convolution(weights, name, bias=False):
    weight = weights[f"{name}.weight"]
    n_outputs, n_inputs, side, _ = weight.shape
    layer = nn.Conv2d(n_inputs, n_outputs, side, padding=side // 2, bias=bias)
    layer.weight.data = weight.clone()
    if bias:
        layer.bias.data = weights[f"{name}.bias"].clone()
    return layer


class Normed(nn.Module):
    """A convolution and its batch norm."""

    def __init__(self, weights, name):
        super().__init__()
        self.convolution = convolution(weights, f"{name}.convolution")
        self.norm = nn.BatchNorm2d(self.convolution.out_channels)
        for ours, theirs in [
            ("gamma", "weight"),
            ("beta", "bias"),
            ("running_mean",) * 2,
            ("running_var",) * 2,
        ]:
            getattr(self.norm, theirs).data = weights[f"{name}.norm.{ours}"].clone()

    def forward(self, x):
        return self.norm(self.convolution(x))


class Mlp(nn.Module):
    def __init__(self, weights):
        super().__init__()
        self.hidden = nn.ModuleList([dense(weights, f"hidden.{index}") for index in range(2)])
        self.policy = dense(weights, "policy")
        self.wdl = dense(weights, "wdl")

    def forward(self, x):
        x = x.flatten(1)
        for layer in self.hidden:
            x = functional.relu(layer(x))
        return self.policy(x), self.wdl(x)


class Residual(nn.Module):
    def __init__(self, weights, blocks):
        super().__init__()
        self.stem = Normed(weights, "stem")
        halves = [
            [Normed(weights, f"blocks.{block}.{half}") for half in ("first", "second")]
            for block in range(blocks)
        ]
        self.first = nn.ModuleList([first for first, _ in halves])
        self.second = nn.ModuleList([second for _, second in halves])
        self.policy_hidden = Normed(weights, "policy_hidden")
        self.policy = convolution(weights, "policy", bias=True)
        self.value_cells = Normed(weights, "value_cells")
        self.value_hidden = dense(weights, "value_hidden")
        self.wdl = dense(weights, "wdl")

    def forward(self, x):
        x = functional.relu(self.stem(x))
        for first, second in zip(self.first, self.second):
            x = functional.relu(second(functional.relu(first(x))) + x)
        policy = self.policy(functional.relu(self.policy_hidden(x))).flatten(1)
        value = functional.relu(self.value_cells(x)).flatten(1)
        return policy, self.wdl(functional.relu(self.value_hidden(value)))


class Theirs:
    """A network of PyTorch's in training."""

    def __init__(self, directory, name, observation, blocks, channels_last):
        weights = load_file(directory / f"{name}.safetensors")

        def read(ending, *sizes):
            values = np.fromfile(directory / f"{name}.{ending}", dtype=np.float32)
            return torch.from_numpy(values).reshape(BATCH, *sizes)

        self.observations = read("observations", *observation)
        self.policy = read("policy", -1)
        self.wdl = read("wdl", -1)
        self.network = Mlp(weights) if blocks is None else Residual(weights, blocks)
        if channels_last:
            self.network = self.network.to(memory_format=torch.channels_last)
            self.observations = self.observations.contiguous(memory_format=torch.channels_last)
        self.network.train()
        matrices = [parameter for parameter in self.network.parameters() if parameter.dim() > 1]
        others = [parameter for parameter in self.network.parameters() if parameter.dim() == 1]
        self.optimizer = torch.optim.AdamW(
            [{"params": matrices, "weight_decay": 1e-4}, {"params": others, "weight_decay": 0.0}], lr=1e-3
        )

    def step(self):
        """One step; the loss before it."""
        policy, wdl = self.network(self.observations)
        loss = functional.cross_entropy(policy, self.policy) + functional.cross_entropy(wdl, self.wdl)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        self.optimizer.step()
        return loss.item()

    def rate(self, seconds):
        """Steps a second of processor time."""
        self.step()
        start, cpu, steps = time.monotonic(), time.process_time(), 0
        while steps == 0 or time.monotonic() - start < seconds:
            self.step()
            steps += 1
        return steps / (time.process_time() - cpu)


def main():
    options = parse_options(__doc__, 3)
    torch.set_num_threads(1)
    ours = Ours(options.ours, "training")
    print(f"PyTorch {torch.__version__}, one thread; steps a second of {BATCH} positions")
    print(
        f"{'network':22} {'ours':>8} {'theirs':>8} {'(planes':>8} {'cells)':>8} {'ratio':>6} {'difference':>10}"
    )
    is_good = True
    with tempfile.TemporaryDirectory() as directory:
        directory = pathlib.Path(directory)
        ours.ask("write", directory)
        for name, observation, blocks in NETWORKS:
            if options.networks not in name:
                continue
            # PyTorch's two forms of tensors; the faster one counts.
            both = [
                Theirs(directory, name, observation, blocks, last)
                for last in (False, True)[: 1 if blocks is None else 2]
            ]
            compared = copy.deepcopy(both[0])
            expected = np.array([compared.step() for _ in range(N_COMPARED)])
            losses = np.array([float(word) for word in ours.ask("losses", name, N_COMPARED).split()])
            difference = np.max(np.abs(losses - expected) / np.abs(expected))
            is_good &= bool(difference < 1e-3)
            rates = [
                (float(ours.ask("time", name, options.seconds)), *[one.rate(options.seconds) for one in both])
                for _ in range(options.turns)
            ]
            us, *them = (statistics.median(side) for side in zip(*rates))
            best = max(them)
            is_good &= us >= best
            forms = [f"{rate:8.2f}" for rate in them] + [""] * (2 - len(them))
            print(
                f"{name:22} {us:8.2f} {best:8.2f} {forms[0]:>8} {forms[1]:>8} {us / best:6.2f} {difference:10.1e}"
            )
    raise SystemExit(0 if is_good else 1)


if __name__ == "__main__":
    main()
