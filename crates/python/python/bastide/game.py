"""Carcassonne as a game in the manner of OpenSpiel: it makes states, and knows their sizes."""

from __future__ import annotations

from typing import Any

from bastide import _native


class CarcassonneGame:
    """A setup of Carcassonne with the sizes that algorithms ask for.

    ``tensors`` is the version of the numbers; see docs/tensors.md."""

    def __init__(self, setup: str = "standard", tensors: str | None = None) -> None:
        self.layout: dict[str, Any] = _native.layout(setup, tensors)

    @property
    def setup(self) -> str:
        """The setup in full."""
        return str(self.layout["setup"])

    def new_initial_state(self) -> _native.CarcassonneState:
        """The state before the first draw."""
        return _native.CarcassonneState(self.setup, self.layout["tensors"])

    def num_players(self) -> int:
        """How many seats there are."""
        return int(self.layout["players"])

    def num_distinct_actions(self) -> int:
        """How many actions players have."""
        return int(self.layout["actions"])

    def max_chance_outcomes(self) -> int:
        """How many kinds of tiles there are."""
        return int(self.layout["chance_outcomes"])

    def max_game_length(self) -> int:
        """The most decisions of players in a game: two a tile."""
        return 2 * int(self.layout["tiles"])

    def observation_tensor_shape(self) -> list[int]:
        """The shape of ``CarcassonneState.planes``."""
        side = self.layout["board_size"]
        return [len(self.layout["planes"]), side, side]

    def observation_tensor_size(self) -> int:
        """How many numbers ``CarcassonneState.observation_tensor`` gives."""
        planes, high, wide = self.observation_tensor_shape()
        return planes * high * wide

    def deserialize_state(self, text: str) -> _native.CarcassonneState:
        """The state that ``CarcassonneState.serialize`` wrote; it must be one of this setup."""
        side, tensors = self.layout["board_size"], self.layout["tensors"]
        state = _native.CarcassonneState.from_record(text, side, tensors=tensors)
        if state.setup != self.setup:
            raise ValueError(f"state: expected setup '{self.setup}', found '{state.setup}'")
        return state

    def __repr__(self) -> str:
        return f"CarcassonneGame({self.setup!r})"
