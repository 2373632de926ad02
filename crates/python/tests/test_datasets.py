"""Datasets: games as moves in shards, read back as what every decision saw."""

import shutil
from pathlib import Path
from typing import Any

import bastide
import numpy as np
import pytest
from bastide import _native

SETUP = "board=7x7"


def decisions(record: str, tensors: str | None = None) -> list[tuple[bastide.CarcassonneState, int]]:
    """Every decision of a record, with its action."""
    end = bastide.CarcassonneState.from_record(record, tensors=tensors)
    state, found = bastide.CarcassonneState(end.setup, tensors), []
    for number in end.history():
        if not state.is_chance_node():
            found.append((state.clone(), number))
        state.apply_action(number)
    return found


@pytest.mark.parametrize("setup", [SETUP, "players=3 board=7x7 sets=inns,traders"])
@pytest.mark.parametrize("observation", ["compact", "planes"])
def test_what_is_read_is_what_every_decision_saw(tmp_path: Path, setup: str, observation: Any) -> None:
    made = bastide.dataset(tmp_path, games=6, bots=["random", "greedy"], setup=setup, games_per_shard=4, threads=2)
    players = bastide.layout(setup)["players"]
    assert len(made) == (2 if players == 2 else 1) and made.setup == bastide.layout(setup)["setup"]
    games = 0
    for shard in range(len(made)):
        read = made.read(shard, observation=observation, threads=3)
        with np.load(made.shards[shard]) as stored:
            history, offsets, scores = stored["history"], stored["offsets"], stored["scores"]
        row = 0
        for game in range(len(offsets) - 1):
            state = bastide.CarcassonneState(setup)
            for number in history[offsets[game] : offsets[game + 1]]:
                if not state.is_chance_node():
                    assert (read["action"][row], read["seat"][row]) == (number, state.current_player())
                    assert read["game"][row] == game
                    np.testing.assert_array_equal(read["action_mask"][row], state.legal_actions_mask())
                    if observation == "planes":
                        np.testing.assert_array_equal(read["planes"][row], state.planes())
                        np.testing.assert_array_equal(read["globals"][row], state.globals())
                    else:
                        np.testing.assert_array_equal(read["observation"][row], state.compact())
                    row += 1
                state.apply_action(int(number))
            assert state.is_terminal() and state.scores() == scores[game].tolist()
            margins, wins = state.returns("margin"), state.returns("win")
            mine = read["game"] == game
            assert read["target"][mine].tolist() == [margins[seat] for seat in read["seat"][mine]]
            won = made.read(shard, observation="none", mask=False, target="win")
            assert won["target"][mine].tolist() == [wins[seat] for seat in won["seat"][mine]]
            games += 1
        assert row == len(read["action"])
    assert games == 6


def test_an_interrupted_dataset_goes_on_and_is_the_same(tmp_path: Path) -> None:
    options: dict[str, Any] = {"games": 12, "bots": "random", "setup": SETUP, "games_per_shard": 4, "seed": 5}
    whole = bastide.dataset(tmp_path / "whole", **options)
    seen: list[tuple[int, int]] = []

    class Stop(Exception):
        pass

    def stop(done: int, count: int) -> None:
        seen.append((done, count))
        if done == 2:
            raise Stop

    with pytest.raises(Stop):
        bastide.dataset(tmp_path / "part", progress=stop, **options)
    assert seen == [(1, 3), (2, 3)] and len(bastide.Dataset(tmp_path / "part")) == 2
    kept = (tmp_path / "part" / "shard-00000.npz").stat().st_mtime_ns
    again = bastide.dataset(tmp_path / "part", progress=False, **options)
    assert (tmp_path / "part" / "shard-00000.npz").stat().st_mtime_ns == kept
    for a, b in zip(whole, again):
        assert all(np.array_equal(a[name], b[name]) for name in a)
    assert not list(tmp_path.glob("*/*.part"))
    more = bastide.dataset(tmp_path / "part", **{**options, "games": 16})
    assert len(more) == 4
    for name, value in (("seed", 6), ("setup", "board=9x9"), ("bots", "greedy"), ("values", "greedy")):
        with pytest.raises(ValueError, match=f"{name} was .* in this dataset, now"):
            bastide.dataset(tmp_path / "part", **{**options, "games": 16, name: value})


