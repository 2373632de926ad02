"""Gymnasium and PettingZoo: their own checkers, copies in mid-game, hostile use."""

import copy
import pickle
import warnings
from functools import partial

import bastide
import gymnasium
import numpy as np
import pytest
from bastide import aec
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AsyncVectorEnv, AutoresetMode
from gymnasium.wrappers import FlattenObservation, RecordEpisodeStatistics, TimeLimit
from pettingzoo.test import api_test, seed_test

CARCASSONNE = [
    {},
    {"observation": "planes", "setup": "board=21x21"},
    {"mask_in_observation": True, "illegal": "terminate"},
    {"opponent": "random", "seat": 2, "reward": "points", "setup": "players=3 board=21x21"},
    {"opponent": "shepherd", "setup": "model-30", "reward": "win"},
    {"opponent": "net", "nodes": 50, "setup": "model-35"},
]
TINYTOWN = [
    {},
    {"actions": "vector"},
    {"mask_in_observation": True},
    {"setup": "2x4 older", "illegal": "terminate"},
]


@pytest.mark.parametrize("options", CARCASSONNE)
def test_gymnasium_checks_carcassonne(options: dict) -> None:
    env = gymnasium.make("bastide/Carcassonne-v1", render_mode="rgb_array", **options)
    check_env(env.unwrapped)


@pytest.mark.parametrize("options", TINYTOWN)
def test_gymnasium_checks_tinytown(options: dict) -> None:
    env = gymnasium.make("bastide/Tinytown-v1", render_mode="ansi", **options)
    check_env(env.unwrapped)


@pytest.mark.parametrize("setup", ["standard", "players=4", "players=6 board=20x20", "model-35"])
@pytest.mark.parametrize("observation", ["compact", "planes"])
def test_pettingzoo_checks_carcassonne(setup: str, observation: str) -> None:
    with warnings.catch_warnings():
        # It would rather have no dictionaries, but masks need them.
        warnings.simplefilter("ignore", UserWarning)
        api_test(aec.env(setup=setup, observation=observation), num_cycles=200)


def test_pettingzoo_checks_seeds() -> None:
    seed_test(lambda: aec.env(setup="players=3 board=15x15"), num_cycles=300)


def test_pettingzoo_knows_the_name() -> None:
    pettingzoo = pytest.importorskip("pettingzoo.env_registry.registration")
    env = pettingzoo.make("aec", "bastide/carcassonne_v1", setup="players=5")
    assert len(env.possible_agents) == 5


def play(env: gymnasium.Env, steps: int, seed: int) -> list:
    seen, generator = [], np.random.default_rng(seed)
    for _ in range(steps):
        action = generator.choice(np.flatnonzero(env.unwrapped.action_masks()))
        observation, reward, over, *_ = env.step(action)
        seen.append((observation.tobytes(), reward, over))
        if over:
            observation, _ = env.reset()
            seen.append(observation.tobytes())
    return seen


@pytest.mark.parametrize(
    "name, options",
    [
        ("Carcassonne", {"opponent": "greedy"}),
        ("Carcassonne", {"opponent": "pilgrim", "setup": "board=9x9", "nodes": 20}),
        ("Tinytown", {}),
    ],
)
def test_copies_in_mid_game_go_on_alike(name: str, options: dict) -> None:
    env = gymnasium.make(f"bastide/{name}-v1", **options).unwrapped
    env.reset(seed=4)
    play(env, 21, 0)
    copies = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    seen = [play(each, 80, 1) for each in (env, *copies)]
    assert seen[0] == seen[1] == seen[2]


def test_copies_of_pettingzoo_in_mid_game_go_on_alike() -> None:
    env = aec.env(setup="players=3 board=12x12")
    env.reset(seed=4)

    def go(env: object, steps: int) -> str:
        generator = np.random.default_rng(0)
        for _ in range(steps):
            observation, *_, over, _, _ = env.last()  # type: ignore[attr-defined]
            legal = np.flatnonzero(observation["action_mask"])
            env.step(None if over else int(generator.choice(legal)))  # type: ignore[attr-defined]
        return env.unwrapped.game_state.serialize()  # type: ignore[attr-defined]

    before = go(env, 50)
    copies = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    assert all(each.unwrapped.game_state.serialize() == before for each in copies)
    ends = [go(each, 60) for each in (env, *copies)]
    assert ends[0] == ends[1] == ends[2] != before


def test_an_episode_is_a_game_of_the_batch() -> None:
    """The same seed deals the same tiles to a single environment and to game 0 of a batch."""
    single = gymnasium.make("bastide/Carcassonne-v1", opponent="greedy").unwrapped
    batch = bastide.CarcassonneBatch(1, opponent="greedy", learner=0, reward="points")
    single.reset(seed=8)
    batch.reset(seed=8)
    assert batch.state(0).tiles_left() == single.state.tiles_left()
    assert batch.state(0).tile_in_hand() == single.state.tile_in_hand()


def test_margins_and_points_sum_to_the_same_game() -> None:
    totals = {}
    for reward in ("points", "margin", "win"):
        env = gymnasium.make("bastide/Carcassonne-v1", reward=reward, opponent="random").unwrapped
        env.reset(seed=3)
        generator, total, over = np.random.default_rng(5), 0.0, False
        while not over:
            action = generator.choice(np.flatnonzero(env.action_masks()))
            _, earned, over, _, info = env.step(action)
            total += earned
        totals[reward] = total
        scores = info["scores"]
    assert totals["points"] == scores[0]
    assert totals["margin"] == scores[0] - scores[1]
    assert totals["win"] == np.sign(scores[0] - scores[1])


