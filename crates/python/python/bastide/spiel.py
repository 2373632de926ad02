"""Carcassonne among OpenSpiel's Python games, so that its algorithms run on it.

``import bastide.spiel`` registers it, where OpenSpiel is installed:
``pyspiel.load_game("python_bastide_carcassonne", {"setup": "players=3 board=9x9"})``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bastide import _native
from bastide.extras import needed

pyspiel: Any = needed("pyspiel", "open_spiel")

NAME = "python_bastide_carcassonne"
"""The name to load it by."""

# A lead that no game reaches: 126 tiles give no seat as many points.
_MOST = 2000.0

_GAME_TYPE = pyspiel.GameType(
    short_name=NAME,
    long_name="Carcassonne (bastide)",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.GENERAL_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=6,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    provides_factored_observation_string=False,
    parameter_specification={"setup": "standard", "tensors": "", "reward": "margin"},
)


class CarcassonneGame(pyspiel.Game):  # type: ignore[misc]
    """A setup of Carcassonne as a game of OpenSpiel.

    Parameters are ``setup``, ``tensors`` and ``reward`` ("margin" or "win"). OpenSpiel's own text form of
    parameters has no "=" and no spaces in values: there a setup is written ``players:3+board:9x9``.
    """

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        params = dict(params or {})
        setup = str(params.get("setup", "standard")).replace("+", " ").replace(":", "=")
        self.layout: dict[str, Any] = _native.layout(setup, params.get("tensors") or None)
        self.reward = str(params.get("reward", "margin"))
        if self.reward not in ("margin", "win"):
            raise ValueError(f"reward={self.reward!r} is not known; allowed: 'margin', 'win'")
        most = _MOST if self.reward == "margin" else 1.0
        info = pyspiel.GameInfo(
            num_distinct_actions=self.layout["actions"],
            max_chance_outcomes=self.layout["chance_outcomes"],
            num_players=self.layout["players"],
            min_utility=-most,
            max_utility=most,
            max_game_length=2 * self.layout["tiles"],
        )
        if "setup" in params:
            params["setup"] = setup.replace(" ", "+").replace("=", ":")
        super().__init__(_GAME_TYPE, info, params)

    def new_initial_state(self) -> CarcassonneState:
        """The state before the first draw."""
        return CarcassonneState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """What observes states: the planes."""
        if params:
            raise ValueError(f"observers take no parameters, found {params}")
        return Observer(self.layout)


class CarcassonneState(pyspiel.State):  # type: ignore[misc]
    """A state of OpenSpiel around one of ours, which is its ``native``."""

    def __init__(self, game: CarcassonneGame) -> None:
        super().__init__(game)
        self._reward = game.reward
        self.native = _native.CarcassonneState(game.layout["setup"], game.layout["tensors"])

    def current_player(self) -> int:
        """The seat to move, or OpenSpiel's number for chance or for the end."""
        return self.native.current_player()

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.native.is_terminal()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The kinds of tiles that may be drawn, each with its probability."""
        return self.native.chance_outcomes()

    def returns(self) -> list[float]:
        """What the game was worth to each player; zeros before its end."""
        return [float(value) for value in self.native.returns(self._reward)]

    def _legal_actions(self, player: int) -> list[int]:
        return self.native.legal_actions(player)

    def _apply_action(self, action: int) -> None:
        self.native.apply_action(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.native.action_to_string(int(player), int(action))

    def __str__(self) -> str:
        return " ".join(self.native.history_strings()) or "start"


class Observer:
    """The planes of a player as OpenSpiel's observers give them."""

    def __init__(self, layout: dict[str, Any]) -> None:
        side = layout["board_size"]
        shape = (len(layout["planes"]), side, side)
        self.tensor: NDArray[np.float32] = np.zeros(int(np.prod(shape)), np.float32)
        self.dict = {"planes": self.tensor.reshape(shape)}

    def set_from(self, state: CarcassonneState, player: int) -> None:
        """Writes what a player sees into ``tensor``."""
        self.tensor[:] = state.native.observation_tensor(player)

    def string_from(self, state: CarcassonneState, player: int) -> str:
        """All that happened: the game hides nothing."""
        return str(state)


def _register() -> None:
    if NAME not in pyspiel.registered_names():
        pyspiel.register_game(_GAME_TYPE, CarcassonneGame)


_register()
