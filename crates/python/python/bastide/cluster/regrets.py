"""Regrets of bots, whose positions the machines of a cluster analyse."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable
from pathlib import Path

from ..regret import Analysis, Comparison
from .machines import Machines
from .piece import ClusterError, Piece
from .reviews import write_whole


def place(out: Path, number: str, analysis: Analysis) -> Path:
    """Where an analysis is kept: another program's, or one of anything else, lies elsewhere."""
    words = "\0".join([number, analysis.record, *analysis.args("")])
    return out / f"{hashlib.sha256(words.encode()).hexdigest()[:24]}.json"


def regret(machines: Callable[[], Machines[Analysis]], number: str, compared: Comparison, out: Path) -> int:
    """Analyses what is not in the folder yet, and prints what the bots' turns cost."""
    out.mkdir(parents=True, exist_ok=True)
    wanted = [one for one in dict.fromkeys(compared.analyses()) if not place(out, number, one).exists()]
    if wanted:
        cluster = machines()
        pieces = ((one, Piece(one.args("record"), {"record": one.record.encode()})) for one in wanted)
        try:
            for count, (one, result) in enumerate(cluster.each(pieces), 1):
                if isinstance(result, ClusterError):
                    raise result
                write_whole(place(out, number, one), result)
                print(f"\r{count} of {len(wanted)} analyses", end="", file=sys.stderr, flush=True)
        finally:
            print(file=sys.stderr)
            cluster.give_up()
    for line in compared.table(lambda one: place(out, number, one).read_text(encoding="utf-8")):
        print(line)
    return 0
