"""What the tests share."""

from __future__ import annotations

import os
import random
from pathlib import Path

import bastide
import pytest

# Windows open nowhere.
os.environ["SDL_VIDEODRIVER"] = "dummy"

SETUPS = [
    "standard",
    "players=3 board=35x35",
    "players=4 board=30x30 tiny-city=2",
    "players=5 board=21x21 start=empty",
    "players=6 board=12x12",
    "model-35",
    "model-30",
    "model-30-start",
]

WITH_SETS = [
    "inns",
    "inns-traders",
    "all-sets",
    "sets=traders",
    "sets=river",
    "sets=gardens",
    "players=3 sets=inns,river",
    "players=6 sets=inns,traders,river,gardens tiny-city=2",
    "players=4 sets=traders,gardens farmers=off start=empty",
]


@pytest.fixture
def fixtures() -> Path:
    return Path(__file__).parent / "fixtures"


def random_state(
    seed: int, decisions: int, setup: str = "standard", tensors: str | None = None
) -> bastide.CarcassonneState:
    """A state after so many random decisions, a player to move (or over)."""
    state = bastide.CarcassonneState(setup, tensors)
    dealer, chance = bastide.Dealer(seed), random.Random(seed)
    dealer.deal(state)
    for _ in range(decisions):
        if state.is_terminal():
            break
        state.apply_action(chance.choice(state.legal_actions()))
        dealer.deal(state)
    return state
