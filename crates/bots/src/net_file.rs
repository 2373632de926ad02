//! Nets as files: refused unless they were made for these inputs and this shape.

use crate::error::{LoadCause, LoadError, NetError};
use crate::look::{FEATURE_INPUTS, GLOBAL_INPUTS, VERSION};
use crate::net::{EMBEDDING, FIRST, HIDDEN, LAST, Net, WEIGHTS};
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

/// The first line of a net file: the game, the version of the inputs, the shape.
fn header() -> String {
    format!(
        "bastide-net carcassonne inputs {VERSION} shape {FEATURE_INPUTS} {FIRST} {EMBEDDING} \
         {GLOBAL_INPUTS} {HIDDEN} {LAST}\n"
    )
}

impl Net {
    /// Writes the net.
    ///
    /// # Errors
    /// If the writer fails.
    pub fn write(&self, mut out: impl Write) -> io::Result<()> {
        out.write_all(header().as_bytes())?;
        let bytes: Vec<u8> = self.weights.iter().flat_map(|x| x.to_le_bytes()).collect();
        out.write_all(&bytes)
    }

    /// Reads a net from a file.
    ///
    /// # Errors
    /// If it cannot be read or is no net for these inputs; the error names the file.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, LoadError> {
        let fail = |cause| LoadError { path: path.as_ref().to_owned(), cause };
        // One byte more than a net has shows that the file is longer; some files never end.
        let longest = (header().len() + WEIGHTS * 4 + 1) as u64;
        let mut bytes = Vec::new();
        File::open(&path)
            .and_then(|file| file.take(longest).read_to_end(&mut bytes))
            .map_err(|error| fail(LoadCause::Read(error)))?;
        Self::read(&bytes).map_err(|error| fail(LoadCause::Net(error)))
    }

    /// Reads a net.
    ///
    /// # Errors
    /// If the bytes are no net, or one for other inputs or of another shape; the error says
    /// which is wanted.
    pub fn read(bytes: &[u8]) -> Result<Self, NetError> {
        let header = header();
        let end = bytes.iter().take(200).position(|byte| *byte == b'\n');
        let found = end.map(|end| String::from_utf8_lossy(&bytes[..end]).into_owned());
        let weights = bytes.strip_prefix(header.as_bytes()).ok_or_else(|| {
            let found = found.filter(|line| line.starts_with("bastide-net"));
            NetError::Header { expected: header.trim_end().to_owned(), found }
        })?;
        let (words, rest) = weights.as_chunks::<4>();
        if words.len() != WEIGHTS || !rest.is_empty() {
            return Err(NetError::Length { expected: WEIGHTS * 4, found: weights.len() });
        }
        let weights: Vec<f32> = words.iter().map(|word| f32::from_le_bytes(*word)).collect();
        match weights.iter().all(|weight| weight.is_finite()) {
            true => Ok(Self { weights }),
            false => Err(NetError::NotFinite),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_net_reads_back_and_another_is_refused() {
        let net = Net::untrained(1);
        let mut bytes = Vec::new();
        net.write(&mut bytes).unwrap();
        assert_eq!(Net::read(&bytes).unwrap().weights, net.weights);
        assert!(
            Net::read(&bytes[..bytes.len() - 1])
                .err()
                .unwrap()
                .to_string()
                .contains("bytes of weights")
        );
        assert!(Net::read(b"").err().unwrap().to_string().contains("found something else"));
        let other = String::from_utf8_lossy(&bytes[..40]).replace("inputs 1", "inputs 9") + "\n";
        assert!(Net::read(other.as_bytes()).err().unwrap().to_string().contains("inputs 9"));
        bytes.push(0);
        assert!(Net::read(&bytes).err().unwrap().to_string().contains("found more"));
        bytes.pop();
        let last = bytes.len() - 4;
        bytes[last..].copy_from_slice(&f32::NAN.to_le_bytes());
        assert!(Net::read(&bytes).err().unwrap().to_string().contains("finite"));
    }

    #[test]
    fn a_file_that_is_no_net_is_named() {
        assert!(
            Net::load("no/such/net").err().unwrap().to_string().contains("can't read no/such/net")
        );
        assert!(Net::load(env!("CARGO_MANIFEST_DIR")).is_err());
        // A file without an end is not read to its end.
        #[cfg(unix)]
        assert!(Net::load("/dev/zero").err().unwrap().to_string().contains("found something else"));
    }
}
