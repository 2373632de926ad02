//! For those who run the server: is it alive, is it ready, how does it do.

use crate::address::ClientAddress;
use crate::app::App;
use crate::error::Refusal;
use crate::metrics;
use crate::storage::db::LeaseState;
use axum::Router;
use axum::extract::{ConnectInfo, State};
use axum::http::{HeaderMap, header};
use axum::response::IntoResponse;
use axum::routing::get;
use std::net::SocketAddr;

/// Routes for those who run the server; they are no part of the API.
pub(super) fn routes() -> Router<App> {
    Router::new()
        .route("/healthz", get(|| async { "alive\n" }))
        .route("/readyz", get(ready))
        .route("/metrics", get(numbers))
}

async fn ready(State(app): State<App>) -> Result<&'static str, Refusal> {
    if app.is_stopping() {
        return Err(Refusal::Unavailable("the server is stopping".into()));
    }
    match app.fence.lease_state() {
        LeaseState::Held => {}
        LeaseState::Seeking => {
            return Err(Refusal::Unavailable("the database's lock has ended".into()));
        }
        LeaseState::Lost => {
            return Err(Refusal::Unavailable("another server has taken the database".into()));
        }
    }
    let checked = app.probe.check(&app.db).await;
    checked.map(|()| "ready\n").map_err(|unready| Refusal::Unavailable(unready.to_string()))
}

/// Metrics are for this machine, or for the networks that are configured.
async fn numbers(
    State(app): State<App>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    address: ClientAddress,
    headers: HeaderMap,
) -> Result<impl IntoResponse, Refusal> {
    // A proxy that is not configured would make everybody look like this machine.
    let forwarded = headers.contains_key("x-forwarded-for") || headers.contains_key("forwarded");
    let known = app.config.trusted_proxies.iter().any(|proxy| proxy.contains(peer.ip()));
    let through_unknown = forwarded && !known;
    if through_unknown || !app.config.shows_metrics_to(address.0) {
        return Err(Refusal::Forbidden("metrics are not shown to this address".into()));
    }
    look_around(&app);
    let recorder = metrics::recorder();
    recorder.run_upkeep();
    Ok(([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], recorder.render()))
}

/// Shows what is not counted as it happens, but can be looked up.
fn look_around(app: &App) {
    let (all, idle) = (app.db.pool.size() as usize, app.db.pool.num_idle());
    for (state, count) in [("idle", idle), ("used", all.saturating_sub(idle))] {
        ::metrics::gauge!("bastide_database_connections", "state" => state).set(count as f64);
    }
    metrics::show("bastide_database_connections_max", app.config.database_connections as usize);
    metrics::show("bastide_limited_keys", app.limits.len());
    metrics::show("bastide_connections_held", app.connections.held());
    metrics::show("bastide_journal_waiting", app.tables.changes_waiting());
    metrics::show_process();
}
