"""What the scripts share that set our networks beside other programs': the example `speed` of tablero-models,
and the networks that it knows."""

import argparse
import subprocess

# Name, observation, blocks.
NETWORKS = [
    ("mlp-200-128-128-60", [200, 1, 1], None),
    ("residual-4x64-9x9", [8, 9, 9], 4),
    ("residual-6x64-16x16", [20, 16, 16], 6),
]


class Ours:
    """Our program, which answers line by line."""

    def __init__(self, command, subject):
        self.subject = subject
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def ask(self, *words):
        self.process.stdin.write(" ".join(map(str, [self.subject, *words])) + "\n")
        answer = self.process.stdout.readline()
        if not answer:
            raise SystemExit("our program ended")
        return answer.strip()


def options_parser(doc, seconds):
    """What the command line of such a script has."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ours", required=True, help="the example speed of tablero-models")
    parser.add_argument("--turns", type=int, default=5, help="times that each is timed (default 5)")
    parser.add_argument(
        "--seconds", type=float, default=seconds, help=f"length of a turn (default {seconds})"
    )
    parser.add_argument("--networks", default="", help="only networks whose name holds this")
    return parser


def parse_options(doc, seconds):
    """The command line of a script that has no other options."""
    return options_parser(doc, seconds).parse_args()
