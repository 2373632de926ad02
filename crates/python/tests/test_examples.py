"""Every example runs, shortened, and does what it says."""

import importlib.util
import re
import signal
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


def needs_torch() -> None:
    if importlib.util.find_spec("torch") is None:
        pytest.skip("torch is not installed here; make test-integrations runs this one")


def margin_of_puct(network: str, *arguments: str) -> float:
    told = run("puct.py", "--network", network, *arguments)
    found = re.search(r"mean margin against random ([+-][\d.]+)", told)
    assert found is not None and "leaves" in told, told
    return float(found[1])


def test_puct_with_any_function_beats_dice() -> None:
    assert margin_of_puct("heuristic", "--board", "7", "--games", "6", "--simulations", "30") > 5


def test_puct_with_a_network_in_pytorch() -> None:
    needs_torch()
    margin_of_puct("torch", "--board", "5", "--games", "4", "--simulations", "10")


def test_policy_gradient_learns_tinytown(tmp_path: Path) -> None:
    picture = tmp_path / "curve.svg"
    told = run("learn_tinytown.py", "--setup", "2x3", "--rounds", "60", "--games", "128",
               "--curve", str(picture))  # fmt: skip
    found = re.search(r"from (-?[\d.]+) to (-?[\d.]+) of at most 4", told)
    assert found is not None, told
    assert float(found[2]) > float(found[1]) + 3, "it improves visibly"
    assert "V*" in picture.read_text()


LEARN = ["--games", "4", "--shard", "2", "--passes", "4", "--width", "16", "--batch", "16", "--rate", "0.01",
         "--pairs", "2", "--last-pairs", "2", "--every", "100"]  # fmt: skip


def learn(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> None:
    """Runs the example in this process: importing torch takes seconds."""
    needs_torch()
    path = EXAMPLES / "learn_carcassonne.py"
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = sys.modules[path.stem] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(sys, "argv", [str(path), *arguments])
    module.main()


def losses(told: str) -> dict[int, float]:
    return {int(shard): float(loss) for shard, loss in re.findall(r"shard (\d+) of 8: loss ([\d.]+)", told)}


def test_a_network_learns_carcassonne_and_goes_on_after_an_interruption(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    learn(monkeypatch, *LEARN, "--folder", str(tmp_path / "whole"), "--curve", str(tmp_path / "curve.svg"))
    whole = capsys.readouterr().out
    by_shard = losses(whole)
    assert list(by_shard) == list(range(1, 9))
    assert by_shard[7] + by_shard[8] < 0.95 * (by_shard[1] + by_shard[2]), by_shard
    table = (tmp_path / "whole" / "curve.csv").read_text().splitlines()
    assert table[0] == "games,loss,pairs,margin,error,wins,seconds"
    assert [row.split(",")[0] for row in table[1:]] == ["0", "2", "4", "8", "16"]
    assert "Margin against greedy" in (tmp_path / "curve.svg").read_text()

    part = [*LEARN, "--folder", str(tmp_path / "part")]
    command = [sys.executable, str(EXAMPLES / "learn_carcassonne.py"), *part]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as stopped:
        assert stopped.stdout is not None and stopped.stderr is not None
        before = ""
        while "shard 3 of 8" not in before:
            line = stopped.stdout.readline()
            assert line, stopped.stderr.read()
            before += line
        stopped.send_signal(signal.SIGINT)
        rest, complaint = stopped.communicate(timeout=300)
    assert stopped.returncode == 130 and "the same command goes on" in complaint
    learn(monkeypatch, *part)
    after = capsys.readouterr().out
    assert "goes on after" in after
    assert losses(before + rest) | losses(after) == by_shard, "as if it had never been interrupted"
    assert whole.splitlines()[-1] == after.splitlines()[-1]
    with pytest.raises(SystemExit, match="this network learned with --width 16, not 9"):
        learn(monkeypatch, *part, "--width", "9")


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["--games", "0"], "argument --games: '0': expected an integer of 2 or more"),
        (["--games", "many"], "argument --games: 'many': expected an integer"),
        (["--games", "10", "--shard", "4"], "expected a multiple of --shard, 4"),
        (["--shard", "3"], "expected an even number"),
        (["--rate", "-1"], "argument --rate: '-1': expected a number above 0"),
        (["--opponent", "nobody"], "argument --opponent: "),
        (["--curve", "nowhere/curve.svg"], "argument --curve: there is no folder nowhere"),
    ],
)
def test_the_network_that_learns_refuses_wrong_arguments(
    arguments: list[str], words: str, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    with pytest.raises(SystemExit) as ended:
        learn(monkeypatch, "--folder", str(tmp_path / "set"), *arguments)
    assert ended.value.code == 2 and words in capsys.readouterr().err
    assert not (tmp_path / "set").exists()


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
