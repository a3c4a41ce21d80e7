"""Names for `gymnasium.make` and `gymnasium.make_vec`: `tablero/Hive-v0` and so on.

`gymnasium.make` gives one agent against a player (`TableroEnv`); `gymnasium.make_vec` games in which one
policy plays both sides (`TableroVectorEnv`). Parameters of a game: ``spec="hive:base+mlp"``.
"""

import gymnasium

#: The names, and the games that they stand for.
ENVIRONMENTS = {
    "tablero/DotsAndBoxes-v0": "dots-and-boxes:5x5",
    "tablero/Queens-v0": "queens:8",
    "tablero/PaperSoccer-v0": "paper-soccer:8x10",
    "tablero/Xadrersi-v0": "xadrersi",
    "tablero/Hive-v0": "hive:base+mlp",
}


def register_envs() -> None:
    """Called when `tablero` is imported, if Gymnasium is installed."""
    for name, spec in ENVIRONMENTS.items():
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                entry_point="tablero.single:TableroEnv",
                vector_entry_point="tablero.vector:TableroVectorEnv",
                kwargs={"spec": spec},
            )
