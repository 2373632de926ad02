"""What the Gymnasium environments of both games share."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bastide import _native
from bastide.batch import Autoreset, CarcassonneBatch, Illegal, TinytownBatch
from bastide.extras import needed
from bastide.window import RENDER_MODES, Window

needed("gymnasium", "gymnasium")

import gymnasium
from gymnasium import spaces as spaces
from gymnasium.vector import AutoresetMode as AutoresetMode
from gymnasium.vector import VectorEnv
from gymnasium.vector.utils import batch_space

Step = tuple[Any, float, bool, bool, dict[str, Any]]


class GameEnv(gymnasium.Env[Any, Any]):
    """One game, played by compact actions of which some are legal.

    With ``mask_in_observation`` an observation is a dictionary with "observation" and
    "action_mask". A derived class has the game in ``_state`` and says what is seen of it
    (``_seen``); ``_over`` is true before the first game and after each.
    """

    metadata = {"render_modes": RENDER_MODES, "render_fps": 4}

    _state: _native.CarcassonneState | _native.TinytownState
    # Copies stored before there were windows have none.
    _window: Window | None = None

    def __init__(
        self,
        illegal: Illegal,
        penalty: float,
        mask_in_observation: bool,
        render_mode: str | None,
    ) -> None:
        check_illegal(illegal)
        check_render_mode(render_mode, self.metadata)
        self._illegal = illegal
        self._penalty = check_penalty(penalty)
        self._mask_in_observation = mask_in_observation
        self.render_mode = render_mode
        self._over = True
        self._closed = False
        self._window = Window(type(self).__name__) if render_mode == "human" else None

    def __getstate__(self) -> dict[str, Any]:
        # A copy has a window of its own.
        return {**self.__dict__, "_window": None}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        self.__dict__.update(saved)

    def action_masks(self) -> NDArray[np.bool_]:
        """Which compact actions are legal (the name that SB3-contrib looks for)."""
        return self._state.legal_actions_mask().astype(bool)

    def render(self) -> Any:
        """The board as text or pixels, by ``render_mode``; "human" shows it in a window, as every
        reset and step does."""
        if self.render_mode == "ansi":
            return str(self._state)
        if self.render_mode == "human":
            self._show()
            return None
        return self._state.rgb() if self.render_mode == "rgb_array" else None

    def close(self) -> None:
        """Ends the environment, and closes its window."""
        self._closed = True
        if self._window is not None:
            self._window.close()
            self._window = None

    def _show(self) -> None:
        if self.render_mode == "human" and not self._closed:
            self._window = self._window or Window(type(self).__name__)
            self._window.show(self._state.rgb(), self.metadata["render_fps"])

    def _seen(self) -> Any:
        raise NotImplementedError

    def _space(self, seen: spaces.Space[Any], actions: int) -> spaces.Space[Any]:
        """The space of the observations, from that of what is seen."""
        if not self._mask_in_observation:
            return seen
        return spaces.Dict(observation=seen, action_mask=spaces.Box(0, 1, (actions,), np.int8))

    def _observation(self) -> Any:
        if not self._mask_in_observation:
            return self._seen()
        return {"observation": self._seen(), "action_mask": self._mask()}

    def _mask(self) -> NDArray[np.int8]:
        """The legal actions; none once the episode is over."""
        mask = self._state.legal_actions_mask()
        return np.zeros_like(mask) if self._over else mask

    def _info(self, illegal: bool) -> dict[str, Any]:
        return {"action_mask": self._mask(), "illegal": illegal}

    def _check_open(self) -> None:
        if self._closed:
            raise _native.ClosedError("this environment was closed")

    def _check_playing(self) -> None:
        self._check_open()
        if self._over:
            raise ValueError("the episode is over or has not started: call reset()")

    def _started(self) -> tuple[Any, dict[str, Any]]:
        """What a reset gives."""
        self._show()
        return self._observation(), self._info(False)

    def _answer(self, reward: float, illegal: bool = False) -> Step:
        """What a step gives."""
        self._show()
        return self._observation(), reward, self._over, False, self._info(illegal)

    def _refuse(self) -> Step:
        """The answer to an illegal action that is not to raise an exception."""
        self._over = self._illegal == "terminate"
        return self._answer(-self._penalty, illegal=True)


class GameVectorEnv(VectorEnv[Any, Any, Any]):
    """A batch of games as a vector environment."""

    metadata = {
        "render_modes": ["ansi", "rgb_array"],
        "render_fps": 4,
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        batch: CarcassonneBatch | TinytownBatch,
        observation_space: spaces.Space[Any],
        autoreset_mode: AutoresetMode | str,
        mask_in_observation: bool,
        render_mode: str | None,
    ) -> None:
        check_render_mode(render_mode, self.metadata)
        autoreset_mode = AutoresetMode(autoreset_mode)
        self._mask_in_observation = mask_in_observation
        if mask_in_observation:
            mask = spaces.Box(0, 1, (batch.num_actions,), np.int8)
            observation_space = spaces.Dict(observation=observation_space, action_mask=mask)
        self.metadata = {**self.metadata, "autoreset_mode": autoreset_mode}
        self.render_mode = render_mode
        self.num_envs = batch.num_envs
        self.single_observation_space = observation_space
        self.single_action_space = spaces.Discrete(batch.num_actions)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.batch = batch
        self._seeded = False
        self._all = np.ones(self.num_envs, np.bool_)

    def reset(
        self, *, seed: Any = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Resets every game, or those that ``options={"reset_mask": mask}`` marks.

        With a seed, environment ``i`` has the seed ``seed + i``; a list has one for each, or ``None``.
        It then plays what a single environment with that seed plays. Without a seed the games go on
        from where they are, at first from seeds of the system.
        """
        seeds = each_seed(seed, self.num_envs)
        if seeds is not None and not isinstance(seed, (list, tuple, np.ndarray)):
            super().reset(seed=int(seed))
        if not self._seeded:
            fresh = np.random.SeedSequence().generate_state(self.num_envs, np.uint64)
            own = seeds or [None] * self.num_envs
            seeds = [int(new) if entry is None else entry for entry, new in zip(own, fresh)]
        step = self._reset(seeds, (options or {}).get("reset_mask"))
        self._seeded = True
        return self._observation(step), self._info(step)

    def render(self) -> tuple[Any, ...] | None:
        """A picture of every game, as text or pixels, by ``render_mode``."""
        if self.render_mode is None:
            return None
        states = self.batch.get_states()
        return tuple(str(state) if self.render_mode == "ansi" else state.rgb() for state in states)

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Plays an action in every game."""
        step = self.batch.step(actions)
        truncated = np.zeros(self.num_envs, dtype=np.bool_)
        seen, reward = self._observation(step), self._reward(step)
        return seen, reward, step.terminated, truncated, self._info(step)

    def close_extras(self, **_: Any) -> None:
        """Frees the games."""
        self.batch.close()

    def _reset(self, seeds: list[int | None] | None, only: Any) -> Any:
        raise NotImplementedError

    def _observation(self, step: Any) -> Any:
        if not self._mask_in_observation:
            return step.observation
        return {"observation": step.observation, "action_mask": step.mask}

    def _reward(self, step: Any) -> NDArray[np.float32]:
        reward: NDArray[np.float32] = step.reward
        return reward

    def _info(self, step: Any) -> dict[str, Any]:
        """What single environments tell, a row for each; a flag beside it says that all tell it."""
        told = self._told(step)
        return {**told, **{f"_{name}": self._all.copy() for name in told}}

    def _told(self, step: Any) -> dict[str, Any]:
        return {"action_mask": step.mask, "illegal": step.illegal}


def autoreset_name(mode: AutoresetMode | str) -> Autoreset:
    """A mode of Gymnasium's, or its text, by the name that batches know."""
    allowed = [known.value for known in AutoresetMode]
    if not isinstance(mode, AutoresetMode) and mode not in allowed:
        raise ValueError(f"autoreset_mode={mode!r} is not known; allowed: {allowed}")
    names: dict[AutoresetMode, Autoreset] = {
        AutoresetMode.SAME_STEP: "same_step",
        AutoresetMode.NEXT_STEP: "next_step",
        AutoresetMode.DISABLED: "disabled",
    }
    return names[AutoresetMode(mode)]


