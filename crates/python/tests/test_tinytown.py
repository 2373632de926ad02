"""Tinytown: states, batches, the graph and its exact values."""

import copy
import pickle

import bastide
import numpy as np
import pytest


def test_actions_have_numbers_texts_and_vectors() -> None:
    for setup in ("1x1", "3x3", "2x4 older", "5x5"):
        state = bastide.TinytownState(setup)
        rows, cols = state.shape
        count = 2 * rows * cols + 7 * (rows - 1) * (cols - 1) + 1
        assert state.num_distinct_actions() == count
        for action in range(count):
            assert state.string_to_action(state.action_to_string(action)) == action
            assert state.vector_to_action(state.action_to_vector(action)) == action
    # A building beside its pattern is a vector of the specification, but never legal.
    assert bastide.TinytownState("3x3").vector_to_action([0, 0, 0, 1, 1, 1]) is None
    for wrong in ([0] * 5, [9, 0, 0, 0, 0, 0], [0, 0, 2, 0, 0, 0], [0, 0, 0, 0, 0, 3]):
        with pytest.raises(ValueError):
            bastide.TinytownState("3x3").vector_to_action(wrong)


def test_the_matrix_of_the_specification() -> None:
    state = bastide.TinytownState("2x3")
    state.apply_action(state.string_to_action("glass 0,2"))
    assert state.matrix().tolist() == [[0, 0, 2, 0], [0, 0, 0, 0], [0, 0, 0, 1]]
    assert state.phase == "building"
    assert bastide.TinytownState.from_matrix("2x3", state.matrix().tolist()) == state
    for other in (copy.deepcopy(state), pickle.loads(pickle.dumps(state)), state.clone()):
        assert other == state and hash(other) == hash(state)
    for matrix in ([[1]], [[9, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 1]], [], [[0] * 12], [[0] * 400] * 400):
        with pytest.raises(ValueError):
            bastide.TinytownState.from_matrix("2x3", matrix)
    with pytest.raises(bastide.IllegalActionError, match="building phase"):
        state.apply_action(0)
    for action in (-1, 27, 2**62):
        with pytest.raises(bastide.IllegalActionError, match="out of bounds"):
            state.apply_action(action)
    for setup in ("0x3", "6x6", "3", "3x3 newer", "99999999999x1"):
        with pytest.raises(ValueError):
            bastide.TinytownState(setup)


def test_the_graph_is_the_published_one() -> None:
    graph = bastide.TinytownGraph("2x3")
    assert (graph.num_states, graph.num_edges) == (14_849, 30_168)
    counts = bastide.tinytown_counts("2x3")
    assert (counts["states"], counts["transitions"]) == (14_849, 30_168)
    assert graph.values()[0] == 4 == bastide.TinytownOptimal("2x3").start_value()
    assert bastide.TinytownGraph("2x2 older").setup == "2x2 older"
    states, indptr = graph.states(), graph.indptr()
    assert states.shape == (14_849, 7) and len(np.unique(states, axis=0)) == 14_849
    assert indptr[-1] == graph.num_edges == len(graph.indices()) == len(graph.actions())


@pytest.mark.parametrize("setup", ["2x3", "2x2", "2x3 older"])
def test_values_obey_the_equations_of_bellman(setup: str) -> None:
    graph = bastide.TinytownGraph(setup)
    values, uniform, indptr = graph.values(), graph.uniform_values(), graph.indptr()
    q, targets, rewards = graph.action_values(), graph.indices(), graph.rewards().astype(int)
    np.testing.assert_array_equal(q, rewards + values[targets])
    optimal, optimal_player = graph.optimal_edges(), bastide.TinytownOptimal(setup)
    for state in range(0, graph.num_states, 7):
        edges = slice(indptr[state], indptr[state + 1])
        town = graph.state(state)
        assert graph.id(town) == state
        if town.is_terminal():
            assert values[state] == 0 == uniform[state] and not graph.successors(state)
            continue
        assert values[state] == q[edges].max() == optimal_player.value(town)
        after = rewards[edges] + uniform[targets[edges]]
        assert uniform[state] == pytest.approx(after.mean())
        best = graph.actions()[edges][optimal[edges]].tolist()
        assert best == graph.optimal_actions(state) == optimal_player.optimal_actions(town)
        expected = [(a, graph.id(then), reward) for a, then, reward in town.successors()]
        assert expected == graph.successors(state)
        assert graph.get_successor_states(town) == [then for _, then, _ in town.successors()]


