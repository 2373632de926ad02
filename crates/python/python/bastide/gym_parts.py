"""What the Gymnasium environments of both games share."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bastide import _native
from bastide.batch import Autoreset, CarcassonneBatch, Illegal, TinytownBatch
from bastide.extras import needed

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

    metadata = {"render_modes": ["ansi", "rgb_array"], "render_fps": 4}

    _state: _native.CarcassonneState | _native.TinytownState

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

    def action_masks(self) -> NDArray[np.bool_]:
        """Which compact actions are legal (the name that SB3-contrib looks for)."""
        return self._state.legal_actions_mask().astype(bool)

    def render(self) -> Any:
        """The board as text or pixels, by ``render_mode``."""
        if self.render_mode == "ansi":
            return str(self._state)
        return self._state.rgb() if self.render_mode == "rgb_array" else None

    def close(self) -> None:
        """Ends the environment."""
        self._closed = True

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
        return {"observation": self._seen(), "action_mask": self._state.legal_actions_mask()}

    def _info(self, illegal: bool) -> dict[str, Any]:
        return {"action_mask": self._state.legal_actions_mask(), "illegal": illegal}

    def _check_open(self) -> None:
        if self._closed:
            raise _native.ClosedError("this environment was closed")

    def _check_playing(self) -> None:
        self._check_open()
        if self._over:
            raise ValueError("the game is over or not started: call reset")

    def _refuse(self) -> Step:
        """The answer to an illegal action that is not to raise an exception."""
        self._over = self._illegal == "terminate"
        return self._observation(), -self._penalty, self._over, False, self._info(True)


class GameVectorEnv(VectorEnv[Any, Any, Any]):
    """A batch of games as a vector environment."""

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}

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

    def reset(
        self, *, seed: Any = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Resets every game, or those that ``options={"reset_mask": mask}`` marks."""
        only = (options or {}).get("reset_mask")
        step = self.batch.reset(seed=one_seed(seed, self.num_envs), only=only)
        return self._observation(step), self._info(step)

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Plays an action in every game."""
        step = self.batch.step(actions)
        truncated = np.zeros(self.num_envs, dtype=np.bool_)
        seen, reward = self._observation(step), self._reward(step)
        return seen, reward, step.terminated, truncated, self._info(step)

    def close_extras(self, **_: Any) -> None:
        """Frees the games."""
        self.batch.close()

    def _observation(self, step: Any) -> Any:
        if not self._mask_in_observation:
            return step.observation
        return {"observation": step.observation, "action_mask": step.mask}

    def _reward(self, step: Any) -> NDArray[np.float32]:
        reward: NDArray[np.float32] = step.reward
        return reward

    def _info(self, step: Any) -> dict[str, Any]:
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
        raise TypeError(f"an action is one whole number from 0 to {count - 1}, found {action!r}")
    number = int(array.reshape(()))
    if not 0 <= number < count:
        raise ValueError(f"action {number} does not exist; actions are 0 to {count - 1}")
    return number


def one_seed(seed: Any, count: int) -> int | None:
    """Vector environments may be given a seed for each game; ours need one for all."""
    if seed is None or isinstance(seed, (int, np.integer)):
        return None if seed is None else int(seed)
    if isinstance(seed, str) or not hasattr(seed, "__len__"):
        raise TypeError(f"seed={seed!r}: a seed is a whole number, or one for each game")
    if len(seed) != count:
        raise ValueError(f"{len(seed)} seeds for {count} games")
    seeds = [None if entry is None else operator.index(entry) for entry in seed]
    if any(entry is not None and entry < 0 for entry in seeds):
        raise ValueError(f"seed={seed!r}: seeds are not negative")
    # A hash of whole numbers is the same in every process; that of None is not.
    numbers = tuple(-1 if entry is None else entry for entry in seeds)
    return None if set(numbers) == {-1} else hash(numbers) % 2**63


def check_penalty(penalty: float) -> float:
    """Refuses what cannot be taken off a reward."""
    if not isinstance(penalty, (int, float, np.number)) or not np.isfinite(penalty):
        raise ValueError(f"penalty={penalty!r}: it must be a finite number")
    return float(penalty)


def check_state(state: Any, kind: type[Any], setup: str) -> None:
    """Refuses a start that is no state, or one of another setup."""
    if not isinstance(state, kind):
        raise TypeError(f"options['state'] is a {kind.__name__}, found {type(state).__name__}")
    if state.setup != setup:
        raise ValueError(f"games here are {setup}, the state's is {state.setup}")


def check_illegal(illegal: str) -> None:
    """Refuses what is no way to treat illegal actions."""
    if illegal not in ("raise", "noop", "terminate"):
        raise ValueError(
            f"illegal={illegal!r} is not known; allowed: 'raise', 'noop', 'terminate'"
        )


def check_render_mode(mode: str | None, metadata: dict[str, Any]) -> None:
    """Refuses a mode that the environment's metadata does not name."""
    if mode is not None and mode not in metadata["render_modes"]:
        allowed = ", ".join(map(repr, metadata["render_modes"])) or "None"
        raise ValueError(f"render_mode={mode!r} is not known; allowed: {allowed}")
