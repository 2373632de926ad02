//! The tree of PUCT: decisions, their turns, the outcomes between, and how they grow.

use super::{Backup, PuctParams};
use crate::evaluator::{mover, value_of};
use crate::replies::{Ranking, Replies};
use crate::{Clock, Evaluator, Value, Values, add_weighted, math};
use game::{ByPlayer, Game, Player, Random, Turn, ignore};
use std::collections::HashMap;

/// A player's decision.
#[derive(Clone, Debug)]
pub(super) struct Decision<M> {
    /// Who decides; nobody where the game is over, or chance moves twice.
    pub(super) player: Option<Player>,
    pub(super) visits: u32,
    pub(super) value: Values,
    /// The turns, those with the highest prior first.
    pub(super) edges: Vec<Edge<M>>,
    /// What each outcome after a turn changed, over all turns it was tried for.
    luck: Vec<Luck<M>>,
    /// The change to expect of a turn not yet tried.
    expected: Values,
}

/// A turn: what leads from a decision to the chance after it.
#[derive(Clone, Debug)]
pub(super) struct Edge<M> {
    pub(super) moves: Box<[M]>,
    pub(super) prior: f32,
    /// What the evaluator thinks of the turn's end; exact if the game is over there.
    pub(super) first: Values,
    pub(super) value: Values,
    pub(super) visits: u32,
    /// Empty until the turn is tried, and where the game is over.
    pub(super) branches: Vec<Branch<M>>,
}

/// An outcome of chance after a turn.
#[derive(Clone, Debug)]
pub(super) struct Branch<M> {
    /// None where chance has no say.
    pub(super) drawn: Option<M>,
    pub(super) weight: f32,
    pub(super) visits: u32,
    /// The decision after it, once it was tried.
    pub(super) child: Option<u32>,
    /// By how much the decision after it differs from the turn's first value.
    change: Values,
}

/// What an outcome changed.
#[derive(Clone, Debug)]
struct Luck<M> {
    drawn: Option<M>,
    sum: Values,
    count: u32,
}

#[derive(Clone, Debug)]
pub(super) struct Tree<G: Game> {
    pub(super) decisions: Vec<Decision<G::Move>>,
}

/// Where one walk down the tree went: decision, turn, outcome.
type Step = (usize, usize, usize);

/// What makes a tree grow.
pub(super) struct Growth<'a, G: Game, E> {
    pub(super) params: PuctParams,
    evaluator: &'a mut E,
    pub(super) clock: &'a mut Clock,
    pub(super) random: Random,
    pub(super) jitters: Vec<f32>,
    replies: Replies<G>,
    rankings: HashMap<(usize, Option<G::Move>), Ranking<G>>,
    path: Vec<Step>,
}

impl<'a, G: Game, E: Evaluator<G>> Growth<'a, G, E> {
    pub(super) fn new(
        params: PuctParams,
        evaluator: &'a mut E,
        clock: &'a mut Clock,
        mut random: Random,
    ) -> Self {
        let jitters = (0..256).map(|_| params.jitter * random.unit() as f32).collect();
        let (replies, rankings, path) = (Replies::new(), HashMap::new(), Vec::new());
        Self { params, evaluator, clock, random, jitters, replies, rankings, path }
    }

    pub(super) fn is_done(&mut self, tree: &Tree<G>) -> bool {
        self.clock.is_done()
            || tree.decisions.len() >= self.params.capacity.max(1)
            || tree.decisions[0].edges.is_empty()
    }

    /// A tree with its root decided on afresh; what an older tree knows of its turns is kept.
    pub(super) fn plant(&mut self, position: &G, old: Option<Tree<G>>) -> Tree<G> {
        let mut root = self.decide(position, None, self.params.root_width);
        let Some(mut tree) = old else { return Tree { decisions: vec![root] } };
        let before = &mut tree.decisions[0];
        for edge in &mut root.edges {
            let known = before.edges.iter_mut().find(|known| known.moves == edge.moves);
            if let Some(known) = known.filter(|known| known.visits > 0) {
                edge.visits = known.visits;
                edge.branches = std::mem::take(&mut known.branches);
            }
        }
        root.visits = 1 + root.edges.iter().map(|edge| edge.visits).sum::<u32>();
        root.luck = std::mem::take(&mut before.luck);
        root.expected = before.expected;
        revalue(&mut root, &self.params);
        tree.decisions[0] = root;
        tree
    }

