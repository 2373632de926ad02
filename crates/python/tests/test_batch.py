"""Many games of Carcassonne at once."""

import multiprocessing
import threading

import bastide
import numpy as np
import pytest
from conftest import SETUPS


@pytest.mark.parametrize("setup", SETUPS)
@pytest.mark.parametrize("reward", ["margin", "win", "points"])
def test_a_batch_is_many_states(setup: str, reward: str) -> None:
    """The same actions give the same observations, masks, rewards and draws as single states."""
    games, observation = 5, "planes" if reward == "win" else "compact"
    batch = bastide.CarcassonneBatch(
        games, setup, observation=observation, mask=True, reward=reward, threads=2
    )
    generator = np.random.default_rng(7)
    step = batch.reset(seed=11)
    states = [bastide.CarcassonneState(setup) for _ in range(games)]
    dealers = [bastide.Dealer(11, game) for game in range(games)]
    for dealer, state in zip(dealers, states):
        dealer.deal(state)
    for _ in range(150):
        for game, state in enumerate(states):
            check_row(step, game, state)
        actions = step.legal.pick(generator)
        step = batch.step(actions)
        for game, action in enumerate(actions):
            before = states[game].returns(reward)
            states[game].apply_action(int(action))
            dealers[game].deal(states[game])
            earned = np.subtract(states[game].returns(reward), before)
            np.testing.assert_array_equal(step.reward[game], earned)
            over = states[game].is_terminal()
            assert step.terminated[game] == over
            if over:
                assert step.final_scores[game].tolist() == states[game].scores()
                states[game] = bastide.CarcassonneState(setup)
                dealers[game].deal(states[game])
            assert batch.state(game) == states[game]


@pytest.mark.parametrize("threads", [1, 3])
def test_game_i_of_a_large_batch_is_the_single_game_i(threads: int) -> None:
    """Games are worked on in groups; the borders between groups and threads are not seen."""
    games, setup, seed = 150, "players=3 board=9x9", 21
    batch = bastide.CarcassonneBatch(games, setup, mask=True, threads=threads)
    generator = np.random.default_rng(5)
    step = batch.reset(seed=seed)
    states = [bastide.CarcassonneState(setup) for _ in range(games)]
    dealers = [bastide.Dealer(seed, game) for game in range(games)]
    for dealer, state in zip(dealers, states):
        dealer.deal(state)
    for _ in range(25):
        for game, state in enumerate(states):
            check_row(step, game, state)
        actions = step.legal.pick(generator)
        step = batch.step(actions)
        for game, action in enumerate(actions):
            states[game].apply_action(int(action))
            dealers[game].deal(states[game])
            if states[game].is_terminal():
                assert step.terminated[game]
                states[game] = bastide.CarcassonneState(setup)
                dealers[game].deal(states[game])


def test_the_learners_seat_goes_round_in_a_large_batch() -> None:
    games = 150
    batch = bastide.CarcassonneBatch(games, "players=3 board=9x9", opponent="random", threads=3)
    step = batch.reset(seed=4)
    seats = [game % 3 for game in range(games)]
    for _ in range(60):
        assert step.seat.tolist() == seats
        step = batch.step(batch.sample_actions())


def check_row(step: bastide.BatchStep, game: int, state: bastide.CarcassonneState) -> None:
    assert step.seat[game] == state.current_player()
    assert step.scores[game].tolist() == state.scores()
    assert sorted(step.legal.of(game).tolist()) == state.legal_actions()
    check_arrays(step, game, state)


def check_arrays(step: bastide.BatchStep, game: int, state: bastide.CarcassonneState) -> None:
    """The mask and the observation of a game are those of its state."""
    assert step.mask is not None
    np.testing.assert_array_equal(step.mask[game], state.legal_actions_mask())
    if isinstance(step.observation, dict):
        np.testing.assert_array_equal(step.observation["planes"][game], state.planes())
        np.testing.assert_array_equal(step.observation["globals"][game], state.globals())
    else:
        np.testing.assert_array_equal(step.observation[game], state.compact())


def rollout(steps: int = 200, **options: object) -> list[np.ndarray]:
    batch = bastide.CarcassonneBatch(70, "board=15x15", **options)  # type: ignore[arg-type]
    generator, seen = np.random.default_rng(1), []
    step = batch.reset(seed=3)
    for _ in range(steps):
        step = batch.step(step.legal.pick(generator))
        seen.append(step.observation.copy())
    return seen


def test_threads_and_reused_arrays_change_nothing() -> None:
    one = rollout(threads=1)
    for options in ({"threads": 3}, {"threads": 2, "copy": False}):
        assert all(np.array_equal(a, b) for a, b in zip(one, rollout(**options)))


def test_bots_with_chance_of_their_own_play_the_same_on_any_threads() -> None:
    options = {"steps": 20, "opponent": "shepherd", "nodes": 50}
    one, three = rollout(threads=1, **options), rollout(threads=3, **options)
    assert all(np.array_equal(a, b) for a, b in zip(one, three))


def test_an_opponent_plays_the_other_seats() -> None:
    batch = bastide.CarcassonneBatch(6, "players=3 board=15x15", opponent="random", reward="win")
    step = batch.reset(seed=1)
    ended = 0
    for _ in range(200):
        assert step.seat.tolist() == [0, 1, 2, 0, 1, 2]
        step = batch.step(batch.sample_actions())
        ended += int(step.terminated.sum())
    assert ended > 6
    fixed = bastide.CarcassonneBatch(3, opponent="random", learner=1)
    assert fixed.reset(seed=1).seat.tolist() == [1, 1, 1]


