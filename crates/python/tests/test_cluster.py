"""Work for a cluster, without one: what is asked for, how it is done on a machine, what is refused."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from bastide import regret
from bastide.cluster import __main__ as command_line
from bastide.cluster import handed_out, piece, regrets, reviews
from bastide.cluster.piece import ClusterError, Piece, PieceLostError


@pytest.fixture
def program(tmp_path: Path) -> Callable[[str], str]:
    """A program that stands in for bastide."""

    def make(code: str, name: str = "bastide") -> str:
        path = tmp_path / name
        path.write_text(f"#!{sys.executable}\nimport json, os, pathlib, sys\nargs = sys.argv[1:]\n{code}\n")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return str(path)

    return make


def do(path: str, asked: Piece) -> bytes:
    return piece.do_piece(path, piece.fingerprint(path), asked)


def test_a_piece_is_done_in_a_folder_of_its_own(program: Callable[[str], str]) -> None:
    path = program("text = pathlib.Path(args[0]).read_text()\npathlib.Path('out').write_text(text.upper())\nprint(os.getcwd())")
    asked = Piece(("net",), {"net": b"weights"}, "out")
    assert do(path, asked) == b"WEIGHTS"
    folder = do(path, Piece(("net",), {"net": b"weights"})).decode().strip()
    assert folder != os.getcwd() and not Path(folder).exists(), "it is gone afterwards"


def test_a_piece_that_fails_says_why_and_one_that_was_ended_is_lost(program: Callable[[str], str]) -> None:
    with pytest.raises(ClusterError, match="'bastide match a' failed on .*: there is no bot"):
        do(program("sys.exit('there is no bot')"), Piece(("match", "a")))
    for end in (f"os.kill(os.getpid(), {signal.SIGKILL})", "sys.exit(130)"):
        with pytest.raises(PieceLostError, match="was ended on"):
            do(program(end), Piece(()))


def test_another_program_is_refused(program: Callable[[str], str]) -> None:
    number = piece.fingerprint(program("print(1)"))
    path = program("print(22)")
    with pytest.raises(ClusterError, match="is another program than the one where the command was given"):
        piece.do_piece(path, number, Piece(()))
    with pytest.raises(ClusterError, match="no program 'no-such-program' on .*--program, or with BASTIDE"):
        piece.find_program("no-such-program")


class FakeMachines:
    """Does pieces here, the last first."""

    def __init__(self, room: int = 3) -> None:
        self.most = room
        self.running: list[tuple[Any, Piece]] = []
        self.all: list[Piece] = []

    def busy(self) -> int:
        return len(self.running)

    def room(self) -> int:
        return self.most - self.busy()

    def begin(self, key: Any, asked: Piece) -> None:
        self.running.append((key, asked))
        self.all.append(asked)
        assert self.busy() <= self.most

    def done(self, _timeout: float | None) -> list[tuple[Any, bytes]]:
        key, asked = self.running.pop()
        if asked.args[0] == "fail":
            raise ClusterError("it failed")
        return [(key, b"".join(asked.files.values()) + asked.args[0].encode())]

    def give_up(self) -> None:
        self.running.clear()


ASKING = """
for number in range(7):
    question = {'play': number, 'args': [args[1], '--only=1-2'], 'files': {'net': args[0]}, 'result': 'out'}
    print(json.dumps(question, separators=(',', ':')), flush=True)
print('for people', flush=True)
got = {}
for line in sys.stdin:
    answer = json.loads(line)
    got[answer['done']] = pathlib.Path(answer['file']).read_text()
    if len(got) == 7:
        print(got, flush=True)
        sys.exit(0)
