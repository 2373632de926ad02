//! How a net learns from one position: the loss and its gradient.

use crate::inputs::{FEATURE_INPUTS, NetInput, UNCLAIMED};
use crate::net::{
    EMBEDDING, FIRST, HEAD, HIDDEN, LAST, Net, OUTPUTS, POOLS, UNIT, head_inputs, layout,
    prediction,
};

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
/// How much an error of the difference between turns of one position counts beside an error of them all.
const DIFFERENCE_WEIGHT: f32 = 10.0;

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
    let layers = Layers::of(net, input);
    let said = prediction(input, layers.outputs);
    let error = (said.margin - target.margin) / UNIT;
    let by_output = [error.clamp(-CLIP, CLIP), WIN_WEIGHT * (said.win - target.win)];
    layers.back(net, input, by_output, gradient);
    let points = error * UNIT;
    points * points
}

/// Adds the gradient of the loss of some turns of one position: above all their differences are to be
/// right, for these decide which is played. Gives the sum of the squared errors of the differences in
/// points, each from the mean of all.
pub(crate) fn learn_siblings(
    net: &Net,
    siblings: &[(NetInput, Target)],
    gradient: &mut [f32],
) -> f32 {
    crate::wide::widest!(
        fn(net: &Net, siblings: &[(NetInput, Target)], gradient: &mut [f32]) -> f32,
        learn_siblings_here(net, siblings, gradient)
    )
}

#[inline(always)]
fn learn_siblings_here(net: &Net, siblings: &[(NetInput, Target)], gradient: &mut [f32]) -> f32 {
    if siblings.iter().any(|(input, _)| input.tiles_left == 0) {
        return 0.0;
    }
    let layers: Vec<Layers> = siblings.iter().map(|(input, _)| Layers::of(net, input)).collect();
    let said = |at: usize| prediction(&siblings[at].0, layers[at].outputs);
    let error = |at: usize| (said(at).margin - siblings[at].1.margin) / UNIT;
    let mean = (0..siblings.len()).map(error).sum::<f32>() / siblings.len() as f32;
    let mut squares = 0.0;
    for (at, (input, target)) in siblings.iter().enumerate() {
        let difference = error(at) - mean;
        let by_margin = DIFFERENCE_WEIGHT * difference + mean;
        let by_output = [by_margin.clamp(-CLIP, CLIP), WIN_WEIGHT * (said(at).win - target.win)];
        layers[at].back(net, input, by_output, gradient);
        squares += difference * difference;
    }
    squares * UNIT * UNIT
}

/// Everything between a position's inputs and the net's outputs.
struct Layers {
    /// Of each feature its first layer and its embedding.
    features: Vec<([f32; FIRST], [f32; EMBEDDING])>,
    head: [f32; HEAD],
    /// The pool of what nobody claimed.
    unclaimed: [f32; EMBEDDING],
    hidden: [f32; HIDDEN],
    last: [f32; LAST],
    outputs: [f32; OUTPUTS],
}

impl Layers {
    #[inline(always)]
    fn of(net: &Net, input: &NetInput) -> Self {
        let mut pools = [[0.0; EMBEDDING]; POOLS];
        let mut features = Vec::with_capacity(input.features.len());
        for feature in &input.features {
            let (first, embedding) = net.embed(feature.terrain, &feature.inputs);
            for (sum, value) in pools[feature.owner as usize].iter_mut().zip(&embedding) {
                *sum += value;
            }
            features.push((first, embedding));
        }
        let (head, unclaimed) = head_inputs(input, &pools);
        let (hidden, last, outputs) = net.head(&head, &unclaimed);
        Self { features, head, unclaimed, hidden, last, outputs }
    }

    /// Adds to the gradient what the outputs' gradient makes of it.
    #[inline(always)]
    fn back(&self, net: &Net, input: &NetInput, by_output: [f32; OUTPUTS], gradient: &mut [f32]) {
        let (by_head, by_unclaimed) = self.back_through_head(net, by_output, gradient);
        for (feature, (first, embedding)) in input.features.iter().zip(&self.features) {
            let terrain = feature.terrain as usize;
            let (by_pools, _) = by_head.as_chunks::<EMBEDDING>();
            let mut by_embedding = match feature.owner {
                UNCLAIMED => by_unclaimed,
                owner => by_pools[owner as usize],
            };
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
            let (seen, threats) = feature.inputs.split_at(FEATURE_INPUTS);
            add_outer(&mut gradient[layout::first(terrain)], seen, &by_first);
            if net.sees_threats() {
                add_outer(&mut gradient[layout::first_of_threats(terrain)], threats, &by_first);
            }
        }
    }

