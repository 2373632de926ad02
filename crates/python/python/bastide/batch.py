"""Thousands of games at once: every step plays one action in each and writes numpy arrays."""

from __future__ import annotations

import sys
import threading
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bastide import _native

if TYPE_CHECKING:
    from typing_extensions import Self

Autoreset = Literal["same_step", "next_step", "disabled"]
Illegal = Literal["raise", "noop", "terminate"]
Observation = Literal["compact", "planes", "none"]
Reward = Literal["margin", "win", "points"]
Tensors = Literal["v1", "v2"]

Games = TypeVar("Games", _native.CarcassonneGames, _native.TinytownGames)


# What a copy makes afresh, and the arrays that do not follow from the games.
_NOT_SAVED = {"_games", "_arrays", "_pools", "_planes"}
_OF_THE_LAST_STEP = {"reward", "terminated", "illegal", "final_scores"}


class LegalActions(NamedTuple):
    """The legal actions of all games in one array: those of game ``i`` are
    ``actions[offsets[i]:offsets[i + 1]]``."""

    actions: NDArray[np.int32]
    offsets: NDArray[np.int64]

    def of(self, game: int) -> NDArray[np.int32]:
        """The legal actions of one game."""
        return self.actions[self.offsets[game] : self.offsets[game + 1]]

    def pick(self, generator: np.random.Generator) -> NDArray[np.int64]:
        """One legal action for each game, any with equal chance; 0 where a game has none."""
        count = np.diff(self.offsets)
        at = self.offsets[:-1] + (generator.random(len(count)) * count).astype(np.int64)
        if self.actions.size == 0:
            return np.zeros(len(count), dtype=np.int64)
        picked = self.actions[np.minimum(at, self.actions.size - 1)].astype(np.int64)
        return np.where(count > 0, picked, 0)


class ArrayPool:
    """Arrays of one shape that are given away, and taken again once nobody holds them.

    Whoever keeps an array, a view of it, a buffer or a tensor on its memory holds a reference to
    it: it is then never written again. A weak reference counts as well.
    """

    MOST = 4
    """Arrays that are kept for another time; those beyond it belong to whoever holds them."""

    def __init__(self, shape: tuple[int, ...], dtype: Any) -> None:
        self._shape = shape
        self._dtype = dtype
        self._arrays: list[NDArray[Any]] = []
        self._oldest = 0
        self._lock = threading.Lock()

    def take(self) -> tuple[NDArray[Any], int, bool]:
        """An array that nobody else holds, its number, and whether it is new. One that is not new
        holds what was last written into it here: arrays that others may write are left to them."""
        with self._lock:
            for at in range(len(self._arrays)):
                if self._is_free(at):
                    return self._arrays[at], at, False
            array = np.empty(self._shape, self._dtype)
            if len(self._arrays) < self.MOST:
                self._arrays.append(array)
                return array, len(self._arrays) - 1, True
            at, self._oldest = self._oldest, (self._oldest + 1) % self.MOST
            self._arrays[at] = array
            return array, at, True

    def _is_free(self, at: int) -> bool:
        arrays = self._arrays
        return sys.getrefcount(arrays[at]) == _UNHELD and not weakref.getweakrefcount(arrays[at])


# What the count is, read in this way, of an array that only a list holds.
_UNHELD = (lambda arrays: sys.getrefcount(arrays[0]))([np.empty(0)])


class PlanesPool(ArrayPool):
    """Arrays that are given read-only, so that only changes are written when they are taken again.

    With ``array.flags.writeable = True`` one belongs to whoever holds it, and is not taken again.
    """

    @contextmanager
    def writing(self) -> Iterator[tuple[NDArray[Any], int, bool]]:
        """An array to write into; it is read-only afterwards."""
        array, at, new = self.take()
        array.flags.writeable = True
        try:
            yield array, at, new
        except BaseException:
            # Nobody knows how much of it was written: it stays writable, and so is not used again.
            raise
        else:
            array.flags.writeable = False

    def _is_free(self, at: int) -> bool:
        return super()._is_free(at) and not self._arrays[at].flags.writeable