def test_an_own_opponent_and_an_own_start() -> None:
    asked = []

    def opponent(state: bastide.CarcassonneState) -> int:
        asked.append(state.current_player())
        return state.legal_actions()[-1]

    env = gymnasium.make("bastide/Carcassonne-v1", opponent=opponent).unwrapped
    env.reset(seed=1)
    play(env, 10, 0)
    assert set(asked) == {1}
    start = env.state
    env.reset(options={"state": start})
    assert env.state == start
    with pytest.raises(ValueError, match="expected setup"):
        env.reset(options={"state": bastide.CarcassonneState("model-30")})


def test_illegal_actions_in_single_environments() -> None:
    for name in ("Carcassonne", "Tinytown"):
        last = -2 if name == "Carcassonne" else -1
        env = gymnasium.make(f"bastide/{name}-v1", penalty=3).unwrapped
        before, _ = env.reset(seed=1)
        after, reward, over, _, info = env.step(env.action_space.n + last)
        assert (reward, over, info["illegal"]) == (-3.0, False, True)
        np.testing.assert_array_equal(before, after)
        env = gymnasium.make(f"bastide/{name}-v1", illegal="raise").unwrapped
        env.reset(seed=1)
        with pytest.raises(bastide.IllegalActionError):
            env.step(env.action_space.n + last)
        for action, error in ((-1, ValueError), (10**6, ValueError), (0.5, TypeError),
                              (None, TypeError), ([1, 2], TypeError)):  # fmt: skip
            with pytest.raises(error):
                env.step(action)
        env.close()
        with pytest.raises(bastide.ClosedError):
            env.step(0)
        with pytest.raises(bastide.ClosedError):
            env.reset()
        fresh = gymnasium.make(f"bastide/{name}-v1").unwrapped
        with pytest.raises(ValueError, match="reset"):
            fresh.step(0)


@pytest.mark.parametrize(
    "options", [{"opponent": "nobody"}, {"seat": 2}, {"observation": "smell"}, {"reward": "money"},
                {"illegal": "shrug"}, {"render_mode": "sing"}, {"setup": "players=9"}],
)  # fmt: skip
def test_options_that_are_not_known_are_refused(options: dict) -> None:
    from bastide.carcassonne_env import CarcassonneEnv

    with pytest.raises(ValueError):
        CarcassonneEnv(**options)


@pytest.mark.parametrize("mode", list(AutoresetMode))
@pytest.mark.parametrize("name", ["Carcassonne", "Tinytown"])
def test_vector_environments(name: str, mode: AutoresetMode) -> None:
    options = {"opponent": "random", "setup": "board=5x5"} if name == "Carcassonne" else {}
    env = gymnasium.make_vec(f"bastide/{name}-v1", num_envs=7, autoreset_mode=mode, **options)
    assert env.metadata["autoreset_mode"] == mode
    observation, info = env.reset(seed=3)
    assert env.observation_space.contains(observation)
    generator, ended = np.random.default_rng(0), 0
    for _ in range(60):
        masks = info["action_mask"]
        actions = [generator.choice(np.flatnonzero(m)) if m.any() else 0 for m in masks]
        observation, reward, over, cut, info = env.step(np.array(actions))
        assert env.observation_space.contains(observation)
        assert reward.shape == over.shape == cut.shape == (7,)
        ended += int(over.sum())
        if mode == AutoresetMode.DISABLED and over.all():
            observation, info = env.reset()
    assert ended > 0
    env.close()


def test_texts_and_pixels() -> None:
    for name, high in (("Carcassonne", 560), ("Tinytown", 144)):
        env = gymnasium.make(f"bastide/{name}-v1", render_mode="ansi").unwrapped
        env.reset(seed=1)
        assert isinstance(env.render(), str) and len(env.render()) > 20
        env = gymnasium.make(f"bastide/{name}-v1", render_mode="rgb_array").unwrapped
        env.reset(seed=1)
        assert env.render().shape == (high, high, 3) and env.render().dtype == np.uint8


def test_wrappers_of_gymnasium() -> None:
    options = {"setup": "board=5x5", "opponent": "random", "observation": "planes"}
    env = gymnasium.make("bastide/Carcassonne-v1", **options)
    env = RecordEpisodeStatistics(TimeLimit(FlattenObservation(env), 12))
    env.reset(seed=1)
    for number in range(1, 13):
        action = int(np.flatnonzero(env.unwrapped.action_masks())[0])
        observation, _, over, cut, info = env.step(action)
        assert env.observation_space.contains(observation)
        assert not over and cut == (number == 12)
    assert info["episode"]["l"] == 12


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("context", ["fork", "spawn"])
def test_environments_in_processes_of_their_own(context: str) -> None:
    """The module's name before the colon makes the environment known where nothing is imported."""
    options = {"setup": "board=5x5", "opponent": "random", "observation": "planes"}
    make = partial(gymnasium.make, "bastide:bastide/Carcassonne-v1", **options)
    env = AsyncVectorEnv([make] * 2, context=context)
    try:
        observation, info = env.reset(seed=3)
        for _ in range(5):
            actions = np.array([np.flatnonzero(mask)[0] for mask in info["action_mask"]])
            observation, _, _, _, info = env.step(actions)
            assert env.observation_space.contains(observation)
        assert info["illegal"].tolist() == [False, False]
    finally:
        env.close()
