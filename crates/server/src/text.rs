//! Characters that mislead whoever reads them.

/// Whether a character could forge a line, or turn round or hide what stands beside it: control
/// characters, marks of direction, letters that nobody sees. The joiners that emoji and some
/// scripts need are none of them.
#[must_use]
pub fn is_misleading(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// Whether nothing of a text is seen.
#[must_use]
pub fn is_blank(text: &str) -> bool {
    text.chars()
        .all(|c| c.is_whitespace() || is_misleading(c) || ('\u{200c}'..='\u{200d}').contains(&c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_turns_round_or_hides_is_found() {
        for text in ["a\u{202e}b", "\u{2066}", "x\u{200b}", "\u{0}", "\n", "\u{2028}", "\u{feff}"] {
            assert!(text.chars().any(is_misleading), "{text:?}");
        }
        for text in ["Łucja", "שלום", "مرحبا", "می\u{200c}خواهم", "👩\u{200d}🌾", "漢字", "a b"]
        {
            assert!(!text.chars().any(is_misleading) && !is_blank(text), "{text:?}");
        }
        assert!(is_blank("") && is_blank(" \u{200d}\u{3000}"));
    }
}