def whole(action: Any, count: int) -> int:
    """A whole number, whatever library it comes from; illegal ones are found later."""
    array = np.asarray(action)
    if array.size != 1 or array.dtype.kind not in "iu":
        raise TypeError(f"action: expected an integer from 0 to {count - 1}, found {action!r}")
    number = int(array.reshape(()))
    if not 0 <= number < count:
        raise ValueError(f"action {number} is out of bounds: actions are 0 to {count - 1}")
    return number


def each_seed(seed: Any, count: int) -> list[int | None] | None:
    """The seed of each game: ``seed + i`` from one, those of a list as they are; without a seed
    nothing is seeded."""
    if seed is None:
        return None
    if isinstance(seed, (int, np.integer)) and not isinstance(seed, bool):
        seeds: list[int | None] = [int(seed) + game for game in range(count)]
    elif isinstance(seed, (str, bytes)) or not hasattr(seed, "__len__"):
        raise TypeError(f"seed={seed!r}: expected an integer, or a sequence of {count}")
    elif len(seed) != count:
        raise ValueError(f"seed: expected {count} seeds, one for each environment, found {len(seed)}")
    else:
        seeds = [None if entry is None else _integer(entry, seed) for entry in seed]
    if any(entry is not None and not 0 <= entry < 2**64 for entry in seeds):
        raise ValueError(f"seed={seed!r} is out of range: 0 to 2**64 - 1 is allowed")
    return seeds