    /// Walks down to a decision not yet made, makes it, and carries its value up.
    pub(super) fn grow(&mut self, tree: &mut Tree<G>, root: &G) {
        let mut position = root.clone();
        let mut at = 0;
        self.path.clear();
        loop {
            if tree.decisions[at].edges.is_empty() {
                // The end of the game: known exactly, but it was visited.
                tree.decisions[at].visits += 1;
                self.clock.spend(1);
                break;
            }
            let turn = self.select(&tree.decisions[at], at == 0);
            let edge = &mut tree.decisions[at].edges[turn];
            for m in &edge.moves {
                position.play_unchecked(*m, ignore);
            }
            if position.turn() == Turn::Over {
                self.path.push((at, turn, usize::MAX));
                self.clock.spend(1);
                break;
            }
            if edge.branches.is_empty() {
                edge.branches = branches(&position);
            }
            let draw = self.draw(&edge.branches);
            let branch = &edge.branches[draw];
            if let Some(m) = branch.drawn {
                position.play_unchecked(m, ignore);
            }
            self.path.push((at, turn, draw));
            match branch.child {
                Some(child) => at = child as usize,
                None => {
                    let drawn = branch.drawn;
                    let place = Some((self.path.len(), drawn));
                    let child = self.decide(&position, place, self.params.width);
                    let index = tree.decisions.len() as u32;
                    tree.decisions[at].edges[turn].branches[draw].child = Some(index);
                    tree.decisions.push(child);
                    break;
                }
            }
        }
        self.carry_up(tree);
    }

    /// Makes a decision: values its turns, and gives them priors.
    fn decide(
        &mut self,
        position: &G,
        place: Option<(usize, Option<G::Move>)>,
        width: usize,
    ) -> Decision<G::Move> {
        let zero = ByPlayer::new(position.players(), Value::default());
        let mut new = Decision {
            player: mover(position),
            visits: 1,
            value: zero,
            edges: Vec::new(),
            luck: Vec::new(),
            expected: zero,
        };
        let PuctParams { aim, reply_width, .. } = self.params;
        let place = place.filter(|_| reply_width > 0);
        let known = place.and_then(|place| self.rankings.get(&place));
        let near = known.map(|ranking| (ranking, reply_width));
        let fresh = near.is_none();
        let Some(player) = self.replies.look(self.evaluator, position, aim, near) else {
            new.value = value_of(self.evaluator, position);
            self.clock.spend(1);
            if position.turn() == Turn::Chance {
                new.edges.push(Edge::new(Box::from([]), 1.0, new.value));
            }
            return new;
        };
        self.clock.spend(self.replies.turns.len() as u64);
        if let Some(place) = place.filter(|_| fresh) {
            self.rankings.insert(place, self.replies.ranking());
        }
        let width = if width == 0 { usize::MAX } else { width };
        let replies = &self.replies;
        let utilities: Vec<f32> =
            replies.order.iter().map(|turn| replies.utility(*turn, aim, player)).collect();
        let mut priors = Vec::new();
        math::softmax(&utilities, self.params.temperature, &mut priors);
        let evaluator = &mut *self.evaluator;
        let edge = |(turn, prior): (&usize, f32)| {
            let value = replies.values(*turn, evaluator);
            Edge::new(replies.turns.moves(*turn).into(), prior, value)
        };
        new.edges = replies.order.iter().zip(priors).take(width).map(edge).collect();
        new.value = new.edges.first().map_or(zero, |best| best.first);
        new
    }

    /// Counts the walk, and revalues what it passed, from the bottom up.
    fn carry_up(&mut self, tree: &mut Tree<G>) {
        for (at, turn, draw) in self.path.iter().rev() {
            let child = tree.decisions[*at].edges[*turn]
                .branches
                .get(*draw)
                .and_then(|branch| branch.child)
                .map(|child| tree.decisions[child as usize].value);
            let decision = &mut tree.decisions[*at];
            decision.visits += 1;
            decision.edges[*turn].visits += 1;
            if let Some(value) = child {
                note(decision, *turn, *draw, &value);
            }
            revalue(decision, &self.params);
        }
    }
}

