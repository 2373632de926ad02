"""Our bots and tools from Python."""

import signal
import threading
import time

import bastide
import pytest
from conftest import random_state


def test_every_level_and_bot_plays_a_legal_turn() -> None:
    names = bastide.bot_names()
    assert list(names)[: len(bastide.level_names())] == bastide.level_names()
    state = random_state(3, 40)
    for name in names:
        turn = bastide.Bot(name, nodes=60).turn(state)
        then = state.clone()
        for action in turn:
            then.apply_action(action)
        assert then.current_player() != state.current_player(), name
        assert bastide.Bot(name, nodes=60).choose(state) == turn[0]


def test_the_same_seed_plays_the_same() -> None:
    state = random_state(9, 30)
    for name in ("random", "shepherd", "mcts"):
        bot = bastide.Bot(name, seed=4, nodes=100)
        first = bot.turn(state)
        bot.new_game(4)
        assert bot.turn(state) == first == bastide.Bot(name, seed=4, nodes=100).turn(state)


def test_a_limit_that_a_bot_does_not_know() -> None:
    for spec in ("mcts", "puct", "best:search=puct"):
        with pytest.raises(ValueError, match="knows no limit of depth"):
            bastide.Bot(spec, depth=2)
        bot, state = bastide.Bot(spec, nodes=50), random_state(3, 40)
        with pytest.raises(ValueError, match="allowed: nodes, time"):
            bot.choose(state, depth=2)
        assert bot.choose(state) in state.legal_actions()


def test_an_analysis_says_what_turns_are_worth() -> None:
    state = random_state(3, 40)
    report = bastide.Bot("best").analyse(state, top=3, nodes=300)
    assert 1 <= len(report["lines"]) <= 3
    assert report["lines"][0]["actions"] == report["actions"]
    assert [state.action_to_string(report["actions"][0])] == report["turn"][:1]
    assert report["margins"][0] == pytest.approx(-report["margins"][1])
    assert 0 <= report["wins"][0] <= 1


def test_endings_are_exact() -> None:
    state = random_state(1, 138)
    assert sum(state.tiles_left()) <= 2
    solved = bastide.solve_ending(state, time=60.0)
    assert solved is not None and solved["exact"]
    assert solved["margins"][0] == pytest.approx(-solved["margins"][1])
    assert bastide.solve_ending(random_state(1, 20), nodes=10) is None


def test_a_match_has_swapped_seats_and_records_that_replay() -> None:
    result = bastide.play_match("greedy", "random", rounds=3, seed=5)
    assert len(result["games"]) == 6 and result["margin"] > 0
    assert result == bastide.play_match("greedy", "random", rounds=3, seed=5, threads=1)
    for game in result["games"]:
        assert bastide.replay(game["record"])["scores"] == game["scores"]
    three = bastide.play_match("greedy", "random", rounds=1, setup="players=3")
    assert [game["seat"] for game in three["games"]] == [0, 1, 2]


OPENING = "carcassonne players=2\nK; 0,1 r2; city0\nD; 0,2 r3; city0\nE; -1,1 r0; pass"


def test_a_review_adds_up_and_repeats() -> None:
    review = bastide.review(OPENING)
    assert [step["kind"] for step in review["steps"]] == ["draw", "decision"] * 3
    for player in review["players"]:
        parts = sum(player[part]["margin"] for part in ("start", "luck", "skill", "rest"))
        assert parts == pytest.approx(player["result"]["margin"], abs=1e-6)
        assert 0 <= player["accuracy"] <= 100
    assert bastide.review(OPENING, depth="quick") == review
    town = bastide.review("tinytown 2x3\nbrick 0,0; end")
    assert town["players"][0]["rest"]["margin"] == pytest.approx(0)
    assert all(step["exact"] for step in town["steps"])
    with pytest.raises(ValueError, match="quick or deep"):
        bastide.review(OPENING, depth="endless")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="ply 2"):
        bastide.review("carcassonne\nK; 9,9 r0")


def test_wrong_questions_are_refused() -> None:
    with pytest.raises(ValueError, match="no bot is called 'nobody'; known:"):
        bastide.Bot("nobody")
    with pytest.raises(ValueError, match="no parameter"):
        bastide.Bot("random:x=1")
    with pytest.raises(ValueError, match="2 to 6"):
        bastide.Bot("random", 9)
    bot = bastide.Bot("random")
    with pytest.raises(ValueError, match="chance node"):
        bot.choose(bastide.CarcassonneState())
    with pytest.raises(ValueError, match="made for 2 players"):
        bot.choose(random_state(1, 2, "players=3"))
    with pytest.raises(ValueError, match="over"):
        bot.choose(random_state(1, 500))
    with pytest.raises(ValueError, match="time=-1: expected 0 to"):
        bot.choose(random_state(1, 2), time=-1.0)
    with pytest.raises(ValueError, match="rounds"):
        bastide.play_match("random", "random", rounds=0)
    with pytest.raises(ValueError, match="known"):
        bastide.play_match("random", "nobody")


def test_ctrl_c_ends_a_long_search() -> None:
    # `best` knows when it is sure; this one uses all the time it has.
    bot, state = bastide.Bot("mcts"), random_state(3, 20)
    main = threading.main_thread().ident
    assert main is not None
    # A shell starts what runs in its background with Ctrl-C ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.5, lambda: signal.pthread_kill(main, signal.SIGINT))
    timer.start()
    start = time.monotonic()
    try:
        with pytest.raises(KeyboardInterrupt):
            bot.choose(state, time=600.0)
    finally:
        signal.signal(signal.SIGINT, before)
    assert time.monotonic() - start < 300
    bot.choose(state, nodes=20)


def test_a_bot_belongs_to_one_thread_at_a_time() -> None:
    bot, state = bastide.Bot("best"), random_state(3, 20)
    told: list[str] = []

    def ask() -> None:
        while not told:
            try:
                bot.choose(state, nodes=300)
            except bastide.BusyError as error:
                told.append(str(error))

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert told and "another thread" in told[0]