def _integer(entry: Any, seed: Any) -> int:
    try:
        return operator.index(entry)
    except TypeError:
        raise TypeError(f"seed={seed!r}: {entry!r} is not an integer") from None


def margins(scores: NDArray[np.int32]) -> NDArray[np.int32]:
    """The lead of each seat over the best of the others, along the last axis."""
    ordered = np.sort(scores, axis=-1)
    best, second = ordered[..., -1:], ordered[..., -2:-1]
    # Whoever has the most leads over the second; who shares the most has no lead.
    lead: NDArray[np.int32] = scores - np.where(scores == best, second, best)
    return lead


def check_penalty(penalty: float) -> float:
    """Refuses what cannot be taken off a reward."""
    if not isinstance(penalty, (int, float, np.number)) or not np.isfinite(penalty):
        raise ValueError(f"penalty={penalty!r}: expected a finite number")
    return float(penalty)


def check_state(state: Any, kind: type[Any], setup: str) -> None:
    """Refuses a start that is no state, or one of another setup."""
    if not isinstance(state, kind):
        raise TypeError(f"options['state']: expected {kind.__name__}, found {type(state).__name__}")
    if state.setup != setup:
        raise ValueError(f"state: expected setup '{setup}', found '{state.setup}'")


def check_illegal(illegal: str) -> None:
    """Refuses what is no way to treat illegal actions."""
    if illegal not in ("raise", "noop", "terminate"):
        raise ValueError(
            f"illegal={illegal!r} is not known; allowed: 'raise', 'noop', 'terminate'"
        )


def check_render_mode(mode: str | None, metadata: dict[str, Any]) -> None:
    """Refuses a mode that the environment's metadata does not name."""
    if mode == "human" and "autoreset_mode" not in metadata:
        needed("pygame", "human")
    elif mode is not None and mode not in metadata["render_modes"]:
        allowed = ", ".join(map(repr, metadata["render_modes"])) or "None"
        raise ValueError(f"render_mode={mode!r} is not known; allowed: {allowed}")
