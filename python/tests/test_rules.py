"""Games and states, against published counts and themselves."""

import copy
import pickle

import numpy as np
import pytest
import tablero
from conftest import random_states


def test_every_game_has_an_entry():
    names = {name for name, *_ in tablero.games()}
    # Other tests may have registered more.
    assert names >= {"dots-and-boxes", "queens", "paper-soccer", "xadrersi", "hive"}
    for _, _, _, spec in tablero.games():
        assert tablero.Game(spec).spec == spec


@pytest.mark.parametrize(
    ("spec", "counts"),
    [
        # Without captures and to the end: 4!, 4 * 3.
        ("dots-and-boxes:1x1", [4, 12, 24, 24, 0]),
        # Published for the Mzinga engine (perft of the base game, and with all expansions).
        ("hive:base", [4, 96, 1440, 21600]),
        ("hive:base+mlp", [7, 294, 6678, 151686]),
    ],
)
def test_perft(spec, counts):
    assert tablero.Game(spec).initial().perft(len(counts)) == counts


def test_a_state_comes_back_from_its_text(spec):
    game = tablero.Game(spec)
    for state in random_states(game, 3):
        for back in (game.parse_state(str(state)), pickle.loads(pickle.dumps(state)), copy.deepcopy(state)):
            assert back == state
            assert back.legal_actions() == state.legal_actions()
            np.testing.assert_array_equal(back.observation(), state.observation())


def test_masks_slots_and_notation_are_those_of_the_legal_actions(spec):
    game = tablero.Game(spec)
    assert len(game.planes) == game.observation_shape[0]
    assert len(game.policy_planes) == game.policy_shape[0]
    n_slots = int(np.prod(game.policy_shape))
    for state in random_states(game, 2):
        legal = state.legal_actions()
        assert np.flatnonzero(state.mask()).tolist() == legal
        slots = state.policy_slots()
        assert len(slots) == len(legal) and all(0 <= slot < n_slots for slot in slots)
        for action in legal[:5]:
            assert state.parse_action(state.action_text(action)) == action


def test_games_end_with_returns(spec):
    state = tablero.Game(spec).initial()
    for seed in range(2000):
        assert state.returns is None and not state.is_over
        state.play(state.random_action(seed))
        if state.is_over:
            break
    assert state.returns in [(1, -1), (-1, 1), (0, 0)]
    assert state.legal_actions() == [] and state.mask().sum() == 0
    with pytest.raises(tablero.IllegalActionError):
        state.play(0)
    with pytest.raises(ValueError, match="over"):
        state.random_action(0)


def test_bad_input_is_refused_with_the_reason_and_changes_nothing():
    with pytest.raises(ValueError, match="known games"):
        tablero.Game("chess")
    state = tablero.Game("dots-and-boxes:2x2").initial()
    state.play("1-1-h")
    before = str(state)
    with pytest.raises(tablero.IllegalActionError, match="already drawn"):
        state.play("1-1-h")
    with pytest.raises(ValueError, match="expected"):
        state.play("nowhere")
    with pytest.raises(ValueError, match="expected an action below 12"):
        state.action_text(99)
    assert str(state) == before


def test_a_view_has_every_legal_action_with_its_clicks(spec):
    game = tablero.Game(spec)
    for state in random_states(game, 2):
        view = state.view()
        assert (view["game"], view["state"]) == (game.spec, str(state))
        assert view["player"] == (None if state.is_over else state.player_to_move)
        actions = view["actions"]
        assert [action["action"] for action in actions] == state.legal_actions()
        assert [action["text"] for action in actions] == [state.action_text(a) for a in state.legal_actions()]
        assert all(action["clicks"] for action in actions)
        assert view.get("points") == (None if state.points is None else list(state.points))
