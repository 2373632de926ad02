"""The command line of training and measuring on a cluster."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from pathlib import Path
from typing import Any

from .. import regret as regrets_of
from ..extras import needed
from . import __doc__ as about
from .handed_out import HandedOut
from .machines import Machines
from .piece import ClusterError, find_program, fingerprint
from .regrets import regret
from .reviews import review

# The commands of the program that hand out their work, with what a piece of it is.
_HANDED_OUT = {"train": "batches of games", "match": "pairs", "ladder": "pairs"}

_INTERRUPTED = 130


def pairs_a_piece(words: list[str]) -> int:
    """Few enough that the end of a match is not waited for, many enough that starting the program costs little."""
    peek = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    peek.add_argument("--pairs", "--rounds", default="200")
    pairs = peek.parse_known_args(words)[0].pairs
    return max(1, min(20, int(pairs) // 400)) if pairs.isdecimal() else 1


def parser() -> argparse.ArgumentParser:
    """What can be asked for."""
    common = argparse.ArgumentParser(add_help=False)
    default = os.environ.get("BASTIDE", "bastide")
    common.add_argument("--program", default=default, help="the program, the same on every machine (or BASTIDE)")
    common.add_argument("--threads", type=_count, default=1, help="threads, and cores, of each piece of work")
    common.add_argument("--address", help="the Ray cluster, or else RAY_ADDRESS, or else this machine alone")
    whole = argparse.ArgumentParser(
        prog="python -m bastide.cluster", description=about, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    what = whole.add_subparsers(dest="what", required=True, metavar="COMMAND")
    for name, unit in _HANDED_OUT.items():
        told = f"bastide {name}, with its own arguments and options"
        one = what.add_parser(name, parents=[common], help=told, description=told, allow_abbrev=False)
        one.add_argument("--piece", type=_count, metavar="N", help=f"how many {unit} are a piece of work")
    one = what.add_parser("review", parents=[common], help="review games, as bastide review --json")
    one.add_argument("records", type=Path, nargs="+", metavar="FILE")
    one.add_argument("--out", type=Path, required=True, metavar="DIR", help="the folder for the reviews")
    one.add_argument("--deep", action="store_true", help="look closely")
    one.add_argument("--setup", help="the setup of JSON lists that do not name it")
    one = what.add_parser("regret", parents=[common], help="compare bots by what their turns cost")
    regrets_of.add_arguments(one)
    one.add_argument("--out", type=Path, required=True, metavar="DIR", help="the folder for the analyses")
    return whole


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is no number from 1")
    return int(text)


def run(words: list[str]) -> int:
    """Does what the words ask for; gives the exit status."""
    options, rest = parser().parse_known_args(words)
    if options.what not in _HANDED_OUT and rest:
        parser().error(f"unrecognized arguments: {' '.join(rest)}")
    needed("ray", "ray")
    path = find_program(options.program)
    # A bare name is looked up on every machine; a path is the same everywhere.
    program = options.program if os.path.basename(options.program) == options.program else path

    def machines() -> Machines[Any]:
        made: Machines[Any] = Machines(program, options.threads, options.address)
        # Ray has put its own in the place of ours.
        _stop_on_sigterm()
        return made

    if options.what == "review":
        more = ["--deep"] if options.deep else []
        more += ["--setup", options.setup] if options.setup else []
        return review(machines, options.records, options.out, more)
    if options.what == "regret":
        return regret(machines, fingerprint(path), regrets_of.comparison(options), options.out)
    piece = options.piece or (1 if options.what == "train" else pairs_a_piece(rest))
    command = [path, options.what, *rest, f"--hand-out={piece}"]
    return HandedOut(command, machines, options.threads).run()


def _stop_on_sigterm() -> None:
    """A request to terminate stops as Ctrl-C does."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)


def main(words: list[str] | None = None) -> int:
    """The command line."""
    _stop_on_sigterm()
    try:
        return run(sys.argv[1:] if words is None else words)
    except KeyboardInterrupt:
        return _INTERRUPTED
    except (ClusterError, ModuleNotFoundError, OSError, ValueError) as error:
        print(f"bastide.cluster: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
