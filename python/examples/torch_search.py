"""A network of PyTorch behind Tablero's tree search: two steps of AlphaZero on a small board.

``pip install tablero torch``, then ``python torch_search.py [SPEC] [ROUNDS]``.

The network plays a group of games against itself, all their leaves in one batch; it learns the search's policies
and the results; in the end it plays against a player that draws its moves.
"""

import sys

import numpy as np
import tablero
import torch
from torch import nn

GAMES, SIMS = 64, 40


class Net(nn.Module):
    def __init__(self, game):
        super().__init__()
        size = int(np.prod(game.observation_shape))
        self.body = nn.Sequential(
            nn.Flatten(), nn.Linear(size, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU()
        )
        self.policy = nn.Linear(128, game.n_actions)
        self.wdl = nn.Linear(128, 3)

    def forward(self, observations):
        hidden = self.body(observations)
        return self.policy(hidden), self.wdl(hidden)

    @torch.inference_mode()
    def evaluate(self, observations):
        """What `tablero.search` asks: logits of all actions, probabilities of win, draw and loss."""
        logits, wdl = self(torch.from_numpy(observations))
        return logits, wdl.softmax(1)


def self_play(game, net, rng):
    """Observations, policies and results of one game for each place in the group."""
    states = [game.initial() for _ in range(GAMES)]
    seen = []
    while running := [index for index, state in enumerate(states) if not state.is_over]:
        group = [states[index] for index in running]
        found = tablero.search(group, net.evaluate, sims=SIMS, seed=int(rng.integers(2**63)), explore=True)
        for index, state, result in zip(running, group, found):
            seen.append((index, state.player_to_move, state.observation(), result["policy"]))
            chances = result["policy"].astype(float)
            state.play(int(rng.choice(game.n_actions, p=chances / chances.sum())))
    # Win, draw or loss of whoever was to move.
    results = [1 - states[index].returns[player] for index, player, _, _ in seen]
    observations, policies = (np.stack([it[place] for it in seen]) for place in (2, 3))
    return torch.from_numpy(observations), torch.from_numpy(policies), torch.tensor(results)


def learn(net, optimizer, observations, policies, results):
    for batch in torch.randperm(len(results)).repeat(4).split(128):
        logits, wdl = net(observations[batch])
        loss = nn.functional.cross_entropy(logits, policies[batch])
        loss = loss + nn.functional.cross_entropy(wdl, results[batch])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return float(loss.detach())


def score(game, net, rng, n_games=100):
    """The share of points against random moves, each side in half of the games."""
    states = [game.initial() for _ in range(n_games)]
    while running := [(index, state) for index, state in enumerate(states) if not state.is_over]:
        ours = [state for index, state in running if state.player_to_move == index % 2]
        for index, state in running:
            if state.player_to_move != index % 2:
                state.play(state.random_action(int(rng.integers(2**63))))
        for state, result in zip(ours, tablero.search(ours, net.evaluate, sims=SIMS)):
            state.play(result["action"])
    return np.mean([(1 + state.returns[index % 2]) / 2 for index, state in enumerate(states)])


def main():
    spec = sys.argv[1] if len(sys.argv) > 1 else "dots-and-boxes:2x2"
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    # Such a small network is faster without more.
    torch.set_num_threads(1)
    torch.manual_seed(1)
    rng = np.random.default_rng(1)
    game = tablero.Game(spec)
    net = Net(game)
    optimizer = torch.optim.Adam(net.parameters(), lr=2e-3)
    for number in range(rounds):
        loss = learn(net, optimizer, *self_play(game, net, rng))
        print(f"round {number + 1}: loss {loss:.2f}", flush=True)
    print(f"against random: {score(game, net, rng):.0%}")


if __name__ == "__main__":
    main()
