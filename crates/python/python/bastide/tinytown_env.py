"""Tinytown for Gymnasium: one game, and many at once."""

from __future__ import annotations

from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from bastide import _native
from bastide.batch import Autoreset, Illegal, TinytownBatch

_MODES = {
    AutoresetMode.SAME_STEP: "same_step",
    AutoresetMode.NEXT_STEP: "next_step",
    AutoresetMode.DISABLED: "disabled",
}


def _matrix_space(rows: int, cols: int) -> spaces.Box:
    return spaces.Box(0, 4, (rows + 1, cols + 1), np.uint8)


class TinytownEnv(gymnasium.Env[Any, Any]):
    """One game of Tinytown.

    ``actions="compact"`` numbers only what can ever be legal (`Discrete`); ``actions="vector"`` is
    the specification's vector of six (`MultiDiscrete`). The observation is the specification's
    matrix; with ``mask_in_observation`` a dictionary with "observation" and "action_mask".
    """

    metadata = {"render_modes": ["ansi", "rgb_array"], "render_fps": 4}

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
        _check_illegal(illegal)
        _check_render_mode(render_mode, self.metadata)
        self._start = _native.TinytownState(setup)
        self._state = self._start
        self._vectors = actions == "vector"
        self._illegal = illegal
        self._penalty = float(penalty)
        self._mask_in_observation = mask_in_observation
        self._over = True
        self._closed = False
        self.render_mode = render_mode
        rows, cols = self._start.shape
        count = self._start.num_distinct_actions()
        self.action_space = (
            spaces.MultiDiscrete([rows, cols, 2, rows, cols, 3])
            if self._vectors
            else spaces.Discrete(count)
        )
        matrix = _matrix_space(rows, cols)
        self.observation_space = (
            spaces.Dict(observation=matrix, action_mask=spaces.Box(0, 1, (count,), np.int8))
            if mask_in_observation
            else matrix
        )

    @property
    def state(self) -> _native.TinytownState:
        """A copy of the state."""
        return self._state.clone()

    @state.setter
    def state(self, state: _native.TinytownState) -> None:
        if state.setup != self._start.setup:
            raise ValueError(f"this is a game of {self._start.setup}, the state one of {state.setup}")
        self._state = state.clone()
        self._over = state.is_terminal()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Starts a game; ``options={"state": STATE}`` starts from a state."""
        self._check_open()
        super().reset(seed=seed)
        self.state = (options or {}).get("state", self._start)
        return self._observation(), self._info(False)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Plays an action."""
        self._check_open()
        if self._over:
            raise ValueError("the game is over: call reset")
        number = self._number(action)
        if number is None or not self._state.legal_actions_mask()[number]:
            return self._refuse(action, number)
        reward = float(self._state.apply_action(number))
        self._over = self._state.is_terminal()
        return self._observation(), reward, self._over, False, self._info(False)

    def action_masks(self) -> NDArray[np.bool_]:
        """Which compact actions are legal (the name that SB3-contrib looks for)."""
        return self._state.legal_actions_mask().astype(bool)

    def render(self) -> Any:
        """The grid as text or pixels, by ``render_mode``."""
        if self.render_mode == "ansi":
            return str(self._state)
        return self._state.rgb() if self.render_mode == "rgb_array" else None

    def close(self) -> None:
        """Ends the environment."""
        self._closed = True

    def _number(self, action: Any) -> int | None:
        if self._vectors:
            vector = np.asarray(action)
            if vector.shape != (6,) or vector.dtype.kind not in "iu":
                raise ValueError("an action is a vector of six integers")
            return self._state.vector_to_action([int(entry) for entry in vector])
        return _whole(action, self._state.num_distinct_actions())

    def _refuse(
        self, action: Any, number: int | None
    ) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        if self._illegal == "raise":
            if number is None:
                raise _native.IllegalActionError(f"action {action} can never be legal")
            self._state.child(number)
        self._over = self._illegal == "terminate"
        return self._observation(), -self._penalty, self._over, False, self._info(True)

    def _observation(self) -> Any:
        matrix = self._state.matrix()
        if not self._mask_in_observation:
            return matrix
        return {"observation": matrix, "action_mask": self._state.legal_actions_mask()}

    def _info(self, illegal: bool) -> dict[str, Any]:
        return {"action_mask": self._state.legal_actions_mask(), "illegal": illegal}

    def _check_open(self) -> None:
        if self._closed:
            raise _native.ClosedError("this environment was closed")


class TinytownVectorEnv(VectorEnv[Any, Any, Any]):
    """Many games of Tinytown with compact actions."""

    metadata = {
        "render_modes": [],
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        num_envs: int = 1,
        setup: str = "3x3",
        *,
        autoreset_mode: AutoresetMode = AutoresetMode.NEXT_STEP,
        illegal: Illegal = "noop",
        penalty: float = 1.0,
        threads: int | None = None,
        copy: bool = True,
        render_mode: str | None = None,
    ) -> None:
        _check_render_mode(render_mode, self.metadata)
        mode: Autoreset = _MODES[autoreset_mode]  # type: ignore[assignment]
        self.batch = TinytownBatch(
            num_envs, setup, autoreset=mode, illegal=illegal, penalty=penalty,
            threads=threads, copy=copy,
        )  # fmt: skip
        self.metadata = {**self.metadata, "autoreset_mode": autoreset_mode}
        self.render_mode = render_mode
        self.num_envs = num_envs
        rows, cols = _native.TinytownState(setup).shape
        self.single_observation_space = _matrix_space(rows, cols)
        self.single_action_space = spaces.Discrete(self.batch.num_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: Any = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Starts every game anew."""
        step = self.batch.reset(seed=_one_seed(seed))
        return step.observation, {"action_mask": step.mask, "illegal": step.illegal}

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Plays an action in every game."""
        step = self.batch.step(actions)
        truncated = np.zeros(self.num_envs, dtype=np.bool_)
        info = {"action_mask": step.mask, "illegal": step.illegal}
        return step.observation, step.reward, step.terminated, truncated, info

    def close_extras(self, **_: Any) -> None:
        """Frees the games."""
        self.batch.close()


def _whole(action: Any, count: int) -> int:
    """A whole number, whatever library it comes from; illegal ones are told apart later."""
    array = np.asarray(action)
    if array.size != 1 or array.dtype.kind not in "iu":
        raise TypeError(f"an action is one whole number from 0 to {count - 1}, found {action!r}")
    number = int(array.reshape(()))
    if not 0 <= number < count:
        raise ValueError(f"action {number} does not exist; actions are 0 to {count - 1}")
    return number


def _one_seed(seed: Any) -> int | None:
    """Vector environments may be given a seed for each game; ours need one for all."""
    if seed is None or isinstance(seed, int):
        return seed
    seeds = [int(entry) for entry in seed if entry is not None]
    return hash(tuple(seeds)) % 2**63 if seeds else None


def _check_illegal(illegal: str) -> None:
    if illegal not in ("raise", "noop", "terminate"):
        raise ValueError(
            f"illegal={illegal!r} is not known; allowed: 'raise', 'noop', 'terminate'"
        )


def _check_render_mode(mode: str | None, metadata: dict[str, Any]) -> None:
    if mode is not None and mode not in metadata["render_modes"]:
        allowed = ", ".join(map(repr, metadata["render_modes"])) or "None"
        raise ValueError(f"render_mode={mode!r} is not known; allowed: {allowed}")
