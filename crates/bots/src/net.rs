//! The net: what the exact projected margin misses, learned.
//!
//! Each claimed feature goes through a small net of its terrain; the results are added up by
//! owner and go with the whole position through a second net. Some nets see unclaimed cities and roads
//! too, which are added up beside them, and some what a tile to come may change of a feature. It gives a correction to the
//! projected margin and the odds of winning. All sums run in a fixed order and no fused
//! operations are used, so a net gives the same bits on every machine.

use crate::inputs::{
    BASE_FEATURE_INPUTS, BASE_GLOBAL_INPUTS, FEATURE_INPUTS, Features, GLOBAL_INPUTS, Key,
    NetInput, Numbers, OWNERS, THREAT_INPUTS, THREATS_VERSION, UNCLAIMED, UNCLAIMED_VERSION,
    VERSION,
};
use crate::scope::Scope;
use carcassonne::Terrain;
use search::math::logistic;

/// Width of a feature's first layer.
pub(crate) const FIRST: usize = 64;
/// Width of a feature's embedding.
pub(crate) const EMBEDDING: usize = 32;
/// Inputs of the head: embeddings by owner, and the whole position. Those of what nobody claimed come
/// beside them, for nets that see it.
pub(crate) const HEAD: usize = OWNERS * EMBEDDING + GLOBAL_INPUTS;
/// Those of them that are not zero in the base game.
pub(crate) const BASE_HEAD: usize = OWNERS * EMBEDDING + BASE_GLOBAL_INPUTS;
/// Sums of embeddings: one for each owner, and that of what nobody claimed.
pub(crate) const POOLS: usize = OWNERS + 1;
/// Width of the head's first layer.
pub(crate) const HIDDEN: usize = 96;
/// Width of the head's second layer.
pub(crate) const LAST: usize = 32;
/// Outputs: the correction of the margin in [`UNIT`]s, and of the odds as a logit.
pub(crate) const OUTPUTS: usize = 2;
/// Points for one unit of the net's margin output.
pub const UNIT: f32 = 10.0;

pub(crate) const TERRAINS: usize = 4;

/// Where each layer lies in the flat list of weights.
pub(crate) mod layout {
    use super::{
        EMBEDDING, FEATURE_INPUTS, FIRST, HEAD, HIDDEN, LAST, OUTPUTS, TERRAINS, THREAT_INPUTS,
    };
    use std::ops::Range;

    const FEATURE_SIZE: usize = FEATURE_INPUTS * FIRST + FIRST + FIRST * EMBEDDING + EMBEDDING;

    pub(crate) const fn first(terrain: usize) -> Range<usize> {
        let at = terrain * FEATURE_SIZE;
        at..at + FEATURE_INPUTS * FIRST
    }
    pub(crate) const fn first_bias(terrain: usize) -> Range<usize> {
        let at = first(terrain).end;
        at..at + FIRST
    }
    pub(crate) const fn second(terrain: usize) -> Range<usize> {
        let at = first_bias(terrain).end;
        at..at + FIRST * EMBEDDING
    }
    pub(crate) const fn second_bias(terrain: usize) -> Range<usize> {
        let at = second(terrain).end;
        at..at + EMBEDDING
    }
    const HEAD_AT: usize = TERRAINS * FEATURE_SIZE;
    pub(crate) const HEAD_1: Range<usize> = HEAD_AT..HEAD_AT + HEAD * HIDDEN;
    pub(crate) const BIAS_1: Range<usize> = HEAD_1.end..HEAD_1.end + HIDDEN;
    pub(crate) const HEAD_2: Range<usize> = BIAS_1.end..BIAS_1.end + HIDDEN * LAST;
    pub(crate) const BIAS_2: Range<usize> = HEAD_2.end..HEAD_2.end + LAST;
    pub(crate) const HEAD_3: Range<usize> = BIAS_2.end..BIAS_2.end + LAST * OUTPUTS;
    pub(crate) const BIAS_3: Range<usize> = HEAD_3.end..HEAD_3.end + OUTPUTS;
    pub(crate) const SKIP: Range<usize> = BIAS_3.end..BIAS_3.end + HEAD * OUTPUTS;
    pub(crate) const SIZE: usize = SKIP.end;
    /// What reads the pool of what nobody claimed lies behind all else, in nets that see it.
    pub(crate) const HEAD_OF_UNCLAIMED: Range<usize> = SIZE..SIZE + EMBEDDING * HIDDEN;
    pub(crate) const SKIP_OF_UNCLAIMED: Range<usize> =
        HEAD_OF_UNCLAIMED.end..HEAD_OF_UNCLAIMED.end + EMBEDDING * OUTPUTS;
    /// What reads the numbers of threats lies behind that, in nets that see them.
    pub(crate) const THREATS: Range<usize> =
        SKIP_OF_UNCLAIMED.end..SKIP_OF_UNCLAIMED.end + TERRAINS * THREAT_INPUTS * FIRST;
    pub(crate) const fn first_of_threats(terrain: usize) -> Range<usize> {
        let at = THREATS.start + terrain * THREAT_INPUTS * FIRST;
        at..at + THREAT_INPUTS * FIRST
    }
}

