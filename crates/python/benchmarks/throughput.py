"""Random legal play in our environments and in other libraries, side by side in one run.

    scripts/python-bench                 everything that is installed
    scripts/python-bench --only bastide  ours alone

Two rates are given: decisions a second by the clock on the wall, which other work on the machine
slows, and decisions per second of processor time of this process, over all its threads.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import platform
import random
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np


def measure(name: str, play: Callable[[], int], seconds: float, note: str = "") -> float:
    """Plays for so long and prints a row; `play` gives how many decisions it made."""
    play()
    decisions, wall, processor = 0, time.perf_counter(), time.process_time()
    while time.perf_counter() - wall < seconds:
        decisions += play()
    wall, processor = time.perf_counter() - wall, time.process_time() - processor
    rate = decisions / processor
    print(f"| {name} | {decisions / wall:,.0f} | {rate:,.0f} | {note} |", flush=True)
    return rate


def carcassonne(seconds: float, threads: int | None) -> None:
    import bastide

    cases = [
        ("legal lists, no observation", {"observation": "none"}),
        ("legal lists, compact", {}),
        ("compact, dense mask of 4,912", {"mask": True}),
        ("planes 32×21×21 (14 KB)", {"observation": "planes", "setup": "board=21x21"}),
        ("planes 32×35×35 (39 KB)", {"observation": "planes"}),
        ("compact, four players", {"setup": "players=4"}),
        ("compact of version 2", {"tensors": "v2"}),
        ("planes of version 2, 139×21×21", {"observation": "planes", "setup": "board=21x21", "tensors": "v2"}),
        ("inns and traders, compact", {"setup": "inns-traders"}),
        ("all sets, compact", {"setup": "all-sets"}),
        ("all sets, planes 139×21×21", {"observation": "planes", "setup": "board=21x21 sets=inns,traders,river,gardens"}),
    ]
    for games in (256, 1024, 4096):
        for name, options in cases:
            batch = bastide.CarcassonneBatch(games, **{"copy": False, "threads": threads, **options})
            batch.reset(seed=1)

            def play(batch: bastide.CarcassonneBatch = batch) -> int:
                for _ in range(20):
                    batch.step(batch.sample_actions())
                return 20 * batch.num_envs

            for _ in range(10):
                play()
            note = f"{batch.bytes_per_env:,} bytes a game"
            rate = measure(f"bastide Carcassonne ×{games}, copy=False: {name}", play, seconds, note)
            if "planes" in name:
                seen = sum(array[0].nbytes for array in batch.reset().observation.values())
                print(f"| — of these planes kept up to date | | {rate * seen / 1e9:.1f} GB | |")
            batch.close()


def fresh_arrays(seconds: float, threads: int | None) -> None:
    """What fresh arrays cost: the same at every step (``copy=False``), fresh ones as they are given
    by default, and the same copied whole at every step. In turn, so that other work on the machine
    slows all alike; the median of the turns."""
    import bastide

    cases = [
        ("compact", {}),
        ("compact, dense mask of 4,912", {"mask": True}),
        ("planes 32×21×21 (14 KB)", {"observation": "planes", "setup": "board=21x21"}),
        ("planes 32×35×35 (39 KB)", {"observation": "planes"}),
        ("planes of version 2, 139×21×21 (61 KB)", {"observation": "planes", "setup": "board=21x21", "tensors": "v2"}),
    ]
    print("\n| ×1024, decisions per CPU-second | copy=False | fresh (default) | copied whole |"
          "\n| --- | --- | --- | --- |")  # fmt: skip
    for name, options in cases:
        ways = {"same": False, "fresh": True, "copied": False}
        batches = {
            way: bastide.CarcassonneBatch(1024, copy=copy, threads=threads, **options)
            for way, copy in ways.items()
        }
        rates: dict[str, list[float]] = {way: [] for way in ways}
        for batch in batches.values():
            batch.reset(seed=1)
        for turn in range(6):
            for way, batch in batches.items():
                steps, begun, processor = 0, time.perf_counter(), time.process_time()
                while time.perf_counter() - begun < seconds / 3:
                    step = batch.step(batch.sample_actions())
                    if way == "copied":
                        seen = step.observation
                        seen = seen.values() if isinstance(seen, dict) else [seen]
                        arrays = [*seen, *(array for array in step if isinstance(array, np.ndarray))]
                        step = [array.copy() for array in arrays]
                    steps += 1
                # The first turn warms.
                if turn:
                    rates[way].append(1024 * steps / (time.process_time() - processor))
                step = None
        same, fresh, copied = (sorted(found)[2] for found in rates.values())
        print(f"| {name} | {same:,.0f} | {fresh:,.0f} ({fresh / same:.2f}) | {copied:,.0f} ({copied / same:.2f}) |",
              flush=True)  # fmt: skip


def overlap(seconds: float, threads: int | None) -> None:
    """Two half batches, one stepped in a thread while a network looks at the other, or in turn."""
    from concurrent.futures import ThreadPoolExecutor

    import bastide

    chance = np.random.default_rng(0)

    def play(beside: bool, hidden: int) -> tuple[float, float]:
        batches = [bastide.CarcassonneBatch(512, threads=threads or 1) for _ in range(2)]
        steps = [batch.reset(seed=number) for number, batch in enumerate(batches)]
        first = chance.normal(size=(batches[0].layout["compact"], hidden)).astype(np.float32)
        second = chance.normal(size=(hidden, 16)).astype(np.float32)
        decisions, wall, processor = 0, time.perf_counter(), time.process_time()
        with ThreadPoolExecutor(1) as executor:
            coming: list = [None, None]
            while time.perf_counter() - wall < seconds:
                for half, batch in enumerate(batches):
                    if coming[half] is not None:
                        steps[half] = coming[half].result()
                    np.maximum(steps[half].observation.astype(np.float32) @ first, 0) @ second
                    actions = steps[half].legal.pick(chance)
                    if beside:
                        coming[half] = executor.submit(batch.step, actions)
                    else:
                        steps[half] = batch.step(actions)
                    decisions += 512
        return decisions / (time.perf_counter() - wall), decisions / (time.process_time() - processor)

    for hidden in (32, 256):
        rates: dict[bool, list[tuple[float, float]]] = {False: [], True: []}
        for _ in range(3):
            for beside, found in rates.items():
                found.append(play(beside, hidden))
        for beside, found in rates.items():
            (wall, processor), how = np.median(found, axis=0), "beside it" if beside else "in turn"
            print(f"| two halves of 512, network of {hidden}, stepped {how} | {wall:,.0f} | {processor:,.0f} | |", flush=True)


def datasets(seconds: float, threads: int | None) -> None:
    """Positions a second: read back as arrays, and stored with one-ply values of every decision."""
    import tempfile

    import bastide

    with tempfile.TemporaryDirectory() as folder:
        made = bastide.dataset(f"{folder}/plain", games=128, bots="greedy", threads=threads, games_per_shard=128)

        def read(**options: object) -> Callable[[], int]:
            return lambda: len(made.read(0, threads=threads, **options)["action"])  # type: ignore[arg-type]

        measure("dataset read: compact and mask of 4,912", read(), seconds)
        measure("dataset read: compact alone", read(mask=False), seconds)
        measure("dataset read: planes 32×35×35 and mask", read(observation="planes"), seconds)
        number = 0

        def store(values: str | None) -> Callable[[], int]:
            def make() -> int:
                nonlocal number
                number += 1
                stored = bastide.dataset(f"{folder}/{number}", games=4, bots="random", values=values,
                                         games_per_shard=4, threads=threads, seed=number)  # fmt: skip
                return len(stored.read(0, observation="none", mask=False)["action"])

            return make

        measure("dataset made: random play", store(None), seconds)
        measure("dataset made: random play, one-ply values of greedy", store("greedy"), seconds)


def carcassonne_chosen_by_numpy(seconds: float, threads: int | None) -> None:
    import bastide

    batch = bastide.CarcassonneBatch(1024, copy=False, threads=threads)
    generator, step = np.random.default_rng(1), batch.reset(seed=1)

    def play() -> int:
        nonlocal step
        for _ in range(20):
            step = batch.step(step.legal.pick(generator))
        return 20 * batch.num_envs

    measure("bastide Carcassonne ×1024, copy=False: compact, actions chosen by numpy", play, seconds)


def singles(seconds: float) -> None:
    import bastide

    chance, dealer = random.Random(1), bastide.Dealer(1)
    state = bastide.CarcassonneState()

    def play_state() -> int:
        nonlocal state
        for _ in range(200):
            dealer.deal(state)
            if state.is_terminal():
                state = bastide.CarcassonneState()
                dealer.deal(state)
            state.apply_action(chance.choice(state.legal_actions()))
        return 200

    measure("bastide CarcassonneState, one game", play_state, seconds)
    batch = bastide.CarcassonneBatch(1, copy=False, threads=1)
    batch.reset(seed=1)

    def play_one() -> int:
        for _ in range(200):
            batch.step(batch.sample_actions())
        return 200

    measure("bastide Carcassonne ×1, copy=False: compact", play_one, seconds)
    town = bastide.TinytownState()

    def play_town() -> int:
        nonlocal town
        for _ in range(200):
            if town.is_terminal():
                town = bastide.TinytownState()
            town.apply_action(chance.choice(town.legal_actions()))
        return 200

    measure("bastide TinytownState 3x3, one game", play_town, seconds)
    if importlib.util.find_spec("gymnasium") is None:
        return
    import gymnasium

    env = gymnasium.make("bastide/Carcassonne-v1", opponent="random").unwrapped
    env.reset(seed=1)

    def play_env() -> int:
        for _ in range(100):
            legal = np.flatnonzero(env.action_masks())
            if env.step(chance.choice(legal))[2]:
                env.reset()
        return 100

    measure("bastide Gymnasium, one game against random", play_env, seconds,
            "the opponent's decisions not counted")  # fmt: skip


def tinytown(seconds: float, threads: int | None) -> None:
    import bastide

    for games in (1024, 16_384):
        batch = bastide.TinytownBatch(games, "3x3", copy=False, threads=threads)
        batch.reset(seed=1)
        # Actions known beforehand: what a step costs, without choosing.
        script: list[np.ndarray] = []
        for _ in range(60):
            script.append(batch.sample_actions())
            batch.step(script[-1])

        def replay(batch: bastide.TinytownBatch = batch, script: list = script) -> int:
            batch.reset()
            for actions in script:
                batch.step(actions)
            return len(script) * batch.num_envs

        def play(batch: bastide.TinytownBatch = batch) -> int:
            for _ in range(20):
                batch.step(batch.sample_actions())
            return 20 * batch.num_envs

        measure(f"bastide Tinytown 3x3 ×{games}, copy=False: steps, matrix and mask", replay, seconds)
        measure(f"bastide Tinytown 3x3 ×{games}, copy=False: with random choice", play, seconds)


def pettingzoo(seconds: float) -> None:
    import bastide.aec

    def aec(env: object) -> Callable[[], int]:
        env.reset(seed=1)  # type: ignore[attr-defined]

        def play() -> int:
            for _ in range(50):
                observation, _, over, cut, _ = env.last()  # type: ignore[attr-defined]
                if over or cut:
                    env.reset()  # type: ignore[attr-defined]
                    continue
                env.step(int(np.random.choice(np.flatnonzero(observation["action_mask"]))))  # type: ignore[attr-defined]
            return 50

        return play

    measure("bastide Carcassonne, PettingZoo AEC", aec(bastide.aec.env()), seconds)
    for name in ("tictactoe_v3", "connect_four_v3", "chess_v6"):
        try:
            module = importlib.import_module(f"pettingzoo.classic.{name}")
            play = aec(module.env())
        except Exception as error:  # noqa: BLE001 - whatever keeps it from running is told
            print(f"| PettingZoo {name} | - | - | not here: {type(error).__name__} |")
            continue
        measure(f"PettingZoo {name}", play, seconds)


def open_spiel(seconds: float) -> None:
    import pyspiel

    for name in ("tic_tac_toe", "connect_four", "backgammon", "go(board_size=9)"):
        game = pyspiel.load_game(name)

        def play(game: object = game) -> int:
            decisions = 0
            state = game.new_initial_state()  # type: ignore[attr-defined]
            while not state.is_terminal():
                if state.is_chance_node():
                    kinds, odds = zip(*state.chance_outcomes())
                    state.apply_action(random.choices(kinds, odds)[0])
                else:
                    state.apply_action(random.choice(state.legal_actions()))
                    decisions += 1
            return decisions

        measure(f"OpenSpiel {name}, from Python", play, seconds)


def pgx(seconds: float) -> None:
    import jax
    import pgx as library
    from pgx.experimental.wrappers import auto_reset

    size = 1024
    for name in ("tic_tac_toe", "connect_four", "backgammon", "go_9x9"):
        env = library.make(name)
        step_one = auto_reset(env.step, env.init)

        def step(carry: tuple, _: object, step_one: Callable = step_one) -> tuple:
            state, key = carry
            key, pick, after = jax.random.split(key, 3)
            logits = jax.numpy.where(state.legal_action_mask, 0.0, -1e9)
            action = jax.random.categorical(pick, logits, axis=-1)
            state = jax.vmap(step_one)(state, action, jax.random.split(after, size))
            return (state, key), None

        run = jax.jit(lambda carry, step=step: jax.lax.scan(step, carry, None, length=20)[0])
        keys = jax.random.split(jax.random.PRNGKey(0), size)
        carry = (jax.vmap(env.init)(keys), jax.random.PRNGKey(1))

        def play() -> int:
            nonlocal carry
            carry = jax.block_until_ready(run(carry))
            return 20 * size

        measure(f"pgx {name} ×{size}, CPU", play, seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=2.0, help="for each row")
    parser.add_argument("--threads", type=int, help="of our batches")
    parser.add_argument("--only", help="bastide, fresh, overlap, dataset, pettingzoo, open_spiel or pgx")
    options = parser.parse_args()
    cores = len(os.sched_getaffinity(0))
    model = [l for l in Path("/proc/cpuinfo").read_text().splitlines() if "model name" in l][:1]
    print(f"{cores} cores, load {os.getloadavg()[0]:.1f}, {model}, Python {platform.python_version()}\n")
    print("| what | decisions a second (wall) | per CPU-second | |\n| --- | --- | --- | --- |")
    parts: dict[str, Callable[[], object]] = {
        "bastide": lambda: (
            carcassonne(options.seconds, options.threads),
            carcassonne_chosen_by_numpy(options.seconds, options.threads),
            tinytown(options.seconds, options.threads),
            singles(options.seconds),
        ),
        "fresh": lambda: fresh_arrays(options.seconds, options.threads),
        "overlap": lambda: overlap(options.seconds, options.threads),
        "dataset": lambda: datasets(options.seconds, options.threads),
        "pettingzoo": lambda: pettingzoo(options.seconds),
        "open_spiel": lambda: open_spiel(options.seconds),
        "pgx": lambda: pgx(options.seconds),
    }
    modules = {"open_spiel": "pyspiel", "fresh": "bastide", "dataset": "bastide", "overlap": "bastide"}
    for name, part in parts.items():
        if options.only not in (None, name):
            continue
        if importlib.util.find_spec(modules.get(name, name)) is None:
            print(f"| {name} | - | - | not installed here |")
            continue
        part()


if __name__ == "__main__":
    main()
