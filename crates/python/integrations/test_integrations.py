"""The package with libraries whose wheels are large. A library that is not there is skipped."""

import os
import subprocess
import sys
from pathlib import Path

import bastide
import numpy as np
import pytest

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"


def test_masked_ppo_of_sb3_contrib_learns_tinytown() -> None:
    sb3 = pytest.importorskip("sb3_contrib")
    import gymnasium

    env = gymnasium.make("bastide/Tinytown-v1", setup="2x2").unwrapped
    model = sb3.MaskablePPO("MlpPolicy", env, seed=1, n_steps=256, batch_size=64, device="cpu")

    def mean_return(games: int) -> float:
        total = 0.0
        for _ in range(games):
            observation, _ = env.reset()
            over = False
            while not over:
                action, _ = model.predict(observation, action_masks=env.action_masks())
                observation, reward, over, _, info = env.step(int(action))
                assert not info["illegal"], "masks are respected"
                total += reward
        return total / games

    before = mean_return(50)
    model.learn(8_000)
    assert mean_return(50) > before + 0.5


def test_masked_ppo_of_sb3_contrib_plays_carcassonne() -> None:
    sb3 = pytest.importorskip("sb3_contrib")
    import gymnasium

    env = gymnasium.make("bastide/Carcassonne-v1", setup="board=9x9", opponent="random").unwrapped
    model = sb3.MaskablePPO("MlpPolicy", env, seed=1, n_steps=128, batch_size=64, device="cpu")
    model.learn(256)
    # Dictionaries with planes and globals, for convolutions; theirs want 36 cells a side or more.
    options = {"observation": "planes", "setup": "board=36x36"}
    planes = gymnasium.make("bastide/Carcassonne-v1", opponent="random", **options).unwrapped
    kwargs = {"n_steps": 64, "batch_size": 32, "device": "cpu"}
    policy = {"features_extractor_kwargs": {"normalized_image": True}}
    sb3.MaskablePPO("MultiInputPolicy", planes, policy_kwargs=policy, **kwargs).learn(64)


def test_self_play_on_ray() -> None:
    pytest.importorskip("ray")
    command = [sys.executable, str(EXAMPLES / "ray_self_play.py"), "--games", "64", "--rounds", "2"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr
    assert "machines: 1" in done.stdout and "round 1:" in done.stdout


def test_self_play_on_a_cluster_of_ray_unchanged() -> None:
    """Two nodes of one core: the same program, told where the cluster is, uses both."""
    utils = pytest.importorskip("ray.cluster_utils")
    cluster = utils.Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    try:
        cluster.add_node(num_cpus=1)
        command = [sys.executable, str(EXAMPLES / "ray_self_play.py"), "--workers", "2",
                   "--games", "64", "--rounds", "2"]  # fmt: skip
        done = subprocess.run(command, capture_output=True, text=True, timeout=900,
                              env={**os.environ, "RAY_ADDRESS": cluster.address})  # fmt: skip
    finally:
        cluster.shutdown()
    assert done.returncode == 0, done.stderr
    assert "machines: 2" in done.stdout and "round 1:" in done.stdout


def test_puct_with_a_network_in_pytorch() -> None:
    pytest.importorskip("torch")
    command = [sys.executable, str(EXAMPLES / "puct.py"), "--network", "torch", "--board", "7",
               "--games", "6", "--simulations", "20"]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr
    assert "mean margin against random" in done.stdout


def test_what_needs_pytorch_in_the_other_tests() -> None:
    """They are skipped where torch is not installed, which is so in `make test`."""
    pytest.importorskip("torch")
    crate = EXAMPLES.parent
    files = [str(crate / "tests" / name) for name in ("test_examples.py", "test_datasets.py")]
    options = ["-c", str(crate / "pyproject.toml"), "-k", "network or pytorch"]
    command = [sys.executable, "-m", "pytest", *options, *files]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1800)
    assert done.returncode == 0 and "skipped" not in done.stdout, done.stdout


