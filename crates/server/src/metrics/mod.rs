//! Numbers about the running server, for Prometheus.
//!
//! Labels are routes as written in the code, methods, kinds and statuses from closed lists: nothing
//! a client sends becomes a label, so nobody can forge a line or make their number grow. Durations
//! are histograms with fixed bounds, so that those of several servers add up.

mod process;

use axum::http::{Method, StatusCode};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use std::sync::OnceLock;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

pub use process::show as show_process;

/// A number that is told. `docs/operation.md` says what to make of each.
#[derive(Clone, Copy, Debug)]
pub struct Metric {
    /// Its name; times are in seconds, sizes in bytes, and counters end in `_total`.
    pub name: &'static str,
    /// What kind of number it is.
    pub kind: MetricKind,
    /// A sentence about it.
    pub about: &'static str,
}

/// What kind of number it is.
#[derive(Clone, Copy, Debug)]
pub enum MetricKind {
    /// It only grows.
    Counter,
    /// It goes up and down.
    Gauge,
    /// How often it was below each of these bounds.
    Histogram(&'static [f64]),
}

/// Bounds for what people wait for, in seconds.
const QUICK: &[f64] =
    &[0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0];

/// Bounds for what bots do, in seconds.
const THOUGHT: &[f64] =
    &[0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 20.0, 40.0];

/// Bounds for reviews of whole games, in seconds.
const REVIEW: &[f64] = &[1.0, 2.0, 5.0, 10.0, 15.0, 30.0, 60.0, 120.0, 300.0, 600.0];

/// Bounds for how many changes share a commit.
const GROUP: &[f64] = &[1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0];

const fn counter(name: &'static str, about: &'static str) -> Metric {
    Metric { name, kind: MetricKind::Counter, about }
}

const fn gauge(name: &'static str, about: &'static str) -> Metric {
    Metric { name, kind: MetricKind::Gauge, about }
}

const fn histogram(name: &'static str, bounds: &'static [f64], about: &'static str) -> Metric {
    Metric { name, kind: MetricKind::Histogram(bounds), about }
}

/// Every number there is. One that is not here would have no bounds and no explanation; a test
/// compares the list with what a running server tells.
pub const ALL: &[Metric] = &[
    gauge("bastide_info", "1, with the version of the program."),
    gauge("process_start_time_seconds", "When the process began, Unix time."),
    gauge("process_resident_memory_bytes", "Memory that the process holds."),
    gauge("process_open_fds", "Open files and connections of the process."),
    gauge("process_max_fds", "How many of them the system allows."),
    counter("bastide_requests_total", "Requests answered, by method, route and status."),
    histogram("bastide_request_seconds", QUICK, "Time to answer a request, by route."),
    counter("bastide_limited_total", "Requests refused as too many (429), by kind."),
    counter(
        "bastide_logins_refused_total",
        "Passwords and recovery codes that were wrong, by kind.",
    ),
    gauge("bastide_limited_keys", "Addresses and accounts whose limits are remembered."),
    gauge("bastide_sockets", "Open sockets of tables."),
    gauge("bastide_connections", "Accepted connections that are open."),
    counter("bastide_connections_refused_total", "Connections refused because too many are open."),
    gauge("bastide_connections_held", "Sockets, streams and waiting polls that are open."),
    gauge("bastide_tables", "Tables in memory."),
    counter("bastide_tables_ended_total", "Tables that left memory, by whether they failed."),
    counter("bastide_bus_messages_total", "Messages to other nodes, by topic."),
    counter("bastide_bus_interruptions_total", "Gaps in what other nodes send."),
    gauge("bastide_worker_threads", "Threads of workers that take this server's work."),
    counter("bastide_nodes_removed_total", "Nodes that were gone, removed by this one."),
    counter("bastide_watchers_dropped_total", "Sockets dropped because they did not read."),
    histogram("bastide_move_seconds", QUICK, "From a player's move to the update that tells it."),
    counter("bastide_flags_total", "Turns that ran out of time, by who sat there and why."),
    histogram("bastide_commit_seconds", QUICK, "Time to write and commit a group of changes."),
    histogram("bastide_journal_group", GROUP, "Changes that shared a commit."),
    gauge("bastide_journal_waiting", "Changes that wait to be written."),
    counter("bastide_journal_failures_total", "Changes that could not be written."),
    gauge("bastide_database_connections", "Connections to the database, by idle and used."),
    gauge("bastide_database_connections_max", "How many of them there may be."),
    gauge("bastide_bots_waiting", "Turns of bots that wait for a thread."),
    histogram(
        "bastide_bot_queue_wait_seconds",
        THOUGHT,
        "How long a bot's turn waited for a thread.",
    ),
    histogram("bastide_bot_think_seconds", THOUGHT, "How long a bot thought about a turn."),
    gauge("bastide_reviews_waiting", "Reviews of games that wait for a thread."),
    histogram("bastide_review_seconds", REVIEW, "How long a review of a game took."),
    counter("bastide_bot_failures_total", "Turns for which a bot found no move."),
    counter(
        "bastide_grpc_calls_total",
        "Calls of gRPC by method and status; streams as they begin.",
    ),
    gauge("bastide_grpc_sessions", "Open sessions of gRPC."),
    gauge("bastide_grpc_searches", "Searches and reviews that gRPC has under way."),
];

/// The one recorder of the process, made on first use; `metrics::counter!` and its sisters
/// anywhere write to it.
///
/// # Panics
/// Never: all histograms have bounds.
pub fn recorder() -> &'static PrometheusHandle {
    static RECORDER: OnceLock<PrometheusHandle> = OnceLock::new();
    RECORDER.get_or_init(|| {
        let mut builder = PrometheusBuilder::new();
        for metric in ALL {
            if let MetricKind::Histogram(bounds) = metric.kind {
                let name = Matcher::Full(metric.name.to_owned());
                builder = builder.set_buckets_for_metric(name, bounds).expect("there are bounds");
            }
        }
        let recorder = builder.build_recorder();
        let handle = recorder.handle();
        if metrics::set_global_recorder(recorder).is_err() {
            tracing::warn!("another recorder of metrics is in place; /metrics stays empty");
        }
        for Metric { name, kind, about } in ALL {
            match kind {
                MetricKind::Counter => metrics::describe_counter!(*name, *about),
                MetricKind::Gauge => metrics::describe_gauge!(*name, *about),
                MetricKind::Histogram(_) => metrics::describe_histogram!(*name, *about),
            }
        }
        start_at_zero();
        handle
    })
}

