"""Batched self-play spread over Ray: on one machine as it is, on a cluster unchanged.

Every worker is a Ray actor with a batch of games on its own cores. On a cluster whose machines have
bastide installed, set RAY_ADDRESS (`auto` on a machine of the cluster); nothing else changes.

    pip install ray; python ray_self_play.py --workers 2 --games 512 --rounds 4
    RAY_ADDRESS=auto python ray_self_play.py --workers 64 --threads 4
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import bastide
import numpy as np
import ray


@ray.remote
class Worker:
    """A batch of games that plays on from round to round."""

    def __init__(self, games: int, setup: str, seed: int, threads: int) -> None:
        self.batch = bastide.CarcassonneBatch(games, setup, threads=threads, copy=False)
        self.chance = np.random.default_rng(seed)
        self.step = self.batch.reset(seed=seed)

    def node(self) -> str:
        """The machine that it runs on."""
        return str(ray.get_runtime_context().get_node_id())

    def play(self, policy: np.ndarray, decisions: int) -> dict[str, Any]:
        """Plays so many decisions in every game; gives what a learner would be sent."""
        results: list[np.ndarray] = []
        for _ in range(decisions):
            self.step = self.batch.step(self.choose(policy))
            results.append(self.step.final_scores[self.step.terminated].copy())
        return {"scores": np.concatenate(results), "decisions": decisions * self.batch.num_envs}

    def choose(self, policy: np.ndarray) -> np.ndarray:
        """Prefers the actions that the policy gives weight to: here one number an action."""
        legal = self.step.legal
        weights = policy[legal.actions] * self.chance.random(len(legal.actions))
        games = np.repeat(np.arange(self.batch.num_envs), np.diff(legal.offsets))
        # The heaviest action of each game: sorted by game, then by weight, the last of each.
        order = np.lexsort((weights, games))
        return legal.actions[order[legal.offsets[1:] - 1]].astype(np.int64)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--games", type=int, default=512, help="games of each worker")
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--decisions", type=int, default=300, help="decisions a round and game")
    parser.add_argument("--threads", type=int, default=1, help="threads of each worker")
    parser.add_argument("--setup", default="standard")
    options = parser.parse_args()

    ray.init(ignore_reinit_error=True, log_to_driver=False)
    actions = bastide.layout(options.setup)["actions"]
    policy = np.ones(actions, np.float32)
    # "No meeple" is rarely worth it: the least that self-play could learn.
    policy[-1] = 0.5
    make = Worker.options(num_cpus=options.threads)
    workers = [
        make.remote(options.games, options.setup, seed, options.threads)
        for seed in range(options.workers)
    ]
    nodes = set(ray.get([worker.node.remote() for worker in workers]))
    print(f"{options.workers} workers, machines: {len(nodes)}", flush=True)
    for number in range(options.rounds):
        start = time.perf_counter()
        shared = ray.put(policy)
        done = ray.get([worker.play.remote(shared, options.decisions) for worker in workers])
        seconds = time.perf_counter() - start
        scores = np.concatenate([part["scores"] for part in done])
        decisions = sum(part["decisions"] for part in done)
        print(f"round {number}: {len(scores):,} games, {scores.mean():.1f} points a player, "
              f"{decisions / seconds:,.0f} decisions a second", flush=True)  # fmt: skip
    ray.shutdown()


if __name__ == "__main__":
    main()
