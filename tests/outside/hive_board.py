"""Where the pieces of a Hive game stand: enough to read a MoveString as (piece, destination).

Two engines may name one destination beside different tiles, so texts cannot be compared; cells can.
This file knows the grid, the stacks and the end of a game. It knows no rule of movement.

Cells are axial (q, r): E is (1, 0), SE is (0, 1).
"""

import hashlib

# How a reference tile and a mark name a neighbour: `-wQ` is west of the white queen, `wQ/` north-east.
PREFIX = {"-": (-1, 0), "/": (-1, 1), "\\": (0, -1)}
SUFFIX = {"-": (1, 0), "/": (1, -1), "\\": (0, 1)}
NEIGHBOURS = tuple(PREFIX.values()) + tuple(SUFFIX.values())

PASS = ("pass", None)


class Board:
    """Stacks of pieces, bottom first. A piece is its UHP name: `wQ`, `bA3`.

    Only in a game with a pillbug the piece that moved last is part of the position.
    """

    def __init__(self, has_pillbug):
        self.has_pillbug = has_pillbug
        self.stacks = {}
        self.cell_of = {}
        self.n_plies = 0
        self.stunned = None
        self._seen = {}

    @property
    def colour(self):
        """The colour to move: `w` or `b`."""
        return "wb"[self.n_plies % 2]

    def moves(self, texts):
        """Maps every (piece, destination) that the MoveStrings name to the texts that name it."""
        cells = {}
        moves = {}
        for text in texts:
            piece, _, target = text.partition(" ")
            if piece == "pass":
                move = PASS
            else:
                cell = cells.get(target)
                if cell is None:
                    cell = cells[target] = self._cell(target)
                move = (piece, cell)
            moves.setdefault(move, []).append(text)
        return moves

    def play(self, move):
        """Puts or moves a piece, or passes."""
        piece, cell = move
        if move == PASS:
            self.stunned = None
        else:
            start = self.cell_of.get(piece)
            if start is not None:
                stack = self.stacks[start]
                if stack.pop() != piece:
                    raise ValueError(f"{piece} moves from under another piece")
                if not stack:
                    del self.stacks[start]
            self.stacks.setdefault(cell, []).append(piece)
            self.cell_of[piece] = cell
            self.stunned = None if start is None else piece
        self.n_plies += 1
        key = self.key()
        self._seen[key] = self._seen.get(key, 0) + 1

    def key(self):
        """A digest of the position: stacks of (kind, colour) up to translation, mover, stunned cell."""
        q0 = min(q for q, _ in self.stacks)
        r0 = min(r for _, r in self.stacks)
        cells = sorted(
            (q - q0, r - r0, "".join(p[:2] for p in stack)) for (q, r), stack in self.stacks.items()
        )
        stunned = None
        if self.has_pillbug and self.stunned is not None:
            q, r = self.cell_of[self.stunned]
            stunned = (q - q0, r - r0)
        text = repr((self.colour, stunned, cells))
        return hashlib.blake2b(text.encode(), digest_size=8).digest()

    def state(self):
        """The state of the game as a GameString has it, by surrounded queens and third repetition."""
        if self.n_plies == 0:
            return "NotStarted"
        white, black = self.surrounded()
        if white or black:
            return "Draw" if white and black else "BlackWins" if white else "WhiteWins"
        return "Draw" if self._seen[self.key()] >= 3 else "InProgress"

    def surrounded(self):
        """Whether White's queen is surrounded, and whether Black's is."""
        return [self._surrounded(queen) for queen in ("wQ", "bQ")]

    def _cell(self, target):
        if not target:
            return (0, 0)
        if target[0] in PREFIX:
            (q, r), (dq, dr) = self.cell_of[target[1:]], PREFIX[target[0]]
        elif target[-1] in SUFFIX:
            (q, r), (dq, dr) = self.cell_of[target[:-1]], SUFFIX[target[-1]]
        else:
            return self.cell_of[target]
        return (q + dq, r + dr)

    def _surrounded(self, queen):
        cell = self.cell_of.get(queen)
        if cell is None:
            return False
        q, r = cell
        return all((q + dq, r + dr) in self.stacks for dq, dr in NEIGHBOURS)
