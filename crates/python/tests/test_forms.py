"""One game in the forms of the libraries: single, vector and AEC environments tell and play the same."""

from functools import partial
from typing import Any

import bastide
import gymnasium
import numpy as np
import pytest
from bastide import aec
from bastide.gym_parts import margins
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import DictInfoToList

CARCASSONNE: list[dict[str, Any]] = [
    {"opponent": "greedy"},
    {"opponent": "random", "seat": 1, "reward": "win"},
    {"opponent": "pilgrim", "nodes": 30, "setup": "board=9x9", "observation": "planes"},
    {"opponent": "mcts", "nodes": 20, "setup": "players=3 board=9x9", "seat": 2, "illegal": "terminate"},
    {"opponent": "greedy", "setup": "board=9x9 sets=inns,traders", "reward": "points"},
    {"opponent": "random", "setup": "board=7x7", "observation": "planes", "illegal": "terminate"},
    {"opponent": "shepherd", "nodes": 20, "setup": "board=7x7", "mask_in_observation": True},
]


def same(ours: Any, theirs: Any, words: str) -> None:
    if isinstance(ours, dict):
        assert ours.keys() >= theirs.keys() if "info" in words else ours.keys() == theirs.keys()
        for key, value in theirs.items():
            same(ours[key], value, f"{words} {key}")
        return
    assert ours.shape == theirs.shape and ours.dtype == theirs.dtype, words
    np.testing.assert_array_equal(ours, theirs, err_msg=words)


@pytest.mark.parametrize("seed", [7, [5, 900, 2**60], "then none"])
@pytest.mark.parametrize("options", CARCASSONNE)
def test_environment_i_plays_what_a_single_one_plays(options: dict[str, Any], seed: Any) -> None:
    """Gymnasium's own vector of single environments and ours, through ends of games and resets."""
    make = partial(gymnasium.make, "bastide/Carcassonne-v1", disable_env_checker=True, **options)
    theirs = SyncVectorEnv([make] * 3, autoreset_mode=AutoresetMode.NEXT_STEP)
    ours = gymnasium.make_vec("bastide/Carcassonne-v1", num_envs=3, **options)
    first = 11 if seed == "then none" else seed
    got, wanted = ours.reset(seed=first), theirs.reset(seed=first)
    if seed == "then none":
        got, wanted = ours.reset(), theirs.reset()
    chance, ended = np.random.default_rng(1), 0
    for number in range(150 if "setup" in options else 60):
        same(got[0], wanted[0], "observation")
        same(got[-1], wanted[-1], "info")
        masks = wanted[-1]["action_mask"]
        actions = np.array([chance.choice(np.flatnonzero(m)) if m.any() else 0 for m in masks])
        if number % 9 == 4:
            actions[1] = 0
        got, wanted = ours.step(actions), theirs.step(actions)
        for ours_has, theirs_has in zip(got[1:4], wanted[1:4]):
            np.testing.assert_array_equal(ours_has, theirs_has)
        ended += int(np.sum(got[2]))
    assert ended > 0 or "setup" not in options


def test_seeds_are_those_of_single_environments() -> None:
    env = gymnasium.make_vec("bastide/Carcassonne-v1", num_envs=3, opponent="random")
    env.reset(seed=20)
    states = env.batch.get_states()
    env.reset(seed=[22, 21, 20])
    assert env.batch.get_states() == states[::-1]
    env.reset(seed=21)
    assert env.batch.get_states()[:2] == states[1:]
    env.reset(seed=[21, None, 20])
    assert env.batch.state(0) == states[1] and env.batch.state(2) == states[0]
    assert env.np_random_seed == 21
    for kind in (tuple, np.array):
        env.reset(seed=kind([20, 21, 22]))
        assert env.batch.get_states() == states


def test_without_a_seed_games_differ() -> None:
    tiles = []
    for _ in range(2):
        env = gymnasium.make_vec("bastide/Carcassonne-v1", num_envs=40, opponent="random")
        env.reset()
        tiles.append([state.tile_in_hand() for state in env.batch.get_states()])
    assert len(set(tiles[0])) > 3 and tiles[0] != tiles[1]
    batch = bastide.CarcassonneBatch(40)
    batch.reset()
    assert len({state.tile_in_hand() for state in batch.get_states()}) > 3
    other = bastide.CarcassonneBatch(40)
    other.reset(seed=0)
    assert batch.get_states() == other.get_states(), "the first reset is that of seed 0"


