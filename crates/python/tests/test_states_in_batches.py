"""Games of a batch are put into states, and read back: the base of a tree search over many games."""

from typing import Any

import bastide
import numpy as np
import pytest
from conftest import random_state

SETUPS = ["board=9x9", "players=3 board=12x12", "board=15x15 sets=inns,traders,river,gardens"]


def positions(setup: str, count: int = 40) -> list[bastide.CarcassonneState]:
    return [random_state(seed, 3 * seed, setup) for seed in range(count)]


@pytest.mark.parametrize("setup", SETUPS)
@pytest.mark.parametrize("observation", ["compact", "planes"])
@pytest.mark.parametrize("copy", [True, False])
def test_a_batch_goes_on_from_states(setup: str, observation: Any, copy: bool) -> None:
    states = positions(setup)
    batch = bastide.CarcassonneBatch(
        len(states), setup, observation=observation, mask=True, copy=copy, autoreset="disabled"
    )
    step = batch.set_states(states, seed=4)
    assert batch.get_states() == states
    dealers = [bastide.Dealer(4, game) for game in range(len(states))]
    for turn in range(12):
        for game, state in enumerate(states):
            seat = -1 if state.is_terminal() else state.current_player()
            assert (step.seat[game], step.terminated[game]) == (seat, state.is_terminal())
            assert step.scores[game].tolist() == state.scores()
            assert sorted(step.legal.of(game).tolist()) == state.legal_actions()
            if state.is_terminal():
                assert step.final_scores[game].tolist() == state.scores()
            if observation == "planes":
                np.testing.assert_array_equal(step.observation["planes"][game], state.planes())
            else:
                np.testing.assert_array_equal(step.observation[game], state.compact())
            assert step.mask is not None
            np.testing.assert_array_equal(step.mask[game], state.legal_actions_mask())
        actions = batch.sample_actions()
        step = batch.step(actions)
        for state, action, dealer in zip(states, actions, dealers):
            if not state.is_terminal():
                state.apply_action(int(action))
                dealer.deal(state)
    assert batch.get_states() == states


def test_some_games_are_set_and_the_others_stay() -> None:
    batch = bastide.CarcassonneBatch(40, "board=9x9", mask=True)
    batch.reset(seed=1)
    for _ in range(7):
        batch.step(batch.sample_actions())
    before, chosen = batch.get_states(), [33, 0, 7]
    given = [random_state(seed, 20, "board=9x9") for seed in range(3)]
    step = batch.set_states(given, chosen)
    wanted = dict(enumerate(before)) | dict(zip(chosen, given))
    assert batch.get_states() == list(wanted.values())
    assert batch.get_states(np.array(chosen)) == given
    for game, state in wanted.items():
        np.testing.assert_array_equal(step.observation[game], state.compact())
        assert step.mask is not None
        np.testing.assert_array_equal(step.mask[game], state.legal_actions_mask())
    assert batch.get_states([]) == [] and batch.set_states([], []).seat.shape == (40,)


def test_a_state_is_copied_and_may_stand_twice() -> None:
    state = random_state(3, 10, "board=9x9")
    kept, batch = state.clone(), bastide.CarcassonneBatch(2, "board=9x9")
    batch.set_states([state, state], seed=1)
    batch.step([state.legal_actions()[0], state.legal_actions()[-1]])
    assert state == kept
    first, second = batch.get_states()
    assert first != second


def test_a_tile_to_be_drawn_is_drawn_by_the_games_dealer() -> None:
    state = random_state(3, 10, "board=9x9")
    while not state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    batch = bastide.CarcassonneBatch(3, "board=9x9")
    for seed in (5, 6):
        batch.set_states([state] * 3, seed=seed)
        for game in range(3):
            wanted = state.clone()
            bastide.Dealer(seed, game).deal(wanted)
            assert batch.state(game) == wanted


