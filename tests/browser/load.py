"""Asks a server for 50 positions a second while two analyses stream, and watches its memory.

    python tests/browser/load.py --binary target/release/tablero [--seconds 60]

Fails if a request takes a second, memory grows by more than the trees of the analyses or is not given back
when they have ended, or a search outlives its client by more than 100 ms (twice that where the machine is
busy: the slowest of five is told). On a busy machine an analysis, and so its tree, can outlast 60 seconds.
"""

from __future__ import annotations

import argparse
import http.client
import json
import socket
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path
from urllib.parse import urlsplit

RATE = 50
LINE = {"game": "hive:base+mlp", "from": None, "actions": []}


def ask(port: int, path: str, body: object) -> bytes:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
    answer = connection.getresponse().read()
    connection.close()
    return answer


def n_free(port: int) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("GET", "/api/about")
    free: int = json.loads(connection.getresponse().read())["free_searches"]
    connection.close()
    return free


def memory_mib(pid: int) -> float:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    raise RuntimeError("no memory of the process")


def stream(port: int) -> socket.socket:
    """Opens an analysis without end, as far as this test goes."""
    body = json.dumps({"line": {"game": "hive:base+mlp", "actions": []}, "agent": {"id": "mcts", "level": 2}})
    connection = socket.create_connection(("127.0.0.1", port))
    head = f"POST /api/analyse HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
    connection.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n{body}".encode())
    while b"event:" not in connection.recv(65536):
        pass
    return connection


def keep_streaming(port: int, end: threading.Event) -> None:
    """Two analyses at any time: each is read, and begun again when it is over."""
    while not end.is_set():
        connection = stream(port)
        connection.settimeout(1)
        while not end.is_set():
            try:
                text = connection.recv(65536)
            except TimeoutError:
                continue
            if not text or b"event: done" in text:
                break
        connection.close()
        time.sleep(0.05)


def load(port: int, pid: int, seconds: float) -> bool:
    end = threading.Event()
    streams = [threading.Thread(target=keep_streaming, args=(port, end)) for _ in range(2)]
    for thread in streams:
        thread.start()
    taken: list[float] = []
    lock = threading.Lock()

    def one() -> None:
        began = time.perf_counter()
        answer = ask(port, "/api/position", {"line": LINE})
        with lock:
            taken.append(time.perf_counter() - began if b'"board"' in answer else 99.0)

    start = time.perf_counter()
    memory: list[float] = []
    threads = []
    for index in range(int(RATE * seconds)):
        time.sleep(max(0.0, start + index / RATE - time.perf_counter()))
        threads.append(threading.Thread(target=one))
        threads[-1].start()
        if index % (RATE * 5) == 0:
            memory.append(memory_mib(pid))
    for thread in threads:
        thread.join()
    end.set()
    for thread in streams:
        thread.join()
    taken.sort()
    rate = len(taken) / (time.perf_counter() - start)
    time.sleep(1)
    after = memory_mib(pid)
    print(
        f"{rate:.0f} positions a second, median {1000 * statistics.median(taken):.1f} ms, "
        f"slowest {1000 * taken[-1]:.0f} ms; memory by 5 s: {' '.join(f'{mib:.0f}' for mib in memory)} MiB, "
        f"after that {after:.0f} MiB"
    )
    # The first seconds fill what is kept; an analysis has a tree.
    half = memory[len(memory) // 4 :]
    is_flat = max(half) < 1.3 * min(half) + 40 and after < memory[0] + 30
    return taken[-1] < 1 and is_flat


def ends(port: int, most: int) -> bool:
    slowest = 0.0
    for _ in range(5):
        connection = stream(port)
        connection.close()
        gone = time.perf_counter()
        while n_free(port) < most:
            time.sleep(0.002)
        slowest = max(slowest, time.perf_counter() - gone)
    print(f"searches of vanished clients end within {1000 * slowest:.0f} ms")
    return slowest < 0.2


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--binary", type=Path, default=Path("target/release/tablero"))
    parser.add_argument("--seconds", type=float, default=60)
    given = parser.parse_args()
    server = subprocess.Popen([str(given.binary), "serve", "--port", "0"], stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout
        port = urlsplit(server.stdout.readline().strip()).port
        assert port
        most = n_free(port)
        is_fine = ends(port, most)
        is_fine &= load(port, server.pid, given.seconds)
    finally:
        server.terminate()
    return 0 if is_fine else 1


if __name__ == "__main__":
    sys.exit(main())
