//! Numbers about the running server, for Prometheus.
//!
//! Labels are routes as written in the code, methods from a closed list and statuses: nothing a
//! client sends becomes a label, so nobody can forge a line or make their number grow.

use axum::http::{Method, StatusCode};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use std::sync::OnceLock;
use std::time::Duration;

/// Bounds of the histograms of durations, in seconds.
const SECONDS: [f64; 12] =
    [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0];

/// The one recorder of the process, made on first use; `metrics::counter!` and its sisters
/// anywhere write to it. Names of durations end in `_seconds`.
pub fn recorder() -> &'static PrometheusHandle {
    static RECORDER: OnceLock<PrometheusHandle> = OnceLock::new();
    RECORDER.get_or_init(|| {
        let builder = PrometheusBuilder::new()
            .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &SECONDS)
            .expect("there are buckets");
        let recorder = builder.build_recorder();
        let handle = recorder.handle();
        if metrics::set_global_recorder(recorder).is_err() {
            tracing::warn!("another recorder of metrics is in place; /metrics stays empty");
        }
        metrics::gauge!("bastide_info", "version" => env!("CARGO_PKG_VERSION")).set(1.0);
        handle
    })
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

/// Sets a number that goes up and down.
pub fn gauge(name: &'static str, value: f64) {
    metrics::gauge!(name).set(value);
}
