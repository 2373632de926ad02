//! A zip archive of stored (not compressed) members: what an npz file is.
//!
//! Sizes are always written in the 64-bit form, so that one way serves small and large files.

use std::io::{self, Read, Seek, SeekFrom, Write};

/// Writes members one after the other.
pub(super) struct ZipWriter<'a, W: Write + Seek> {
    out: &'a mut W,
    members: Vec<Member>,
}

/// One member of an archive.
#[derive(Clone, Debug)]
pub(super) struct Member {
    pub(super) name: String,
    /// Where its local header is.
    offset: u64,
    pub(super) len: u64,
    crc: u32,
}

const LOCAL: u32 = 0x0403_4b50;
const CENTRAL: u32 = 0x0201_4b50;
const END: u32 = 0x0605_4b50;
const END_64: u32 = 0x0606_4b50;
const LOCATOR_64: u32 = 0x0706_4b50;
/// Stands for "see the 64-bit field".
const ELSEWHERE: u32 = u32::MAX;
const VERSION: u16 = 45;
/// 1 January 1980: the same graph gives the same file.
const DATE: u16 = 0x21;
const CRC_IN_LOCAL: u64 = 14;
/// The only flag that is understood: names are UTF-8.
const UTF_8: u16 = 1 << 11;
/// No archive that is read here has more members, or longer headers.
const MOST_MEMBERS: u64 = 64;

impl<'a, W: Write + Seek> ZipWriter<'a, W> {
    pub(super) fn new(out: &'a mut W) -> Self {
        Self { out, members: Vec::new() }
    }

    /// Writes a member of exactly `len` bytes with `fill`.
    pub(super) fn member<E: From<io::Error>>(
        &mut self,
        name: &str,
        len: u64,
        fill: impl FnOnce(&mut Summed<&mut W>) -> Result<(), E>,
    ) -> Result<(), E> {
        let offset = self.out.stream_position()?;
        let mut member = Member { name: name.to_owned(), offset, len, crc: 0 };
        self.out.write_all(&member.local())?;
        let mut body = Summed::new(&mut *self.out);
        fill(&mut body)?;
        let (written, crc) = (body.len, body.crc());
        assert_eq!(written, len, "a member has the length it was announced with");
        member.crc = crc;
        // The sum is known only now: it goes back into the header.
        self.out.seek(SeekFrom::Start(offset + CRC_IN_LOCAL))?;
        self.out.write_all(&crc.to_le_bytes())?;
        self.out.seek(SeekFrom::End(0))?;
        self.members.push(member);
        Ok(())
    }

    /// Writes the directory.
    pub(super) fn finish(self) -> io::Result<()> {
        let start = self.out.stream_position()?;
        let count = self.members.len() as u64;
        for member in &self.members {
            self.out.write_all(&member.central())?;
        }
        let end = self.out.stream_position()?;
        let mut bytes = Bytes::default();
        bytes.u32(END_64).u64(44).u16(VERSION).u16(VERSION).u32(0).u32(0);
        bytes.u64(count).u64(count).u64(end - start).u64(start);
        bytes.u32(LOCATOR_64).u32(0).u64(end).u32(1);
        bytes.u32(END).u16(0).u16(0).u16(count as u16).u16(count as u16);
        bytes.u32(ELSEWHERE).u32(ELSEWHERE).u16(0);
        self.out.write_all(&bytes.0)?;
        self.out.flush()
    }
}

impl Member {
    fn local(&self) -> Vec<u8> {
        let mut bytes = Bytes::default();
        bytes.u32(LOCAL).u16(VERSION).u16(0).u16(0).u16(0).u16(DATE).u32(self.crc);
        bytes.u32(ELSEWHERE).u32(ELSEWHERE).u16(self.name.len() as u16).u16(20);
        bytes.0.extend_from_slice(self.name.as_bytes());
        bytes.u16(1).u16(16).u64(self.len).u64(self.len);
        bytes.0
    }

    fn central(&self) -> Vec<u8> {
        let mut bytes = Bytes::default();
        bytes.u32(CENTRAL).u16(VERSION).u16(VERSION).u16(0).u16(0).u16(0).u16(DATE);
        bytes.u32(self.crc).u32(ELSEWHERE).u32(ELSEWHERE);
        bytes.u16(self.name.len() as u16).u16(28).u16(0).u16(0).u16(0).u32(0).u32(ELSEWHERE);
        bytes.0.extend_from_slice(self.name.as_bytes());
        bytes.u16(1).u16(24).u64(self.len).u64(self.len).u64(self.offset);
        bytes.0
    }
}

