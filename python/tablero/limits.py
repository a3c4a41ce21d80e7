"""Bounds that keep episodes finite."""

#: Where a game without a bound on its length is cut off if nothing else is said.
DEFAULT_MAX_PLIES = 400