/// What an alarm looks at is there from the start: a rate needs a number before the first event.
fn start_at_zero() {
    let begun = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    metrics::gauge!("process_start_time_seconds").set(begun.as_secs_f64());
    metrics::gauge!("bastide_info", "version" => env!("CARGO_PKG_VERSION")).set(1.0);
    for name in ["bastide_sockets", "bastide_connections", "bastide_tables", "bastide_bots_waiting"]
    {
        metrics::gauge!(name).increment(0.0);
    }
    for name in [
        "bastide_journal_failures_total",
        "bastide_bot_failures_total",
        "bastide_watchers_dropped_total",
        "bastide_connections_refused_total",
    ] {
        metrics::counter!(name).increment(0);
    }
    for failed in ["false", "true"] {
        metrics::counter!("bastide_tables_ended_total", "failed" => failed).increment(0);
    }
    for kind in WrongSecret::ALL {
        metrics::counter!("bastide_logins_refused_total", "kind" => kind.name()).increment(0);
    }
    for sitter in ["person", "bot"] {
        for why in ["clock", "away"] {
            metrics::counter!("bastide_flags_total", "sitter" => sitter, "why" => why).increment(0);
        }
    }
}

/// Where somebody gave a wrong password or code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WrongSecret {
    /// Logging in.
    Login,
    /// Coming in with a recovery code.
    Recovery,
    /// The present password, asked for again.
    Confirmation,
    /// The code of a second factor.
    SecondFactor,
}

