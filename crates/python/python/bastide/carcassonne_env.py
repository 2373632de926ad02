"""Carcassonne for Gymnasium: one learner against our bots, in one game or in many at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from bastide import _native
from bastide.batch import Autoreset, BatchStep, CarcassonneBatch, Illegal, Observation, Reward
from bastide.tinytown_env import (
    _MODES,
    _check_illegal,
    _check_render_mode,
    _one_seed,
    _whole,
)

Opponent = str | Callable[[_native.CarcassonneState], int]
"""A bot's name, or a function from a state to an action."""


def observation_space(layout: dict[str, Any], observation: str) -> spaces.Space[Any]:
    """The space of an observation: see docs/tensors.md."""
    most = np.iinfo(np.int16).max
    if observation == "compact":
        return spaces.Box(0, most, (layout["compact"],), np.int16)
    if observation == "planes":
        side = layout["board_size"]
        return spaces.Dict(
            planes=spaces.Box(0, 1, (len(layout["planes"]), side, side), np.uint8),
            globals=spaces.Box(0, most, (layout["globals"],), np.int16),
        )
    raise ValueError(f"observation={observation!r} is not known; allowed: 'compact', 'planes'")


def observe(state: _native.CarcassonneState, observation: str, player: int | None = None) -> Any:
    """An observation of a state, as one seat sees it."""
    if observation == "compact":
        return state.compact(player)
    return {"planes": state.planes(player), "globals": state.globals(player)}