class Batch(Generic[Games]):
    """What the batches of both games share.

    By default every step gives fresh arrays: what you keep of them never changes. The memory of
    those that nobody holds any more is used again. With ``copy=False`` the same arrays are given at
    every step, overwritten by the next one; they are read-only. Batches can be pickled and copied
    in mid-game; what is kept of a game is its record, and a record that breaks the rules is refused.
    """

    def __init__(self, options: tuple[Any, ...], copy: bool) -> None:
        self._options = options
        self._copy = copy
        self._open()

    def _open(self) -> None:
        """Makes the games and takes their arrays."""
        self._games: Games = self._make(*self._options)
        self._arrays = {name: _read_only(array) for name, array in self._games.arrays().items()}
        self._pools: dict[str, ArrayPool] = {}
        self.num_envs = len(self._arrays["terminated"])

    def _make(self, *options: Any) -> Games:
        raise NotImplementedError

    def __getstate__(self) -> dict[str, Any]:
        own = {name: value for name, value in self.__dict__.items() if name not in _NOT_SAVED}
        last = {name: self._arrays[name].copy() for name in _OF_THE_LAST_STEP if name in self._arrays}
        return {"own": own, "games": self._games.saved(), "last_step": last}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        self.__dict__.update(saved["own"])
        self._open()
        self._games.restore(*saved["games"])
        arrays = self._games.arrays()
        # Pickles of 0.1 say "told".
        last = saved["last_step"] if "last_step" in saved else saved["told"]
        for name in _OF_THE_LAST_STEP & last.keys():
            arrays[name][...] = last[name]

    @property
    def setup(self) -> str:
        """The setup in full."""
        return self._games.setup

    @property
    def threads(self) -> int:
        """How many threads step the games."""
        return self._games.threads

    def sample_actions(self) -> NDArray[np.int64]:
        """A legal action for every game, any with equal chance; 0 where a game is over."""
        return self._games.sample_actions()

    def close(self) -> None:
        """Frees the games."""
        self._games.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _given(self) -> dict[str, NDArray[Any]]:
        """The arrays as a step gives them."""
        if not self._copy:
            return self._arrays
        return {name: self._fresh(name, array) for name, array in self._arrays.items()}

    def _fresh(self, name: str, array: NDArray[Any]) -> NDArray[Any]:
        """A copy that nobody else holds."""
        if array.nbytes < _SMALL:
            return array.copy()
        if name not in self._pools:
            self._pools[name] = ArrayPool(array.shape, array.dtype)
        copy, _, _ = self._pools[name].take()
        np.copyto(copy, array)
        return copy


# Bytes below which memory is had for nothing.
_SMALL = 1 << 16


class BatchStep(NamedTuple):
    """What a step of a `CarcassonneBatch` gives, a row for each game."""

    observation: Any
    """The compact array, or a dictionary with "planes" and "globals", or ``None``."""
    reward: NDArray[np.float32]
    """What each seat earned, (games, seats)."""
    terminated: NDArray[np.bool_]
    """Whether the game ended with this step."""
    seat: NDArray[np.int8]
    """Who is to move now; -1 where a game is over."""
    legal: LegalActions
    mask: NDArray[np.int8] | None
    """A 1 for each legal action, if masks were asked for."""
    scores: NDArray[np.int32]
    final_scores: NDArray[np.int32]
    """The scores of each game's last end; of use where ``terminated``."""
    illegal: NDArray[np.bool_]
    """Whether the action was not legal."""


