"""Games to learn from: self-play of bots, or records, stored as moves; observations are made when reading."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from bastide import _native
from bastide.extras import needed

Target = Literal["margin", "win", "lambda"]
Progress = Callable[[int, int], None]

_META = "dataset.json"

#: More turns than a decision has.
_ALL_TURNS = 100_000


def dataset(
    folder: str | os.PathLike[str],
    *,
    games: int | None = None,
    bots: str | Sequence[str] = "greedy",
    records: str | os.PathLike[str] | None = None,
    setup: str = "standard",
    seed: int = 0,
    nodes: int | None = None,
    values: str | None = None,
    policy: bool = False,
    luck: bool = False,
    games_per_shard: int = 64,
    threads: int | None = None,
    progress: bool | Progress = False,
) -> Dataset:
    """Makes a dataset in a folder, or goes on with one that was interrupted, and opens it.

    Games are self-play of one bot or of two, which take every seat in turn; or, with ``records``,
    those of a folder of ``.txt`` and ``.json`` records, one a file. ``values`` names a bot whose
    analysis of every decision is stored (for ``target="lambda"``): "greedy" looks one ply ahead.
    With ``policy`` also what that bot says every turn is worth (for ``read(policy=...)``), with ``luck``
    what the tiles drawn were worth, against the mean of all that could have come.
    Shards that are there are kept; one is whole or not there. ``progress`` gets (done, all) shards,
    or ``True`` prints them.
    """
    place = Path(folder)
    layout = _native.layout(setup)
    names = [bots] if isinstance(bots, str) else list(bots)
    if not 1 <= len(names) <= 2 or not all(isinstance(name, str) for name in names):
        raise ValueError(f"bots={bots!r}: expected the name of a bot, or of two")
    _at_least("games_per_shard", games_per_shard)
    per_shard = games_per_shard
    if records is None:
        if games is None:
            raise ValueError("games: expected how many games to play, or records=FOLDER")
        _at_least("games", games)
        # Every deck is played once from each seat.
        per_shard += -per_shard % layout["players"]
        count = -(-games // per_shard)
        source: dict[str, Any] = {"bots": names, "games": games, "seed": seed, "nodes": nodes}
        files: list[Path] = []
    else:
        files = sorted(path for path in Path(records).iterdir() if path.suffix in (".txt", ".json"))
        if not files:
            raise ValueError(f"records={str(records)!r}: there are no .txt or .json files in it")
        count = -(-len(files) // per_shard)
        source = {"records": [path.name for path in files]}
    if values is None and (policy or luck):
        raise ValueError("policy and luck need values=BOT, which says what turns and draws are worth")
    judge = None if values is None else _native.Bot(values, setup=layout["setup"], nodes=nodes)
    judges = None if judge is None else _Judge(judge, policy, luck, threads)
    for name in names:
        _native.Bot(name, setup=layout["setup"])
    meta = {"version": 1, "setup": layout["setup"], "values": values, "shard": per_shard, **source}
    meta |= {name: True for name, asked in (("policy", policy), ("luck", luck)) if asked}
    _check_meta(place, meta)
    show = _printed if progress is True else progress or (lambda done, all_: None)
    for shard in range(count):
        path = place / f"shard-{shard:05}.npz"
        if not path.exists():
            first, last = shard * per_shard, (shard + 1) * per_shard
            if records is None:
                texts = _played(names, layout, per_shard, _mixed(seed, shard), nodes, threads)
                texts = texts[: (games or 0) - first]
            else:
                texts = [file.read_text() for file in files[first:last]]
            _write(path, _stored(texts, layout, judges, files[first:last]))
        show(shard + 1, count)
    return Dataset(place)


class Dataset:
    """Shards of games, each read on its own: by ``read``, by iteration, or from PyTorch."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)
        try:
            self.meta: dict[str, Any] = json.loads((self.folder / _META).read_text())
        except FileNotFoundError:
            raise FileNotFoundError(f"{self.folder}: there is no {_META}: it is no dataset") from None
        self.shards = sorted(self.folder.glob("shard-*.npz"))
        self.setup: str = self.meta["setup"]

    def __len__(self) -> int:
        """How many shards there are."""
        return len(self.shards)

    def read(
        self,
        shard: int,
        *,
        observation: Literal["compact", "planes", "none"] = "compact",
        mask: bool = True,
        target: Target = "margin",
        lambda_: float = 0.8,
        policy: float | None = None,
        tensors: str | None = None,
        threads: int | None = None,
    ) -> dict[str, NDArray[Any]]:
        """The decisions of a shard, a row each: "observation" (or "planes" and "globals"),
        "action_mask", "action", "seat", "target", "game", and "values" and "luck" (both by seat) where they
        were stored.

        Targets are those of the seat to move: the last margin, 1, 0 or -1 for the win, or the
        λ-return of margins, which is the mean of the stored values to come and the last margin, each
        decision further counting λ times as much.

        ``policy`` is a temperature in points: "policy" is then the softmax of what the bot says the
        actions are worth, over all actions. Of turns that look alike one has all of it.
        """
        if not -len(self.shards) <= shard < len(self.shards):
            count = len(self.shards)
            raise IndexError(f"index {shard} is out of bounds for a dataset of {count} shards")
        if observation not in ("compact", "planes", "none"):
            allowed = "'compact', 'planes', 'none'"
            raise ValueError(f"observation={observation!r} is not known; allowed: {allowed}")
        with np.load(self.shards[shard], allow_pickle=False) as stored:
            kept = {name: stored[name] for name in stored.files}
        layout = _native.layout(self.setup, tensors)
        if layout["tensors"] != kept["tensors"].item():
            raise ValueError(
                f"tensors={tensors!r}: the actions are stored as those of {kept['tensors'].item()!r}"
            )
        total, side = len(kept["action"]), layout["board_size"]
        arrays: dict[str, NDArray[Any]] = {}
        if observation == "compact":
            arrays["compact"] = np.empty((total, layout["compact"]), np.int16)
        if observation == "planes":
            arrays["planes"] = np.empty((total, len(layout["planes"]), side, side), np.uint8)
            arrays["globals"] = np.empty((total, layout["globals"]), np.int16)
        if mask:
            arrays["mask"] = np.empty((total, layout["actions"]), np.int8)
        if arrays:
            _native.replay_into(
                self.setup, tensors, kept["history"], kept["offsets"], kept["rows"],
                threads=threads, **arrays,
            )  # fmt: skip
        names = {"compact": "observation", "mask": "action_mask"}
        given = {names.get(name, name): array for name, array in arrays.items()}
        given |= {name: kept[name] for name in ("action", "seat", "values") if name in kept}
        given["game"] = np.repeat(np.arange(len(kept["rows"]) - 1), np.diff(kept["rows"]))
        given["target"] = _targets(kept, target, lambda_)
        if "luck" in kept:
            given["luck"] = kept["luck"]
        if policy is not None:
            given["policy"] = _policy(kept, policy, layout["actions"])
        return given

    def __iter__(self) -> Iterator[dict[str, NDArray[Any]]]:
        """Every shard, read with the options that are the default."""
        return (self.read(shard) for shard in range(len(self)))

    def torch(self, *, batch: int = 256, seed: int | None = None, **options: Any) -> Any:
        """A ``torch.utils.data.IterableDataset`` of batches of tensors, with the options of ``read``.

        Workers of a ``DataLoader(..., batch_size=None)`` share the shards. With a seed the order of
        shards, and of decisions in a shard, is shuffled.
        """
        torch: Any = needed("torch", "torch")
        iterable: Any = needed("torch.utils.data", "torch").IterableDataset
        _at_least("batch", batch)
        own = self

        class Batches(iterable):  # type: ignore[misc]
            """The decisions of a dataset in batches."""

            def __iter__(self) -> Iterator[dict[str, Any]]:
                info = torch.utils.data.get_worker_info()
                worker, workers = (0, 1) if info is None else (info.id, info.num_workers)
                chance = None if seed is None else np.random.default_rng(seed)
                order = np.arange(len(own)) if chance is None else chance.permutation(len(own))
                for shard in order[worker::workers]:
                    read = own.read(int(shard), **options)
                    count = len(read["action"])
                    rows: NDArray[np.int64] = np.arange(count)
                    if seed is not None:
                        rows = np.random.default_rng([seed, int(shard)]).permutation(count)
                    for first in range(0, count, batch):
                        chosen = rows[first : first + batch]
                        yield {name: torch.from_numpy(array[chosen]) for name, array in read.items()}

        return Batches()


