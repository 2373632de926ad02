//! `bastide backup` and `bastide restore`: everything the server keeps, in one file.

use super::settings::Place;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Write everything the server keeps to a new file. The server may be running.
///
/// The file is the same for SQLite and PostgreSQL, so it also serves to move from one to the
/// other.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  bastide backup bastide-2026-11-15.backup
  bastide backup /backups/today --database postgres://bastide@localhost/bastide")]
pub(crate) struct Args {
    /// The file to write; it must not be there yet
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    place: Place,
}

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let runtime = tokio::runtime::Runtime::new()?;
    let rows = runtime.block_on(async {
        let db = args.place.open().await?;
        let rows = server::staff::backup::backup(&db, &args.file).await?;
        db.pool.close().await;
        anyhow::Ok(rows)
    })?;
    writeln!(std::io::stdout(), "{rows} rows are in {}", args.file.display())?;
    Ok(ExitCode::SUCCESS)
}

/// Fill an empty database from a backup, all or nothing.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  bastide restore bastide-2026-11-15.backup --data restored
  bastide serve --data restored")]
pub(crate) struct RestoreArgs {
    /// The backup
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    place: Place,
}

pub(crate) fn restore(args: RestoreArgs) -> anyhow::Result<ExitCode> {
    let config = args.place.configuration()?;
    if config.database.is_none() {
        server::storage::db::private_folder(&config.data)?;
    }
    let runtime = tokio::runtime::Runtime::new()?;
    let url = config.database_url();
    let rows = runtime.block_on(server::staff::backup::restore(&url, &args.file))?;
    writeln!(std::io::stdout(), "{rows} rows are restored from {}", args.file.display())?;
    Ok(ExitCode::SUCCESS)
}
