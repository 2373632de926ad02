"""A window that shows a game as it goes on, for ``render_mode="human"``; it needs pygame."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bastide.extras import needed

RENDER_MODES = ["ansi", "rgb_array", *(["human"] if find_spec("pygame") is not None else [])]
"""The modes of single environments: "human" where pygame is installed."""


class Window:
    """A window of the size of its pictures."""

    def __init__(self, title: str) -> None:
        self._pygame: Any = needed("pygame", "human")
        self._pygame.display.init()
        self._title = title
        self._screen: Any = None
        self._clock = self._pygame.time.Clock()

    def show(self, pixels: NDArray[np.uint8], fps: int) -> None:
        """Shows a picture of (height, width, 3) bytes, and waits so that no more come in a second."""
        high, wide, _ = pixels.shape
        if self._screen is None or self._screen.get_size() != (wide, high):
            self._screen = self._pygame.display.set_mode((wide, high))
            self._pygame.display.set_caption(self._title)
        # pygame has columns first.
        surface = self._pygame.surfarray.make_surface(pixels.swapaxes(0, 1))
        self._screen.blit(surface, (0, 0))
        self._pygame.event.pump()
        self._pygame.display.flip()
        self._clock.tick(fps)

    def close(self) -> None:
        """Closes it."""
        self._pygame.display.quit()
