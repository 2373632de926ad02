"""Plays many random games at once and says how they went, and how fast.

    python random_rollout.py --games 1024 --decisions 500
"""

import argparse
import time

import bastide


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=1024, help="games at the same time")
    parser.add_argument("--decisions", type=int, default=500, help="decisions in each of them")
    parser.add_argument("--setup", default="standard", help="a setup, such as 'players=3'")
    options = parser.parse_args()

    batch = bastide.CarcassonneBatch(options.games, options.setup, copy=False)
    batch.reset(seed=1)
    ended, points = 0, 0
    start = time.perf_counter()
    for _ in range(options.decisions):
        step = batch.step(batch.sample_actions())
        ended += int(step.terminated.sum())
        points += int(step.final_scores[step.terminated].sum())
    seconds = time.perf_counter() - start
    decisions = options.games * options.decisions
    print(f"{decisions:,} decisions in {seconds:.2f} s: {decisions / seconds:,.0f} a second")
    if ended:
        print(f"{ended:,} games ended, {points / ended / batch.num_players:.1f} points a player")
    print(batch.state(0))


if __name__ == "__main__":
    main()
