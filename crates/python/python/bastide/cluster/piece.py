"""A piece of work on the machine that does it: the program, started in a folder of its own."""

from __future__ import annotations

import ctypes
import functools
import hashlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path


class ClusterError(Exception):
    """Something that the work needs is missing or wrong."""


class PieceLostError(Exception):
    """A piece was ended from outside, as when its machine is switched off: it can be done again."""


@dataclass(frozen=True)
class Piece:
    """The program's arguments, the files it finds in its folder, and the file that comes back, or what it prints."""

    args: tuple[str, ...]
    files: dict[str, bytes] = field(default_factory=dict)
    result: str | None = None


def find_program(program: str) -> str:
    """The program's path on this machine."""
    found = shutil.which(program)
    if found is None:
        told = f"there is no program '{program}' on {os.uname().nodename}"
        raise ClusterError(f"{told}: name it with --program, or with BASTIDE in the environment")
    return os.path.abspath(found)


def fingerprint(path: str) -> str:
    """A number that another program does not have."""
    about = os.stat(path)
    return _fingerprint(path, about.st_mtime_ns, about.st_size)


@functools.lru_cache(maxsize=8)
def _fingerprint(path: str, _changed: int, _size: int) -> str:
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def do_piece(program: str, number: str, piece: Piece) -> bytes:
    """Does a piece with the program of that name, which must be the one with that number."""
    path = find_program(program)
    if fingerprint(path) != number:
        machine = os.uname().nodename
        raise ClusterError(f"{path} on {machine} is another program than the one where the command was given")
    with tempfile.TemporaryDirectory(prefix="bastide-") as folder:
        for name, content in piece.files.items():
            (Path(folder) / name).write_bytes(content)
        done = subprocess.run(
            [path, *piece.args],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            preexec_fn=_end_with_parent,
        )
        _check(done, piece)
        return done.stdout if piece.result is None else (Path(folder) / piece.result).read_bytes()


# How the program ends when it is told to stop.
_INTERRUPTED = 130


def _check(done: subprocess.CompletedProcess[bytes], piece: Piece) -> None:
    machine, said = os.uname().nodename, done.stderr.decode(errors="replace").strip()
    if done.returncode < 0 or done.returncode == _INTERRUPTED:
        raise PieceLostError(f"'bastide {' '.join(piece.args)}' was ended on {machine}: {done.returncode} {said}")
    if done.returncode != 0:
        raise ClusterError(f"'bastide {' '.join(piece.args)}' failed on {machine}: {said}")


# Found before a process is divided in two, where little may be done.
_PRCTL = ctypes.CDLL(None).prctl if sys.platform == "linux" else None
_PR_SET_PDEATHSIG = 1


def _end_with_parent() -> None:
    """A piece that was given up, or done again elsewhere, must not go on: Linux ends it with the one who started it."""
    if _PRCTL is not None:
        _PRCTL(_PR_SET_PDEATHSIG, signal.SIGKILL)
