"""Games with sets in every form: states, batches, Gymnasium, PettingZoo, bots, records, copies."""

import copy
import pickle
import random
import warnings

import bastide
import gymnasium
import numpy as np
import pytest
from bastide import aec
from conftest import WITH_SETS, random_state
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test
from test_batch import check_row

IDS = {
    "CarcassonneInns": "sets=inns",
    "CarcassonneInnsTraders": "sets=inns,traders",
    "CarcassonneAllSets": "sets=inns,traders,river,gardens",
}


@pytest.mark.parametrize("setup", WITH_SETS)
def test_random_games_are_what_the_record_says(setup: str) -> None:
    """A game is played by numbers; its record is replayed by the rules, which saw no number."""
    names = set().union(*(figures_of_a_game(setup, seed) for seed in range(12)))
    sets = bastide.layout(setup)["setup"].split("sets=")[1].split(",")
    wanted = {"inns": ["big"], "traders": ["builder", "pig"], "gardens": ["abbot", "recall"]}
    for name, figures in wanted.items():
        for figure in figures:
            if figure != "pig" or "farmers=off" not in setup:
                assert (figure in names) == (name in sets), figure


def figures_of_a_game(setup: str, seed: int) -> set[str]:
    """Plays a random game and checks it; gives the first words of its moves that were no placement."""
    state, dealer, chance = bastide.CarcassonneState(setup), bastide.Dealer(seed), random.Random(seed)
    texts, figures = [], set()
    placements = 4 * state.board_size**2
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes = dict(state.chance_outcomes())
            assert sum(outcomes.values()) == pytest.approx(1)
            assert list(outcomes) == state.legal_actions()
            action = dealer.draw(state)
            assert action in outcomes
        else:
            legal = state.legal_actions()
            assert np.flatnonzero(state.legal_actions_mask()).tolist() == legal
            assert [state.string_to_action(state.action_to_string(a)) for a in legal] == legal
            figures |= {state.action_to_string(a).split()[0] for a in legal if a >= placements}
            action = chance.choice(legal)
        texts.append(state.action_to_string(action))
        state.apply_action(action)
    told = bastide.replay(f"carcassonne {state.setup}\n" + "; ".join(texts))
    assert told["scores"] == state.scores() and told["phase"] == "game_over"
    assert told["moves"] == state.history_strings() == texts
    assert bastide.CarcassonneState.from_record(state.serialize()) == state
    return figures


@pytest.mark.parametrize("games", [31, 32, 33])
@pytest.mark.parametrize("observation", ["compact", "planes"])
def test_a_batch_is_many_states(games: int, observation: str) -> None:
    """Games are worked on in chunks of 32: their borders are not seen."""
    setup = "players=3 board=13x13 sets=inns,traders,river,gardens"
    options = {"observation": observation, "mask": True, "reward": "points", "threads": 2}
    batch = bastide.CarcassonneBatch(games, setup, **options)  # type: ignore[arg-type]
    generator, step = np.random.default_rng(3), batch.reset(seed=8)
    states = [bastide.CarcassonneState(setup) for _ in range(games)]
    dealers = [bastide.Dealer(8, game) for game in range(games)]
    for dealer, state in zip(dealers, states):
        dealer.deal(state)
    ended = 0
    for number in range(280):
        for game in (0, 15, 30, 31, 32):
            if game < games and number % 3 == 0:
                check_row(step, game, states[game])
        actions = step.legal.pick(generator)
        step = batch.step(actions)
        for game, (state, dealer) in enumerate(zip(states, dealers)):
            before = state.scores()
            state.apply_action(int(actions[game]))
            dealer.deal(state)
            assert step.reward[game].tolist() == [a - b for a, b in zip(state.scores(), before)]
            assert step.terminated[game] == state.is_terminal()
            if state.is_terminal():
                ended += 1
                states[game] = bastide.CarcassonneState(setup)
                dealer.deal(states[game])
    assert ended >= games
    assert all(batch.state(game) == states[game] for game in range(games))


@pytest.mark.parametrize("name", IDS)
@pytest.mark.parametrize("observation", ["compact", "planes"])
def test_gymnasium_knows_and_checks_the_ids(name: str, observation: str) -> None:
    env = gymnasium.make(f"bastide/{name}-v1", observation=observation, opponent="random")
    assert env.unwrapped.layout["setup"].endswith(IDS[name])
    assert env.unwrapped.layout["tensors"] == "v2"
    check_env(env.unwrapped, skip_render_check=True)
    generator = np.random.default_rng(1)
    env = env.unwrapped
    _, info = env.reset(seed=3)
    over = False
    while not over:
        legal = np.flatnonzero(info["action_mask"])
        assert legal.tolist() == env.state.legal_actions()
        seen, _, over, _, info = env.step(generator.choice(legal))
        assert env.observation_space.contains(seen)
    assert info["scores"].tolist() == bastide.replay(env.state.serialize())["scores"]


