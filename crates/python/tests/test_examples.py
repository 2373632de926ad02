"""Every example runs, shortened, and does what it says."""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"


def run(name: str, *arguments: str) -> str:
    command = [sys.executable, str(EXAMPLES / name), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_random_rollout() -> None:
    told = run("random_rollout.py", "--games", "64", "--decisions", "300")
    assert "19,200 decisions" in told and re.search(r"\d+ games ended", told)


def test_tree_search_beats_dice() -> None:
    told = run("mcts.py", "--playouts", "25", "--board", "5")
    scores = re.search(r"tree search (-?\d+), random (-?\d+)", told)
    assert scores is not None and int(scores[1]) > int(scores[2]), told


def margin_of_puct(network: str, *arguments: str) -> float:
    told = run("puct.py", "--network", network, *arguments)
    found = re.search(r"mean margin against random ([+-][\d.]+)", told)
    assert found is not None and "leaves" in told, told
    return float(found[1])


def test_puct_with_any_function_beats_dice() -> None:
    assert margin_of_puct("heuristic", "--board", "7", "--games", "6", "--simulations", "30") > 5


def test_puct_with_a_network_in_pytorch() -> None:
    if importlib.util.find_spec("torch") is None:
        pytest.skip("torch is not installed here; make test-integrations runs this one")
    margin_of_puct("torch", "--board", "5", "--games", "4", "--simulations", "10")


def test_policy_gradient_learns_tinytown(tmp_path: Path) -> None:
    picture = tmp_path / "curve.svg"
    told = run("learn_tinytown.py", "--setup", "2x3", "--rounds", "60", "--games", "128",
               "--curve", str(picture))  # fmt: skip
    found = re.search(r"from (-?[\d.]+) to (-?[\d.]+) of at most 4", told)
    assert found is not None, told
    assert float(found[2]) > float(found[1]) + 3, "it improves visibly"
    assert "V*" in picture.read_text()


def test_options_are_found() -> None:
    told = run("options_tinytown.py", "--setup", "2x2", "--options", "3", "--walks", "30")
    assert told.count("option ") == 6 and "actions and options saw" in told


def test_an_own_agent_is_measured() -> None:
    told = run("evaluate_agent.py", "--games", "1", "--levels", "shepherd", "--nodes", "50")
    assert re.search(r"shepherd +[+-][\d.]+ ± ", told)


def test_self_play_on_ray() -> None:
    if importlib.util.find_spec("ray") is None:
        pytest.skip("ray is not installed here; make test-integrations runs this one")
    told = run("ray_self_play.py", "--workers", "2", "--games", "32", "--rounds", "2")
    assert "round 1:" in told and "decisions a second" in told


def test_every_example_has_a_test() -> None:
    tested = Path(__file__).read_text()
    assert all(example.name in tested for example in EXAMPLES.glob("*.py"))