/// How many weights a net has that sees claimed features alone.
pub const WEIGHTS: usize = layout::SIZE;
/// How many a net has that sees unclaimed cities and roads too.
pub const WEIGHTS_WITH_UNCLAIMED: usize = layout::SKIP_OF_UNCLAIMED.end;

/// How many a net has that also sees what a tile to come may change of a feature.
pub const WEIGHTS_WITH_THREATS: usize = layout::THREATS.end;

/// The versions of the inputs of nets, each with how many weights such a net has.
pub(crate) const SIZES: [(u32, usize); 3] = [
    (VERSION, WEIGHTS),
    (UNCLAIMED_VERSION, WEIGHTS_WITH_UNCLAIMED),
    (THREATS_VERSION, WEIGHTS_WITH_THREATS),
];

/// The weights of a net.
#[derive(Clone)]
pub struct Net {
    pub(crate) weights: Vec<f32>,
    /// What it was trained for.
    pub scope: Scope,
}

/// What a net says of a position, to the player who looks.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Prediction {
    /// The expected final lead over the best of the others, in points.
    pub margin: f32,
    /// The chance of winning, half of it for a tie.
    pub win: f32,
}

impl Net {
    /// A net that corrects nothing yet: random first layers, silent outputs. What reads the inputs
    /// of the sets begins with zero, so that a run without sets is what it was before there were any.
    #[must_use]
    pub fn untrained(seed: u64, scope: Scope) -> Self {
        let mut random = game::Random::new(seed);
        let mut weights = vec![0.0; WEIGHTS];
        let mut fill = |range: std::ops::Range<usize>, inputs: usize| {
            // Uniform with the variance that keeps signals alive through rectifiers.
            let bound = (6.0 / inputs as f64).sqrt();
            for weight in &mut weights[range] {
                *weight = ((random.unit() * 2.0 - 1.0) * bound) as f32;
            }
        };
        for terrain in 0..TERRAINS {
            fill(rows(layout::first(terrain), BASE_FEATURE_INPUTS, FIRST), BASE_FEATURE_INPUTS);
            fill(layout::second(terrain), FIRST);
        }
        fill(rows(layout::HEAD_1, BASE_HEAD, HIDDEN), BASE_HEAD);
        fill(layout::HEAD_2, HIDDEN);
        Self { weights, scope }
    }

    /// Whether it sees unclaimed cities and roads.
    #[must_use]
    pub const fn sees_unclaimed(&self) -> bool {
        self.weights.len() > WEIGHTS
    }

    /// Whether it sees what a tile to come may change of a feature.
    #[must_use]
    pub const fn sees_threats(&self) -> bool {
        self.weights.len() > WEIGHTS_WITH_UNCLAIMED
    }

    /// The version of the inputs that it sees.
    #[must_use]
    pub const fn version(&self) -> u32 {
        match (self.sees_unclaimed(), self.sees_threats()) {
            (false, _) => VERSION,
            (true, false) => UNCLAIMED_VERSION,
            (true, true) => THREATS_VERSION,
        }
    }

    /// The same net with eyes for unclaimed cities and roads, of which it makes nothing yet: it says what it
    /// said before. One that sees them already stays as it is.
    #[must_use]
    pub fn with_unclaimed(mut self) -> Self {
        if !self.sees_unclaimed() {
            self.weights.resize(WEIGHTS_WITH_UNCLAIMED, 0.0);
        }
        self
    }

