//! Keeping the tree: what was played since is followed down it, and the rest is dropped.

use super::tree::{Branch, Decision, Edge, Tree};
use game::{Game, Random, ignore};

/// A tree, the position it was grown from, and what was played since.
#[derive(Clone, Debug)]
pub(super) struct ReusableTree<G: Game> {
    pub(super) tree: Tree<G>,
    pub(super) root: G,
    pub(super) played: Vec<G::Move>,
}

impl<G: Game> ReusableTree<G> {
    /// The part of the tree below a position; `None` if what was played does not lead there.
    pub(super) fn advance(self, position: &G) -> Option<Tree<G>> {
        let mut reached = self.root.clone();
        for m in &self.played {
            if !reached.is_legal(*m) {
                return None;
            }
            reached.play_unchecked(*m, ignore);
        }
        if !alike(&reached, position) {
            return None;
        }
        let root = self.tree.follow(&self.played)?;
        Some(self.tree.below(root))
    }
}

/// Whether two positions are the same as far as can be asked: a few random games played on from
/// both look alike at every step. (Positions need not be comparable; a tree of another position
/// would hold illegal moves.)
fn alike<G: Game>(a: &G, b: &G) -> bool {
    const GAMES: u64 = 4;
    (0..GAMES).all(|seed| plays_alike(a.clone(), b.clone(), &mut Random::new(seed)))
}

fn plays_alike<G: Game>(mut a: G, mut b: G, random: &mut Random) -> bool {
    let (mut of_a, mut of_b) = (Vec::new(), Vec::new());
    loop {
        a.moves(&mut of_a);
        b.moves(&mut of_b);
        let same = a.turn() == b.turn()
            && a.scores() == b.scores()
            && of_a == of_b
            && of_a.iter().all(|m| a.odds(*m) == b.odds(*m));
        if !same {
            return false;
        }
        let Some(m) = random.pick(&of_a) else { return true };
        a.play_unchecked(*m, ignore);
        b.play_unchecked(*m, ignore);
    }
}

impl<G: Game> Tree<G> {
    /// The decision to which moves lead, turns and outcomes in order.
    fn follow(&self, played: &[G::Move]) -> Option<usize> {
        let mut at = 0;
        let mut left = played;
        while !left.is_empty() {
            let decision = &self.decisions[at];
            let edge = decision.edges.iter().find(|edge| left.starts_with(&edge.moves))?;
            left = &left[edge.moves.len()..];
            let leads = |branch: &&Branch<G::Move>| match branch.drawn {
                Some(m) => left.first() == Some(&m),
                None => true,
            };
            let branch = edge.branches.iter().find(leads)?;
            left = &left[usize::from(branch.drawn.is_some())..];
            at = branch.child? as usize;
        }
        Some(at)
    }

    /// The tree below a decision, without the rest.
    fn below(mut self, root: usize) -> Self {
        let mut old: Vec<Option<Decision<G::Move>>> = self.decisions.drain(..).map(Some).collect();
        let mut kept: Vec<Decision<G::Move>> = old[root].take().into_iter().collect();
        let mut next = 0;
        // Children are appended behind their parents, so one pass renumbers all of them.
        while next < kept.len() {
            let mut edges: Vec<Edge<G::Move>> = std::mem::take(&mut kept[next].edges);
            for branch in edges.iter_mut().flat_map(|edge| &mut edge.branches) {
                let child = branch.child.and_then(|child| old[child as usize].take());
                branch.child = child.map(|child| {
                    kept.push(child);
                    kept.len() as u32 - 1
                });
            }
            kept[next].edges = edges;
            next += 1;
        }
        Self { decisions: kept }
    }
}
