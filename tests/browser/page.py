"""The page in a browser, and the server behind it: what all checks share."""

from __future__ import annotations

import json
import re
import subprocess
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

WIDE = {"width": 1600, "height": 1000}
NARROW = {"width": 390, "height": 844}


def until(page: Page, expression: str, seconds: float = 30) -> None:
    """Waits. Playwright's own way to do so evaluates text within the page, which its policy forbids."""
    end = time.perf_counter() + seconds
    while not page.evaluate(f"Boolean({expression})"):
        if time.perf_counter() > end:
            raise TimeoutError(expression)
        page.wait_for_timeout(25)


class Server:
    """A server on a free port, and the core beside it."""

    def __init__(self, binary: Path, runs: Path, assets: Path | None) -> None:
        self.binary = binary
        self.runs = runs
        arguments = [str(binary), "serve", "--port", "0", "--runs", str(runs)]
        if assets:
            arguments += ["--assets", str(assets)]
        began = time.perf_counter()
        self.process = subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout
        self.link = self.process.stdout.readline().strip()
        self.start_ms = 1000 * (time.perf_counter() - began)

    def core(self, game: str, state: str) -> Any:
        """What the core says of a state, by the command line."""
        command = [str(self.binary), "moves", game, "--from", state, "--json"]
        return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)

    def close(self) -> None:
        self.process.terminate()
        self.process.wait(timeout=10)


class Check:
    """One browser context: what is asked and what goes wrong is kept."""

    def __init__(self, browser: Browser, server: Server, size: dict[str, int], scheme: str) -> None:
        self.server = server
        self.problems: list[str] = []
        self.context = browser.new_context(
            viewport=size,
            color_scheme=scheme,  # type: ignore[arg-type]
            has_touch=size["width"] < 500,
        )
        # Long, as the machine may do much else.
        self.context.set_default_timeout(90_000)
        self.page = self.context.new_page()
        self.page.on("console", lambda message: self.listen(message.type, message.text))
        self.page.on("pageerror", lambda error: self.problems.append(f"error: {error}"))
        self.page.on("request", lambda request: self.look_at(request.url))

    def listen(self, kind: str, text: str) -> None:
        # A refused move is an answer that browsers report as an error.
        if kind == "error" and not re.search("status of (400|422)", text):
            self.problems.append(f"console: {text}")

    def look_at(self, url: str) -> None:
        if not url.startswith((self.server.link, "data:", "file:")):
            self.problems.append(f"asked elsewhere: {url}")

    def open(self, fragment: str) -> Page:
        self.page.goto("about:blank")
        self.page.goto(f"{self.server.link}#{fragment}")
        until(
            self.page,
            "window.tablero?.page && (tablero.position || ['training', 'rules'].includes(tablero.page))",
            60,
        )
        return self.page

    def seats(self, first: str, second: str, level: int = 0) -> None:
        seats = [{"id": first, "level": level}, {"id": second, "level": level}]
        self.page.evaluate(
            "async seats => { tablero.seats = seats; tablero.keepSeats(); tablero.panels.play.leastDelay = 0;"
            " await tablero.begin(tablero.tree.game); await tablero.panel.drawSetup(); }",
            seats,
        )

    def position(self) -> Any:
        return self.page.evaluate("tablero.position")

    def wait_for_us(self) -> Any:
        """Until a person is to move or the game is over."""
        ours = "tablero.isOver() || tablero.seats[tablero.position.player].id === 'human'"
        until(self.page, f"tablero.position && ({ours})", 60)
        return self.position()

    def click(self, target: str) -> None:
        self.page.locator(f'[data-targets~="{target}"]').last.click()

    def close(self) -> None:
        self.context.close()
        if self.problems:
            raise AssertionError("\n".join(dict.fromkeys(self.problems)))
