"""Training and measuring on a real Ray cluster: a head without cores and two machines of one core each, of which one is
killed in the middle. What comes of it is what the program makes alone."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

REPOSITORY = Path(__file__).resolve().parents[3]
BUILT = [REPOSITORY / "target" / profile / "bastide" for profile in ("release", "debug")]
PROGRAM = os.environ.get("BASTIDE") or max(
    (str(path) for path in BUILT if path.exists()), key=lambda path: os.stat(path).st_mtime, default=""
)

utils = pytest.importorskip("ray.cluster_utils")
pytestmark = pytest.mark.skipif(not PROGRAM, reason="there is no target/debug/bastide; BASTIDE names another")

PATIENCE = 600


class RayCluster:
    """A cluster whose machines are killed and added."""

    def __init__(self) -> None:
        self.cluster = utils.Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
        self.machines = [self.cluster.add_node(num_cpus=1) for _ in range(2)]
        self.cluster.wait_for_nodes()
        self.commands: list[subprocess.Popen[str]] = []

    def shutdown(self) -> None:
        """Also ends what a failed test has left running."""
        for command in self.commands:
            if command.poll() is None:
                os.killpg(command.pid, signal.SIGKILL)
                command.wait()
        self.cluster.shutdown()

    def kill_one(self) -> None:
        self.cluster.remove_node(self.machines.pop(0), allow_graceful=False)

    def add_one(self) -> None:
        self.machines.append(self.cluster.add_node(num_cpus=1))
        self.cluster.wait_for_nodes()

    def start(self, *words: str) -> subprocess.Popen[str]:
        """Starts a command that works on this cluster; it is a group of its own, as a terminal makes one."""
        command = [sys.executable, "-m", "bastide.cluster", *words, "--program", PROGRAM]
        environment = {**os.environ, "RAY_ADDRESS": self.cluster.address}
        started = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment, start_new_session=True
        )
        self.commands.append(started)
        return started


@pytest.fixture
def cluster() -> Iterator[RayCluster]:
    made = RayCluster()
    yield made
    made.shutdown()


def alone(*words: str) -> str:
    done = subprocess.run([PROGRAM, *words, "--threads", "1"], capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    return done.stdout


def wait_until(happened: Callable[[], bool], running: subprocess.Popen[str]) -> None:
    began = time.monotonic()
    while not happened():
        assert running.poll() is None, running.communicate()
        assert time.monotonic() - began < PATIENCE
        time.sleep(0.02)


def ended(running: subprocess.Popen[str], code: int) -> tuple[str, str]:
    told, said = running.communicate(timeout=PATIENCE)
    assert running.returncode == code, told + said
    return told, said


def interrupt(running: subprocess.Popen[str]) -> None:
    """What Ctrl-C does: everything in the terminal's foreground hears of it."""
    os.killpg(running.pid, signal.SIGINT)


def contents(path: Path) -> bytes:
    return path.read_bytes() if path.exists() else b""


def test_a_net_is_the_same_although_a_machine_was_killed(cluster: RayCluster, tmp_path: Path) -> None:
    text = (REPOSITORY / "crates/bots/nets/two-returns.toml").read_text()
    sizes = "round_games = 12\nbatch_games = 2\ngames = 36"
    (tmp_path / "run.toml").write_text(text.replace("games = 200000", sizes))
    words = ["train", str(tmp_path / "run.toml"), "--trial-every", "1000", "--trial-decks", "1", "--out"]
    began = time.monotonic()
    alone(*words, str(tmp_path / "one"))
    print(f"alone {time.monotonic() - began:.1f} s")
    began = time.monotonic()
    running = cluster.start(*words, str(tmp_path / "many"))
    playing = tmp_path / "many" / "round.net"
    wait_until(lambda: contents(playing) != b"", running)
    first = contents(playing)
    wait_until(lambda: contents(playing) != first, running)
    print(f"killed a machine after {time.monotonic() - began:.1f} s, in the second round")
    cluster.kill_one()
    second = contents(playing)
    wait_until(lambda: contents(playing) != second, running)
    interrupt(running)
    told, said = ended(running, 130)
    assert "stopped at 24 games; run again to go on" in told
    # The head and two machines, then one less.
    assert "has 3 machines, 2 cores" in said and "has 2 machines, 1 cores" in said
    cluster.add_one()
    told, _ = ended(cluster.start(*words, str(tmp_path / "many")), 0)
    assert "training from 24 games" in told and "36 of 36 games" in told
    print(f"on the cluster {time.monotonic() - began:.1f} s")
    for name in ("net", "checkpoint"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "many" / name).read_bytes(), name


TIMES = {"micros", "longest", "ms_a_move", "longest_ms"}


