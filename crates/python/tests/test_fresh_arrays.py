"""Fresh arrays: what is kept of a step never changes, and memory that nobody holds is used again."""

import gc
import weakref
from collections.abc import Callable
from typing import Any

import bastide
import numpy as np
import pytest
from bastide.batch import ArrayPool
from conftest import random_state
from test_batch import check_arrays

SETUP = "board=9x9"

# What somebody may keep of an array, and how its numbers are read later.
KEPT: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    "the array": (lambda a: a, np.asarray),
    "a view": (lambda a: a.view(), np.asarray),
    "a slice": (lambda a: a[1:3], np.asarray),
    "a slice of a slice": (lambda a: a[1:][..., ::2], np.asarray),
    "a row": (lambda a: a[2], np.asarray),
    "a transposed view": (lambda a: a.T, np.asarray),
    "another shape": (lambda a: a.reshape(-1), np.asarray),
    "another type's view": (lambda a: a.view(np.int8), np.asarray),
    "a broadcast view": (lambda a: np.broadcast_to(a, (2, *a.shape)), np.asarray),
    "a memoryview": (memoryview, np.asarray),
    "a slice of a memoryview": (lambda a: memoryview(a)[1:], np.asarray),
    "a buffer": (lambda a: np.frombuffer(a, np.uint8), np.asarray),
    "a flat iterator": (lambda a: a.flat, lambda kept: np.array(kept)),
    "a ctypes pointer": (lambda a: a.ctypes, lambda kept: np.array(kept._arr)),
    "a closure": (lambda a: lambda: a, lambda kept: kept()),
    "a tensor by dlpack": (np.from_dlpack, np.asarray),
    "a subclass": (lambda a: a.view(np.recarray), np.asarray),
}


def carcassonne(**options: Any) -> bastide.CarcassonneBatch:
    return bastide.CarcassonneBatch(4, SETUP, mask=True, **options)


def large_arrays(step: Any) -> dict[str, np.ndarray]:
    seen = step.observation
    seen = seen if isinstance(seen, dict) else {"observation": seen}
    arrays = {**seen, "mask": step.mask}
    return {**arrays, "reward": step.reward, "terminated": step.terminated}


@pytest.mark.parametrize("how", KEPT)
@pytest.mark.parametrize("observation", ["compact", "planes"])
def test_what_is_kept_never_changes(how: str, observation: str) -> None:
    keep, read = KEPT[how]
    batch = carcassonne(observation=observation)
    step, kept = batch.reset(seed=5), []
    for _ in range(90):
        for name, array in large_arrays(step).items():
            if how == "a subclass" and array.ndim == 1:
                continue
            kept.append((name, keep(array), read(keep(array)).copy()))
        array = None
        step = batch.step(batch.sample_actions())
    gc.collect()
    for name, held, wanted in kept:
        np.testing.assert_array_equal(read(held), wanted, err_msg=f"{how} of {name}")


@pytest.mark.parametrize("how", KEPT)
def test_what_is_kept_of_a_town_never_changes(how: str) -> None:
    keep, read = KEPT[how]
    batch = bastide.TinytownBatch(4)
    step, kept = batch.reset(seed=5), []
    for _ in range(60):
        for array in (step.observation, step.mask):
            kept.append((keep(array), read(keep(array)).copy()))
        step = batch.step(batch.sample_actions())
    for held, wanted in kept:
        np.testing.assert_array_equal(read(held), wanted)


def test_torch_keeps_what_it_was_given() -> None:
    torch = pytest.importorskip("torch")
    ways = [torch.from_numpy, torch.as_tensor, torch.from_dlpack]
    batch = carcassonne(observation="planes")
    step, kept = batch.reset(seed=5), []
    for number in range(60):
        planes = step.observation["planes"]
        planes.flags.writeable = number % 2 == 0
        tensor = ways[number % 3](planes)[1:]
        kept.append((tensor, tensor.clone()))
        del planes
        step = batch.step(batch.sample_actions())
    assert all(torch.equal(held, wanted) for held, wanted in kept)


