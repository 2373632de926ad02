//! Arrays in one file as numpy stores them: a zip archive of `.npy` files.

use crate::error::DatasetError;
use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// An array, row by row.
pub(crate) struct Array {
    pub(crate) name: &'static str,
    /// Numpy's word for the type of the numbers.
    kind: String,
    shape: Vec<usize>,
    bytes: Vec<u8>,
}

/// A number that arrays hold.
pub(crate) trait Number: Copy {
    /// Numpy's word for it.
    const KIND: &'static str;
    /// Its bytes, the lowest first.
    fn append_to(self, bytes: &mut Vec<u8>);
}

macro_rules! numbers {
    ($($type:ty: $kind:literal),*) => {
        $(impl Number for $type {
            const KIND: &'static str = $kind;
            fn append_to(self, bytes: &mut Vec<u8>) {
                bytes.extend(self.to_le_bytes());
            }
        })*
    };
}

numbers!(i8: "|i1", i32: "<i4", i64: "<i8", f32: "<f4");

impl Array {
    /// A list of numbers.
    pub(crate) fn list<N: Number>(name: &'static str, numbers: &[N]) -> Self {
        Self::shaped(name, vec![numbers.len()], numbers)
    }

    /// Rows of so many numbers.
    pub(crate) fn rows<N: Number>(name: &'static str, wide: usize, numbers: &[N]) -> Self {
        Self::shaped(name, vec![numbers.len() / wide, wide], numbers)
    }

    fn shaped<N: Number>(name: &'static str, shape: Vec<usize>, numbers: &[N]) -> Self {
        let mut bytes = Vec::with_capacity(size_of_val(numbers));
        numbers.iter().for_each(|number| number.append_to(&mut bytes));
        Self { name, kind: N::KIND.to_owned(), shape, bytes }
    }

    /// A text, as an array without axes.
    pub(crate) fn text(name: &'static str, text: &str) -> Self {
        let bytes = text.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect();
        Self { name, kind: format!("<U{}", text.chars().count()), shape: Vec::new(), bytes }
    }

    /// The contents of a `.npy` file, version 1.0.
    fn npy(&self) -> Vec<u8> {
        const BEFORE: usize = 10;
        let sizes: Vec<String> = self.shape.iter().map(|size| format!("{size},")).collect();
        let shape = sizes.join(" ");
        let shape = if self.shape.len() > 1 { shape.trim_end_matches(',') } else { &shape };
        let mut header =
            format!("{{'descr': '{}', 'fortran_order': False, 'shape': ({shape}), }}", self.kind);
        // The numbers begin at a multiple of 64.
        let padding = 63 - (BEFORE + header.len()) % 64;
        header.extend(std::iter::repeat_n(' ', padding));
        header.push('\n');
        let mut file = b"\x93NUMPY\x01\x00".to_vec();
        file.extend((header.len() as u16).to_le_bytes());
        file.extend(header.bytes());
        file.extend(&self.bytes);
        file
    }
}

/// Writes the file under another name until it is whole.
pub(crate) fn write(path: &Path, arrays: &[Array]) -> Result<(), DatasetError> {
    let archive = zipped(arrays)?;
    write_whole(path, &archive)
}

/// Writes a file so that it is there as a whole or not at all.
pub(crate) fn write_whole(path: &Path, contents: &[u8]) -> Result<(), DatasetError> {
    let part = path.with_extension(format!("{}.part", std::process::id()));
    let written = File::create(&part)
        .and_then(|mut file| file.write_all(contents).and_then(|()| file.sync_all()))
        .and_then(|()| fs::rename(&part, path));
    written.map_err(|error| {
        // It need not be there.
        let _ = fs::remove_file(&part);
        DatasetError::Io { path: path.to_owned(), error }
    })
}

/// The signatures of a zip archive's parts.
const LOCAL: u32 = 0x0403_4b50;
const CENTRAL: u32 = 0x0201_4b50;
const END: u32 = 0x0605_4b50;

fn zipped(arrays: &[Array]) -> Result<Vec<u8>, DatasetError> {
    let (mut archive, mut directory) = (Vec::new(), Vec::new());
    for array in arrays {
        let (name, file) = (format!("{}.npy", array.name), array.npy());
        let mut crc = Crc::new();
        crc.update(&file);
        let packed = deflated(&file).map_err(|error| DatasetError::Game(error.to_string()))?;
        // Version 2.0, no flags, deflated, the first of January 1980.
        let mut common = Vec::new();
        for field in [20_u16, 0, 8, 0, 0x21] {
            common.extend(field.to_le_bytes());
        }
        common.extend(crc.sum().to_le_bytes());
        common.extend(size(packed.len())?);
        common.extend(size(file.len())?);
        common.extend((name.len() as u16).to_le_bytes());
        common.extend([0; 2]);
        directory.extend(CENTRAL.to_le_bytes());
        directory.extend(20_u16.to_le_bytes());
        directory.extend(&common);
        // No comment, the first disk, no attributes.
        directory.extend([0; 10]);
        directory.extend(size(archive.len())?);
        directory.extend(name.bytes());
        archive.extend(LOCAL.to_le_bytes());
        archive.extend(&common);
        archive.extend(name.bytes());
        archive.extend(packed);
    }
    let (begin, count) = (size(archive.len())?, arrays.len() as u16);
    let long = size(directory.len())?;
    archive.extend(directory);
    archive.extend(END.to_le_bytes());
    archive.extend([0; 4]);
    archive.extend(count.to_le_bytes());
    archive.extend(count.to_le_bytes());
    archive.extend(long);
    archive.extend(begin);
    archive.extend([0; 2]);
    Ok(archive)
}

fn deflated(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes)?;
    encoder.finish()
}

fn size(bytes: usize) -> Result<[u8; 4], DatasetError> {
    let size = u32::try_from(bytes).map_err(|_| {
        let reason = "a shard would be larger than 4 GiB: ask for fewer games a shard";
        DatasetError::Request(reason.to_owned())
    })?;
    Ok(size.to_le_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_those_of_numpy() {
        let header = |array: Array| {
            let npy = array.npy();
            assert_eq!(npy.len() % 64, array.bytes.len() % 64);
            let text = String::from_utf8_lossy(&npy[10..npy.len() - array.bytes.len()]);
            text.trim_end().to_owned()
        };
        assert_eq!(
            header(Array::list("a", &[1_i32, 2])),
            "{'descr': '<i4', 'fortran_order': False, 'shape': (2,), }"
        );
        assert_eq!(
            header(Array::rows("a", 3, &[0_f32; 6])),
            "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }"
        );
        assert_eq!(
            header(Array::text("a", "v1")),
            "{'descr': '<U2', 'fortran_order': False, 'shape': (), }"
        );
    }

    #[test]
    fn nothing_is_left_of_a_file_that_cannot_be_written() {
        let folder = std::env::temp_dir().join(format!("bastide-npz-{}", std::process::id()));
        fs::create_dir_all(folder.join("taken.npz/inside")).unwrap();
        let failed = write(&folder.join("taken.npz"), &[Array::list("a", &[1_i8])]);
        assert!(matches!(failed, Err(DatasetError::Io { .. })));
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        fs::remove_dir_all(folder).unwrap();
    }
}
