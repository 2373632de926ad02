"""Learns Carcassonne for two players from a dataset, and draws how it does against `greedy`.

Needs PyTorch; one core is enough. A small network values the position after a turn, as its player sees it in
the compact observation. It learns from games whose every decision was judged by the bot `net`, so that the
softmax of its values is that of the bot's; it plays the turn that leads to the best value.

    python learn_carcassonne.py --folder learned --curve curve.svg

The folder keeps games, network and curve (`curve.csv`). After Ctrl-C the same command goes on.
"""

from __future__ import annotations

import argparse
import csv
import math
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import bastide
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

SETUP = "standard"

# The compact observation of two players (docs/tensors.md): globals, then rows of features; the rows of tiles
# that follow are not used.
GLOBALS = 57
FEATURES, FEATURE = 14, 8
SEEN = GLOBALS + FEATURES * FEATURE

# What numbers of a feature are divided by: tiles, pennants, open sides, points, finished cities, meeples of
# the player and of the opponent. All of them are then about as large as 1.
FEATURE_SCALE = torch.tensor([8.0, 2.0, 4.0, 8.0, 3.0, 2.0, 2.0])
# And of the globals: tiles left, tiles left of each kind, meeples in hand of both.
GLOBAL_PLACES = [3, *range(29, 53), 55, 56]
GLOBAL_SCALE = torch.tensor([72.0] + [4.0] * 24 + [7.0] * 2)
POINTS = 53

#: In points: a turn that is worth so much less is chosen e times more rarely.
TEMPERATURE = 1.5


class Net(nn.Module):
    """What a position is worth to the player who has just moved, in points: what matters is by how much it is
    more than after another turn.

    Every feature with a meeple goes through the same layers, and what they say of all features is added up:
    the order of the rows means nothing. The points so far need not be learned.
    """

    def __init__(self, width: int) -> None:
        super().__init__()
        numbers = len(GLOBAL_PLACES)
        self.feature = nn.Linear(4 + len(FEATURE_SCALE), width)
        self.feature_globals = nn.Linear(numbers, width)
        self.feature_out = nn.Linear(width, width)
        self.whole = nn.Linear(width + numbers, width)
        self.out = nn.Linear(width, 1)

    def forward(self, seen: torch.Tensor) -> torch.Tensor:
        """From n rows of the first numbers of compact observations to n values."""
        numbers = seen[:, GLOBAL_PLACES].float() / GLOBAL_SCALE
        rows = seen[:, GLOBALS:SEEN].reshape(-1, FEATURES, FEATURE)
        # Rows that are not used are left out: most of them, in most positions.
        position, row = torch.nonzero(rows[:, :, 0], as_tuple=True)
        used = rows[position, row]
        terrain = nn.functional.one_hot(used[:, 0].long() - 1, 4).float()
        features = torch.cat([terrain, used[:, 1:].float() / FEATURE_SCALE], 1)
        hidden = torch.relu(self.feature(features) + self.feature_globals(numbers)[position])
        hidden = torch.relu(self.feature_out(hidden))
        total = torch.zeros(len(seen), hidden.shape[1]).index_add(0, position, hidden)
        whole = torch.relu(self.whole(torch.cat([total / 4, numbers], 1)))
        lead = (seen[:, POINTS] - seen[:, POINTS + 1]).float()
        return lead + 10 * self.out(whole)[:, 0]


def turns(
    state: bastide.CarcassonneState, begins: list[int]
) -> Iterator[tuple[int, list[int], NDArray[np.int16]]]:
    """Every turn that begins with one of these actions: the place of that action, all its actions, and what
    the player sees after it."""
    seat = state.current_player()
    for place, action in enumerate(begins):
        after = state.child(action)
        if after.current_player() != seat:
            yield place, [action], after.compact(seat)[:SEEN]
            continue
        for figure in after.legal_actions():
            yield place, [action, figure], after.child(figure).compact(seat)[:SEEN]


@dataclass
class Lesson:
    """Decisions of a dataset with the turns that could be played, each a row of what is seen after it.

    A decision has several actions, an action several turns: a placement is worth what its best turn is.
    """

    seen: torch.Tensor
    action_of_turn: torch.Tensor
    decision_of_action: torch.Tensor
    policy_of_action: torch.Tensor
    # Where the turns and the actions of each decision begin, and where the last end.
    turns: list[int]
    actions: list[int]

    def part(self, first: int, last: int) -> Lesson:
        """Only the decisions from first to last."""
        a, b = self.turns[first], self.turns[last]
        c, d = self.actions[first], self.actions[last]
        return Lesson(
            self.seen[a:b], self.action_of_turn[a:b] - c, self.decision_of_action[c:d] - first,
            self.policy_of_action[c:d], [t - a for t in self.turns[first : last + 1]],
            [t - c for t in self.actions[first : last + 1]],
        )  # fmt: skip


