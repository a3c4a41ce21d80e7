"""The compiled core. Import its names from `tablero`."""

import os
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol, final, type_check_only

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Game",
    "IllegalActionError",
    "Player",
    "Policy",
    "Seat",
    "State",
    "VecEnv",
    "__version__",
    "actor_kind",
    "check",
    "games",
    "play_assignment",
    "preset",
    "read_shard",
    "register",
    "round_games",
    "search",
    "train",
]
__version__: str

class IllegalActionError(ValueError):
    """An action that the rules forbid; the message says which rule."""

@final
class Game:
    """A configured game, by its spec such as ``"hive:base+mlp"`` or ``"dots-and-boxes:3x4"``."""

    def __new__(cls, spec: str) -> Game: ...
    @property
    def spec(self) -> str: ...
    @property
    def n_actions(self) -> int: ...
    @property
    def max_plies(self) -> int | None:
        """The longest game; None where there is no bound."""
    @property
    def observation_shape(self) -> tuple[int, int, int]:
        """`(C, H, W)`."""
    @property
    def policy_shape(self) -> tuple[int, int, int]:
        """`(P, H, W)`: the policy slots of a network."""
    @property
    def has_points(self) -> bool: ...
    @property
    def planes(self) -> list[str]:
        """What each of the C planes of an observation holds."""
    @property
    def policy_planes(self) -> list[str]:
        """The action that has its slot in each of the P planes."""
    def initial(self) -> State: ...
    def parse_state(self, text: str) -> State:
        """Reads what `str(state)` writes."""

@final
class State:
    """A position. `play` changes it, `clone` gives another; equal by game and text."""

    @property
    def game(self) -> Game: ...
    @property
    def player_to_move(self) -> int:
        """0 or 1; without meaning once the game is over."""
    @property
    def is_over(self) -> bool: ...
    @property
    def returns(self) -> tuple[int, int] | None:
        """+1, 0 or -1 of player 0 and player 1; None before the end."""
    @property
    def points(self) -> tuple[int, int] | None:
        """The points so far; None in games without."""
    def legal_actions(self) -> list[int]:
        """Ascending; empty once the game is over."""
    def play(self, action: int | str) -> str:
        """Plays an action, by number or notation, and tells what it did.

        Raises `IllegalActionError` if the rules forbid it; nothing has changed then.
        """
    def clone(self) -> State: ...
    def action_text(self, action: int) -> str: ...
    def parse_action(self, text: str) -> int: ...
    def policy_slots(self) -> list[int]:
        """The policy slot of each legal action, in their order."""
    def features(self) -> list[int]:
        """What a network of kind ``"sparse"`` reads of the position: ascending numbers.

        Raises `ValueError` if the game is over, as `action_features` does.
        """
    def action_features(self) -> list[list[int]]:
        """What it reads of each legal action, in their order."""
    def draw(self) -> str:
        """The board as lines of text."""
    def view(self) -> dict[str, Any]:
        """The position as data: what `tablero moves --json` prints.

        What lies where, whose turn it is, and each legal action with the clicks that play it;
        `docs/position.schema.json` describes it.
        """
    def observation(self) -> NDArray[np.float32]:
        """`[C, H, W]`, -1 to 1, as the player to move sees it."""
    def mask(self) -> NDArray[np.int8]:
        """`[n_actions]`: 1 for each legal action."""
    def perft(self, depth: int) -> list[int]:
        """The number of sequences of 1, 2, … `depth` actions."""
    def random_action(self, seed: int) -> int:
        """A legal action, drawn uniformly."""

@final
class VecEnv:
    """`n_envs` games stepped together; `TableroVectorEnv` is made of it."""

    def __new__(
        cls,
        spec: str,
        n_envs: int,
        *,
        max_plies: int | None = None,
        random_opening_plies: int = 0,
        autoreset: bool = True,
    ) -> VecEnv: ...
    @property
    def n_envs(self) -> int: ...
    @property
    def observations(self) -> NDArray[np.float32]:
        """`[B, C, H, W]`, read-only: the environments' own memory, which a step changes.

        Copy it before another thread steps: NumPy does not hold the interpreter's lock in large copies."""
    @property
    def masks(self) -> NDArray[np.int8]:
        """`[B, n_actions]`, in the same way."""
    @property
    def players(self) -> NDArray[np.int8]:
        """`[B]`: who moves next, 0 or 1."""
    def reset(self, seed: int) -> None: ...
    def reset_env(self, index: int) -> None: ...
    def step(
        self, actions: NDArray[Any] | Sequence[int]
    ) -> tuple[
        NDArray[np.float32], NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], NDArray[np.int8]
    ]:
        """Rewards `[B]` of whoever acted, `[B, 2]` of both players, terminated, truncated, players to move."""
    def state(self, index: int) -> State: ...
    def __getnewargs_ex__(self) -> tuple[tuple[str, int], dict[str, Any]]: ...
    def __getstate__(self) -> tuple[int, list[tuple[int, int, bool, str]]] | None: ...
    def __setstate__(self, state: tuple[int, list[tuple[int, int, bool, str]]] | None) -> None: ...

@final
class Player:
    """A player of one game, by its text: ``"random"``, ``"minimax:level=3"``, ``"mcts:sims=800"``,
    ``"policy:DIR,sims=200"``, ``"zoo:sims=200"``, ``"solver"`` …; the path of a policy or a run stands for it.

    It remembers nothing between calls; who plays a whole game has a `seat`."""

    def __new__(cls, game: str, player: str | os.PathLike[str]) -> Player: ...
    def choose(self, state: State, *, seed: int = 0) -> int:
        """The action that it plays."""
    def analyse(self, state: State, *, seed: int = 0) -> dict[str, Any]:
        """What it thinks: best action, value, line and every move, as `tablero analyze --json`."""
    def seat(self) -> Seat:
        """The player as it sits at one game: a tree search keeps its tree from move to move."""
    def __copy__(self) -> Player: ...
    def __deepcopy__(self, memo: Any, /) -> Player: ...

