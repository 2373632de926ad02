"""Learns Tinytown by policy gradient with masks, and draws its learning curve beside V*.

Needs numpy only. A network with one hidden layer chooses among the legal actions; batches of whole
games move it (Adam, the mean of the batch as baseline, a little entropy).

    python learn_tinytown.py --setup 3x3 --rounds 600 --curve curve.svg
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path

# The matrices are small: threads would wait for each other more than they work.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import bastide  # noqa: E402
import numpy as np  # noqa: E402


class Policy:
    """Features to logits by one hidden layer, with its own gradient and Adam."""

    def __init__(self, features: int, hidden: int, actions: int, seed: int) -> None:
        chance = np.random.default_rng(seed)
        self.weights = [
            (chance.standard_normal((features, hidden)) / np.sqrt(features)).astype(np.float32),
            np.zeros(hidden, np.float32),
            np.zeros((hidden, actions), np.float32),
            np.zeros(actions, np.float32),
        ]
        self.moments = [(np.zeros_like(w), np.zeros_like(w)) for w in self.weights]
        self.updates = 0

    def forward(self, x: np.ndarray, mask: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The hidden layer and the probabilities of the legal actions."""
        hidden = np.tanh(x @ self.weights[0] + self.weights[1])
        logits = np.where(mask > 0, hidden @ self.weights[2] + self.weights[3], -1e9)
        weights = np.exp(logits - logits.max(axis=1, keepdims=True))
        return hidden, weights / weights.sum(axis=1, keepdims=True)

    def update(self, x: np.ndarray, hidden: np.ndarray, slope: np.ndarray, rate: float) -> None:
        """Moves the weights along the slope of the logits."""
        back = (slope @ self.weights[2].T) * (1 - hidden**2)
        slopes = [x.T @ back, back.sum(axis=0), hidden.T @ slope, slope.sum(axis=0)]
        self.updates += 1
        for weight, slope_of, (first, second) in zip(self.weights, slopes, self.moments):
            first += 0.1 * (slope_of - first)
            second += 0.001 * (slope_of**2 - second)
            seen = first / (1 - 0.9**self.updates)
            spread = np.sqrt(second / (1 - 0.999**self.updates)) + 1e-8
            weight += rate * seen / spread


def one_hot(matrices: np.ndarray) -> np.ndarray:
    """Each square as five zeros and ones, and the phase."""
    squares = matrices[:, :-1, :-1].reshape(len(matrices), -1)
    ones = squares[:, :, None] == np.arange(5)
    phase = matrices[:, -1, -1:] == 1
    return np.concatenate([ones.reshape(len(matrices), -1), phase], axis=1).astype(np.float32)


def play_round(
    batch: bastide.TinytownBatch, policy: Policy, chance: np.random.Generator
) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """One game in every environment: what was seen and done, and what each game earned."""
    step = batch.reset()
    running = np.ones(batch.num_envs, bool)
    earned = np.zeros(batch.num_envs)
    rows: dict[str, list[np.ndarray]] = {name: [] for name in ("x", "mask", "action", "game")}
    while running.any():
        games = np.flatnonzero(running)
        x, mask = one_hot(step.observation[games]), step.mask[games]
        _, odds = policy.forward(x, mask)
        points = chance.random((len(games), 1))
        chosen = np.minimum((odds.cumsum(axis=1) < points).sum(axis=1), odds.shape[1] - 1)
        # Rounding can pass the last legal action: then any legal one will do.
        wrong = mask[np.arange(len(games)), chosen] == 0
        chosen[wrong] = mask[wrong].argmax(axis=1)
        actions = np.zeros(batch.num_envs, np.int64)
        actions[games] = chosen
        for name, value in zip(rows, (x, mask, chosen, games)):
            rows[name].append(value)
        step = batch.step(actions)
        earned += np.where(running, step.reward, 0)
        running &= ~step.terminated
    return {name: np.concatenate(values) for name, values in rows.items()}, earned