/// Reads the directory of an archive of stored members.
///
/// # Errors
/// What is wrong with it, in words.
pub(super) fn directory(file: &mut (impl Read + Seek)) -> Result<Vec<Member>, String> {
    let len = file.seek(SeekFrom::End(0)).map_err(|e| e.to_string())?;
    let no_zip = || "it is no npz file: the end of a zip archive is missing".to_owned();
    let at = len.checked_sub(22).ok_or_else(no_zip)?;
    let end = read_at(file, at, 22)?;
    if u32_at(&end, 0)? != END {
        return Err(no_zip());
    }
    let mut count = u64::from(u16_at(&end, 10)?);
    let mut size = u64::from(u32_at(&end, 12)?);
    let mut start = u64::from(u32_at(&end, 16)?);
    let mut after = at;
    if (u16_at(&end, 4)?, u16_at(&end, 6)?, u16_at(&end, 20)?) != (0, 0, 0)
        || u16_at(&end, 8)? != u16_at(&end, 10)?
    {
        return Err(damaged());
    }
    if start == u64::from(ELSEWHERE) {
        let locator_at = at.checked_sub(20).ok_or_else(damaged)?;
        let locator = read_at(file, locator_at, 20)?;
        after = u64_at(&locator, 8)?;
        let end = read_at(file, after, 56)?;
        if (u32_at(&locator, 0)?, u32_at(&end, 0)?) != (LOCATOR_64, END_64)
            || after.checked_add(56) != Some(locator_at)
            || (u32_at(&locator, 4)?, u32_at(&locator, 16)?) != (0, 1)
            || u64_at(&end, 4)? != 44
            || (u32_at(&end, 16)?, u32_at(&end, 20)?) != (0, 0)
            || u64_at(&end, 24)? != u64_at(&end, 32)?
        {
            return Err(damaged());
        }
        (count, size, start) = (u64_at(&end, 32)?, u64_at(&end, 40)?, u64_at(&end, 48)?);
    }
    if start.checked_add(size) != Some(after) {
        return Err("its directory has not the place and size that its end says".to_owned());
    }
    if count > MOST_MEMBERS {
        return Err(format!("it has {count} members, expected at most {MOST_MEMBERS}"));
    }
    let mut members: Vec<Member> = Vec::new();
    let mut at = start;
    for _ in 0..count {
        let (member, next) = central(file, at)?;
        if members.iter().any(|other| other.name == member.name) {
            return Err(format!("{:.40} is in it twice", member.name));
        }
        members.push(member);
        at = next;
    }
    if at != after {
        return Err("its directory has not the place and size that its end says".to_owned());
    }
    // One member after the other, and nothing between them or before the directory.
    let mut spans = Vec::new();
    for member in &members {
        let body = member.body(file)?;
        spans.push((member.offset, body.checked_add(member.len).ok_or_else(damaged)?));
    }
    spans.sort_unstable();
    let reached = spans.into_iter().try_fold(0, |at, (from, to)| (at == from).then_some(to));
    if reached != Some(start) {
        return Err("its members do not follow one another".to_owned());
    }
    Ok(members)
}

/// Reads one entry of the directory, and where the next one is.
fn central(file: &mut (impl Read + Seek), at: u64) -> Result<(Member, u64), String> {
    let head = read_at(file, at, 46)?;
    if u32_at(&head, 0)? != CENTRAL {
        return Err("its directory is damaged".to_owned());
    }
    let (name_len, extra_len) = (u16_at(&head, 28)? as usize, u16_at(&head, 30)? as usize);
    let rest = read_at(file, at + 46, name_len + extra_len)?;
    let name = String::from_utf8_lossy(&rest[..name_len]).into_owned();
    if u16_at(&head, 10)? != 0 {
        return Err(format!("{name:.40} is compressed: only stored arrays are read"));
    }
    if u16_at(&head, 8)? & !UTF_8 != 0 || u16_at(&head, 34)? != 0 {
        return Err(damaged());
    }
    let [len, stored, offset] =
        wide([u32_at(&head, 24)?, u32_at(&head, 20)?, u32_at(&head, 42)?], &rest[name_len..])?;
    if len != stored {
        return Err(format!("{name:.40} has two different sizes"));
    }
    let comment_len = u64::from(u16_at(&head, 32)?);
    let next = at + 46 + (name_len + extra_len) as u64 + comment_len;
    Ok((Member { name, offset, len, crc: u32_at(&head, 16)? }, next))
}

/// Numbers that do not fit 32 bits stand in an extra field of their own, in this order.
fn wide<const N: usize>(narrow: [u32; N], extra: &[u8]) -> Result<[u64; N], String> {
    let bad = || "the extra fields of a header are damaged".to_owned();
    let (mut rest, mut field) = (extra, None);
    while !rest.is_empty() {
        let id = u16_at(rest, 0).map_err(|_| bad())?;
        let len = u16_at(rest, 2).map_err(|_| bad())? as usize;
        let body = rest.get(4..4 + len).ok_or_else(bad)?;
        if id == 1 && field.replace(body).is_some() {
            return Err(bad());
        }
        rest = &rest[4 + len..];
    }
    let mut field = field.unwrap_or_default();
    let mut numbers = narrow.map(u64::from);
    for number in &mut numbers {
        if *number == u64::from(ELSEWHERE) {
            *number = u64_at(field, 0).map_err(|_| bad())?;
            field = &field[8..];
        }
    }
    if field.is_empty() { Ok(numbers) } else { Err(bad()) }
}

fn damaged() -> String {
    "its directory is damaged".to_owned()
}

