//! Nets as files: refused unless they were made for these inputs and this shape.

use crate::error::{LoadCause, LoadError, NetError};
use crate::inputs::{
    BASE_FEATURE_INPUTS, BASE_GLOBAL_INPUTS, FEATURE_INPUTS, GLOBAL_INPUTS, THREATS_VERSION,
};
use crate::net::{
    BASE_HEAD, EMBEDDING, FIRST, HIDDEN, LAST, Net, OUTPUTS, SIZES, TERRAINS, WEIGHTS,
    WEIGHTS_WITH_THREATS, layout, rows,
};
use crate::scope::Scope;
use carcassonne::Sets;
use std::fs::File;
use std::io::{self, Read, Write};
use std::ops::Range;
use std::path::Path;

/// The first line of a net file without its end: the game, the version of the inputs, the shape.
/// `for` and what the net was trained for follow.
fn header(version: u32) -> String {
    header_of(version, FEATURE_INPUTS, GLOBAL_INPUTS)
}

fn header_of(version: u32, feature_inputs: usize, global_inputs: usize) -> String {
    format!(
        "bastide-net carcassonne inputs {version} shape {feature_inputs} {FIRST} {EMBEDDING} \
         {global_inputs} {HIDDEN} {LAST}"
    )
}

/// The first line of a file with the inputs of version 1, which knows the base game alone and does
/// not say for how many players it is.
fn base_header() -> String {
    header_of(1, BASE_FEATURE_INPUTS, BASE_GLOBAL_INPUTS)
}

/// The longest first line.
const LONGEST_HEADER: usize = 200;

/// How many weights such a file has.
const BASE_WEIGHTS: usize = WEIGHTS
    - TERRAINS * (FEATURE_INPUTS - BASE_FEATURE_INPUTS) * FIRST
    - (GLOBAL_INPUTS - BASE_GLOBAL_INPUTS) * (HIDDEN + OUTPUTS);

/// The weights of version 1 in the places of this version: what it does not see weighs nothing.
fn widened(base: &[f32]) -> Vec<f32> {
    let mut weights = vec![0.0; WEIGHTS];
    let mut from = base.iter().copied();
    let mut copy = |range: Range<usize>| {
        for (weight, old) in weights[range].iter_mut().zip(&mut from) {
            *weight = old;
        }
    };
    for terrain in 0..TERRAINS {
        copy(rows(layout::first(terrain), BASE_FEATURE_INPUTS, FIRST));
        copy(layout::first_bias(terrain).start..layout::second_bias(terrain).end);
    }
    copy(rows(layout::HEAD_1, BASE_HEAD, HIDDEN));
    copy(layout::BIAS_1.start..layout::BIAS_3.end);
    copy(rows(layout::SKIP, BASE_HEAD, OUTPUTS));
    weights
}

