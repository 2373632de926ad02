//! `bastide grpc`: the engine as a service, alone.

use super::log_options::say;
use crate::limits;
use anyhow::{Context, ensure};
use grpc::{Bounds, Gate};
use std::io::Write;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// Serve the engine over gRPC: rules, views, analyses and reviews of every game.
///
/// Without accounts and without a database. docs/grpc.md describes the service, the file
/// crates/grpc/proto/bastide/v1/engine.proto its messages.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  bastide grpc                                         only for this machine, port 8081
  bastide grpc --listen 0.0.0.0:8081 --token-file KEY  for who knows the token in the file
  grpcurl -plaintext localhost:8081 bastide.v1.Engine/GameTypes

Ctrl-C or SIGTERM stops it; calls that were begun are answered first.")]
pub(crate) struct Args {
    /// Address and port to listen on
    #[arg(long, env = "BASTIDE_GRPC_LISTEN", value_name = "ADDRESS:PORT")]
    #[arg(default_value_t = SocketAddr::from((Ipv4Addr::LOCALHOST, 8081)))]
    listen: SocketAddr,
    /// A file with the token that calls must carry: 'authorization: Bearer TOKEN'
    #[arg(long, env = "BASTIDE_GRPC_TOKEN_FILE", value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// Analyses that run at the same time, and as many reviews [default: the cores]
    #[arg(long, value_name = "N", value_parser = |text: &str| limits::threads(text))]
    threads: Option<usize>,
    /// The longest time of a search
    #[arg(long, value_name = "TIME", default_value = "60s")]
    #[arg(value_parser = |text: &str| limits::duration("longest-search", text))]
    longest_search: Duration,
    /// Sessions that may be open
    #[arg(long, value_name = "N", default_value_t = Bounds::default().sessions)]
    sessions: usize,
    /// What is logged: error, warn, info, debug
    #[arg(long, env = "BASTIDE_LOG", value_name = "FILTER", default_value = "info")]
    log: String,
}

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    server::logs::init(&args.log, false)?;
    let gate = match &args.token_file {
        Some(file) => Gate::token(&read_token(file)?),
        None => Gate::Open,
    };
    if args.token_file.is_none() && !args.listen.ip().is_loopback() {
        // Where not even this can be written, nobody reads it.
        let _ = writeln!(
            std::io::stderr(),
            "bastide: {} is reached from outside and asks for no token: everybody can let this \
             machine compute; use --token-file FILE, or --listen 127.0.0.1:{}",
            args.listen,
            args.listen.port()
        );
    }
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    let bounds = Bounds {
        longest_search: args.longest_search,
        sessions: args.sessions,
        ..Bounds::default()
    };
    grpc::run_alone(args.listen, gate, bounds, args.threads.unwrap_or(cores), |address| {
        say(&format!("gRPC is ready: {address}"));
    })?;
    Ok(ExitCode::SUCCESS)
}

/// The shortest token that is no mistake.
const SHORTEST: usize = 16;

fn read_token(file: &Path) -> anyhow::Result<String> {
    let text = std::fs::read_to_string(file);
    let text = text.with_context(|| format!("the token file {} can't be read", file.display()))?;
    let token = text.trim();
    ensure!(
        token.len() >= SHORTEST && !token.contains(char::is_whitespace),
        "the token in {} must be one word of at least {SHORTEST} characters; make one with \
         'openssl rand -hex 32'",
        file.display()
    );
    Ok(token.to_owned())
}