impl Member {
    /// Goes to the start of the member's bytes.
    pub(super) fn open<R: Read + Seek>(&self, file: &mut R) -> Result<(), String> {
        let start = self.body(file)?;
        file.seek(SeekFrom::Start(start)).map(|_| ()).map_err(|e| e.to_string())
    }

    /// Where the member's bytes start, if its own header says the same as the directory.
    fn body<R: Read + Seek>(&self, file: &mut R) -> Result<u64, String> {
        let wrong = |what: &str| format!("{:.40} {what}", self.name);
        let head = read_at(file, self.offset, 30)?;
        if u32_at(&head, 0)? != LOCAL {
            return Err(wrong("is not where the directory says"));
        }
        let (name_len, extra_len) = (u16_at(&head, 26)? as usize, u16_at(&head, 28)? as usize);
        // What was read lies in the file, so this does not overflow.
        let rest = read_at(file, self.offset + 30, name_len + extra_len)?;
        let (name, extra) = rest.split_at(name_len);
        if name != self.name.as_bytes() {
            return Err(wrong("has another name in its own header"));
        }
        if u16_at(&head, 6)? & !UTF_8 != 0 || u16_at(&head, 8)? != 0 {
            return Err(wrong("has a damaged header"));
        }
        if u32_at(&head, 14)? != self.crc {
            return Err(wrong("has two different sums"));
        }
        let sizes = wide([u32_at(&head, 22)?, u32_at(&head, 18)?], extra);
        if sizes.map_err(|reason| wrong(&format!("is damaged: {reason}")))? != [self.len; 2] {
            return Err(wrong("has two different sizes"));
        }
        Ok(self.offset + 30 + rest.len() as u64)
    }

    /// Whether the sum over all its bytes is the one in the directory.
    pub(super) fn is_sum(&self, crc: u32) -> bool {
        self.crc == crc
    }
}

fn read_at(file: &mut (impl Read + Seek), at: u64, len: usize) -> Result<Vec<u8>, String> {
    let mut bytes = vec![0; len];
    file.seek(SeekFrom::Start(at))
        .and_then(|_| file.read_exact(&mut bytes))
        .map_err(|_| "it ends too early".to_owned())?;
    Ok(bytes)
}

fn array_at<const N: usize>(bytes: &[u8], at: usize) -> Result<[u8; N], String> {
    bytes
        .get(at..at + N)
        .and_then(|slice| slice.try_into().ok())
        .ok_or_else(|| "its directory is damaged".to_owned())
}

fn u16_at(bytes: &[u8], at: usize) -> Result<u16, String> {
    array_at(bytes, at).map(u16::from_le_bytes)
}

fn u32_at(bytes: &[u8], at: usize) -> Result<u32, String> {
    array_at(bytes, at).map(u32::from_le_bytes)
}

fn u64_at(bytes: &[u8], at: usize) -> Result<u64, String> {
    array_at(bytes, at).map(u64::from_le_bytes)
}

/// Little-endian numbers, one after the other.
#[derive(Default)]
struct Bytes(Vec<u8>);

impl Bytes {
    fn u16(&mut self, value: u16) -> &mut Self {
        self.0.extend_from_slice(&value.to_le_bytes());
        self
    }

    fn u32(&mut self, value: u32) -> &mut Self {
        self.0.extend_from_slice(&value.to_le_bytes());
        self
    }

    fn u64(&mut self, value: u64) -> &mut Self {
        self.0.extend_from_slice(&value.to_le_bytes());
        self
    }
}

/// Counts and sums (CRC-32) what goes through it, either way.
pub(super) struct Summed<T> {
    inner: T,
    sum: u32,
    pub(super) len: u64,
}

impl<T> Summed<T> {
    pub(super) fn new(inner: T) -> Self {
        Self { inner, sum: u32::MAX, len: 0 }
    }

    pub(super) fn crc(&self) -> u32 {
        !self.sum
    }

    fn add(&mut self, bytes: &[u8]) {
        self.len += bytes.len() as u64;
        self.sum = bytes
            .iter()
            .fold(self.sum, |sum, byte| CRC[((sum ^ u32::from(*byte)) & 0xff) as usize] ^ sum >> 8);
    }
}

impl<W: Write> Write for Summed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let len = self.inner.write(bytes)?;
        self.add(&bytes[..len]);
        Ok(len)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

impl<R: Read> Read for Summed<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let len = self.inner.read(bytes)?;
        self.add(&bytes[..len]);
        Ok(len)
    }
}

const CRC: [u32; 256] = {
    let mut table = [0; 256];
    let mut index = 0;
    while index < 256 {
        let mut sum = index as u32;
        let mut bit = 0;
        while bit < 8 {
            sum = if sum & 1 == 1 { 0xedb8_8320 ^ sum >> 1 } else { sum >> 1 };
            bit += 1;
        }
        table[index] = sum;
        index += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sum_is_the_standard_one() {
        let mut summed = Summed::new(io::sink());
        summed.write_all(b"123456789").unwrap();
        assert_eq!((summed.crc(), summed.len), (0xcbf4_3926, 9));
    }
}