def without_times(value: Any) -> Any:
    """A result without what it took, which is never the same."""
    if isinstance(value, dict):
        return {key: without_times(field) for key, field in value.items() if key not in TIMES}
    return [without_times(item) for item in value] if isinstance(value, list) else value


def result(path: Path) -> Any:
    return without_times(json.loads(path.read_text()))


def test_a_match_is_the_same_although_a_machine_was_killed(cluster: RayCluster, tmp_path: Path) -> None:
    words = ["match", "best", "net", "--pairs", "12", "--nodes", "40", "--seed", "9"]
    alone(*words, "--json", str(tmp_path / "one.json"))
    state, games = tmp_path / "many", tmp_path / "many" / "games.jsonl"
    words += ["--out", str(state), "--json", str(tmp_path / "many.json")]
    began = time.monotonic()
    running = cluster.start(*words)
    wait_until(lambda: contents(games).count(b"\n") >= 4, running)
    print(f"killed a machine after {time.monotonic() - began:.1f} s, {contents(games).count(10)} of 24 games there")
    cluster.kill_one()
    wait_until(lambda: contents(games).count(b"\n") >= 10, running)
    interrupt(running)
    _, said = ended(running, 130)
    assert "the same command goes on" in said and "has 3 machines, 2 cores" in said
    kept = games.read_bytes()
    assert kept.count(b"\n") < 24
    ended(cluster.start(*words), 0)
    print(f"on the cluster {time.monotonic() - began:.1f} s")
    assert games.read_bytes().startswith(kept), "what was played is not played again"
    assert result(tmp_path / "one.json") == result(tmp_path / "many.json")


def test_a_ladder_on_the_cluster(cluster: RayCluster, tmp_path: Path) -> None:
    words = ["ladder", "--bots", "random,greedy,net", "--pairs", "6", "--nodes", "20"]
    alone(*words, "--json", str(tmp_path / "one.json"))
    told, _ = ended(cluster.start(*words, "--state", str(tmp_path / "state"), "--json", str(tmp_path / "many.json")), 0)
    assert "| greedy | 1000 |" in told
    assert result(tmp_path / "one.json") == result(tmp_path / "many.json")


def some_games(folder: Path) -> Path:
    games = folder / "games.txt"
    alone("match", "net", "greedy", "--pairs", "2", "--nodes", "20", "--games", str(games))
    return games


def figures(told: str) -> list[str]:
    """The lines of a comparison: Ray's own, of a machine that is lost, are among what is told."""
    return [line for line in told.splitlines() if "points a game" in line]


def test_regrets_are_the_same_although_a_machine_was_killed(cluster: RayCluster, tmp_path: Path) -> None:
    games = some_games(tmp_path)
    compared = [str(games), "best", "greedy", "--nodes", "300", "--reference", "look", "--reference-nodes", "2000"]
    script = [sys.executable, str(REPOSITORY / "scripts" / "regret"), *compared, "--program", PROGRAM]
    one = subprocess.run(script, capture_output=True, text=True, timeout=PATIENCE, check=True).stdout
    running = cluster.start("regret", *compared, "--out", str(tmp_path / "regret"))
    wait_until(lambda: len(list((tmp_path / "regret").glob("*.json"))) >= 2, running)
    cluster.kill_one()
    many, _ = ended(running, 0)
    assert figures(one) == figures(many) and one.count("4 positions") == 2
    again, said = ended(cluster.start("regret", *compared, "--out", str(tmp_path / "regret")), 0)
    assert figures(again) == figures(one) and "analyses" not in said, "nothing is analysed again"


def test_reviews_on_the_cluster(cluster: RayCluster, tmp_path: Path) -> None:
    records = some_games(tmp_path).read_text().split("carcassonne")[1:]
    for number, record in enumerate(records[:2]):
        short = [line for line in record.splitlines() if not line.startswith("#")][:12]
        (tmp_path / f"game-{number}.txt").write_text("carcassonne" + "\n".join(short) + "\n")
    (tmp_path / "wrong.txt").write_text("no game")
    files = [str(tmp_path / name) for name in ("game-0.txt", "wrong.txt", "game-1.txt")]
    _, said = ended(cluster.start("review", *files, "--out", str(tmp_path / "reviews")), 1)
    assert "wrong.txt" in said, "the others are reviewed all the same"
    for number in range(2):
        expected = subprocess.run([PROGRAM, "review", files[2 * number], "--json"], capture_output=True, timeout=PATIENCE)
        assert (tmp_path / "reviews" / f"game-{number}.json").read_bytes() == expected.stdout
    _, said = ended(cluster.start("review", files[0], "--out", str(tmp_path / "reviews"), "--deep"), 1)
    assert "made with no options; choose another --out" in said