def lesson(games: bastide.Dataset, shard: int, chance: np.random.Generator) -> Lesson:
    """The decisions of a shard in any order, but for those with one action only."""
    read = games.read(shard, observation="none", mask=False, policy=TEMPERATURE)
    states = list(games.states(shard))
    seen, action_of_turn, decision_of_action, policy_of_action = [], [], [], []
    first_turns, first_actions = [0], [0]
    for row in chance.permutation(len(states)):
        policy = read["policy"][row]
        # Of turns that look alike the bot has judged one.
        begins = np.flatnonzero(policy)
        if len(begins) < 2:
            continue
        for place, _, after in turns(states[row], begins.tolist()):
            seen.append(after)
            action_of_turn.append(first_actions[-1] + place)
        decision_of_action += [len(first_turns) - 1] * len(begins)
        policy_of_action += policy[begins].tolist()
        first_turns.append(len(seen))
        first_actions.append(len(decision_of_action))
    return Lesson(
        torch.from_numpy(np.stack(seen)), torch.tensor(action_of_turn), torch.tensor(decision_of_action),
        torch.tensor(policy_of_action), first_turns, first_actions,
    )  # fmt: skip


def loss_of(net: Net, part: Lesson) -> torch.Tensor:
    """How much worse the network's policy predicts the bot's than the bot's own does (Kullback-Leibler)."""
    actions, decisions = len(part.policy_of_action), len(part.turns) - 1
    logits = net(part.seen) / TEMPERATURE
    best = torch.full((actions,), -torch.inf).scatter_reduce(0, part.action_of_turn, logits, "amax")
    # The softmax over the actions of each decision.
    top = torch.full((decisions,), -torch.inf).scatter_reduce(0, part.decision_of_action, best.detach(), "amax")
    weights = torch.exp(best - top[part.decision_of_action])
    sums = torch.zeros(decisions).index_add(0, part.decision_of_action, weights)
    log_policy = best - (top + sums.log())[part.decision_of_action]
    wanted = part.policy_of_action
    return (wanted * (wanted.clamp_min(1e-12).log() - log_policy)).sum() / decisions


