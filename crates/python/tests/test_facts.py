"""Version 2 of the planes: facts stand on every cell that a feature covers.

They are computed here once more, from the tiles and figures of the compact observation and the
printed tiles alone: by joining segments edge by edge.
"""

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import bastide
import numpy as np
import pytest
from conftest import random_state

ART = Path(__file__).resolve().parents[3] / "web" / "src" / "art"
PRINTED = {
    **json.loads((ART / "tiles.json").read_text()),
    **json.loads((ART / "sets" / "tiles.json").read_text()),
}
SIDES = "NESW"
HALVES = ["NL", "NR", "EL", "ER", "SL", "SR", "WL", "WR"]
STEPS = [(-1, 0), (0, 1), (1, 0), (0, -1)]
WEIGHTS = {1: 1, 2: 2, 5: 1}  # meeple, big meeple, abbot; builders and pigs count in no majority

Cell = tuple[int, int]
Node = tuple[Cell, int]


class View:
    """The tiles and figures that a seat sees, and the features that the tiles form."""

    def __init__(self, state: bastide.CarcassonneState, viewer: int) -> None:
        layout = bastide.layout(state.setup, "v2")
        rows = state.compact(viewer)[layout["tiles_at"] :].reshape(-1, layout["tile_width"])
        self.players = state.num_players()
        self.tiles: dict[Cell, tuple[dict[str, Any], int]] = {}
        self.figures: list[tuple[int, int, Node]] = []
        for row, column, kind, rotation, seat, place, _, figure in rows[rows[:, 0] > 0].tolist():
            cell = (row - 1, column - 1)
            self.tiles[cell] = (PRINTED[state.action_to_string(-1, kind - 1)], rotation)
            if seat:
                self.figures.append((seat - 1, figure, (cell, place - 1)))
        self.parents = {node: node for node in self.nodes()}
        for cell, side, half, node in self.contacts():
            beside = (cell[0] + STEPS[side][0], cell[1] + STEPS[side][1])
            other = (side + 2) % 4
            for there, far, its_half, theirs in self.contacts(beside):
                # Our left half meets the neighbour's right half.
                if far == other and (half is None) == (its_half is None) and half in (None, 1 - (its_half or 0)):
                    self.parents[self.find(node)] = self.find(theirs)
        self.features: dict[Node, list[Node]] = defaultdict(list)
        for node in self.parents:
            self.features[self.find(node)].append(node)

    def nodes(self) -> list[Node]:
        return [(c, i) for c, (tile, _) in self.tiles.items() for i in range(len(tile["segments"]))]

    def segment(self, node: Node) -> dict[str, Any]:
        return self.tiles[node[0]][0]["segments"][node[1]]

    def sides(self, node: Node) -> list[int]:
        turn = self.tiles[node[0]][1]
        return [(SIDES.index(side) + turn) % 4 for side in self.segment(node).get("sides", "")]

    def halves(self, node: Node) -> list[int]:
        turn = self.tiles[node[0]][1]
        return [(HALVES.index(half) + 2 * turn) % 8 for half in self.segment(node).get("halves", [])]

    def contacts(self, only: Cell | None = None) -> list[tuple[Cell, int, int | None, Node]]:
        """Where segments reach an edge: the cell, the side, for fields which half, the segment."""
        found: list[tuple[Cell, int, int | None, Node]] = []
        for cell in self.tiles if only is None else [only]:
            for place in range(len(self.tiles[cell][0]["segments"])) if cell in self.tiles else []:
                node = (cell, place)
                found += [(cell, side, None, node) for side in self.sides(node)]
                found += [(cell, half // 2, half % 2, node) for half in self.halves(node)]
        return found

    def find(self, node: Node) -> Node:
        while self.parents[node] != node:
            node = self.parents[node]
        return node

    def around(self, cell: Cell) -> int:
        near = [(cell[0] + i, cell[1] + j) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j]
        return sum(other in self.tiles for other in near)

    def open_sides(self, nodes: list[Node]) -> int:
        beyond = [(c[0] + STEPS[s][0], c[1] + STEPS[s][1]) for c, i in nodes for s in self.sides((c, i))]
        return sum(cell not in self.tiles for cell in beyond)

    def facts(self, nodes: list[Node]) -> dict[str, int]:
        terrain = self.segment(nodes[0])["terrain"]
        weights = [0] * self.players
        for seat, figure, node in self.figures:
            if node in nodes:
                weights[seat] += WEIGHTS.get(figure, 0)
        facts = {f"meeples of relative seat {seat} on": weight for seat, weight in enumerate(weights)}
        owns = [0 < weight == max(weights) for weight in weights]
        facts |= {f"relative seat {seat} owns": int(own) for seat, own in enumerate(owns)}
        if terrain in ("city", "road"):
            open_sides = self.open_sides(nodes)
            special = any(self.segment(node).get("special") for node in nodes)
            count = len({cell for cell, _ in nodes})
            count += sum(self.segment(node).get("pennants", 0) for node in nodes)
            rate = 1 if terrain == "road" or open_sides else 2
            points = count * (rate if not special else 0 if open_sides else rate + 1)
            facts |= {"open sides of": open_sides, "finished:": int(open_sides == 0)}
            facts |= {"points of": points, "inn or cathedral of": int(special)}
        elif terrain == "field":
            cities = set()
            for cell, place in nodes:
                names = [segment["name"] for segment in self.tiles[cell][0]["segments"]]
                for name in self.segment((cell, place)).get("cities", []):
                    cities.add(self.find((cell, names.index(name))))
            facts["points of"] = 3 * sum(self.open_sides(self.features[city]) == 0 for city in cities)
        else:
            near = self.around(nodes[0][0])
            facts |= {"open sides of": 8 - near, "finished:": int(near == 8), "points of": 1 + near}
        return facts

    def places(self, node: Node) -> list[str]:
        terrain = self.segment(node)["terrain"]
        if terrain in ("city", "road"):
            return [f"the city or road {SIDES[side]}" for side in self.sides(node)]
        if terrain == "field":
            return [f"the field {HALVES[half]}" for half in self.halves(node)] or ["the field inside"]
        return ["the monastery or garden"]


@pytest.mark.parametrize(
    "setup",
    [
        "standard",
        "players=3 board=15x15",
        "inns",
        "players=4 sets=traders",
        "sets=river",
        "players=3 sets=gardens",
        "all-sets",
    ],
)
def test_the_facts_on_every_cell_are_those_of_its_features(setup: str) -> None:
    layout = bastide.layout(setup, "v2")
    first = layout["planes"].index("meeples of relative seat 0 on the city or road N")
    number = {name: at for at, name in enumerate(layout["planes"])}
    for seed, decisions in enumerate([0, 1, 18, 60, 111, 170, 400]):
        state = random_state(seed, decisions, setup, "v2")
        viewer = seed % state.num_players()
        view, planes = View(state, viewer), state.planes(viewer)
        wanted = np.zeros_like(planes)
        for nodes in view.features.values():
            facts = view.facts(nodes)
            for node in nodes:
                for place in view.places(node):
                    for name, value in facts.items():
                        wanted[number[f"{name} {place}"]][node[0]] = min(value, 255)
        for plane in range(first, len(planes)):
            np.testing.assert_array_equal(
                planes[plane], wanted[plane], f"{layout['planes'][plane]}, seed {seed}"
            )