def test_the_state_answers_what_open_spiel_asks() -> None:
    """Everything that OpenSpiel's own generic algorithms call on a state is there and agrees."""
    pyspiel = pytest.importorskip("pyspiel")
    game, ours = pyspiel.load_game("backgammon"), bastide.CarcassonneGame()
    theirs = game.new_initial_state()
    state = ours.new_initial_state()
    for name in ("current_player", "is_chance_node", "is_terminal", "legal_actions",
                 "legal_actions_mask", "chance_outcomes", "apply_action", "action_to_string",
                 "string_to_action", "observation_tensor", "returns", "clone", "child", "history", "serialize",
                 "num_players", "num_distinct_actions"):  # fmt: skip
        assert hasattr(theirs, name) and hasattr(state, name), name
    assert state.current_player() == pyspiel.PlayerId.CHANCE == -1
    while not state.is_terminal():
        if state.is_chance_node():
            kinds, odds = zip(*state.chance_outcomes())
            state.apply_action(int(np.random.choice(kinds, p=odds)))
        else:
            state.apply_action(int(np.random.choice(state.legal_actions())))
    assert state.current_player() == pyspiel.PlayerId.TERMINAL


def test_open_spiels_mcts_plays_our_state() -> None:
    """OpenSpiel's Python tree search runs on our state unchanged."""
    pyspiel = pytest.importorskip("pyspiel")
    mcts = pytest.importorskip("open_spiel.python.algorithms.mcts")

    class Game(bastide.CarcassonneGame):
        """What the search asks of a game beyond its states."""

        def get_type(self) -> object:
            # Of the same type: turns, chance that is sampled, rewards at the end.
            return pyspiel.load_game("backgammon").get_type()

        def max_utility(self) -> float:
            return 200.0

    game = Game("board=5x5")
    chance = np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, chance)
    bot = mcts.MCTSBot(game, 20.0, 20, evaluator, solve=False, random_state=chance)
    state = game.new_initial_state()
    bastide.Dealer(1).deal(state)
    assert bot.step(state) in state.legal_actions()


def test_open_spiels_algorithms_run_on_the_registered_game() -> None:
    """Loaded by name: OpenSpiel's own check of a game, its tree search, its environment for learners."""
    pyspiel = pytest.importorskip("pyspiel")
    mcts = pytest.importorskip("open_spiel.python.algorithms.mcts")
    from open_spiel.python import rl_environment

    name = bastide.spiel.NAME
    game = pyspiel.load_game(f"{name}(setup=board:5x5)")
    assert name in pyspiel.registered_names() and str(pyspiel.load_game(str(game))) == str(game)
    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)
    chance = np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, chance)
    bot = mcts.MCTSBot(game, 20.0, 20, evaluator, solve=False, random_state=chance)
    state = game.new_initial_state()
    state.apply_action(state.chance_outcomes()[0][0])
    kept = str(state)
    assert bot.step(state) in state.legal_actions() and str(state) == kept
    three = pyspiel.load_game(name, {"setup": "players=3 board=5x5", "reward": "win"})
    environment = rl_environment.Environment(three)
    step, decisions = environment.reset(), 0
    assert len(step.observations["info_state"][0]) == np.prod(bastide.spiel.Observer(
        bastide.layout("players=3 board=5x5")).dict["planes"].shape)  # fmt: skip
    while not step.last():
        seat = step.observations["current_player"]
        step = environment.step([int(chance.choice(step.observations["legal_actions"][seat]))])
        decisions += 1
    assert decisions > 20 and set(step.rewards) <= {-1.0, 0.0, 1.0}
    for wrong in ({"reward": "points"}, {"setup": "players=9"}, {"tensors": "v9"}):
        with pytest.raises(Exception, match="allowed|players"):
            pyspiel.load_game(name, wrong)


def test_arrays_go_to_jax_and_torch_without_words() -> None:
    batch = bastide.CarcassonneBatch(4, observation="planes", setup="board=9x9")
    step = batch.reset(seed=1)
    planes = step.observation["planes"]
    planes.flags.writeable = True
    jax = pytest.importorskip("jax")
    assert jax.numpy.asarray(planes).shape == planes.shape
    torch = pytest.importorskip("torch")
    assert torch.from_numpy(planes).shape == planes.shape
    assert torch.utils.dlpack.from_dlpack(planes).shape == planes.shape
