//! The page: built by `web/`, kept in the binary, or read from a folder. Without one there is a
//! plain notice.

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use rust_embed::{EmbeddedFile, RustEmbed};
use std::collections::HashMap;
use std::io::{self, Write};
use std::path::Path;

#[derive(RustEmbed)]
#[folder = "../../web/dist"]
#[allow_missing = true]
struct Embedded;

/// All files of the page, ready to be sent.
pub struct Page {
    files: HashMap<String, File>,
}

struct File {
    kind: String,
    tag: HeaderValue,
    plain: Bytes,
    /// Compressed, where that makes it smaller.
    gzip: Option<Bytes>,
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
            None => files.extend(Embedded::iter().filter_map(|path| {
                Embedded::get(&path).map(|file| (path.to_string(), File::new(&path, file)))
            })),
            Some(folder) => {
                read_folder(folder, "", &mut files)?;
                if !files.contains_key(INDEX) {
                    let message = format!("{} has no {INDEX}", folder.display());
                    return Err(io::Error::new(io::ErrorKind::NotFound, message));
                }
            }
        }
        if !files.contains_key(INDEX) {
            files.insert(INDEX.to_owned(), File::of_bytes(INDEX, NOTICE.as_bytes().to_vec()));
        }
        Ok(Self { files })
    }

    /// The index with something else in its head, for one answer.
    pub fn index_with(&self, change: impl FnOnce(&str) -> String) -> Option<Response> {
        let index = std::str::from_utf8(&self.files.get(INDEX)?.plain).ok()?;
        let headers = [
            (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
            (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        ];
        Some((headers, change(index)).into_response())
    }

    /// The file at a path. Paths that look like no file are places within the page: they get its
    /// index, and the page finds its way.
    pub fn answer(&self, path: &str, headers: &HeaderMap) -> Option<Response> {
        let path = path.trim_start_matches('/');
        if let Some(file) = self.files.get(path) {
            return Some(file.answer(headers, path.starts_with("assets/")));
        }
        let is_place = !path.rsplit('/').next().unwrap_or_default().contains('.');
        let index = self.files.get(INDEX).filter(|_| is_place)?;
        Some(index.answer(headers, false))
    }
}

fn read_folder(folder: &Path, prefix: &str, files: &mut HashMap<String, File>) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            read_folder(&entry.path(), &format!("{name}/"), files)?;
        } else {
            let bytes = std::fs::read(entry.path())?;
            files.insert(name.clone(), File::of_bytes(&name, bytes));
        }
    }
    Ok(())
}

impl File {
    fn new(path: &str, file: EmbeddedFile) -> Self {
        Self::of_bytes(path, file.data.into_owned())
    }

    fn of_bytes(path: &str, bytes: Vec<u8>) -> Self {
        let hash = blake3::hash(&bytes).to_hex();
        let tag = format!("\"{}\"", &hash[..32]);
        let kind = mime_guess::from_path(path).first_or_octet_stream();
        let text = kind.type_() == "text";
        let kind = if text { format!("{kind}; charset=utf-8") } else { kind.to_string() };
        Self {
            kind,
            tag: HeaderValue::from_str(&tag).expect("hexadecimal digits in quotes"),
            gzip: compressed(&bytes).filter(|gzip| gzip.len() < bytes.len() * 9 / 10),
            plain: bytes.into(),
        }
    }

    fn answer(&self, headers: &HeaderMap, immutable: bool) -> Response {
        let lifetime = if immutable { "public, max-age=31536000, immutable" } else { "no-cache" };
        let common = [
            (header::ETAG, self.tag.clone()),
            (header::CACHE_CONTROL, HeaderValue::from_static(lifetime)),
            (header::VARY, HeaderValue::from_static("accept-encoding")),
        ];
        let asked = |name| headers.get(name).and_then(|value| value.to_str().ok());
        let tag = self.tag.to_str().expect("hexadecimal digits in quotes");
        if asked(header::IF_NONE_MATCH).is_some_and(|tags| tags.contains(tag)) {
            return (StatusCode::NOT_MODIFIED, common).into_response();
        }
        let kind = [(header::CONTENT_TYPE, self.kind.clone())];
        let takes_gzip = asked(header::ACCEPT_ENCODING).is_some_and(|list| {
            list.split(',').any(|coding| coding.trim().split(';').next() == Some("gzip"))
        });
        match self.gzip.clone().filter(|_| takes_gzip) {
            Some(gzip) => {
                let coding = [(header::CONTENT_ENCODING, "gzip")];
                (common, kind, coding, Body::from(gzip)).into_response()
            }
            None => (common, kind, Body::from(self.plain.clone())).into_response(),
        }
    }
}

fn compressed(bytes: &[u8]) -> Option<Bytes> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).ok()?;
    encoder.finish().ok().map(Bytes::from)
}
