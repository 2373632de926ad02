"""What a bot's turns cost against a much longer search: a cheap way to compare parameters.

One position of each game is taken, later in each than in the one before. A reference (by default
`look`, with wide candidates that are played on five and six turns) values its turns; a bot's regret
is the value of the best of them less that of the turn it chooses. Regrets of two bots on the same
positions differ with far less noise than games. They say nothing of what the reference cannot see:
a match decides.

A search that is compared with a longer one of its own kind has no regret where both err alike. The reference
`to-the-end` shares no more with it than the one-turn player: the four best turns are played to the end of the game by
that player, again and again with the same draws for all.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_TURNS_A_SIDE = 36
_WIDE = "look:width=16,window=8,giveup=1000,tie=1000,tied=16,trust=1000"
_TO_THE_END = "look:width=16,window=1000,reply=0,giveup=1000,tie=1000,tied=4,trust=1000,on=200"


@dataclass(frozen=True)
class Analysis:
    """A position that a bot looks at."""

    record: str
    bot: str
    nodes: int

    def args(self, file: str) -> tuple[str, ...]:
        """What the program is started with; the record is in that file."""
        # Those behind the four are not played on, and have values of another kind.
        top = "4" if self.bot == _TO_THE_END else "40"
        return ("analyse", file, "--bot", self.bot, "--nodes", str(self.nodes), "--top", top, "--json")


@dataclass(frozen=True)
class Comparison:
    """Bots that are compared, the others with the first, on some positions."""

    positions: list[str]
    bots: list[str]
    nodes: int
    references: list[str]
    reference_nodes: int

    def analyses(self) -> Iterator[Analysis]:
        """All that is needed, position by position."""
        for record in self.positions:
            yield from (Analysis(record, bot, self.reference_nodes) for bot in self.references)
            yield from (self._of_bot(record, bot) for bot in self.bots)

    def _of_bot(self, record: str, bot: str) -> Analysis:
        """What a bot, or one with nodes of its own as in `best@80000`, thinks of a position."""
        name, _, nodes = bot.partition("@")
        return Analysis(record, name, int(nodes) if nodes else self.nodes)

    def table(self, answer: Callable[[Analysis], str]) -> Iterator[str]:
        """A line for each bot, from the program's answers."""
        regrets: dict[str, list[float]] = {bot: [] for bot in self.bots}
        spent = dict.fromkeys(self.bots, 0)
        for record in self.positions:
            lists = [json.loads(answer(Analysis(record, bot, self.reference_nodes))) for bot in self.references]
            worth = _values([one["lines"] for one in lists])
            for bot in self.bots:
                found = json.loads(answer(self._of_bot(record, bot)))
                spent[bot] += found["nodes"]
                # A turn that the reference did not look at is as bad as the worst that it did.
                chosen = worth.get("; ".join(found["best"]), min(worth.values()))
                regrets[bot].append(max(worth.values()) - chosen)
        first = regrets[self.bots[0]]
        for bot, own in regrets.items():
            mean, error = _spread([_TURNS_A_SIDE * regret for regret in own])
            more, sure = _spread([_TURNS_A_SIDE * (x - y) for x, y in zip(own, first)])
            yield (
                f"{bot}: {mean:.1f} ± {error:.1f} points a game, {more:+.1f} ± {sure:.1f} against "
                f"the first, {spent[bot] // len(own)} nodes a turn, {len(own)} positions"
            )


class Kept:
    """Answers of a reference in a file, a line each: what is there is not asked again."""

    def __init__(self, path: Path, ask: Callable[[Analysis], str]) -> None:
        self._path, self._ask = path, ask
        self._known: dict[Analysis, str] = {}
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        for number, line in enumerate(text.splitlines(), 1):
            try:
                told = json.loads(line)
                one = Analysis(told["record"], told["bot"], told["nodes"])
                self._known[one] = json.dumps({"lines": told["lines"]})
            except (ValueError, KeyError, TypeError):
                raise ValueError(f"{path}, line {number}: no answer of a reference") from None

    def answer(self, one: Analysis) -> str:
        """What the file or the program says."""
        if one not in self._known:
            lines = json.loads(self._ask(one))["lines"]
            told = {"bot": one.bot, "nodes": one.nodes, "record": one.record}
            short = [{"turn": line["turn"], "margin": round(line["margin"], 3)} for line in lines]
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps({**told, "lines": short}) + "\n")
            self._known[one] = json.dumps({"lines": short})
        return self._known[one]


def positions(lines: Iterable[str], count: int) -> Iterator[str]:
    """Records cut off after a draw, from those that `bastide match --games` writes."""
    games: list[list[str]] = []
    for line in lines:
        line = line.split("#")[0].strip()
        if line.startswith("carcassonne"):
            games.append([line])
        elif line and games:
            games[-1].append(line)
    games = [game for game in games if len(game) > 12][:count]
    for index, (setup, *turns) in enumerate(games):
        turn = min(4 + 61 * index // len(games), len(turns) - 6)
        yield "\n".join([setup, *turns[:turn], turns[turn].split(";")[0]]) + "\n"


def _values(lists: list[list[dict[str, Any]]]) -> dict[str, float]:
    """What each turn is worth, by the mean of the references that looked at it."""
    worths = [{"; ".join(line["turn"]): line["margin"] for line in lines} for lines in lists]
    common = set.intersection(*(set(one) for one in worths))
    return {turn: sum(one[turn] for one in worths) / len(worths) for turn in common}


def _spread(numbers: list[float]) -> tuple[float, float]:
    mean = sum(numbers) / len(numbers)
    squares = sum((number - mean) ** 2 for number in numbers)
    return mean, math.sqrt(squares / max(1, len(numbers) - 1) / len(numbers))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What a comparison is made of, on the command line."""
    parser.add_argument("games", type=Path, help="records, as `bastide match --games` writes them")
    parser.add_argument("bots", nargs="+", help="the others are compared with the first; best@80000 has nodes of its own")
    parser.add_argument("--nodes", type=int, default=20_000, help="nodes a turn for the bots")
    parser.add_argument("--positions", type=int, default=56)
    parser.add_argument("--reference", action="append", help="a bot, or to-the-end; the mean of several")
    parser.add_argument("--reference-nodes", type=int, default=800_000)


def comparison(options: argparse.Namespace) -> Comparison:
    """The comparison that was asked for.

    Raises:
        ValueError: if the games have no position to compare on.
    """
    text = options.games.read_text(encoding="utf-8")
    found = list(positions(text.splitlines(), options.positions))
    if not found:
        raise ValueError(f"{options.games} holds no game of 12 turns, or --positions is 0")
    references = options.reference or [f"{_WIDE},on=5", f"{_WIDE},on=6"]
    references = [_TO_THE_END if one == "to-the-end" else one for one in references]
    for bot in options.bots:
        _, has, nodes = bot.partition("@")
        if has and not (nodes.isdecimal() and int(nodes) > 0):
            raise ValueError(f"'{bot}': expected a number of nodes from 1 after '@'")
    return Comparison(found, options.bots, options.nodes, references, options.reference_nodes)
