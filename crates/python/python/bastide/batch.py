"""Thousands of games at once: every step plays one action in each and writes numpy arrays."""

from __future__ import annotations

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
_NOT_SAVED = {"_games", "_arrays"}
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


class Batch(Generic[Games]):
    """What the batches of both games share.

    With ``copy=False`` the same arrays are given at every step, overwritten by the next one; they
    are read-only. Batches can be pickled and copied in mid-game; what is kept of a game is its
    record, and a record that breaks the rules is refused.
    """

    def __init__(self, options: tuple[Any, ...], copy: bool) -> None:
        self._options = options
        self._copy = copy
        self._open()

    def _open(self) -> None:
        """Makes the games and takes their arrays."""
        self._games: Games = self._make(*self._options)
        self._arrays = {name: _read_only(array) for name, array in self._games.arrays().items()}
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
        return {name: array.copy() for name, array in self._arrays.items()}


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
        return _native.CarcassonneGames(*options)

    def _open(self) -> None:
        super()._open()
        self.layout = _native.layout(self._games.setup, self._games.tensors)
        self.num_players: int = self.layout["players"]
        self.num_actions: int = self.layout["actions"]
        if "planes" in self._arrays:
            side = self.layout["board_size"]
            shape = (self.num_envs, len(self.layout["planes"]), side, side)
            self._arrays["planes"] = self._arrays["planes"].reshape(shape)

    @property
    def bytes_per_env(self) -> int:
        """Memory of one game with its row in every array."""
        return self._games.bytes_per_env

    def reset(self, *, seed: int | None = None, only: ArrayLike | None = None) -> BatchStep:
        """Resets every game. Game ``i`` is dealt by ``Dealer(seed, i)``; without a seed the
        dealers go on. With ``only``, a flag for each game, the others stay as they are."""
        return self._step(*self._games.reset(seed, _reset_mask(only, self.num_envs)))

    def step(self, actions: ArrayLike) -> BatchStep:
        """Plays one action in every game."""
        return self._step(*self._games.step(_actions(actions, self.num_envs)))

    def state(self, game: int) -> _native.CarcassonneState:
        """A copy of one of the games."""
        return self._games.state(game)

    def _step(self, actions: NDArray[np.int32], offsets: NDArray[np.int64]) -> BatchStep:
        arrays = self._given()
        observation: Any = arrays.get("compact")
        if "planes" in arrays:
            observation = {"planes": arrays["planes"], "globals": arrays["globals"]}
        return BatchStep(
            observation,
            arrays["reward"],
            arrays["terminated"],
            arrays["seat"],
            LegalActions(actions, offsets),
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

    def state(self, game: int) -> _native.TinytownState:
        """A copy of one of the games."""
        return self._games.state(game)

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
        raise ValueError(f"actions must have the shape ({count},), found {array.shape}")
    if array.dtype.kind not in "iu":
        raise TypeError(f"actions must be integers, found an array of {array.dtype}")
    if array.dtype == np.uint64:
        # The largest would come out negative; no action is as large as either.
        array = np.minimum(array, np.uint64(2**63 - 1))
    return np.require(array, np.int64, ["C_CONTIGUOUS", "ALIGNED"])


def _reset_mask(only: ArrayLike | None, count: int) -> NDArray[np.bool_] | None:
    if only is None:
        return None
    array = np.asarray(only)
    if array.shape != (count,) or array.dtype != np.bool_:
        found = f"{array.dtype} of shape {array.shape}"
        raise ValueError(f"reset mask: expected shape ({count},) of bool, found {found}")
    return np.ascontiguousarray(array)
