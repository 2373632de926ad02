//! How a net learns from one position: the loss and its gradient.

use crate::inputs::{NetInput, OWNERS};
use crate::net::{EMBEDDING, FIRST, HEAD, HIDDEN, LAST, Net, OUTPUTS, UNIT, layout, prediction};

/// What a position turned out to be worth to the player who looked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target {
    /// The lead over the best of the others, in points.
    pub(crate) margin: f32,
    /// 1 for a win, a half for a tie, 0 for a loss.
    pub(crate) win: f32,
}

/// An error of the margin counts fully up to this many units; beyond it only its sign does.
const CLIP: f32 = 3.0;
/// How much the odds of winning count beside the margin.
const WIN_WEIGHT: f32 = 0.3;

/// Adds the gradient of one position's loss to `gradient`; gives the squared error in points.
pub(crate) fn learn(net: &Net, input: &NetInput, target: Target, gradient: &mut [f32]) -> f32 {
    crate::wide::widest!(
        fn(net: &Net, input: &NetInput, target: Target, gradient: &mut [f32]) -> f32,
        learn_here(net, input, target, gradient)
    )
}

#[inline(always)]
fn learn_here(net: &Net, input: &NetInput, target: Target, gradient: &mut [f32]) -> f32 {
    if input.tiles_left == 0 {
        return 0.0;
    }
    let mut head = [0.0; HEAD];
    let mut layers = Vec::with_capacity(input.features.len());
    for feature in &input.features {
        let (first, embedding) = net.embed(feature);
        let pool = &mut head[feature.owner as usize * EMBEDDING..][..EMBEDDING];
        for (sum, value) in pool.iter_mut().zip(&embedding) {
            *sum += value;
        }
        layers.push((first, embedding));
    }
    head[OWNERS * EMBEDDING..].copy_from_slice(&input.globals);
    let (hidden, last, outputs) = net.head(&head);
    let said = prediction(input, outputs);
    let error = (said.margin - target.margin) / UNIT;
    let by_output = [error.clamp(-CLIP, CLIP), WIN_WEIGHT * (said.win - target.win)];

    let by_head = back_through_head(net, &head, &hidden, &last, by_output, gradient);
    for (feature, (first, embedding)) in input.features.iter().zip(&layers) {
        let terrain = feature.terrain as usize;
        let mut by_embedding: [f32; EMBEDDING] = by_head[feature.owner as usize * EMBEDDING..]
            [..EMBEDDING]
            .try_into()
            .expect("a pool is as wide as an embedding");
        rectified(&mut by_embedding, embedding);
        add_bias(&mut gradient[layout::second_bias(terrain)], &by_embedding);
        let mut by_first: [f32; FIRST] = back(
            &net.weights[layout::second(terrain)],
            &mut gradient[layout::second(terrain)],
            first,
            &by_embedding,
        );
        rectified(&mut by_first, first);
        add_bias(&mut gradient[layout::first_bias(terrain)], &by_first);
        add_outer(&mut gradient[layout::first(terrain)], &feature.inputs, &by_first);
    }
    let points = error * UNIT;
    points * points
}

#[inline(always)]
fn back_through_head(
    net: &Net,
    head: &[f32; HEAD],
    hidden: &[f32; HIDDEN],
    last: &[f32; LAST],
    by_output: [f32; OUTPUTS],
    gradient: &mut [f32],
) -> [f32; HEAD] {
    let w = &net.weights;
    add_bias(&mut gradient[layout::BIAS_3], &by_output);
    let by_skip: [f32; HEAD] =
        back(&w[layout::SKIP], &mut gradient[layout::SKIP], head, &by_output);
    let mut by_last: [f32; LAST] =
        back(&w[layout::HEAD_3], &mut gradient[layout::HEAD_3], last, &by_output);
    rectified(&mut by_last, last);
    add_bias(&mut gradient[layout::BIAS_2], &by_last);
    let mut by_hidden: [f32; HIDDEN] =
        back(&w[layout::HEAD_2], &mut gradient[layout::HEAD_2], hidden, &by_last);
    rectified(&mut by_hidden, hidden);
    add_bias(&mut gradient[layout::BIAS_1], &by_hidden);
    let mut by_head: [f32; HEAD] =
        back(&w[layout::HEAD_1], &mut gradient[layout::HEAD_1], head, &by_hidden);
    for (sum, skip) in by_head.iter_mut().zip(by_skip) {
        *sum += skip;
    }
    by_head
}

/// Goes back through a layer: adds to the weights' gradient, gives the inputs'.
#[inline(always)]
fn back<const I: usize, const O: usize>(
    weights: &[f32],
    gradient: &mut [f32],
    x: &[f32; I],
    by_output: &[f32; O],
) -> [f32; I] {
    add_outer(gradient, x, by_output);
    let (rows, _) = weights.as_chunks::<O>();
    std::array::from_fn(|i| {
        // Eight running sums, so that the order is fixed and still fast.
        let mut sums = [0.0f32; 8];
        for (j, (weight, by)) in rows[i].iter().zip(by_output).enumerate() {
            sums[j % 8] += weight * by;
        }
        sums.iter().sum()
    })
}

#[inline(always)]
fn add_outer<const I: usize, const O: usize>(
    gradient: &mut [f32],
    x: &[f32; I],
    by_output: &[f32; O],
) {
    let (rows, _) = gradient.as_chunks_mut::<O>();
    for (row, x) in rows.iter_mut().zip(x) {
        if *x != 0.0 {
            for (sum, by) in row.iter_mut().zip(by_output) {
                *sum += x * by;
            }
        }
    }
}

#[inline(always)]
fn add_bias(gradient: &mut [f32], by_output: &[f32]) {
    for (sum, by) in gradient.iter_mut().zip(by_output) {
        *sum += by;
    }
}

/// A rectifier passes nothing back where it was shut.
#[inline(always)]
fn rectified(by_output: &mut [f32], output: &[f32]) {
    for (by, out) in by_output.iter_mut().zip(output) {
        if *out <= 0.0 {
            *by = 0.0;
        }
    }
}
