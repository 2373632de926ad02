//! One step of the weights: Adam, with a running average of the weights beside them.

use search::math::power;

/// How much of the last direction is kept.
const MOMENTUM: f32 = 0.9;
/// How much of the last size is kept.
const SCALE: f32 = 0.999;
/// Keeps a step finite where nothing was learned yet.
const TINY: f32 = 1e-8;
/// How much of the average is kept at a step, once there have been many.
const AVERAGE: f32 = 0.9995;

/// The optimiser's state, all as long as the weights.
pub(crate) struct AdamState<'a> {
    pub(crate) weights: &'a mut [f32],
    pub(crate) average: &'a mut [f32],
    pub(crate) direction: &'a mut [f32],
    pub(crate) size: &'a mut [f32],
}

/// Moves the weights against the gradient; `steps` counts this one.
pub(crate) fn step(state: AdamState<'_>, gradient: &[f32], steps: u64, rate: f32) {
    let exponent = steps.min(100_000) as u32;
    let direction_whole = (1.0 - power(f64::from(MOMENTUM), exponent)) as f32;
    let size_whole = (1.0 - power(f64::from(SCALE), exponent)) as f32;
    // Early on the average follows the weights closely, so that it is never stale.
    let keep = AVERAGE.min(1.0 - 1.0 / (1.0 + steps as f32 / 10.0));
    let AdamState { weights, average, direction, size } = state;
    for i in 0..weights.len() {
        let g = gradient[i];
        direction[i] = MOMENTUM * direction[i] + (1.0 - MOMENTUM) * g;
        size[i] = SCALE * size[i] + (1.0 - SCALE) * g * g;
        let moved = direction[i] / direction_whole;
        weights[i] -= rate * moved / ((size[i] / size_whole).sqrt() + TINY);
        average[i] = keep * average[i] + (1.0 - keep) * weights[i];
    }
}
