//! The files of the page: built by `web/`, kept in the binary, or read from a folder. Without them
//! there is a plain notice.

use axum::body::Bytes;
use brotli_decompressor::BrotliDecompress;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::collections::HashMap;
use std::io::{self, Write};
use std::path::Path;
use std::sync::OnceLock;

/// The files by their paths, and whether they are packed, from `build.rs`; none if the page was not built.
static EMBEDDED: &[(&str, &[u8], bool)] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// All files of the page, ready to be sent.
pub struct Page {
    files: HashMap<String, File>,
}

/// A file with what its answers need.
pub(crate) struct File {
    /// Its media type.
    pub(crate) kind: String,
    /// Its entity tag: a hash of what it holds.
    pub(crate) tag: String,
    pub(crate) plain: Bytes,
    /// As the page's build packed it.
    pub(crate) brotli: Option<Bytes>,
    /// For those who read no better; made when it is first asked for.
    gzip: OnceLock<Option<Bytes>>,
}

/// Shown where the binary was built without the page.
const NOTICE: &str = "<!doctype html>
<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Bastide</title></head>
<body><h1>Bastide</h1>
<p>The server runs, but this program was built without its page. The API is there:
<a href=\"/api/openapi.json\">its description</a>.</p>
<p>To build the page too, start the server with <code>make serve</code>.</p>
</body></html>
";

const INDEX: &str = "index.html";

impl Page {
    /// The page of the binary, or the one in a folder.
    ///
    /// # Errors
    /// If the folder cannot be read or has no `index.html`.
    pub fn load(folder: Option<&Path>) -> io::Result<Self> {
        let mut files = HashMap::new();
        match folder {
            None => {
                for (path, bytes, is_packed) in EMBEDDED {
                    let bytes = Bytes::from_static(bytes);
                    let file = if *is_packed {
                        File::of_brotli(path, bytes)?
                    } else {
                        File::new(path, bytes, None)
                    };
                    files.insert((*path).to_owned(), file);
                }
            }
            Some(folder) => {
                read_folder(folder, "", &mut files)?;
                if !files.contains_key(INDEX) {
                    let message = format!("{} has no {INDEX}", folder.display());
                    return Err(io::Error::new(io::ErrorKind::NotFound, message));
                }
            }
        }
        // A page with the engine asks for the nets, which are in this program already.
        if files.keys().any(|path| path.ends_with(".wasm")) {
            files.extend(bots::nets::files().map(|(name, bytes)| {
                let path = format!("engine/{name}.net");
                let file = File::new(&path, Bytes::from_static(bytes), None);
                (path, file)
            }));
        }
        if !files.contains_key(INDEX) {
            files.insert(
                INDEX.to_owned(),
                File::new(INDEX, Bytes::from_static(NOTICE.as_bytes()), None),
            );
        }
        Ok(Self { files })
    }

    /// The file at a path, without its first slash.
    pub(crate) fn file(&self, path: &str) -> Option<&File> {
        self.files.get(path)
    }

    /// What the page begins with.
    pub(crate) fn index(&self) -> Option<&File> {
        self.file(INDEX)
    }
}

fn read_folder(folder: &Path, prefix: &str, files: &mut HashMap<String, File>) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            read_folder(&entry.path(), &format!("{name}/"), files)?;
        } else {
            let bytes = std::fs::read(entry.path())?.into();
            match name.strip_suffix(".br") {
                Some(unpacked) => {
                    files.insert(unpacked.to_owned(), File::of_brotli(unpacked, bytes)?)
                }
                None if entry.path().with_added_extension("br").exists() => None,
                None => files.insert(name.clone(), File::new(&name, bytes, None)),
            };
        }
    }
    Ok(())
}

impl File {
    fn of_brotli(path: &str, brotli: Bytes) -> io::Result<Self> {
        let mut plain = Vec::new();
        BrotliDecompress(&mut brotli.as_ref(), &mut plain)
            .map_err(|error| io::Error::new(error.kind(), format!("{path}.br: {error}")))?;
        Ok(Self::new(path, plain.into(), Some(brotli)))
    }

    fn new(path: &str, plain: Bytes, brotli: Option<Bytes>) -> Self {
        let hash = blake3::hash(&plain).to_hex();
        let kind = mime_guess::from_path(path).first_or_octet_stream();
        let text = kind.type_() == "text";
        let kind = if text { format!("{kind}; charset=utf-8") } else { kind.to_string() };
        let tag = format!("\"{}\"", &hash[..32]);
        Self { kind, tag, plain, brotli, gzip: OnceLock::new() }
    }

    /// Compressed, where that makes it smaller.
    pub(crate) fn gzip(&self) -> Option<Bytes> {
        let smaller = |gzip: &Bytes| gzip.len() < self.plain.len() * 9 / 10;
        self.gzip.get_or_init(|| compressed(&self.plain).filter(smaller)).clone()
    }
}

fn compressed(bytes: &[u8]) -> Option<Bytes> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).ok()?;
    encoder.finish().ok().map(Bytes::from)
}
