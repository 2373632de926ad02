//! People of all roles.

use crate::common::{Client, Server};
use serde_json::json;
use server::accounts::Role;

/// A client with an account, and its name.
pub(crate) async fn registered(server: &Server) -> (Client, String) {
    let client = server.client();
    let name = format!("u{}", server::ids::new_id());
    let credentials = json!({"name": name, "password": "a long password"});
    client.post("/api/register", &credentials).await.ok();
    (client, name)
}

/// A client with an account of a role, and its name.
pub(crate) async fn with_role(server: &Server, role: Role) -> (Client, String) {
    let (client, name) = registered(server).await;
    server::admin::set_role(&server.app.db, &name, role).await.unwrap();
    (client, name)
}

/// A client's id.
pub(crate) async fn id_of(client: &Client) -> String {
    client.get("/api/me").await.value()["id"].as_str().unwrap().to_owned()
}
