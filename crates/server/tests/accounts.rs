//! Accounts as clients see them.

mod common;

use common::Server;
use server::wire::Me;

#[tokio::test]
async fn a_guest_plays_at_once() {
    let server = Server::start().await;
    let client = server.client();
    let me: Me = client.post("/api/guest", &serde_json::json!({})).await.json();
    assert!(me.guest);
    assert!(me.name.starts_with("Guest-"), "{}", me.name);
    assert!(client.cookie().is_some());
    server.stop().await;
}
