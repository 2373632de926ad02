//! Text from outside, fit for a message.

/// The start of a text that may be hostile and long, for a message: at most so many characters,
/// and control characters, which a terminal would obey, escaped.
///
/// # Examples
/// ```
/// assert_eq!(game::excerpt("meeple", 3), "mee…");
/// assert_eq!(game::excerpt("\u{1b}[31m", 9), "\\u{1b}[31m");
/// ```
#[must_use]
pub fn excerpt(text: &str, longest: usize) -> String {
    let mut short = String::new();
    let mut rest = text.chars();
    for c in rest.by_ref().take(longest) {
        match c.is_control() {
            true => short.extend(c.escape_default()),
            false => short.push(c),
        }
    }
    if !rest.as_str().is_empty() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_obey_is_escaped() {
        assert_eq!(excerpt("é\u{9b}31m\u{7f}\n", 40), "é\\u{9b}31m\\u{7f}\\n");
        assert_eq!(excerpt("abc", 3), "abc");
        assert_eq!(excerpt("", 0), "");
    }
}
