//! `bastide worker`: a machine that thinks for servers elsewhere.

use crate::limits;
use std::io::Write;
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
    /// What is logged: error, warn, info, debug
    #[arg(long, env = "BASTIDE_LOG", value_name = "FILTER", default_value = "info")]
    log: String,
    /// Log lines as JSON
    #[arg(long, env = "BASTIDE_LOG_JSON", value_name = "BOOL", default_value_t = false)]
    #[arg(num_args = 0..=1, default_missing_value = "true", action = clap::ArgAction::Set)]
    log_json: bool,
}

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    server::logs::init(&args.log, args.log_json)?;
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    server::run::run_worker(&args.bus, args.threads.unwrap_or(cores), |line| {
        let mut out = std::io::stdout();
        // Nobody may be reading; the worker works all the same.
        let _ = writeln!(out, "{line}").and_then(|()| out.flush());
    })?;
    Ok(ExitCode::SUCCESS)
}