def test_other_setups_and_the_base_game_by_version_2() -> None:
    env = gymnasium.make("bastide/CarcassonneInns-v1", setup="players=4 sets=river", opponent="random")
    check_env(env.unwrapped, skip_render_check=True)
    env = gymnasium.make("bastide/Carcassonne-v1", tensors="v2", opponent="random")
    assert env.action_space.n == 4 * 35**2 + 42
    check_env(env.unwrapped, skip_render_check=True)
    many = gymnasium.make_vec(
        "bastide/CarcassonneInnsTraders-v1", num_envs=35, opponent="random", observation="planes"
    )
    seen, info = many.reset(seed=1)
    for _ in range(12):
        picked = [np.flatnonzero(mask)[-1] for mask in info["action_mask"]]
        seen, _, _, _, info = many.step(np.array(picked))
        assert many.observation_space.contains(seen)


@pytest.mark.parametrize("observation", ["compact", "planes"])
def test_pettingzoo_checks_games_with_sets(observation: str) -> None:
    with warnings.catch_warnings():
        # It would rather have no dictionaries, but masks need them.
        warnings.simplefilter("ignore", UserWarning)
        for setup in ("all-sets", "players=5 board=21x21 sets=traders,river"):
            api_test(aec.env(setup=setup, observation=observation), num_cycles=150)
    seed_test(lambda: aec.env(setup="inns-traders"), num_cycles=100)


def test_a_builder_gives_the_same_agent_a_second_part() -> None:
    assert sum(second_parts(seed) for seed in range(8)) > 3


def second_parts(seed: int) -> int:
    """Plays a game in which builders are put down where they can be; gives how often they helped."""
    env = aec.env(setup="sets=traders board=25x25")
    env.reset(seed=seed)
    agents, generator = [], np.random.default_rng(seed)
    for agent in env.agent_iter():
        observation, _, over, _, _ = env.last()
        if over:
            break
        state = env.unwrapped.game_state
        if state.phase == "place_tile":
            # Globals say so: the number at 5 is 1 in the second part.
            assert state.globals()[5] == (agents[-1:] == [agent])
            agents.append(agent)
        builders = [a for a in state.legal_actions() if "builder" in state.action_to_string(a)]
        legal = builders or np.flatnonzero(observation["action_mask"]).tolist()
        env.step(int(generator.choice(legal)))
    return sum(a == b for a, b in zip(agents, agents[1:]))


@pytest.mark.parametrize("setup", ["inns-traders", "all-sets"])
def test_copies_in_mid_game_go_on_alike(setup: str) -> None:
    batch = bastide.CarcassonneBatch(34, setup, observation="planes", opponent="random")
    batch.reset(seed=6)
    for _ in range(25):
        batch.step(batch.sample_actions())
    copies = [batch, copy.deepcopy(batch), pickle.loads(pickle.dumps(batch))]
    for _ in range(20):
        steps = [each.step(each.sample_actions()) for each in copies]
        for other in steps[1:]:
            np.testing.assert_array_equal(steps[0].observation["planes"], other.observation["planes"])
            np.testing.assert_array_equal(steps[0].observation["globals"], other.observation["globals"])
    env = gymnasium.make("bastide/Carcassonne-v1", setup=setup, opponent="greedy").unwrapped
    env.reset(seed=1)
    for _ in range(9):
        env.step(env.state.legal_actions()[-1])
    for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        here, there = copy.deepcopy(env), other
        for _ in range(20):
            action = here.state.legal_actions()[0]
            assert here.step(action)[0].tolist() == there.step(action)[0].tolist()
    again = gymnasium.make("bastide/Carcassonne-v1", setup=setup, opponent="greedy").unwrapped
    again.reset(seed=1, options={"state": env.state})
    assert again.state == env.state


