//! Bans of addresses: known by a label, acting at once, and never on oneself.

use crate::common::{Answer, Client, Server};
use crate::support::*;
use serde_json::{Value, json};
use server::people::accounts::Role;

/// A server behind a proxy that says where requests come from.
async fn behind_a_proxy() -> Server {
    Server::start_with(|config| config.trusted_proxies = vec!["127.0.0.1".parse().unwrap()]).await
}

async fn get_from(client: &Client, address: &str, path: &str) -> Answer {
    let request = client.request(reqwest::Method::GET, path);
    Answer::of(request.header("x-forwarded-for", address)).await
}

async fn register_from(server: &Server, address: &str) -> (Client, String) {
    let client = server.client();
    let name = format!("u{}", server::ids::new_id());
    let body = json!({"name": name, "password": "a long password"});
    let request = client.request(reqwest::Method::POST, "/api/register").json(&body);
    Answer::of(request.header("x-forwarded-for", address)).await.ok();
    get_from(&client, address, "/api/me").await.ok();
    (client, name)
}

#[tokio::test]
async fn an_address_is_banned_without_being_seen() {
    let server = behind_a_proxy().await;
    let (first, name) = register_from(&server, "198.51.100.7").await;
    let (_, second) = register_from(&server, "198.51.100.7").await;
    let (neighbour, _) = register_from(&server, "198.51.100.8").await;
    let (moderator, _) = with_role(&server, Role::Moderator).await;
    let (administrator, _) = with_role(&server, Role::Administrator).await;
    let seen = history(&moderator, &name).await["addresses"].clone();
    assert_eq!(seen[0]["address"], Value::Null);
    assert!(!seen.to_string().contains("198.51"), "{seen}");
    assert_eq!(seen[0]["others"][0]["name"], second.as_str());
    let label = seen[0]["label"].clone();
    let shown = history(&administrator, &name).await["addresses"].clone();
    assert_eq!(shown[0]["address"], "198.51.100.7");
    assert_eq!(shown[0]["label"], label);

    let id = new_game(&neighbour, json!([{"kind": "me"}, {"kind": "open"}])).await;
    let path = format!("/api/games/{id}/socket");
    let from = [("x-forwarded-for", "198.51.100.7")];
    let mut watcher = server.client().try_socket(&path, &from).await.unwrap();
    watcher.next_of("welcome").await;
    let ban = json!({"kind": "address_ban", "reason": "a farm", "minutes": 60, "address": label});
    let laid = punish(&moderator, &name, &ban).await.value();
    assert!(!laid.to_string().contains("198.51"), "{laid}");
    while watcher.next().await.is_some() {}
    let answer = get_from(&first, "198.51.100.7", "/api/me").await;
    assert_eq!(answer.refused(403), "forbidden");
    let nobody = server.client();
    assert_eq!(get_from(&nobody, "198.51.100.7", "/api/lobby").await.refused(403), "forbidden");
    assert!(nobody.try_socket(&path, &from).await.is_err());
    get_from(&nobody, "198.51.100.8", "/api/lobby").await.ok();
    get_from(&first, "198.51.100.9", "/api/me").await.ok();
    let log = moderator.get("/api/moderation/audit").await.ok().text;
    assert!(log.contains("address_ban") && !log.contains("198.51"), "{log}");

    let server = server.restart().await;
    let nobody = server.client();
    assert_eq!(get_from(&nobody, "198.51.100.7", "/api/lobby").await.refused(403), "forbidden");
    let lift = format!("/api/moderation/sanctions/{}/lift", laid["id"].as_str().unwrap());
    let moderator = moderator.moved_to(server.address);
    moderator.post(&lift, &json!({"reason": "over"})).await.ok();
    get_from(&nobody, "198.51.100.7", "/api/lobby").await.ok();
}

#[tokio::test]
async fn an_administrator_is_not_shut_out_by_address_and_let_in_at_the_command_line() {
    let server = behind_a_proxy().await;
    let (user, name) = register_from(&server, "198.51.100.7").await;
    let (_, staff) = register_from(&server, "198.51.100.7").await;
    server::staff::admin::set_role(&server.app.db, &staff, Role::Administrator).await.unwrap();
    let (moderator, _) = with_role(&server, Role::Moderator).await;
    let (administrator, _) = with_role(&server, Role::Administrator).await;
    let label = history(&moderator, &name).await["addresses"][0]["label"].clone();
    let ban = json!({"kind": "address_ban", "reason": "a farm", "address": label});
    assert_eq!(punish(&moderator, &name, &ban).await.refused(403), "forbidden");
    punish(&administrator, &name, &ban).await.ok();
    assert_eq!(get_from(&user, "198.51.100.7", "/api/me").await.refused(403), "forbidden");
    server::staff::admin::ban(&server.app.db, &staff, false).await.unwrap();
    for _ in 0..200 {
        if get_from(&user, "198.51.100.7", "/api/me").await.status.is_success() {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("still shut out");
}

#[tokio::test]
async fn a_network_of_ipv6_is_one_and_ones_own_is_not_banned() {
    let server = behind_a_proxy().await;
    let (_, name) = register_from(&server, "2001:db8:1:2::1").await;
    let (moderator, _) = with_role(&server, Role::Moderator).await;
    let label = history(&moderator, &name).await["addresses"][0]["label"].clone();
    let ban = json!({"kind": "address_ban", "reason": "a farm", "address": label});
    let path = format!("/api/moderation/people/{name}/sanctions");
    let request = moderator.request(reqwest::Method::POST, &path).json(&ban);
    let own = Answer::of(request.header("x-forwarded-for", "2001:db8:1:2:ff::9")).await;
    assert_eq!(own.refused(409), "conflict");
    let elsewhere = json!({"kind": "address_ban", "reason": "a farm", "address": "0123456789ab"});
    assert_eq!(punish(&moderator, &name, &elsewhere).await.refused(404), "not_found");
    punish(&moderator, &name, &ban).await.ok();
    let nobody = server.client();
    let lobby = |address: &'static str| get_from(&nobody, address, "/api/lobby");
    assert_eq!(lobby("2001:db8:1:2:abcd::5").await.refused(403), "forbidden");
    lobby("2001:db8:1:3::1").await.ok();
}