def test_other_libraries_get_the_same_graph(tmp_path) -> None:
    graph = bastide.TinytownGraph("2x2")
    matrix = graph.get_adjacency_matrix()
    assert matrix.shape == (graph.num_states,) * 2 and matrix.sum() == graph.num_edges
    networkx, igraph, rustworkx = graph.to_networkx(), graph.to_igraph(), graph.to_rustworkx()
    assert networkx.number_of_nodes() == igraph.vcount() == rustworkx.num_nodes()
    assert networkx.number_of_edges() == igraph.ecount() == rustworkx.num_edges()
    assert networkx.nodes[0]["value"] == igraph.vs[0]["value"] == graph.values()[0]
    assert rustworkx[0] == networkx.nodes[0]["state"] == "../.. place"
    for ending in ("npz", "graphml", "gexf", "csv"):
        graph.export(tmp_path / f"graph.{ending}")
        assert (tmp_path / f"graph.{ending}").stat().st_size > 1000
    stored = np.load(tmp_path / "graph.npz")
    assert any(stored[name].size == graph.num_edges for name in stored)
    graph.export(str(tmp_path / "states"), format="states-csv")
    with pytest.raises(ValueError, match="formats are"):
        graph.export(tmp_path / "graph.doc")
    with pytest.raises(OSError):
        graph.export(tmp_path / "no" / "such" / "folder.npz")


def test_what_would_not_fit_is_refused_with_the_count() -> None:
    with pytest.raises(MemoryError, match="states and .* transitions"):
        bastide.TinytownGraph("4x4")
    graph = bastide.TinytownGraph("2x2")
    with pytest.raises(ValueError, match="no state"):
        graph.state(10**6)
    with pytest.raises(ValueError, match="graph of 2x2"):
        graph.id(bastide.TinytownState("3x3"))
    with pytest.raises(ValueError, match="prepared for"):
        bastide.TinytownOptimal("2x2").value(bastide.TinytownState("3x3"))
    optimal = bastide.TinytownOptimal("4x4")
    assert optimal.start_value() == 25 and optimal.best_towns() == [(9, 5)]


@pytest.mark.parametrize("setup", ["1x1", "3x3", "2x4 older", "5x5"])
def test_a_batch_is_many_states(setup: str) -> None:
    batch = bastide.TinytownBatch(9, setup, threads=2)
    step = batch.reset(seed=1)
    states = [bastide.TinytownState(setup) for _ in range(9)]
    for _ in range(120):
        for game, state in enumerate(states):
            np.testing.assert_array_equal(step.observation[game], state.matrix())
            np.testing.assert_array_equal(step.mask[game], state.legal_actions_mask())
            assert batch.state(game) == state
        actions = batch.sample_actions()
        step = batch.step(actions)
        for game, action in enumerate(actions):
            reward = states[game].apply_action(int(action))
            assert step.reward[game] == reward
            assert step.terminated[game] == states[game].is_terminal()
            if step.terminated[game]:
                states[game] = bastide.TinytownState(setup)


def test_a_batch_refuses_what_is_wrong() -> None:
    batch = bastide.TinytownBatch(3)
    with pytest.raises(ValueError, match="call reset"):
        batch.step([0, 0, 0])
    batch.reset()
    with pytest.raises(bastide.IllegalActionError, match="game 2"):
        batch.step([0, 1, 46])
    with pytest.raises(TypeError):
        batch.step([0.0, 1.0, 2.0])
    with pytest.raises(ValueError):
        batch.step([0, 1])
    for illegal in ("noop", "terminate"):
        batch = bastide.TinytownBatch(2, illegal=illegal, penalty=4)
        batch.reset()
        step = batch.step([-7, 3])
        assert step.illegal.tolist() == [True, False] and step.reward[0] == -4
        assert step.terminated[0] == (illegal == "terminate")
    for options in ({"num_envs": 0}, {"num_envs": 10**9}, {"setup": "6x6"}, {"threads": 0}):
        with pytest.raises(ValueError):
            bastide.TinytownBatch(**{"num_envs": 1, **options})
    batch.close()
    with pytest.raises(bastide.ClosedError):
        batch.reset()


def test_autoreset_of_a_batch() -> None:
    for autoreset in ("same_step", "next_step", "disabled"):
        batch = bastide.TinytownBatch(1, "1x1", autoreset=autoreset)
        batch.reset()
        batch.step([0])
        step = batch.step([2])
        assert step.terminated[0] and step.reward[0] == -1
        assert step.mask[0].any() == (autoreset == "same_step")
        step = batch.step([0])
        assert step.terminated[0] == (autoreset == "disabled")