def test_states_of_both_versions_copy_as_what_they_are() -> None:
    for setup, tensors in [("standard", "v1"), ("standard", "v2"), ("all-sets", "v2")]:
        state = random_state(4, 50, setup, tensors)
        for other in (state.clone(), copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
            assert other == state and hash(other) == hash(state) and other.tensors == tensors
            np.testing.assert_array_equal(other.planes(), state.planes())
    assert random_state(4, 50, "standard", "v2") != random_state(4, 50, "standard", "v1")


def test_bots_play_games_with_sets() -> None:
    for setup in ("inns-traders", "players=3 sets=river,gardens"):
        state = random_state(3, 40, setup)
        for name in ("random", "greedy", "net", "best", "shepherd"):
            bot = bastide.Bot(name, setup=setup, nodes=40)
            turn = bot.turn(state)
            then = state.clone()
            for action in turn:
                then.apply_action(action)
            bot.new_game()
            assert bot.choose(state) == turn[0]
        copied = pickle.loads(pickle.dumps(bot))
        assert copied.setup == bot.setup and copied.turn(state)
    with pytest.raises(ValueError, match="made for the base game, the game is sets=inns"):
        bastide.Bot("greedy").choose(random_state(3, 4, "inns"))
    with pytest.raises(ValueError, match="made for sets=inns, the game is the base game"):
        bastide.Bot("greedy", setup="inns").choose(random_state(3, 4))
    with pytest.raises(ValueError, match="players=4: the setup has 2 players"):
        bastide.Bot("greedy", 4, setup="inns")
    match = bastide.play_match("greedy", "random", rounds=2, setup="all-sets", nodes=20)
    assert match["wins"] + match["draws"] + match["losses"] == 4
    for game in match["games"]:
        assert bastide.replay(game["record"])["scores"] == game["scores"]


def test_endings_with_sets_are_exact() -> None:
    state, decisions = random_state(1, 150, "sets=inns"), 150
    while sum(state.tiles_left()) > 1:
        decisions += 1
        state = random_state(1, decisions, "sets=inns")
    solved = bastide.solve_ending(state, time=60.0)
    assert solved is not None and solved["exact"]
    assert solved["margins"][0] == pytest.approx(-solved["margins"][1])


def test_what_the_sets_add_can_be_asked() -> None:
    state = bastide.CarcassonneState("all-sets")
    assert state.figures() == [["big", "builder", "pig", "abbot"]] * 2
    assert state.goods() == [(0, 0, 0)] * 2 and len(state.tiles_left()) == 83
    assert bastide.CarcassonneState().figures() == [[], []]
    game = bastide.CarcassonneGame("all-sets")
    assert game.max_chance_outcomes() == 83 and game.max_game_length() == 2 * 126
    assert bastide.CarcassonneGame().max_chance_outcomes() == 24
    assert game.deserialize_state(random_state(2, 9, "all-sets").serialize()).tensors == "v2"
    # The river is drawn first, its lake last.
    assert all(state.action_to_string(kind).startswith("RI/") for kind in state.legal_actions())
    with pytest.raises(bastide.IllegalActionError, match="not drawn before the whole river lies"):
        state.apply_action(20)


@pytest.mark.parametrize(
    "wrong, allowed",
    [
        ({"setup": "sets=inns", "tensors": "v1"}, "no numbers for sets=inns; allowed: 'v2'"),
        ({"tensors": "v3"}, "tensors='v3' is not known; allowed: 'v1', 'v2'"),
        ({"tensors": ""}, "allowed: 'v1', 'v2'"),
        ({"setup": "sets=castles"}, "sets are inns, traders, river, gardens, each once"),
        ({"setup": "sets=inns,inns"}, "each once"),
        ({"setup": "sets=river start=empty"}, "starts with the spring"),
        ({"setup": "inn"}, "inns, inns-traders, all-sets"),
        ({"setup": "sets=inns board=unlimited"}, "board=NxN"),
    ],
)
def test_wrong_setups_and_versions_are_told_what_is_allowed(wrong: dict, allowed: str) -> None:
    makers = [
        bastide.layout,
        bastide.CarcassonneState,
        bastide.CarcassonneGame,
        lambda **options: bastide.CarcassonneBatch(2, **options),
        lambda **options: gymnasium.make("bastide/Carcassonne-v1", **options),
        lambda **options: gymnasium.make_vec("bastide/Carcassonne-v1", num_envs=2, **options),
        aec.env,
    ]
    for make in makers:
        with pytest.raises(ValueError) as error:
            make(**wrong)
        assert allowed in str(error.value)


def test_a_state_of_another_version_is_no_start() -> None:
    env = gymnasium.make("bastide/Carcassonne-v1", opponent="random").unwrapped
    with pytest.raises(ValueError, match="expected tensors 'v1', found 'v2'"):
        env.reset(options={"state": bastide.CarcassonneState(tensors="v2")})
    with pytest.raises(ValueError, match="expected setup"):
        env.reset(options={"state": bastide.CarcassonneState("inns")})
    with pytest.raises(ValueError, match="'big city0' is no action of tensors 'v1'"):
        bastide.CarcassonneState().string_to_action("big city0")
