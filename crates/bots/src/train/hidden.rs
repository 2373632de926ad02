//! Inputs that a run leaves out, to see what they are worth.
//!
//! The weights that read them are zero and stay zero, so the net that comes out plays like any
//! other.

use crate::inputs::{JOIN_INPUTS, OWNERS};
use crate::net::{EMBEDDING, FIRST, HIDDEN, OUTPUTS, TERRAINS, layout};
use carcassonne::Terrain;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// A group of inputs that can be left out; `docs/net.md` numbers them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ablation {
    /// How many tiles of the bag fit open cells and close features there.
    Fits,
    /// Features that reach the same open cell.
    Links,
    /// Features that nobody has claimed, also as a net sees them that sees each of them.
    Unclaimed,
    /// What a tile to come may change of a feature.
    Threats,
}

impl Ablation {
    /// Whether an input of a feature belongs to the group.
    fn of_feature(self, terrain: Terrain, input: usize) -> bool {
        match self {
            Self::Fits => (6..=14).contains(&input) || (terrain == Terrain::Field && input == 3),
            Self::Links => (17..=27).contains(&input),
            Self::Unclaimed => matches!(input, 20 | 23),
            Self::Threats => false,
        }
    }

    /// Whether a number of threats belongs to the group.
    fn of_threats(self, input: usize) -> bool {
        match self {
            Self::Fits => input >= JOIN_INPUTS,
            Self::Links => input < JOIN_INPUTS,
            Self::Unclaimed => input == JOIN_INPUTS - 1,
            Self::Threats => true,
        }
    }

    /// Whether an input of the whole position belongs to the group.
    fn of_position(self, input: usize) -> bool {
        match self {
            Self::Fits => input == 59,
            Self::Links | Self::Threats => false,
            Self::Unclaimed => (45..=48).contains(&input),
        }
    }

    /// Sets everything that belongs to the weights of the group's inputs to zero.
    pub(crate) fn clear(self, weights: &mut [f32]) {
        for terrain in [Terrain::City, Terrain::Road, Terrain::Field, Terrain::Monastery] {
            clear_rows(weights, layout::first(terrain as usize), FIRST, |input| {
                self.of_feature(terrain, input)
            });
        }
        for (layer, width) in [(layout::HEAD_1, HIDDEN), (layout::SKIP, OUTPUTS)] {
            clear_rows(weights, layer, width, |input| {
                input.checked_sub(OWNERS * EMBEDDING).is_some_and(|input| self.of_position(input))
            });
        }
        if self == Self::Unclaimed
            && let Some(rows) =
                weights.get_mut(layout::HEAD_OF_UNCLAIMED.start..layout::SKIP_OF_UNCLAIMED.end)
        {
            rows.fill(0.0);
        }
        if weights.len() >= layout::THREATS.end {
            for terrain in 0..TERRAINS {
                clear_rows(weights, layout::first_of_threats(terrain), FIRST, |input| {
                    self.of_threats(input)
                });
            }
        }
    }
}

/// Clears the rows of a layer whose inputs are hidden.
fn clear_rows(
    weights: &mut [f32],
    layer: Range<usize>,
    width: usize,
    hidden: impl Fn(usize) -> bool,
) {
    for (input, row) in weights[layer].chunks_mut(width).enumerate() {
        if hidden(input) {
            row.fill(0.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inputs::{BASE_FEATURE_INPUTS, THREAT_INPUTS};
    use crate::net::{Net, WEIGHTS, WEIGHTS_WITH_THREATS, WEIGHTS_WITH_UNCLAIMED, rows};
    use crate::scope::Scope;
    use carcassonne::Sets;

    #[test]
    fn hidden_inputs_have_no_weights_and_the_others_keep_theirs() {
        let count_of = |size: usize, hidden: &[Ablation]| {
            let mut weights = vec![1.0; size];
            hidden.iter().for_each(|group| group.clear(&mut weights));
            weights.iter().filter(|weight| **weight == 0.0).count()
        };
        let count = |hidden: &[Ablation]| count_of(WEIGHTS, hidden);
        let global = HIDDEN + OUTPUTS;
        assert_eq!(count(&[]), 0);
        assert_eq!(count(&[Ablation::Links]), 4 * 11 * FIRST);
        assert_eq!(count(&[Ablation::Unclaimed]), 4 * 2 * FIRST + 4 * global);
        assert_eq!(
            count_of(WEIGHTS_WITH_UNCLAIMED, &[Ablation::Unclaimed]),
            4 * 2 * FIRST + (4 + EMBEDDING) * global
        );
        assert_eq!(count_of(WEIGHTS_WITH_UNCLAIMED, &[Ablation::Threats]), 0);
        assert_eq!(count_of(WEIGHTS_WITH_THREATS, &[Ablation::Threats]), 4 * THREAT_INPUTS * FIRST);
        let with_threats = |hidden| count_of(WEIGHTS_WITH_THREATS, &[hidden]);
        assert_eq!(with_threats(Ablation::Links), 4 * (11 + 7) * FIRST);
        assert_eq!(with_threats(Ablation::Fits), (4 * (9 + 6) + 1) * FIRST + global);
        assert_eq!(with_threats(Ablation::Unclaimed), 4 * 3 * FIRST + (4 + EMBEDDING) * global);
        assert_eq!(count(&[Ablation::Fits]), (4 * 9 + 1) * FIRST + global);
        let net = Net::untrained(1, Scope::of(2, Sets::NONE));
        let base = rows(layout::first(0), BASE_FEATURE_INPUTS, FIRST);
        assert!(net.weights[base].iter().all(|weight| *weight != 0.0));
    }
}
