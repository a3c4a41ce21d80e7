"""Random moves of Hive in several styles, so that what is rare in uniform games becomes common."""

# How often a class of moves is chosen, against the others that the position offers. None: uniform
# over all moves.
STYLES = {
    "uniform": None,
    "squeeze": {"place": 4, "walk": 8, "climb": 8, "mosquito": 4, "throw": 4},
    "movement": {"place": 1, "walk": 8, "climb": 4, "mosquito": 4, "throw": 4},
    "throws": {"place": 2, "walk": 4, "climb": 1, "mosquito": 4, "throw": 8},
    "stacks": {"place": 2, "walk": 2, "climb": 12, "mosquito": 4, "throw": 1},
    "crowded": {"place": 12, "walk": 1, "climb": 1, "mosquito": 2, "throw": 2},
}
# In games with a style, how often a kind is placed, against the others at hand.
PLACED_FIRST = {"Q": 6, "P": 4, "M": 4, "L": 2, "B": 2}


def classes_of(board, moves):
    """The moves by class; a move is of the first class that fits."""
    classes = {}
    for move in moves:
        piece, cell = move
        start = board.cell_of.get(piece)
        if start is None:
            name = "place"
        elif piece[0] != board.colour:
            name = "throw"
        elif cell in board.stacks or len(board.stacks[start]) > 1:
            name = "climb"
        elif piece[1] == "M":
            name = "mosquito"
        else:
            name = "walk"
        classes.setdefault(name, []).append(move)
    return classes


def choose(rng, board, moves, style, max_placed):
    """A random move by the game's style."""
    ordered = sorted(moves)
    weights = STYLES[style]
    if weights is None:
        return rng.choice(ordered)
    classes = classes_of(board, ordered)
    n_placed = sum(piece[0] == board.colour for piece in board.cell_of)
    if n_placed >= max_placed and len(classes) > 1:
        classes.pop("place", None)
    name = rng.choices(list(classes), [weights[c] for c in classes])[0]
    if name == "place":
        likely = [PLACED_FIRST.get(piece[1], 1) for piece, _ in classes[name]]
        return rng.choices(classes[name], likely)[0]
    return rng.choice(classes[name])