def _played(
    names: list[str], layout: dict[str, Any], games: int, seed: int, nodes: int | None, threads: int | None
) -> list[str]:
    rounds = games // layout["players"]
    match = _native.play_match(
        names[0], names[-1], rounds=rounds, setup=layout["setup"], seed=seed, nodes=nodes, threads=threads
    )
    return [game["record"] for game in match["games"]]


class _Judge:
    """What a bot says of the decisions and draws of games."""

    def __init__(self, bot: _native.Bot, policy: bool, luck: bool, threads: int | None) -> None:
        self.bot, self.policy, self.luck, self.threads = bot, policy, luck, threads
        self.values: list[list[float]] = []
        self.worth: list[dict[int, float]] = []
        self.lucks: list[list[float]] = []

    def decisions(self, states: list[_native.CarcassonneState]) -> None:
        """Takes in the decisions of a game."""
        top = _ALL_TURNS if self.policy else 0
        for report in self.bot.analyse_batch(states, top=top, threads=self.threads):
            self.values.append(report["margins"])
            best: dict[int, float] = {}
            # A turn begins with an action; what that is worth is what the best turn is that begins so.
            for line in report["lines"]:
                action = line["actions"][0]
                best[action] = max(line["margin"], best.get(action, -np.inf))
            self.worth.append(best)

    def draw(self, state: _native.CarcassonneState, drawn: int) -> NDArray[np.float64]:
        """What a draw was worth to every seat, against the mean of all that could have come."""
        outcomes = state.chance_outcomes()
        after, odds, ahead = [], [], []
        for number, share in outcomes:
            child = state.clone()
            child.apply_action(number)
            # A tile that fits nowhere is set aside: it is worth what the others are in the mean.
            if child.is_chance_node() or child.is_terminal():
                continue
            after.append(child)
            odds.append(share)
            ahead.append(number)
        if drawn not in ahead:
            return np.zeros(state.num_players())
        reports = self.bot.analyse_batch(after, top=0, threads=self.threads)
        margins = np.array([report["margins"] for report in reports], np.float64)
        mean = np.average(margins, axis=0, weights=odds)
        worth: NDArray[np.float64] = margins[ahead.index(drawn)] - mean
        return worth

    def arrays(self) -> dict[str, NDArray[Any]]:
        """What is stored of all that."""
        kept: dict[str, NDArray[Any]] = {"values": np.array(self.values, np.float32)}
        if self.policy:
            counts = [len(worth) for worth in self.worth]
            kept["policy_offsets"] = np.cumsum([0, *counts], dtype=np.int64)
            kept["policy_actions"] = np.array([a for worth in self.worth for a in worth], np.int32)
            kept["policy_values"] = np.array([v for worth in self.worth for v in worth.values()], np.float32)
        if self.luck:
            kept["luck"] = np.array(self.lucks, np.float32)
        self.values, self.worth, self.lucks = [], [], []
        return kept


