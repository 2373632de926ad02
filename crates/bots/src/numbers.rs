//! Functions that give the same bits on every machine: the system's math library does not.

/// The natural exponential, from exactly rounded operations alone.
#[must_use]
pub(crate) fn exp(x: f32) -> f32 {
    let x = x.clamp(-60.0, 60.0) as f64;
    // e^x = (e^(x/64))^64, with a short series for the small part.
    let small = x / 64.0;
    let mut power = 1.0
        + small
            * (1.0
                + small / 2.0
                    * (1.0
                        + small / 3.0
                            * (1.0
                                + small / 4.0
                                    * (1.0
                                        + small / 5.0
                                            * (1.0
                                                + small / 6.0
                                                    * (1.0
                                                        + small / 7.0 * (1.0 + small / 8.0)))))));
    for _ in 0..6 {
        power *= power;
    }
    power as f32
}

/// The logistic function.
#[must_use]
pub(crate) fn logistic(x: f32) -> f32 {
    1.0 / (1.0 + exp(-x))
}

/// log₂(1 + n) for small n, digit by digit from exactly rounded operations.
#[must_use]
pub(crate) fn log2_of_one_plus(n: u32) -> f32 {
    let mut value = f64::from(n + 1);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_agree_with_the_system_to_rounding() {
        for i in -400..=400 {
            let x = i as f32 / 10.0;
            assert!((exp(x) / x.exp() - 1.0).abs() < 1e-5, "{x}");
        }
        for n in 0..200 {
            assert!((log2_of_one_plus(n) - (n as f32 + 1.0).log2()).abs() < 1e-5, "{n}");
        }
        assert_eq!(logistic(0.0), 0.5);
    }
}