class CarcassonneEnv(gymnasium.Env[Any, Any]):
    """One seat of a game of Carcassonne; opponents play the others.

    An episode is a game. A turn is two decisions: where the tile goes, then where a meeple goes.
    The same seed deals the same tiles, as does game 0 of a `CarcassonneBatch` with that seed.
    """

    metadata = {"render_modes": ["ansi", "rgb_array"], "render_fps": 4}

    def __init__(
        self,
        setup: str = "standard",
        *,
        opponent: Opponent = "greedy",
        seat: int = 0,
        observation: Observation = "compact",
        reward: Reward = "margin",
        illegal: Illegal = "noop",
        penalty: float = 1.0,
        nodes: int | None = None,
        time: float | None = None,
        mask_in_observation: bool = False,
        render_mode: str | None = None,
    ) -> None:
        _check_illegal(illegal)
        _check_render_mode(render_mode, self.metadata)
        self.layout = _native.layout(setup)
        players = self.layout["players"]
        if not 0 <= seat < players:
            raise ValueError(f"seat={seat}: seats are 0 to {players - 1}")
        self._seat = seat
        self._observation_name = observation
        self._reward = reward
        self._illegal = illegal
        self._penalty = float(penalty)
        self._mask_in_observation = mask_in_observation
        self._opponent = opponent
        self._nodes = nodes
        self._time = time
        self._bot: _native.Bot | None = self._make_bot()
        self._state = _native.CarcassonneState(self.layout["setup"])
        self._state.returns(reward)
        self._dealer: _native.Dealer | None = None
        self._bot_seed = 0
        self._over = True
        self._closed = False
        self.render_mode = render_mode
        self.action_space = spaces.Discrete(self.layout["actions"])
        space = observation_space(self.layout, observation)
        mask = spaces.Box(0, 1, (self.layout["actions"],), np.int8)
        self.observation_space = (
            spaces.Dict(observation=space, action_mask=mask) if mask_in_observation else space
        )

    @property
    def state(self) -> _native.CarcassonneState:
        """A copy of the game."""
        return self._state.clone()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Starts a game; ``options={"state": STATE}`` goes on from a state."""
        self._check_open()
        super().reset(seed=seed)
        if seed is not None:
            self._dealer = _native.Dealer(seed)
            self._bot_seed = seed
        elif self._dealer is None:
            self._bot_seed = int(self.np_random.integers(2**63))
            self._dealer = _native.Dealer(self._bot_seed)
        state = (options or {}).get("state")
        if state is None:
            state = _native.CarcassonneState(self.layout["setup"])
        elif state.setup != self.layout["setup"]:
            raise ValueError(f"games here are {self.layout['setup']}, the state's is {state.setup}")
        self._state = state.clone()
        self._advance()
        return self._observation(), self._info(False)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Plays an action, then lets chance and the opponents play until it is our turn."""
        self._check_open()
        if self._over:
            raise ValueError("the game is over or not started: call reset")
        number = _whole(action, self.layout["actions"])
        if not self._state.legal_actions_mask()[number]:
            if self._illegal == "raise":
                self._state.child(number)
            self._over = self._illegal == "terminate"
            return self._observation(), -self._penalty, self._over, False, self._info(True)
        before = self._state.returns(self._reward)[self._seat]
        self._state.apply_action(number)
        self._advance()
        reward = self._state.returns(self._reward)[self._seat] - before
        return self._observation(), float(reward), self._over, False, self._info(False)

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal (the name that SB3-contrib looks for)."""
        return self._state.legal_actions_mask().astype(bool)

    def render(self) -> Any:
        """The board as text or pixels, by ``render_mode``."""
        if self.render_mode == "ansi":
            return str(self._state)
        return self._state.rgb() if self.render_mode == "rgb_array" else None

    def close(self) -> None:
        """Ends the environment."""
        self._closed = True

    def __getstate__(self) -> dict[str, Any]:
        # A bot holds no memory that matters: it is told its seed before every turn.
        return {**self.__dict__, "_bot": None}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self._bot = self._make_bot()

    def _make_bot(self) -> _native.Bot | None:
        if not isinstance(self._opponent, str):
            return None
        players = self.layout["players"]
        return _native.Bot(self._opponent, players, nodes=self._nodes, time=self._time)

    def _advance(self) -> None:
        """Lets chance and the opponents play until it is our turn or the game is over."""
        assert self._dealer is not None, "reset makes the dealer"
        while True:
            self._dealer.deal(self._state)
            seat = self._state.current_player()
            if seat == self._seat or seat < 0:
                break
            self._play_opponent()
        self._over = self._state.is_terminal()

    def _play_opponent(self) -> None:
        if self._bot is None:
            assert not isinstance(self._opponent, str), "a name has a bot"
            self._state.apply_action(int(self._opponent(self._state.clone())))
            return
        ply = len(self._state.history_strings())
        self._bot.new_game((self._bot_seed * 1_000_003 + ply) % 2**64)
        for action in self._bot.turn(self._state):
            self._state.apply_action(action)

    def _observation(self) -> Any:
        seen = observe(self._state, self._observation_name, self._seat)
        if not self._mask_in_observation:
            return seen
        return {"observation": seen, "action_mask": self._state.legal_actions_mask()}

    def _info(self, illegal: bool) -> dict[str, Any]:
        return {
            "action_mask": self._state.legal_actions_mask(),
            "illegal": illegal,
            "scores": self._state.scores(),
        }

    def _check_open(self) -> None:
        if self._closed:
            raise _native.ClosedError("this environment was closed")


class CarcassonneVectorEnv(VectorEnv[Any, Any, Any]):
    """Many games of Carcassonne, one seat of each against a bot.

    ``seat=None`` spreads the seats: game ``i`` has seat ``i`` modulo the players.
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        num_envs: int = 1,
        setup: str = "standard",
        *,
        opponent: str = "greedy",
        seat: int | None = None,
        observation: Observation = "compact",
        reward: Reward = "margin",
        autoreset_mode: AutoresetMode = AutoresetMode.NEXT_STEP,
        illegal: Illegal = "noop",
        penalty: float = 1.0,
        nodes: int | None = None,
        time: float | None = None,
        threads: int | None = None,
        copy: bool = True,
        render_mode: str | None = None,
    ) -> None:
        _check_render_mode(render_mode, self.metadata)
        mode: Autoreset = _MODES[autoreset_mode]  # type: ignore[assignment]
        self.batch = CarcassonneBatch(
            num_envs, setup, observation=observation, mask=True, reward=reward, autoreset=mode,
            illegal=illegal, penalty=penalty, threads=threads, copy=copy, opponent=opponent,
            learner=seat, nodes=nodes, time=time,
        )  # fmt: skip
        layout = self.batch.layout
        spread = np.arange(num_envs) % layout["players"]
        self.seats = spread if seat is None else np.full(num_envs, seat)
        self.metadata = {**self.metadata, "autoreset_mode": autoreset_mode}
        self.render_mode = render_mode
        self.num_envs = num_envs
        self.single_observation_space = observation_space(layout, observation)
        self.single_action_space = spaces.Discrete(layout["actions"])
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: Any = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Starts every game anew."""
        step = self.batch.reset(seed=_one_seed(seed))
        return step.observation, self._info(step)

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Plays an action in every game."""
        step = self.batch.step(actions)
        reward = np.take_along_axis(step.reward, self.seats[:, None], axis=1)[:, 0]
        truncated = np.zeros(self.num_envs, dtype=np.bool_)
        return step.observation, reward, step.terminated, truncated, self._info(step)

    def close_extras(self, **_: Any) -> None:
        """Frees the games."""
        self.batch.close()

    def _info(self, step: BatchStep) -> dict[str, Any]:
        return {
            "action_mask": step.mask,
            "illegal": step.illegal,
            "final_scores": step.final_scores,
        }