class CarcassonneBatch(Batch[_native.CarcassonneGames]):
    """Many games of Carcassonne, stepped in parallel without the interpreter's lock.

    Every game is played by its seats in turn: ``seat`` says who is to move. With an ``opponent``
    one seat learns (``learner``, or game ``i`` has seat ``i`` modulo the players) and the opponent
    plays all others. ``tensors`` is the version of the numbers: without sets "v1" unless "v2" is
    named, with sets "v2".
    """

    def __init__(
        self,
        num_envs: int,
        setup: str = "standard",
        *,
        observation: Observation = "compact",
        mask: bool = False,
        reward: Reward = "margin",
        autoreset: Autoreset = "same_step",
        illegal: Illegal = "raise",
        penalty: float = 1.0,
        threads: int | None = None,
        copy: bool = True,
        opponent: str | None = None,
        learner: int | None = None,
        nodes: int | None = None,
        time: float | None = None,
        tensors: Tensors | None = None,
    ) -> None:
        options = (
            num_envs, setup, observation, mask, reward, autoreset, illegal, penalty,
            threads, opponent, learner, nodes, time, tensors,
        )  # fmt: skip
        super().__init__(options, copy)

    def _make(self, *options: Any) -> _native.CarcassonneGames:
        arguments = (*options, self._copy)
        return _native.CarcassonneGames(*arguments)

    def _open(self) -> None:
        super()._open()
        self.layout = _native.layout(self._games.setup, self._games.tensors)
        self.num_players: int = self.layout["players"]
        self.num_actions: int = self.layout["actions"]
        side = self.layout["board_size"]
        shape = (self.num_envs, len(self.layout["planes"]), side, side)
        if "planes" in self._arrays:
            self._arrays["planes"] = self._arrays["planes"].reshape(shape)
        # Planes are too large to be copied at every step: they are written where they are given.
        fresh = self._copy and "globals" in self._arrays
        self._planes = PlanesPool(shape, np.uint8) if fresh else None

    @property
    def bytes_per_env(self) -> int:
        """Memory of one game with its row in every array."""
        return self._games.bytes_per_env

    def reset(self, *, seed: int | None = None, only: ArrayLike | None = None) -> BatchStep:
        """Resets every game. Game ``i`` is dealt by ``Dealer(seed, i)``; without a seed the
        dealers go on, at first from those of seed 0. With ``only``, a flag for each game, the others
        stay as they are.

        The games of one seed are streams of it, not the games of seeds ``seed + i``: that is the
        rule of Gymnasium's vector environments, and `CarcassonneVectorEnv` keeps it.
        """
        return self._reset(seed, None, only)

    def _reset(
        self, seed: int | None, seeds: Sequence[int | None] | None, only: ArrayLike | None
    ) -> BatchStep:
        """With ``seeds`` game ``i`` is dealt by ``Dealer(seeds[i])``; without one its dealer goes on."""
        flags = _reset_mask(only, self.num_envs)
        if self._planes is None:
            return self._step(self._games.reset(seed, flags, None, seeds), None)
        with self._planes.writing() as planes:
            legal = self._games.reset(seed, flags, planes, seeds)
        return self._step(legal, planes[0])

    def step(self, actions: ArrayLike) -> BatchStep:
        """Plays one action in every game."""
        numbers = _actions(actions, self.num_envs)
        if self._planes is None:
            return self._step(self._games.step(numbers), None)
        with self._planes.writing() as planes:
            legal = self._games.step(numbers, planes)
        return self._step(legal, planes[0])

    def observe(self) -> BatchStep:
        """What the games show now, as the last step gave it; nothing is played."""
        return self.reset(only=np.zeros(self.num_envs, np.bool_))

    def state(self, game: int) -> _native.CarcassonneState:
        """A copy of one of the games."""
        return self._games.state(game)

    def get_states(self, games: ArrayLike | None = None) -> list[_native.CarcassonneState]:
        """Copies of the games, or of those that ``games`` numbers."""
        return self._games.get_states(_game_numbers(games))

    def set_states(
        self,
        states: Sequence[_native.CarcassonneState],
        games: ArrayLike | None = None,
        *,
        seed: int | None = None,
    ) -> BatchStep:
        """Goes on from states: one for each game, or one for each of those that ``games`` numbers;
        the others stay as they are. The states are copied.

        Where a tile is to be drawn, the game's own dealer draws it; with a seed game ``i`` is dealt
        by ``Dealer(seed, i)`` from here on. An opponent plays until it is the learner's turn. A
        state that is over gives ``terminated`` and ``seat`` -1, and no legal actions.
        """
        numbers = _game_numbers(games)
        _check_states(states, _native.CarcassonneState)
        if self._planes is None:
            return self._step(self._games.set_states(states, numbers, seed), None)
        with self._planes.writing() as planes:
            legal = self._games.set_states(states, numbers, seed, planes)
        return self._step(legal, planes[0])

    @classmethod
    def from_states(
        cls, states: Sequence[_native.CarcassonneState], *, seed: int = 0, **options: Any
    ) -> Self:
        """A batch with a game for each state, of their setup and tensors; ``options`` are those of
        a batch. ``observe()`` gives what it shows."""
        _check_states(states, _native.CarcassonneState)
        if not states:
            raise ValueError("from_states: expected one state or more, found an empty list")
        options["tensors"] = states[0].tensors
        batch = cls(len(states), states[0].setup, **options)
        batch.set_states(states, seed=seed)
        return batch

    def _step(
        self,
        legal: tuple[NDArray[np.int32], NDArray[np.int64]],
        planes: NDArray[np.uint8] | None,
    ) -> BatchStep:
        arrays = self._given()
        observation: Any = arrays.get("compact")
        if "globals" in arrays:
            planes = arrays["planes"] if planes is None else planes
            observation = {"planes": planes, "globals": arrays["globals"]}
        return BatchStep(
            observation,
            arrays["reward"],
            arrays["terminated"],
            arrays["seat"],
            LegalActions(*legal),
            arrays.get("mask"),
            arrays["scores"],
            arrays["final_scores"],
            arrays["illegal"],
        )


class TinytownStep(NamedTuple):
    """What a step of a `TinytownBatch` gives, a row for each game."""

    observation: NDArray[np.uint8]
    """The specification's matrices, (games, n + 1, m + 1)."""
    reward: NDArray[np.float32]
    terminated: NDArray[np.bool_]
    mask: NDArray[np.int8]
    illegal: NDArray[np.bool_]