@pytest.mark.parametrize("observation", ["compact", "planes"])
@pytest.mark.parametrize("tensors", ["v1", "v2"])
def test_what_was_written_into_an_array_is_not_in_the_next(observation: str, tensors: str) -> None:
    """Arrays may be written, planes once they are said to be."""
    batch = carcassonne(observation=observation, tensors=tensors)
    step = batch.reset(seed=8)
    for number in range(100):
        for name, array in large_arrays(step).items():
            if name == "planes":
                with pytest.raises(ValueError, match="read-only"):
                    array[...] = 7
                if number % 3:
                    continue
                array.flags.writeable = True
            array[...] = 7 if array.dtype != np.bool_ else True
        del array
        step = batch.step(batch.sample_actions())
        check_rows(batch, step)


def check_rows(batch: bastide.CarcassonneBatch, step: bastide.BatchStep) -> None:
    """What a step shows is what the games are."""
    for game in range(batch.num_envs):
        check_arrays(step, game, batch.state(game))


@pytest.mark.parametrize("setup", ["board=9x9", "board=9x9 sets=inns,traders"])
def test_arrays_kept_for_a_while_are_taken_again_up_to_date(setup: str) -> None:
    """However many steps an array was away, over ends of games and resets of some."""
    chance = np.random.default_rng(3)
    batch = bastide.CarcassonneBatch(4, setup, observation="planes", mask=True)
    step, kept = batch.reset(seed=8), []
    for _ in range(250):
        check_rows(batch, step)
        if chance.random() < 0.5:
            kept.append(step.observation["planes"][chance.integers(4) :])
        if chance.random() < 0.2:
            kept.clear()
        if chance.random() < 0.1:
            step = batch.reset(only=chance.random(4) < 0.5)
        elif chance.random() < 0.1:
            with pytest.raises(bastide.IllegalActionError):
                batch.step(np.full(4, -1))
        else:
            step = batch.step(batch.sample_actions())


def test_a_reset_of_some_games_writes_all_rows() -> None:
    batch = carcassonne(observation="planes")
    step = batch.reset(seed=8)
    for _ in range(30):
        step = batch.step(batch.sample_actions())
    before = step.scores
    for only in ([True, False, False, True], [False] * 4):
        step = batch.reset(only=np.array(only))
        check_rows(batch, step)
    np.testing.assert_array_equal(step.scores[1:3], before[1:3])


def test_memory_that_nobody_holds_is_used_again() -> None:
    batch = carcassonne(observation="planes")
    step, addresses = batch.reset(seed=8), set()
    for _ in range(100):
        addresses.add(step.observation["planes"].ctypes.data)
        step = batch.step(batch.sample_actions())
    assert len(addresses) == 2, "one is held while the next is written"


def test_a_pool_gives_no_array_that_somebody_holds() -> None:
    pool = ArrayPool((3,), np.int8)
    held = [pool.take()[0] for _ in range(50)]
    assert len({id(array) for array in held}) == 50
    last = held[-1]
    held.clear()
    assert pool.take()[0] is not last
    seen = weakref.ref(last)
    del last
    taken = [pool.take()[0] for _ in range(20)]
    assert all(array is not seen() for array in taken)


def test_large_copies_are_taken_again_too() -> None:
    batch = bastide.CarcassonneBatch(200, SETUP)
    step, addresses = batch.reset(seed=8), set()
    for _ in range(50):
        addresses.add(step.observation.ctypes.data)
        kept = step.observation[7:]
        wanted = kept.copy()
        step = batch.step(batch.sample_actions())
        np.testing.assert_array_equal(kept, wanted)
    assert len(addresses) <= 3


def test_copies_of_a_batch_share_no_arrays() -> None:
    import copy

    batch = carcassonne()
    step = batch.reset(seed=1)
    other = copy.deepcopy(batch)
    kept = step.observation.copy()
    for _ in range(5):
        other.step(other.sample_actions())
    np.testing.assert_array_equal(step.observation, kept)
    actions = batch.sample_actions()
    again = copy.deepcopy(batch).step(actions)
    np.testing.assert_array_equal(batch.step(actions).observation, again.observation)


def test_states_are_not_touched_by_the_batch() -> None:
    state = random_state(1, 9, SETUP)
    planes = state.planes()
    kept = planes.copy()
    state.apply_action(state.legal_actions()[0])
    np.testing.assert_array_equal(planes, kept)
