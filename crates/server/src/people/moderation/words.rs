//! What people and moderators write: bounded, and without characters that mislead.

use crate::error::Refusal;
use crate::text::{is_blank, is_misleading};

/// The longest text, in characters.
const LONGEST: usize = 500;

/// Checks a reason, which must be given.
///
/// # Errors
/// If it is blank, too long, or has characters that mislead.
pub(crate) fn check_reason(text: &str) -> Result<&str, Refusal> {
    if is_blank(text) {
        return Err(Refusal::Bad("a reason is needed: it is kept, and others will ask".into()));
    }
    check_words(text)
}

/// Checks words, which may be left out.
///
/// # Errors
/// If they are too long, or have characters that mislead.
pub(crate) fn check_words(text: &str) -> Result<&str, Refusal> {
    let text = text.trim();
    let length = text.chars().count();
    if length > LONGEST {
        return Err(Refusal::Bad(format!("at most {LONGEST} characters, not {length}")));
    }
    if text.chars().any(|c| c != '\n' && is_misleading(c)) {
        return Err(Refusal::Bad(
            "no control characters, marks of direction or letters that nobody sees".into(),
        ));
    }
    Ok(text)
}