def test_a_dataset_that_python_made_goes_on(tmp_path: Path, fixtures: Path) -> None:
    """The fixture is of the time when shards were made in Python: what is in them has not changed."""
    old = bastide.Dataset(fixtures / "dataset-5x5")
    shutil.copytree(old.folder, tmp_path, dirs_exist_ok=True)
    (tmp_path / "shard-00001.npz").unlink()
    options: dict[str, Any] = {
        "games_per_shard": 2, "seed": 2**40 + 3, "nodes": 50, "setup": "board=5x5", "bots": ["random", "greedy"],
        "values": "greedy", "policy": True, "luck": True,
    }  # fmt: skip
    gone_on = bastide.dataset(tmp_path, games=4, **options)
    assert (tmp_path / "dataset.json").read_bytes() == (old.folder / "dataset.json").read_bytes()
    new = bastide.dataset(tmp_path / "new", games=4, **options)
    assert (tmp_path / "new" / "dataset.json").read_bytes() == (old.folder / "dataset.json").read_bytes()
    for made in (gone_on, new):
        for own, theirs in zip(made.shards, old.shards, strict=True):
            with np.load(own) as a, np.load(theirs) as b:
                assert a.files == b.files
                for name in a.files:
                    assert (a[name].dtype, a[name].shape) == (b[name].dtype, b[name].shape), name
                    if name == "luck":  # the mean of all draws may be rounded in another way
                        np.testing.assert_allclose(a[name], b[name], atol=1e-6)
                    else:
                        np.testing.assert_array_equal(a[name], b[name], err_msg=name)


def test_states_are_those_of_the_decisions(tmp_path: Path) -> None:
    made = bastide.dataset(tmp_path, games=4, bots="random", setup=SETUP, games_per_shard=4)
    read, states = made.read(0), list(made.states(0))
    assert len(states) == len(read["action"])
    for row, state in enumerate(states):
        assert state.current_player() == read["seat"][row]
        np.testing.assert_array_equal(state.compact(), read["observation"][row])
    with pytest.raises(IndexError, match="index 1 is out of bounds"):
        next(made.states(1))


def test_lambda_returns_are_means_of_values_to_come(tmp_path: Path) -> None:
    made = bastide.dataset(tmp_path, games=2, bots="random", setup=SETUP, values="greedy", games_per_shard=2)
    read = made.read(0, observation="none", mask=False, target="lambda", lambda_=0.5)
    with np.load(made.shards[0]) as stored:
        scores = stored["scores"]
    bot = bastide.Bot("greedy", setup=made.setup)
    for row in (0, 3, len(read["action"]) - 1):
        game, seat = read["game"][row], read["seat"][row]
        last = float(scores[game][seat] - scores[game][1 - seat])
        to_come = np.flatnonzero((read["game"] == game) & (np.arange(len(read["game"])) > row))
        weights = [0.5 * 0.5**k for k in range(len(to_come))]
        wanted = sum(w * read["values"][r][seat] for w, r in zip(weights, to_come))
        wanted += 0.5 ** len(to_come) * last
        assert read["target"][row] == pytest.approx(wanted, rel=1e-4, abs=1e-4)
    plain = made.read(0, observation="none", mask=False, target="lambda", lambda_=1.0)
    np.testing.assert_allclose(plain["target"], made.read(0, observation="none", mask=False)["target"])
    assert bot.analyse(bastide.CarcassonneState.from_record(f"carcassonne {made.setup}\nU"))["margins"]


def test_a_folder_of_records_is_a_dataset(tmp_path: Path) -> None:
    source = tmp_path / "records"
    source.mkdir()
    match = bastide.play_match("random", "greedy", rounds=2, setup=SETUP)
    for number, game in enumerate(match["games"]):
        (source / f"game-{number}.txt").write_text(game["record"])
    made = bastide.dataset(tmp_path / "set", records=source, setup=SETUP, games_per_shard=3)
    assert len(made) == 2
    first = made.read(0)
    wanted = decisions(match["games"][0]["record"])
    assert first["action"][: len(wanted)].tolist() == [action for _, action in wanted]
    np.testing.assert_array_equal(first["observation"][5], wanted[5][0].compact())
    (source / "wrong.txt").write_text("no record")
    with pytest.raises(ValueError, match="wrong.txt: "):
        bastide.dataset(tmp_path / "other", records=source, setup=SETUP)
    with pytest.raises(ValueError, match="game-0.txt: expected setup '.*9x9.*', found '.*7x7"):
        bastide.dataset(tmp_path / "third", records=source, setup="board=9x9")