def _stored(
    texts: list[str], layout: dict[str, Any], judge: _Judge | None, files: list[Path]
) -> dict[str, NDArray[Any]]:
    """What a shard holds of these records."""
    history: list[int] = []
    actions: list[int] = []
    seats: list[int] = []
    offsets, rows, scores = [0], [0], []
    for at, text in enumerate(texts):
        try:
            end = _native.CarcassonneState.from_record(text, layout["board_size"])
        except ValueError as error:
            name = files[at].name if files else f"game {at}"
            raise ValueError(f"{name}: {error}") from None
        if end.setup != layout["setup"]:
            name = files[at].name if files else f"game {at}"
            raise ValueError(f"{name}: expected setup '{layout['setup']}', found '{end.setup}'")
        numbers, states = end.history(), []
        state = _native.CarcassonneState(layout["setup"])
        # The luck of the draws since the last decision.
        luck = np.zeros(layout["players"])
        for number in numbers:
            if not state.is_chance_node():
                actions.append(number)
                seats.append(state.current_player())
                if judge is not None:
                    states.append(state.clone())
                    judge.lucks.append(luck.tolist())
                    luck = np.zeros(layout["players"])
            elif judge is not None and judge.luck:
                luck = luck + judge.draw(state, number)
            state.apply_action(number)
        if judge is not None:
            judge.decisions(states)
        history += numbers
        offsets.append(len(history))
        rows.append(len(actions))
        scores.append(end.scores())
    kept: dict[str, NDArray[Any]] = {
        "history": np.array(history, np.int32),
        "offsets": np.array(offsets, np.int64),
        "rows": np.array(rows, np.int64),
        "action": np.array(actions, np.int32),
        "seat": np.array(seats, np.int8),
        "scores": np.array(scores, np.int32).reshape(len(texts), -1),
        "tensors": np.array(layout["tensors"]),
    }
    return kept | ({} if judge is None else judge.arrays())


