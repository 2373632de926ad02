//! Exponential, logarithm and cosine from exactly rounded operations only.
//!
//! The system's `exp`, `ln` and `cos` differ in the last bit from machine to machine, and one bit is
//! enough to turn a tie into another move. `+ − × ÷ sqrt` are the same everywhere, and all that
//! decides a move or trains a net is built from them here.

const LN_2_HIGH: f64 = 0.693_147_180_369_123_8;
const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;

/// e to the power of `x`, to about one part in 10¹⁵.
#[must_use]
pub fn exp(x: f64) -> f64 {
    if x.is_nan() {
        return x;
    }
    if x > 709.0 {
        return f64::INFINITY;
    }
    if x < -708.0 {
        return 0.0;
    }
    let k = (x / std::f64::consts::LN_2).round();
    let r = (x - k * LN_2_HIGH) - k * LN_2_LOW;
    // |r| ≤ ln 2 / 2: fourteen terms of the series leave less than one unit in the last place.
    let sum = INVERSE_FACTORIALS[..=14].iter().rev().fold(0.0, |sum, term| sum * r + term);
    sum * power_of_two(k as i64)
}

/// 1 / n!.
const INVERSE_FACTORIALS: [f64; 33] = {
    let mut terms = [1.0; 33];
    let mut n = 1;
    while n < terms.len() {
        terms[n] = terms[n - 1] / n as f64;
        n += 1;
    }
    terms
};

/// The natural logarithm, to about one part in 10¹⁵; −∞ at 0, NaN below.
#[must_use]
pub fn ln(x: f64) -> f64 {
    if x == 0.0 {
        return f64::NEG_INFINITY;
    }
    if x < 0.0 || x.is_nan() {
        return f64::NAN;
    }
    if x.is_infinite() {
        return x;
    }
    if x < f64::MIN_POSITIVE {
        return ln(x * power_of_two(54)) - 54.0 * std::f64::consts::LN_2;
    }
    let bits = x.to_bits();
    let mut exponent = (bits >> 52) as i64 - 1023;
    let mut mantissa = f64::from_bits(bits & ((1 << 52) - 1) | 1023 << 52);
    if mantissa > std::f64::consts::SQRT_2 {
        mantissa *= 0.5;
        exponent += 1;
    }
    // ln m = 2 artanh s with |s| ≤ 0.172, so twelve odd terms are enough.
    let s = (mantissa - 1.0) / (mantissa + 1.0);
    let square = s * s;
    let mut sum = 0.0;
    let mut odd = 23.0;
    while odd >= 1.0 {
        sum = sum * square + 1.0 / odd;
        odd -= 2.0;
    }
    let e = exponent as f64;
    e * LN_2_HIGH + (2.0 * s * sum + e * LN_2_LOW)
}

/// log₂(1 + n) to about nine digits, digit by digit.
#[must_use]
pub fn log2_of_one_plus(n: u32) -> f32 {
    let mut value = f64::from(n) + 1.0;
    let mut log = 0.0;
    while value >= 2.0 {
        value /= 2.0;
        log += 1.0;
    }
    let mut digit = 0.5;
    for _ in 0..30 {
        value *= value;
        if value >= 2.0 {
            value /= 2.0;
            log += digit;
        }
        digit /= 2.0;
    }
    log as f32
}

/// The cosine, to about one part in 10¹⁵ where |x| is at most a few turns.
#[must_use]
pub fn cos(x: f64) -> f64 {
    let turn = 2.0 * std::f64::consts::PI;
    let r = x - turn * (x / turn).round();
    let square = -(r * r);
    // |r| ≤ π: what follows the term of r³² is below 10⁻¹⁹.
    INVERSE_FACTORIALS.iter().step_by(2).rev().fold(0.0, |sum, term| sum * square + term)
}

/// `x` to a whole power.
#[must_use]
pub fn power(x: f64, mut n: u32) -> f64 {
    let (mut result, mut square) = (1.0, x);
    while n > 0 {
        if n & 1 == 1 {
            result *= square;
        }
        square *= square;
        n >>= 1;
    }
    result
}

/// The logistic function, 1 / (1 + e⁻ˣ).
#[must_use]
pub fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + exp(-x))
}

