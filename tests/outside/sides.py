"""What an engine is told and asked, by the line protocol of `tablero engine` or by UHP; and the referee."""

import json
import shlex

from processes import LineProcess

WHOLE_SECOND_US = 1_000_000
# How often an opening is drawn that leaves the game open.
OPENING_DRAWS = 1000


class Refused(Exception):
    """An engine answers by an error."""


class TableroSide:
    """An engine that speaks the protocol of `tablero engine`."""

    whole_seconds = False

    def __init__(self, process, setup, is_hive):
        self.process, self.is_hive = process, is_hive
        for line in setup:
            self.ask(line)

    def ask(self, line, wait_s=60.0):
        """The answer to a line: its words after the first."""
        self.process.send(line)
        answer = self.process.line(wait_s)
        word, _, rest = answer.partition(" ")
        if word == "error":
            raise Refused(f"{line!r}: {answer}")
        return rest

    def name(self):
        try:
            return self.ask("name")
        except Refused:
            return self.process.command

    def new(self, game_type):
        self.ask("new")

    def play(self, actions):
        """Tells a turn, or an action of an opening."""
        self.ask("play " + " ".join(actions))

    def go(self, budget_us, wait_s):
        """A whole turn, as a list of actions."""
        rest = self.ask(f"go {budget_us}", wait_s)
        # A turn of Hive is one action, whose text holds a space.
        return [rest] if self.is_hive else rest.split()

    def ends(self):
        """It says nothing of ends."""
        return False


class UhpSide:
    """An engine that speaks the Universal Hive Protocol. It knows whole seconds alone."""

    whole_seconds = True

    def __init__(self, process, setup, is_hive):
        self.process, self.state = process, "NotStarted"
        greeting = self.answer(60.0)
        self.id = greeting[0].removeprefix("id ") if greeting else process.command
        for line in setup:
            self.ask(line)

    def answer(self, wait_s):
        lines = []
        while (line := self.process.line(wait_s)) != "ok":
            lines.append(line)
        return lines

    def ask(self, line, wait_s=60.0):
        self.process.send(line)
        lines = self.answer(wait_s)
        if lines and lines[0].startswith(("err", "invalidmove")):
            raise Refused(f"{line!r}: {' '.join(lines)}")
        return lines[0] if lines else ""

    def name(self):
        return self.id

    def new(self, game_type):
        self.follow(self.ask(f"newgame {game_type}"))

    def play(self, actions):
        for action in actions:
            self.follow(self.ask(f"play {action}"))

    def go(self, budget_us, wait_s):
        seconds = whole_seconds(budget_us) // WHOLE_SECOND_US
        clock = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
        best = self.ask(f"bestmove time {clock}", wait_s)
        # UHP's bestmove plays nothing.
        self.play([best])
        return [best]

    def follow(self, game_string):
        """Takes the state from a GameString."""
        parts = game_string.split(";")
        if len(parts) < 3:
            raise Refused(f"not a GameString: {game_string!r}")
        self.state = parts[1]

    def ends(self):
        """Whether the engine takes the game for finished."""
        return self.state not in ("NotStarted", "InProgress")


PROTOCOLS = {"tablero": TableroSide, "uhp": UhpSide}


def whole_seconds(budget_us):
    """UHP's time: a part of a second counts as a whole one."""
    return -(-budget_us // WHOLE_SECOND_US) * WHOLE_SECOND_US


class Referee:
    """Our rules: a `tablero engine` that is never asked for a move, and `tablero analyze` for openings."""

    def __init__(self, command, game):
        process = LineProcess(f"{command} engine --game {shlex.quote(game)} --player random")
        # A tree search proves what wins at once before its first simulation.
        analyze = f"{command} analyze {shlex.quote(game)} --player mcts:sims=2 --lines"
        self.analyst = LineProcess(analyze)
        self.is_hive = game.partition(":")[0] == "hive"
        self.side = TableroSide(process, [], self.is_hive)

    def new(self):
        self.side.new("")

    def state(self):
        """The mover (`None` where the game is over), the result for the first player, and the position."""
        words = self.side.ask("state").split(" ", 1)
        if words[0] == "move":
            mover, text = words[1].split(" ", 1)
            return int(mover), None, text
        first, _, text = words[1].split(" ", 2)
        return None, int(first), text

    def game_type(self):
        """Hive's type as UHP names it."""
        return self.state()[2].split(";")[0]

    def moves(self):
        return [move for move in self.side.ask("moves").split(";") if move]

    def turn(self, actions):
        """Plays exactly one whole turn."""
        mover = self.state()[0]
        for action in actions:
            if self.state()[0] != mover:
                raise Refused(f"the turn continues after it is complete: {action}")
            self.side.play([action])
        if self.state()[0] == mover:
            raise Refused(f"the turn stops before it is complete: {' '.join(actions)}")

    def opening(self, rng, n_plies):
        """Actions of `n_plies` random plies that leave the game open, and the position.

        One that is won at once is taken only where many draws find no other.
        """
        found = None
        for _ in range(OPENING_DRAWS):
            self.new()
            actions = []
            while len(actions) < n_plies and self.state()[0] is not None:
                actions.append(rng.choice(self.moves()))
                self.side.play(actions[-1:])
            mover, _, text = self.state()
            if mover is not None:
                found = actions, text
                if not self.wins_at_once(actions):
                    break
        if found is None:
            raise Refused(f"{n_plies} random plies ended all of {OPENING_DRAWS} games: take fewer")
        return found

    def wins_at_once(self, actions):
        """Whether who moves after these actions wins within the turn."""
        self.analyst.send(";".join(actions))
        analysis = json.loads(self.analyst.line(60.0))
        if "error" in analysis:
            raise Refused(analysis["error"])
        return analysis["proven"] == 1
