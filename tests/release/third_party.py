"""The licences of everything that a program is made of, with their texts, as Markdown on standard output.

python3 tests/release/third_party.py [PACKAGE]
"""

import json
import re
import subprocess
import sys
from pathlib import Path

TEXTS = re.compile(r"(?i)^(un)?licen[cs]e|^copying|^copyright|^notice")


def metadata():
    """All packages that Cargo knows of this workspace, by name and version."""
    command = ["cargo", "metadata", "--locked", "--format-version", "1"]
    packages = json.loads(subprocess.check_output(command))["packages"]
    return {(package["name"], package["version"]): package for package in packages}


def linked(package):
    """Names and versions of the foreign crates that end up in a program, sorted."""
    command = ["cargo", "tree", "--locked", "--package", package, "--edges", "normal", "--prefix", "none"]
    lines = subprocess.check_output([*command, "--format", "{p}"], text=True).splitlines()
    # "name v1.2.3", with a path after it for our own crates.
    crates = {tuple(line.replace(" v", " ", 1).split()[:2]) for line in lines if " (/" not in line}
    return sorted(crates)


def texts(package):
    """The licence files of a package, as they are."""
    folder = Path(package["manifest_path"]).parent
    files = sorted(file for file in folder.iterdir() if file.is_file() and TEXTS.match(file.name))
    return [file.read_text(encoding="utf-8", errors="replace").strip() for file in files]


def main():
    package = sys.argv[1] if len(sys.argv) > 1 else "tablero"
    known = metadata()
    users = {}
    print("# Third-party licences\n")
    print(f"`{package}` contains these crates, under the licences that they name. Texts follow.\n")
    print("| crate | version | licence |\n|---|---|---|")
    for name, version in linked(package):
        crate = known[name, version]
        print(f"| {name} | {version} | {crate['license'] or 'see its text'} |")
        for text in texts(crate):
            users.setdefault(text, []).append(f"{name} {version}")
    for text, crates in users.items():
        print(f"\n## {', '.join(crates)}\n\n````text\n{text}\n````")


if __name__ == "__main__":
    main()
