//! When a call has to be answered: the client says so with `grpc-timeout`.

use std::time::Duration;
use tokio::time::{Instant, sleep_until};
use tonic::Status;
use tonic::metadata::MetadataMap;

/// The moment after which nobody waits for an answer; none if the client sets no deadline.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Deadline(Option<Instant>);

impl Deadline {
    /// The deadline of a call that has just come.
    pub(crate) fn of(metadata: &MetadataMap) -> Self {
        let timeout = metadata.get("grpc-timeout").and_then(|text| text.to_str().ok());
        let after = timeout.and_then(read);
        Self(after.and_then(|after| Instant::now().checked_add(after)))
    }

    /// Returns when the deadline has passed.
    pub(crate) async fn passed(self) -> Status {
        match self.0 {
            Some(at) => sleep_until(at).await,
            None => std::future::pending().await,
        }
        Status::deadline_exceeded(
            "the deadline of the call has passed; what ran for it was stopped",
        )
    }
}

/// Up to eight digits and a unit, as the protocol of gRPC has it.
fn read(text: &str) -> Option<Duration> {
    let (digits, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    if digits.is_empty() || digits.len() > 8 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let count: u64 = digits.parse().ok()?;
    Some(match unit {
        "H" => Duration::from_secs(count * 3600),
        "M" => Duration::from_secs(count * 60),
        "S" => Duration::from_secs(count),
        "m" => Duration::from_millis(count),
        "u" => Duration::from_micros(count),
        "n" => Duration::from_nanos(count),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timeouts_are_read_with_their_unit() {
        for (text, read_as) in [
            ("5S", Some(Duration::from_secs(5))),
            ("1M", Some(Duration::from_secs(60))),
            ("250m", Some(Duration::from_millis(250))),
            ("99999999H", Some(Duration::from_secs(99_999_999 * 3600))),
            ("123456789S", None),
            ("", None),
            ("S", None),
            ("-1S", None),
            ("1é", None),
            ("7d", None),
        ] {
            assert_eq!(read(text), read_as, "{text}");
        }
    }
}
