"""Drives the page in a real browser: every game to its end, compared with the core.

    python tests/browser/check.py --binary target/release/tablero [--shots DIR] [--only NAME]

Needs Playwright (requirements.txt) and a Chromium, which --chromium names.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from page import NARROW, WIDE, Check, Server, until
from playwright.sync_api import Browser, sync_playwright
from scenes import nobody_is_left_out, take_pictures

# Games that are played to their end, with who plays against the clicks.
GAMES = [
    ("dots-and-boxes:3x3", "minimax"),
    ("queens:8", "minimax"),
    ("paper-soccer:4x4", "minimax"),
    ("xadrersi", "greedy"),
    ("hive:base", "minimax"),
]
# Hive has no bound, but minimax surrounds a queen whose player moves at random long before.
MOST_MOVES = 200


def same_as_core(check: Check) -> None:
    """The position on the board is the core's."""
    shown = check.position()
    core = check.server.core(shown["game"], shown["state"])
    for key in ("board", "actions", "points", "outcome", "player"):
        assert shown.get(key) == core.get(key), f"{key}: {shown.get(key)} and {core.get(key)}"


def play_to_the_end(check: Check, game: str, opponent: str) -> None:
    rng = random.Random(game)
    check.open(f"/play?game={game}")
    check.seats("human", opponent)
    for move in range(MOST_MOVES):
        position = check.wait_for_us()
        if position.get("outcome"):
            break
        if move % 4 == 0:
            same_as_core(check)
        action = rng.choice(position["actions"])
        ply = position["ply"]
        for target in action["clicks"]:
            check.click(target)
        until(check.page, f"tablero.position?.ply > {ply}")
    same_as_core(check)
    final = check.position()
    assert final.get("outcome"), "the game has no end"
    assert re.search("wins|draw", check.page.locator(".turn").inner_text()), "the result is not told"


def illegal_clicks_are_explained(check: Check) -> None:
    check.open("/play?game=queens:8&moves=0")
    check.seats("human", "human")
    check.click("c0")
    until(check.page, "tablero.position?.ply === 1")
    check.click("c9")
    check.page.wait_for_selector("#message.error")
    assert "attacked by the queen" in check.page.locator("#message").inner_text()
    check.open("/play?game=hive:base")
    check.seats("human", "human")
    check.click("wQ")
    check.page.wait_for_timeout(300)
    check.click("h0")
    check.page.wait_for_selector("#message.error")


def keyboard_alone(check: Check) -> None:
    """A game of 2x2 by keys alone: Tab to the board, arrows about it, Enter."""
    page = check.open("/play?game=dots-and-boxes:2x2")
    check.seats("human", "random")
    rng = random.Random(5)
    for _ in range(60):
        position = check.wait_for_us()
        if position.get("outcome"):
            break
        for _ in range(40):
            if page.evaluate(
                "document.activeElement?.closest('svg.board') !== null && document.activeElement !== document.body"
            ):
                break
            page.keyboard.press("Tab")
        legal = {action["clicks"][0] for action in position["actions"]}
        for _ in range(60):
            if page.evaluate("document.activeElement?.dataset?.targets") in legal:
                break
            page.keyboard.press(rng.choice(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]))
        page.keyboard.press("Enter")
        until(page, f"tablero.position?.ply > {position['ply']}")
    assert check.position().get("outcome"), "the game has no end"
    page.keyboard.press("?")
    assert page.locator("dialog[open]").count() == 1
    page.keyboard.press("Escape")


def takeback_and_typing(check: Check) -> None:
    page = check.open("/play?game=paper-soccer:8x10")
    check.seats("human", "human")
    page.get_by_label("Type a move").fill("N E SW")
    page.keyboard.press("Enter")
    until(page, "tablero.position?.ply === 3")
    assert "by bouncing" in page.locator(".turn").inner_text()
    page.locator("body").click(position={"x": 5, "y": 5})
    page.keyboard.press("u")
    until(page, "tablero.position?.ply === 2")
    page.keyboard.press("h")
    page.wait_for_selector(".mark.best")


