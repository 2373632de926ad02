"""Quarter turns: turning a game and turning what it shows are the same."""

import random
from typing import Any

import bastide
import numpy as np
import pytest
from bastide import Symmetry
from conftest import random_state

TURNABLE = [
    ("start=empty board=15x15", "v1"),
    ("start=empty board=15x15", "v2"),
    ("players=4 start=empty board=7x7 farmers=off", "v1"),
    ("players=3 start=empty board=11x11 sets=inns,traders,gardens", "v2"),
    ("start=empty board=1x1", "v1"),
]


@pytest.mark.parametrize("setup, tensors", TURNABLE)
def test_turning_a_record_and_turning_its_observation_commute(setup: str, tensors: str) -> None:
    symmetry = Symmetry(setup, tensors)
    for seed in range(3):
        state = bastide.CarcassonneState(setup, tensors)
        dealer, chance = bastide.Dealer(seed), random.Random(seed)
        turned = {quarters: state.clone() for quarters in (1, 2, 3)}
        while True:
            for quarters, other in turned.items():
                if chance.random() < 0.1:
                    assert symmetry.state(state, quarters) == other
                for seat in {0, state.num_players() - 1}:
                    planes = symmetry.planes(state.planes(seat), quarters)
                    np.testing.assert_array_equal(other.planes(seat), planes)
                    compact = symmetry.compact(state.compact(seat), quarters)
                    np.testing.assert_array_equal(other.compact(seat), compact)
                    np.testing.assert_array_equal(other.globals(seat), state.globals(seat))
                mask = symmetry.mask(state.legal_actions_mask(), quarters)
                np.testing.assert_array_equal(other.legal_actions_mask(), mask)
                assert other.scores() == state.scores()
                if not state.is_chance_node():
                    legal = symmetry.actions(np.array(state.legal_actions(), int), quarters)
                    assert sorted(legal.tolist()) == other.legal_actions()
            if state.is_terminal():
                break
            if state.is_chance_node():
                number, wanted = dealer.draw(state), None
            else:
                number = chance.choice(state.legal_actions())
                wanted = [int(symmetry.actions(number, quarters)) for quarters in turned]
            state.apply_action(number)
            for other, action in zip(turned.values(), wanted or [number] * 3):
                other.apply_action(action)


@pytest.mark.parametrize("setup, tensors", [("standard", "v1"), ("board=8x8", "v1"), ("all-sets", "v2")])
def test_what_no_game_shows_still_agrees_with_itself(setup: str, tensors: str) -> None:
    """With a start tile, a river, on an even board: the mask is that of the planes, turned."""
    symmetry, state = Symmetry(setup, tensors), random_state(5, 30, setup, tensors)
    first = symmetry.layout["planes"].index("the tile fits turned r0")
    while state.phase != "place_tile":
        state.apply_action(state.legal_actions()[0])
        bastide.Dealer(1).deal(state)
    side = state.board_size
    for quarters in range(4):
        planes = symmetry.planes(state.planes(), quarters)[first : first + 4]
        mask = symmetry.mask(state.legal_actions_mask(), quarters)[: 4 * side * side]
        np.testing.assert_array_equal(planes.transpose(1, 2, 0).reshape(-1), mask)
    assert (symmetry.state(state, 4) == state) and symmetry.state(state, 0) == state
    with pytest.raises(ValueError, match="has no turned games: they need start=empty and a board of odd"):
        symmetry.state(state, 1)


@pytest.mark.parametrize("tensors", ["v1", "v2"])
def test_turns_are_a_group_on_batches(tensors: str) -> None:
    symmetry = Symmetry("board=9x9", tensors)
    batch = bastide.CarcassonneBatch(6, "board=9x9", observation="planes", mask=True, tensors=tensors)
    batch.reset(seed=1)
    for _ in range(20):
        step = batch.step(batch.sample_actions())
    planes, mask = step.observation["planes"], step.mask
    actions = batch.sample_actions()
    for a in range(-4, 5):
        for b in (1, 2):
            for turn, value in ((symmetry.planes, planes), (symmetry.mask, mask), (symmetry.actions, actions)):
                np.testing.assert_array_equal(turn(turn(value, a), b), turn(value, a + b))
        np.testing.assert_array_equal(symmetry.planes(planes, a)[2], symmetry.planes(planes[2], a))
        turned = symmetry.mask(mask, a)
        assert turned[np.arange(6), symmetry.actions(actions, a)].all()
    rollout = np.stack([planes, planes])
    assert symmetry.planes(rollout, 3).shape == rollout.shape
    np.testing.assert_array_equal(symmetry.planes(planes, 4), planes)


@pytest.mark.parametrize(
    "use, error, words",
    [
        (lambda s: s.planes(np.zeros((3, 9, 9)), 1), ValueError, r"expected shape \(..., 32, 9, 9\), found \(3, 9, 9\)"),
        (lambda s: s.planes(7, 1), ValueError, r"planes: expected shape"),
        (lambda s: s.compact(np.zeros(5), 1), ValueError, r"compact: expected shape \(..., 673\), found \(5,\)"),
        (lambda s: s.mask(np.zeros((2, 5)), 1), ValueError, r"mask: expected shape \(..., 336\), found \(2, 5\)"),
        (lambda s: s.actions([336], 1), ValueError, "action 336 is out of bounds: actions are 0 to 335"),
        (lambda s: s.actions([-1], 1), ValueError, "action -1 is out of bounds"),
        (lambda s: s.actions([2**63], 1), ValueError, "out of bounds"),
        (lambda s: s.actions([0.5], 1), TypeError, "expected an integer dtype, found float64"),
        (lambda s: s.actions([0], 0.5), TypeError, r"quarters=0.5: expected an integer"),
        (lambda s: s.state(7, 1), TypeError, "expected CarcassonneState, found int"),
        (lambda s: s.state(bastide.CarcassonneState(), 1), ValueError, "state: expected one of"),
        (lambda s: s.state(bastide.CarcassonneState("board=9x9", "v2"), 1), ValueError, "tensors 'v2'"),
    ],
)
def test_hostile_arguments_of_turns(use: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        use(Symmetry("board=9x9"))
    with pytest.raises(ValueError):
        Symmetry("no such setup")
