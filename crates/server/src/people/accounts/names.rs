//! Names that people may have.

use super::name_similarity::{look_alike, looks_like_any};
use crate::error::Refusal;
use crate::ids;
use bots::{levels, roster, tinytown_players};

/// What every guest's name begins with, and no other.
const GUEST: &str = "Guest-";

/// What names are compared by: two that differ in case only are one.
pub(crate) fn key_of(name: &str) -> String {
    name.to_lowercase()
}

/// A name for a guest.
pub(crate) fn guest_name() -> String {
    format!("{GUEST}{}", &ids::new_id()[..6])
}

/// Checks a name that somebody wants to have.
///
/// # Errors
/// If it is none; says what is allowed.
pub fn check_name(name: &str) -> Result<(), Refusal> {
    let length = name.chars().count();
    if !(3..=20).contains(&length) {
        return Err(Refusal::Bad(format!("a name has 3 to 20 characters, this one has {length}")));
    }
    if let Some(odd) = name.chars().find(|&c| !is_allowed(c)) {
        return Err(Refusal::Bad(format!(
            "a name has Latin letters, digits, '-' and '_' only, not {odd:?}"
        )));
    }
    if !name.chars().any(char::is_alphanumeric) {
        return Err(Refusal::Bad("a name has at least one letter or digit".into()));
    }
    let key = key_of(name);
    if ["guest-", "deleted-"].iter().any(|kept| key.starts_with(kept))
        || looks_like_any(name, &RESERVED)
        || is_like_a_bots(name)
    {
        return Err(Refusal::Bad(format!("the name '{name}' is kept for the server's own use")));
    }
    Ok(())
}

/// Whether a name looks like that of one of our bots. Names that only contain one are free:
/// `master` is a bot, `chess-master` is a person.
fn is_like_a_bots(name: &str) -> bool {
    let levels = levels::LEVELS.iter().map(|level| level.name);
    let engines = roster::NAMES.iter().chain(&tinytown_players::NAMES).map(|(name, _)| *name);
    let without_number = name.trim_matches(|c: char| !c.is_alphabetic());
    levels.chain(engines).any(|bot| look_alike(bot, name) || look_alike(bot, without_number))
}

/// Names that would let their owners pass for the server or those who run it, and all that look
/// like them.
const RESERVED: [&str; 23] = [
    "admin",
    "administration",
    "administrator",
    "administrators",
    "admins",
    "bastide",
    "helpdesk",
    "mod",
    "moderation",
    "moderator",
    "moderators",
    "mods",
    "official",
    "operator",
    "owner",
    "owners",
    "root",
    "server",
    "staff",
    "support",
    "sysop",
    "system",
    "webmaster",
];

/// Latin letters without those that look like another one or two (`Ð`, `ĳ`, `ı`, `ſ`, …), so that no name can be
/// taken for another; marks that combine with the letter before are not letters.
fn is_allowed(c: char) -> bool {
    c.is_ascii_alphanumeric()
        || c == '-'
        || c == '_'
        || (('\u{c0}'..='\u{17e}').contains(&c) && c.is_alphabetic() && !"ÐĲĳıĸĿŀŉ".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_names_are_allowed() {
        for name in ["Ada", "jürgen", "Łukasz_7", "x-3", &"n".repeat(20)] {
            assert_eq!(check_name(name), Ok(()), "{name}");
        }
    }

    #[test]
    fn names_that_mislead_are_refused() {
        let long = "n".repeat(21);
        let odd = [
            "",
            "ab",
            &long,
            "a b c",
            "ada\u{202e}",
            "ad\u{430}",
            "a\u{301}da",
            "ada\0",
            "<b>x</b>",
            "Guest-1234",
            "guest-ada",
            "ADMIN",
            "Moderators",
            "m0derati0n",
            "the-adrnins",
            "Help-Desk",
            "\u{1f600}\u{1f600}\u{1f600}",
            "---",
            "ada\n",
            "p\u{131}n",
            "\u{d0}an",
            "\u{133}sbeer",
            "\u{200b}\u{200b}\u{200b}",
            "../..",
            "ａｄａ",
        ];
        for name in odd {
            assert!(check_name(name).is_err(), "{name:?}");
        }
    }

    #[test]
    fn guests_have_names_that_nobody_else_can_have() {
        assert!(check_name(&guest_name()).is_err());
    }
}
