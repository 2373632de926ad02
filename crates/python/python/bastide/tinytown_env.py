"""Tinytown for Gymnasium: one game, and many at once."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from bastide import _native
from bastide.batch import Illegal, TinytownBatch
from bastide.gym_parts import (
    AutoresetMode,
    GameEnv,
    GameVectorEnv,
    Step,
    autoreset_name,
    check_state,
    spaces,
    whole,
)


def _matrix_space(rows: int, cols: int) -> spaces.Box:
    return spaces.Box(0, 4, (rows + 1, cols + 1), np.uint8)


class TinytownEnv(GameEnv):
    """One game of Tinytown.

    ``actions="compact"`` numbers only what can ever be legal (`Discrete`); ``actions="vector"`` is
    the specification's vector of six (`MultiDiscrete`). The observation is the specification's
    matrix; with ``mask_in_observation`` a dictionary with "observation" and "action_mask".
    """

    _state: _native.TinytownState

    def __init__(
        self,
        setup: str = "3x3",
        *,
        actions: Literal["compact", "vector"] = "compact",
        illegal: Illegal = "noop",
        penalty: float = 1.0,
        mask_in_observation: bool = False,
        render_mode: str | None = None,
    ) -> None:
        if actions not in ("compact", "vector"):
            raise ValueError(f"actions={actions!r} is not known; allowed: 'compact', 'vector'")
        super().__init__(illegal, penalty, mask_in_observation, render_mode)
        self._start = _native.TinytownState(setup)
        self._state = self._start
        self._vectors = actions == "vector"
        rows, cols = self._start.shape
        count = self._start.num_distinct_actions()
        self.action_space = (
            spaces.MultiDiscrete([rows, cols, 2, rows, cols, 3])
            if self._vectors
            else spaces.Discrete(count)
        )
        self.observation_space = self._space(_matrix_space(rows, cols), count)

    @property
    def state(self) -> _native.TinytownState:
        """A copy of the state."""
        return self._state.clone()

    @state.setter
    def state(self, state: _native.TinytownState) -> None:
        check_state(state, _native.TinytownState, self._start.setup)
        self._state = state.clone()
        self._over = state.is_terminal()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Starts a game; ``options={"state": STATE}`` starts from a state."""
        self._check_open()
        super().reset(seed=seed)
        self.state = (options or {}).get("state", self._start)
        return self._started()

    def step(self, action: Any) -> Step:
        """Plays an action."""
        self._check_playing()
        number = self._number(action)
        if number is None or not self._state.legal_actions_mask()[number]:
            if self._illegal == "raise":
                self._raise_for(action, number)
            return self._refuse()
        reward = float(self._state.apply_action(number))
        self._over = self._state.is_terminal()
        return self._answer(reward)

    def _number(self, action: Any) -> int | None:
        if self._vectors:
            vector = np.asarray(action)
            if vector.shape != (6,) or vector.dtype.kind not in "iu":
                found = f"{vector.dtype} of shape {vector.shape}"
                raise ValueError(f"action: expected integers of shape (6,), found {found}")
            return self._state.vector_to_action([int(entry) for entry in vector])
        return whole(action, self._state.num_distinct_actions())

    def _raise_for(self, action: Any, number: int | None) -> None:
        if number is None:
            raise _native.IllegalActionError(f"action {action} can never be legal")
        self._state.child(number)

    def _seen(self) -> Any:
        return self._state.matrix()


class TinytownVectorEnv(GameVectorEnv):
    """Many games of Tinytown with compact actions."""

    def __init__(
        self,
        num_envs: int = 1,
        setup: str = "3x3",
        *,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        illegal: Illegal = "noop",
        penalty: float = 1.0,
        mask_in_observation: bool = False,
        threads: int | None = None,
        copy: bool = True,
        render_mode: str | None = None,
    ) -> None:
        batch = TinytownBatch(
            num_envs, setup, autoreset=autoreset_name(autoreset_mode), illegal=illegal,
            penalty=penalty, threads=threads, copy=copy,
        )  # fmt: skip
        space = _matrix_space(*_native.TinytownState(setup).shape)
        super().__init__(batch, space, autoreset_mode, mask_in_observation, render_mode)

    def _reset(self, seeds: list[int | None] | None, only: Any) -> Any:
        # The game has no chance: the seed is for ``batch.sample_actions``.
        return self.batch.reset(seed=(seeds or [None])[0], only=only)
