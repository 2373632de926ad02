"""What nobody should pass, but somebody will: clear exceptions, never a crash."""

import os
import signal
import subprocess
import sys
import threading
import time

import bastide
import gymnasium
import numpy as np
import pytest
from bastide import aec
from gymnasium.vector import AutoresetMode


def test_actions_in_every_layout_of_memory() -> None:
    batch = bastide.CarcassonneBatch(4)
    batch.reset(seed=1)
    for change in (
        lambda a: np.ascontiguousarray(a[::-1])[::-1],
        lambda a: a.astype(">i4"),
        lambda a: a.astype(np.uint64),
        lambda a: a.tolist(),
        # Not aligned to eight bytes.
        lambda a: np.frombuffer(b"\0" + a.tobytes(), np.uint8)[1:].view(np.int64),
    ):
        actions = batch.sample_actions()
        before = [batch.state(game) for game in range(4)]
        batch.step(change(actions))
        for game in range(4):
            history = batch.state(game).history()
            assert history[len(before[game].history())] == actions[game]
    huge = np.full(4, 2**64 - 1, np.uint64)
    with pytest.raises(bastide.IllegalActionError, match="action 9223372036854775807 is out of bounds"):
        batch.step(huge)
    with pytest.raises(ValueError, match=r"shape \(4,\), found \(0,\)"):
        batch.step([])
    for wrong in ([True] * 4, np.zeros(4, object), np.zeros(4, "m8[s]")):
        with pytest.raises(TypeError, match="expected an integer dtype"):
            batch.step(wrong)


@pytest.mark.parametrize("penalty", [float("nan"), float("inf"), 1e300])
def test_a_penalty_is_a_finite_number(penalty: float) -> None:
    makers = [
        lambda: bastide.CarcassonneBatch(2, penalty=penalty),
        lambda: bastide.TinytownBatch(2, penalty=penalty),
    ]
    if penalty != 1e300:  # That one fits the rewards of single environments.
        makers += [lambda: aec.env(penalty=penalty),
                   lambda: gymnasium.make("bastide/Tinytown-v1", penalty=penalty)]  # fmt: skip
    for make in makers:
        with pytest.raises(ValueError, match="penalty=.*finite number"):
            make()


def test_numbers_out_of_range_are_named() -> None:
    batch, bot = bastide.CarcassonneBatch(2), bastide.Bot("greedy")
    batch.reset(seed=2**64 - 1)
    batch.reset(seed=np.int64(3))
    graph = bastide.TinytownGraph("2x2")
    state = batch.state(0)
    for name, use in {
        "seed": lambda n: batch.reset(seed=n),
        "seed ": lambda n: bastide.Dealer(n),
        "seed  ": lambda n: bastide.TinytownBatch(2).reset(seed=n),
        "seed   ": lambda n: bot.new_game(n),
        "num_envs": lambda n: bastide.CarcassonneBatch(n),
        "num_envs ": lambda n: bastide.TinytownBatch(n),
        "threads": lambda n: bastide.CarcassonneBatch(2, threads=n),
        "nodes": lambda n: bot.choose(state, nodes=n),
        "game": lambda n: batch.state(n),
        "id": lambda n: graph.state(n),
        "memory": lambda n: bastide.TinytownGraph("2x2", memory=n),
        "rounds": lambda n: bastide.play_match("random", "random", rounds=n),
    }.items():
        for wrong in (-1, 2**64):
            with pytest.raises(ValueError, match=f"{name.strip()}={wrong} is out of range: 0 to 2"):
                use(wrong)
        with pytest.raises(TypeError):
            use("1")


def test_seeds_of_vector_environments() -> None:
    def first(seed: object) -> bytes:
        env = gymnasium.make_vec("bastide/Carcassonne-v1", num_envs=2, opponent="random")
        return env.reset(seed=seed)[0].tobytes()

    assert first(3) == first(np.int64(3)) == first(np.uint8(3))
    assert first([3, 4]) == first((3, 4)) == first(np.array([3, 4])) != first([3, 5])
    half = len(first(3)) // 2
    assert first([None, 4])[half:] == first([9, 4])[half:], "the other has a seed of the system"
    for wrong, error in (([1], ValueError), ([1, 2, 3], ValueError), ([-1, 2], ValueError),
                         ([1.5, 2], TypeError), ("ab", TypeError), (1.5, TypeError),
                         (-1, ValueError), (2**64, ValueError)):  # fmt: skip
        with pytest.raises(error):
            first(wrong)


