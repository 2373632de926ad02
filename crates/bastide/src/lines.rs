//! Lines from outside: of bounded length, whatever bytes come.

use std::io::{BufRead, ErrorKind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The longest line that is read. A whole game in JSON has about 8 KB.
pub(crate) const LONGEST_LINE: usize = 256 << 10;

/// A line from outside.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Line {
    /// Text without its line end.
    Text(String),
    /// Something that is no line of text: what is wrong with it.
    Wrong(&'static str),
}

/// Reads lines; a line that is too long or no text is reported as such, and the next one is read.
pub(crate) struct Lines<R> {
    input: R,
    /// How many bytes have come behind the last line end.
    unfinished: Arc<AtomicUsize>,
}

impl<R: BufRead> Lines<R> {
    /// The lines of an input.
    pub(crate) fn new(input: R) -> Self {
        Self::watched(input, Arc::default())
    }

    /// The lines of an input; how many bytes have come of the next one is told meanwhile.
    pub(crate) const fn watched(input: R, unfinished: Arc<AtomicUsize>) -> Self {
        Self { input, unfinished }
    }

    /// The next line; `None` at the end, also where reading fails.
    pub(crate) fn next_line(&mut self) -> Option<Line> {
        let mut line = Vec::new();
        let (mut any, mut too_long) = (false, false);
        loop {
            let bytes = match self.input.fill_buf() {
                Ok(bytes) => bytes,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(_) => &[],
            };
            if bytes.is_empty() {
                break;
            }
            any = true;
            let end = bytes.iter().position(|byte| *byte == b'\n');
            let part = &bytes[..end.unwrap_or(bytes.len())];
            too_long |= line.len() + part.len() > LONGEST_LINE;
            if !too_long {
                line.extend_from_slice(part);
            }
            let used = part.len() + usize::from(end.is_some());
            self.input.consume(used);
            match end {
                Some(_) => self.unfinished.store(0, Ordering::Relaxed),
                None => drop(self.unfinished.fetch_add(used, Ordering::Relaxed)),
            }
            if end.is_some() {
                break;
            }
        }
        any.then(
            || if too_long { Line::Wrong("the line is longer than 256 KiB") } else { text(line) },
        )
    }
}

fn text(line: Vec<u8>) -> Line {
    let Ok(line) = String::from_utf8(line) else {
        return Line::Wrong("the line is not UTF-8 text");
    };
    let line = line.trim_start_matches('\u{feff}').trim();
    match line.chars().any(|c| c.is_control() && c != '\t') {
        true => Line::Wrong("the line holds control characters"),
        false => Line::Text(line.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_comes_is_a_line_or_told_as_none() {
        let mut bytes = b"\xef\xbb\xbfone\r\n\n  two\t2 \n\xff\xfe\nnul\0nul\n".to_vec();
        bytes.extend(std::iter::repeat_n(b'x', LONGEST_LINE + 1));
        bytes.extend(b"\nlast");
        let mut lines = Lines::new(&bytes[..]);
        let all: Vec<Line> = std::iter::from_fn(|| lines.next_line()).collect();
        let text = |text: &str| Line::Text(text.to_owned());
        assert_eq!(
            all,
            [
                text("one"),
                text(""),
                text("two\t2"),
                Line::Wrong("the line is not UTF-8 text"),
                Line::Wrong("the line holds control characters"),
                Line::Wrong("the line is longer than 256 KiB"),
                text("last"),
            ]
        );
    }
}