    /// The same net that also reads what a tile to come may change of a feature, and makes nothing of it yet: it says
    /// what it said before.
    #[must_use]
    pub fn with_threats(mut self) -> Self {
        self.weights.resize(WEIGHTS_WITH_THREATS, 0.0);
        self
    }

    /// What the net says of a position whose features were added up; those of the input are not looked at.
    #[must_use]
    pub(crate) fn predict(&self, input: &NetInput, pools: &Pools) -> Prediction {
        let net = self;
        crate::wide::widest!(
            fn(net: &Net, input: &NetInput, pools: &Pools) -> Prediction,
            net.predict_here(input, pools)
        )
    }

    #[inline(always)]
    fn predict_here(&self, input: &NetInput, pools: &Pools) -> Prediction {
        if input.tiles_left == 0 {
            return certain(input.projected_margin);
        }
        let (head, unclaimed) = head_inputs(input, pools);
        prediction(input, self.head(&head, &unclaimed).2)
    }

    /// A feature's embedding.
    fn embedding(&self, terrain: Terrain, inputs: &Numbers) -> [f32; EMBEDDING] {
        let net = self;
        crate::wide::widest!(
            fn(net: &Net, terrain: Terrain, inputs: &Numbers) -> [f32; EMBEDDING],
            net.embed(terrain, inputs).1
        )
    }

    /// A feature's first layer and embedding.
    #[inline(always)]
    pub(crate) fn embed(
        &self,
        terrain: Terrain,
        inputs: &Numbers,
    ) -> ([f32; FIRST], [f32; EMBEDDING]) {
        let terrain = terrain as usize;
        let w = &self.weights;
        // The first input behind those of the base game is one in games with sets.
        let sees_sets = inputs[BASE_FEATURE_INPUTS] != 0.0;
        let used = if sees_sets { FEATURE_INPUTS } else { BASE_FEATURE_INPUTS };
        let mut first =
            affine(&w[layout::first(terrain)], &w[layout::first_bias(terrain)], &inputs[..used]);
        if self.sees_threats() {
            add_rows(&mut first, &w[layout::first_of_threats(terrain)], &inputs[FEATURE_INPUTS..]);
        }
        rectify(&mut first);
        let mut embedding =
            affine(&w[layout::second(terrain)], &w[layout::second_bias(terrain)], &first);
        rectify(&mut embedding);
        (first, embedding)
    }

    /// The head's layers and outputs. A net that does not see what nobody claimed leaves that out.
    #[inline(always)]
    pub(crate) fn head(
        &self,
        x: &[f32; HEAD],
        unclaimed: &[f32; EMBEDDING],
    ) -> ([f32; HIDDEN], [f32; LAST], [f32; OUTPUTS]) {
        let w = &self.weights;
        // The first input behind those of the base game is one in games with sets.
        let x = if x[BASE_HEAD] == 0.0 { &x[..BASE_HEAD] } else { &x[..] };
        let mut hidden: [f32; HIDDEN] = affine(&w[layout::HEAD_1], &w[layout::BIAS_1], x);
        let mut skip: [f32; OUTPUTS] = affine(&w[layout::SKIP], &[0.0; OUTPUTS], x);
        if self.sees_unclaimed() {
            add_rows(&mut hidden, &w[layout::HEAD_OF_UNCLAIMED], unclaimed);
            add_rows(&mut skip, &w[layout::SKIP_OF_UNCLAIMED], unclaimed);
        }
        rectify(&mut hidden);
        let mut last: [f32; LAST] = affine(&w[layout::HEAD_2], &w[layout::BIAS_2], &hidden);
        rectify(&mut last);
        let deep: [f32; OUTPUTS] = affine(&w[layout::HEAD_3], &w[layout::BIAS_3], &last);
        (hidden, last, std::array::from_fn(|i| deep[i] + skip[i]))
    }
}

/// What the head reads: the pools by owner and the position; and the pool of what nobody claimed.
#[inline(always)]
pub(crate) fn head_inputs(input: &NetInput, pools: &Pools) -> ([f32; HEAD], [f32; EMBEDDING]) {
    let mut head = [0.0; HEAD];
    head[..OWNERS * EMBEDDING].copy_from_slice(pools[..OWNERS].as_flattened());
    head[OWNERS * EMBEDDING..].copy_from_slice(&input.globals);
    (head, pools[UNCLAIMED as usize])
}

