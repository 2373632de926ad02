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
    names = [bots] if isinstance(bots, str) else list(bots)
    if not 1 <= len(names) <= 2 or not all(isinstance(name, str) for name in names):
        raise ValueError(f"bots={bots!r}: expected the name of a bot, or of two")
    _at_least("games_per_shard", games_per_shard)
    if records is None:
        if games is None:
            raise ValueError("games: expected how many games to play, or records=FOLDER")
        _at_least("games", games)
    if values is None and (policy or luck):
        raise ValueError("policy and luck need values=BOT, which says what turns and draws are worth")
    maker = _native.DatasetMaker(
        folder, setup, bots=names, games=games or 0, seed=seed, records=records, nodes=nodes,
        values=values, policy=policy, luck=luck, games_per_shard=games_per_shard,
    )  # fmt: skip
    show = _printed if progress is True else progress or (lambda done, all_: None)
    for shard in range(maker.shards):
        maker.make(shard, threads)
        show(shard + 1, maker.shards)
    return Dataset(folder)


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
        if observation not in ("compact", "planes", "none"):
            allowed = "'compact', 'planes', 'none'"
            raise ValueError(f"observation={observation!r} is not known; allowed: {allowed}")
        kept = self._stored(shard)
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

    def states(self, shard: int) -> Iterator[_native.CarcassonneState]:
        """The state of each decision of a shard, in the order of the rows that ``read`` gives."""
        kept = self._stored(shard)
        for first, last in zip(kept["offsets"][:-1], kept["offsets"][1:]):
            state = _native.CarcassonneState(self.setup)
            for number in kept["history"][first:last].tolist():
                if not state.is_chance_node():
                    yield state.clone()
                state.apply_action(number)

    def _stored(self, shard: int) -> dict[str, NDArray[Any]]:
        if not -len(self.shards) <= shard < len(self.shards):
            count = len(self.shards)
            raise IndexError(f"index {shard} is out of bounds for a dataset of {count} shards")
        with np.load(self.shards[shard], allow_pickle=False) as stored:
            return {name: stored[name] for name in stored.files}

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


def _at_least(name: str, number: Any) -> None:
    if not isinstance(number, (int, np.integer)) or isinstance(number, bool) or number < 1:
        raise ValueError(f"{name}={number!r}: expected an integer of 1 or more")


def _printed(done: int, count: int) -> None:
    print(f"\rshard {done} of {count}", end="\n" if done == count else "", file=sys.stderr, flush=True)
