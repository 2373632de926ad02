//! The second factor: codes by time (TOTP of RFC 6238: SHA-1, six digits, 30 seconds), each good
//! for one use.

use super::store::credentials;
use crate::error::Refusal;
use crate::ids;
use crate::storage::db::Db;
use hmac::{Hmac, KeyInit, Mac};
use sha1::Sha1;
use sqlx::{Any, Transaction};
use std::time::{SystemTime, UNIX_EPOCH};

/// Bytes of a secret, as many as the hash has.
const SECRET: usize = 20;

/// Seconds that a code is good for; clocks may be one step apart.
const STEP: u64 = 30;

/// What an authenticator needs: the secret in Base32, and the same as a URI with the names.
pub struct Enrolment {
    /// The secret in Base32.
    pub secret: String,
    /// `otpauth://totp/…`, which authenticators read as a QR code.
    pub uri: String,
}

/// Makes a secret for a user. It counts once a code of it was confirmed.
///
/// # Errors
/// If the user has a second factor already.
pub async fn enrol(
    changes: &mut Transaction<'static, Any>,
    user: &str,
    name: &str,
) -> Result<Enrolment, Refusal> {
    credentials::remove_unconfirmed(&mut **changes, user).await?;
    let mut secret = [0; SECRET];
    getrandom::fill(&mut secret).expect("the system has random bytes");
    if !credentials::add_secret(&mut **changes, user, &ids::hex(&secret)).await? {
        return Err(Refusal::Conflict("you have a second factor already; remove it first".into()));
    }
    let secret = base32(&secret);
    let uri = format!("otpauth://totp/Bastide:{}?secret={secret}&issuer=Bastide", escaped(name));
    Ok(Enrolment { secret, uri })
}

/// Uses a code to confirm the secret that was made last; says whether it was right.
///
/// # Errors
/// If the database does not answer.
pub async fn confirm(
    changes: &mut Transaction<'static, Any>,
    user: &str,
    code: &str,
) -> Result<bool, Refusal> {
    use_code_of(changes, user, code, false).await
}

/// Uses a code up; says whether it was right and not used before.
///
/// # Errors
/// If the database does not answer.
pub async fn use_totp(
    changes: &mut Transaction<'static, Any>,
    user: &str,
    code: &str,
) -> Result<bool, Refusal> {
    use_code_of(changes, user, code, true).await
}

/// Whether a user needs a second factor to come in.
///
/// # Errors
/// If the database does not answer.
pub async fn has_second_factor(db: &Db, user: &str) -> Result<bool, Refusal> {
    Ok(credentials::has_confirmed_secret(&db.pool, user).await?)
}

/// The same for what is being changed: whoever holds one connection does not wait for another.
///
/// # Errors
/// If the database does not answer.
pub async fn has_second_factor_within(
    changes: &mut Transaction<'static, Any>,
    user: &str,
) -> Result<bool, Refusal> {
    Ok(credentials::has_confirmed_secret(&mut **changes, user).await?)
}

/// Takes a user's second factor away; says whether there was one.
///
/// # Errors
/// If the database does not answer.
pub async fn remove_second_factor(
    changes: &mut Transaction<'static, Any>,
    user: &str,
) -> Result<bool, Refusal> {
    Ok(credentials::remove_secret(&mut **changes, user).await?)
}

/// Whether a text has the form of a code by time, and not of a recovery code.
#[must_use]
pub fn is_totp(code: &str) -> bool {
    digits(code).is_some()
}