def analysis_streams(check: Check) -> None:
    page = check.open("/analyse?game=dots-and-boxes:3x3&moves=0.5.9.12")
    page.wait_for_selector("table.analysis tbody tr")
    # Not just any: a mark of a single line has no height, so no browser calls it visible.
    page.wait_for_selector(".marks .mark.best")
    page.get_by_label("Who looks").select_option("solver")
    page.wait_for_selector(".verdict .tag.exact")
    row = page.locator("table.analysis tbody tr").first
    row.hover()
    page.wait_for_selector("svg.board.preview")
    page.mouse.move(5, 5)
    until(page, "!document.querySelector('svg.board.preview')")
    same_as_core(check)
    # The link alone opens the same position.
    link = page.evaluate("location.hash").removeprefix("#")
    state = check.position()["state"]
    check.open(link)
    assert check.position()["state"] == state


def review_finds_the_blunder(check: Check) -> None:
    """The third line of the box gives it away: 1x1 has no other game, so 2x2 does it twice."""
    actions = blunder_game(check.server)
    page = check.open(f"/review?game=dots-and-boxes:2x2&moves={'.'.join(map(str, actions))}")
    until(page, "tablero.panels.review.isDone === true", 60)
    judged = page.evaluate("tablero.panels.review.judged.map(j => [j.ply, j.judgement, j.exact])")
    assert all(exact for _, _, exact in judged), "2x2 is solved"
    mistakes = [ply for ply, judgement, _ in judged if judgement in ("mistake", "blunder")]
    expected = [ply for ply in range(len(actions)) if loses_result(check.server, actions, ply)]
    assert mistakes == expected and expected, f"{mistakes}, by the solver {expected}"
    page.locator("body").click(position={"x": 5, "y": 5})
    page.keyboard.press("m")
    until(page, f"tablero.tree.current.ply !== {len(actions)}")


def solved(server: Server, actions: list[int]) -> Any:
    command = [
        str(server.binary),
        "solve",
        "dots-and-boxes:2x2",
        "--moves",
        " ".join(map(str, actions)),
        "--json",
    ]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def loses_result(server: Server, actions: list[int], ply: int) -> bool:
    """Whether the move played at a ply gives a result away; values are the first player's."""
    return solved(server, actions[:ply])["value"] != solved(server, actions[: ply + 1])["value"]


def blunder_game(server: Server) -> list[int]:
    """A random game that has a blunder in it."""
    for seed in range(100):
        actions = list(range(12))
        random.Random(seed).shuffle(actions)
        if loses_result(server, actions, 4) or loses_result(server, actions, 5):
            return actions
    raise AssertionError("no game with a blunder")


def rules_and_training(check: Check) -> None:
    page = check.open("/rules")
    page.wait_for_selector("article h2")
    page.get_by_label("Game").select_option("hive")
    until(page, "document.querySelector('article').textContent.includes('Pillbug')")
    page = check.open("/training")
    page.wait_for_selector("h2")