print('nobody answers', flush=True)
sys.exit(130)
"""


def test_what_a_program_asks_for_is_done_and_answered(
    program: Callable[[str], str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "net").write_text("weights ")
    machines: Any = FakeMachines()
    command = [program(ASKING), str(tmp_path / "net"), "match"]
    assert handed_out.HandedOut(command, lambda: machines, 2).run() == 0
    assert {asked.args for asked in machines.all} == {("match", "--only=1-2", "--threads=2")}
    told = capfd.readouterr().out
    assert "for people\n" in told and "play" not in told
    assert told.count("'weights match'") == 7


def test_a_program_is_left_in_order_when_a_piece_fails(
    program: Callable[[str], str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "net").write_text("weights ")
    machines: Any = FakeMachines()
    command = [program(ASKING), str(tmp_path / "net"), "fail"]
    with pytest.raises(ClusterError, match="it failed"):
        handed_out.HandedOut(command, lambda: machines, 1).run()
    assert "nobody answers\n" in capfd.readouterr().out, "it has kept what it has"


def test_a_program_with_wrong_arguments_needs_no_cluster(program: Callable[[str], str]) -> None:
    def none() -> Any:
        raise AssertionError("nothing was asked for")

    assert handed_out.HandedOut([program("sys.exit(2)")], none, 1).run() == 2


def test_the_size_of_pieces_follows_the_match() -> None:
    for words, pairs in (("", 1), ("a b --pairs 2000", 5), ("--rounds=80000 a b", 20), ("a b --pairs many", 1)):
        assert command_line.pairs_a_piece(words.split()) == pairs, words


@pytest.mark.parametrize(
    "words, why",
    [
        ("", "COMMAND"),
        ("fly", "invalid choice: 'fly'"),
        ("match best net --threads 0", "'0' is no number from 1"),
        ("train two.toml --piece x", "'x' is no number from 1"),
        ("review", "FILE, --out"),
        ("review a.txt --out b --nodes 3", "unrecognized arguments: --nodes 3"),
        ("regret games.txt --out x", "bots"),
    ],
)
def test_wrong_arguments_say_what_is_allowed(words: str, why: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        command_line.run(words.split())
    assert ended.value.code == 2 and why in capsys.readouterr().err


def test_without_ray_it_says_what_to_install() -> None:
    code = "import sys; sys.modules['ray'] = None; from bastide.cluster.__main__ import main; sys.exit(main(sys.argv[1:]))"
    done = subprocess.run([sys.executable, "-c", code, "match", "best", "net"], capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr == 'bastide.cluster: this needs ray: pip install "bastide[ray]" or pip install ray\n'


def test_reviews_do_not_overwrite_each_other(tmp_path: Path) -> None:
    records = [tmp_path / "one" / "game.txt", tmp_path / "two" / "game.txt", tmp_path / "options.txt"]
    for record in records:
        record.parent.mkdir(exist_ok=True)
        record.write_text("carcassonne")
    out = tmp_path / "out"
    assert reviews.places(records[:1], out) == {records[0]: out / "game.json"}
    with pytest.raises(ClusterError, match="would be one file"):
        reviews.places(records[:2], out)
    with pytest.raises(ClusterError, match="cannot be called options.txt"):
        reviews.places(records[2:], out)
    with pytest.raises(ClusterError, match="there is no record"):
        reviews.places([tmp_path / "none.txt"], out)
    reviews.keep_options(out, [])
    reviews.keep_options(out, [])
    with pytest.raises(ClusterError, match="made with no options; choose another --out"):
        reviews.keep_options(out, ["--deep"])


class EachMachines(FakeMachines):
    """Gives what a function says of each piece, the last first."""

    def __init__(self, answer: Callable[[Piece], bytes | ClusterError]) -> None:
        super().__init__()
        self.answer = answer

    def each(self, pieces: Any) -> Any:
        for key, asked in reversed(list(pieces)):
            self.all.append(asked)
            yield key, self.answer(asked)


def test_reviews_that_are_there_are_not_made_again(tmp_path: Path) -> None:
    records = [tmp_path / f"game-{number}.txt" for number in range(3)]
    for record in records:
        record.write_text(record.name)
    out = tmp_path / "out"

    def answer(asked: Piece) -> bytes | ClusterError:
        name = asked.files["record"]
        return ClusterError("no game") if name == b"game-1.txt" else name

    first: Any = EachMachines(answer)
    assert reviews.review(lambda: first, records, out, ["--deep"]) == 1
    assert (out / "game-0.json").read_bytes() == b"game-0.txt" and not (out / "game-1.json").exists()
    assert first.all[0].args == ("review", "record", "--json", "--deep")
    second: Any = EachMachines(lambda asked: b"at last")
    assert reviews.review(lambda: second, records, out, ["--deep"]) == 0
    assert [asked.files["record"] for asked in second.all] == [b"game-1.txt"]


def analysed(one: regret.Analysis) -> str:
    """A program that finds the second turn better, and whose weak bot plays the first."""
    lines = [{"turn": ["a"], "margin": 1.0}, {"turn": ["b"], "margin": 3.0}]
    best = ["a"] if one.bot == "weak" else ["b"]
    return json.dumps({"lines": lines, "best": best, "nodes": one.nodes})


def test_regrets_are_the_same_in_whatever_order_positions_are_analysed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    games = "".join(f"carcassonne players=2\n{'D; 0,1 r0; pass' + chr(10)}" + f"E{game}; 1,1 r0\n" * 71 for game in range(3))
    positions = list(regret.positions(games.splitlines(), 3))
    assert len(positions) == 3 and len({len(one.splitlines()) for one in positions}) == 3
    compared = regret.Comparison(positions, ["good", "weak"], 10, ["look"], 100)
    expected = list(compared.table(analysed))
    assert expected[0].startswith("good: 0.0 ± 0.0") and expected[1].startswith("weak: 72.0 ± 0.0")

    def answer(asked: Piece) -> bytes:
        words = dict(zip(asked.args[2::2], asked.args[3::2]))
        one = regret.Analysis(asked.files["record"].decode(), words["--bot"], int(words["--nodes"]))
        return analysed(one).encode()

    machines: Any = EachMachines(answer)
    assert regrets.regret(lambda: machines, "1", compared, tmp_path) == 0
    assert capsys.readouterr().out.splitlines() == expected and len(machines.all) == 9
    again: Any = EachMachines(answer)
    assert regrets.regret(lambda: again, "1", compared, tmp_path) == 0
    assert capsys.readouterr().out.splitlines() == expected and again.all == []
    other: Any = EachMachines(answer)
    assert regrets.regret(lambda: other, "2", compared, tmp_path) == 0
    assert len(other.all) == 9, "another program's analyses are its own"


def test_a_turn_that_looks_best_to_one_reference_is_judged_by_the_other() -> None:
    worth = {"first": {"a": 5.0, "b": 3.0, "c": 0.0}, "second": {"a": 1.0, "b": 2.0, "c": 0.0}}

    def answer(one: regret.Analysis) -> str:
        values = worth.get(one.bot, {})
        lines = [{"turn": [turn], "margin": margin} for turn, margin in values.items()]
        return json.dumps({"lines": lines, "best": [one.bot], "nodes": 1})

    def regrets_of(record: str, references: list[str]) -> list[float]:
        compared = regret.Comparison([record], ["b", "c", "never listed"], 10, references, 100)
        return [float(line.split(": ")[1].split(" ")[0]) for line in compared.table(answer)]

    # By the second `b` is best, worth 3 to the first; by the first `a`, worth 1 to the second.
    assert regrets_of("carcassonne players=2\n", ["first", "second"]) == [36 * -0.5, 36 * 2.0, 36 * 2.0]
    assert regrets_of("carcassonne players=3 farmers=on\n", ["first", "second"]) == [24 * -0.5, 24 * 2.0, 24 * 2.0]
    assert regrets_of("carcassonne players=2\n", ["first"]) == [36 * 2.0, 36 * 5.0, 36 * 5.0], "alone it flatters itself"


def test_references_to_the_end_and_by_default_are_two(tmp_path: Path) -> None:
    (tmp_path / "games.txt").write_text("carcassonne players=2\n" + "D; 0,1 r0; pass\n" * 20)

    def references(*words: str) -> list[str]:
        options = command_line.parser().parse_args(["regret", str(tmp_path / "games.txt"), "best", "--out", "x", *words])
        return regret.comparison(options).references

    assert references() == ["rollouts:draws=1", "rollouts:draws=2"]
    assert references("--reference", "look", "--reference", "to-the-end") == [
        "look",
        "rollouts:width=4,turns=200,draws=1",
        "rollouts:width=4,turns=200,draws=2",
    ]


def test_a_reference_in_a_file_is_asked_once(tmp_path: Path) -> None:
    asked: list[regret.Analysis] = []

    def ask(one: regret.Analysis) -> str:
        asked.append(one)
        return analysed(one)

    compared = regret.Comparison(["first", "second"], ["weak", "weak@500"], 10, ["look"], 100)
    expected = list(compared.table(analysed))
    assert "weak@500: " in expected[1] and " 500 nodes a turn" in expected[1]
    path = tmp_path / "kept.jsonl"
    for times in (1, 2):
        kept = regret.Kept(path, ask)
        answers = [kept.answer(one) for one in compared.analyses() if one.bot == "look"]
        assert [json.loads(one)["lines"][1]["margin"] for one in answers] == [3.0, 3.0]
        assert len(asked) == 2, times
    path.write_text(path.read_text() + "oops\n")
    with pytest.raises(ValueError, match="line 3: no answer of a reference"):
        regret.Kept(path, ask)


def test_nodes_of_a_bot_are_a_number(tmp_path: Path) -> None:
    (tmp_path / "games.txt").write_text("carcassonne players=2\n" + "D; 0,1 r0; pass\n" * 20)
    options = command_line.parser().parse_args(["regret", str(tmp_path / "games.txt"), "best@many", "--out", "x"])
    with pytest.raises(ValueError, match="'best@many': expected a number of nodes from 1 after '@'"):
        regret.comparison(options)


def test_games_without_positions_are_refused(tmp_path: Path) -> None:
    (tmp_path / "games.txt").write_text("carcassonne players=2\nD; 0,1 r0; pass\n")
    options = command_line.parser().parse_args(["regret", str(tmp_path / "games.txt"), "best", "--out", "x"])
    with pytest.raises(ValueError, match="holds no game of 12 turns"):
        regret.comparison(options)
