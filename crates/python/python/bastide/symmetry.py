"""Carcassonne's symmetry: observations, masks and actions turned by quarters, to learn from four times."""

from __future__ import annotations

import operator
import re
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bastide import _native

_SIDES = "NESW"


class Symmetry:
    """Turns what a setup's games show by quarters clockwise, about the middle of the board.

    Arrays may have any axes before their own: those of a batch, of a rollout. ``quarters`` is any
    integer; 4 turn nothing. Globals, scores and rewards have no direction and stay as they are.
    """

    def __init__(self, setup: str = "standard", tensors: str | None = None) -> None:
        self.layout: dict[str, Any] = _native.layout(setup, tensors)
        self._side = int(self.layout["board_size"])
        self._planes = [self._plane_order(quarters) for quarters in range(4)]
        self._actions = [self._action_order(quarters) for quarters in range(4)]

    def planes(self, planes: ArrayLike, quarters: int) -> NDArray[Any]:
        """Planes (..., planes, rows, columns), turned: cells move, and sides change their names."""
        shape = (len(self.layout["planes"]), self._side, self._side)
        array, turn = _last_axes("planes", planes, shape), _quarters(quarters)
        turned = np.rot90(array, -turn, axes=(-2, -1))
        return np.ascontiguousarray(turned[..., np.argsort(self._planes[turn]), :, :])

    def compact(self, compact: ArrayLike, quarters: int) -> NDArray[Any]:
        """Compact observations (..., numbers), turned: the rows of tiles change."""
        turn = _quarters(quarters)
        array = _last_axes("compact", compact, (self.layout["compact"],)).copy()
        first, wide = self.layout["tiles_at"], self.layout["tile_width"]
        tiles = array[..., first:].reshape(*array.shape[:-1], -1, wide)
        lies = tiles[..., 0] > 0
        for _ in range(turn):
            row, column = tiles[..., 0].copy(), tiles[..., 1].copy()
            tiles[..., 0] = np.where(lies, column, 0)
            tiles[..., 1] = np.where(lies, self._side + 1 - row, 0)
        tiles[..., 3] = np.where(lies, (tiles[..., 3] + turn) % 4, 0)
        array[..., first:] = tiles.reshape(*array.shape[:-1], -1)
        return array

    def mask(self, mask: ArrayLike, quarters: int) -> NDArray[Any]:
        """What has a number for each action (..., actions), turned: masks, policies, logits."""
        array = _last_axes("mask", mask, (self.layout["actions"],))
        return array[..., np.argsort(self._actions[_quarters(quarters)])]

    def actions(self, actions: ArrayLike, quarters: int) -> NDArray[np.int64]:
        """Actions, turned: placements move and turn, all others stay."""
        array, turn, count = np.asarray(actions), _quarters(quarters), self.layout["actions"]
        if array.dtype.kind not in "iu":
            raise TypeError(f"actions: expected an integer dtype, found {array.dtype}")
        wrong = (array < 0) | (array >= count)
        if wrong.any():
            found = array[wrong].flat[0]
            raise ValueError(f"action {found} is out of bounds: actions are 0 to {count - 1}")
        turned: NDArray[np.int64] = self._actions[turn][array]
        return turned

    def state(self, state: _native.CarcassonneState, quarters: int) -> _native.CarcassonneState:
        """The same game, turned: every placement of its record is. It takes an empty start, and a
        board with a cell in the middle; docs/tensors.md says why."""
        turn = _quarters(quarters)
        if not isinstance(state, _native.CarcassonneState):
            raise TypeError(f"state: expected CarcassonneState, found {type(state).__name__}")
        own = (self.layout["setup"], self.layout["tensors"])
        if (state.setup, state.tensors) != own:
            found = f"'{state.setup}', tensors '{state.tensors}'"
            raise ValueError(f"state: expected one of '{own[0]}', tensors '{own[1]}', found {found}")
        if turn and ("start=empty" not in state.setup or self._side % 2 == 0):
            raise ValueError(
                f"'{state.setup}' has no turned games: they need start=empty and a board of odd size"
            )
        turned = _native.CarcassonneState(*own)
        for number in state.history():
            chance = turned.is_chance_node()
            turned.apply_action(number if chance else int(self.actions(number, turn)))
        return turned

    def _plane_order(self, turn: int) -> NDArray[np.int64]:
        """Where each plane goes."""
        names = {name: at for at, name in enumerate(self.layout["planes"])}
        return np.array([names[_turned_name(name, turn)] for name in names])

    def _action_order(self, turn: int) -> NDArray[np.int64]:
        """Where each action goes."""
        placements = 4 * self._side**2
        order = np.arange(self.layout["actions"])
        cells, rotation = np.divmod(order[:placements], 4)
        row, column = np.divmod(cells, self._side)
        for _ in range(turn):
            row, column = column, self._side - 1 - row
        order[:placements] = 4 * (row * self._side + column) + (rotation + turn) % 4
        return order


def _turned_name(name: str, turn: int) -> str:
    """The name of a plane after a turn: every side it names, and every rotation, is the next."""
    pair = re.fullmatch("([NESW]) and ([NESW]) joined", name)
    if pair:
        first, second = sorted((_SIDES.index(side) + turn) % 4 for side in pair.groups())
        return f"{_SIDES[first]} and {_SIDES[second]} joined"
    fits = re.fullmatch("(.* turned r)([0-3])", name)
    if fits:
        return f"{fits[1]}{(int(fits[2]) + turn) % 4}"
    # A side, or a half of one, stands alone at the end.
    side = re.fullmatch("(.* )([NESW])([LR]?)", name)
    return f"{side[1]}{_SIDES[(_SIDES.index(side[2]) + turn) % 4]}{side[3]}" if side else name


def _quarters(quarters: int) -> int:
    try:
        return operator.index(quarters) % 4
    except TypeError:
        raise TypeError(f"quarters={quarters!r}: expected an integer") from None


def _last_axes(name: str, values: ArrayLike, shape: tuple[int, ...]) -> NDArray[Any]:
    array = np.asarray(values)
    if array.shape[-len(shape) :] != shape:
        wanted = ", ".join(map(str, shape))
        raise ValueError(f"{name}: expected shape (..., {wanted}), found {array.shape}")
    return array