def a_run_is_followed(check: Check) -> None:
    """The page shows new rounds while a run continues."""
    folder = check.server.runs / "live"
    command = [str(check.server.binary), "quickstart", "--games", "2", "--out", str(folder), "--rounds"]
    # One round first: training may be over before a page has opened.
    subprocess.run([*command, "1"], check=True, capture_output=True)
    page = check.open("/training")
    until(page, "document.querySelectorAll('.plots figure').length > 0", 240)
    first = page.evaluate("document.querySelector('.training .card p').textContent")
    training = subprocess.Popen([*command, "3"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        until(page, f"document.querySelector('.training .card p').textContent !== {json.dumps(first)}", 240)
        page.locator("summary", has_text="Newest").click()
        page.locator("details button").first.click()
        until(page, "tablero.page === 'review' && tablero.panels.review.judged.length > 0", 60)
    finally:
        training.terminate()
        training.wait()
    subprocess.run([*command, "3"], check=True, capture_output=True)
    a_report_needs_no_server(check, folder)


def a_report_needs_no_server(check: Check, folder: Path) -> None:
    """The report of a run is one file; its games are stepped through, and are the core's."""
    binary, agent = str(check.server.binary), f"policy:{folder},sims=4"
    # Shown are the run's own scores, not those of matches in which it was the second player.
    for a, b in ((agent, "minimax:depth=1"), ("greedy", agent)):
        command = [binary, "eval", "--a", a, "--b", b, "--games", "2"]
        subprocess.run(command, check=True, capture_output=True)
    subprocess.run([binary, "report", str(folder)], check=True, capture_output=True)
    check.page.goto(f"file://{folder}/report.html")
    page = check.page
    until(page, "document.querySelectorAll('.plots figure').length > 5")
    titles = " ".join(page.locator(".plots figcaption").all_inner_texts())
    matches = " ".join(page.locator(".training table").all_inner_texts())
    assert "minimax:depth=1" in matches, matches
    assert "greedy" not in matches + titles, (matches, titles)
    # The quickstart has set others beside its agent.
    assert "perfect play scores" in matches, matches
    assert "tablero report" in page.locator("h1 ~ p").last.inner_text()
    page.locator("summary", has_text="Newest").click()
    page.locator("details button").first.click()
    until(page, "report.tree.current.ply > 4")
    page.keyboard.press("Home")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    until(page, "report.tree.current.ply === 3")
    shown = page.evaluate("report.tree.current.position")
    core = check.server.core(shown["game"], shown["state"])
    assert shown["board"] == core["board"]
    assert page.locator("svg.board .edge.drawn").count() == 3
    page.get_by_role("button", name="To the end (End)").click()
    assert re.search("wins|draw", page.locator(".turn").inner_text())
    page.locator("summary", has_text="Configuration").click()
    for size in (NARROW, WIDE):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        violations = Axe().run(page).response["violations"]
        serious = [found["id"] for found in violations if found["impact"] in ("serious", "critical")]
        assert not serious, serious


def games_are_left_and_begun(check: Check) -> None:
    """Resignation, swapped sides, a link that lies, variations."""
    page = check.open("/play?game=queens:8&moves=0")
    check.seats("minimax", "human")
    check.wait_for_us()
    page.get_by_role("button", name="Resign").click()
    assert "Black resigns: White wins" in page.locator(".turn").inner_text()
    page.get_by_role("button", name="Swap sides").click()
    until(page, "tablero.position?.ply === 0 && tablero.seats[0].id === 'human'")
    check.click("c0")
    until(page, "tablero.position?.ply === 2")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    until(page, "tablero.position?.ply === 0")
    page.evaluate("tablero.open('analyse')")
    check.click("c9")
    until(page, "tablero.position?.ply === 1")
    until(page, "tablero.tree.root.children.length === 2")
    assert page.locator(".move.variation").count() == 1
    # Even if the page writes its own link before it hears of the other.
    bad = "#/play?game=<img src=x onerror=alert(1)>&moves=1.x"
    page.evaluate(f"location.hash = {json.dumps(bad)}; tablero.writeLink()")
    page.wait_for_selector("#message.error")
    assert page.locator("#message img").count() == 0
    # The agent, whose turn it is on this page, moves; what was said is still there.
    until(page, "tablero.position?.ply === 2")
    assert page.locator("#message.error").is_visible()


def puzzles_are_solved(check: Check) -> None:
    page = check.open("/puzzles")
    until(page, "tablero.panels.puzzles.puzzle", 60)
    puzzle = page.evaluate("tablero.panels.puzzles.puzzle")
    actions = puzzle["position"]["actions"]
    wrong = next(action for action in actions if action["action"] != puzzle["solution"])
    right = next(action for action in actions if action["action"] == puzzle["solution"])
    check.click(wrong["clicks"][0])
    page.wait_for_selector("#message.error")
    check.click(right["clicks"][0])
    until(page, "document.querySelector('.turn').textContent.startsWith('Right')")


def the_clock_runs_out(check: Check) -> None:
    """Time runs for who moves, grows by the increment, comes back with a move, and ends the game."""
    page = check.open("/play?game=queens:8")
    page.get_by_label("Clock").select_option("3+2")
    check.seats("human", "human")
    until(page, "tablero.position?.ply === 0 && tablero.clock?.running === null")
    assert page.locator(".time").all_inner_texts() == ["3:00", "3:00"]
    for ply, target in enumerate(("c0", "c10", "c20"), start=1):
        check.click(target)
        until(page, f"tablero.position?.ply === {ply} && tablero.clock.running === {ply % 2}")
    # White has moved in time, and has more than before.
    assert page.evaluate("tablero.clock.of(0)") > 180_000
    page.evaluate("tablero.clock.left[1] = 500")
    page.wait_for_selector(".time.short")
    until(page, "tablero.forfeit !== null")
    assert "Black has no time left: White wins" in page.locator(".turn").inner_text()
    page.get_by_role("button", name="Take back").click()
    until(page, "tablero.position?.ply === 2 && tablero.forfeit === null && tablero.clock.running === 0")
    assert page.evaluate("tablero.clock.of(1)") > 170_000
    # An agent's thinking counts, too.
    check.seats("human", "solver")
    check.click("c0")
    until(page, "tablero.position?.ply === 2", 60)
    assert page.evaluate("tablero.clock.of(1)") < 182_000


def levels_have_names(check: Check) -> None:
    """Levels are named, weak ones draw their moves, and a rating stands where one was measured."""
    page = check.open("/play?game=xadrersi")
    agents = page.evaluate("tablero.agents('xadrersi')")
    names = ["beginner", "novice", "intermediate", "advanced", "expert", "master"]
    levels = {agent["id"]: agent["levels"] for agent in agents}
    for agent in ("zoo", "minimax"):
        assert [level.split(":")[0] for level in levels[agent]] == names, levels[agent]
    assert "temperature 1" in levels["zoo"][0]
    assert all("Elo above greedy" in level for level in levels["zoo"] + levels["minimax"][:5])
    firsts = set()
    for _ in range(6):
        check.seats("zoo", "human")
        until(page, "tablero.position?.ply === 1", 60)
        firsts.add(page.evaluate("tablero.tree.current.action"))
    assert len(firsts) > 1, "a beginner plays the same each time"


def notes_come_back(check: Check) -> None:
    """What is exported is imported, with its notes; the core passes them over."""
    page = check.open("/analyse?game=hive:base&moves=1024.15361")
    note = page.get_by_label("A note on this move")
    note.fill("beside {the}\nspider; why?")
    page.keyboard.press("Escape")
    page.evaluate("tablero.go(tablero.tree.current.parent)")
    until(page, "tablero.tree.current.ply === 1")
    note.fill("a first note")
    page.evaluate("tablero.go(tablero.tree.current.children[0])")
    until(page, "tablero.tree.current.ply === 2")
    page.locator("summary", has_text="Import and export").click()
    record = page.get_by_label("The moves and notes as text").input_value()
    assert "{a first note} ;" in record and "{beside the spider; why?}" in record, record
    state = check.position()["state"]
    command = [str(check.server.binary), "moves", "hive:base", "--moves", record, "--json"]
    core = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    assert core["state"] == state
    check.open("/analyse?game=hive:base")
    page.locator("summary", has_text="Import and export").click()
    page.get_by_label("Paste a position or moves").fill(record)
    page.keyboard.press("Enter")
    until(page, "tablero.tree.current.ply === 2")
    notes = page.evaluate("tablero.tree.mainLine().map(node => node.note)")
    assert notes == ["", "a first note", "beside the spider; why?"], notes
    assert check.position()["state"] == state


def variations_come_back(check: Check) -> None:
    """A tree goes out as a line of moves for each variation, after its first state, and comes in again."""
    page = check.open("/analyse?game=dots-and-boxes:2x2")
    page.locator("summary", has_text="Import and export").click()
    record = page.get_by_label("The moves and notes as text")
    start = check.position()["state"]
    lines = [start, "1-1-h ; 2-1-h {takes it} ; 1-1-v", "1-1-h ; 2-1-h ; 1-2-h", "2-2-v"]
    for text in ("\n".join(lines[1:]), "\n".join(lines)):
        page.get_by_label("Paste a position or moves").fill(text)
        page.keyboard.press("Enter")
        until(page, "tablero.tree.root.children.length === 2 && tablero.tree.current.ply === 3")
        assert record.input_value() == text, record.input_value()
        check.open("/analyse?game=dots-and-boxes:2x2")
        page.locator("summary", has_text="Import and export").click()


def recorded_games_come_and_go(check: Check) -> None:
    """A game as `tablero play` prints it is opened, whatever game is on the board, and goes out in the same form."""
    page = check.open("/analyse?game=queens:6")
    page.locator("summary", has_text="Import and export").click()
    text = '[Game "dots-and-boxes:2x2"] [First "you"] [Seed "7"]\n1-1-h; 2-1-h;\n1-1-v\n*\n'
    page.get_by_label("Paste a position or moves").fill(text)
    page.keyboard.press("Enter")
    until(page, "tablero.tree.game === 'dots-and-boxes:2x2' && tablero.tree.current.ply === 3")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "game.txt"
        file.write_text(page.get_by_label("The main line as a recorded game").input_value())
        command = [str(check.server.binary), "moves", str(file), "--json"]
        core = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    assert core["state"] == check.position()["state"]


def times(browser: Browser, server: Server) -> None:
    """The start of the server, the first paint, the size of the page."""
    check = Check(browser, server, WIDE, "light")
    page = check.open("/play")
    page.reload()
    until(page, "window.tablero?.position")
    paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime")
    size = page.evaluate(
        "performance.getEntriesByType('resource').reduce((n, e) => n + e.decodedBodySize, 0)"
    )
    print(
        f"started in {server.start_ms:.0f} ms, first paint after {paint:.0f} ms, {size / 1000:.0f} kB of page"
    )
    check.close()


def checks() -> Iterator[tuple[str, Callable[[Check], None]]]:
    for game, opponent in GAMES:
        yield (
            f"play {game}",
            lambda check, game=game, opponent=opponent: play_to_the_end(check, game, opponent),
        )  # type: ignore[misc]
    for check in (
        illegal_clicks_are_explained,
        keyboard_alone,
        takeback_and_typing,
        analysis_streams,
        review_finds_the_blunder,
        rules_and_training,
        games_are_left_and_begun,
        puzzles_are_solved,
        the_clock_runs_out,
        levels_have_names,
        notes_come_back,
        variations_come_back,
        recorded_games_come_and_go,
        nobody_is_left_out,
        a_run_is_followed,
    ):
        yield check.__name__.replace("_", " "), check


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--binary", type=Path, default=Path("target/release/tablero"))
    parser.add_argument("--chromium", default=shutil.which("chromium") or "chromium")
    parser.add_argument("--assets", type=Path, help="serve the page from this folder")
    parser.add_argument("--runs", type=Path, help="a folder of training runs")
    parser.add_argument("--shots", type=Path, help="only take pictures of every page into this folder")
    parser.add_argument("--only", help="only what has this in its name")
    return parser.parse_args()


def main() -> int:
    given = arguments()
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        server = Server(given.binary, given.runs or folder, given.assets)
        stack.callback(server.close)
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=given.chromium, args=["--no-sandbox"])
        stack.callback(browser.close)
        if given.shots:
            given.shots.mkdir(parents=True, exist_ok=True)
            take_pictures(browser, server, given.shots, given.only)
            return 0
        times(browser, server)
        failed = 0
        for name, run in checks():
            if given.only and given.only not in name:
                continue
            began = time.perf_counter()
            check = Check(browser, server, NARROW if "queens" in name else WIDE, "light")
            try:
                run(check)
                check.close()
                print(f"ok      {name} ({time.perf_counter() - began:.1f} s)", flush=True)
            except Exception as error:  # noqa: BLE001 - each check is told, then the next is run
                failed += 1
                print(f"FAILED  {name}: {error}", flush=True)
        return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
