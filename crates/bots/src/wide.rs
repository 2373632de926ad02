//! Wider vector instructions where the machine has them.
//!
//! Only the width differs, never the order of operations or their rounding, so results are the
//! same bits everywhere.

/// Calls a function that is `#[inline(always)]`, compiled for the widest vectors this machine
/// has.
macro_rules! widest {
    (fn($($name:ident: $type:ty),*) -> $result:ty, $work:expr) => {{
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2")]
        fn wide($($name: $type),*) -> $result {
            $work
        }
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: the feature that `wide` needs was just found.
            return unsafe { wide($($name),*) };
        }
        $work
    }};
}

pub(crate) use widest;
