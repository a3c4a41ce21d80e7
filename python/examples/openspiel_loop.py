"""A game of Tablero in a loop as OpenSpiel's users write it, against OpenSpiel's own MCTS.

    pip install open_spiel
    python python/examples/openspiel_loop.py dots-and-boxes:3x3 minimax:depth=4

Bots and algorithms that only call methods of a state (legal_actions, apply_action, clone, returns …) work on
the adapter below.
"""

import sys
from types import SimpleNamespace

import numpy as np
import pyspiel
import tablero
from open_spiel.python.algorithms import mcts

#: OpenSpiel's name for a game that is over.
TERMINAL = -4


class State:
    """A position under the names of OpenSpiel."""

    def __init__(self, position):
        self._position = position

    def current_player(self):
        return TERMINAL if self._position.is_over else self._position.player_to_move

    def is_terminal(self):
        return self._position.is_over

    def is_chance_node(self):
        return False

    def legal_actions(self, player=None):
        return self._position.legal_actions() if player in (None, self.current_player()) else []

    def apply_action(self, action):
        self._position.play(int(action))

    def clone(self):
        return State(self._position.clone())

    def returns(self):
        return list(self._position.returns or (0, 0))

    def observation_tensor(self, player=None):
        return self._position.observation().ravel()

    def action_to_string(self, player, action):
        return self._position.action_text(int(action))

    def __str__(self):
        return str(self._position)


class Game:
    """What OpenSpiel's MCTS asks of a game."""

    def __init__(self, spec):
        self._game = tablero.Game(spec)

    def get_type(self):
        return SimpleNamespace(
            reward_model=pyspiel.GameType.RewardModel.TERMINAL,
            dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        )

    def new_initial_state(self):
        return State(self._game.initial())

    def num_distinct_actions(self):
        return self._game.n_actions

    def num_players(self):
        return 2

    def max_utility(self):
        return 1.0


class Bot:
    """One of Tablero's players as a bot of OpenSpiel."""

    def __init__(self, spec, player):
        self._player = tablero.Player(spec, player)

    def step(self, state):
        return self._player.choose(state._position)


def play(game, bots, rng, random_plies=2):
    """A game from a random opening; the returns of both players."""
    state = game.new_initial_state()
    for _ in range(random_plies):
        state.apply_action(rng.choice(state.legal_actions()))
    while not state.is_terminal():
        state.apply_action(bots[state.current_player()].step(state))
    return state.returns()


def main():
    spec, player = sys.argv[1:3]
    n_games = int(sys.argv[3]) if len(sys.argv) > 3 else 10
    game, rng = Game(spec), np.random.RandomState(1)
    ours = Bot(spec, player)
    theirs = mcts.MCTSBot(
        game,
        uct_c=2,
        max_simulations=100,
        evaluator=mcts.RandomRolloutEvaluator(n_rollouts=1, random_state=rng),
        solve=True,
        random_state=rng,
    )
    score = 0.0
    for index in range(n_games):
        seat = index % 2
        bots = [ours, theirs] if seat == 0 else [theirs, ours]
        score += (1 + play(game, bots, rng)[seat]) / 2
    print(f"{player} scored {score / n_games:.1%} of {n_games} games against OpenSpiel's MCTS")


if __name__ == "__main__":
    main()
