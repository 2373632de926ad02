#!/usr/bin/env python3
"""A minimal engine for the arena: any legal placement, never a meeple.

    bastide play --bot 'cmd:python3 examples/random_engine.py'

It speaks the part of the protocol that an engine needs (docs/engine-protocol.md) and knows just
enough of the rules: which tiles fit where. To pass is always legal, so it needs no scoring.
"""

import random
import re
import sys

# What lies on the north, east, south and west edge of each kind.
EDGES = dict(
    A="FFRF", B="FFFF", C="CCCC", D="CRFR", E="CFFF", F="FCFC", G="FCFC", H="CFCF",
    I="CFFC", J="CRRF", K="CFRR", L="CRRR", M="CFFC", N="CFFC", O="CRRC", P="CRRC",
    Q="CCFC", R="CCFC", S="CCRC", T="CCRC", U="FRFR", V="FFRR", W="FRRR", X="RRRR",
)  # fmt: skip
SIDES = [(0, 1), (1, 0), (0, -1), (-1, 0)]  # north, east, south, west; y grows north


class Position:
    """The edges of the tiles that lie, and the tile in hand."""

    def __init__(self, setup):
        options = dict(word.split("=") for word in setup)
        self.board = {} if options.get("start") == "empty" else {(0, 0): EDGES["D"]}
        board = options.get("board", "unlimited")
        self.size = None if board == "unlimited" else int(board.split("x")[0])
        self.hand = None
        self.placed = False

    def play(self, move):
        if re.fullmatch("[A-X]", move):
            self.hand, self.placed = move, False
        elif match := re.fullmatch(r"(-?\d+),(-?\d+) r([0-3])", move):
            x, y, rotation = map(int, match.groups())
            self.board[x, y] = turned(EDGES[self.hand], rotation)
            self.placed = True
        # Meeples, and 'pass', change nothing that this engine looks at.

    def exists(self, x, y):
        """Whether the cell is on the board; a square one is counted from its north-west."""
        if self.size is None:
            return True
        centre = (self.size + 1) // 2
        return 1 <= centre + x <= self.size and 1 <= centre - y <= self.size

    def fits(self, x, y, edges):
        around = [self.board.get((x + dx, y + dy)) for dx, dy in SIDES]
        # The neighbour's edge that touches this one is on its opposite side.
        return any(around) and all(
            tile is None or tile[(side + 2) % 4] == edges[side] for side, tile in enumerate(around)
        )

    def placements(self):
        if not self.board:
            return [f"0,0 r{rotation}" for rotation in range(4)]
        open_cells = {(x + dx, y + dy) for x, y in self.board for dx, dy in SIDES} - set(self.board)
        return [
            f"{x},{y} r{rotation}"
            for x, y in sorted(open_cells)
            if self.exists(x, y)
            for rotation in range(4)
            if self.fits(x, y, turned(EDGES[self.hand], rotation))
        ]


def turned(edges, quarters):
    """The edges after clockwise quarter turns: what was in the west comes to the north."""
    return edges[-quarters:] + edges[:-quarters] if quarters else edges


def answer(line, position):
    """The answer to a line, and the position after it."""
    command, *words = line.split() or [""]
    if command == "hello":
        return "protocol 1\nname random_engine\nok", position
    if command == "isready":
        return "readyok", position
    if command == "stop":
        return "ok", position
    if command == "set" and words[:1] == ["seed"]:
        random.seed(words[1])
        return "ok", position
    if command == "game" and words[:1] == ["carcassonne"]:
        return "ok", Position(words[1:])
    if command == "play":
        for move in line.removeprefix("play").split(";"):
            position.play(move.strip())
        return "ok", position
    if command == "go" and position.hand:
        if position.placed:
            return "best pass", position
        return f"best {random.choice(position.placements())}; pass", position
    return f"error '{command}' is not understood", position


def main():
    position = Position([])
    for line in sys.stdin:
        line = line.strip()
        if line == "quit":
            break
        text, position = answer(line, position)
        print(text, flush=True)


if __name__ == "__main__":
    main()
