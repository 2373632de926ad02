//! The mean of numbers as they come, and how certain it is.

/// Sums of numbers and of their squares.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Moments {
    count: u64,
    sum: f64,
    squares: f64,
}

impl Moments {
    /// Counts one more number.
    pub fn add(&mut self, number: f64) {
        self.count += 1;
        self.sum += number;
        self.squares += number * number;
    }

    /// How many there are.
    #[must_use]
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// Their mean; 0 if there are none.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.sum / (self.count as f64).max(1.0)
    }

    /// Their standard deviation; infinite below two.
    #[must_use]
    pub fn deviation(&self) -> f64 {
        let n = self.count as f64;
        if n < 2.0 {
            return f64::INFINITY;
        }
        ((self.squares - self.sum * self.sum / n).max(0.0) / (n - 1.0)).sqrt()
    }

    /// The standard error of their mean; infinite below two.
    #[must_use]
    pub fn error(&self) -> f64 {
        self.deviation() / (self.count as f64).sqrt().max(1.0)
    }
}

impl Extend<f64> for Moments {
    fn extend<T: IntoIterator<Item = f64>>(&mut self, numbers: T) {
        numbers.into_iter().for_each(|number| self.add(number));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mean_deviation_and_error() {
        let mut moments = Moments::default();
        assert_eq!((moments.count(), moments.mean()), (0, 0.0));
        moments.extend([1.0]);
        assert_eq!((moments.mean(), moments.error()), (1.0, f64::INFINITY));
        moments.extend([3.0, 5.0, 7.0]);
        assert_eq!((moments.count(), moments.mean()), (4, 4.0));
        assert!((moments.deviation() - (20.0_f64 / 3.0).sqrt()).abs() < 1e-12);
        assert!((moments.error() - (5.0_f64 / 3.0).sqrt()).abs() < 1e-12);
    }
}
