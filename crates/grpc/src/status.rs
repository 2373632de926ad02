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

/// The name of a status in metrics, as the protocol writes it.
pub(crate) const fn code_name(code: Code) -> &'static str {
    match code {
        Code::Ok => "OK",
        Code::Cancelled => "CANCELLED",
        Code::Unknown => "UNKNOWN",
        Code::InvalidArgument => "INVALID_ARGUMENT",
        Code::DeadlineExceeded => "DEADLINE_EXCEEDED",
        Code::NotFound => "NOT_FOUND",
        Code::AlreadyExists => "ALREADY_EXISTS",
        Code::PermissionDenied => "PERMISSION_DENIED",
        Code::ResourceExhausted => "RESOURCE_EXHAUSTED",
        Code::FailedPrecondition => "FAILED_PRECONDITION",
        Code::Aborted => "ABORTED",
        Code::OutOfRange => "OUT_OF_RANGE",
        Code::Unimplemented => "UNIMPLEMENTED",
        Code::Internal => "INTERNAL",
        Code::Unavailable => "UNAVAILABLE",
        Code::DataLoss => "DATA_LOSS",
        Code::Unauthenticated => "UNAUTHENTICATED",
    }
}
