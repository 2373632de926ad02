//! Lines of a file that may be gzipped, may be broken, and may be hostile.

use anyhow::Context;
use flate2::read::MultiGzDecoder;
use std::io::{BufRead, BufReader, Read};

/// No line of a reference game is nearly as long: a game has about 100 KB.
const LONGEST_LINE: u64 = 16 << 20;

/// The lines of a file, unpacked if it is gzipped (told by its first bytes, not by its name).
pub(super) struct Lines<'a> {
    input: Box<dyn BufRead + 'a>,
    number: usize,
}

impl<'a> Lines<'a> {
    pub(super) fn new(input: impl Read + 'a) -> anyhow::Result<Self> {
        let mut input = BufReader::new(input);
        let packed = input.fill_buf().context("cannot be read")?.starts_with(&[0x1f, 0x8b]);
        let input: Box<dyn BufRead + 'a> = match packed {
            true => Box::new(BufReader::new(MultiGzDecoder::new(input))),
            false => Box::new(input),
        };
        Ok(Self { input, number: 0 })
    }

    /// The next line that is not blank, with its number from 1.
    pub(super) fn next_line(&mut self) -> anyhow::Result<Option<(usize, String)>> {
        loop {
            let mut line = Vec::new();
            self.number += 1;
            let number = self.number;
            let read = self.input.by_ref().take(LONGEST_LINE + 1).read_until(b'\n', &mut line);
            let read = read.with_context(|| format!("line {number} cannot be read"))?;
            anyhow::ensure!(read as u64 <= LONGEST_LINE, "line {number} is longer than 16 MiB");
            if read == 0 {
                return Ok(None);
            }
            let line = String::from_utf8(line);
            let line = line.ok().with_context(|| format!("line {number} is not UTF-8"))?;
            if !line.trim().is_empty() {
                return Ok(Some((number, line)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::io::Write;

    fn all(bytes: &[u8]) -> anyhow::Result<Vec<(usize, String)>> {
        let mut lines = Lines::new(bytes)?;
        let mut all = Vec::new();
        while let Some(line) = lines.next_line()? {
            all.push(line);
        }
        Ok(all)
    }

    #[test]
    fn packed_and_plain_lines_are_the_same() {
        let text = b"one\n\n  \ntwo";
        let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
        packer.write_all(text).unwrap();
        let packed = packer.finish().unwrap();
        let expected = [(1, "one\n".to_owned()), (4, "two".to_owned())];
        assert_eq!(all(text).unwrap(), expected);
        assert_eq!(all(&packed).unwrap(), expected);
        assert!(all(&packed[..packed.len() - 9]).is_err(), "a torn file is an error");
        assert!(all(b"").unwrap().is_empty());
        assert!(all(b"\xff\xfe").is_err());
    }

    #[test]
    fn an_endless_line_ends() {
        let endless = std::io::repeat(b'x');
        assert!(Lines::new(endless).unwrap().next_line().is_err());
    }
}
