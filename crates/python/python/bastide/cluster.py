"""Training, matches and reviews on a Ray cluster.

Every piece of work is done by the program ``bastide`` on some machine of the cluster, and what comes of it is the
same as on one machine: batches of self-play are learned from in the order of the games, and a pair of a match depends
on its number alone. Machines may come and go; a piece whose machine is lost is done again elsewhere, and the same
command goes on where it was stopped.

    python -m bastide.cluster train two.toml --out data/two
    python -m bastide.cluster match best net --pairs 2000 --out data/best-net -- --nodes 5000
    python -m bastide.cluster review games/*.txt --out data/reviews -- --deep

What follows ``--`` goes to the program. ``RAY_ADDRESS=auto`` on a machine of the cluster uses all of it; without it the
cluster is this machine. The same program must be installed on every machine (``--program``, or ``bastide`` in the path).
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from .extras import needed


class ClusterError(Exception):
    """Something that a piece of work needs is missing or wrong."""


def _fingerprint(program: str) -> str:
    """A number that another program does not have."""
    found = shutil.which(program)
    if found is None:
        raise ClusterError(f"there is no program '{program}' on {os.uname().nodename}; give its path with --program")
    return hashlib.sha256(Path(found).read_bytes()).hexdigest()


def _run(program: str, fingerprint: str, words: list[str]) -> None:
    """Runs the program on the machine that has the piece."""
    if _fingerprint(program) != fingerprint:
        raise ClusterError(f"{os.uname().nodename} has another program '{program}' than where the command was given")
    done = subprocess.run([program, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise ClusterError(f"{program} {' '.join(words)} failed on {os.uname().nodename}: {done.stderr.strip()}")


def _batch(program: str, fingerprint: str, config: str, net: bytes, games: str, threads: int) -> bytes:
    """What a batch of games of a training run taught."""
    with tempfile.TemporaryDirectory() as folder:
        at = Path(folder)
        (at / "config.toml").write_text(config, encoding="utf-8")
        (at / "net").write_bytes(net)
        words = ["train", str(at / "config.toml"), "--batch", games, "--net", str(at / "net")]
        _run(program, fingerprint, [*words, "--gradient", str(at / "gradient"), "--threads", str(threads)])
        return (at / "gradient").read_bytes()


def _pairs(program: str, fingerprint: str, match: list[str], pairs: str, threads: int) -> tuple[str, str]:
    """The head and the games of some pairs of a match."""
    with tempfile.TemporaryDirectory() as folder:
        _run(program, fingerprint, [*match, "--only", pairs, "--out", folder, "--threads", str(threads)])
        at = Path(folder)
        return (at / "match.json").read_text(encoding="utf-8"), (at / "games.jsonl").read_text(encoding="utf-8")


def _review(program: str, fingerprint: str, record: str, more: list[str]) -> str:
    """The review of a game, as JSON."""
    with tempfile.TemporaryDirectory() as folder:
        at = Path(folder) / "game.txt"
        at.write_text(record, encoding="utf-8")
        if _fingerprint(program) != fingerprint:
            raise ClusterError(f"{os.uname().nodename} has another program '{program}'")
        words = [program, "review", str(at), "--json", *more]
        done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise ClusterError(done.stderr.strip())
        return done.stdout


class Cluster:
    """Pieces of work on the machines of a Ray cluster."""

    def __init__(self, program: str, threads: int) -> None:
        self.ray = needed("ray", "ray")
        self.program = program
        self.fingerprint = _fingerprint(program)
        self.threads = threads
        if not self.ray.is_initialized():
            self.ray.init(log_to_driver=False)

    def begin(self, piece: Callable[..., Any], *arguments: Any) -> Any:
        """Begins with a piece; it is done again elsewhere if its machine is lost."""
        remote = self.ray.remote(num_cpus=self.threads, max_retries=-1)(piece)
        return remote.remote(self.program, self.fingerprint, *arguments)

    def width(self) -> int:
        """How many pieces are begun at once: two for each that can run, so that nobody waits."""
        cores = self.ray.cluster_resources().get("CPU", 1)
        return max(1, int(2 * cores / self.threads))

    def each(self, piece: Callable[..., Any], items: Iterable[tuple[str, tuple[Any, ...]]]) -> Iterator[tuple[str, Any]]:
        """Does a piece for every item, several at a time; gives names and results as they are done."""
        waiting: dict[Any, str] = {}
        rest = iter(items)
        more = True
        while more or waiting:
            while more and len(waiting) < self.width():
                item = next(rest, None)
                if item is None:
                    more = False
                else:
                    waiting[self.begin(piece, *item[1])] = item[0]
            if waiting:
                done, _ = self.ray.wait(list(waiting), num_returns=1)
                for reference in done:
                    yield waiting.pop(reference), self.get(reference)

    def get(self, reference: Any) -> Any:
        """What came of a piece."""
        try:
            return self.ray.get(reference)
        except self.ray.exceptions.RayTaskError as error:
            raise ClusterError(str(error.cause)) from None


def train(cluster: Cluster, config: Path, out: Path, more: list[str]) -> int:
    """Trains a net: the program here learns, the cluster plays."""
    text = config.read_text(encoding="utf-8")
    command = [cluster.program, "train", str(config), "--out", str(out), "--hand-out", *more]
    learner = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert learner.stdin is not None and learner.stdout is not None
    told: queue.Queue[str | None] = queue.Queue()

    def read(lines: Iterable[str]) -> None:
        for line in lines:
            told.put(line.rstrip("\n"))
        told.put(None)

    threading.Thread(target=read, args=(learner.stdout,), daemon=True).start()
    playing: dict[Any, str] = {}
    net: tuple[int, Any] = (0, None)
    with tempfile.TemporaryDirectory() as folder:
        while True:
            try:
                line = told.get(timeout=None if not playing else 0.02)
            except queue.Empty:
                line = ""
            if line is None:
                return learner.wait()
            if line.startswith("play "):
                _, games, file = line.split(" ", 2)
                changed = Path(file).stat().st_mtime_ns
                if net[0] != changed:
                    net = (changed, cluster.ray.put(Path(file).read_bytes()))
                playing[cluster.begin(_batch, text, net[1], games, cluster.threads)] = games
            elif line:
                print(line, flush=True)
            if playing and told.empty():
                done, _ = cluster.ray.wait(list(playing), num_returns=1, timeout=0.5)
                for reference in done:
                    games = playing.pop(reference)
                    at = Path(folder) / f"{games}.gradient"
                    at.write_bytes(cluster.get(reference))
                    learner.stdin.write(f"done {games} {at}\n")
                    learner.stdin.flush()


def match(cluster: Cluster, sides: tuple[str, str], pairs: int, out: Path, more: list[str]) -> int:
    """Plays a match in parts, and lets the program tell what came of it."""
    words = ["match", *sides, "--pairs", str(pairs), *more]
    out.mkdir(parents=True, exist_ok=True)
    games = out / "games.jsonl"
    have: dict[int, int] = {}
    if games.exists():
        for line in games.read_text(encoding="utf-8").splitlines():
            number = int(json.loads(line)["round"])
            have[number] = have.get(number, 0) + 1
    # A pair whose games are not both there is left to the program itself, at the end.
    missing = [number for number in range(pairs) if number not in have]
    parts = [(f"{n + 1}-{n + 1}", (words, f"{n + 1}-{n + 1}", cluster.threads)) for n in missing]
    for count, (_, (head, lines)) in enumerate(cluster.each(_pairs, parts), 1):
        if not (out / "match.json").exists():
            (out / "match.json").write_text(head, encoding="utf-8")
        with games.open("a", encoding="utf-8") as file:
            file.write(lines)
        print(f"\r{count} of {len(missing)} pairs", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return subprocess.run([cluster.program, *words, "--out", str(out)], check=False).returncode


def review(cluster: Cluster, records: list[Path], out: Path, more: list[str]) -> int:
    """Reviews games, each into a file of its own; those that are there are not made again."""
    out.mkdir(parents=True, exist_ok=True)
    places = {str(path): out / f"{path.stem}.json" for path in records}
    if len(set(places.values())) < len(places):
        raise ClusterError("two records have the same name; their reviews would be one file")
    wanted = [path for path in records if not places[str(path)].exists()]
    items = ((str(path), (path.read_text(encoding="utf-8"), more)) for path in wanted)
    for count, (name, text) in enumerate(cluster.each(_review, items), 1):
        part = places[name].with_suffix(".part")
        part.write_text(text, encoding="utf-8")
        part.rename(places[name])
        print(f"{count} of {len(wanted)}: {places[name]}", flush=True)
    return 0


def main(words: list[str] | None = None) -> int:
    """The command line."""
    words = sys.argv[1:] if words is None else words
    cut = words.index("--") if "--" in words else len(words)
    words, more = words[:cut], words[cut + 1 :]
    parser = argparse.ArgumentParser(
        prog="python -m bastide.cluster", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--program", default="bastide", help="the program, the same on every machine")
    common.add_argument("--threads", type=int, default=1, help="threads of each piece")
    what = parser.add_subparsers(dest="what", required=True)
    one = what.add_parser("train", parents=[common], help="train a net by self-play")
    one.add_argument("config", type=Path)
    one.add_argument("--out", type=Path, default=Path("data/train"))
    one = what.add_parser("match", parents=[common], help="play a match")
    one.add_argument("a")
    one.add_argument("b")
    one.add_argument("--pairs", type=int, default=200)
    one.add_argument("--out", type=Path, required=True)
    one = what.add_parser("review", parents=[common], help="review games")
    one.add_argument("records", type=Path, nargs="+")
    one.add_argument("--out", type=Path, required=True)
    options = parser.parse_args(words)
    if options.threads < 1:
        parser.error("--threads must be at least 1")
    try:
        cluster = Cluster(options.program, options.threads)
        if options.what == "train":
            return train(cluster, options.config, options.out, more)
        if options.what == "match":
            return match(cluster, (options.a, options.b), options.pairs, options.out, more)
        return review(cluster, options.records, options.out, more)
    except (ClusterError, OSError, ModuleNotFoundError) as error:
        print(f"bastide.cluster: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
