//! Moves with what might have been played in their place.

use std::fmt::{self, Display};

/// Moves from a start on, each with its continuations: the first is the main line.
///
/// Nodes lie in one list and know each other by their places in it, so that a line of any length is built,
/// compared and dropped without deep recursion.
#[derive(Clone, Debug)]
pub struct Tree<M> {
    nodes: Vec<Node<M>>,
    /// What begins at the start.
    roots: Vec<usize>,
}

/// A move of a study.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node<M> {
    /// The move.
    pub played: M,
    /// What is said of it.
    pub comment: String,
    /// How good it is held to be.
    pub mark: Option<Mark>,
    parent: Option<usize>,
    children: Vec<usize>,
}

/// How good a move is held to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// `!!`
    Brilliant,
    /// `!`
    Good,
    /// `!?`
    Interesting,
    /// `?!`
    Dubious,
    /// `?`
    Mistake,
    /// `??`
    Blunder,
}

impl Mark {
    /// All of them, the best first.
    pub const ALL: [Self; 6] = [
        Self::Brilliant,
        Self::Good,
        Self::Interesting,
        Self::Dubious,
        Self::Mistake,
        Self::Blunder,
    ];

    /// As it is written.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::Brilliant => "!!",
            Self::Good => "!",
            Self::Interesting => "!?",
            Self::Dubious => "?!",
            Self::Mistake => "?",
            Self::Blunder => "??",
        }
    }

    /// The mark that is written so.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mark| mark.text() == text)
    }
}

impl Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

impl<M> Default for Tree<M> {
    fn default() -> Self {
        Self::new()
    }
}

impl<M> Tree<M> {
    /// Without moves.
    #[must_use]
    pub const fn new() -> Self {
        Self { nodes: Vec::new(), roots: Vec::new() }
    }

    /// How many moves there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no move.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The move at a place.
    #[must_use]
    pub fn node(&self, at: usize) -> &Node<M> {
        &self.nodes[at]
    }

    pub(super) fn node_mut(&mut self, at: usize) -> &mut Node<M> {
        &mut self.nodes[at]
    }

    /// The places of what may be played after a move, or at the start; the main line first.
    #[must_use]
    pub fn after(&self, at: Option<usize>) -> &[usize] {
        at.map_or(&self.roots, |at| &self.nodes[at].children)
    }

    /// The place of the move before one.
    #[must_use]
    pub fn before(&self, at: usize) -> Option<usize> {
        self.nodes[at].parent
    }

    pub(super) fn siblings_mut(&mut self, at: usize) -> &mut Vec<usize> {
        match self.nodes[at].parent {
            Some(parent) => &mut self.nodes[parent].children,
            None => &mut self.roots,
        }
    }

    /// All moves with how many moves lie before each, a line before its alternatives.
    pub fn walk(&self) -> impl Iterator<Item = (usize, &Node<M>)> {
        let mut stack: Vec<(usize, usize)> = self.roots.iter().rev().map(|at| (0, *at)).collect();
        std::iter::from_fn(move || {
            let (depth, at) = stack.pop()?;
            let node = &self.nodes[at];
            stack.extend(node.children.iter().rev().map(|child| (depth + 1, *child)));
            Some((depth, node))
        })
    }

    /// In how many variations the deepest move lies.
    pub(super) fn deepest(&self) -> usize {
        let mut stack = vec![(0, &self.roots)];
        let mut deepest = 0;
        while let Some((nesting, places)) = stack.pop() {
            for (index, at) in places.iter().enumerate() {
                let nesting = nesting + usize::from(index > 0);
                deepest = deepest.max(nesting);
                stack.push((nesting, &self.nodes[*at].children));
            }
        }
        deepest
    }

    /// In how many variations a move lies.
    pub(super) fn nesting(&self, at: Option<usize>) -> usize {
        let (mut nesting, mut here) = (0, at);
        while let Some(at) = here {
            here = self.nodes[at].parent;
            nesting += usize::from(self.after(here).first() != Some(&at));
        }
        nesting
    }
}

impl<M: Copy + Eq> Tree<M> {
    /// The place of a continuation, which is added behind the others if it is not there.
    pub(super) fn play(&mut self, parent: Option<usize>, played: M) -> usize {
        if let Some(known) = self.after(parent).iter().find(|at| self.nodes[**at].played == played)
        {
            return *known;
        }
        let at = self.nodes.len();
        let (comment, children) = (String::new(), Vec::new());
        self.nodes.push(Node { played, comment, mark: None, parent, children });
        self.siblings_mut(at).push(at);
        at
    }

    /// The place of the last of these moves; `None` at the start.
    ///
    /// # Errors
    /// How many of the moves are there, if not all are.
    pub fn find(&self, path: &[M]) -> Result<Option<usize>, usize> {
        let mut here = None;
        for (index, m) in path.iter().enumerate() {
            let next = self.after(here).iter().find(|at| self.nodes[**at].played == *m);
            here = Some(*next.ok_or(index)?);
        }
        Ok(here)
    }

    /// Takes a move away with all that follows it.
    pub(super) fn remove(&mut self, at: usize) {
        self.siblings_mut(at).retain(|sibling| *sibling != at);
        let old = std::mem::take(self);
        let mut stack: Vec<(Option<usize>, usize)> =
            old.roots.iter().rev().map(|at| (None, *at)).collect();
        while let Some((parent, from)) = stack.pop() {
            let node = &old.nodes[from];
            let to = self.play(parent, node.played);
            self.nodes[to].comment.clone_from(&node.comment);
            self.nodes[to].mark = node.mark;
            stack.extend(node.children.iter().rev().map(|child| (Some(to), *child)));
        }
    }
}

impl<M: PartialEq> PartialEq for Tree<M> {
    fn eq(&self, other: &Self) -> bool {
        let mut both = self.walk().zip(other.walk());
        self.len() == other.len()
            && both.all(|((a, one), (b, two))| {
                (a, &one.played, &one.comment, one.mark) == (b, &two.played, &two.comment, two.mark)
            })
    }
}
