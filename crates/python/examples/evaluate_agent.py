"""Plays an agent of your own against our levels and says how it does.

An agent is a function from a state to an action. The one here places tiles where it can keep its
meeples busy; put yours in its place.

    python evaluate_agent.py --games 20 --levels shepherd,pilgrim
"""

from __future__ import annotations

import argparse
import math
import statistics

import bastide
from bastide.carcassonne_env import CarcassonneEnv


def agent(state: bastide.CarcassonneState) -> int:
    """Takes what leads to the highest points if the game ended then, one decision ahead."""
    seat = state.current_player()

    def lead(action: int) -> int:
        scores = state.child(action).projected_scores()
        return scores[seat] - max(s for other, s in enumerate(scores) if other != seat)

    return max(state.legal_actions(), key=lead)


def margin(level: str, seat: int, seed: int, nodes: int) -> float:
    """How far the agent was ahead at the end of a game."""
    env = CarcassonneEnv(opponent=level, seat=seat, nodes=nodes, illegal="raise")
    env.reset(seed=seed)
    total, over = 0.0, False
    while not over:
        _, reward, over, _, _ = env.step(agent(env.state))
        total += reward
    return total


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=10, help="decks for each level")
    parser.add_argument("--levels", default=",".join(bastide.level_names()[:4]))
    parser.add_argument("--nodes", type=int, default=300, help="how long a level may think")
    options = parser.parse_args()
    for level in options.levels.split(","):
        # Each deck is played from both seats, so that luck cancels.
        pairs = [
            statistics.mean(margin(level, seat, deck, options.nodes) for seat in (0, 1))
            for deck in range(options.games)
        ]
        error = statistics.stdev(pairs) / math.sqrt(len(pairs)) if len(pairs) > 1 else math.inf
        print(f"{level:12} {statistics.mean(pairs):+7.1f} ± {error:.1f} points a game", flush=True)


if __name__ == "__main__":
    main()
