"""Carcassonne and Tinytown for learning: fast batched environments, states, bots, exact solutions.

The environments for Gymnasium and PettingZoo register themselves when those packages are there:
``gymnasium.make("bastide/Carcassonne-v1")``, ``gymnasium.make("bastide/CarcassonneAllSets-v1")``,
``gymnasium.make("bastide/Tinytown-v1")``, ``bastide.aec.env()``. See docs/python.md and docs/tensors.md.
"""

from importlib import import_module as _import_module
from importlib.util import find_spec as _find_spec
from typing import Any as _Any

from bastide._native import (
    CARCASSONNE_SETUPS,
    CARCASSONNE_TENSOR_VERSION,
    CARCASSONNE_TENSOR_VERSIONS,
    TINYTOWN_TENSOR_VERSION,
    Bot,
    BusyError,
    CarcassonneState,
    ClosedError,
    Dealer,
    IllegalActionError,
    TinytownOptimal,
    TinytownState,
    __version__,
    bot_names,
    layout,
    level_names,
    play_match,
    replay,
    review,
    solve_ending,
    tinytown_counts,
)
from bastide.batch import BatchStep, CarcassonneBatch, LegalActions, TinytownBatch, TinytownStep
from bastide.datasets import Dataset, dataset
from bastide.game import CarcassonneGame
from bastide.graph import TinytownGraph
from bastide.symmetry import Symmetry

__all__ = [
    "CARCASSONNE_SETUPS",
    "CARCASSONNE_TENSOR_VERSION",
    "CARCASSONNE_TENSOR_VERSIONS",
    "TINYTOWN_TENSOR_VERSION",
    "BatchStep",
    "Bot",
    "BusyError",
    "CarcassonneBatch",
    "CarcassonneGame",
    "CarcassonneState",
    "ClosedError",
    "Dataset",
    "Dealer",
    "IllegalActionError",
    "LegalActions",
    "Symmetry",
    "TinytownBatch",
    "TinytownGraph",
    "TinytownOptimal",
    "TinytownState",
    "TinytownStep",
    "__version__",
    "bot_names",
    "dataset",
    "layout",
    "level_names",
    "play_match",
    "replay",
    "review",
    "solve_ending",
    "tinytown_counts",
]


def __getattr__(name: str) -> _Any:
    """``bastide.aec`` and ``bastide.spiel`` are loaded when they are asked for: they need PettingZoo
    and OpenSpiel."""
    if name in ("aec", "spiel"):
        return _import_module(f"bastide.{name}")
    raise AttributeError(f"module 'bastide' has no attribute {name!r}")


# The setup of each Gymnasium id; another one may be given to `make`.
_CARCASSONNE_IDS = {
    "Carcassonne": "standard",
    "CarcassonneInns": "inns",
    "CarcassonneInnsTraders": "inns-traders",
    "CarcassonneAllSets": "all-sets",
}


def _register_environments() -> None:
    """Makes the environments known to the libraries that are installed."""
    if _find_spec("gymnasium") is not None:
        from gymnasium.envs.registration import register, registry

        if "bastide/Carcassonne-v1" not in registry:
            for name, setup in _CARCASSONNE_IDS.items():
                register(
                    f"bastide/{name}-v1",
                    entry_point="bastide.carcassonne_env:CarcassonneEnv",
                    vector_entry_point="bastide.carcassonne_env:CarcassonneVectorEnv",
                    kwargs={"setup": setup},
                )
            register(
                "bastide/Tinytown-v1",
                entry_point="bastide.tinytown_env:TinytownEnv",
                vector_entry_point="bastide.tinytown_env:TinytownVectorEnv",
            )


_register_environments()
