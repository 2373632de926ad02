//! Refusals as statuses of gRPC.

use server::engine::threads::QueueFull;
use server::error::Refusal;
use tonic::{Code, Status};

/// The status that a refusal means. Its message says what was wrong and what is allowed.
pub(crate) fn status(refusal: &Refusal) -> Status {
    Status::new(code(refusal), refusal.to_string())
}

/// The queue for the engine's threads is full.
pub(crate) fn full(queue: QueueFull) -> Status {
    Status::resource_exhausted(queue.to_string())
}

/// A fault of ours.
pub(crate) fn internal() -> Status {
    Status::internal(Refusal::Internal.to_string())
}

const fn code(refusal: &Refusal) -> Code {
    match refusal {
        Refusal::Bad(_) | Refusal::IllegalMove(_) | Refusal::TooLarge(_) => Code::InvalidArgument,
        Refusal::Unknown(_)
        | Refusal::WrongPassword
        | Refusal::SecondFactorNeeded
        | Refusal::WrongCode => Code::Unauthenticated,
        Refusal::Forbidden(_) | Refusal::NotYourTurn(_) => Code::PermissionDenied,
        Refusal::NotFound(_) => Code::NotFound,
        Refusal::StaleVersion { .. } | Refusal::Conflict(_) => Code::FailedPrecondition,
        Refusal::TooSlow => Code::DeadlineExceeded,
        Refusal::TooMany { .. } | Refusal::MustWait { .. } => Code::ResourceExhausted,
        Refusal::Unavailable(_) => Code::Unavailable,
        Refusal::Internal => Code::Internal,
    }
}
