"""alpha-zero-general on Dots and Boxes 3x3, for `learning_speed.py`: trains, or plays a checkpoint.

Its Coach, MCTS, Arena and game are used unchanged, with the settings of its own `main-dotsandboxes.py` but the
simulations. It has a Keras network of four layers for this game; here stands one of two, in PyTorch, which
learns as its PyTorch wrapper for Othello does and reads the points as its own for this game does. One process,
by its design. Its backups of examples are left out, which cost it time and disk.
"""

import argparse
import json
import os
import pathlib
import random
import sys

import numpy as np
import torch
from torch import nn
from torch.nn import functional

SETTINGS = {
    "numIters": 1_000_000,
    "tempThreshold": 15,
    "updateThreshold": 0.6,
    "maxlenOfQueue": 200_000,
    "arenaCompare": 40,
    "cpuct": 1,
    "numItersForTrainExamplesHistory": 20,
}
EPOCHS, BATCH, LEARNING_RATE = 10, 64, 1e-3


class Mlp(nn.Module):
    def __init__(self, n_inputs, width, n_actions):
        super().__init__()
        self.first, self.second = nn.Linear(n_inputs, width), nn.Linear(width, width)
        self.policy, self.value = nn.Linear(width, n_actions), nn.Linear(width, 1)

    def forward(self, boards):
        hidden = functional.relu(self.second(functional.relu(self.first(boards.flatten(1)))))
        return functional.log_softmax(self.policy(hidden), dim=1), torch.tanh(self.value(hidden)).flatten()


def with_normalized_points(boards):
    """The lead in 0..=1 in place of the first player's points, as its Keras wrapper has it."""
    boards = np.array(boards, dtype=np.float32)
    n_boxes = (boards.shape[-1] - 1) ** 2
    boards[:, 0, -1] = (boards[:, 0, -1] - boards[:, 1, -1] + n_boxes) / (2 * n_boxes)
    boards[:, 1, -1] = 0
    return torch.from_numpy(boards)


def network_class(width):
    """What its Coach expects: a class that a game makes a network of."""
    from NeuralNet import NeuralNet

    class Network(NeuralNet):
        def __init__(self, game):
            rows, columns = game.getBoardSize()
            self.network = Mlp(rows * columns, width, game.getActionSize())

        def train(self, examples):
            boards, policies, values = zip(*examples)
            boards = with_normalized_points(boards)
            policies, values = (
                torch.tensor(np.array(one), dtype=torch.float32) for one in (policies, values)
            )
            optimizer = torch.optim.Adam(self.network.parameters(), lr=LEARNING_RATE)
            self.network.train()
            for _ in range(EPOCHS * (len(examples) // BATCH)):
                drawn = torch.randint(len(examples), (BATCH,))
                log_policy, value = self.network(boards[drawn])
                loss = -(policies[drawn] * log_policy).sum() / BATCH + ((values[drawn] - value) ** 2).mean()
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()

        def predict(self, board):
            self.network.eval()
            with torch.inference_mode():
                log_policy, value = self.network(with_normalized_points(board[np.newaxis]))
            return log_policy.exp().numpy()[0], value.numpy()[0]

        def save_checkpoint(self, folder, filename):
            os.makedirs(folder, exist_ok=True)
            # Renamed when whole, since training ends at any instant.
            unfinished = os.path.join(folder, "unfinished")
            torch.save(self.network.state_dict(), unfinished)
            os.replace(unfinished, os.path.join(folder, filename))

        def load_checkpoint(self, folder, filename):
            self.network.load_state_dict(torch.load(os.path.join(folder, filename)))

    return Network


def load_game():
    from dotsandboxes.DotsAndBoxesGame import DotsAndBoxesGame

    class Game(DotsAndBoxesGame):
        def stringRepresentation(self, board):
            return board.tobytes()  # `tostring`, as it has it, is gone from NumPy

    return Game(3)


def train(options, settings):
    from Coach import Coach

    game = load_game()
    coach = Coach(game, network_class(options.width)(game), settings)
    coach.pnet = network_class(options.width)(game)
    coach.saveTrainExamples = lambda iteration: None
    coach.learn()


def play(options, settings):
    """Answers positions, with a new tree for each. Its action ids are ours; a pass after each box is its own."""
    from MCTS import MCTS

    game = load_game()
    network = network_class(options.width)(game)
    network.load_checkpoint(settings.checkpoint, f"checkpoint_{options.checkpoint}.pth.tar")
    a_pass = game.getActionSize() - 1
    for line in sys.stdin:
        board, player = game.getInitBoard(), 1
        for action in line.split():
            board, player = game.getNextState(board, player, int(action))
            if game.getValidMoves(board, player)[a_pass]:
                board, player = game.getNextState(board, player, a_pass)
        policy = MCTS(game, network, settings).getActionProb(game.getCanonicalForm(board, player), temp=0)
        print(json.dumps({"action": int(np.argmax(policy)), "player": 0 if player == 1 else 1}), flush=True)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("task", choices=["train", "play"])
    parser.add_argument("--repository", required=True, help="a checkout of alpha-zero-general")
    parser.add_argument("--run", required=True, type=pathlib.Path, help="folder of the run")
    parser.add_argument("--checkpoint", type=int)
    parser.add_argument(
        "--games", type=int, default=25, help="games of an iteration; 25 as in its own script"
    )
    parser.add_argument("--sims", type=int, required=True)
    parser.add_argument("--width", type=int, required=True)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    sys.path.insert(0, options.repository)
    from utils import dotdict

    for seed in (random.seed, np.random.seed, torch.manual_seed):
        seed(options.seed)
    torch.set_num_threads(1)  # more are slower with so small a network
    own = {"numEps": options.games, "numMCTSSims": options.sims, "checkpoint": str(options.run)}
    settings = dotdict(SETTINGS | own)
    (train if options.task == "train" else play)(options, settings)


if __name__ == "__main__":
    main()
