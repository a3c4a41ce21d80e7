"""OpenSpiel's Python AlphaZero on Dots and Boxes 3x3, for `learning_speed.py`: trains, or plays a checkpoint.

The actors and the learner are OpenSpiel's own, unchanged, with two actors. It learns from as many batches as fill
its buffer whenever a share of it is new (1 / `replay_buffer_reuse`). The buffer is small here, so that
learning begins early and happens often: 2048 positions and 256 new ones, or 8192 and 512 with `--numpy`.

Known of it: its observation tells who owns boxes and edges, but not who is to move. Its inference is not
compiled, so a position costs milliseconds; `--numpy` puts the same network in NumPy in that place.
"""

import argparse
import functools
import json
import os
import sys
import warnings

warnings.filterwarnings("ignore")

import jax
import numpy as np
import pyspiel
from flax import nnx
from open_spiel.python.algorithms.alpha_zero import alpha_zero, evaluator, utils
from open_spiel.python.utils import spawn
from openspiel_dots_and_boxes import ids_of, text_of

# In the actors' processes, too, which read this file and have the same arguments.
TRAINS_IN_NUMPY = sys.argv[1:2] == ["train"] and "--numpy" in sys.argv

GAME = "dots_and_boxes(num_rows=3,num_cols=3)"


def config_of(options):
    game = pyspiel.load_game(GAME)
    return alpha_zero.Config(
        game=GAME,
        path=os.path.abspath(options.run),
        learning_rate=1e-3,
        weight_decay=1e-4,
        decouple_weight_decay=False,
        train_batch_size=64,
        replay_buffer_size=2**13 if TRAINS_IN_NUMPY else 2**11,
        replay_buffer_reuse=16 if TRAINS_IN_NUMPY else 8,
        max_steps=0,
        checkpoint_freq=1,
        actors=2,
        evaluators=0,
        evaluation_window=50,
        eval_levels=2,
        uct_c=1.41,
        max_simulations=options.sims,
        policy_alpha=1.0,
        policy_epsilon=0.25,
        temperature=1,
        temperature_drop=10,
        nn_model="mlp",
        nn_width=options.width,
        nn_depth=2,
        observation_shape=game.observation_tensor_shape(),
        output_size=game.num_distinct_actions(),
        verbose=False,
        quiet=True,
        nn_api_version="nnx",
    )


def numpy_inference(model, observation, legals_mask):
    """The value and the policy by the model's dense layers, in NumPy: the same figures, much sooner."""
    if getattr(model, "layers_of", None) is not model._state:
        layers = {
            tuple(step.key for step in path if hasattr(step, "key")): np.asarray(weight)
            for path, weight in jax.tree_util.tree_leaves_with_path(nnx.to_pure_dict(model._state.params))
        }
        model.layers_of, model.layers = model._state, layers

    def dense(inputs, *path):
        return (
            inputs @ model.layers[*path, "dense_layer", "kernel"] + model.layers[*path, "dense_layer", "bias"]
        )

    hidden = np.asarray(observation, dtype=np.float32).ravel()
    for index in (1, 2):  # layer 0 makes the observation flat
        hidden = np.maximum(dense(hidden, "torso", "layers", index), 0)
    value = np.maximum(dense(hidden, "value_head", "torso"), 0)
    logits = np.maximum(dense(hidden, "policy_head", "torso"), 0)
    value = np.tanh(dense(value, "value_head", "value_head"))[0]
    logits = np.where(legals_mask, dense(logits, "policy_head", "policy_head"), -np.inf)
    policy = np.exp(logits - logits.max())
    return value, policy / policy.sum()


def check(model, game):
    """Both inferences must say the same."""
    state = game.new_initial_state()
    while not state.is_terminal():
        asked = np.asarray(state.observation_tensor()), np.asarray(state.legal_actions_mask())
        for expected, found in zip(model.inference(*asked), numpy_inference(model, *asked)):
            np.testing.assert_allclose(found, np.asarray(expected), atol=1e-5)
        state.apply_action(state.legal_actions()[0])


def play(options):
    """Answers positions, with a new tree for each. The time of a match does not count, so it infers in NumPy."""
    config = config_of(options)
    game = pyspiel.load_game(GAME)
    model = utils.api_selector(config.nn_api_version).Model.build_model(
        config.nn_model,
        config.observation_shape,
        config.output_size,
        config.nn_width,
        config.nn_depth,
        config.weight_decay,
        config.learning_rate,
        config.path,
    )
    model.load_checkpoint(options.checkpoint)
    check(model, game)
    model.inference = functools.partial(numpy_inference, model)
    bot = alpha_zero._init_bot(config, game, evaluator.AlphaZeroEvaluator(game, model), True)
    start = game.new_initial_state()
    texts = {action: text_of(start.action_to_string(0, action)) for action in start.legal_actions()}
    ours = {action: ids_of(3, 3)[text] for action, text in texts.items()}
    theirs = {ours[action]: action for action in ours}
    for line in sys.stdin:
        state = game.new_initial_state()
        for action in line.split():
            state.apply_action(theirs[int(action)])
        action = bot.mcts_search(state).best_child().action
        print(json.dumps({"action": ours[action], "player": state.current_player()}), flush=True)


if TRAINS_IN_NUMPY:
    utils.api_selector("nnx").Model.inference = numpy_inference


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("task", choices=["train", "play"])
    parser.add_argument("--run", required=True, help="folder of the run")
    parser.add_argument("--checkpoint", type=int)
    parser.add_argument("--sims", type=int, required=True)
    parser.add_argument("--width", type=int, required=True)
    parser.add_argument("--numpy", action="store_true", help="train with inference in NumPy")
    parser.add_argument("--seed", type=int, default=1, help="has no effect: its actors draw from the clock")
    options = parser.parse_args()
    if options.task == "train":
        alpha_zero.alpha_zero(config_of(options))
    else:
        play(options)


if __name__ == "__main__":
    with spawn.main_handler():
        main()
