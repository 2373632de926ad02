"""What a bot's turns cost, judged by rollouts: a cheap way to compare parameters.

One position of each game is taken, later in each than in the one before. References value its best turns. By default
they are two of the bot `rollouts`, which plays the sixteen best turns on for eight turns, each as often as the others
and with the same draws for all, and shares no more with a search than the player of one turn and the net;
`to-the-end` plays the four best turns to the end of the game instead.

What looks best in some rounds is flattered by them. So each reference has draws of its own, and the turn that the
others find best is valued by the one that is left: a bot's regret is that value less that of the turn it chooses, the
mean over all references. It says how much better somebody plays who chooses by the references, which is less than what
could be had, for they err too. One reference alone judges what it chose itself, so the regret is too large.

Regrets of two bots on the same positions differ with far less noise than games. They say nothing of what the references
cannot see: a match decides.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_TURNS = 72
_ROLLOUTS = ("rollouts:draws=1", "rollouts:draws=2")
_TO_THE_END = ("rollouts:width=4,turns=200,draws=1", "rollouts:width=4,turns=200,draws=2")


@dataclass(frozen=True)
class Analysis:
    """A position that a bot looks at."""

    record: str
    bot: str
    nodes: int

    def args(self, file: str) -> tuple[str, ...]:
        """What the program is started with; the record is in that file."""
        return ("analyse", file, "--bot", self.bot, "--nodes", str(self.nodes), "--top", "40", "--json")


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
            judged = Judged([one["lines"] for one in lists])
            for bot in self.bots:
                found = json.loads(answer(self._of_bot(record, bot)))
                spent[bot] += found["nodes"]
                regrets[bot].append(_turns_a_side(record) * judged.regret("; ".join(found["best"])))
        first = regrets[self.bots[0]]
        for bot, own in regrets.items():
            mean, error = _spread(own)
            more, sure = _spread([x - y for x, y in zip(own, first)])
            yield (
                f"{bot}: {mean:.1f} ± {error:.1f} points a game, {more:+.1f} ± {sure:.1f} against "
                f"the first, {spent[bot] // len(own)} nodes a turn, {len(own)} positions"
            )


class Judged:
    """What the turns of a position are worth, by some references."""

    def __init__(self, lists: list[list[dict[str, Any]]]) -> None:
        worths = [{"; ".join(line["turn"]): float(line["margin"]) for line in lines} for lines in lists]
        turns = sorted(set.intersection(*(set(one) for one in worths)))
        self._worths = [{turn: one[turn] for turn in turns} for one in worths]
        # By the others; one that is alone chooses for itself.
        others = [[*self._worths[:at], *self._worths[at + 1 :]] or self._worths for at in range(len(worths))]
        self._best = [_best(turns, rest) for rest in others]

    def regret(self, turn: str) -> float:
        """How much more those turns are worth that the references choose for each other. A turn that no reference
        looked at is as bad as the worst that they did."""
        lost = (one[best] - one.get(turn, min(one.values())) for one, best in zip(self._worths, self._best))
        return sum(lost) / len(self._worths)


def _best(turns: list[str], worths: list[dict[str, float]]) -> str:
    return max(turns, key=lambda turn: sum(one[turn] for one in worths))


def _turns_a_side(record: str) -> float:
    """About how many turns a player has in a game."""
    players = next((word for word in record.split() if word.startswith("players=")), "players=2")
    return _TURNS / int(players.removeprefix("players="))


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
    parser.add_argument("--reference", action="append", help="a bot, or to-the-end; several judge each other")
    parser.add_argument("--reference-nodes", type=int, default=800_000, help="nodes a turn for each reference")


def comparison(options: argparse.Namespace) -> Comparison:
    """The comparison that was asked for.

    Raises:
        ValueError: if the games have no position to compare on.
    """
    text = options.games.read_text(encoding="utf-8")
    found = list(positions(text.splitlines(), options.positions))
    if not found:
        raise ValueError(f"{options.games} holds no game of 12 turns, or --positions is 0")
    named = options.reference or _ROLLOUTS
    references = [bot for one in named for bot in (_TO_THE_END if one == "to-the-end" else (one,))]
    for bot in options.bots:
        _, has, nodes = bot.partition("@")
        if has and not (nodes.isdecimal() and int(nodes) > 0):
            raise ValueError(f"'{bot}': expected a number of nodes from 1 after '@'")
    return Comparison(found, options.bots, options.nodes, references, options.reference_nodes)
