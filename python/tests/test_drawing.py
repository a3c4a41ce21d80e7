"""Pictures of positions."""

import gymnasium
import numpy as np
import pytest
import tablero
from conftest import random_states
from tablero.canvas import Canvas
from tablero.drawing import picture
from test_own_game import TicTacToe


def test_each_position_has_a_picture_of_its_own_and_of_one_size(spec):
    shapes, seen = set(), {}
    for state in random_states(tablero.Game(spec), 1, seed=4):
        pixels = picture(state)
        assert pixels.dtype == np.uint8 and pixels.shape[2] == 3
        shapes.add(pixels.shape)
        assert seen.setdefault(pixels.tobytes(), board_of(state)) == board_of(state)
    assert len(shapes) == 1 and len(seen) > 3


def board_of(state):
    """What a picture shows: not who is to move, nor what is in hand."""
    board = state.view()["board"]
    if board["form"] != "hexes":
        return repr({key: board.get(key) for key in ("cells", "edges", "pieces", "ball")})
    pieces = board.get("pieces") or []
    return sorted((it["cell"], it.get("level", 0), it["kind"], it["owner"]) for it in pieces)


def test_what_is_drawn_lies_where_the_rules_say():
    state = tablero.Game("dots-and-boxes:2x2").initial()
    blank = picture(state)
    state.play("1-1-h")
    changed = np.argwhere((picture(state) != blank).any(axis=2))
    # The upper edge of the upper left box, of which the corners are 22 and 70 pixels from the left.
    assert changed[:, 0].min() >= 17 and changed[:, 0].max() <= 27
    assert changed[:, 1].min() >= 17 and changed[:, 1].max() <= 75
    soccer = tablero.Game("paper-soccer:4x4").initial()
    ball = picture(soccer)
    middle = (ball.shape[0] // 2, ball.shape[1] // 2)
    assert (ball[middle] < 60).all() and (ball[middle[0] - 6, middle[1]] == 255).all()


def test_shapes_cover_what_they_should():
    canvas = Canvas(-10, -10, 20, 20, (0, 0, 0))
    canvas.circle((0, 0), 6, (255, 255, 255))
    area = canvas.pixels()[:, :, 0].sum() / 255
    assert area == pytest.approx(np.pi * 36, rel=0.02)
    canvas.box(-8, -8, 4, 4, (0, 200, 0))
    assert (canvas.pixels()[2:6, 2:6] == (0, 200, 0)).all()
    before = canvas.pixels()
    canvas.line((50, 50), (60, 60), 3, (255, 0, 0))
    canvas.polygon([(40, 40), (50, 40), (50, 50)], (255, 0, 0))
    assert np.array_equal(canvas.pixels(), before)


def test_environments_render_pixels(spec):
    single = gymnasium.make("tablero/Queens-v0", spec=spec, opponent="random", render_mode="rgb_array")
    single.reset(seed=1)
    aec = tablero.make(spec, render_mode="rgb_array")
    aec.reset(seed=1)
    batch = tablero.make_vec(spec, 2, render_mode="rgb_array")
    batch.reset(seed=1)
    frames = [single.render(), aec.render(), *batch.render()]
    assert len({frame.shape for frame in frames}) == 1
    assert np.array_equal(frames[1], frames[2])
    with pytest.raises(ValueError, match="render_mode"):
        tablero.make(spec, render_mode="svg")


def test_a_game_without_a_board_says_so():
    env = tablero.make(tablero.register(TicTacToe()).spec, render_mode="rgb_array")
    env.reset()
    with pytest.raises(ValueError, match="tic-tac-toe has no picture"):
        env.render()