class TinytownBatch(Batch[_native.TinytownGames]):
    """Many games of Tinytown, stepped in parallel without the interpreter's lock.

    Actions are compact numbers.
    """

    def __init__(
        self,
        num_envs: int,
        setup: str = "3x3",
        *,
        autoreset: Autoreset = "same_step",
        illegal: Illegal = "raise",
        penalty: float = 1.0,
        threads: int | None = None,
        copy: bool = True,
    ) -> None:
        super().__init__((num_envs, setup, autoreset, illegal, penalty, threads), copy)

    def _make(self, *options: Any) -> _native.TinytownGames:
        return _native.TinytownGames(*options)

    def _open(self) -> None:
        super()._open()
        self.num_actions = int(self._arrays["mask"].shape[1])
        rows, cols = _native.TinytownState(self._games.setup).shape
        shape = (self.num_envs, rows + 1, cols + 1)
        self._arrays["matrix"] = self._arrays["matrix"].reshape(shape)

    def reset(self, *, seed: int | None = None, only: ArrayLike | None = None) -> TinytownStep:
        """Resets every game; the seed is for `sample_actions`, for the game has no chance.
        With ``only``, a flag for each game, the others stay as they are."""
        self._games.reset(seed, _reset_mask(only, self.num_envs))
        return self._step()

    def step(self, actions: ArrayLike) -> TinytownStep:
        """Plays one action in every game."""
        self._games.step(_actions(actions, self.num_envs))
        return self._step()

    def observe(self) -> TinytownStep:
        """What the games show now, as the last step gave it; nothing is played."""
        return self.reset(only=np.zeros(self.num_envs, np.bool_))

    def state(self, game: int) -> _native.TinytownState:
        """A copy of one of the games."""
        return self._games.state(game)

    def get_states(self, games: ArrayLike | None = None) -> list[_native.TinytownState]:
        """Copies of the games, or of those that ``games`` numbers."""
        return self._games.get_states(_game_numbers(games))

    def set_states(
        self, states: Sequence[_native.TinytownState], games: ArrayLike | None = None
    ) -> TinytownStep:
        """Goes on from states: one for each game, or one for each of those that ``games`` numbers;
        the others stay as they are. The states are copied."""
        numbers = _game_numbers(games)
        _check_states(states, _native.TinytownState)
        self._games.set_states(states, numbers)
        return self._step()

    @classmethod
    def from_states(cls, states: Sequence[_native.TinytownState], **options: Any) -> Self:
        """A batch with a game for each state, of their setup; ``options`` are those of a batch.
        ``observe()`` gives what it shows."""
        _check_states(states, _native.TinytownState)
        if not states:
            raise ValueError("from_states: expected one state or more, found an empty list")
        batch = cls(len(states), states[0].setup, **options)
        batch.set_states(states)
        return batch

    def _step(self) -> TinytownStep:
        arrays = self._given()
        return TinytownStep(
            arrays["matrix"],
            arrays["reward"],
            arrays["terminated"],
            arrays["mask"],
            arrays["illegal"],
        )


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    # What is written into them would stay: only changes are written from step to step.
    view = array.view()
    view.flags.writeable = False
    return view


def _actions(actions: ArrayLike, count: int) -> NDArray[np.int64]:
    array = np.asarray(actions)
    if array.shape != (count,):
        raise ValueError(f"actions: expected shape ({count},), found {array.shape}")
    if array.dtype.kind not in "iu":
        raise TypeError(f"actions: expected an integer dtype, found {array.dtype}")
    if array.dtype == np.uint64:
        # The largest would come out negative; no action is as large as either.
        array = np.minimum(array, np.uint64(2**63 - 1))
    return np.require(array, np.int64, ["C_CONTIGUOUS", "ALIGNED"])


def _game_numbers(games: ArrayLike | None) -> NDArray[np.int64] | None:
    if games is None:
        return None
    array = np.asarray(games)
    if array.size == 0 and array.dtype.kind == "f":
        array = array.astype(np.int64)  # An empty list.
    if array.ndim != 1 or array.dtype.kind not in "iu":
        found = f"{array.dtype} of shape {array.shape}"
        raise TypeError(f"games: expected a 1-D array of an integer dtype, found {found}")
    if array.dtype == np.uint64:
        array = np.minimum(array, np.uint64(2**63 - 1))
    return np.require(array, np.int64, ["C_CONTIGUOUS", "ALIGNED"])


def _check_states(states: Sequence[Any], kind: type[Any]) -> None:
    if isinstance(states, (str, bytes)) or not isinstance(states, Sequence):
        raise TypeError(f"states: expected a list of {kind.__name__}, found {type(states).__name__}")
    for at, state in enumerate(states):
        if not isinstance(state, kind):
            raise TypeError(f"states[{at}]: expected {kind.__name__}, found {type(state).__name__}")


def _reset_mask(only: ArrayLike | None, count: int) -> NDArray[np.bool_] | None:
    if only is None:
        return None
    array = np.asarray(only)
    if array.shape != (count,) or array.dtype != np.bool_:
        found = f"{array.dtype} of shape {array.shape}"
        raise ValueError(f"reset_mask: expected bool of shape ({count},), found {found}")
    return np.ascontiguousarray(array)
