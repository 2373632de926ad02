//! A file that is not there until it is whole.

use anyhow::{Context, bail};
use std::fs::{self, File, FileType};
use std::path::{Path, PathBuf};

/// `FILE.part`, which becomes `FILE` when it is whole and is removed if it never is.
pub(super) struct Part {
    part: PathBuf,
    whole: PathBuf,
    finished: bool,
}

impl Part {
    /// Starts a file. What is there already must be a plain file, or a link to one: then it is the
    /// file behind the link that will be replaced.
    pub(super) fn create(out: &Path) -> anyhow::Result<(Self, File)> {
        let whole = destination(out)?;
        let mut part = whole.clone().into_os_string();
        part.push(".part");
        let part = PathBuf::from(part);
        let name = part.display();
        if let Ok(found) = fs::symlink_metadata(&part)
            && !found.is_file()
        {
            bail!("cannot write {name}: it is {}, not a plain file", kind(found.file_type()));
        }
        let file = File::create(&part).with_context(|| format!("cannot write {name}"))?;
        Ok((Self { part, whole, finished: false }, file))
    }

    /// Puts the whole file in its place.
    pub(super) fn finish(mut self) -> anyhow::Result<()> {
        let renamed = fs::rename(&self.part, &self.whole);
        renamed.with_context(|| format!("cannot write {}", self.whole.display()))?;
        self.finished = true;
        Ok(())
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        if !self.finished {
            // A part is of no use; one that is gone already is no matter.
            let _ = fs::remove_file(&self.part);
        }
    }
}

/// The file to replace or make.
fn destination(out: &Path) -> anyhow::Result<PathBuf> {
    let name = out.display();
    match (fs::metadata(out), fs::symlink_metadata(out)) {
        (Ok(found), _) if !found.is_file() => {
            bail!("cannot write {name}: it is {}, not a plain file", kind(found.file_type()))
        }
        (Ok(_), Ok(found)) if found.is_symlink() => {
            fs::canonicalize(out).with_context(|| format!("cannot write {name}"))
        }
        (Err(_), Ok(_)) => bail!("cannot write {name}: it is a link that leads nowhere"),
        // Whatever else is wrong shows when the part is made.
        _ => Ok(out.to_owned()),
    }
}

/// What is there, in words.
fn kind(found: FileType) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if found.is_fifo() {
            return "a pipe";
        }
        if found.is_char_device() || found.is_block_device() {
            return "a device";
        }
        if found.is_socket() {
            return "a socket";
        }
    }
    if found.is_dir() {
        "a directory"
    } else if found.is_symlink() {
        "a link"
    } else {
        "something else"
    }
}