def test_only_some_games_start_anew() -> None:
    for name in ("Carcassonne", "Tinytown"):
        options = {"opponent": "random", "setup": "board=5x5"} if name == "Carcassonne" else {}
        env = gymnasium.make_vec(f"bastide/{name}-v1", num_envs=3, **options,
                                 autoreset_mode=AutoresetMode.DISABLED)  # fmt: skip
        start, info = env.reset(seed=1)
        batch = env.unwrapped.batch
        for _ in range(4):
            seen, *_ = env.step(batch.sample_actions())
        before = [batch.state(game) for game in range(3)]
        mask = np.array([False, True, False])
        again, info = env.reset(options={"reset_mask": mask})
        np.testing.assert_array_equal(again[~mask], seen[~mask])
        after = [batch.state(game) for game in range(3)]
        assert [after[0], after[2]] == [before[0], before[2]] and after[1] != before[1]
        for game in range(3):
            legal = np.flatnonzero(info["action_mask"][game])
            np.testing.assert_array_equal(legal, after[game].legal_actions())
        env.step(batch.sample_actions())
        for wrong in ([True], [1, 0, 1], np.zeros((3, 1), bool)):
            with pytest.raises(ValueError, match="shape \\(3,\\)"):
                env.reset(options={"reset_mask": wrong})
        with pytest.raises(ValueError, match="call reset"):
            type(batch)(2).reset(only=[True, False])
    with pytest.raises(ValueError, match="autoreset_mode='never' is not known"):
        gymnasium.make_vec("bastide/Tinytown-v1", num_envs=2, autoreset_mode="never")
    assert gymnasium.make_vec("bastide/Tinytown-v1", num_envs=2, autoreset_mode="SameStep")


@pytest.mark.parametrize("name", ["Carcassonne", "Tinytown"])
def test_masks_in_the_observations_of_vector_environments(name: str) -> None:
    env = gymnasium.make_vec(f"bastide/{name}-v1", num_envs=3, mask_in_observation=True)
    seen, info = env.reset(seed=1)
    assert env.observation_space.contains(seen)
    np.testing.assert_array_equal(seen["action_mask"], info["action_mask"])
    seen, *_ = env.step(env.unwrapped.batch.sample_actions())
    assert env.observation_space.contains(seen)


def test_opponents_that_cannot_play() -> None:
    with pytest.raises(TypeError, match="a bot's name, or a callable"):
        gymnasium.make("bastide/Carcassonne-v1", opponent=3)
    for answer, error in ((0, bastide.IllegalActionError), (None, TypeError), (10**6, ValueError)):
        env = gymnasium.make("bastide/Carcassonne-v1", opponent=lambda state, a=answer: a).unwrapped
        env.reset(seed=1)
        with pytest.raises(error, match="the opponent at seat 1: "):
            for _ in range(2):
                env.step(env.state.legal_actions()[0])
        with pytest.raises(ValueError, match="call reset"):
            env.step(0)
        env.reset(seed=1)
    for wrong in ("mcts:c=nan", "mcts:c=inf", "mcts:c=1e999"):
        with pytest.raises(ValueError, match="is no value for it"):
            bastide.Bot(wrong)
    for threads in (0, 257, 10**6):
        with pytest.raises(ValueError, match="1 to 256 are allowed"):
            bastide.Bot(f"look:threads={threads}")