def test_batches_for_pytorch(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    made = bastide.dataset(tmp_path, games=8, bots="random", setup=SETUP, games_per_shard=2)
    loader = torch.utils.data.DataLoader(made.torch(batch=50, seed=1), batch_size=None, num_workers=2)
    rows = sum(len(batch["action"]) for batch in loader)
    assert rows == sum(len(shard["action"]) for shard in made)
    batch = next(iter(made.torch(batch=50)))
    assert batch["observation"].dtype == torch.int16 and batch["target"].dtype == torch.float32


HOSTILE: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({}, ValueError, "games: expected how many games to play"),
    ({"games": 0}, ValueError, "games=0: expected an integer of 1 or more"),
    ({"games": 2.5}, ValueError, "games=2.5: expected an integer"),
    ({"games": 2, "games_per_shard": 0}, ValueError, "games_per_shard=0"),
    ({"games": 2, "bots": "nobody"}, ValueError, "nobody"),
    ({"games": 2, "bots": ["random"] * 3}, ValueError, "expected the name of a bot, or of two"),
    ({"games": 2, "values": "nobody"}, ValueError, "nobody"),
    ({"games": 2, "setup": "players=9"}, ValueError, "players"),
    ({"records": "nowhere"}, FileNotFoundError, "nowhere"),
]


@pytest.mark.parametrize("options, error, words", HOSTILE)
def test_hostile_arguments_of_datasets(tmp_path: Path, options: dict, error: type, words: str) -> None:
    with pytest.raises(error, match=words):
        bastide.dataset(tmp_path / "set", **options)
    assert not list(tmp_path.glob("set/shard-*"))


def test_hostile_questions_to_a_dataset(tmp_path: Path) -> None:
    made = bastide.dataset(tmp_path, games=2, bots="random", setup=SETUP)
    for options, error, words in (
        ({"observation": "pixels"}, ValueError, "allowed: 'compact', 'planes', 'none'"),
        ({"target": "lambda"}, ValueError, "make the dataset with values=BOT"),
        ({"target": "luck"}, ValueError, "allowed: 'margin', 'win', 'lambda'"),
        ({"tensors": "v2"}, ValueError, "stored as those of 'v1'"),
        ({"threads": 0}, ValueError, "threads=0: expected 1 to 1024"),
    ):
        with pytest.raises(error, match=words):
            made.read(0, **options)  # type: ignore[arg-type]
    with pytest.raises(IndexError, match="index 1 is out of bounds for a dataset of 1 shards"):
        made.read(1)
    with pytest.raises(FileNotFoundError, match="there is no dataset.json"):
        bastide.Dataset(tmp_path / "nowhere")


def test_numbers_that_are_no_game_are_refused() -> None:
    good = bastide.CarcassonneState(SETUP)
    bastide.Dealer(1).deal(good)
    good.apply_action(good.legal_actions()[0])
    history = good.history()

    def replayed(numbers: list[int], offsets: Any = None, rows: Any = (0, 1)) -> None:
        offsets = [0, len(numbers)] if offsets is None else offsets
        seen = np.empty((max(rows[-1], 0), bastide.layout(SETUP)["compact"]), np.int16)
        arrays = [np.array(numbers, np.int32), np.array(offsets), np.array(rows)]
        _native.replay_into(SETUP, None, *arrays, compact=seen)

    replayed(history)
    for arguments, words in (
        (([history[0], -1],), "game 0: move 1: -1 is not legal"),
        (([99, history[1]],), "game 0: move 0: 99 is not legal"),
        (([-1],), "move 0: -1 is not legal"),
        ((history, [0, 1]), "offsets: expected to end with 2"),
        ((history, [1, 2]), "offsets: expected to begin with 0"),
        ((history, [0, 5, 2], (0, 1, 1)), "never to fall"),
        ((history, None, (0, 2)), "1 decisions for 2 rows"),
        ((history, None, (0, 0)), "more than 0 decisions"),
        ((history, None, (0, 1, 1)), "rows: expected 1 games, found 2"),
    ):
        with pytest.raises(ValueError, match=words):
            replayed(*arguments)
    with pytest.raises(ValueError, match="found shape"):
        _native.replay_into(SETUP, None, np.array(history, np.int32), np.array([0, 2]), np.array([0, 1]),
                            compact=np.empty((1, 3), np.int16))  # fmt: skip


