//! What commands that serve others say: log lines, and where they are.

use std::io::Write;

/// What is logged, and how.
#[derive(clap::Args)]
pub(crate) struct LogOptions {
    /// What is logged: error, warn, info, debug, or by module as 'server=debug,sqlx=warn'
    #[arg(long, env = "BASTIDE_LOG", value_name = "FILTER", default_value = "info")]
    log: String,
    /// Log lines as JSON
    #[arg(long, env = "BASTIDE_LOG_JSON", value_name = "BOOL", default_value_t = false)]
    #[arg(num_args = 0..=1, default_missing_value = "true", action = clap::ArgAction::Set)]
    log_json: bool,
}

impl LogOptions {
    /// Begins to log.
    ///
    /// # Errors
    /// If the filter is none.
    pub(crate) fn init(&self) -> anyhow::Result<()> {
        Ok(server::logs::init(&self.log, self.log_json)?)
    }
}

/// Says a line to whoever started the command. Nobody may be reading; it runs all the same.
pub(crate) fn say(line: &str) {
    let mut out = std::io::stdout();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}
