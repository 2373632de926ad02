"""A command of the program that hands out its work: it asks for pieces, the cluster does them.

The program prints a JSON object for every piece and reads one for every piece that is done (docs/scale.md). Everything
else is its own affair: what is asked for, in what order it counts, what is kept to go on with.
"""

from __future__ import annotations

import json
import queue
import subprocess
import tempfile
import threading
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

from .machines import Machines
from .piece import Piece

# How many seconds the next line of the program waits at most while pieces are in progress.
_GLANCE = 0.2


def parse_question(line: str, threads: int) -> tuple[int, Piece] | None:
    """The piece that a line asks for, with its files; nothing if it is something for people to read."""
    if not line.startswith('{"play":'):
        return None
    asked = json.loads(line)
    files = {name: Path(path).read_bytes() for name, path in asked["files"].items()}
    args = (*asked["args"], f"--threads={threads}")
    return asked["play"], Piece(args, files, asked["result"])


class HandedOut:
    """A running program and what it asks for."""

    def __init__(self, command: list[str], machines: Callable[[], Machines[int]], threads: int) -> None:
        self._machines = machines
        self._threads = threads
        self._waiting: deque[str] = deque()
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._ended = False
        self._program = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self._program.stdin is not None and self._program.stdout is not None
        self._answers: IO[str] = self._program.stdin
        threading.Thread(target=self._listen, args=(self._program.stdout,), daemon=True).start()

    def run(self) -> int:
        """Answers until the program ends; gives its exit status."""
        cluster: Machines[int] | None = None
        with tempfile.TemporaryDirectory(prefix="bastide-") as folder:
            try:
                while self._hear(wait=not self._waiting and (cluster is None or not cluster.busy())):
                    # A program that asks for nothing, as one with wrong arguments, needs no cluster.
                    cluster = cluster or self._machines()
                    self._work(cluster, Path(folder))
                return self._program.wait()
            finally:
                self._leave()
                if cluster is not None:
                    cluster.give_up()

    def _listen(self, lines: IO[str]) -> None:
        for line in lines:
            self._lines.put(line)
        self._lines.put(None)

    def _hear(self, wait: bool) -> bool:
        """Takes in what the program says; whether it is still there. Waits until it asks, if nothing else is to do."""
        while not self._ended:
            try:
                line = self._lines.get(block=wait)
            except queue.Empty:
                return True
            if line is None:
                self._ended = True
            elif line.startswith('{"play":'):
                self._waiting.append(line)
                wait = False
            else:
                print(line, end="", flush=True)
        return False

    def _work(self, cluster: Machines[int], folder: Path) -> None:
        while self._waiting and cluster.room() > 0:
            asked = parse_question(self._waiting.popleft(), self._threads)
            assert asked is not None, "only questions wait"
            cluster.begin(*asked)
        if cluster.busy():
            for number, content in cluster.done(_GLANCE):
                self._answer(number, content, folder)

    def _answer(self, number: int, content: bytes, folder: Path) -> None:
        file = folder / str(number)
        file.write_bytes(content)
        answer: dict[str, Any] = {"done": number, "file": str(file)}
        try:
            self._answers.write(json.dumps(answer) + "\n")
            self._answers.flush()
        except BrokenPipeError:
            # It has enough, as a match that is decided; its end is heard next.
            pass

    def _leave(self) -> None:
        """Nobody answers any more: the program keeps what it has and ends."""
        try:
            self._answers.close()
        except BrokenPipeError:
            pass
        while self._hear(wait=True):
            self._waiting.clear()
        self._program.wait()
