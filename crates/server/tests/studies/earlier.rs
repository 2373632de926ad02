//! Earlier texts of a chapter: what is kept of it when it is changed, and what its owner puts back.

use crate::common::{Client, Server};
use crate::{TEXT, chapter, comment, made, play};
use serde_json::json;
use server::wire::{EarlierTexts, StudyChapter, StudyInfo};
use std::fmt::Write as _;

async fn earlier(client: &Client, chapter: &str) -> EarlierTexts {
    client.get(&format!("{chapter}/earlier")).await.json()
}

async fn kept(server: &Server) -> i64 {
    let sql = "SELECT COUNT(*) FROM study_earlier";
    sqlx::query_scalar(sql).fetch_one(&server.app.db.pool).await.expect("a count")
}

/// The versions of the earlier texts, the latest first, and whether each is as the owner left it.
async fn versions(client: &Client, chapter: &str) -> Vec<(u64, bool)> {
    let texts = earlier(client, chapter).await.earlier;
    texts.iter().map(|text| (text.version, text.owners)).collect()
}

#[tokio::test]
async fn what_the_owner_left_is_kept_before_others_add_to_it_or_put_it_in_another_order() {
    let server = Server::start().await;
    let (ada, bob) = (server.guest().await, server.guest().await);
    let study = made(&ada, json!({"text": TEXT, "visibility": "shared"})).await;
    let first = format!("/api/studies/{}/chapters/{}", study.id, study.chapters[0].id);
    let edits = format!("{first}/edits");
    // Version 2, 3: the owner's own. What the owner adds keeps nothing.
    ada.post(&edits, &play(1, &[], &["A"])).await.ok();
    ada.post(&edits, &comment(&["A"], "Ada's own words.\nOn two lines.", "")).await.ok();
    assert_eq!(versions(&ada, &first).await, []);
    // Another order by somebody else, then more of it: one text, that of the owner.
    let promote = json!({"version": 1, "edit": {"type": "promote", "path": ["A"]}});
    bob.post(&edits, &promote).await.ok();
    bob.post(&edits, &play(1, &[], &["B"])).await.ok();
    assert_eq!(versions(&ada, &first).await, [(3, true)]);
    let texts = earlier(&ada, &first).await.earlier;
    let bob_name = bob.get("/api/me").await.value()["name"].as_str().unwrap().to_owned();
    assert_eq!(texts[0].by.as_ref(), Some(&bob_name));
    assert_eq!((texts[0].moves, texts[0].comments), (10, 4));
    assert_eq!(texts[0].says.as_deref(), Some("What would you play?"));
    // Once more after the owner came back, and what others take away is nobody's text.
    ada.post(&edits, &play(1, &[], &["C"])).await.ok();
    bob.post(&edits, &play(1, &[], &["D"])).await.ok();
    let delete = json!({"version": 1, "edit": {"type": "delete", "path": ["A"]}});
    bob.post(&edits, &delete).await.ok();
    assert_eq!(versions(&ada, &first).await, [(7, false), (6, true), (3, true)]);
    let back: StudyChapter =
        ada.post(&format!("{first}/earlier"), &json!({"version": 3})).await.json();
    let moves: Vec<&str> =
        back.nodes.iter().filter(|n| n.parent.is_none()).map(|n| n.played.as_str()).collect();
    assert_eq!(moves, ["V", "A"], "in the owner's order");

    // A chapter that somebody else added is kept as it came, and is not called the owner's.
    let path = format!("/api/studies/{}", study.id);
    bob.post(&format!("{path}/chapters"), &json!({"text": "carcassonne\nA"})).await.ok();
    let seen: StudyInfo = ada.get(&path).await.json();
    let theirs = format!("{path}/chapters/{}", seen.chapters.last().unwrap().id);
    let edits = format!("{theirs}/edits");
    bob.post(&edits, &play(1, &[], &["B"])).await.ok();
    bob.post(&edits, &play(1, &[], &["C"])).await.ok();
    assert_eq!(versions(&ada, &theirs).await, [(1, false)]);
    ada.post(&edits, &comment(&["A"], "Mine now.\nAll of it.", "")).await.ok();
    bob.post(&edits, &play(1, &[], &["D"])).await.ok();
    assert_eq!(versions(&ada, &theirs).await, [(4, true), (1, false)]);
    let says = earlier(&ada, &theirs).await.earlier[0].says.clone();
    assert_eq!(says.as_deref(), Some("Mine now. All of it."), "on one line");
    server.stop().await;
}

