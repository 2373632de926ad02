"""The state of Carcassonne in the manner of OpenSpiel."""

import copy
import pickle
import random
from pathlib import Path

import bastide
import numpy as np
import pytest
from conftest import SETUPS, random_state

PRIME = 2**61 - 1


def digest(before: int, values: np.ndarray) -> int:
    values = np.asarray(values, dtype=np.int64).ravel()
    total = int(((np.arange(values.size) + 1) * (values + 7)).sum())
    return (before * 1_000_003 + total) % PRIME


@pytest.mark.parametrize("file, tensors, games", [("games", "v1", 16), ("games-v2", "v2", 32)])
def test_the_rust_side_saw_the_same_games(
    fixtures: Path, file: str, tensors: str, games: int
) -> None:
    text = (fixtures / f"{file}.txt").read_text()
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    assert len(lines) == games
    for line in lines:
        setup, moves, wanted, scores = (part.strip() for part in line.split(";"))
        state, seen = bastide.CarcassonneState(setup, tensors), 0
        for action in map(int, moves.split()):
            if not state.is_chance_node():
                seen = digest(seen, state.legal_actions())
                seen = digest(seen, state.compact())
                other = (state.current_player() + 1) % state.num_players()
                seen = digest(seen, state.planes(other))
                assert np.flatnonzero(state.legal_actions_mask()).tolist() == state.legal_actions()
            state.apply_action(action)
        assert state.is_terminal()
        assert seen == int(wanted)
        assert state.scores() == [int(score) for score in scores.split()]
        assert state.history() == [int(move) for move in moves.split()]


@pytest.mark.parametrize("setup", SETUPS)
def test_a_game_of_every_setup_plays_to_its_end(setup: str) -> None:
    state, chance = bastide.CarcassonneState(setup), random.Random(3)
    while not state.is_terminal():
        if state.is_chance_node():
            assert state.current_player() == -1
            outcomes = state.chance_outcomes()
            assert sum(p for _, p in outcomes) == pytest.approx(1)
            assert [kind for kind, _ in outcomes] == state.legal_actions()
            action = chance.choices(*zip(*outcomes))[0]
        else:
            action = chance.choice(state.legal_actions())
            text = state.action_to_string(action)
            assert state.string_to_action(text) == action
        state.apply_action(action)
    assert state.current_player() == -4
    assert state.legal_actions() == [] and not state.legal_actions_mask().any()
    scores = state.scores()
    best = max(scores)
    assert state.returns("points") == scores
    if state.num_players() == 2:
        assert state.returns() == [scores[0] - scores[1], scores[1] - scores[0]]
    winners = [1.0 if scores.count(best) == 1 else 0.0 if s == best else -1 for s in scores]
    assert [w if s == best else -1.0 for w, s in zip(winners, scores)] == state.returns("win")


def test_every_action_has_one_text_and_comes_back() -> None:
    for setup in ("board=3x3", "standard", "board=20x20"):
        state = bastide.CarcassonneState(setup)
        state.apply_action(20)
        count = state.num_distinct_actions()
        texts = [state.action_to_string(action) for action in range(count)]
        assert len(set(texts)) == count == 4 * state.board_size**2 + 12
        assert [state.string_to_action(text) for text in texts] == list(range(count))
        assert texts[-1] == "pass"


def test_clone_child_pickle_and_deepcopy_in_mid_game() -> None:
    state = random_state(5, 61)
    text = str(state)
    for other in (state.clone(), copy.copy(state), copy.deepcopy(state),
                  pickle.loads(pickle.dumps(state)),
                  bastide.CarcassonneState.from_record(state.serialize())):  # fmt: skip
        assert other == state and hash(other) == hash(state) and str(other) == text
        np.testing.assert_array_equal(other.planes(), state.planes())
        other.apply_action(other.legal_actions()[0])
        assert other != state
    child = state.child(state.legal_actions()[-1])
    assert str(state) == text and len(child.history()) == len(state.history()) + 1


def test_chance_can_be_chosen() -> None:
    state = bastide.CarcassonneState()
    state.apply_action(state.string_to_action("U"))
    assert state.tile_in_hand() == "U" and state.tiles_left()[20] == 7
    assert state.action_to_string(-1, 2) == "C"
    with pytest.raises(ValueError, match="chance node"):
        state.chance_outcomes()
    # There is one tile C only.
    state = bastide.CarcassonneState.from_record("carcassonne board=35x35\nC; 0,1 r0; pass")
    with pytest.raises(bastide.IllegalActionError, match="no tile C is left"):
        state.apply_action(2)


