"""What a stranger meets first: help on every name, paths, missing packages."""

import inspect
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest
import tablero
from tablero import _tablero
from tablero.aec import TableroAEC
from tablero.single import TableroEnv
from tablero.vector import TableroVectorEnv


def public_names():
    """Everything public that is made here, by its dotted name."""
    modules = [tablero, _tablero]
    for info in pkgutil.iter_modules(tablero.__path__, "tablero."):
        if not info.name.startswith("tablero._"):
            modules.append(__import__(info.name, fromlist=["_"]))
    for module in modules:
        yield module.__name__, module
        names = getattr(module, "__all__", [name for name in vars(module) if not name.startswith("_")])
        for name in names:
            thing = getattr(module, name)
            if not (inspect.isclass(thing) or callable(thing)):
                continue
            if not (getattr(thing, "__module__", None) or "tablero").startswith("tablero"):
                continue
            yield f"{module.__name__}.{name}", thing
            if inspect.isclass(thing):
                for member, value in vars(thing).items():
                    if not member.startswith("_") and (callable(value) or inspect.isdatadescriptor(value)):
                        yield f"{module.__name__}.{name}.{member}", value
                    if isinstance(value, (staticmethod, classmethod)) and not member.startswith("_"):
                        yield f"{module.__name__}.{name}.{member}", value.__func__


def test_every_public_name_has_its_documentation_at_run_time():
    names = dict(public_names())
    assert {"tablero.Game.initial", "tablero.State.perft", "tablero.search"} <= set(names)
    assert len(names) > 120
    bare = [name for name, thing in names.items() if not (inspect.getdoc(thing) or "").strip()]
    assert bare == []


def test_stub_and_module_have_the_same_names():
    stub = (Path(tablero.__file__).parent / "_tablero.pyi").read_text()
    listed = stub[stub.index("__all__ = [") : stub.index("]", stub.index("__all__ = ["))]
    assert set(re.findall(r'"(\w+)"', listed)) == set(_tablero.__all__)


def test_paths_are_taken_wherever_a_path_is(tmp_path):
    tablero.Policy.load("zoo:queens:8").save(tmp_path / "policy")
    state = tablero.Game("queens:8").initial()
    assert tablero.Player("queens:8", tmp_path / "policy").choose(state) in state.legal_actions()
    env = tablero.make_single("queens:8", tmp_path / "policy", player=0)
    env.reset(seed=1)
    config = tmp_path / "run.toml"
    config.write_text(tablero.preset("quickstart").replace("rounds = 30", "rounds = 1"))
    tablero.train(config, tmp_path / "run", threads=1, callback=None)
    assert tablero.Policy.load(tmp_path / "run").game == tablero.Policy.load(str(tmp_path / "run")).game
    assert len(tablero.Replay.read(tmp_path / "run" / "replay" / "000000.shard")) > 0
    with pytest.raises(FileNotFoundError):
        tablero.train(Path("nowhere.toml"), tmp_path / "other")
    with pytest.raises(ValueError, match="there is no folder"):
        tablero.Player("queens:8", Path("nowhere"))


def without(missing, code):
    """What Python prints with these packages missing."""
    blocked = "".join(f"sys.modules[{name!r}] = None; " for name in missing)
    code = f"import sys; {blocked}\n{code}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    return done.stdout + done.stderr


TRY = """
import tablero
state = tablero.Game("queens:6").initial()
print(state.play(tablero.Player("queens:6", "greedy").choose(state)))
for call in CALLS:
    try:
        call()
        print("done")
    except ImportError as error:
        print(error)
"""


@pytest.mark.parametrize(
    ("missing", "calls", "expected"),
    [
        (["numpy"], "tablero.Replay", "this part of tablero needs numpy: pip install numpy"),
        (["numpy"], "state.observation()", "this part of tablero needs numpy: pip install numpy"),
        (["numpy"], "state.mask()", "this part of tablero needs numpy: pip install numpy"),
        (["numpy"], "tablero.search([state], None)", "this part of tablero needs numpy: pip install numpy"),
        (["numpy"], "tablero.Policy.load('zoo:queens:8').evaluate([])", "needs numpy: pip install numpy"),
        (["numpy"], "tablero.make('queens:6')", "this part of tablero needs numpy: pip install numpy"),
        (["gymnasium"], "tablero.make_single('queens:6')", "pip install 'tablero[gymnasium]'"),
        (["gymnasium"], "tablero.make_vec('queens:6', 2)", "pip install 'tablero[gymnasium]'"),
        (["pettingzoo"], "tablero.make('queens:6')", "pip install 'tablero[pettingzoo]'"),
        (["ray"], "__import__('tablero.ray')", "pip install 'tablero[ray]'"),
    ],
)
def test_missing_packages_are_named_and_the_rest_works(missing, calls, expected):
    said = without(missing, TRY.replace("CALLS", f"[lambda: {calls}]"))
    assert "cells left free, Black to move" in said
    assert expected in said and "Traceback" not in said and "panicked" not in said


@pytest.mark.parametrize("environment", [TableroAEC, TableroEnv, TableroVectorEnv])
def test_environments_say_what_they_are(environment):
    assert environment.__doc__ and environment.step.__doc__ and environment.reset.__doc__