def play(net: Net, pairs: int, opponent: str, seed: int) -> tuple[float, float, float]:
    """Every deck from both seats against a bot: the mean margin, its standard error, the share won."""
    bot = bastide.Bot(opponent, setup=SETUP, seed=seed)
    states = [bastide.CarcassonneState(SETUP) for _ in range(2 * pairs)]
    dealers = [bastide.Dealer(seed, game // 2) for game in range(2 * pairs)]
    while True:
        for game, (state, dealer) in enumerate(zip(states, dealers)):
            dealer.deal(state)
            # The network has seat 0 in even games and seat 1 in odd ones.
            while not state.is_terminal() and state.current_player() != game % 2:
                for action in bot.turn(state):
                    state.apply_action(action)
                dealer.deal(state)
        playing = [state for state in states if not state.is_terminal()]
        if not playing:
            break
        could = [list(turns(state, state.legal_actions())) for state in playing]
        with torch.inference_mode():
            values = net(torch.from_numpy(np.stack([seen for some in could for _, _, seen in some]))).numpy()
        for state, some in zip(playing, could):
            mine, values = values[: len(some)], values[len(some) :]
            for action in some[int(mine.argmax())][1]:
                state.apply_action(action)
    margins = np.array([state.returns("margin")[game % 2] for game, state in enumerate(states)])
    wins = np.mean((margins > 0) + 0.5 * (margins == 0))
    by_pair = margins.reshape(pairs, 2).mean(axis=1)
    error = by_pair.std(ddof=1) / math.sqrt(pairs) if pairs > 1 else math.nan
    return float(by_pair.mean()), float(error), float(wins)


def learn(net: Net, optimiser: torch.optim.Optimizer, shown: Lesson, batch: int, rate: float) -> float:
    """One pass over a shard; the mean loss on the way."""
    for group in optimiser.param_groups:
        group["lr"] = rate
    losses = []
    for first in range(0, len(shown.turns) - 1, batch):
        loss = loss_of(net, shown.part(first, min(first + batch, len(shown.turns) - 1)))
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
    return float(np.mean(losses))


class Learner:
    """A network that learns, what is known of it so far, and the folder in which it is kept."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.path = options.folder / "network.pt"
        # What may not change while a network learns.
        names = ("games", "shard", "passes", "width", "batch", "rate", "seed", "opponent")
        self.fixed = {name: getattr(options, name) for name in names}
        torch.manual_seed(options.seed)
        self.net = Net(options.width)
        self.optimiser = torch.optim.Adam(self.net.parameters())
        self.done, self.seconds = 0, 0.0
        self.curve: list[dict[str, float]] = []
        if self.path.exists():
            self.resume()

    def resume(self) -> None:
        kept = torch.load(self.path, weights_only=True)
        for name, value in self.fixed.items():
            if kept["fixed"][name] != value:
                raise SystemExit(
                    f"{self.path}: this network learned with --{name} {kept['fixed'][name]}, not {value}: "
                    "say the same, or choose another --folder"
                )
        self.net.load_state_dict(kept["net"])
        self.optimiser.load_state_dict(kept["optimiser"])
        self.done, self.seconds, self.curve = kept["done"], kept["seconds"], kept["curve"]
        print(f"{self.path}: goes on after {self.done} shards", flush=True)

    def keep(self) -> None:
        """Stores all of it, so that the file is always whole."""
        kept = {"fixed": self.fixed, "done": self.done, "seconds": self.seconds, "curve": self.curve,
                "net": self.net.state_dict(), "optimiser": self.optimiser.state_dict()}  # fmt: skip
        part = self.path.with_suffix(".part")
        torch.save(kept, part)
        part.replace(self.path)
        with (self.options.folder / "curve.csv").open("w", newline="") as file:
            table = csv.DictWriter(file, ["games", "loss", "pairs", "margin", "error", "wins", "seconds"])
            table.writeheader()
            table.writerows(self.curve)
        if self.options.curve and self.curve:
            draw_curve(self.options.curve, self.curve, self.options.opponent)

    def measure(self, loss: float, pairs: int) -> None:
        margin, error, wins = play(self.net, pairs, self.options.opponent, self.options.seed)
        games = self.done * self.options.shard
        self.curve.append({"games": games, "loss": round(loss, 4), "pairs": pairs, "margin": round(margin, 2),
                           "error": round(error, 2), "wins": round(wins, 4),
                           "seconds": round(self.seconds)})  # fmt: skip
        print(f"{games:6} games: {margin:+.1f} ± {error:.1f} points a game against {self.options.opponent}, "
              f"{wins:.0%} won ({pairs} pairs)", flush=True)  # fmt: skip

    def run(self, games: bastide.Dataset) -> None:
        options, count = self.options, len(games)
        every = count * options.passes
        if not self.curve:
            self.measure(math.nan, options.pairs)
        while self.done < every:
            start = time.perf_counter()
            number, place = divmod(self.done, count)
            shard = int(np.random.default_rng([options.seed, number]).permutation(count)[place])
            shown = lesson(games, shard, np.random.default_rng([options.seed, number, shard]))
            rate = options.rate * (1 - 0.95 * self.done / every)
            loss = learn(self.net, self.optimiser, shown, options.batch, rate)
            self.done += 1
            self.seconds += time.perf_counter() - start
            print(f"shard {self.done} of {every}: loss {loss:.4f}, {self.seconds:.0f} s", flush=True)
            # At first it learns fast: matches are also after 1, 2, 4, ... shards.
            early = self.done < options.every and self.done.bit_count() == 1
            if self.done == every:
                self.measure(loss, options.last_pairs)
            elif early or self.done % options.every == 0:
                self.measure(loss, options.pairs)
            self.keep()


def draw_curve(path: Path, curve: list[dict[str, float]], opponent: str) -> None:
    """The margins as an SVG picture, each with two standard errors either way."""
    wide, high, left, right, top, bottom = 640, 360, 50, 20, 36, 44
    low = min(0.0, *(point["margin"] - 2 * point["error"] for point in curve))
    up = max(0.0, *(point["margin"] + 2 * point["error"] for point in curve))
    low, up = 10 * math.floor(low / 10), 10 * math.ceil(up / 10) or 10
    most = max(1.0, curve[-1]["games"])

    def x(games: float) -> float:
        return left + (wide - left - right) * games / most

    def y(margin: float) -> float:
        return top + (high - top - bottom) * (up - margin) / (up - low)

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" '
             f'font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="white"/>'
             f'<text x="{left}" y="20" font-size="14">Margin against {opponent}, points a game '
             f'(bars: two standard errors)</text>']  # fmt: skip
    for line in range(int(low), int(up) + 1, 10):
        colour, label = ("#ddd", f"{line:+}") if line else ("#555", "0")
        parts.append(f'<line x1="{left}" x2="{wide - right}" y1="{y(line):.1f}" y2="{y(line):.1f}" '
                     f'stroke="{colour}"/><text x="{left - 6}" '
                     f'y="{y(line) + 4:.1f}" text-anchor="end">{label}</text>')  # fmt: skip
    points = " ".join(f"{x(point['games']):.1f},{y(point['margin']):.1f}" for point in curve)
    parts.append(f'<polyline points="{points}" fill="none" stroke="#247" stroke-width="2"/>')
    for point in curve:
        at, error = x(point["games"]), 2 * point["error"]
        parts.append(f'<line x1="{at:.1f}" x2="{at:.1f}" y1="{y(point["margin"] - error):.1f}" '
                     f'y2="{y(point["margin"] + error):.1f}" stroke="#247"/>'
                     f'<circle cx="{at:.1f}" cy="{y(point["margin"]):.1f}" r="3" fill="#247"/>')  # fmt: skip
    for part in range(5):
        games = round(most * part / 4)
        parts.append(f'<text x="{x(games):.1f}" y="{high - bottom + 18}" text-anchor="middle">{games}</text>')
    parts.append(f'<text x="{(left + wide - right) // 2}" y="{high - 8}" text-anchor="middle">'
                 f'games learned from, repetitions counted</text></svg>')  # fmt: skip
    path.write_text("\n".join(parts) + "\n")


def at_least(least: int) -> Callable[[str], int]:
    """A type of arguments: an integer that is not below this."""

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = least - 1
        if number < least:
            raise argparse.ArgumentTypeError(f"{text!r}: expected an integer of {least} or more")
        return number

    return read


def positive(text: str) -> float:
    """A type of arguments: a number above 0."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0 < number < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r}: expected a number above 0")
    return number


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--folder", type=Path, default=Path("learned"), help="where games and network are kept (learned)")
    add("--games", type=at_least(2), default=640, help="games to learn from (640)")
    add("--shard", type=at_least(2), default=32, help="games that are learned from at a time, even (32)")
    add("--passes", type=at_least(1), default=3, help="how often every game is learned from (3)")
    add("--width", type=at_least(1), default=64, help="neurons in a layer (64)")
    add("--batch", type=at_least(1), default=64, help="decisions in a step of Adam (64)")
    add("--rate", type=positive, default=0.002, help="learning rate at first; it falls to a twentieth (0.002)")
    add("--every", type=at_least(1), default=5, help="shards between matches, at first fewer (5)")
    add("--pairs", type=at_least(2), default=40, help="pairs of games in a match (40)")
    add("--last-pairs", type=at_least(2), default=200, help="pairs of games in the last match (200)")
    add("--opponent", default="greedy", help="the bot of the matches (greedy)")
    add("--seed", type=at_least(0), default=1)
    add("--threads", type=at_least(1), default=1, help="threads that play, judge and learn (1)")
    add("--curve", type=Path, help="where the picture of the curve goes (SVG)")
    options = parser.parse_args()
    if options.shard % 2:
        parser.error(f"argument --shard: {options.shard}: expected an even number, decks are played from both seats")
    if options.games % options.shard:
        parser.error(f"argument --games: {options.games}: expected a multiple of --shard, {options.shard}")
    if options.curve and not options.curve.parent.is_dir():
        parser.error(f"argument --curve: there is no folder {options.curve.parent}")
    try:
        bastide.Bot(options.opponent, setup=SETUP)
    except ValueError as error:
        parser.error(f"argument --opponent: {error}")
    return options


def main() -> None:
    options = arguments()
    torch.set_num_threads(options.threads)
    try:
        games = bastide.dataset(
            options.folder / "games", games=options.games, games_per_shard=options.shard, setup=SETUP,
            bots=["net", "greedy"], values="net", policy=True, seed=options.seed,
            threads=options.threads, progress=True,
        )  # fmt: skip
        Learner(options).run(games)
    except KeyboardInterrupt:
        print("\nstopped; the same command goes on after the last whole shard", file=sys.stderr)
        raise SystemExit(130) from None
    except ValueError as error:
        raise SystemExit(f"learn_carcassonne.py: {error}") from None


if __name__ == "__main__":
    main()