@final
class Seat:
    """A player at one game: `Player.seat`. It is told every action that is played, by either side."""

    @property
    def remembers(self) -> bool:
        """Whether a choice may depend on earlier ones."""
    def choose(self, state: State, *, seed: int = 0) -> int:
        """The action that it plays."""
    def played(self, action: int) -> None:
        """An action was played, by either side."""

@final
class Policy:
    """A trained network and the game that it plays."""

    @staticmethod
    def load(source: str | os.PathLike[str]) -> Policy:
        """From a policy directory, a run, or ``"zoo:GAME"``."""
    @property
    def manifest(self) -> dict[str, Any]:
        """What policy.json says."""
    @property
    def game(self) -> str: ...
    def logits(
        self, observations: NDArray[Any], slots: NDArray[Any]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32] | None]:
        """Of observations `[B, C, H, W]`: policy logits at the slots `[B, L]`, logits of win, draw and loss
        `[B, 3]`, and, where the game has points, points lead `[B]`.

        Raises `ValueError` if the network is of kind ``"sparse"``, which reads no observations."""
    def evaluate(
        self, states: Sequence[State]
    ) -> tuple[list[NDArray[np.float32]], NDArray[np.float32], NDArray[np.float32] | None]:
        """What the network thinks of positions that are not over: the chances of each one's legal actions, in
        their order; win, draw and loss for the player to move `[B, 3]`; and, where the game has points, their
        final lead `[B]`."""
    def search(self, state: State, *, seed: int = 0, **options: float | bool | str) -> dict[str, Any]:
        """Analyses a position by a tree search with the network, as `Player.analyse` does. Options are fields
        of the search configuration, such as ``sims=400`` or ``root="gumbel"``; the others are as in the
        policy's own (`manifest["search"]`)."""
    def save(self, directory: str | os.PathLike[str], *, format: str = "safetensors") -> None:
        """Writes a policy directory; `format` is ``"safetensors"`` or ``"onnx"``."""
    def __copy__(self) -> Policy: ...
    def __deepcopy__(self, memo: Any, /) -> Policy: ...

@type_check_only
class OwnGame(Protocol):
    """The rules of a game of your own, for `register` and `check`.

    A state is a value that is never changed, such as a tuple; its `repr` tells all of it and is read back by
    `ast.literal_eval`, unless the class has `text(state)` and `parse(text)`. Players are 0 and 1, actions
    numbers from 0 on. A class may also have: `name` (else that of the class), `max_plies` (the longest game,
    which the exact solver needs), `version` (policies of another are refused), `points(state)` of both players,
    `symmetries(state)` (pairs of a state and what each action is called there, the identity first),
    `patterns()` (lists of cells, `row * columns + column`, whose contents together are one fact for a sparse
    network, such as all lines of four), `action_text(state, action)` and `draw(state)`.
    """

    n_actions: int
    def initial(self) -> Any: ...
    def to_move(self, state: Any) -> int:
        """0 or 1."""
    def legal(self, state: Any) -> Iterable[int]:
        """The legal actions of an unfinished state, at least one."""
    def play(self, state: Any, action: int) -> Any:
        """The state after it."""
    def outcome(self, state: Any) -> int | None:
        """1, 0 or -1 of player 0 at the end, else None."""
    def observe(self, state: Any) -> Any:
        """What the player to move sees: an array of planes, rows and columns, values in -1..=1."""

def check(game: OwnGame, *, games: int = 10, seed: int = 0) -> int:
    """Plays random games and checks the laws of a game in each position; returns the number of positions.

    Raises ValueError with the first law that is broken, the position and the moves that lead there, and
    RuntimeError where a method of the game raises or answers what it may not.
    """

def register(game: OwnGame) -> Game:
    """Makes a game known by its name in this process, in the place of one of that name: as a spec it then
    works wherever one of Tablero's does, in `Game`, `Player`, `make`, `train` and in configurations.

    Raises ValueError if the name is that of a game of Tablero, or the class is not complete.
    """

def games() -> list[tuple[str, str, str, str]]:
    """Name, summary, parameters and default spec of every game."""

def preset(name: str) -> str:
    """The text of a preset, a configuration file that comes with Tablero."""

def train(
    config: str,
    out: str,
    *,
    threads: int | None = None,
    callback: Callable[[dict[str, Any]], object] | None = None,
    actors: Callable[[int, int, int, bytes], list[bytes]] | None = None,
    stop_actors: Callable[[], object] | None = None,
    allow_commands: bool = False,
) -> None:
    """`actors(round, first, end, weights)` gives what `play_assignment` does, for parts of these games, and
    returns at once, by an exception, after `stop_actors()`."""

def actor_kind() -> str:
    """What an actor must have in common with the others for the same games: version and instructions."""

def round_games(config: str) -> int:
    """How many games a round of this configuration has."""

def play_assignment(
    config: str, round: int, first: int, end: int, weights: bytes, *, threads: int = 1
) -> bytes:
    """Plays the games numbered `first` to before `end` of a round, and packs them."""

def search(
    states: Sequence[State],
    evaluator: Callable[[NDArray[np.float32]], tuple[Any, Any]],
    *,
    sims: int = 200,
    seed: int = 0,
    explore: bool = False,
    options: dict[str, float | bool | str] | None = None,
) -> list[tuple[dict[str, Any], NDArray[np.float32]]]:
    """What is found of each state, and its policy: `tablero.search`."""

def read_shard(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The fields of `tablero.Replay`."""
