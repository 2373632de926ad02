#!/usr/bin/env python3
"""A client of the engine protocol: random moves against a bot, for one whole game.

    python3 examples/engine_client.py target/release/bastide --bot greedy --seed 7

The protocol is described in docs/engine-protocol.md.
"""

import argparse
import random
import subprocess


class Engine:
    """A running engine: send a command, get the lines of its answer."""

    CLOSING = ("ok", "error", "best", "readyok")

    def __init__(self, program):
        try:
            self.process = subprocess.Popen(
                [program, "engine"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            )
        except OSError as error:
            raise SystemExit(f"the engine '{program}' cannot be started: {error.strerror}")

    def ask(self, command):
        """The answer to a command; the last line is the one that closes it."""
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        lines = []
        for line in self.process.stdout:
            lines.append(line.rstrip("\n"))
            if lines[-1].split(" ")[0] in self.CLOSING:
                break
        else:
            raise SystemExit("the engine ended")
        if lines[-1].startswith("error"):
            raise SystemExit(f"{command}: {lines[-1]}")
        return lines

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def draw(engine, rng):
    """Draws a tile by the odds, as a shuffled bag would, and tells the engine which."""
    outcomes = [line.split(" ") for line in engine.ask("moves")[:-1]]
    kinds = [words[1] for words in outcomes]
    odds = [int(words[3]) for words in outcomes]
    engine.ask("draw " + rng.choices(kinds, odds)[0])


def main():
    parser = argparse.ArgumentParser(description="Random moves against a bot.")
    parser.add_argument("program", nargs="?", default="bastide", help="the bastide program")
    parser.add_argument("--bot", default="greedy", help="who to play against")
    parser.add_argument("--seed", type=int, help="the seed of draws and moves")
    parser.add_argument("--nodes", type=int, default=200, help="nodes for each of its turns")
    args = parser.parse_args()

    rng = random.Random(args.seed)
    engine = Engine(args.program)
    engine.ask("hello")
    turn = engine.ask("game carcassonne players=2")[-1]
    while turn != "ok over":
        if turn == "ok chance":
            draw(engine, rng)
        elif turn == "ok player 0":
            turns = [line.removeprefix("turn ") for line in engine.ask("turns")[:-1]]
            engine.ask("play " + rng.choice(turns))
        else:
            best = engine.ask(f"go nodes {args.nodes} bot {args.bot}")[-1]
            engine.ask("play " + best.removeprefix("best "))
        facts = dict(line.split(": ", 1) for line in engine.ask("show")[:-1])
        turn = "ok " + facts["turn"]
    print("\n".join(engine.ask("board")[:-1]))
    scores = facts["scores"].split(" ")
    print(f"random moves {scores[0]}, {args.bot} {scores[1]}; winners: {facts['winners']}")
    engine.close()


if __name__ == "__main__":
    main()
