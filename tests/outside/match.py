"""A match between two engines, each given by a command, by equal processor time.

Both play by `tablero engine`'s line protocol (docs/engine.md) or by the Universal Hive Protocol. The rules are
those of a third process of ours, the referee. Games come in pairs: one opening of random plies, both colours. An
engine that disagrees with the referee, dies or falls silent ends that game only; such games are counted apart.

    python3 tests/outside/match.py --game paper-soccer:8x10 --ms 50 --games 20 \\
        --a "target/release/tablero engine --game paper-soccer:8x10 --player zoo" \\
        --b "./another-engine" --save games.jsonl
    python3 tests/outside/match.py --game paper-soccer:8x10 --replay games.jsonl
"""

import argparse
import json
import math
import random
import sys
import time

from match_report import report, score_line
from processes import LineProcess, ProcessError
from sides import PROTOCOLS, Referee, Refused, whole_seconds

# How often an opening is drawn anew where it was played already.
OPENING_TRIES = 64


class Lost(Exception):
    """Why a game ends without a result: `side` (0 is a, 1 is b) did `reason`."""

    def __init__(self, side, reason, detail):
        super().__init__(detail)
        self.side, self.reason, self.detail = side, reason, detail


class Player:
    """One of the two engines, which is started again after it fails."""

    def __init__(self, index, options):
        letter = "ab"[index]
        self.index = index
        self.command = getattr(options, letter)
        self.protocol = PROTOCOLS[getattr(options, f"protocol_{letter}") or options.protocol]
        self.setup = getattr(options, f"setup_{letter}")
        self.is_hive = options.game.partition(":")[0] == "hive"
        self.set_budget(options.ms * 1000 * getattr(options, f"scale_{letter}"))
        self.patience_s = options.patience
        self.side = None
        self.turns, self.wall_s, self.cpu_s, self.cpu_elsewhere_s = 0, 0.0, 0.0, 0.0
        self.cpu_before_s = 0.0
        self.name = self.start().name()

    def set_budget(self, budget_us):
        """Microseconds of a turn, as its protocol can tell them."""
        self.budget_us = max(1, round(budget_us))
        if self.protocol.whole_seconds:
            self.budget_us = whole_seconds(self.budget_us)

    def start(self):
        """The engine, running."""
        if self.side is None:
            process = LineProcess(self.command)
            self.side = self.protocol(process, self.setup, self.is_hive)
            self.cpu_before_s = process.cpu_s()
        return self.side

    def stop(self):
        if self.side is not None:
            self.side.process.close()
            self.side = None

    def ask(self, reason, method, *arguments):
        """What the engine answers to a method; a refusal ends the game by `reason`."""
        try:
            return getattr(self.start(), method)(*arguments)
        except Refused as refused:
            raise Lost(self.index, reason, str(refused)) from None
        except ProcessError as error:
            self.stop()
            raise Lost(self.index, error.kind, str(error)) from None

    def go(self):
        """A turn, and what it cost in processor seconds."""
        process = self.start().process
        before_s, started = process.cpu_s(), time.monotonic()
        self.cpu_elsewhere_s += max(0.0, before_s - self.cpu_before_s)
        wait_s = self.budget_us / 1e6 + self.patience_s
        actions = self.ask("no move", "go", self.budget_us, wait_s)
        self.wall_s += time.monotonic() - started
        self.cpu_before_s = process.cpu_s()
        cpu_s = self.cpu_before_s - before_s
        self.cpu_s += cpu_s
        self.turns += 1
        return actions, cpu_s

    def mean_ms(self):
        turns = max(1, self.turns)
        return 1000 * self.cpu_s / turns, 1000 * self.wall_s / turns


def play_game(referee, players, first, opening, options):
    """One game; `first` is the index of the engine that is player 0. The record that `--save` keeps."""
    record = {"first": "ab"[first], "opening": opening, "turns": [], "cpu_ms": []}
    try:
        result = play_to_end(referee, players, first, record, options)
        record["result"] = result
    except Lost as lost:
        record["ended_by"] = {"side": "ab"[lost.side], "reason": lost.reason, "detail": lost.detail[:500]}
        # Started again: its answers may be out of step.
        players[lost.side].stop()
    return record


def play_to_end(referee, players, first, record, options):
    """The result for player 0, or `None` at the limit of plies."""
    referee.new()
    game_type = referee.game_type() if referee.is_hive else ""
    for player in players:
        player.ask("refused new game", "new", game_type)
    for action in record["opening"]:
        referee.side.play([action])
        for player in players:
            player.ask("refused a legal move", "play", [action])
    for _ in range(options.max_turns):
        mover, result, _ = referee.state()
        if mover is None:
            return result
        side = mover if first == 0 else 1 - mover
        player, other = players[side], players[1 - side]
        for asked in players:
            if asked.ask("no answer", "ends"):
                raise Lost(asked.index, "other end of the game", f"it says {asked.side.state}")
        actions, cpu_s = player.go()
        record["turns"].append(actions)
        record["cpu_ms"].append(round(1000 * cpu_s, 3))
        try:
            referee.turn(actions)
        except Refused as refused:
            raise Lost(side, "illegal move", str(refused)) from None
        if referee.state()[0] is not None:
            other.ask("refused a legal move", "play", actions)
    return referee.state()[1]