/// The first rows of a layer.
pub(crate) fn rows(
    layer: std::ops::Range<usize>,
    count: usize,
    width: usize,
) -> std::ops::Range<usize> {
    layer.start..layer.start + count * width
}

/// How the outputs are read: both are corrections of what is exact already.
pub(crate) fn prediction(input: &NetInput, outputs: [f32; OUTPUTS]) -> Prediction {
    let margin = input.projected_margin + UNIT * outputs[0];
    let logit = margin * sharpness(input.tiles_left) + outputs[1];
    Prediction { margin, win: logistic(f64::from(logit)) as f32 }
}

/// How much a point of expected margin says about winning: a game's margin spreads with the
/// root of the tiles to come.
pub(crate) fn sharpness(tiles_left: u8) -> f32 {
    1.7 / (0.5 + 8.0 * f32::from(tiles_left)).sqrt()
}

fn certain(margin: f32) -> Prediction {
    let win = if margin > 0.0 { 1.0 } else { f32::from(u8::from(margin == 0.0)) / 2.0 };
    Prediction { margin, win }
}

/// `bias + x · weights`, row by row, skipping inputs that are zero.
#[inline(always)]
fn affine<const O: usize>(weights: &[f32], bias: &[f32], x: &[f32]) -> [f32; O] {
    let mut sums: [f32; O] = bias.try_into().expect("the layout gives O biases");
    add_rows(&mut sums, weights, x);
    sums
}

/// Adds `x · weights`, row by row, skipping inputs that are zero.
#[inline(always)]
fn add_rows<const O: usize>(sums: &mut [f32; O], weights: &[f32], x: &[f32]) {
    let (rows, _) = weights.as_chunks::<O>();
    #[cfg(target_feature = "simd128")]
    if crate::blocks::add_rows(sums, rows, x) {
        return;
    }
    for (row, x) in rows.iter().zip(x) {
        if *x != 0.0 {
            for (sum, weight) in sums.iter_mut().zip(row) {
                *sum += x * weight;
            }
        }
    }
}

#[inline(always)]
fn rectify(x: &mut [f32]) {
    for value in x {
        *value = if *value > 0.0 { *value } else { 0.0 };
    }
}

/// Embeddings of features seen lately: most features stay as they are from one afterstate to
/// the next.
pub struct EmbeddingCache {
    slots: Vec<(u64, [f32; EMBEDDING])>,
}

const SLOTS: usize = 4096;

impl Default for EmbeddingCache {
    fn default() -> Self {
        Self { slots: vec![(0, [0.0; EMBEDDING]); SLOTS] }
    }
}

impl EmbeddingCache {
    /// Its slot for a feature with this key; `inputs` are made if it holds another one.
    #[inline(always)]
    fn get(
        &mut self,
        net: &Net,
        terrain: Terrain,
        key: Key,
        inputs: impl FnOnce() -> Numbers,
    ) -> &[f32; EMBEDDING] {
        let key = key.number();
        let slot = &mut self.slots[(key >> 52) as usize % SLOTS];
        if slot.0 != key {
            *slot = (key, net.embedding(terrain, &inputs()));
        }
        &slot.1
    }
}

/// Embeddings added up by owner, and those of what nobody claimed.
pub(crate) type Pools = [[f32; EMBEDDING]; POOLS];

/// Adds up the features of a position.
pub(crate) struct Pooling<'a> {
    pub(crate) net: &'a Net,
    pub(crate) cache: &'a mut EmbeddingCache,
    pub(crate) pools: Pools,
}

impl<'a> Pooling<'a> {
    pub(crate) const fn new(net: &'a Net, cache: &'a mut EmbeddingCache) -> Self {
        Self { net, cache, pools: [[0.0; EMBEDDING]; POOLS] }
    }
}

impl Features for Pooling<'_> {
    #[inline(always)]
    fn take(&mut self, terrain: Terrain, owner: u8, key: Key, inputs: impl FnOnce() -> Numbers) {
        let embedding = self.cache.get(self.net, terrain, key, inputs);
        for (sum, value) in self.pools[owner as usize].iter_mut().zip(embedding) {
            *sum += value;
        }
    }
}
