//! A command as text, split into the program and its arguments.

use anyhow::ensure;

/// Splits a command at spaces; text between single or double quotes stays together.
///
/// # Errors
/// If a quote is not closed.
pub(crate) fn split_command(command: &str) -> anyhow::Result<Vec<String>> {
    let mut words: Vec<String> = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in command.chars() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    ensure!(quote.is_none(), "a quote is not closed");
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::external::{External, Place, ProgramOptions};
    use carcassonne::{Base, Setup};

    #[test]
    fn a_command_is_split_without_a_shell() {
        let words = |text| split_command(text).unwrap();
        assert_eq!(
            words("  run  --fast 'two words' a\"b c\"d '' "),
            ["run", "--fast", "two words", "ab cd", ""]
        );
        assert!(split_command("run 'it").is_err());
        let start = |command| {
            let (setup, options) = (Setup::default(), ProgramOptions::default());
            External::<Base>::start(command, &setup, &options, &Place::default()).err().unwrap()
        };
        assert!(format!("{:#}", start("")).contains("the command is empty"));
        let error = start("./no-such-program");
        assert!(format!("{error:#}").contains("cannot be started"), "{error:#}");
    }
}