#[tokio::test]
async fn what_is_taken_away_is_kept_and_put_back_by_the_owner() {
    let server = Server::start().await;
    let (ada, bob) = (server.guest().await, server.guest().await);
    let study = made(&ada, json!({"text": TEXT, "visibility": "shared"})).await;
    let path = format!("/api/studies/{}", study.id);
    let first = format!("{path}/chapters/{}", study.chapters[0].id);
    let edits = format!("{first}/edits");
    let delete = json!({"version": 1, "edit": {"type": "delete", "path": ["V"]}});
    let mark = json!({"version": 1, "edit": {"type": "mark", "path": ["A"], "mark": "!"}});
    let unmark = json!({"version": 1, "edit": {"type": "mark", "path": ["A"], "mark": null}});
    let whole = chapter(&ada, &study.id, &study.chapters[0].id).await;
    // What changes nothing keeps nothing and makes no version; what adds keeps what the owner left, once.
    for edit in [
        play(1, &[], &["A"]),
        play(1, &[], &[]),
        play(1, &["V"], &["1,0 r0"]),
        comment(&[], "What would you play?", "What would you play?"),
        comment(&["A"], "new", ""),
        mark,
        json!({"version": 1, "edit": {"type": "promote", "path": ["V"]}}),
    ] {
        bob.post(&edits, &edit).await.ok();
    }
    assert_eq!(versions(&ada, &first).await, [(1, true)]);
    let added = chapter(&ada, &study.id, &study.chapters[0].id).await;
    assert_eq!(added.info.version, 4, "three changes");

    // A stranger empties it, and then takes away so often that everything else would be forgotten.
    bob.post(&edits, &unmark).await.ok();
    bob.post(&edits, &delete).await.ok();
    for number in 0..30 {
        let was = if number == 0 { "new".to_owned() } else { format!("spam {}", number - 1) };
        bob.post(&edits, &comment(&["A"], &format!("spam {number}"), &was)).await.ok();
    }
    let texts = earlier(&ada, &first).await.earlier;
    assert_eq!(texts.len(), 20);
    assert!(texts.is_sorted_by(|one, other| one.version > other.version), "the latest first");
    let bob_name = bob.get("/api/me").await.value()["name"].as_str().unwrap().to_owned();
    assert!(texts.iter().all(|text| text.by.as_ref() == Some(&bob_name) && text.at > 0));
    let left = texts.last().unwrap();
    assert_eq!((left.version, left.moves), (1, whole.info.moves), "as the owner left it");
    let back: StudyChapter =
        ada.post(&format!("{first}/earlier"), &json!({"version": 1})).await.json();
    assert_eq!(json!(back.nodes), json!(whole.nodes));
    assert_eq!(back.comment, whole.comment);
    // Others see it as any other change, and it can be taken back too.
    let seen: StudyInfo = bob.get(&path).await.json();
    assert_eq!(seen.chapters[0].version, back.info.version);
    let spam = earlier(&ada, &first).await.earlier[0].version;
    ada.post(&format!("{first}/earlier"), &json!({"version": spam})).await.ok();
    let now = chapter(&bob, &study.id, &study.chapters[0].id).await;
    assert_eq!((now.info.moves, now.nodes[0].comment.as_str()), (1, "spam 29"));
    // The same again changes nothing.
    let again: StudyChapter =
        ada.post(&format!("{first}/earlier"), &json!({"version": spam})).await.json();
    assert_eq!(again.info.version, now.info.version);

    for (asked, status) in [
        (json!({"version": 9_999}), 404),
        (json!({"version": u64::MAX}), 404),
        (json!({"version": -1}), 400),
        (json!({}), 400),
        (json!({"version": 1, "body": "x"}), 400),
    ] {
        let refused = ada.post(&format!("{first}/earlier"), &asked).await;
        assert_eq!(refused.status, status, "{asked}: {}", refused.text);
    }
    let nowhere = format!("{path}/chapters/nowhere");
    assert_eq!(ada.get(&format!("{nowhere}/earlier")).await.refused(404), "not_found");
    assert_eq!(
        server.client().get(&format!("{first}/earlier")).await.refused(401),
        "not_logged_in"
    );
    ada.patch(&path, &json!({"visibility": "private"})).await.ok();
    assert_eq!(bob.get(&format!("{first}/earlier")).await.refused(404), "not_found");

    // It goes with its chapter, its study, its owner.
    assert!(kept(&server).await > 0);
    ada.delete(&first, &json!({})).await.ok();
    assert_eq!(kept(&server).await, 0);
    for gone in ["study", "account"] {
        let study = made(&ada, json!({"text": TEXT})).await;
        let path = format!("/api/studies/{}", study.id);
        ada.post(&format!("{path}/chapters/{}/edits", study.chapters[0].id), &delete).await.ok();
        assert_eq!(kept(&server).await, 1);
        ada.delete(if gone == "study" { &path } else { "/api/me" }, &json!({})).await.ok();
        assert_eq!(kept(&server).await, 0, "{gone}");
    }
    server.stop().await;
}

#[tokio::test]
async fn earlier_texts_do_not_fill_the_disk() {
    let server = Server::start().await;
    let (ada, bob) = (server.guest().await, server.guest().await);
    let words = "word ".repeat(790);
    let mut text = "carcassonne\nV".to_owned();
    for draw in "ABCDEFGHIJKLMNOPQRSTUWX".chars() {
        let _ = write!(text, " ({draw} {{{words}}})");
    }
    let study = made(&ada, json!({"text": text, "visibility": "shared"})).await;
    let first = format!("/api/studies/{}/chapters/{}", study.id, study.chapters[0].id);
    let edits = format!("{first}/edits");
    for number in 0..15 {
        let was = if number == 0 { words.clone() } else { format!("{number} {words}") };
        let next = format!("{} {words}", number + 1);
        bob.post(&edits, &comment(&["A"], &next, &was)).await.ok();
    }
    let texts = earlier(&ada, &first).await.earlier;
    assert!((2..=6).contains(&texts.len()), "{}", texts.len());
    assert_eq!(
        (texts[0].version, texts.last().unwrap().version),
        (15, 1),
        "the latest, the owner's"
    );
    // Nor does the owner who repairs it lose what they left.
    ada.post(&format!("{first}/earlier"), &json!({"version": 15})).await.ok();
    assert!(earlier(&ada, &first).await.earlier.iter().any(|text| text.version == 1));
    server.stop().await;
}
