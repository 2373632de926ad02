"""Carcassonne for PettingZoo: 2 to 6 agents that take turns (AEC)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bastide import _native
from bastide.extras import needed

needed("gymnasium", "pettingzoo")
needed("pettingzoo", "pettingzoo")

from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from bastide.batch import Illegal, Observation, Reward, Tensors
from bastide.carcassonne_env import observation_space, observe
from bastide.gym_parts import check_illegal, check_penalty, check_render_mode, margins, whole
from bastide.window import RENDER_MODES, Window


# Moves that a window shows in a second.
_FPS = 4


def env(**options: Any) -> AECEnv[str, Any, int | None]:
    """The environment, wrapped so that agents out of turn and use before reset raise an error."""
    return wrappers.OrderEnforcingWrapper(raw_env(**options))


class raw_env(AECEnv[str, Any, int | None]):  # type: ignore[misc] # noqa: N801
    """A game of Carcassonne. An observation is a dictionary with "observation" and "action_mask";
    with ``observation="planes"`` the first is the planes, and "globals" is there too."""

    metadata = {
        "name": "carcassonne_v1",
        "render_modes": RENDER_MODES,
        "is_parallelizable": False,
        "render_fps": _FPS,
    }

    # Copies stored before there were windows have none.
    _window: Window | None = None

    def __init__(
        self,
        setup: str = "standard",
        *,
        observation: Observation = "compact",
        reward: Reward = "margin",
        illegal: Illegal = "terminate",
        penalty: float = 1.0,
        render_mode: str | None = None,
        tensors: Tensors | None = None,
    ) -> None:
        super().__init__()
        check_illegal(illegal)
        check_render_mode(render_mode, self.metadata)
        self.layout = _native.layout(setup, tensors)
        self._observation_name = observation
        self._reward = reward
        self._illegal = illegal
        self._penalty = check_penalty(penalty)
        self._closed = False
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(self.layout["players"])]
        self.agents: list[str] = []
        self._dealer = _native.Dealer(int(np.random.default_rng().integers(2**63)))
        self._state = self._new_state()
        self._state.returns(reward)
        space = observation_space(self.layout, observation)
        mask = spaces.Box(0, 1, (self.layout["actions"],), np.int8)
        seen = (
            {"observation": space["planes"], "globals": space["globals"]}
            if isinstance(space, spaces.Dict)
            else {"observation": space}
        )
        self._observation_spaces = {
            agent: spaces.Dict({**seen, "action_mask": mask}) for agent in self.possible_agents
        }
        self._action_spaces = {
            agent: spaces.Discrete(self.layout["actions"]) for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The same object at every call."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The same object at every call."""
        return self._action_spaces[agent]

    @property
    def game_state(self) -> _native.CarcassonneState:
        """A copy of the game."""
        return self._state.clone()

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees; its mask is empty unless it is its turn."""
        if agent not in self.possible_agents:
            known = ", ".join(self.possible_agents)
            raise ValueError(f"there is no agent {agent!r}; agents are {known}")
        seat = self.possible_agents.index(agent)
        seen = observe(self._state, self._observation_name, seat)
        if not isinstance(seen, dict):
            seen = {"observation": seen}
        else:
            seen = {"observation": seen["planes"], "globals": seen["globals"]}
        return {**seen, "action_mask": self._mask(agent)}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Starts a game; the same seed deals the same tiles."""
        self._check_open()
        if seed is not None:
            self._dealer = _native.Dealer(seed)
        self._state = self._new_state()
        self._dealer.deal(self._state)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._select()
        self._tell(None)

    def step(self, action: int | None) -> None:
        """Plays the action of the agent whose turn it is."""
        self._check_open()
        if not self.agents:
            raise ValueError("the episode is over or has not started: call reset()")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        number = whole(action, self.layout["actions"])
        before = self._state.returns(self._reward)
        over, illegal = False, False
        if self._state.legal_actions_mask()[number]:
            self._state.apply_action(number)
            self._dealer.deal(self._state)
            after = self._state.returns(self._reward)
            earned = [now - then for now, then in zip(after, before)]
            over = self._state.is_terminal()
        else:
            if self._illegal == "raise":
                self._state.child(number)  # It says why.
            earned = [0.0] * len(self.possible_agents)
            earned[self.possible_agents.index(agent)] = -self._penalty
            over, illegal = self._illegal == "terminate", True
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict(zip(self.possible_agents, map(float, earned)))
        if over:
            self.terminations = dict.fromkeys(self.agents, True)
        self._select()
        self._tell(agent if illegal else None)
        self._accumulate_rewards()

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

    def __getstate__(self) -> dict[str, Any]:
        # A copy has a window of its own.
        return {**self.__dict__, "_window": None}

    def _show(self) -> None:
        if self.render_mode == "human" and not self._closed:
            self._window = self._window or Window("Carcassonne")
            self._window.show(self._state.rgb(), _FPS)

    def _tell(self, illegal: str | None) -> None:
        """The infos of all agents, with the same names as those of Gymnasium's environments."""
        scores = np.array(self._state.scores(), np.int32)
        self.infos: dict[str, dict[str, Any]] = {
            agent: {
                "action_mask": self._mask(agent),
                "illegal": agent == illegal,
                "scores": scores.copy(),
                "margins": margins(scores),
            }
            for agent in self.agents
        }
        self._show()

    def _mask(self, agent: str) -> NDArray[np.int8]:
        """Its legal actions; none unless it is its turn."""
        if self.agent_selection == agent and not self.terminations.get(agent, False):
            return self._state.legal_actions_mask(self.possible_agents.index(agent))
        return np.zeros(self.layout["actions"], np.int8)

    def _new_state(self) -> _native.CarcassonneState:
        # Copies stored before there were versions name none.
        return _native.CarcassonneState(self.layout["setup"], self.layout.get("tensors"))

    def _check_open(self) -> None:
        if self._closed:
            raise _native.ClosedError("this environment was closed")

    def _select(self) -> None:
        seat = self._state.current_player()
        if seat >= 0:
            self.agent_selection = self.possible_agents[seat]


def _register() -> None:
    """Makes the environment known to PettingZoo's registry, where there is one."""
    try:
        from pettingzoo.env_registry.registration import register
    except ImportError:
        return
    register("aec", "bastide/carcassonne_v1", entry_point="bastide.aec:env")


_register()
