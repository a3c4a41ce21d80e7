"""Positions as pictures, from the structured view that the page in the browser draws, too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._tablero import State
from .canvas import Canvas, Colour, Point

_GROUND: Colour = (250, 248, 244)
_INK: Colour = (40, 44, 52)
_FAINT: Colour = (205, 203, 196)
_WHITE: Colour = (255, 255, 255)
_BLACK: Colour = (52, 54, 62)
#: Of both players, where they have no white and black pieces.
_SIDES: tuple[Colour, Colour] = ((52, 112, 196), (230, 126, 34))
_PALE: tuple[Colour, Colour] = ((178, 205, 240), (250, 212, 170))
_LIGHT: Colour = (238, 222, 190)
_DARK: Colour = (190, 154, 112)
_GRASS: Colour = (214, 234, 208)
_MARK: Colour = (196, 60, 60)
_SMALL: Colour = (150, 60, 20)
_TRAIL: Colour = (66, 84, 130)
#: Pixels of a table without a board.
_TABLE = (640, 480)

Board = dict[str, Any]


def picture(state: State) -> NDArray[np.uint8]:
    """The board as pixels `[H, W, 3]`, of the same size in all positions of a game."""
    board = state.view()["board"]
    draw = _FORMS.get(board["form"])
    if draw is None:
        raise ValueError(f"{state.game.spec} has no picture, only a text: render_mode='ansi'")
    return draw(board).pixels()


def _dots(board: Board) -> Canvas:
    step, margin = 48, 22
    columns, rows = board["size"]
    canvas = Canvas(-margin, -margin, columns * step + 2 * margin, rows * step + 2 * margin, _GROUND)
    for cell in board["cells"]:
        if (owner := cell.get("owner")) is not None:
            x, y = cell["x"] * step, cell["y"] * step
            canvas.box(x + 4, y + 4, step - 8, step - 8, _PALE[owner])
            canvas.circle((x + step / 2, y + step / 2), 7, _SIDES[owner])
    for edge in board["edges"]:
        start, end = ((x * step, y * step) for x, y in (edge["from"], edge["to"]))
        drawn = edge["drawn"]
        canvas.line(start, end, 6 if drawn else 1.5, _INK if drawn else _FAINT)
    for x in range(columns + 1):
        for y in range(rows + 1):
            canvas.circle((x * step, y * step), 5, _INK)
    return canvas


def _squares(board: Board) -> Canvas:
    step, margin = 44, 6
    columns, rows = board["size"]
    canvas = Canvas(-margin, -margin, columns * step + 2 * margin, rows * step + 2 * margin, _INK)
    pieces = {piece["cell"]: piece for piece in board.get("pieces") or ()}
    for cell in board["cells"]:
        left, top = cell["x"] * step, (rows - 1 - cell["y"]) * step
        middle = (left + step / 2, top + step / 2)
        canvas.box(left, top, step, step, _LIGHT if (cell["x"] + cell["y"]) % 2 else _DARK)
        if cell.get("status") == "attacked":
            for up in (7, -7):
                canvas.line((middle[0] - 7, middle[1] - up), (middle[0] + 7, middle[1] + up), 3, _MARK)
        piece = pieces.get(cell["id"])
        if piece is not None:
            _piece(canvas, piece["kind"], piece["owner"], middle, step)
        elif (owner := cell.get("owner")) is not None:
            _piece(canvas, "Q", owner, middle, step)
        elif counts := cell.get("counts"):
            _counts(canvas, counts, left, top, step)
    return canvas


def _piece(canvas: Canvas, kind: str, owner: int, middle: Point, step: float) -> None:
    canvas.circle(middle, step * 0.42, _INK)
    canvas.circle(middle, step * 0.38, _BLACK if owner else _WHITE)
    canvas.text(kind, middle, step * 0.42, _WHITE if owner else _INK)


def _counts(canvas: Canvas, counts: list[int], left: float, top: float, step: float) -> None:
    """White's below on the left, Black's above on the right; nothing where it is 0."""
    white, black = counts
    if white:
        canvas.text(str(white), (left + 9, top + step - 9), 10, _SMALL)
    if black:
        canvas.text(str(black), (left + step - 9, top + 9), 10, _BLACK)


def _points(board: Board) -> Canvas:
    step, margin = 34, 14
    columns, rows = board["size"]
    wide, high = columns / 2, rows / 2

    def at(point: list[int]) -> Point:
        return point[0] * step, -point[1] * step

    width, height = columns * step + 2 * margin, (rows + 2) * step + 2 * margin
    canvas = Canvas(-wide * step - margin, -(high + 1) * step - margin, width, height, _GROUND)
    canvas.box(-wide * step, -high * step, columns * step, rows * step, _GRASS)
    # Behind the upper line is the first player's goal to shoot at.
    canvas.box(-step, -(high + 1) * step, 2 * step, step, _PALE[0])
    canvas.box(-step, high * step, 2 * step, step, _PALE[1])
    for column in range(columns + 1):
        x = (column - wide) * step
        canvas.line((x, -high * step), (x, high * step), 1, _FAINT)
    for row in range(rows + 1):
        y = (row - high) * step
        canvas.line((-wide * step, y), (wide * step, y), 1, _FAINT)
    for edge in board["edges"]:
        width, colour = (4.0, _TRAIL) if edge["drawn"] else (5.0, _INK)
        canvas.line(at(edge["from"]), at(edge["to"]), width, colour)
    for cell in board["cells"]:
        canvas.circle(at([cell["x"], cell["y"]]), 2.5, _INK)
    ball = next(cell for cell in board["cells"] if cell["id"] == board["ball"])
    middle = at([ball["x"], ball["y"]])
    canvas.circle(middle, 10, _INK)
    canvas.circle(middle, 8, _WHITE)
    canvas.circle(middle, 3.5, _INK)
    return canvas


def _hexes(board: Board) -> Canvas:
    width, height = _TABLE
    spots = {cell["id"]: (3**0.5 * (cell["x"] + cell["y"] / 2), 1.5 * cell["y"]) for cell in board["cells"]}
    pieces = board.get("pieces") or []
    xs, ys = zip(*spots.values()) if spots else ((0.0,), (0.0,))
    # The hive fills the table, as far as single pieces do not become huge.
    size = min(width / (max(xs) - min(xs) + 2.4), height / (max(ys) - min(ys) + 2.4), 30.0)
    lift = 0.27 * size
    cells = {name: (x * size, y * size) for name, (x, y) in spots.items()}
    middle_x, middle_y = (size * (max(values) + min(values)) / 2 for values in (xs, ys))
    canvas = Canvas(middle_x - width / 2, middle_y - height / 2, width, height, _GROUND)
    taken = {piece["cell"] for piece in pieces}
    for name, middle in cells.items():
        if name not in taken:
            canvas.polygon(_hexagon(middle, size - 1), _FAINT)
            canvas.polygon(_hexagon(middle, size - 2.5), _GROUND)
    levels: dict[str, int] = {}
    # From the back to the front, a stack from below.
    for piece in sorted(pieces, key=lambda piece: cells[piece["cell"]][1]):
        level = levels.get(piece["cell"], 0)
        levels[piece["cell"]] = level + 1
        x, y = cells[piece["cell"]]
        _tile(canvas, piece, (x, y - level * lift), size)
    return canvas


def _tile(canvas: Canvas, piece: dict[str, Any], middle: Point, size: float) -> None:
    kind, owner = piece["kind"], piece["owner"]
    canvas.polygon(_hexagon(middle, size - 0.5), _INK)
    canvas.polygon(_hexagon(middle, size - 2.5), _BLACK if owner else (244, 232, 206))
    canvas.circle(middle, size * 0.55, _KINDS.get(kind, _INK))
    canvas.text(kind, middle, size * 0.62, _WHITE)


def _hexagon(middle: Point, size: float) -> list[Point]:
    angles = np.pi / 6 + np.arange(6) * np.pi / 3
    return [(middle[0] + size * float(np.cos(it)), middle[1] + size * float(np.sin(it))) for it in angles]


#: A colour for each kind of bug, about those of the tiles of the game.
_KINDS: dict[str, Colour] = {
    "Q": (222, 160, 20),
    "S": (124, 82, 50),
    "B": (126, 72, 160),
    "G": (58, 146, 74),
    "A": (44, 98, 190),
    "M": (120, 124, 130),
    "L": (206, 50, 50),
    "P": (28, 144, 148),
}

_FORMS: dict[str, Callable[[Board], Canvas]] = {
    "dots": _dots,
    "squares": _squares,
    "points": _points,
    "hexes": _hexes,
}