impl Net {
    /// Writes the net.
    ///
    /// # Errors
    /// If the writer fails.
    pub fn write(&self, mut out: impl Write) -> io::Result<()> {
        writeln!(out, "{} for {}", header(self.version()), self.scope.word())?;
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
        let longest = (LONGEST_HEADER + WEIGHTS_WITH_THREATS * 4 + 1) as u64;
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
        let end = bytes.iter().take(LONGEST_HEADER).position(|byte| *byte == b'\n');
        let line = end.and_then(|end| std::str::from_utf8(&bytes[..end]).ok()).unwrap_or("");
        let weights = end.map_or(&[][..], |end| &bytes[end + 1..]);
        let scope_behind = |header: &str| {
            let words = line.strip_prefix(header).and_then(|rest| rest.strip_prefix(" for "));
            words.and_then(Scope::read)
        };
        let mut known = SIZES.into_iter();
        let found = known.find_map(|(version, size)| Some((scope_behind(&header(version))?, size)));
        let (scope, expected) = match found {
            Some(found) => found,
            None if line == base_header() => {
                (Scope { fewest: 2, most: 6, sets: Sets::NONE }, BASE_WEIGHTS)
            }
            None => {
                let found = line.starts_with("bastide-net").then(|| line.to_owned());
                let expected = format!("{} for PLAYERS:SETS", header(THREATS_VERSION));
                return Err(NetError::Header { expected, found });
            }
        };
        let (words, rest) = weights.as_chunks::<4>();
        if words.len() != expected || !rest.is_empty() {
            return Err(NetError::Length { expected: expected * 4, found: weights.len() });
        }
        let weights: Vec<f32> = words.iter().map(|word| f32::from_le_bytes(*word)).collect();
        match weights.iter().all(|weight| weight.is_finite()) {
            true if expected == BASE_WEIGHTS => Ok(Self { weights: widened(&weights), scope }),
            true => Ok(Self { weights, scope }),
            false => Err(NetError::NotFinite),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::WEIGHTS_WITH_UNCLAIMED;

    #[test]
    fn a_net_reads_back_and_another_is_refused() {
        let net = Net::untrained(1, Scope::of(2, Sets::INNS));
        let mut bytes = Vec::new();
        net.write(&mut bytes).unwrap();
        let read = Net::read(&bytes).unwrap();
        assert_eq!((read.weights, read.scope), (net.weights, net.scope));
        assert!(
            Net::read(&bytes[..bytes.len() - 1])
                .err()
                .unwrap()
                .to_string()
                .contains("bytes of weights")
        );
        assert!(Net::read(b"").err().unwrap().to_string().contains("found something else"));
        let other = String::from_utf8_lossy(&bytes[..40]).replace("inputs 2", "inputs 9") + "\n";
        assert!(Net::read(other.as_bytes()).err().unwrap().to_string().contains("inputs 9"));
        bytes.push(0);
        assert!(Net::read(&bytes).err().unwrap().to_string().contains("found more"));
        bytes.pop();
        let last = bytes.len() - 4;
        bytes[last..].copy_from_slice(&f32::NAN.to_le_bytes());
        assert!(Net::read(&bytes).err().unwrap().to_string().contains("finite"));
    }

    #[test]
    fn what_a_net_sees_is_its_version() {
        let plain = Net::untrained(1, Scope::of(2, Sets::INNS));
        let seeing = plain.clone().with_unclaimed();
        let far = seeing.clone().with_threats();
        assert_eq!(far.weights, plain.clone().with_threats().weights);
        assert_eq!(far.clone().with_unclaimed().weights.len(), WEIGHTS_WITH_THREATS, "it stays so");
        let file = |net: &Net| {
            let mut bytes = Vec::new();
            net.write(&mut bytes).unwrap();
            bytes
        };
        let starts = |net: &Net, line: &str| file(net).starts_with(line.as_bytes());
        assert!(starts(
            &plain,
            "bastide-net carcassonne inputs 2 shape 52 64 32 160 96 32 for 2-2"
        ));
        assert!(starts(&seeing, "bastide-net carcassonne inputs 3 shape 52 64 32 160 96 32 for 2"));
        assert!(starts(&far, "bastide-net carcassonne inputs 4 shape 52 64 32 160 96 32 for 2"));
        for net in [plain, seeing.clone(), far] {
            let read = Net::read(&file(&net)).unwrap();
            assert_eq!(read.version(), net.version());
            assert_eq!((read.weights, read.scope), (net.weights, net.scope));
        }
        let refused = |bytes: &[u8]| Net::read(bytes).err().unwrap().to_string();
        let bytes = file(&seeing);
        let short = format!("expected {} bytes of weights, found ", WEIGHTS_WITH_UNCLAIMED * 4);
        assert!(refused(&bytes[..bytes.len() - 1]).starts_with(&short));
        assert!(refused(&[&bytes[..], b"0"].concat()).contains("found more"));
        let as_text = |bytes: &[u8]| String::from_utf8_lossy(&bytes[..70]).into_owned();
        let other = as_text(&bytes).replace("52 64", "40 64");
        let error = refused(&[other.as_bytes(), &bytes[70..]].concat());
        assert!(error.contains("inputs 4 shape 52 64") && error.contains("40 64"), "{error}");
        // The weights of one version behind the line of the other are too many or too few.
        let older = as_text(&bytes).replace("inputs 3", "inputs 2");
        let error = refused(&[older.as_bytes(), &bytes[70..]].concat());
        assert!(error.contains("found more"), "{error}");
        let cut = bytes.len() - (WEIGHTS_WITH_UNCLAIMED - WEIGHTS) * 4;
        assert!(refused(&bytes[..cut]).starts_with(&short));
        let mut bytes = bytes;
        let last = bytes.len() - 4;
        bytes[last..].copy_from_slice(&f32::INFINITY.to_le_bytes());
        assert!(refused(&bytes).contains("finite"));
    }

    #[test]
    fn a_net_of_version_1_is_read_and_says_the_same() {
        let mut old = format!("{}\n", base_header()).into_bytes();
        let wide = Net::untrained(3, Scope::of(2, Sets::NONE)).weights;
        let mut base: Vec<f32> = Vec::new();
        for terrain in 0..TERRAINS {
            base.extend(&wide[rows(layout::first(terrain), BASE_FEATURE_INPUTS, FIRST)]);
            base.extend(&wide[layout::first_bias(terrain).start..layout::second_bias(terrain).end]);
        }
        base.extend(&wide[rows(layout::HEAD_1, BASE_HEAD, HIDDEN)]);
        base.extend(&wide[layout::BIAS_1.start..layout::BIAS_3.end]);
        base.extend(&wide[rows(layout::SKIP, BASE_HEAD, OUTPUTS)]);
        assert_eq!(base.len(), BASE_WEIGHTS);
        old.extend(base.iter().flat_map(|weight| weight.to_le_bytes()));
        assert_eq!(Net::read(&old).unwrap().weights, wide, "what reads the sets is zero");
        old.pop();
        assert!(Net::read(&old).err().unwrap().to_string().contains("bytes of weights"));
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
