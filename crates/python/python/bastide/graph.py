"""The state-transition graph of Tinytown, in the forms of the usual graph libraries."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bastide import _native
from bastide.extras import needed


class TinytownGraph(_native.TinytownGraph):
    """Every state of a setup, numbered, with its transitions and exact values."""

    def get_successor_states(self, state: _native.TinytownState) -> list[_native.TinytownState]:
        """The states after each legal action, in the order of the actions."""
        return [self.state(target) for _, target, _ in self.successors(self.id(state))]

    def get_adjacency_matrix(self) -> Any:
        """The graph as a scipy CSR matrix: entry (i, j) counts the actions from i to j."""
        sparse = needed("scipy.sparse", "graph")
        data = np.ones(self.num_edges, dtype=np.int8)
        shape = (self.num_states, self.num_states)
        matrix = sparse.csr_matrix((data, self.indices(), self.indptr()), shape=shape)
        matrix.sum_duplicates()
        return matrix

    def edges(self) -> NDArray[np.int64]:
        """Every edge as a row of two ids, in the order of ``actions()`` and ``rewards()``."""
        sources = np.repeat(np.arange(self.num_states), np.diff(self.indptr()))
        return np.stack([sources, self.indices()], axis=1)

    def optimal_edges(self) -> NDArray[np.bool_]:
        """For each edge whether perfect play may take it."""
        sources = np.repeat(self.values(), np.diff(self.indptr()))
        return np.asarray(self.action_values() == sources)

    def to_networkx(self) -> Any:
        """A ``networkx.MultiDiGraph`` with actions, rewards, V* and the states as lines."""
        networkx = needed("networkx", "graph")
        graph = networkx.MultiDiGraph(setup=self.setup)
        for node, value in enumerate(self.values().tolist()):
            graph.add_node(node, value=value, state=self.state(node).line())
        columns = zip(self.edges().tolist(), self.actions().tolist(), self.rewards().tolist())
        for (source, target), action, reward in columns:
            graph.add_edge(source, target, action=action, reward=reward)
        return graph

    def to_igraph(self) -> Any:
        """A directed ``igraph.Graph`` with the same attributes."""
        igraph = needed("igraph", "graph")
        graph = igraph.Graph(n=self.num_states, edges=self.edges().tolist(), directed=True)
        graph.vs["value"] = self.values().tolist()
        graph.vs["state"] = [self.state(node).line() for node in range(self.num_states)]
        graph.es["action"] = self.actions().tolist()
        graph.es["reward"] = self.rewards().tolist()
        return graph

    def to_rustworkx(self) -> Any:
        """A ``rustworkx.PyDiGraph``; nodes are lines, edges (action, reward)."""
        rustworkx = needed("rustworkx", "graph")
        graph = rustworkx.PyDiGraph(multigraph=True)
        graph.add_nodes_from([self.state(node).line() for node in range(self.num_states)])
        columns = zip(self.edges().tolist(), self.actions().tolist(), self.rewards().tolist())
        graph.add_edges_from([(a, b, (action, reward)) for (a, b), action, reward in columns])
        return graph