def test_illegal_and_unknown_actions_say_why() -> None:
    state = bastide.CarcassonneState()
    state.apply_action(20)
    assert state.legal_actions(0) == state.legal_actions() and state.legal_actions(1) == []
    assert state.legal_actions_mask(0).any() and not state.legal_actions_mask(1).any()
    before = str(state)
    far = state.string_to_action("9,9 r0")
    with pytest.raises(bastide.IllegalActionError, match="'9,9 r0' is not legal.*legal:"):
        state.apply_action(far)
    for action in (-1, state.num_distinct_actions(), 2**62):
        with pytest.raises(bastide.IllegalActionError, match="out of bounds"):
            state.apply_action(action)
        with pytest.raises(ValueError, match="out of bounds"):
            state.action_to_string(action)
    for action in (2**70, "1", None, 1.5):
        with pytest.raises((TypeError, OverflowError)):
            state.apply_action(action)  # type: ignore[arg-type]
    assert str(state) == before
    for text in ("", "zzz", "99,99 r0", "1,2 r9", "a" * 10_000):
        with pytest.raises(ValueError):
            state.string_to_action(text)
    with pytest.raises(ValueError, match="seats are 0 to 1"):
        state.compact(2)
    with pytest.raises(ValueError, match="allowed: 'margin', 'win', 'points'"):
        state.returns("money")


@pytest.mark.parametrize(
    "setup", ["players=1", "players=7", "board=0x0", "board=146x146", "board=unlimited",
              "board=1x1", "nonsense", "players=2 players=2", "expansions=inns"],
)  # fmt: skip
def test_setups_that_cannot_be_are_refused(setup: str) -> None:
    with pytest.raises(ValueError):
        bastide.CarcassonneState(setup)


def test_records_of_people_are_read() -> None:
    text = "carcassonne players=2\nU; 1,0 r0; road0\nV; -1,0 r3; pass"
    state = bastide.CarcassonneState.from_record(text, board=21)
    assert state.board_size == 21 and state.history_strings()[2] == "road0"
    assert len(bastide.CarcassonneState.from_record(text, ply=2).history()) == 2
    with pytest.raises(ValueError, match="only 6 plies"):
        bastide.CarcassonneState.from_record(text, ply=7)
    with pytest.raises(ValueError, match="board=500"):
        bastide.CarcassonneState.from_record(text, board=500)
    for wrong in ("", "chess", "carcassonne\nU; 0,1 r0", "[", "carcassonne\n" + "x" * 10_000):
        with pytest.raises(ValueError):
            bastide.CarcassonneState.from_record(wrong)
    known = bastide.replay(text)
    assert known["moves"] == state.history_strings() and known["phase"] == "draw_tile"
    assert any("road0" in event for ply, event in known["events"] if ply == 3)


def test_observations_are_as_large_as_the_layout_says() -> None:
    for setup in SETUPS:
        layout, state = bastide.layout(setup), random_state(1, 40, setup)
        assert state.compact().shape == (layout["compact"],)
        assert state.globals().shape == (layout["globals"],)
        side = layout["board_size"]
        assert state.planes().shape == (len(layout["planes"]), side, side)
        game = bastide.CarcassonneGame(setup)
        assert list(state.planes().shape) == game.observation_tensor_shape()
        tensor = state.observation_tensor(1)
        assert tensor.shape == (game.observation_tensor_size(),)
        np.testing.assert_array_equal(tensor, state.planes(1).ravel())
        assert game.new_initial_state().num_distinct_actions() == game.num_distinct_actions()
        tiles = state.compact()[layout["tiles_at"] :].reshape(72, layout["tile_width"])
        lying = state.planes()[layout["planes"].index("tile")]
        rows = tiles[tiles[:, 0] > 0]
        assert lying.sum() == len(rows)
        assert all(lying[i - 1, j - 1] for i, j in rows[:, :2])


def test_pictures() -> None:
    state = random_state(2, 30)
    assert state.svg().startswith("<svg ") and state._repr_svg_() == state.svg()
    pixels = state.rgb(8)
    assert pixels.shape == (280, 280, 3) and len(np.unique(pixels.reshape(-1, 3), axis=0)) > 4
    for cell in (0, 257):
        with pytest.raises(ValueError, match="1 to 256 pixels"):
            state.rgb(cell)


def test_a_dealer_can_be_copied_and_stored() -> None:
    dealer, state = bastide.Dealer(9), bastide.CarcassonneState()
    first = dealer.draw(state)
    copies = [copy.deepcopy(dealer), pickle.loads(pickle.dumps(dealer))]
    assert bastide.Dealer(9).draw(state) == first
    draws = [[d.draw(state) for _ in range(20)] for d in (dealer, *copies)]
    assert draws[0] == draws[1] == draws[2]
    state.apply_action(first)
    with pytest.raises(ValueError, match="not a chance node"):
        dealer.draw(state)