def test_what_follows_the_end_can_be_chosen() -> None:
    for autoreset in ("same_step", "next_step", "disabled"):
        batch = bastide.CarcassonneBatch(4, "board=5x5", autoreset=autoreset, mask=True)
        step = batch.reset(seed=2)
        while not step.terminated[0]:
            step = batch.step(batch.sample_actions())
        assert (step.seat[0] == -1) == (autoreset != "same_step")
        assert (step.mask[0].sum() == 0) == (autoreset != "same_step")
        step = batch.step(batch.sample_actions())
        assert step.terminated[0] == (autoreset == "disabled")
        assert (step.seat[0] == -1) == (autoreset == "disabled")
        if autoreset == "disabled":
            assert batch.reset().seat[0] == 0


def test_illegal_actions_do_what_was_chosen() -> None:
    batch = bastide.CarcassonneBatch(3)
    step = batch.reset(seed=0)
    good = batch.sample_actions()
    before = [batch.state(game) for game in range(3)]
    for wrong in (0, -5, 4912, 2**40, -(2**63)):
        bad = good.copy()
        bad[1] = wrong
        with pytest.raises(bastide.IllegalActionError, match="game 1: action"):
            batch.step(bad)
        assert [batch.state(game) for game in range(3)] == before
    for illegal in ("noop", "terminate"):
        batch = bastide.CarcassonneBatch(2, illegal=illegal, penalty=2.5)
        first = batch.reset(seed=0)
        actions = batch.sample_actions()
        actions[0] = 0
        step = batch.step(actions)
        assert step.illegal.tolist() == [True, False]
        assert step.reward[0].tolist() == [-2.5, 0.0]
        assert step.terminated[0] == (illegal == "terminate")
        if illegal == "noop":
            np.testing.assert_array_equal(step.observation[0], first.observation[0])


def test_wrong_arguments_are_refused_with_words() -> None:
    batch = bastide.CarcassonneBatch(4)
    with pytest.raises(ValueError, match="call reset"):
        batch.step([0, 0, 0, 0])
    batch.reset(seed=1)
    for actions, error in (
        ([0.5] * 4, TypeError),
        (["a"] * 4, TypeError),
        ([None] * 4, TypeError),
        ([0] * 3, ValueError),
        (np.zeros((4, 1), int), ValueError),
        (0, ValueError),
        ([2**70] * 4, TypeError),
    ):
        with pytest.raises(error):
            batch.step(actions)
    strided = np.repeat(batch.sample_actions(), 2)[::2]
    batch.step(strided)
    for options in (
        {"num_envs": 0},
        {"num_envs": 10**12},
        {"setup": "board=unlimited"},
        {"setup": "board=145x145", "num_envs": 900_000, "observation": "planes"},
        {"observation": "picture"},
        {"reward": "money"},
        {"autoreset": "never"},
        {"illegal": "shrug"},
        {"threads": 0},
        {"threads": 10**6},
        {"opponent": "nobody"},
        {"learner": 0},
        {"opponent": "random", "learner": 2},
        {"time": -1.0},
        {"time": float("nan")},
    ):
        with pytest.raises(ValueError):
            bastide.CarcassonneBatch(**{"num_envs": 2, **options})  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="num_envs=-1"):
        bastide.CarcassonneBatch(-1)
    with pytest.raises(ValueError, match="seed=-1"):
        batch.reset(seed=-1)
    with pytest.raises(IndexError, match="index 4 is out of bounds for a batch of 4 games"):
        batch.state(4)


def test_reused_arrays_cannot_be_written() -> None:
    batch = bastide.CarcassonneBatch(2, copy=False)
    step = batch.reset(seed=1)
    with pytest.raises(ValueError, match="read-only"):
        step.observation[0, 0] = 1
    assert batch.step(batch.sample_actions()).observation is step.observation
    mine = bastide.CarcassonneBatch(2).reset(seed=1)
    mine.observation[0, 0] = 1


def test_a_closed_batch_says_so() -> None:
    with bastide.CarcassonneBatch(2) as batch:
        batch.reset(seed=1)
    for use in (batch.reset, batch.sample_actions, lambda: batch.step([0, 0]), lambda: batch.setup):
        with pytest.raises(bastide.ClosedError):
            use()
    batch.close()


def test_threads_that_share_a_batch_take_turns_or_are_told() -> None:
    batch = bastide.CarcassonneBatch(500, "board=21x21", observation="planes", illegal="noop")
    batch.reset(seed=1)
    failures: list[BaseException] = []

    def play() -> None:
        for _ in range(60):
            try:
                batch.step(np.zeros(500, int))
            except bastide.BusyError:
                continue
            except BaseException as error:  # noqa: BLE001 - whatever it is, it must be none
                failures.append(error)

    threads = [threading.Thread(target=play) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    batch.step(batch.sample_actions())


def step_in_child(batch: bastide.CarcassonneBatch, queue: "multiprocessing.Queue[int]") -> None:
    for _ in range(3):
        batch.step(batch.sample_actions())
    queue.put(int(batch.state(0).current_player()))


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_child_steps_on() -> None:
    batch = bastide.CarcassonneBatch(300, threads=2)
    batch.reset(seed=1)
    batch.step(batch.sample_actions())
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=step_in_child, args=(batch, queue))
    child.start()
    assert queue.get(timeout=120) >= 0
    child.join(timeout=120)
    batch.step(batch.sample_actions())