impl WrongSecret {
    const ALL: [Self; 4] = [Self::Login, Self::Recovery, Self::Confirmation, Self::SecondFactor];

    const fn name(self) -> &'static str {
        match self {
            Self::Login => "login",
            Self::Recovery => "recovery",
            Self::Confirmation => "confirmation",
            Self::SecondFactor => "second_factor",
        }
    }
}

/// Counts a wrong password or code.
pub fn count_wrong_secret(kind: WrongSecret) {
    metrics::counter!("bastide_logins_refused_total", "kind" => kind.name()).increment(1);
}

/// Counts a turn that ran out of time.
pub fn count_flag(bot: bool, away: bool) {
    let sitter = if bot { "bot" } else { "person" };
    let why = if away { "away" } else { "clock" };
    metrics::counter!("bastide_flags_total", "sitter" => sitter, "why" => why).increment(1);
}

/// Counts a request that was answered.
pub fn count_request(method: &Method, route: &str, status: StatusCode, took: Duration) {
    let method = match *method {
        Method::GET => "GET",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::HEAD => "HEAD",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    };
    let (route, status) = (route.to_owned(), status.as_u16().to_string());
    metrics::counter!("bastide_requests_total", "method" => method, "route" => route.clone(),
        "status" => status)
    .increment(1);
    metrics::histogram!("bastide_request_seconds", "route" => route).record(took.as_secs_f64());
}

/// Counts a call of gRPC.
pub fn count_grpc_call(method: &'static str, status: &'static str) {
    metrics::counter!("bastide_grpc_calls_total", "method" => method, "status" => status)
        .increment(1);
}

/// One of those that are counted by a number that goes up and down, as long as it is kept.
#[derive(Debug)]
pub struct Counted(&'static str);

impl Counted {
    /// One more.
    #[must_use]
    pub fn new(name: &'static str) -> Self {
        metrics::gauge!(name).increment(1.0);
        Self(name)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        metrics::gauge!(self.0).decrement(1.0);
    }
}

/// Sets a number that goes up and down.
pub fn show(name: &'static str, value: usize) {
    metrics::gauge!(name).set(value as f64);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// The names of metrics in a text.
    fn named(text: &str) -> BTreeSet<String> {
        let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        let ours =
            words.filter(|word| word.starts_with("bastide_") || word.starts_with("process_"));
        let suffixes = ["_bucket", "_sum", "_count"];
        let whole = |word: &str| {
            suffixes.iter().find_map(|suffix| word.strip_suffix(suffix)).unwrap_or(word).to_owned()
        };
        ours.map(whole).collect()
    }

    #[test]
    fn the_document_the_dashboard_and_the_alarms_name_what_there_is() {
        let known: BTreeSet<String> = ALL.iter().map(|metric| metric.name.to_owned()).collect();
        assert_eq!(known.len(), ALL.len(), "names differ");
        let document = include_str!("../../../../docs/operation.md");
        let (_, rest) = document.split_once("## Metrics").expect("the document has the list");
        let list = rest.split("\n## ").next().expect("a part");
        assert_eq!(named(list), known, "the list of docs/operation.md");
        for text in [
            include_str!("../../../../deploy/grafana.json"),
            include_str!("../../../../deploy/alerts.yml"),
        ] {
            let unknown: Vec<_> = named(text).difference(&known).cloned().collect();
            assert!(unknown.is_empty(), "{unknown:?}");
        }
    }

    #[test]
    fn names_follow_the_rules_of_prometheus() {
        for Metric { name, kind, about } in ALL {
            let total = name.ends_with("_total");
            assert_eq!(matches!(kind, MetricKind::Counter), total, "{name}");
            assert!(about.ends_with('.'), "{name}");
            if let MetricKind::Histogram(bounds) = kind {
                assert!(bounds.is_sorted_by(|one, next| one < next), "{name}");
            }
        }
    }
}
