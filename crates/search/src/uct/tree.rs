//! The tree of UCT: one flat list of nodes, each node's children next to each other.

use super::{Playout, UctParams};
use crate::evaluator::{even_values, mover};
use crate::math::ln;
use crate::turns::LONGEST_TURN;
use crate::{Clock, Line, Report, Value, Values, any_turn, final_values, value::zero_sum_for};
use game::{ByPlayer, Game, Player, Random, Turn, ignore};

/// A move and what came of it. Rewards are those of the player who makes the move.
#[derive(Clone, Copy, Debug)]
struct Node<M> {
    /// The move that leads here; none at the root.
    m: Option<M>,
    visits: u32,
    /// Where its children start, and how many there are; none before it is opened.
    first: u32,
    children: u32,
    reward: f64,
    margin: f64,
    win: f64,
}

impl<M> Node<M> {
    const fn new(m: Option<M>) -> Self {
        Self { m, visits: 0, first: 0, children: 0, reward: 0.0, margin: 0.0, win: 0.0 }
    }

    fn value(&self) -> Value {
        let n = f64::from(self.visits.max(1));
        Value { margin: (self.margin / n) as f32, win: (self.win / n) as f32 }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Tree<G: Game> {
    params: UctParams,
    nodes: Vec<Node<G::Move>>,
    /// The nodes of one playout, each with the player whose move it is.
    path: Vec<(usize, Option<Player>)>,
    moves: Vec<G::Move>,
    total: Vec<(f64, f64)>,
}

impl<G: Game> Tree<G> {
    pub(super) fn new(params: UctParams) -> Self {
        let nodes = vec![Node::new(None)];
        Self { params, nodes, path: Vec::new(), moves: Vec::new(), total: Vec::new() }
    }

    /// Walks down the tree, plays out from its leaf, and counts the result on the way back.
    pub(super) fn iterate(&mut self, root: &G, playout: &mut impl Playout<G>, random: &mut Random) {
        let mut game = root.clone();
        let mut at = 0;
        self.path.clear();
        self.path.push((0, None));
        loop {
            let turn = game.turn();
            if turn == Turn::Over || !self.open(at, &game, random) {
                break;
            }
            let child = match turn {
                Turn::Player(_) => self.select(at),
                Turn::Chance | Turn::Over => self.sampled(at, &game, random),
            };
            let Some(m) = self.nodes[child].m else { break };
            game.play_unchecked(m, ignore);
            let by = if let Turn::Player(player) = turn { Some(player) } else { None };
            self.path.push((child, by));
            at = child;
            if self.nodes[at].visits == 0 {
                break;
            }
        }
        playout.play_out(&mut game, random);
        self.count(&final_values(&game.scores()));
    }

    /// Gives a node its children, in random order; false if the tree is full.
    fn open(&mut self, at: usize, game: &G, random: &mut Random) -> bool {
        if self.nodes[at].children > 0 {
            return true;
        }
        game.moves(&mut self.moves);
        if self.nodes.len() + self.moves.len() > self.params.capacity.max(1 << 10) {
            return false;
        }
        random.shuffle(&mut self.moves);
        self.nodes[at].first = self.nodes.len() as u32;
        self.nodes[at].children = self.moves.len() as u32;
        self.nodes.extend(self.moves.iter().map(|m| Node::new(Some(*m))));
        !self.moves.is_empty()
    }

    fn children(&self, at: usize) -> std::ops::Range<usize> {
        let Node { first, children, .. } = self.nodes[at];
        first as usize..(first + children) as usize
    }

    /// The child with the highest upper confidence bound; one never visited comes first.
    fn select(&self, at: usize) -> usize {
        let range = self.children(at);
        let spread =
            f64::from(self.params.exploration) * ln(f64::from(self.nodes[at].visits)).sqrt();
        let mut best = (range.start, f64::NEG_INFINITY);
        for index in range {
            let node = &self.nodes[index];
            if node.visits == 0 {
                return index;
            }
            let n = f64::from(node.visits);
            let bound = node.reward / n + spread / n.sqrt();
            if bound > best.1 {
                best = (index, bound);
            }
        }
        best.0
    }

    /// The child of an outcome drawn by the odds.
    fn sampled(&self, at: usize, game: &G, random: &mut Random) -> usize {
        let drawn = game.sample_outcome(random);
        let mut range = self.children(at);
        let first = range.start;
        range.find(|index| self.nodes[*index].m == drawn).unwrap_or(first)
    }

    fn count(&mut self, values: &Values) {
        self.total.resize(values.len(), (0.0, 0.0));
        for ((margin, win), value) in self.total.iter_mut().zip(values.as_slice()) {
            *margin += f64::from(value.margin);
            *win += f64::from(value.win);
        }
        for (index, by) in &self.path {
            let node = &mut self.nodes[*index];
            node.visits += 1;
            if let Some(player) = by {
                let value = values[*player];
                node.reward += self.params.reward.of(value);
                node.margin += f64::from(value.margin);
                node.win += f64::from(value.win);
            }
        }
    }

    /// The most visited child; none if no child was.
    fn favourite(&self, at: usize) -> Option<usize> {
        let visited = self.children(at).filter(|index| self.nodes[*index].visits > 0);
        // The first of equals, so that the order of the list decides and nothing else.
        visited.reduce(|best, index| {
            if self.nodes[index].visits > self.nodes[best].visits { index } else { best }
        })
    }

    /// The turn that begins with a root's child: its favourite moves to the turn's end.
    fn line(&self, root: &G, child: usize) -> Line<G::Move> {
        let mut game = root.clone();
        let mut at = child;
        let mut moves = Vec::new();
        while let Some(m) = self.nodes[at].m {
            game.play_unchecked(m, ignore);
            moves.push(m);
            if mover(&game) != mover(root) || moves.len() >= LONGEST_TURN {
                break;
            }
            match self.favourite(at) {
                Some(next) => at = next,
                None => {
                    moves.extend(any_turn(&game));
                    break;
                }
            }
        }
        let node = &self.nodes[at];
        let node = if node.visits > 0 { node } else { &self.nodes[child] };
        Line { moves, value: node.value(), visits: u64::from(self.nodes[child].visits) }
    }

    pub(super) fn report(&self, root: &G, clock: &Clock) -> Report<G::Move> {
        let mut children: Vec<usize> =
            self.children(0).filter(|index| self.nodes[*index].visits > 0).collect();
        children.sort_by_key(|index| std::cmp::Reverse(self.nodes[*index].visits));
        let lines: Vec<_> = children.iter().map(|child| self.line(root, *child)).collect();
        let turn = lines.first().map_or_else(|| any_turn(root), |line| line.moves.clone());
        Report {
            turn,
            values: self.values(root, lines.first()),
            lines,
            nodes: u64::from(self.nodes[0].visits),
            time: clock.elapsed(),
            depth: self.depth(root),
            exact: false,
        }
    }

    /// The best line's value to the mover; the others' over all playouts.
    fn values(&self, root: &G, line: Option<&Line<G::Move>>) -> Values {
        let (Some(line), Some(player)) = (line, mover(root)) else {
            return even_values(root.players());
        };
        if root.players() == 2 {
            return zero_sum_for(player, line.value);
        }
        let n = f64::from(self.nodes[0].visits);
        let mean = |(margin, win): &(f64, f64)| Value {
            margin: (margin / n) as f32,
            win: (win / n) as f32,
        };
        let means: Vec<Value> = self.total.iter().map(mean).collect();
        let mut values = ByPlayer::from_slice(&means);
        values[player] = line.value;
        values
    }

    /// Turns in the line that was followed most.
    fn depth(&self, root: &G) -> u32 {
        let mut game = root.clone();
        let (mut at, mut depth) = (0, 0);
        while let Some(next) = self.favourite(at) {
            let before = mover(&game);
            let Some(m) = self.nodes[next].m else { break };
            game.play_unchecked(m, ignore);
            depth += u32::from(before.is_some() && mover(&game) != before);
            at = next;
        }
        depth
    }
}
