"""What it costs that a game is written in Python: Connect Four of python/examples beside that of examples/connect_four,
trained alike on one thread, in turns. The processor time includes learning; the games are as many, but not the same.

``python tests/outside/python_game_speed.py BINARY`` with the program of examples/connect_four.
"""

import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import tablero

TOP = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / "python/examples"))
import connect_four  # noqa: E402

TURNS = 3
ROUNDS, GAMES = 2, 32
NETWORKS = {
    "mlp, 128 hidden units": 'kind = "mlp"\nhidden = [128]',
    "residual, 4x64": 'kind = "residual"\nblocks = 4\nchannels = 64',
}


def in_python(config, folder):
    start = time.process_time()
    tablero.train(config, folder / "python", threads=1)
    return time.process_time() - start


def in_rust(binary, config, folder):
    (folder / "config.toml").write_text(config)
    command = [
        binary,
        "train",
        "--config",
        folder / "config.toml",
        "--out",
        folder / "rust",
        "--threads",
        "1",
    ]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    tablero.register(connect_four.ConnectFour())
    template = connect_four.CONFIG.format(rounds=ROUNDS).replace("games = 64", f"games = {GAMES}")
    for name, network in NETWORKS.items():
        config = template.replace(NETWORKS["mlp, 128 hidden units"], network)
        seconds = []
        for _ in range(TURNS):
            with tempfile.TemporaryDirectory() as folder:
                seconds.append((in_python(config, Path(folder)), in_rust(sys.argv[1], config, Path(folder))))
        python, rust = (statistics.median(column) for column in zip(*seconds, strict=True))
        games = ROUNDS * GAMES
        speeds = f"{games / python:.2f} games per second in Python, {games / rust:.2f} in Rust"
        print(f"{name}: {speeds} (ratio {rust / python:.2f})")


if __name__ == "__main__":
    main()