def _policy(kept: dict[str, NDArray[Any]], temperature: float, actions: int) -> NDArray[np.float32]:
    """The softmax of what the actions of each decision are worth."""
    if "policy_values" not in kept:
        raise ValueError("policy needs what turns are worth: make the dataset with values=BOT, policy=True")
    if not 0.0 < temperature < np.inf:
        raise ValueError(f"policy={temperature!r}: expected a temperature in points, above 0")
    offsets = kept["policy_offsets"]
    row = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    best = np.maximum.reduceat(kept["policy_values"], offsets[:-1]) if len(row) else np.zeros(0)
    weights = np.exp((kept["policy_values"] - best[row]) / temperature)
    sums = np.bincount(row, weights, len(offsets) - 1)
    policy = np.zeros((len(offsets) - 1, actions), np.float32)
    policy[row, kept["policy_actions"]] = weights / sums[row]
    return policy


def _targets(kept: dict[str, NDArray[Any]], target: str, lambda_: float) -> NDArray[np.float32]:
    """The target of each decision, for the seat to move."""
    if target not in ("margin", "win", "lambda"):
        raise ValueError(f"target={target!r} is not known; allowed: 'margin', 'win', 'lambda'")
    scores, rows, seats = kept["scores"], kept["rows"], kept["seat"].astype(np.int64)
    ordered = np.sort(scores, axis=1)
    best, second = ordered[:, -1:], ordered[:, -2:-1]
    margins = scores - np.where(scores == best, second, best)
    ends = (np.sign(margins) if target == "win" else margins).astype(np.float32)
    by_seat = np.repeat(ends, np.diff(rows), axis=0)
    if target == "lambda":
        if "values" not in kept:
            raise ValueError("target='lambda' needs values: make the dataset with values=BOT")
        if not 0.0 <= lambda_ <= 1.0:
            raise ValueError(f"lambda_={lambda_!r}: expected a number from 0 to 1")
        for game, (first, last) in enumerate(zip(rows[:-1], rows[1:])):
            to_come = ends[game]
            for row in range(last - 1, first - 1, -1):
                by_seat[row] = to_come
                to_come = (1 - lambda_) * kept["values"][row] + lambda_ * to_come
    targets: NDArray[np.float32] = by_seat[np.arange(len(seats)), seats]
    return targets


def _write(path: Path, arrays: dict[str, NDArray[Any]]) -> None:
    # Under another name until it is whole.
    part = path.with_suffix(f".{os.getpid()}.part")
    try:
        with part.open("wb") as file:
            np.savez_compressed(file, **arrays)  # type: ignore[arg-type]
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _check_meta(place: Path, meta: dict[str, Any]) -> None:
    """Writes what the dataset is made of, or refuses to go on with another one."""
    place.mkdir(parents=True, exist_ok=True)
    path = place / _META
    if not path.exists():
        path.write_text(json.dumps(meta, indent=1))
        return
    found = json.loads(path.read_text())
    # More games of the same kind may be asked for.
    other = [name for name in meta.keys() | found.keys() if meta.get(name) != found.get(name)]
    for name in sorted(set(other) - {"games"}):
        raise ValueError(f"{place}: {name} was {found.get(name)!r} in this dataset, now {meta.get(name)!r}")
    if "games" in other:
        if meta["games"] < found["games"] or found["games"] % meta["shard"]:
            raise ValueError(f"{place}: games was {found['games']}, a whole number of shards goes on to more")
        path.write_text(json.dumps(meta, indent=1))


def _mixed(seed: int, shard: int) -> int:
    return int(np.random.SeedSequence([seed, shard]).generate_state(1, np.uint64)[0])


def _at_least(name: str, number: Any) -> None:
    if not isinstance(number, (int, np.integer)) or isinstance(number, bool) or number < 1:
        raise ValueError(f"{name}={number!r}: expected an integer of 1 or more")


def _printed(done: int, count: int) -> None:
    print(f"\rshard {done} of {count}", end="\n" if done == count else "", file=sys.stderr, flush=True)
