"""Reviews of many games."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

from .machines import Machines
from .piece import ClusterError, Piece

_OPTIONS = "options.json"


def places(records: list[Path], out: Path) -> dict[Path, Path]:
    """Where the review of each record comes to lie."""
    found: dict[Path, Path] = {}
    for record in records:
        if not record.is_file():
            raise ClusterError(f"there is no record {record}")
        place = out / f"{record.stem}.json"
        for other, taken in found.items():
            if taken == place:
                raise ClusterError(f"the reviews of {other} and {record} would be one file, {place}")
        if place.name == _OPTIONS:
            raise ClusterError(f"a record cannot be called {record.name}: {place} is needed for the options")
        found[record] = place
    return found


def keep_options(out: Path, options: list[str]) -> None:
    """Notes what the reviews of a folder are made with, and refuses to mix."""
    out.mkdir(parents=True, exist_ok=True)
    kept = out / _OPTIONS
    if kept.exists() and (before := json.loads(kept.read_text(encoding="utf-8"))) != options:
        told = " ".join(before) or "no options"
        raise ClusterError(f"{out} holds reviews that were made with {told}; choose another --out")
    kept.write_text(json.dumps(options) + "\n", encoding="utf-8")


def review(machines: Callable[[], Machines[Path]], records: list[Path], out: Path, options: list[str]) -> int:
    """Reviews games, each into a file of its own; those that are there are not made again."""
    wanted = {record: place for record, place in places(records, out).items() if not place.exists()}
    keep_options(out, options)
    if not wanted:
        print(f"all {len(records)} reviews are in {out}")
        return 0
    pieces = (
        (record, Piece(("review", "record", "--json", *options), {"record": record.read_bytes()})) for record in wanted
    )
    cluster, failed = machines(), 0
    try:
        for count, (record, result) in enumerate(cluster.each(pieces), 1):
            if isinstance(result, ClusterError):
                failed += 1
                print(f"{record}: {result}", file=sys.stderr, flush=True)
                continue
            write_whole(wanted[record], result)
            print(f"{count} of {len(wanted)}: {wanted[record]}", flush=True)
    finally:
        cluster.give_up()
    return 1 if failed else 0


def write_whole(path: Path, content: bytes) -> None:
    """Writes beside and renames: half a file is never taken for a whole one."""
    part = path.with_name(path.name + ".part")
    part.write_bytes(content)
    part.replace(path)