def test_an_opponent_plays_until_it_is_the_learners_turn() -> None:
    state = random_state(3, 10, "board=9x9")
    batch = bastide.CarcassonneBatch(4, "board=9x9", opponent="greedy")
    step = batch.set_states([state] * 4, seed=1)
    assert step.seat.tolist() == [0, 1, 0, 1]


def test_a_batch_is_made_of_states() -> None:
    states = positions("players=3 board=12x12", 5)
    batch = bastide.CarcassonneBatch.from_states(states, seed=3, observation="planes", mask=True)
    assert batch.get_states() == states and batch.num_envs == 5
    step = batch.observe()
    np.testing.assert_array_equal(step.observation["planes"][4], states[4].planes())
    again = batch.observe()
    np.testing.assert_array_equal(again.observation["planes"], step.observation["planes"])
    assert batch.get_states() == states
    second = bastide.CarcassonneState("standard", "v2")
    bastide.Dealer(1).deal(second)
    assert bastide.CarcassonneBatch.from_states([second]).layout["tensors"] == "v2"


def test_a_game_that_is_over_stays_so_until_it_is_reset() -> None:
    over = random_state(1, 1000, "board=5x5")
    assert over.is_terminal()
    for autoreset, after in (("same_step", True), ("disabled", True), ("next_step", False)):
        batch = bastide.CarcassonneBatch(2, "board=5x5", autoreset=autoreset)
        batch.reset(seed=1)
        step = batch.set_states([over], [1])
        assert step.terminated.tolist() == [False, True]
        assert batch.step(batch.sample_actions()).terminated[1] == after


def test_towns_are_set_and_read_back() -> None:
    batch = bastide.TinytownBatch(6)
    batch.reset(seed=1)
    for _ in range(4):
        batch.step(batch.sample_actions())
    states = batch.get_states()
    other = bastide.TinytownBatch.from_states(states)
    assert other.get_states() == states
    np.testing.assert_array_equal(other.observe().observation, batch.observe().observation)
    start = bastide.TinytownState()
    step = batch.set_states([start], [4])
    assert batch.state(4) == start and batch.state(3) == states[3]
    np.testing.assert_array_equal(step.mask[4], start.legal_actions_mask())


NOT_STATES: list[tuple[Any, Any, type[Exception], str]] = [
    (7, None, TypeError, "states: expected a list of CarcassonneState, found int"),
    ("ab", None, TypeError, "states: expected a list of CarcassonneState, found str"),
    ([7, 7], None, TypeError, r"states\[0\]: expected CarcassonneState, found int"),
    ([bastide.TinytownState()] * 2, None, TypeError, "expected CarcassonneState, found TinytownState"),
    ("one", None, ValueError, "expected 2 states, one for each game, found 1"),
    ("one", [0, 1], ValueError, "games: expected shape \\(1,\\), found \\(2,\\)"),
    ("one", [2], IndexError, "games: index 2 is out of bounds for a batch of 2 games"),
    ("one", [-1], IndexError, "games: index -1 is out of bounds"),
    ("one", [2**63], IndexError, "index 9223372036854775807 is out of bounds"),
    ("one", [2**70], TypeError, "games: expected a 1-D array of an integer dtype"),
    ("one", [0.0], TypeError, "found float64 of shape"),
    ("one", [[0]], TypeError, r"found int64 of shape \(1, 1\)"),
    ("two", [0, 0], ValueError, "games: game 0 is named twice"),
    ("other board", None, ValueError, r"states\[1\]: its setup is '.*board=12x12.*', that of the batch is '.*board=9x9"),
    ("sets", None, ValueError, r"states\[1\]: its setup is '.*sets=inns', that of the batch"),
    ("v2", None, ValueError, r"states\[1\]: its tensors are 'v2', those of the batch are 'v1'"),
]


