"""Finds options on the state graph of Tinytown: where the graph's slow directions end.

The eigenvectors of the graph's Laplacian with the smallest eigenvalues change slowly along it; an
option climbs one of them to its peak. The peaks are printed with V* and with what random play
would earn from there, and so is how far options take a random walker from the start.

    python options_tinytown.py --setup 2x3 --options 6
"""

from __future__ import annotations

import argparse

import bastide
import numpy as np
from scipy.sparse import csr_matrix, diags
from scipy.sparse.linalg import eigsh


def slow_directions(adjacency: csr_matrix, count: int) -> np.ndarray:
    """The eigenvectors of the normalised Laplacian with the smallest eigenvalues but 0."""
    both = (adjacency + adjacency.T).astype(float)
    both.data[:] = 1
    degree = np.asarray(both.sum(axis=1)).ravel()
    scale = diags(1 / np.sqrt(degree))
    # The largest of the normalised adjacency are the smallest of the Laplacian.
    start = np.ones(both.shape[0])
    values, vectors = eigsh(scale @ both @ scale, k=count + 1, which="LA", v0=start)
    order = np.argsort(-values)[1:]
    return np.asarray(scale @ vectors[:, order]).T


def climb(graph: bastide.TinytownGraph, height: np.ndarray, state: int) -> list[int]:
    """The states of an option from here: always to the highest successor, while it rises."""
    way = [state]
    while True:
        after = [target for _, target, _ in graph.successors(way[-1])]
        best = max(after, key=lambda target: height[target], default=None)
        if best is None or height[best] <= height[way[-1]]:
            return way
        way.append(best)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--setup", default="2x3")
    parser.add_argument("--options", type=int, default=6, help="eigenvectors to use")
    parser.add_argument("--walks", type=int, default=300, help="random walks to compare")
    options = parser.parse_args()

    graph = bastide.TinytownGraph(options.setup)
    values, uniform = graph.values(), graph.uniform_values()
    heights = slow_directions(graph.get_adjacency_matrix(), options.options)
    heights = np.concatenate([heights, -heights])
    print(f"{graph}: V* {values[0]}, random play {uniform[0]:.2f}")
    for number, height in enumerate(heights):
        way = climb(graph, height, 0)
        end = way[-1]
        print(f"option {number:2}: {len(way) - 1:2} steps to {graph.state(end).line()}, "
              f"V* {values[end]}, random play from there {uniform[end]:.2f}")  # fmt: skip

    chance = np.random.default_rng(1)
    visited: dict[str, set[int]] = {"actions": set(), "actions and options": set()}
    for name, seen in visited.items():
        for _ in range(options.walks):
            state = 0
            while graph.successors(state):
                if name != "actions" and chance.random() < 0.2:
                    way = climb(graph, heights[chance.integers(len(heights))], state)
                    seen.update(way)
                    state = way[-1]
                    if len(way) > 1:
                        continue
                after = graph.successors(state)
                state = after[chance.integers(len(after))][1]
                seen.add(state)
        print(f"{options.walks} random walks of {name} saw {len(seen):,} states")


if __name__ == "__main__":
    main()