def test_infos_have_the_same_names_in_every_form() -> None:
    options: dict[str, Any] = {"setup": "players=3 board=9x9"}
    single = gymnasium.make("bastide/Carcassonne-v1", opponent="random", **options)
    vector = gymnasium.make_vec("bastide/Carcassonne-v1", num_envs=2, opponent="random", **options)
    pettingzoo = aec.env(**options)
    pettingzoo.reset(seed=1)
    names = {"action_mask", "illegal", "scores", "margins"}
    for _ in range(30):
        observation, _, _, _, info = pettingzoo.last()
        assert info.keys() == names
        np.testing.assert_array_equal(info["action_mask"], observation["action_mask"])
        others = [pettingzoo.infos[agent] for agent in pettingzoo.agents if agent != pettingzoo.agent_selection]
        assert all(other.keys() == names and not other["action_mask"].any() for other in others)
        state = pettingzoo.unwrapped.game_state
        assert info["scores"].tolist() == state.scores() and info["scores"].dtype == np.int32
        pettingzoo.step(int(np.flatnonzero(info["action_mask"])[-1]))
    for info in (single.reset(seed=1)[1], single.step(0)[-1]):
        assert info.keys() == names and info["margins"].shape == (3,)
    told = vector.reset(seed=1)[1]
    assert {name for name in told if name[0] != "_"} == names | {"final_scores"}
    assert all(told[f"_{name}"].all() for name in names)


def test_an_illegal_action_is_told_to_its_agent_alone() -> None:
    env = aec.env(setup="players=3 board=9x9", illegal="noop")
    env.reset(seed=1)
    agent = env.agent_selection
    env.step(0)
    assert {name: told["illegal"] for name, told in env.infos.items()} == {
        name: name == agent for name in env.agents
    }
    env.step(int(np.flatnonzero(env.last()[-1]["action_mask"])[0]))
    assert not any(told["illegal"] for told in env.infos.values())


def test_infos_of_vectors_are_taken_apart_by_gymnasium() -> None:
    env = DictInfoToList(gymnasium.make_vec("bastide/Carcassonne-v1", num_envs=3, opponent="random"))
    _, infos = env.reset(seed=1)
    assert [info["action_mask"].sum() > 0 for info in infos] == [True] * 3


def test_margins_are_leads_over_the_best_of_the_others() -> None:
    chance = np.random.default_rng(1)
    for players in range(2, 7):
        scores = chance.integers(0, 4, (50, players)).astype(np.int32)
        wanted = [[row[p] - max(np.delete(row, p)) for p in range(players)] for row in scores]
        np.testing.assert_array_equal(margins(scores), wanted)
        np.testing.assert_array_equal(margins(scores[3]), wanted[3])


@pytest.mark.parametrize("name", ["Carcassonne", "Tinytown"])
def test_pictures_of_vector_environments(name: str) -> None:
    for mode, kind in (("ansi", str), ("rgb_array", np.ndarray)):
        env = gymnasium.make_vec(f"bastide/{name}-v1", num_envs=3, render_mode=mode)
        env.reset(seed=1)
        pictures = env.render()
        assert len(pictures) == 3 and all(isinstance(picture, kind) for picture in pictures)
    with pytest.raises(ValueError, match="render_mode='human' is not known; allowed: 'ansi', 'rgb_array'"):
        gymnasium.make_vec(f"bastide/{name}-v1", num_envs=3, render_mode="human")


@pytest.mark.parametrize("name", ["Carcassonne", "Tinytown"])
def test_people_see_a_game_in_a_window(name: str) -> None:
    pygame = pytest.importorskip("pygame")
    env = gymnasium.make(f"bastide/{name}-v1", render_mode="human").unwrapped
    env.reset(seed=1)
    env.step(int(np.flatnonzero(env.action_masks())[0]))
    assert env.render() is None
    shown = pygame.surfarray.array3d(pygame.display.get_surface()).swapaxes(0, 1)
    np.testing.assert_array_equal(shown, env.state.rgb())
    env.close()
    assert pygame.display.get_surface() is None
    if name == "Carcassonne":
        game = aec.env(render_mode="human")
        game.reset(seed=1)
        assert pygame.display.get_surface() is not None
        game.close()