/// The hyperbolic tangent.
#[must_use]
pub fn tanh(x: f64) -> f64 {
    2.0 * logistic(2.0 * x) - 1.0
}

/// Squashes any number into (−1, 1), half of the way at `scale`/√3; cheaper than [`tanh`].
#[must_use]
pub fn squash(x: f64, scale: f64) -> f64 {
    x / (x * x + scale * scale).sqrt()
}

/// Replaces `out` by the softmax of `values` at a temperature; all weight on the highest value
/// (the first of them) if the temperature is not positive.
pub fn softmax(values: &[f32], temperature: f32, out: &mut Vec<f32>) {
    out.clear();
    let Some((best, top)) = best(values) else { return };
    if temperature <= 0.0 {
        out.resize(values.len(), 0.0);
        out[best] = 1.0;
        return;
    }
    let weight = |v: f32| exp(f64::from((v - top) / temperature)) as f32;
    out.extend(values.iter().map(|v| weight(*v)));
    let total: f32 = out.iter().sum();
    out.iter_mut().for_each(|p| *p /= total);
}

/// The first index of the highest value, and that value.
#[must_use]
pub fn best(values: &[f32]) -> Option<(usize, f32)> {
    values.iter().copied().enumerate().reduce(|a, b| if b.1 > a.1 { b } else { a })
}

/// 2^k for a k that keeps the number normal.
fn power_of_two(k: i64) -> f64 {
    f64::from_bits(((k + 1023).clamp(1, 2046) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_agree_with_the_system_to_the_last_digits() {
        for i in -7_000..7_000 {
            let x = f64::from(i) * 0.1;
            assert!((exp(x) / x.exp() - 1.0).abs() < 4e-15, "exp {x}");
            assert!((tanh(x) - x.tanh()).abs() < 4e-15, "tanh {x}");
            assert!((cos(x / 50.0) - (x / 50.0).cos()).abs() < 4e-15, "cos {x}");
            let y = x.exp();
            assert!((ln(y) - y.ln()).abs() < 4e-15 * (1.0 + y.ln().abs()), "ln {y}");
        }
        for i in 1..10_000 {
            let x = f64::from(i) * 0.37;
            assert!((ln(x) - x.ln()).abs() < 1e-14, "ln {x}");
        }
        assert_eq!((exp(0.0), ln(1.0), exp(1e9), exp(-1e9)), (1.0, 0.0, f64::INFINITY, 0.0));
        assert_eq!(ln(0.0), f64::NEG_INFINITY);
        assert!(ln(-1.0).is_nan() && exp(f64::NAN).is_nan());
        assert!((ln(5e-320) - 5e-320_f64.ln()).abs() < 1e-9);
        for n in 0..200 {
            assert!((log2_of_one_plus(n) - (n as f32 + 1.0).log2()).abs() < 1e-6, "log2 {n}");
            assert!((power(0.99, n) / 0.99_f64.powi(n as i32) - 1.0).abs() < 1e-13, "power {n}");
        }
    }

    #[test]
    fn bits_are_pinned() {
        assert_eq!(exp(1.0).to_bits(), 0x4005_bf0a_8b14_576a);
        assert_eq!(ln(10.0).to_bits(), 0x4002_6bb1_bbb5_5516);
        assert_eq!(logistic(0.5).to_bits(), 0x3fe3_eb2f_d4d3_4391);
    }

    #[test]
    fn softmax_sums_to_one_and_follows_the_temperature() {
        let mut out = Vec::new();
        softmax(&[1.0, 3.0, 2.0], 1.0, &mut out);
        assert!((out.iter().sum::<f32>() - 1.0).abs() < 1e-6);
        assert!((out[1] / out[2] - std::f32::consts::E).abs() < 1e-5);
        softmax(&[1.0, 3.0, 3.0], 0.0, &mut out);
        assert_eq!(out, [0.0, 1.0, 0.0]);
        softmax(&[], 1.0, &mut out);
        assert!(out.is_empty());
        assert!((squash(3.0_f64.sqrt().recip(), 1.0) - 0.5).abs() < 1e-12);
    }
}
