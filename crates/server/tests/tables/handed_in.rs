//! Games that were played in a browser without the server, handed in later.

use crate::common::{Server, whole_game};
use serde_json::json;
use server::wire::{Imported, Library};
use std::io::Write;
use std::sync::{Arc, Mutex};
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// What the server logs as errors.
#[derive(Clone, Default)]
struct Errors(Arc<Mutex<Vec<u8>>>);

impl Write for Errors {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn a_game_played_without_the_server_is_handed_in_once() {
    // The server runs on the thread of the test.
    let (errors, targets) = (Errors::default(), "server=error".parse::<Targets>().unwrap());
    let writer = errors.clone();
    let lines = tracing_subscriber::fmt::layer().with_writer(move || writer.clone());
    let _logged = tracing_subscriber::registry().with(targets).with(lines).set_default();
    let server = Server::start().await;
    let (ada, bob) = (server.guest().await, server.guest().await);
    let text = whole_game("players=2 board=5x5", 3);
    let key = "0123456789abcdef";
    let asked = json!({"record": text, "names": ["Ada", "Mason"], "offline_key": key});
    let new = ada.post("/api/import", &asked).await;
    assert_eq!(new.status, 201);
    let first: Imported = new.json();
    // Another text under the same key is told what is stored, and that nothing is new.
    let mut shorter = asked.clone();
    shorter["record"] = json!("carcassonne players=2\nV; 1,0 r0; pass");
    let mut unreadable = asked.clone();
    unreadable["record"] = json!("chess e4");
    for asked in [&asked, &shorter, &unreadable] {
        let again = ada.post("/api/import", asked).await;
        assert_eq!(again.status, 200);
        let again: Imported = again.json();
        assert_eq!((&again.id, again.plies, again.finished), (&first.id, first.plies, true));
    }
    let at_once = futures_util::future::join_all((0..10).map(|number| {
        let mut other = if number % 2 == 0 { asked.clone() } else { shorter.clone() };
        other["offline_key"] = json!("fedcba9876543210");
        let ada = &ada;
        async move {
            let answer = ada.post("/api/import", &other).await;
            (answer.status.as_u16(), answer.json::<Imported>())
        }
    }));
    let answers = at_once.await;
    assert_eq!(answers.iter().filter(|(status, _)| *status == 201).count(), 1, "{answers:?}");
    let stored = &answers.iter().find(|(status, _)| *status == 201).unwrap().1;
    for (status, told) in &answers {
        assert!(matches!(status, 200 | 201), "{answers:?}");
        assert_eq!((&told.id, told.plies), (&stored.id, stored.plies), "{answers:?}");
    }
    assert_ne!(stored.id, first.id);
    let errors = String::from_utf8_lossy(&errors.0.lock().unwrap()).into_owned();
    assert_eq!(errors, "", "a repeat is no failure");
    let library: Library = ada.get("/api/games?imported=true").await.json();
    assert_eq!(library.games.len(), 2);
    assert!(library.games.iter().all(|game| game.info.offline && !game.info.rated));
    let info = ada.get(&format!("/api/games/{}", first.id)).await.value()["info"].clone();
    assert_eq!(info["offline"], true);
    // The key is a browser's own: it names nobody else's game.
    bob.post("/api/import", &unreadable).await.refused(400);
    let other: Imported = bob.post("/api/import", &asked).await.json();
    assert_ne!(other.id, first.id);
    // A name that two players have is numbered.
    let twice = |names: &[&str]| json!({"record": whole_game("players=3", 3), "names": names});
    for (given, told) in [
        (["Ada", "Ada", "Ada"], ["Ada", "Ada 2", "Ada 3"]),
        (["Ada", "Ada", "Ada 2"], ["Ada", "Ada 3", "Ada 2"]),
        (
            [&"x".repeat(40), &"x".repeat(40), "y"],
            [&"x".repeat(40), &format!("{} 2", "x".repeat(38)), "y"],
        ),
    ] {
        let id = ada.post("/api/import", &twice(&given)).await.json::<Imported>().id;
        let info = ada.get(&format!("/api/games/{id}")).await.value()["info"].clone();
        let names: Vec<&str> = info["seats"]
            .as_array()
            .unwrap()
            .iter()
            .map(|seat| seat["sitter"]["name"].as_str().unwrap())
            .collect();
        assert_eq!(names, told);
    }
    for wrong in ["short", "with a space", "ключключключ", &"x".repeat(65)] {
        let asked = json!({"record": text, "offline_key": wrong});
        let answer = ada.post("/api/import", &asked).await;
        assert!(answer.text.contains("8 to 64 letters and digits"), "{}", answer.text);
        answer.refused(400);
    }
    server.stop().await;
}