@pytest.mark.parametrize("states, games, error, words", NOT_STATES)
def test_hostile_states_are_refused_and_nothing_happens(
    states: Any, games: Any, error: type[Exception], words: str
) -> None:
    one = random_state(1, 5, "board=9x9")
    named = {
        "one": [one],
        "two": [one, one],
        "other board": [one, random_state(1, 5, "board=12x12")],
        "sets": [one, random_state(1, 5, "board=9x9 sets=inns")],
        "v2": [one, random_state(1, 5, "board=9x9", "v2")],
    }
    batch = bastide.CarcassonneBatch(2, "board=9x9", observation="planes")
    batch.reset(seed=2)
    before = batch.get_states()
    given = named.get(states, states) if isinstance(states, str) else states
    with pytest.raises(error, match=words):
        batch.set_states(given, games)
    assert batch.get_states() == before


def test_what_cannot_be_set_yet_is_refused() -> None:
    one = random_state(1, 5, "board=9x9")
    batch = bastide.CarcassonneBatch(2, "board=9x9")
    for use in (batch.get_states, batch.observe, lambda: batch.set_states([one], [0])):
        with pytest.raises(ValueError, match="call reset"):
            use()
    with pytest.raises(ValueError, match="expected one state or more, found an empty list"):
        bastide.CarcassonneBatch.from_states([])
    with pytest.raises(ValueError, match=r"states\[1\]: its setup is"):
        bastide.CarcassonneBatch.from_states([one, bastide.CarcassonneState("board=5x5")])
    with pytest.raises(ValueError, match="2\\*\\*64"):
        batch.set_states([one, one], seed=2**64)
    batch.close()
    with pytest.raises(bastide.ClosedError):
        batch.set_states([one, one])


def test_many_states_are_analysed_as_one_is() -> None:
    states = [random_state(seed, 30 + seed, "standard") for seed in range(6)]
    for name, options in (("best", {"nodes": 100}), ("mcts", {"nodes": 60}), ("greedy", {})):
        def plain(report: dict[str, Any]) -> dict[str, Any]:
            return {key: value for key, value in report.items() if key != "seconds"}

        one = [plain(bastide.Bot(name, seed=3, **options).analyse(state)) for state in states]
        for threads in (1, 3, None):
            bot = bastide.Bot(name, seed=3, **options)
            many = bot.analyse_batch(states, threads=threads)
            assert [plain(report) for report in many] == one, name
    assert bastide.Bot("greedy").analyse_batch([]) == []


def test_the_lock_is_released_while_states_are_analysed() -> None:
    import threading
    import time

    states = [random_state(seed, 20, "standard") for seed in range(8)]
    bot, done = bastide.Bot("best"), threading.Event()

    def work() -> None:
        bot.analyse_batch(states, nodes=3000)
        done.set()

    thread, turns = threading.Thread(target=work), 0
    thread.start()
    while not done.is_set() and turns < 10**6:
        turns += 1
        time.sleep(0.001)
    thread.join()
    assert turns > 20


def test_hostile_arguments_of_a_batched_analysis() -> None:
    good, bot = random_state(1, 5), bastide.Bot("greedy")
    chance = bastide.CarcassonneState()
    with pytest.raises(ValueError, match=r"states\[1\]: this is a chance node"):
        bot.analyse_batch([good, chance])
    with pytest.raises(ValueError, match=r"states\[0\]: the game is over"):
        bot.analyse_batch([random_state(1, 1000, "board=5x5")])
    with pytest.raises(ValueError, match=r"states\[2\]: this bot was made for 2 players"):
        bot.analyse_batch([good, good, random_state(1, 5, "players=3")])
    with pytest.raises(ValueError, match=r"states\[0\]: this bot was made for the base game"):
        bot.analyse_batch([random_state(1, 5, "inns")])
    with pytest.raises(ValueError, match="threads=0: expected 1 to 1024"):
        bot.analyse_batch([good], threads=0)
    with pytest.raises(TypeError):
        bot.analyse_batch([7])  # type: ignore[list-item]
    with pytest.raises(TypeError):
        bot.analyse_batch(good)  # type: ignore[arg-type]
