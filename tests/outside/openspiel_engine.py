"""OpenSpiel's C++ MCTSBot behind the line protocol of docs/engine.md: an opponent of `match.py` in Dots and Boxes.

One random rollout a simulation, proven results used (`solve`), a new tree for each move, as the bot is made. It
knows no time, so a move has as many simulations as fit by the processor time that one took before. An action of a
turn takes half of the time left, as our own engine's does.

Needs OpenSpiel; see README.md.

Example:
    printf 'new\\ngo 50000\\nquit\\n' | venv/bin/python tests/outside/openspiel_engine.py --board 5x5
"""

import argparse
import sys
import time

import pyspiel
from openspiel_dots_and_boxes import text_of

FIRST_SIMS = 200


class Engine:
    """The bot over one game after the other."""

    def __init__(self, options):
        rows, columns = options.board.split("x")
        self.options = options
        self.game = pyspiel.load_game(f"dots_and_boxes(num_rows={rows},num_cols={columns})")
        self.state = self.game.new_initial_state()
        self.sims_a_second = None

    def handle(self, line):
        """The answer to a line."""
        command, *words = line.split() or [""]
        try:
            return getattr(self, f"answer_{command}")(*words)
        except (AttributeError, TypeError, ValueError, KeyError) as error:
            return f"error {error}"

    def answer_name(self):
        return f"name OpenSpiel {self.options.version} MCTSBot uct_c={self.options.uct_c:g}, one rollout"

    def answer_new(self):
        self.state = self.game.new_initial_state()
        return "ok"

    def answer_play(self, *texts):
        state = self.state.clone()
        for text in texts:
            state.apply_action({self.text(state, it): it for it in state.legal_actions()}[text])
        self.state = state
        return "ok"

    def answer_go(self, microseconds):
        left_s = int(microseconds) / 1e6
        mover, texts = self.state.current_player(), []
        while not self.state.is_terminal() and self.state.current_player() == mover:
            started = time.process_time()
            action = self.choose(left_s / 2)
            left_s = max(0.0, left_s - (time.process_time() - started))
            texts.append(self.text(self.state, action))
            self.state.apply_action(action)
        return "turn " + " ".join(texts)

    def choose(self, budget_s):
        """An action, by the simulations that fit."""
        legal = self.state.legal_actions()
        if len(legal) == 1:
            return legal[0]
        n_sims = FIRST_SIMS if self.sims_a_second is None else int(self.sims_a_second * budget_s)
        bot = pyspiel.MCTSBot(
            self.game,
            evaluator=pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=self.options.seed),
            uct_c=self.options.uct_c,
            max_simulations=max(len(legal), n_sims),
            max_memory_mb=1000,
            solve=True,
            seed=self.options.seed,
            verbose=False,
        )
        started = time.process_time()
        root = bot.mcts_search(self.state)
        action, n_done = root.best_child().action, root.explore_count
        self.sims_a_second = n_done / max(1e-6, time.process_time() - started)
        return action

    @staticmethod
    def text(state, action):
        return text_of(state.action_to_string(state.current_player(), action))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("--board", default="5x5", help="rows and columns of boxes (default 5x5)")
    parser.add_argument(
        "--uct-c", type=float, default=2.0, help="its constant (default 2, as in its examples)"
    )
    parser.add_argument("--seed", type=int, default=1, help="of its rollouts (default 1)")
    options = parser.parse_args()
    options.version = getattr(pyspiel, "__version__", "")
    engine = Engine(options)
    for line in sys.stdin:
        if line.strip() == "quit":
            break
        if line.strip():
            print(engine.handle(line), flush=True)


if __name__ == "__main__":
    main()