def learn(policy: Policy, rows: dict[str, np.ndarray], earned: np.ndarray, entropy: float,
          rate: float) -> None:  # fmt: skip
    hidden, odds = policy.forward(rows["x"], rows["mask"])
    advantage = (earned - earned.mean()) / (earned.std() + 1e-6)
    one = np.zeros_like(odds)
    one[np.arange(len(one)), rows["action"]] = 1
    slope = (one - odds) * advantage[rows["game"], None]
    surprise = np.where(odds > 0, np.log(np.maximum(odds, 1e-12)), 0)
    mean = (odds * surprise).sum(axis=1, keepdims=True)
    slope -= entropy * odds * (surprise - mean)
    policy.update(rows["x"], hidden, (slope / len(slope)).astype(np.float32), rate)


def draw_curve(path: Path, curve: list[float], best: float, uniform: float, title: str) -> None:
    """The learning curve as an SVG picture, with V* and the random policy as lines."""
    wide, high, left, top = 640, 360, 50, 30
    low, up = min([uniform, *curve]) - 1, best + 1

    def x(at: int) -> float:
        return left + (wide - left - 15) * at / max(1, len(curve) - 1)

    def y(value: float) -> float:
        return top + (high - top - 40) * (up - value) / (up - low)

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" '
             f'font-family="sans-serif" font-size="12"><rect width="100%" height="100%" '
             f'fill="white"/><text x="{left}" y="18" font-size="14">{title}</text>']  # fmt: skip
    for value, name, colour in ((best, "V*", "#2a7"), (uniform, "random", "#a52")):
        parts.append(f'<line x1="{left}" x2="{wide - 15}" y1="{y(value):.1f}" y2="{y(value):.1f}" '
                     f'stroke="{colour}" stroke-dasharray="6 4"/><text x="{left + 6}" '
                     f'y="{y(value) - 4:.1f}" fill="{colour}">{name} = {value:.2f}</text>')  # fmt: skip
    points = " ".join(f"{x(at):.1f},{y(value):.1f}" for at, value in enumerate(curve))
    parts.append(f'<polyline points="{points}" fill="none" stroke="#247" stroke-width="2"/>')
    parts.append(f'<text x="{wide // 2}" y="{high - 12}" text-anchor="middle">batches of games'
                 f'</text><text x="{left - 6}" y="{y(curve[-1]):.1f}" text-anchor="end" '
                 f'fill="#247">{curve[-1]:.1f}</text></svg>')  # fmt: skip
    path.write_text("\n".join(parts))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--setup", default="3x3")
    parser.add_argument("--rounds", type=int, default=600, help="batches of games")
    parser.add_argument("--games", type=int, default=256, help="games in a batch")
    parser.add_argument("--hidden", type=int, default=128)
    parser.add_argument("--rate", type=float, default=0.003)
    parser.add_argument("--entropy", type=float, default=0.3, help="at first; it falls to 0")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--curve", type=Path, help="where the picture goes")
    options = parser.parse_args()

    batch = bastide.TinytownBatch(options.games, options.setup, autoreset="disabled", copy=False)
    state = bastide.TinytownState(options.setup)
    rows, cols = state.shape
    policy = Policy(5 * rows * cols + 1, options.hidden, batch.num_actions, options.seed)
    chance = np.random.default_rng(options.seed)
    best = bastide.TinytownOptimal(options.setup).start_value()
    curve: list[float] = []
    start = time.perf_counter()
    for number in range(options.rounds):
        seen, earned = play_round(batch, policy, chance)
        curve.append(float(earned.mean()))
        left = 1 - number / options.rounds
        learn(policy, seen, earned, entropy=options.entropy * left, rate=options.rate * (0.1 + 0.9 * left))
        if number % 20 == 0 or number + 1 == options.rounds:
            seconds = time.perf_counter() - start
            print(f"batch {number:4}: mean {curve[-1]:6.2f}, best of it {earned.max():3.0f}, "
                  f"V* {best}, {seconds:.0f} s", flush=True)  # fmt: skip
    # The untrained network is the uniform policy: its first batch says what random play earns.
    if options.curve:
        title = f"Tinytown {options.setup}: policy gradient with masks"
        draw_curve(options.curve, curve, best, curve[0], title)
    print(f"from {curve[0]:.2f} to {np.mean(curve[-5:]):.2f} of at most {best}")


if __name__ == "__main__":
    main()