def test_the_policy_is_what_a_bot_says_of_every_action(tmp_path: Path) -> None:
    made = bastide.dataset(tmp_path, games=2, bots="random", setup=SETUP, values="greedy", policy=True)
    read = made.read(0, policy=2.0)
    bot, row = bastide.Bot("greedy", setup=SETUP), 0
    with np.load(made.shards[0]) as stored:
        offsets, history = stored["offsets"], stored["history"]
    for game in range(len(offsets) - 1):
        state = bastide.CarcassonneState(SETUP)
        for number in history[offsets[game] : offsets[game + 1]]:
            if not state.is_chance_node():
                worth: dict[int, float] = {}
                for line in bot.analyse(state, top=10_000)["lines"]:
                    first = line["actions"][0]
                    worth[first] = max(line["margin"], worth.get(first, -np.inf))
                wanted = np.zeros(len(read["policy"][row]))
                wanted[list(worth)] = np.exp((np.array(list(worth.values())) - max(worth.values())) / 2.0)
                np.testing.assert_allclose(read["policy"][row], wanted / wanted.sum(), atol=1e-5)
                assert not (read["policy"][row] > 0)[read["action_mask"][row] == 0].any()
                row += 1
            state.apply_action(int(number))
    assert row == len(read["policy"])


def test_luck_is_what_a_draw_was_worth_against_the_mean(tmp_path: Path) -> None:
    made = bastide.dataset(tmp_path, games=2, bots="random", setup=SETUP, values="greedy", luck=True)
    read = made.read(0, observation="none", mask=False)
    bot, row = bastide.Bot("greedy", setup=SETUP), 0
    with np.load(made.shards[0]) as stored:
        offsets, history = stored["offsets"], stored["history"]
    for game in range(len(offsets) - 1):
        state, luck = bastide.CarcassonneState(SETUP), np.zeros(2)
        for number in history[offsets[game] : offsets[game + 1]]:
            if state.is_chance_node():
                worth, odds = {}, {}
                for outcome, share in state.chance_outcomes():
                    child = state.clone()
                    child.apply_action(outcome)
                    if not child.is_chance_node() and not child.is_terminal():
                        worth[outcome] = np.array(bot.analyse(child, top=0)["margins"])
                        odds[outcome] = share
                if number in worth:
                    total = sum(odds.values())
                    mean = sum((worth[o] * odds[o] for o in worth), np.zeros(2)) / total
                    luck = luck + worth[number] - mean
            else:
                np.testing.assert_allclose(read["luck"][row], luck, atol=1e-4)
                luck = np.zeros(2)
                row += 1
            state.apply_action(int(number))
    assert row == len(read["luck"]) and np.abs(read["luck"]).max() > 0.5


def test_policy_and_luck_need_a_bot(tmp_path: Path) -> None:
    for asked in ({"policy": True}, {"luck": True}):
        with pytest.raises(ValueError, match="values=BOT"):
            bastide.dataset(tmp_path, games=2, setup=SETUP, **asked)  # type: ignore[arg-type]
    made = bastide.dataset(tmp_path / "plain", games=2, bots="random", setup=SETUP, values="greedy")
    with pytest.raises(ValueError, match="policy=True"):
        made.read(0, policy=1.0)
    made = bastide.dataset(tmp_path / "policy", games=2, bots="random", setup=SETUP, values="greedy", policy=True)
    for temperature in (0.0, -1.0, float("inf"), float("nan")):
        with pytest.raises(ValueError, match="above 0"):
            made.read(0, policy=temperature)
    with pytest.raises(ValueError, match="policy was true"):
        bastide.dataset(tmp_path / "policy", games=2, bots="random", setup=SETUP, values="greedy")
