"""PUCT over many games at once: the leaves of all trees are evaluated by a network in one batch.

Each game has a tree of its own. A simulation goes down every tree to a leaf; `CarcassonneBatch.set_states`
shows all leaves at once, the network gives priors and values for all of them, and what it says goes up
again. Chance is a node whose outcome is drawn by the odds. Two players.

    python puct.py --network torch --games 16 --simulations 64 --board 15
    python puct.py --network heuristic            without PyTorch: uniform priors, values from the points
"""

from __future__ import annotations

import argparse
import math
import random
from collections.abc import Callable

import bastide
import numpy as np
from numpy.typing import NDArray

Network = Callable[[NDArray[np.uint8], NDArray[np.int16]], tuple[NDArray, NDArray]]
"""From planes and globals of n positions to (n, actions) logits and n values, from -1 to 1, for the seat
that is to move."""


class Node:
    """A decision, or a draw, and what the search knows of it."""

    def __init__(self, state: bastide.CarcassonneState) -> None:
        self.state = state
        self.seat = state.current_player()
        self.children: dict[int, Node] = {}
        # By action, once the network has seen the node.
        self.actions: list[int] | None = None
        self.priors: NDArray | None = None
        self.visits: NDArray | None = None
        self.totals: NDArray | None = None

    def expand(self, actions: NDArray, logits: NDArray) -> None:
        priors = np.exp(logits - logits.max())
        self.actions, self.priors = actions.tolist(), priors / priors.sum()
        self.visits, self.totals = np.zeros(len(actions)), np.zeros(len(actions))

    def select(self, exploration: float) -> int:
        """The place of the action with the best mean and bonus."""
        means = self.totals / np.maximum(self.visits, 1)
        bonus = exploration * self.priors * math.sqrt(self.visits.sum() + 1) / (1 + self.visits)
        return int(np.argmax(means + bonus))

    def child(self, action: int) -> Node:
        if action not in self.children:
            self.children[action] = Node(self.state.child(action))
        return self.children[action]


def descend(root: Node, chance: random.Random, exploration: float) -> tuple[list, Node]:
    """The way to a leaf: every decision on it with the place of the action, and the leaf."""
    path, node = [], root
    while not node.state.is_terminal():
        if node.state.is_chance_node():
            kinds, odds = zip(*node.state.chance_outcomes())
            node = node.child(chance.choices(kinds, odds)[0])
        elif node.actions is None:
            break
        else:
            place = node.select(exploration)
            path.append((node, place))
            node = node.child(node.actions[place])
    return path, node


def search(
    states: list[bastide.CarcassonneState],
    network: Network,
    batch: bastide.CarcassonneBatch,
    simulations: int,
    chance: random.Random,
    exploration: float = 1.5,
) -> list[int]:
    """For each state the action visited most; the leaves of all trees go through the network together."""
    roots = [Node(state) for state in states]
    for _ in range(simulations):
        ways = [descend(root, chance, exploration) for root in roots]
        step = batch.set_states([leaf.state for _, leaf in ways])
        logits, values = network(step.observation["planes"], step.observation["globals"])
        for game, (path, leaf) in enumerate(ways):
            if leaf.state.is_terminal():
                returns = leaf.state.returns("win")
            else:
                actions = step.legal.of(game)
                leaf.expand(actions, logits[game][actions])
                returns = [-float(values[game])] * 2
                returns[leaf.seat] = float(values[game])
            for node, place in path:
                node.visits[place] += 1
                node.totals[place] += returns[node.seat]
    return [root.actions[int(np.argmax(root.visits))] for root in roots]


def heuristic(layout: dict) -> Network:
    """Any function is a network: uniform priors, and a value from the points in the globals."""
    points = layout["globals"] - 2 * layout["players"]

    def network(planes: NDArray, numbers: NDArray) -> tuple[NDArray, NDArray]:
        lead = numbers[:, points].astype(np.float32) - numbers[:, points + 1]
        return np.zeros((len(planes), layout["actions"]), np.float32), np.tanh(lead / 10)

    return network


def torch_network(layout: dict, channels: int = 32) -> Network:
    """A small convolutional network with a head for actions and one for the value, untrained."""
    import torch
    from torch import nn

    torch.manual_seed(1)
    side = layout["board_size"]

    class Net(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.trunk = nn.Sequential(
                nn.Conv2d(len(layout["planes"]), channels, 3, padding=1), nn.ReLU(),
                nn.Conv2d(channels, channels, 3, padding=1), nn.ReLU(),
            )  # fmt: skip
            self.numbers = nn.Linear(layout["globals"], channels)
            self.places = nn.Conv2d(channels, 4, 1)
            self.others = nn.Linear(2 * channels, layout["actions"] - 4 * side * side)
            self.value = nn.Linear(2 * channels, 1)

        def forward(self, planes: torch.Tensor, numbers: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
            seen = self.trunk(planes)
            summary = torch.cat([seen.mean((2, 3)), torch.relu(self.numbers(numbers / 32))], 1)
            # Action (row * side + column) * 4 + rotation: see docs/tensors.md.
            places = self.places(seen).permute(0, 2, 3, 1).flatten(1)
            logits = torch.cat([places, self.others(summary)], 1)
            return logits, torch.tanh(self.value(summary))[:, 0]

    net = Net().eval()

    def network(planes: NDArray, numbers: NDArray) -> tuple[NDArray, NDArray]:
        with torch.inference_mode():
            logits, values = net(torch.tensor(planes).float(), torch.tensor(numbers).float())
        return logits.numpy(), values.numpy()

    return network


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--network", choices=["torch", "heuristic"], default="torch")
    parser.add_argument("--games", type=int, default=8)
    parser.add_argument("--simulations", type=int, default=48, help="a decision")
    parser.add_argument("--board", type=int, default=9, help="cells a side")
    parser.add_argument("--opponent", default="random", help="a bot's name")
    options = parser.parse_args()
    setup = f"board={options.board}x{options.board}"
    layout = bastide.layout(setup)
    network = torch_network(layout) if options.network == "torch" else heuristic(layout)
    chance, bot = random.Random(1), bastide.Bot(options.opponent, seed=1)
    states = [bastide.CarcassonneState(setup) for _ in range(options.games)]
    dealers = [bastide.Dealer(1, game) for game in range(options.games)]
    decisions = 0
    while True:
        for game, (state, dealer) in enumerate(zip(states, dealers)):
            # Ours is seat 0 in even games and seat 1 in odd ones.
            dealer.deal(state)
            while not state.is_terminal() and state.current_player() != game % 2:
                state.apply_action(bot.choose(state))
                dealer.deal(state)
        playing = [state for state in states if not state.is_terminal()]
        if not playing:
            break
        batch = bastide.CarcassonneBatch(len(playing), setup, observation="planes")
        actions = search(playing, network, batch, options.simulations, chance)
        batch.close()
        for state, action in zip(playing, actions):
            state.apply_action(action)
        decisions += len(playing)
    margins = [state.returns("margin")[game % 2] for game, state in enumerate(states)]
    print(f"{options.games} games, {decisions} decisions, {decisions * options.simulations:,} leaves")
    print(f"mean margin against {options.opponent} {np.mean(margins):+.1f}")


if __name__ == "__main__":
    main()