    /// Goes back through the head; gives the gradient of what it reads, and of the pool of what nobody
    /// claimed.
    #[inline(always)]
    fn back_through_head(
        &self,
        net: &Net,
        by_output: [f32; OUTPUTS],
        gradient: &mut [f32],
    ) -> ([f32; HEAD], [f32; EMBEDDING]) {
        let w = &net.weights;
        let Self { head, unclaimed, hidden, last, .. } = self;
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
        let mut by_unclaimed = [0.0; EMBEDDING];
        if net.sees_unclaimed() {
            let (rows, skip) = (layout::HEAD_OF_UNCLAIMED, layout::SKIP_OF_UNCLAIMED);
            by_unclaimed = back(&w[rows.clone()], &mut gradient[rows], unclaimed, &by_hidden);
            let by_skip: [f32; EMBEDDING] =
                back(&w[skip.clone()], &mut gradient[skip], unclaimed, &by_output);
            for (sum, skip) in by_unclaimed.iter_mut().zip(by_skip) {
                *sum += skip;
            }
        }
        (by_head, by_unclaimed)
    }
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
fn add_outer<const O: usize>(gradient: &mut [f32], x: &[f32], by_output: &[f32; O]) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inputs::{InputReader, THREATS_VERSION, UNCLAIMED_VERSION, VERSION};
    use crate::scope::Scope;
    use carcassonne::{Carcassonne, Sets, Setup};
    use game::{Game, Random, ignore};

    /// A net whose layers all say something.
    fn talkative(version: u32) -> Net {
        let mut net = Net::untrained(3, Scope::of(2, Sets::NONE));
        if version >= UNCLAIMED_VERSION {
            net = net.with_unclaimed();
        }
        if version >= THREATS_VERSION {
            net = net.with_threats();
        }
        let mut random = Random::new(5);
        for weight in net.weights.iter_mut().filter(|weight| **weight == 0.0) {
            *weight = (random.unit() as f32 - 0.5) * 0.2;
        }
        net
    }

    /// The position of a random game in which most is seen.
    fn input(seed: u64, version: u32) -> NetInput {
        let mut reader = InputReader::default();
        reader.read_for(version);
        let mut input = NetInput::default();
        let mut random = Random::new(seed);
        let mut game = Carcassonne::new(&Setup::default());
        let mut moves = Vec::new();
        let mut best = NetInput::default();
        while game.tiles_left() > 10 {
            game.moves(&mut moves);
            let m = game.sample_outcome(&mut random).or_else(|| random.pick(&moves).copied());
            game.play_unchecked(m.unwrap(), ignore);
            reader.read(&game, game.last_player(), &mut input);
            if input.features.len() > best.features.len() {
                best = input.clone();
            }
        }
        best
    }

    /// Some weights of each layer: those whose gradient is largest.
    fn checked(gradient: &[f32]) -> Vec<usize> {
        let mut layers = vec![layout::HEAD_1, layout::BIAS_1, layout::HEAD_2, layout::SKIP];
        for terrain in 0..4 {
            layers.extend([layout::first(terrain), layout::second(terrain)]);
        }
        if gradient.len() > layout::SIZE {
            layers.extend([layout::HEAD_OF_UNCLAIMED, layout::SKIP_OF_UNCLAIMED]);
        }
        if gradient.len() > crate::net::WEIGHTS_WITH_UNCLAIMED {
            layers.extend((0..4).map(layout::first_of_threats));
        }
        let largest = |layer: std::ops::Range<usize>| {
            let mut at: Vec<usize> = layer.collect();
            at.sort_by(|a, b| gradient[*b].abs().total_cmp(&gradient[*a].abs()));
            at.truncate(3);
            at
        };
        layers.into_iter().flat_map(largest).filter(|at| gradient[*at] != 0.0).collect()
    }

