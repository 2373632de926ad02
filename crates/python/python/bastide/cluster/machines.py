"""The machines of a Ray cluster, which do pieces of work."""

from __future__ import annotations

import sys
import time
from collections.abc import Hashable, Iterable, Iterator
from typing import Any, Generic, TypeVar

from ..extras import needed
from .piece import ClusterError, Piece, PieceLostError, do_piece, find_program, fingerprint

Key = TypeVar("Key", bound=Hashable)

# How often a piece that was ended from outside is begun again: one that always ends so, for want of memory perhaps,
# must not go round for ever. Pieces of lost machines are not counted: Ray begins them again.
_MOST_TRIES = 10

# How many seconds what is known of the machines is good for.
_FRESH = 2.0


class Machines(Generic[Key]):
    """Pieces of work in progress on a Ray cluster, each with a key of its own."""

    def __init__(self, program: str, threads: int, address: str | None) -> None:
        self.ray = needed("ray", "ray")
        self.program = program
        self.number = fingerprint(find_program(program))
        self.threads = threads
        self._running: dict[Any, tuple[Key, Piece, int]] = {}
        # Contents that several pieces share are in the cluster once.
        self._contents: dict[str, tuple[bytes, Any]] = {}
        self._known = (float("-inf"), 0, 0)
        if not self.ray.is_initialized():
            try:
                self.ray.init(address=address, log_to_driver=False, logging_level="warning")
            except (ConnectionError, ValueError) as error:
                raise ClusterError(f"there is no Ray cluster to work on: {error}") from None
        self._do = self.ray.remote(num_cpus=threads, max_retries=-1)(_do)
        self._look()

    def busy(self) -> int:
        """How many pieces are in progress."""
        return len(self._running)

    def room(self) -> int:
        """How many more may be begun: one waits behind each that can run, so that no machine waits for work."""
        machines, cores = self._look()
        return max(1, 2 * (cores // self.threads), machines) - self.busy()

    def begin(self, key: Key, piece: Piece, tries: int = 1) -> None:
        """Begins a piece; if its machine is lost, it is done elsewhere."""
        names = list(piece.files)
        contents = [self._share(name, piece.files[name]) for name in names]
        bare = Piece(piece.args, {}, piece.result)
        reference = self._do.remote(self.program, self.number, bare, names, *contents)
        self._running[reference] = (key, piece, tries)

    def done(self, timeout: float | None) -> list[tuple[Key, bytes]]:
        """The pieces that are done, with what came back; waits so long for the first."""
        self._look()
        ready, _ = self.ray.wait(list(self._running), num_returns=1, timeout=timeout)
        return [result for result in map(self._take, ready) if result is not None]

    def each(self, pieces: Iterable[tuple[Key, Piece]]) -> Iterator[tuple[Key, bytes | ClusterError]]:
        """Does all of them; gives what came back as it comes, or why a piece failed."""
        rest = iter(pieces)
        more = True
        while more or self.busy():
            while more and self.room() > 0:
                item = next(rest, None)
                more = item is not None
                if item is not None:
                    self.begin(*item)
            if self.busy():
                ready, _ = self.ray.wait(list(self._running), num_returns=1, timeout=_FRESH)
                for reference in ready:
                    key = self._running[reference][0]
                    try:
                        result = self._take(reference)
                    except ClusterError as error:
                        yield key, error
                    else:
                        if result is not None:
                            yield result

    def give_up(self) -> None:
        """Ends all that is in progress."""
        for reference in self._running:
            self.ray.cancel(reference, force=True)
        self._running.clear()

    def _take(self, reference: Any) -> tuple[Key, bytes] | None:
        """What came back; nothing if the piece has to be done again."""
        key, piece, tries = self._running.pop(reference)
        try:
            return key, self.ray.get(reference)
        except self.ray.exceptions.RayTaskError as error:
            if not isinstance(error.cause, PieceLostError):
                raise ClusterError(str(error.cause)) from None
            lost = str(error.cause)
        except self.ray.exceptions.RayError as error:
            lost = str(error)
        if tries == _MOST_TRIES:
            raise ClusterError(f"given up after {tries} tries: {lost}")
        self.begin(key, piece, tries + 1)
        return None

    def _share(self, name: str, content: bytes) -> Any:
        before = self._contents.get(name)
        if before is None or before[0] != content:
            self._contents[name] = before = (content, self.ray.put(content))
        return before[1]

    def _look(self) -> tuple[int, int]:
        """How many machines there are now, and their cores; says so when it changes."""
        when, machines, cores = self._known
        if time.monotonic() - when < _FRESH:
            return machines, cores
        alive = [node["Resources"].get("CPU", 0) for node in self.ray.nodes() if node["Alive"]]
        now = (len(alive), int(sum(alive)))
        if now != (machines, cores):
            print(f"the cluster has {now[0]} machines, {now[1]} cores", file=sys.stderr, flush=True)
            if max(alive, default=0) < self.threads:
                told = f"no machine has the {self.threads} cores that --threads asks for: the work waits for one"
                print(told, file=sys.stderr, flush=True)
        self._known = (time.monotonic(), *now)
        return now


def _do(program: str, number: str, piece: Piece, names: list[str], *contents: bytes) -> bytes:
    return do_piece(program, number, Piece(piece.args, dict(zip(names, contents)), piece.result))
