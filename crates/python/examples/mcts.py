"""A tiny tree search (UCT with random playouts) written against the state, playing a bot.

Chance is a node of its own: on the way down its outcome is drawn by the odds.

    python mcts.py --playouts 200 --board 9 --opponent random
"""

from __future__ import annotations

import argparse
import math
import random

import bastide


class Node:
    """What is known of a state: visits, and the sum of margins for the seat that moved here."""

    def __init__(self) -> None:
        self.visits = 0
        self.total = 0.0
        self.children: dict[int, Node] = {}

    def score(self, parent: int, exploration: float) -> float:
        if self.visits == 0:
            return math.inf
        return self.total / self.visits + exploration * math.sqrt(math.log(parent) / self.visits)


def draw(state: bastide.CarcassonneState, chance: random.Random) -> int:
    kinds, odds = zip(*state.chance_outcomes())
    return chance.choices(kinds, odds)[0]


def playout(state: bastide.CarcassonneState, chance: random.Random) -> list[float]:
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(draw(state, chance))
        else:
            state.apply_action(chance.choice(state.legal_actions()))
    return state.returns("margin")


def search(
    root: bastide.CarcassonneState, playouts: int, chance: random.Random, exploration: float = 20.0
) -> int:
    """The action visited most."""
    tree = Node()
    for _ in range(playouts):
        state, node = root.clone(), tree
        path: list[tuple[int, Node]] = []
        while not state.is_terminal():
            seat = state.current_player()
            if state.is_chance_node():
                action = draw(state, chance)
                node = node.children.setdefault(action, Node())
                state.apply_action(action)
                continue
            parent = node
            actions = state.legal_actions()
            for action in actions:
                parent.children.setdefault(action, Node())
            visits = 1 + sum(parent.children[action].visits for action in actions)
            action = max(actions, key=lambda a: parent.children[a].score(visits, exploration))
            state.apply_action(action)
            node = parent.children[action]
            path.append((seat, node))
            if node.visits == 0:
                break
        margins = playout(state, chance)
        for seat, node in path:
            node.visits += 1
            node.total += margins[seat]
    return max(root.legal_actions(), key=lambda a: tree.children[a].visits)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--playouts", type=int, default=200, help="playouts a decision")
    parser.add_argument("--board", type=int, default=7, help="cells a side")
    parser.add_argument("--opponent", default="random", help="one of our bots")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()

    chance = random.Random(options.seed)
    dealer = bastide.Dealer(options.seed)
    bot = bastide.Bot(options.opponent, seed=options.seed)
    state = bastide.CarcassonneState(f"board={options.board}x{options.board}")
    dealer.deal(state)
    while not state.is_terminal():
        if state.current_player() == 0:
            state.apply_action(search(state, options.playouts, chance))
        else:
            for action in bot.turn(state):
                state.apply_action(action)
        dealer.deal(state)
    print(state)
    print(f"tree search {state.scores()[0]}, {options.opponent} {state.scores()[1]}")


if __name__ == "__main__":
    main()