def test_starts_that_are_no_states() -> None:
    for name in ("Carcassonne", "Tinytown"):
        env = gymnasium.make(f"bastide/{name}-v1").unwrapped
        env.reset(seed=1)
        before = env.state
        for wrong in ("x", 3, bastide.Dealer(1)):
            with pytest.raises(TypeError, match=f"expected {name}State, found"):
                env.reset(options={"state": wrong})
        assert env.state == before
    game = bastide.CarcassonneGame("model-30")
    assert game.deserialize_state(game.new_initial_state().serialize()).setup == game.setup
    with pytest.raises(ValueError, match="expected setup"):
        game.deserialize_state(bastide.CarcassonneState().serialize())


def test_pettingzoo_before_its_start_and_after_its_end() -> None:
    raw = aec.raw_env(illegal="raise", setup="board=9x9")
    with pytest.raises(ValueError, match="call reset"):
        raw.step(0)
    raw.reset(seed=1)
    with pytest.raises(ValueError, match="no agent 'bob'; agents are player_0, player_1"):
        raw.observe("bob")
    raw._cumulative_rewards["player_0"] = 5.0
    state = raw.game_state
    for wrong, error in ((0, bastide.IllegalActionError), (0.5, TypeError), (10**6, ValueError)):
        with pytest.raises(error):
            raw.step(wrong)
    assert raw.game_state == state and raw._cumulative_rewards["player_0"] == 5.0
    raw.close()
    for use in (raw.reset, lambda: raw.step(0)):
        with pytest.raises(bastide.ClosedError):
            use()


def test_matrices_of_other_numbers_are_refused() -> None:
    for code in (300, -1, 2**40):
        with pytest.raises(ValueError):
            bastide.TinytownState.from_matrix("1x1", [[code, 0], [0, 0]])


def limited(code: str, mebibytes: int) -> str:
    """Runs code in a process that may take so much more memory than it has after its start."""

    text = f"""
import resource, bastide
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + ({mebibytes} << 20),) * 2)
try:
    {code}
except MemoryError as error:
    print("told:", error)
"""
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="needs Linux")
@pytest.mark.parametrize(
    "code",
    [
        "bastide.CarcassonneBatch(20_000)",
        "bastide.CarcassonneBatch(3_000, observation='planes')",
        "bastide.TinytownBatch(2_000_000)",
        "bastide.CarcassonneState('board=145x145').rgb(100)",
    ],
)
def test_too_little_memory_is_told_beforehand(code: str) -> None:
    assert "told: there are no" in limited(code, 64)


def test_a_batch_larger_than_the_machine_is_refused() -> None:
    pages, size = os.sysconf("SC_PHYS_PAGES"), os.sysconf("SC_PAGE_SIZE")
    one = bastide.CarcassonneBatch(1, observation="planes").bytes_per_env
    if pages * size > 15 << 30:
        pytest.skip("the limit of 16 GiB comes first here")
    with pytest.raises(MemoryError, match="MiB are free"):
        bastide.CarcassonneBatch(pages * size // one, observation="planes")


def test_ctrl_c_ends_a_long_step_of_a_batch() -> None:
    batch = bastide.CarcassonneBatch(64, opponent="best", time=60.0, threads=2, learner=0)
    batch.reset(seed=1)
    batch.step(batch.sample_actions())
    main = threading.main_thread().ident
    assert main is not None
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.5, lambda: signal.pthread_kill(main, signal.SIGINT))
    timer.start()
    start = time.monotonic()
    try:
        with pytest.raises(KeyboardInterrupt):
            for _ in range(4):
                batch.step(batch.sample_actions())
    finally:
        signal.signal(signal.SIGINT, before)
    assert time.monotonic() - start < 600, "32 games at a minute each were not waited for"
    assert all(batch.state(game).current_player() in (0, -4) for game in range(64))


def test_other_interpreters_of_the_process_are_told() -> None:
    code = """
import bastide
try:
    import _interpreters
    told = str(_interpreters.exec(_interpreters.create(), "import bastide"))
except ImportError:
    import _xxsubinterpreters
    try:
        told = _xxsubinterpreters.run_string(_xxsubinterpreters.create(), "import bastide")
    except _xxsubinterpreters.RunFailedError as error:
        told = str(error)
assert "ImportError" in told, told
bastide.CarcassonneBatch(2).reset(seed=1)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
