//! `bastide serve`: the server.

use super::log_options::{LogOptions, say};
use super::settings::Place;
use server::config::ServerSettings;
use std::process::ExitCode;

/// Start the server: accounts, games, the page.
///
/// Needs no configuration: without any it listens on port 8080 and keeps everything in the folder
/// `data`. A flag beats the environment, which beats the file, which beats the default.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  bastide serve                                       for this machine and its network
  bastide serve --listen 127.0.0.1:9000               only for this machine
  bastide serve --public-url https://bastide.example --trusted-proxy 127.0.0.1
  bastide serve --config /etc/bastide.toml            settings in a file, named as the flags
  bastide serve --grpc-listen 127.0.0.1:8081          the engine for programs too, docs/grpc.md

Ctrl-C or SIGTERM stops it; requests that were begun are answered first.")]
pub(crate) struct Args {
    /// A file with settings, named as the flags: listen = "0.0.0.0:80"
    #[arg(long, env = "BASTIDE_CONFIG", value_name = "FILE")]
    config: Option<std::path::PathBuf>,
    #[command(flatten)]
    settings: ServerSettings,
    #[command(flatten)]
    log: LogOptions,
}

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let config = Place::settings(args.settings, args.config.as_deref())?.config();
    args.log.init()?;
    #[cfg(feature = "grpc")]
    let grpc: Option<server::run::ServeGrpc> = Some(grpc::serve_beside);
    #[cfg(not(feature = "grpc"))]
    let grpc = None;
    server::run::run(config, say, grpc)?;
    Ok(ExitCode::SUCCESS)
}