impl<M> Edge<M> {
    const fn new(moves: Box<[M]>, prior: f32, first: Values) -> Self {
        Self { moves, prior, first, value: first, visits: 0, branches: Vec::new() }
    }
}

/// The outcomes after a turn.
fn branches<G: Game>(end: &G) -> Vec<Branch<G::Move>> {
    let zero = ByPlayer::new(end.players(), Value::default());
    let branch = |drawn, weight| Branch { drawn, weight, visits: 0, child: None, change: zero };
    if end.turn() != Turn::Chance {
        return vec![branch(None, 1.0)];
    }
    let mut moves = Vec::new();
    end.moves(&mut moves);
    let total: u32 = moves.iter().map(|m| end.odds(*m)).sum();
    moves.iter().map(|m| branch(Some(*m), end.odds(*m) as f32 / total as f32)).collect()
}

/// Notes what an outcome led to.
fn note<M: Copy + Eq>(decision: &mut Decision<M>, turn: usize, draw: usize, value: &Values) {
    let Decision { edges, luck, expected, .. } = decision;
    let Edge { first, branches, .. } = &mut edges[turn];
    let branch = &mut branches[draw];
    let mut change = *value;
    add_weighted(&mut change, first, -1.0);
    let known = find(luck, branch.drawn, draw);
    let index = known.unwrap_or_else(|| {
        let sum = ByPlayer::new(value.len(), Value::default());
        luck.push(Luck { drawn: branch.drawn, sum, count: 0 });
        luck.len() - 1
    });
    let entry = &mut luck[index];
    if branch.visits == 0 {
        entry.count += 1;
    } else {
        add_weighted(&mut entry.sum, &branch.change, -1.0);
    }
    add_weighted(&mut entry.sum, &change, 1.0);
    branch.change = change;
    branch.visits += 1;
    *expected = ByPlayer::new(value.len(), Value::default());
    for (index, branch) in branches.iter().enumerate() {
        if let Some(known) = find(luck, branch.drawn, index) {
            let Luck { sum, count, .. } = &luck[known];
            add_weighted(expected, sum, branch.weight / *count as f32);
        }
    }
}

/// Values a decision's turns from what their outcomes changed, and the decision from its turns.
fn revalue<M: Copy + Eq>(decision: &mut Decision<M>, params: &PuctParams) {
    let Decision { player, edges, luck, expected, value, .. } = decision;
    for edge in edges.iter_mut() {
        edge.value = edge.first;
        if edge.visits == 0 {
            add_weighted(&mut edge.value, expected, 1.0);
        }
        for (index, branch) in edge.branches.iter().enumerate() {
            if branch.visits > 0 {
                add_weighted(&mut edge.value, &branch.change, branch.weight);
            } else if let Some(known) = find(luck, branch.drawn, index) {
                let Luck { sum, count, .. } = &luck[known];
                add_weighted(&mut edge.value, sum, branch.weight / *count as f32);
            }
        }
    }
    let Some(player) = *player else {
        if let Some(edge) = edges.first() {
            *value = edge.value;
        }
        return;
    };
    let visits: u32 = edges.iter().map(|edge| edge.visits).sum();
    if params.backup == Backup::Visits && visits > 0 {
        *value = ByPlayer::new(value.len(), Value::default());
        for edge in edges.iter() {
            add_weighted(value, &edge.value, edge.visits as f32 / visits as f32);
        }
        return;
    }
    let utility = |edge: &Edge<M>| params.aim.utility(&edge.value, player);
    let best =
        edges.iter().reduce(|best, edge| if utility(edge) > utility(best) { edge } else { best });
    if let Some(best) = best {
        *value = best.value;
    }
}

/// Where an outcome's luck stands: mostly where it stood among a sibling's outcomes.
fn find<M: Copy + Eq>(luck: &[Luck<M>], drawn: Option<M>, hint: usize) -> Option<usize> {
    if luck.get(hint).is_some_and(|entry| entry.drawn == drawn) {
        return Some(hint);
    }
    luck.iter().position(|entry| entry.drawn == drawn)
}
