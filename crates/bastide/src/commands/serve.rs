//! `bastide serve`: the server.

use super::settings::Place;
use server::config::ServerSettings;
use std::io::Write;
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
    /// What is logged: error, warn, info, debug, or by module as 'server=debug,sqlx=warn'
    #[arg(long, env = "BASTIDE_LOG", value_name = "FILTER", default_value = "info")]
    log: String,
    /// Log lines as JSON
    #[arg(long, env = "BASTIDE_LOG_JSON", value_name = "BOOL", default_value_t = false)]
    #[arg(num_args = 0..=1, default_missing_value = "true", action = clap::ArgAction::Set)]
    log_json: bool,
}

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let config = Place::settings(args.settings, args.config.as_deref())?.config();
    server::logs::init(&args.log, args.log_json)?;
    #[cfg(feature = "grpc")]
    let grpc: Option<server::run::ServeGrpc> = Some(grpc::serve_beside);
    #[cfg(not(feature = "grpc"))]
    let grpc = None;
    let say = |line: &str| {
        let mut out = std::io::stdout();
        // Nobody may be reading; the server runs all the same.
        let _ = writeln!(out, "{line}").and_then(|()| out.flush());
    };
    server::run::run(config, say, grpc)?;
    Ok(ExitCode::SUCCESS)
}
