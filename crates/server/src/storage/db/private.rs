//! Files that only their owner may read: they hold the hashes of passwords and the seeds of games.

use std::fs::OpenOptions;
use std::io;
use std::path::Path;

/// Makes a folder that only its owner may look into, or makes an existing one so.
///
/// # Errors
/// If it cannot be made.
pub fn private_folder(folder: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)?;
    close_to_others(folder, 0o700);
    Ok(())
}

/// Makes the file of a SQLite database, if there is none and it may be made, and takes what is
/// there from everybody but its owner. SQLite gives the files beside it the same mode.
pub(super) fn private_database(file: &Path, may_make: bool) {
    if may_make {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        // It is there already, or SQLite says what is wrong with the place.
        let _ = options.open(file);
    }
    for ending in ["", "-wal", "-shm", "-journal", ".lock"] {
        let mut path = file.as_os_str().to_owned();
        path.push(ending);
        let path = Path::new(&path);
        if path.is_file() {
            close_to_others(path, 0o600);
        }
    }
}

/// Sets a mode where others have any right; one who may not do so is told.
fn close_to_others(path: &Path, mode: u32) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let open = |path: &Path| {
            path.metadata().is_ok_and(|found| found.permissions().mode() & 0o077 != 0)
        };
        if !open(path) {
            return;
        }
        let permissions = std::fs::Permissions::from_mode(mode);
        if let Err(error) = std::fs::set_permissions(path, permissions) {
            tracing::warn!(path = %path.display(), %error, "others may read this");
        }
    }
    #[cfg(not(unix))]
    let _ = (path, mode);
}