async fn use_code_of(
    changes: &mut Transaction<'static, Any>,
    user: &str,
    code: &str,
    confirmed: bool,
) -> Result<bool, Refusal> {
    let Some(code) = digits(code) else { return Ok(false) };
    let secret = credentials::secret(&mut **changes, user, confirmed).await?;
    let secret = secret.and_then(|secret| ids::unhex(&secret));
    let Some(step) = secret.and_then(|secret| step_of(&secret, code, now())) else {
        return Ok(false);
    };
    let step = i64::try_from(step).unwrap_or(i64::MAX);
    Ok(credentials::use_step(&mut **changes, user, confirmed, step).await?)
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// The step that a code is of: the present one, or one beside it.
fn step_of(secret: &[u8], code: u32, now: u64) -> Option<u64> {
    let present = now / STEP;
    // All are computed, whichever fits.
    let fits = [present + 1, present, present.saturating_sub(1)]
        .map(|step| (step, code_at(secret, step) == code));
    fits.into_iter().find(|&(_, fits)| fits).map(|(step, _)| step)
}

/// HOTP of RFC 4226 with six digits.
fn code_at(secret: &[u8], step: u64) -> u32 {
    let mut mac = Hmac::<Sha1>::new_from_slice(secret).expect("a key may have any length");
    mac.update(&step.to_be_bytes());
    let hash = mac.finalize().into_bytes();
    let offset = usize::from(hash[19] & 0xf);
    let four = [hash[offset], hash[offset + 1], hash[offset + 2], hash[offset + 3]];
    (u32::from_be_bytes(four) & 0x7fff_ffff) % 1_000_000
}

/// Six digits, however they are grouped.
fn digits(code: &str) -> Option<u32> {
    let code: String = code.chars().filter(|c| !matches!(c, ' ' | '-')).take(7).collect();
    let six = code.len() == 6 && code.bytes().all(|byte| byte.is_ascii_digit());
    six.then(|| code.parse().ok()).flatten()
}

/// Base32 of RFC 4648, without padding.
fn base32(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    let (mut text, mut bits, mut count) = (String::new(), 0_u32, 0);
    for &byte in bytes {
        bits = (bits << 8) | u32::from(byte);
        count += 8;
        while count >= 5 {
            count -= 5;
            text.push(char::from(LETTERS[((bits >> count) & 31) as usize]));
        }
    }
    if count > 0 {
        text.push(char::from(LETTERS[((bits << (5 - count)) & 31) as usize]));
    }
    text
}

/// A name as a part of a URI.
fn escaped(name: &str) -> String {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_".contains(byte);
    name.bytes().fold(String::new(), |text, byte| match plain(&byte) {
        true => text + &char::from(byte).to_string(),
        false => text + &format!("%{byte:02X}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_those_of_the_rfcs() {
        let secret = b"12345678901234567890";
        // RFC 4226, appendix D.
        let counted = [
            755_224, 287_082, 359_152, 969_429, 338_314, 254_676, 287_922, 162_583, 399_871,
            520_489,
        ];
        for (step, code) in counted.into_iter().enumerate() {
            assert_eq!(code_at(secret, step as u64), code);
        }
        // RFC 6238, appendix B: the last six of its eight digits.
        for (seconds, code) in [
            (59, 287_082),
            (1_111_111_109, 81_804),
            (1_111_111_111, 50_471),
            (1_234_567_890, 5_924),
            (2_000_000_000, 279_037),
            (20_000_000_000, 353_130),
        ] {
            assert_eq!(code_at(secret, seconds / STEP), code, "{seconds}");
        }
    }

    #[test]
    fn clocks_may_be_one_step_apart_and_no_more() {
        let (secret, now) = (b"12345678901234567890", 1_234_567_890);
        let present = now / STEP;
        for (step, found) in [
            (present - 2, None),
            (present - 1, Some(present - 1)),
            (present, Some(present)),
            (present + 1, Some(present + 1)),
            (present + 2, None),
        ] {
            assert_eq!(step_of(secret, code_at(secret, step), now), found);
        }
        assert_eq!(step_of(secret, code_at(secret, 0), 0), Some(0));
    }

    #[test]
    fn secrets_are_written_as_the_rfc_says() {
        let examples = [
            ("", ""),
            ("f", "MY"),
            ("fo", "MZXQ"),
            ("foo", "MZXW6"),
            ("foob", "MZXW6YQ"),
            ("fooba", "MZXW6YTB"),
            ("foobar", "MZXW6YTBOI"),
        ];
        for (plain, written) in examples {
            assert_eq!(base32(plain.as_bytes()), written);
        }
        assert_eq!(base32(&[255; SECRET]).len(), 32);
    }

    #[test]
    fn only_six_digits_are_a_code() {
        assert_eq!(digits("012 345"), Some(12_345));
        assert_eq!(digits("012-345"), Some(12_345));
        for odd in
            ["", "12345", "1234567", "+12345", "１２３４５６", "12345x", "ab2c-3d4e-5f6g-7h8j"]
        {
            assert_eq!(digits(odd), None, "{odd}");
        }
        assert_eq!(escaped("Łu-1"), "%C5%81u-1");
    }
}
