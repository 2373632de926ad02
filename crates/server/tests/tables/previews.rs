//! What a link tells before it is opened, the names of guests, and the profiles of bots.

use crate::common::Server;
use crate::support::*;
use serde_json::{Value, json};

/// The page at an address, as a program sees it that looks at links.
async fn page(server: &Server, path: &str) -> String {
    let answer = server.client().get(path).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    assert!(answer.headers["content-type"].to_str().unwrap().starts_with("text/html"));
    answer.text
}

#[tokio::test]
async fn a_link_says_who_invites_to_what() {
    let server = quick_server().await;
    let host = registered(&server).await;
    let name = host.get("/api/me").await.value()["name"].as_str().unwrap().to_owned();
    let table = json!({"game": "carcassonne", "seats": [{"kind": "open"}, {"kind": "me"}],
        "visibility": "link", "clock": {"kind": "game", "initial_ms": 600_000, "increment_ms": 5000}});
    let id = new_game(&host, &table).await;
    let waiting = page(&server, &format!("/g/{id}")).await;
    assert!(
        waiting.contains(&format!("og:title\" content=\"{name} invites you to a game")),
        "{waiting}"
    );
    assert!(waiting.contains("Two players, 10 min + 5 s, not rated."), "{waiting}");
    assert!(waiting.contains(&format!("og:url\" content=\"http://{}/g/{id}\"", server.address)));
    // Of a table that sleeps, from the database; and once it is over.
    let server = server.restart().await;
    let host = host.moved_to(server.address);
    let asleep = page(&server, &format!("/g/{id}")).await;
    assert!(asleep.contains(&format!("{name} invites you to a game")), "{asleep}");
    host.post(&format!("/api/games/{id}/abort"), &json!({})).await.ok();
    let over = page(&server, &format!("/g/{id}")).await;
    assert!(over.contains("Called off."), "{over}");
    // Elsewhere nothing is said.
    for path in ["/", "/g/", "/g/nosuchgame", "/g/x/y", "/play"] {
        assert!(!page(&server, path).await.contains("og:title"), "{path}");
    }
}

#[tokio::test]
async fn a_private_game_says_nothing() {
    let server = quick_server().await;
    let (host, friend) = (registered(&server).await, registered(&server).await);
    let name = |me: Value| me["name"].as_str().unwrap().to_owned();
    let host_name = name(host.get("/api/me").await.value());
    let friend_name = name(friend.get("/api/me").await.value());
    let table = json!({"game": "carcassonne", "visibility": "private",
        "seats": [{"kind": "me"}, {"kind": "user", "name": friend_name}]});
    let id = new_game(&host, &table).await;
    for over in [false, true] {
        if over {
            host.post(&format!("/api/games/{id}/abort"), &json!({})).await.ok();
        }
        let page = page(&server, &format!("/g/{id}")).await;
        assert!(!page.contains("og:") && !page.contains(&host_name), "{page}");
        assert!(!page.contains(&friend_name), "{page}");
    }
}

#[tokio::test]
async fn a_name_from_elsewhere_stays_text() {
    let server = quick_server().await;
    let user = registered(&server).await;
    let record = "carcassonne players=2\nU\n1,0 r0\npass";
    let names = ["\"><script>x</script>", "</title>'&"];
    let imported = user.post("/api/import", &json!({"record": record, "names": names})).await;
    let id = imported.value()["id"].as_str().unwrap().to_owned();
    let page = page(&server, &format!("/g/{id}")).await;
    assert!(!page.contains("<script>x") && !page.contains("</title>'"), "{page}");
    assert!(
        page.contains("&quot;&gt;&lt;script&gt;x&lt;/script&gt; 0 – &lt;/title&gt;&#39;&amp; 0")
    );
}

#[tokio::test]
async fn a_guest_chooses_a_name_until_an_account_wants_it() {
    let server = quick_server().await;
    let (guest, other, id) = game_for_two(&server, json!({})).await;
    let name = format!("N{}", &server::ids::new_id()[..8]);
    let chosen = guest.patch("/api/me", &json!({"new_name": name})).await.value();
    assert_eq!((&chosen["name"], &chosen["guest"]), (&json!(name), &json!(true)));
    let seat = |info: &Value| info["info"]["seats"][0]["sitter"]["name"].clone();
    assert_eq!(seat(&state(&other, &id).await), name.as_str());
    // Not that of another, not one that is_misleading, and no password by this way.
    let taken = other.patch("/api/me", &json!({"new_name": name.to_lowercase()})).await;
    assert_eq!(taken.status, 409, "{}", taken.text);
    for odd in ["admin", "a", "Guest-123456", "x y z", "<b>x</b>"] {
        assert_eq!(guest.patch("/api/me", &json!({"new_name": odd})).await.status, 400, "{odd}");
    }
    let password = json!({"new_name": "somebodynew", "new_password": "a long password"});
    assert_eq!(guest.patch("/api/me", &password).await.status, 403);
    // An account goes before a guest, who plays on under another name.
    let user = server.client();
    let account = json!({"name": name, "password": "a long password"});
    user.post("/api/register", &account).await.ok();
    assert_eq!(user.get("/api/me").await.value()["name"], name.as_str());
    let now = guest.get("/api/me").await.value();
    assert!(now["name"].as_str().unwrap().starts_with("Guest-"), "{now}");
    assert_eq!(seat(&state(&other, &id).await), now["name"]);
    // Nobody takes an account's name, and a guest who registers keeps the chosen one.
    assert_eq!(guest.patch("/api/me", &json!({"new_name": name})).await.status, 409);
    let own = format!("M{}", &server::ids::new_id()[..8]);
    guest.patch("/api/me", &json!({"new_name": own})).await.ok();
    guest.post("/api/register", &json!({"name": own, "password": "a long password"})).await.ok();
    assert_eq!(guest.get("/api/me").await.value()["name"], own.as_str());
}

#[tokio::test]
async fn a_bot_has_a_page_with_ones_own_record_against_it() {
    let server = quick_server().await;
    let (user, stranger) = (registered(&server).await, server.client());
    let unknown = stranger.get("/api/bots/nobody").await;
    assert_eq!(unknown.status, 404, "{}", unknown.text);
    assert_eq!(user.get("/api/bots/mason").await.value()["mine"], Value::Null);
    let table = json!({"game": "carcassonne", "shuffle_seats": false,
        "seats": [{"kind": "me"}, {"kind": "bot", "bot": "mason"}]});
    let id = new_game(&user, &table).await;
    let random = &mut game::Random::new(5);
    for _ in 0..3 {
        until(&user, &id, |state| state["update"]["legal"].is_array()).await;
        play_turn(&[&user], &id, random).await;
    }
    user.post(&format!("/api/games/{id}/resign"), &json!({})).await.ok();
    let mine = user.get("/api/bots/Mason").await.value();
    assert_eq!(mine["mine"], json!({"won": 0, "tied": 0, "lost": 1}), "{mine}");
    assert_eq!((&mine["name"], &mine["recent"][0]["info"]["id"]), (&json!("mason"), &json!(id)));
    assert!(mine["about"].as_str().unwrap().len() > 10);
    assert_eq!(stranger.get("/api/bots/mason").await.value()["mine"], Value::Null);
}
