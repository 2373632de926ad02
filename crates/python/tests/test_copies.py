"""Batches, bots and graphs that are pickled or copied in mid-game go on alike."""

import copy
import pickle

import bastide
import gymnasium
import numpy as np
import pytest

CARCASSONNE = [
    {},
    {"mask": True, "reward": "points", "copy": False},
    {"observation": "planes", "setup": "players=3 board=9x9", "autoreset": "next_step"},
    {"setup": "board=5x5", "autoreset": "disabled", "illegal": "noop"},
    {"setup": "board=7x7", "illegal": "terminate", "autoreset": "disabled"},
    {"opponent": "greedy", "setup": "board=9x9"},
    {"opponent": "shepherd", "setup": "players=4 board=9x9", "nodes": 20},
    {"opponent": "mcts", "learner": 1, "setup": "board=5x5", "nodes": 20},
]


def flat(step: object) -> list[np.ndarray]:
    """Every array of a step."""
    if isinstance(step, np.ndarray):
        return [step.copy()]
    if isinstance(step, dict):
        step = tuple(step.values())
    return [array for part in step for array in flat(part)] if isinstance(step, tuple) else []


def play(batch: object, steps: int) -> list[np.ndarray]:
    return [array for _ in range(steps) for array in flat(batch.step(batch.sample_actions()))]


@pytest.mark.parametrize("options", CARCASSONNE)
def test_a_batch_of_carcassonne_goes_on_alike(options: dict) -> None:
    batch = bastide.CarcassonneBatch(40, **{"threads": 2, **options})
    batch.reset(seed=5)
    play(batch, 31)
    if options.get("illegal") in ("noop", "terminate"):
        actions = batch.sample_actions()
        actions[:2] = 0
        batch.step(actions)
    copies = [copy.deepcopy(batch), pickle.loads(pickle.dumps(batch))]
    assert [c.state(7) for c in copies] == [batch.state(7)] * 2
    seen = [play(each, 90) for each in (batch, *copies)]
    for other in seen[1:]:
        assert len(other) == len(seen[0])
        assert all(np.array_equal(a, b) for a, b in zip(seen[0], other))


@pytest.mark.parametrize("autoreset", ["same_step", "next_step", "disabled"])
def test_a_batch_of_tinytown_goes_on_alike(autoreset: str) -> None:
    batch = bastide.TinytownBatch(300, "2x3 older", autoreset=autoreset)
    batch.reset(seed=2)
    play(batch, 7)
    copies = [copy.deepcopy(batch), pickle.loads(pickle.dumps(batch))]
    seen = [play(each, 30) for each in (batch, *copies)]
    for other in seen[1:]:
        assert all(np.array_equal(a, b) for a, b in zip(seen[0], other))


def test_batches_before_their_start_and_after_their_end() -> None:
    for batch in (bastide.CarcassonneBatch(3, "board=5x5"), bastide.TinytownBatch(3)):
        fresh = pickle.loads(pickle.dumps(batch))
        with pytest.raises(ValueError, match="reset"):
            fresh.step([0, 0, 0])
        first, second = batch.reset(seed=1), fresh.reset(seed=1)
        assert all(np.array_equal(a, b) for a, b in zip(flat(first), flat(second)))
        batch.close()
        with pytest.raises(bastide.ClosedError):
            pickle.dumps(batch)


def test_what_was_tampered_with_is_refused() -> None:
    batch = bastide.CarcassonneBatch(3, "board=9x9")
    batch.reset(seed=1)
    play(batch, 10)
    kept = batch.__getstate__()
    started, random, games = kept["games"]
    record, dealer, over = games[1]
    for wrong in (
        "",
        "chess",
        record.replace("board=9x9", "board=11x11"),
        record.strip().rsplit("\n", 1)[0],
        record + "\nC; 0,0 r0; pass",
        record.replace("r", "r9"),
    ):
        games[1] = (wrong, dealer, over)
        copied = object.__new__(bastide.CarcassonneBatch)
        with pytest.raises(ValueError):
            copied.__setstate__(kept)
        with pytest.raises(bastide.ClosedError):
            copied.step([0, 0, 0])
    games[1] = (record, dealer, True)
    kept["games"] = (started, random, games[:2])
    with pytest.raises(ValueError, match="2 games were saved, the batch has 3"):
        object.__new__(bastide.CarcassonneBatch).__setstate__(kept)
    towns = bastide.TinytownBatch(2)
    kept = towns.__getstate__()
    kept["games"] = (True, 0, ["CCC/CCC/CCC build", ".../.../... place"])
    with pytest.raises(ValueError, match="no game reaches"):
        object.__new__(bastide.TinytownBatch).__setstate__(kept)


def test_vector_environments_go_on_alike() -> None:
    env = gymnasium.make_vec("bastide/Carcassonne-v1", num_envs=4, opponent="shepherd", nodes=20)
    env.reset(seed=1)
    other = pickle.loads(pickle.dumps(env.unwrapped))
    for _ in range(10):
        actions = env.unwrapped.batch.sample_actions()
        one, two = env.step(actions), other.step(actions)
        np.testing.assert_array_equal(one[0], two[0])
        np.testing.assert_array_equal(one[1], two[1])


def test_bots_and_solutions_are_made_anew() -> None:
    state = bastide.CarcassonneState("board=9x9")
    bastide.Dealer(3).deal(state)
    bot = bastide.Bot("mcts", seed=9, nodes=80)
    for other in (copy.deepcopy(bot), pickle.loads(pickle.dumps(bot))):
        bot.new_game(9)
        assert repr(other) == repr(bot) and other.turn(state) == bot.turn(state)
    graph = pickle.loads(pickle.dumps(bastide.TinytownGraph("2x2 older")))
    assert graph.setup == "2x2 older"
    assert graph.num_states == bastide.tinytown_counts("2x2 older")["states"]
    assert type(graph) is bastide.TinytownGraph
    optimal = copy.deepcopy(bastide.TinytownOptimal("2x3"))
    assert optimal.start_value() == 4
