//! Names that look alike: what is left of a name when case, marks, separators and the shapes of
//! digits do not count.

/// Whether a name, or a part of it between separators, looks like one of a list, or is made of
/// several of them.
pub(super) fn looks_like_any(name: &str, kept: &[&str]) -> bool {
    let kept: Vec<String> = kept.iter().map(|kept| shape(kept)).collect();
    let parts = name.split(['-', '_']).filter(|part| !part.is_empty());
    let without_digits = |text: &str| text.trim_matches(|c: char| c.is_ascii_digit()).to_owned();
    let whole: String = name.chars().filter(|c| !matches!(c, '-' | '_')).collect();
    parts
        .chain([whole.as_str()])
        .flat_map(|part| [part.to_owned(), without_digits(part)])
        .any(|part| is_made_of(&shape(&part), &kept))
}

/// Whether one name is easily taken for another.
pub(super) fn look_alike(one: &str, other: &str) -> bool {
    shape(one) == shape(other)
}

/// Whether a text is one or more of the given ones, one after the other.
fn is_made_of(text: &str, kept: &[String]) -> bool {
    kept.iter().any(|first| {
        let rest = text.strip_prefix(first.as_str());
        rest.is_some_and(|rest| rest.is_empty() || is_made_of(rest, kept))
    })
}

/// What a name looks like at a glance: two names of one shape are easily taken for each other.
fn shape(name: &str) -> String {
    let plain: String =
        name.to_lowercase().chars().flat_map(|c| plain_letters(c).chars()).collect();
    // Two letters that together look like another one.
    plain.replace("rn", "m").replace("vv", "w")
}

/// The letters that a letter or digit is taken for.
fn plain_letters(c: char) -> &'static str {
    match c {
        'a' | '4' | 'à' | 'á' | 'â' | 'ã' | 'ä' | 'å' | 'ā' | 'ă' | 'ą' => "a",
        'b' | '6' | '8' => "b",
        'c' | 'ç' | 'ć' | 'ĉ' | 'ċ' | 'č' => "c",
        'd' | 'ð' | 'ď' | 'đ' => "d",
        'e' | '3' | 'è' | 'é' | 'ê' | 'ë' | 'ē' | 'ĕ' | 'ė' | 'ę' | 'ě' => "e",
        'f' => "f",
        'g' | '9' | 'ĝ' | 'ğ' | 'ġ' | 'ģ' => "g",
        'h' | 'ĥ' | 'ħ' => "h",
        // `I`, `l` and `1` are one stroke each.
        'i' | 'l' | '1' | 'ì' | 'í' | 'î' | 'ï' | 'ĩ' | 'ī' | 'ĭ' | 'į' | 'ı' | 'ĺ' | 'ļ' | 'ľ'
        | 'ŀ' | 'ł' => "l",
        'j' | 'ĵ' => "j",
        'k' | 'ķ' | 'ĸ' => "k",
        'm' => "m",
        'n' | 'ñ' | 'ń' | 'ņ' | 'ň' | 'ŉ' | 'ŋ' => "n",
        'o' | '0' | 'ò' | 'ó' | 'ô' | 'õ' | 'ö' | 'ø' | 'ō' | 'ŏ' | 'ő' => "o",
        'p' | 'þ' => "p",
        'q' => "q",
        'r' | 'ŕ' | 'ŗ' | 'ř' => "r",
        's' | '5' | 'ś' | 'ŝ' | 'ş' | 'š' => "s",
        't' | '7' | 'ţ' | 'ť' | 'ŧ' => "t",
        'u' | 'ù' | 'ú' | 'û' | 'ü' | 'ũ' | 'ū' | 'ŭ' | 'ů' | 'ű' | 'ų' => "u",
        'v' => "v",
        'w' | 'ŵ' => "w",
        'x' => "x",
        'y' | 'ý' | 'ÿ' | 'ŷ' => "y",
        'z' | '2' | 'ź' | 'ż' | 'ž' => "z",
        'æ' => "ae",
        'œ' => "oe",
        'ß' => "ss",
        // Separators do not count.
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_look_alike_have_one_shape() {
        for (one, other) in [
            ("Admin", "4DM1N"),
            ("moderator", "rn0d3r4t0r"),
            ("Bastide", "ba-st_ide"),
            ("Łucja", "lucja"),
            ("Will", "wi11"),
            ("vvater", "water"),
        ] {
            assert_eq!(shape(one), shape(other), "{one} {other}");
        }
        assert_ne!(shape("Ada"), shape("Eva"));
    }

    #[test]
    fn parts_and_compounds_count_and_mere_endings_do_not() {
        let kept = ["admin", "bastide", "support"];
        for name in ["admin", "Admin-Anna", "anna_admin", "admin77", "BastideSupport", "a-d-m-i-n"]
        {
            assert!(looks_like_any(name, &kept), "{name}");
        }
        for name in ["Badminton", "Adamin", "supporter", "Bastidette", "_", "-1-"] {
            assert!(!looks_like_any(name, &kept), "{name}");
        }
    }

    #[test]
    fn every_letter_that_a_name_may_have_has_a_shape() {
        for c in ('\u{c0}'..='\u{17e}').chain('0'..='9').chain('a'..='z') {
            let letter = super::super::check_name(&format!("xx{c}")).is_ok();
            // `İ` in lower case is two: the letter, and a dot that has no shape of its own.
            let lower = c.to_lowercase().any(|c| !plain_letters(c).is_empty());
            assert!(!letter || lower, "{c:?} has none");
        }
    }
}