    /// Holds a gradient to the differences of a loss. A rectifier may open or shut on one side of a weight:
    /// the slope on the other is then the one that counts.
    fn hold(net: &Net, gradient: &[f32], loss: impl Fn(&Net) -> f64) {
        let checked = checked(gradient);
        assert!(checked.len() > 20, "{} weights have a gradient", checked.len());
        let here = loss(net);
        for at in checked {
            let slope = |step: f32| {
                let mut net = net.clone();
                net.weights[at] += step;
                (loss(&net) - here) / f64::from(step)
            };
            let slopes = [slope(1e-3), slope(-1e-3)];
            let found = f64::from(gradient[at]);
            let right = |slope: &f64| (slope - found).abs() < 0.03 * found.abs() + 3e-3;
            assert!(
                slopes.iter().any(right),
                "weight {at}: the loss has slopes {slopes:?}, the gradient says {found}"
            );
        }
    }

    fn outputs(net: &Net, input: &NetInput) -> [f32; OUTPUTS] {
        Layers::of(net, input).outputs
    }

    /// The loss of the odds. They follow from the margin too, of which they are to teach nothing: the part of
    /// theirs that comes from it stays as `before` was.
    fn odds_loss(input: &NetInput, before: [f32; OUTPUTS], now: [f32; OUTPUTS], win: f32) -> f64 {
        let margin = input.projected_margin + UNIT * before[0];
        let logit = f64::from(margin * crate::net::sharpness(input.tiles_left) + now[1]);
        // The cross entropy, written so that it is exact however large the logit is.
        f64::from(WIN_WEIGHT)
            * ((1.0 + (-logit.abs()).exp()).ln() + logit.max(0.0) - f64::from(win) * logit)
    }

    #[test]
    fn the_gradient_is_that_of_the_loss() {
        for version in VERSION..=THREATS_VERSION {
            let (net, input) = (talkative(version), input(1, version));
            let before = outputs(&net, &input);
            // So near to what the net says that the error is not clipped.
            let target = Target { margin: prediction(&input, before).margin + 6.0, win: 0.4 };
            let mut gradient = vec![0.0; net.weights.len()];
            let error = learn(&net, &input, target, &mut gradient);
            assert!((error - 36.0).abs() < 0.1, "{error}");
            hold(&net, &gradient, |net| {
                let now = outputs(net, &input);
                let error = f64::from(now[0]) - f64::from(before[0]) - 0.6;
                error * error / 2.0 + odds_loss(&input, before, now, target.win)
            });
        }
    }
    #[test]
    fn what_siblings_teach_is_the_gradient_of_their_loss() {
        let net = talkative(THREATS_VERSION);
        let inputs = [1, 2, 3].map(|seed| input(seed, THREATS_VERSION));
        let before = inputs.each_ref().map(|input| outputs(&net, input));
        let targets = [0, 1, 2].map(|at| {
            let margin = prediction(&inputs[at], before[at]).margin + [1.0, -1.5, 0.25][at];
            Target { margin, win: 0.4 }
        });
        let siblings: Vec<(NetInput, Target)> = inputs.into_iter().zip(targets).collect();
        let mut gradient = vec![0.0; net.weights.len()];
        let squares = learn_siblings(&net, &siblings, &mut gradient);
        assert!(squares > 3.2 && squares < 3.4, "from their mean of -0.083: {squares}");
        hold(&net, &gradient, |net| {
            let now: Vec<_> = siblings.iter().map(|(input, _)| outputs(net, input)).collect();
            let errors = [0, 1, 2].map(|at| {
                let projected = siblings[at].0.projected_margin;
                f64::from(now[at][0]) + f64::from((projected - targets[at].margin) / UNIT)
            });
            let mean = errors.iter().sum::<f64>() / 3.0;
            let level = 3.0 * mean * mean / 2.0;
            let difference = |at: usize| {
                let off = errors[at] - mean;
                let odds = odds_loss(&siblings[at].0, before[at], now[at], targets[at].win);
                f64::from(DIFFERENCE_WEIGHT) * off * off / 2.0 + odds
            };
            level + (0..3).map(difference).sum::<f64>()
        });
    }
}
