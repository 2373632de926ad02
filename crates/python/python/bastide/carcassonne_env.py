"""Carcassonne for Gymnasium: one learner against our bots, in one game or in many at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bastide import _native
from bastide.batch import CarcassonneBatch, Illegal, Observation, Reward, Tensors
from bastide.gym_parts import (
    AutoresetMode,
    GameEnv,
    GameVectorEnv,
    Step,
    autoreset_name,
    check_state,
    margins,
    spaces,
    whole,
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
            planes=spaces.Box(0, layout["planes_max"], (len(layout["planes"]), side, side), np.uint8),
            globals=spaces.Box(0, most, (layout["globals"],), np.int16),
        )
    raise ValueError(f"observation={observation!r} is not known; allowed: 'compact', 'planes'")


def observe(state: _native.CarcassonneState, observation: str, player: int | None = None) -> Any:
    """An observation of a state, as one seat sees it."""
    if observation == "compact":
        return state.compact(player)
    return {"planes": state.planes(player), "globals": state.globals(player)}


class CarcassonneEnv(GameEnv):
    """One seat of a game of Carcassonne; opponents play the others.

    An episode is a game. A turn is two decisions: where the tile goes, then where a meeple goes.
    The same seed deals the same tiles, as does game 0 of a `CarcassonneBatch` with that seed.
    """

    _state: _native.CarcassonneState

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
        tensors: Tensors | None = None,
    ) -> None:
        super().__init__(illegal, penalty, mask_in_observation, render_mode)
        self.layout = _native.layout(setup, tensors)
        players = self.layout["players"]
        if not 0 <= seat < players:
            raise ValueError(f"seat={seat}: seats are 0 to {players - 1}")
        if not isinstance(opponent, str) and not callable(opponent):
            raise TypeError(f"opponent={opponent!r}: expected a bot's name, or a callable from a state to an action")
        self._seat = seat
        self._observation_name = observation
        self._reward = reward
        self._opponent = opponent
        self._nodes = nodes
        self._time = time
        self._bot: _native.Bot | None = self._make_bot()
        self._state = self._new_state()
        self._state.returns(reward)
        self._dealer: _native.Dealer | None = None
        self.action_space = spaces.Discrete(self.layout["actions"])
        seen = observation_space(self.layout, observation)
        self.observation_space = self._space(seen, self.layout["actions"])

    @property
    def state(self) -> _native.CarcassonneState:
        """A copy of the game."""
        return self._state.clone()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Starts a game; ``options={"state": STATE}`` goes on from a state."""
        self._check_open()
        state = (options or {}).get("state")
        if state is not None:
            check_state(state, _native.CarcassonneState, self.layout["setup"])
            own = self._state.tensors
            if state.tensors != own:
                raise ValueError(f"state: expected tensors {own!r}, found {state.tensors!r}")
        super().reset(seed=seed)
        if seed is not None:
            self._dealer = _native.Dealer(seed)
        elif self._dealer is None:
            self._dealer = _native.Dealer(int(self.np_random.integers(2**63)))
        if state is None:
            state = self._new_state()
        self._state = state.clone()
        self._over = True
        self._advance()
        return self._started()

    def step(self, action: Any) -> Step:
        """Plays an action, then lets chance and the opponents play until it is our turn."""
        self._check_playing()
        number = whole(action, self.layout["actions"])
        if not self._state.legal_actions_mask()[number]:
            if self._illegal == "raise":
                self._state.child(number)
            return self._refuse()
        before = self._state.returns(self._reward)[self._seat]
        self._state.apply_action(number)
        self._advance()
        reward = self._state.returns(self._reward)[self._seat] - before
        return self._answer(float(reward))

    def __getstate__(self) -> dict[str, Any]:
        # A bot holds no memory that matters: it gets its seed before every turn.
        return {**super().__getstate__(), "_bot": None}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        self.__dict__.update(saved)
        self._bot = self._make_bot()

    def _make_bot(self) -> _native.Bot | None:
        if not isinstance(self._opponent, str):
            return None
        setup = self.layout["setup"]
        return _native.Bot(self._opponent, setup=setup, nodes=self._nodes, time=self._time)

    def _new_state(self) -> _native.CarcassonneState:
        # Copies stored before there were versions name none.
        return _native.CarcassonneState(self.layout["setup"], self.layout.get("tensors"))

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
            seat, action = self._state.current_player(), self._opponent(self._state.clone())
            try:
                self._state.apply_action(whole(action, self.layout["actions"]))
            except (TypeError, ValueError) as error:
                # The game cannot go on: whose turn it is is not the learner's.
                self._over = True
                raise type(error)(f"the opponent at seat {seat}: {error}") from None
            return
        assert self._dealer is not None, "reset makes the dealer"
        # The seed that a batch gives it: vector environments play the same games.
        self._bot.new_game(self._dealer._turn_seed())
        for action in self._bot.turn(self._state):
            self._state.apply_action(action)

    def _seen(self) -> Any:
        return observe(self._state, self._observation_name, self._seat)

    def _info(self, illegal: bool) -> dict[str, Any]:
        scores = np.array(self._state.scores(), np.int32)
        return {**super()._info(illegal), "scores": scores, "margins": margins(scores)}


class CarcassonneVectorEnv(GameVectorEnv):
    """Many games of Carcassonne, one seat of each against a bot.

    Environment ``i`` that was reset with a seed plays what `CarcassonneEnv` with that seed plays.
    ``seat=None`` spreads the seats: game ``i`` has seat ``i`` modulo the players.
    """

    def __init__(
        self,
        num_envs: int = 1,
        setup: str = "standard",
        *,
        opponent: str = "greedy",
        seat: int | None = 0,
        observation: Observation = "compact",
        reward: Reward = "margin",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        illegal: Illegal = "noop",
        penalty: float = 1.0,
        nodes: int | None = None,
        time: float | None = None,
        threads: int | None = None,
        copy: bool = True,
        mask_in_observation: bool = False,
        render_mode: str | None = None,
        tensors: Tensors | None = None,
    ) -> None:
        batch = CarcassonneBatch(
            num_envs, setup, observation=observation, mask=True, reward=reward,
            autoreset=autoreset_name(autoreset_mode), illegal=illegal, penalty=penalty,
            threads=threads, copy=copy, opponent=opponent, learner=seat, nodes=nodes, time=time,
            tensors=tensors,
        )  # fmt: skip
        spread = np.arange(num_envs) % batch.num_players
        self.seats = spread if seat is None else np.full(num_envs, seat)
        space = observation_space(batch.layout, observation)
        self.batch: CarcassonneBatch
        super().__init__(batch, space, autoreset_mode, mask_in_observation, render_mode)

    def _reward(self, step: Any) -> NDArray[np.float32]:
        reward: NDArray[np.float32] = step.reward
        return np.take_along_axis(reward, self.seats[:, None], axis=1)[:, 0]

    def _reset(self, seeds: list[int | None] | None, only: Any) -> Any:
        return self.batch._reset(None, seeds, only)

    def _told(self, step: Any) -> dict[str, Any]:
        scores = {"scores": step.scores, "margins": margins(step.scores)}
        return {**super()._told(step), **scores, "final_scores": step.final_scores}
