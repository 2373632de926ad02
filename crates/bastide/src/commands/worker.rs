//! `bastide worker`: a machine that thinks for servers elsewhere.

use super::log_options::{LogOptions, say};
use crate::limits;
use std::process::ExitCode;

/// Think for servers elsewhere: bots' turns, analyses and reviews, taken from a NATS server with JetStream.
///
/// A worker needs no database and keeps nothing. Servers with the same version and the same nets hand it what waits;
/// without workers they think themselves. docs/scale.md describes it.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  bastide worker --bus nats://USER:PASSWORD@bus:4222
  bastide worker --bus nats://localhost --threads 2

Ctrl-C or SIGTERM stops it: turns and analyses that were begun are finished, reviews are left to other workers.")]
pub(crate) struct Args {
    /// The NATS server that servers and workers share
    #[arg(long, env = "BASTIDE_BUS", value_name = "URL", hide_env_values = true)]
    bus: String,
    /// How many pieces of work are done at the same time [default: the cores]
    #[arg(long, env = "BASTIDE_WORKER_THREADS", value_name = "N", value_parser = |text: &str| limits::threads(text))]
    threads: Option<usize>,
    #[command(flatten)]
    log: LogOptions,
}

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    args.log.init()?;
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    server::run::run_worker(&args.bus, args.threads.unwrap_or(cores), say)?;
    Ok(ExitCode::SUCCESS)
}