def draw_openings(referee, options):
    """An opening for each pair, distinct as positions where the game has enough of them."""
    rng = random.Random(options.seed)
    seen, openings = set(), []
    for _ in range((options.games + 1) // 2):
        for _ in range(OPENING_TRIES):
            actions, text = referee.opening(rng, options.opening_plies)
            # Hive's text holds the moves in their order, so there it is the game that is distinct.
            if text not in seen:
                break
        seen.add(text)
        openings.append(actions)
    return openings, len(seen)


def rescale(players, before):
    """Brings the budget of b, or of a where b knows whole seconds alone, closer to equal processor times.

    `before` has the turns and processor seconds of both before the last pair. It goes half of the way on a scale of
    logarithms, so that one pair decides little, and makes up for the pairs before it.
    """
    index = 0 if players[1].protocol.whole_seconds else 1
    player, other = players[index], players[1 - index]

    def ratio(since):
        (own_turns, own_s), (other_turns, other_s) = since[index], since[1 - index]
        own = (player.cpu_s - own_s) / max(1, player.turns - own_turns)
        others = (other.cpu_s - other_s) / max(1, other.turns - other_turns)
        return others / own if min(own, others) > 0 else 1.0

    factor = math.sqrt(ratio(before) * ratio([(0, 0.0), (0, 0.0)]))
    player.set_budget(player.budget_us * min(2.0, max(0.5, factor)))


def replay(referee, path):
    """Checks every saved game by the rules; the number of those that differ."""
    n_wrong = n_games = 0
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            record = json.loads(line)
            n_games += 1
            referee.new()
            try:
                for action in record["opening"]:
                    referee.side.play([action])
                refused_last = record.get("ended_by", {}).get("reason") == "illegal move"
                turns = record["turns"][:-1] if refused_last else record["turns"]
                for actions in turns:
                    referee.turn(actions)
                found = referee.state()[1]
                if "result" in record and found != record["result"]:
                    raise Refused(f"the result is {found}, saved {record['result']}")
            except Refused as refused:
                n_wrong += 1
                print(f"{path}:{number}: {refused}")
    print(f"{n_games} games replayed, {n_wrong} differ")
    return n_wrong


def parse_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("--game", required=True, help="such as paper-soccer:8x10, as `tablero games` has it")
    parser.add_argument("--tablero", default="target/release/tablero", help="our program, for the referee")
    parser.add_argument("--protocol", choices=PROTOCOLS, default="tablero", help="of both (default tablero)")
    for letter in "ab":
        parser.add_argument(f"--{letter}", help=f"the command of engine {letter}")
        parser.add_argument(f"--protocol-{letter}", choices=PROTOCOLS, help=f"of {letter} alone")
        parser.add_argument(f"--setup-{letter}", action="append", default=[], help="a line sent at the start")
        parser.add_argument(f"--scale-{letter}", type=float, default=1.0, help=f"times --ms for {letter}")
    parser.add_argument(
        "--ms", type=float, default=50.0, help="budget of a turn by the wall clock (default 50)"
    )
    parser.add_argument(
        "--equal", action="store_true", help="change a budget after each pair towards equal processor times"
    )
    parser.add_argument("--games", type=int, default=20, help="an odd number is raised by one (default 20)")
    parser.add_argument("--opening-plies", type=int, default=6, help="random plies of an opening (default 6)")
    parser.add_argument("--max-turns", type=int, default=400, help="then a game is left (default 400)")
    parser.add_argument("--seed", type=int, default=1, help="of the openings (default 1)")
    parser.add_argument("--patience", type=float, default=30.0, help="seconds beyond a budget (default 30)")
    parser.add_argument(
        "--tolerance", type=float, default=0.05, help="of equal processor times (default 0.05)"
    )
    parser.add_argument("--save", metavar="FILE", help="keeps every game, a JSON object a line")
    parser.add_argument("--replay", metavar="FILE", help="checks saved games instead of playing")
    options = parser.parse_args()
    if not options.replay and not (options.a and options.b):
        parser.error("expected --a and --b, or --replay")
    return options


def play_match(referee, options):
    """Plays all games. Exit code 0, however it ends."""
    openings, n_distinct = draw_openings(referee, options)
    if n_distinct < len(openings):
        print(f"only {n_distinct} distinct openings of {len(openings)}: more --opening-plies make more")
    players = [Player(index, options) for index in (0, 1)]
    records = []
    save = open(options.save, "w", encoding="utf-8") if options.save else None
    try:
        for number, opening in enumerate(openings):
            before = [(player.turns, player.cpu_s) for player in players]
            for first in (0, 1):
                record = {
                    "game": options.game,
                    "pair": number,
                    **play_game(referee, players, first, opening, options),
                }
                records.append(record)
                if save:
                    save.write(json.dumps(record) + "\n")
                    save.flush()
            if options.equal:
                rescale(players, before)
            print(f"{len(records)} games: {score_line(records, False)}", file=sys.stderr, flush=True)
    finally:
        # What was played counts, even where the match is interrupted.
        if records:
            report(records, players, options)
        if save:
            save.close()
    return 0


def main():
    options = parse_options()
    try:
        referee = Referee(options.tablero, options.game)
        if options.replay:
            return 1 if replay(referee, options.replay) else 0
        return play_match(referee, options)
    except (OSError, ProcessError, Refused) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
