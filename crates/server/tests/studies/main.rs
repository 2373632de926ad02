//! Studies: games with variations and comments, by one person or by several at once.

#[path = "../common/mod.rs"]
mod common;
mod earlier;

use common::{Client, Server};
use serde_json::{Value, json};
use server::wire::{ChapterEdited, Studies, StudyChapter, StudyInfo};
use std::fmt::Write as _;

const TEXT: &str = "\
study Endings
chapter First
carcassonne players=2 farmers=on start=tile board=unlimited tiny-city=4
{What would you play?}
V; 1,0 r0; road0 ! {Claims the road.} (pass {Too careful.}) (field0
U)
U; -1,0 r0; pass

chapter With sets
carcassonne players=3 farmers=on start=tile board=unlimited tiny-city=4 sets=inns
";

async fn made(client: &Client, study: Value) -> StudyInfo {
    let answer = client.post("/api/studies", &study).await;
    assert_eq!(answer.status, 201, "{}", answer.text);
    answer.json()
}

async fn chapter(client: &Client, study: &str, id: &str) -> StudyChapter {
    client.get(&format!("/api/studies/{study}/chapters/{id}")).await.json()
}

fn play(version: u64, path: &[&str], moves: &[&str]) -> Value {
    json!({"version": version, "edit": {"type": "play", "path": path, "moves": moves}})
}

fn comment(path: &[&str], text: &str, was: &str) -> Value {
    let edit = json!({"type": "comment", "path": path, "text": text, "was": was});
    json!({"version": 1, "edit": edit})
}

#[tokio::test]
async fn a_study_goes_out_as_text_as_it_came_in() {
    let server = Server::start().await;
    let ada = server.guest().await;
    let study = made(&ada, json!({"text": TEXT})).await;
    assert_eq!((study.title.as_str(), study.chapters.len()), ("Endings", 2));
    assert!(study.mine && study.editable);
    let path = format!("/api/studies/{}", study.id);
    assert_eq!(ada.get(&format!("{path}/text")).await.ok().text, TEXT);
    let first = chapter(&ada, &study.id, &study.chapters[0].id).await;
    assert_eq!((first.info.moves, first.comment.as_str()), (9, "What would you play?"));
    let node = |at: usize| (first.nodes[at].played.as_str(), first.nodes[at].parent);
    assert_eq!([node(0), node(1), node(2)], [("V", None), ("1,0 r0", Some(0)), ("road0", Some(1))]);
    let passed = first.nodes.iter().find(|node| node.comment == "Too careful.").unwrap();
    assert_eq!((passed.played.as_str(), passed.parent), ("pass", Some(1)));
    assert_eq!(first.nodes[2].mark.as_deref(), Some("!"));

    // Fifty chapters with variations, within the limits of a request.
    let mut text = "study Fifty\n".to_owned();
    for number in 0..50 {
        let _ = write!(text, "\nchapter Number {number}\ncarcassonne\nV; 1,0 r0");
        for (other, turn) in ["road0", "field0", "field1", "pass"].iter().enumerate() {
            let _ = match other {
                0 => write!(text, "; {turn} {{{}}}", "a word ".repeat(50)),
                _ => write!(text, " ({turn} {{number {number}}}\nU; -1,0 r0; pass)"),
            };
        }
        text.push('\n');
    }
    let fifty = made(&ada, json!({"text": text, "title": "Another title"})).await;
    assert_eq!((fifty.chapters.len(), fifty.title.as_str()), (50, "Another title"));
    let out = ada.get(&format!("/api/studies/{}/text", fifty.id)).await.ok().text;
    let again = made(&ada, json!({"text": out})).await;
    assert_eq!(ada.get(&format!("/api/studies/{}/text", again.id)).await.ok().text, out);

    let mine: Studies = ada.get("/api/studies").await.json();
    let listed: Vec<usize> = mine.studies.iter().map(|study| study.chapters.len()).collect();
    assert_eq!(listed, [50, 50, 2]);
    // It is all there after the server began anew.
    let server = server.restart().await;
    let ada = ada.moved_to(server.client().url("/")[7..].trim_end_matches('/').parse().unwrap());
    assert_eq!(ada.get(&format!("{path}/text")).await.ok().text, TEXT);
    server.stop().await;
}

#[tokio::test]
async fn a_chapter_that_begins_with_a_position_laid_by_hand_is_kept() {
    let server = Server::start().await;
    let ada = server.guest().await;
    let laid = "tile U 1,0 r0 0 road0 | scores 4 12 | player 1";
    let setup = "carcassonne players=2 farmers=on start=tile board=unlimited tiny-city=4";
    let text = format!("{setup}\nfrom {laid}\nE; 0,1 r2; pass\n");
    let study = made(&ada, json!({"text": text})).await;
    let id = &study.chapters[0].id;
    assert_eq!(chapter(&ada, &study.id, id).await.laid.as_deref(), Some(laid));
    let edits = format!("/api/studies/{}/chapters/{id}/edits", study.id);
    ada.post(&edits, &play(1, &["E"], &["1,-1 r1"])).await.ok();
    // Without the laid tile nothing could lie there.
    let refused = ada.post(&edits, &play(2, &["E"], &["2,-1 r1"])).await;
    assert!(refused.status.is_client_error(), "{}", refused.text);
    assert!(refused.text.contains("is not legal"), "{}", refused.text);
    let out = ada.get(&format!("/api/studies/{}/text", study.id)).await.ok().text;
    assert_eq!(out, text.replace("0,1 r2; pass", "0,1 r2 (1,-1 r1); pass"));
    let hostile = json!({"text": format!("{setup}\nfrom tile U 1,0 r1\n")});
    let refused = ada.post("/api/studies", &hostile).await;
    assert!(refused.status.is_client_error(), "{}", refused.text);
    assert!(refused.text.contains("line 2") && refused.text.contains("edges"), "{}", refused.text);
    server.stop().await;
}

#[tokio::test]
async fn people_who_change_a_chapter_at_once_lose_nothing() {
    let server = Server::start().await;
    let (ada, bob) = (server.guest().await, server.guest().await);
    let study = made(&ada, json!({"visibility": "shared"})).await;
    let edits = format!("/api/studies/{}/chapters/{}/edits", study.id, study.chapters[0].id);
    ada.post(&edits, &play(1, &[], &["V", "1,0 r0"])).await.ok();

    // Both add lines at the same place, at the same time.
    let lines = |who: &Client, draws: &'static [&'static str]| {
        let (who, edits) = (who.clone(), edits.clone());
        async move {
            for draw in draws {
                who.post(&edits, &play(2, &["V", "1,0 r0"], &["pass", draw])).await.ok();
            }
        }
    };
    tokio::join!(
        lines(&ada, &["A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L"]),
        lines(&bob, &["L", "M", "N", "O", "P", "Q", "R", "S", "T", "U", "V", "W"]),
    );
    let now = chapter(&ada, &study.id, &study.chapters[0].id).await;
    assert_eq!(now.info.moves, 3 + 23, "every draw once");
    assert_eq!(now.info.version, 2 + 23, "what changes nothing makes no version");

    // A comment that the writer has not seen is not written over, and the writer sees it.
    bob.post(&edits, &comment(&["V"], "bob's", "")).await.ok();
    let late = ada.post(&edits, &comment(&["V"], "ada's", "")).await;
    assert!(late.text.contains("it is now 'bob's'"), "{}", late.text);
    assert_eq!(late.refused(409), "conflict");
    ada.post(&edits, &comment(&["V"], "both", "bob's")).await.ok();
    // Who has not seen what others did is given all of it.
    let edited: ChapterEdited = bob.post(&edits, &play(3, &["V"], &["1,0 r1"])).await.json();
    let whole = edited.chapter.unwrap();
    assert_eq!((edited.version, whole.nodes[0].comment.as_str()), (28, "both"));
    let edited: ChapterEdited = bob.post(&edits, &play(28, &["V"], &["0,-1 r0"])).await.json();
    assert!(edited.version == 29 && edited.chapter.is_none());

    // What was taken away is not there for others.
    let delete =
        json!({"version": 30, "edit": {"type": "delete", "path": ["V", "1,0 r0", "pass"]}});
    ada.post(&edits, &delete).await.ok();
    let gone = bob.post(&edits, &play(30, &["V", "1,0 r0", "pass", "A"], &["2,0 r0"])).await;
    assert!(gone.text.contains("ply 3 'pass' is not in this chapter"), "{}", gone.text);
    assert_eq!(gone.refused(409), "conflict");
    server.stop().await;
}

#[tokio::test]
async fn who_may_see_and_change_a_study_is_its_owners_choice() {
    let server = Server::start().await;
    let (ada, bob, nobody) = (server.guest().await, server.guest().await, server.client());
    let study = made(&ada, json!({"text": TEXT})).await;
    let path = format!("/api/studies/{}", study.id);
    let first = format!("{path}/chapters/{}", study.chapters[0].id);
    let edits = format!("{first}/edits");
    let edit = play(1, &[], &["A"]);
    for stranger in [&bob, &nobody] {
        for seen in [&path, &first, &format!("{path}/text")] {
            assert_eq!(stranger.get(seen).await.refused(404), "not_found");
        }
    }
    assert_eq!(bob.post(&edits, &edit).await.refused(404), "not_found");
    ada.patch(&path, &json!({"visibility": "link"})).await.ok();
    let seen: StudyInfo = nobody.get(&path).await.json();
    assert!(!seen.mine && !seen.editable);
    assert_eq!(bob.post(&edits, &edit).await.refused(403), "forbidden");
    assert_eq!(nobody.post(&edits, &edit).await.refused(401), "not_logged_in");
    ada.patch(&path, &json!({"visibility": "shared", "title": "Together"})).await.ok();
    bob.post(&edits, &edit).await.ok();
    let seen: StudyInfo = bob.get(&path).await.json();
    assert_eq!((seen.title.as_str(), seen.mine, seen.editable), ("Together", false, true));
    for taken in
        [bob.patch(&path, &json!({"title": "Mine"})).await, bob.delete(&path, &json!({})).await]
    {
        assert_eq!(taken.refused(403), "forbidden");
    }
    // Who may change what chapters say adds some, and neither takes away nor names any, not even their own.
    bob.post(&format!("{path}/chapters"), &json!({"text": "carcassonne\nA"})).await.ok();
    let seen: StudyInfo = ada.get(&path).await.json();
    assert_eq!(seen.chapters.len(), 3);
    for chapter in &seen.chapters {
        let chapter = format!("{path}/chapters/{}", chapter.id);
        for taken in [
            bob.patch(&chapter, &json!({"title": "Renamed"})).await,
            bob.delete(&chapter, &json!({})).await,
            bob.get(&format!("{chapter}/earlier")).await,
            bob.post(&format!("{chapter}/earlier"), &json!({"version": 1})).await,
        ] {
            assert!(taken.text.contains("only its owner"), "{}", taken.text);
            assert_eq!(taken.refused(403), "forbidden");
        }
    }
    ada.patch(&first, &json!({"title": "Renamed"})).await.ok();
    ada.delete(&first, &json!({})).await.ok();
    let seen: StudyInfo = ada.get(&path).await.json();
    assert_eq!(seen.chapters.len(), 2);
    ada.delete(&format!("{path}/chapters/{}", seen.chapters[0].id), &json!({})).await.ok();
    let last = format!("{path}/chapters/{}", seen.chapters[1].id);
    assert_eq!(ada.delete(&last, &json!({})).await.refused(409), "conflict");
    ada.delete(&path, &json!({})).await.ok();
    assert_eq!(ada.get(&path).await.refused(404), "not_found");
    assert!(bob.get("/api/studies").await.json::<Studies>().studies.is_empty());

    // Whoever leaves for good takes their studies along.
    let kept = made(&ada, json!({"visibility": "link"})).await;
    ada.delete("/api/me", &json!({})).await.ok();
    assert_eq!(bob.get(&format!("/api/studies/{}", kept.id)).await.refused(404), "not_found");
    server.stop().await;
}

#[tokio::test]
async fn what_is_no_study_is_refused_with_its_line() {
    let server = Server::start().await;
    let ada = server.guest().await;
    for (asked, status, word) in [
        (json!({"text": "carcassonne\nV; 9,9 r0"}), 422, "line 2: ply 2 '9,9 r0'"),
        (json!({"text": "study A\n\nchapter B\nchess"}), 422, "line 4: expected a chapter"),
        (json!({"text": "carcassonne\nV {open"}), 422, "has no '}'"),
        (json!({"text": "tinytown 3x3"}), 422, "found 'tinytown'"),
        (json!({"text": ""}), 422, "begins with"),
        (json!({"title": "x".repeat(121)}), 400, "at most 120"),
        (json!({"title": "a\nb"}), 400, "has the control character \\\\n; a title is one line"),
        (json!({"title": "a\u{7}b"}), 400, "has the control character \\\\u{7}"),
        (json!({"text": format!("carcassonne\n{}", "(".repeat(100_000))}), 422, "behind the move"),
        (json!({"text": "x".repeat(300_000)}), 413, "larger than"),
    ] {
        let answer = ada.post("/api/studies", &asked).await;
        assert!(answer.text.contains(word), "{} {}", answer.status, answer.text);
        answer.refused(status);
    }
    let study = made(&ada, json!({"text": TEXT})).await;
    let first = format!("/api/studies/{}/chapters/{}", study.id, study.chapters[0].id);
    let before = ada.get(&first).await.ok().text;
    for (edit, status, word) in [
        (json!({"type": "play", "path": ["x"], "moves": []}), 400, "move 1 'x'"),
        (json!({"type": "play", "path": ["W"], "moves": ["A"]}), 409, "is not in this chapter"),
        (json!({"type": "play", "path": ["V"], "moves": ["9,9 r0"]}), 422, "ply 2 '9,9 r0'"),
        (json!({"type": "mark", "path": ["V"], "mark": "!!!"}), 400, "is no mark"),
        (json!({"type": "mark", "path": [], "mark": "!"}), 422, "needs a move"),
        (json!({"type": "delete", "path": []}), 422, "needs a move"),
        (json!({"type": "comment", "path": [], "text": "x".repeat(4_001), "was": ""}), 422, "4000"),
    ] {
        let answer =
            ada.post(&format!("{first}/edits"), &json!({"version": 1, "edit": edit})).await;
        assert!(answer.text.contains(word), "{edit}: {} {}", answer.status, answer.text);
        answer.refused(status);
    }
    assert_eq!(ada.get(&first).await.ok().text, before, "nothing was changed");
    let nowhere = format!("/api/studies/{}/chapters/nowhere", study.id);
    assert_eq!(ada.get(&nowhere).await.refused(404), "not_found");
    server.stop().await;
}

#[tokio::test]
async fn many_small_changes_do_not_fill_the_disk() {
    let server = Server::start().await;
    let ada = server.guest().await;
    let words = "word ".repeat(798);
    let said = |moves: &[&str]| -> Vec<String> {
        moves.iter().map(|m| format!("{m} {{{words}}}")).collect()
    };
    let meeples = said(&["road0", "field0", "field1", "pass"]);
    let meeples = format!("; {} ({})", meeples[0], meeples[1..].join(") ("));
    let cells = said(&["1,0 r0", "1,0 r1", "0,-1 r0", "0,-1 r3", "-1,0 r2", "-1,0 r3"]);
    let (first, others) = (format!("{}{meeples}", cells[0]), &cells[1..]);
    let mut text = format!("carcassonne\nV; {first}");
    for cell in others {
        // A variation stands behind the move it replaces, before what follows that.
        text = text.replacen(&cells[0], &format!("{} ({cell}{meeples})", cells[0]), 1);
    }
    for draw in said(&["A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L"]) {
        text = text.replacen("\nV", &format!("\nV ({draw})"), 1);
    }
    assert!(text.len() < 256 * 1024 && text.len() > 160 * 1024, "{}", text.len());
    let study = made(&ada, json!({"text": text})).await;
    let edits = format!("/api/studies/{}/chapters/{}/edits", study.id, study.chapters[0].id);
    let mut refused = 0;
    for draw in ["M", "N", "O", "P", "Q", "R", "S", "T", "U", "W", "X"] {
        let after = |meeple| vec!["V", "1,0 r0", meeple, draw];
        for place in [vec![draw], after("pass"), after("road0"), after("field0")] {
            let (last, before) = place.split_last().unwrap();
            ada.post(&edits, &play(1, before, &[*last])).await.ok();
            let answer = ada.post(&edits, &comment(&place, &words, "")).await;
            if answer.status != 200 {
                assert!(answer.text.contains("at most 256 KiB"), "{}", answer.text);
                answer.refused(413);
                refused += 1;
            }
        }
    }
    assert!((1..44).contains(&refused), "{refused} of 44");
    // What makes it smaller is allowed.
    let delete = json!({"version": 1, "edit": {"type": "delete", "path": ["A"]}});
    ada.post(&edits, &delete).await.ok();
    server.stop().await;
}

/// What is there at an address: status, kind, tag and bytes.
async fn fetched(client: &Client, path: &str) -> (u16, String, String, Vec<u8>) {
    let answer = client.request(reqwest::Method::GET, path).send().await.expect("an answer");
    let header = |name: &str| {
        let value = answer.headers().get(name).and_then(|value| value.to_str().ok());
        value.unwrap_or_default().to_owned()
    };
    let (status, kind, tag) = (answer.status().as_u16(), header("content-type"), header("etag"));
    (status, kind, tag, answer.bytes().await.expect("a body").to_vec())
}

#[tokio::test]
async fn a_link_to_a_study_shows_its_first_chapter_and_nothing_of_a_private_one() {
    let server = Server::start().await;
    let (ada, stranger) = (server.guest().await, server.client());
    let title = "Ends & <b>odds</b>";
    let study = made(&ada, json!({"text": TEXT, "title": title})).await;
    let (page, api) = (format!("/study/{}", study.id), format!("/api/studies/{}", study.id));
    // A study is private until its owner says otherwise; to other sites the owner is anybody.
    for client in [&ada, &stranger] {
        let (status, _, _, html) = fetched(client, &page).await;
        let html = String::from_utf8(html).expect("a page");
        assert_eq!(status, 200);
        assert!(!html.contains("og:") && !html.contains("Ends") && !html.contains(&study.owner));
        let (status, kind, _, body) = fetched(client, &format!("{api}/picture")).await;
        assert_eq!((status, kind.as_str()), (404, "application/json"));
        let body = String::from_utf8(body).expect("a problem");
        assert_eq!(body.replace(&study.id, "ID"), {
            let (_, _, _, other) = fetched(client, "/api/studies/nosuchstudy/picture").await;
            String::from_utf8(other).expect("a problem").replace("nosuchstudy", "ID")
        });
    }
    for visibility in ["link", "shared"] {
        ada.patch(&api, &json!({"visibility": visibility})).await.ok();
        let html = stranger.get(&page).await.ok().text;
        assert!(
            html.contains("og:title\" content=\"Ends &amp; &lt;b&gt;odds&lt;/b&gt;\""),
            "{html}"
        );
        assert!(html.contains(&format!("A study by {}, 2 chapters.", study.owner)), "{html}");
        assert!(html.contains(&format!("{}{api}/picture\"", server.address)), "{html}");
        assert!(html.contains(&format!("{}{page}\"", server.address)), "{html}");
    }
    let picture = format!("{api}/picture");
    let (status, kind, tag, before) = fetched(&stranger, &picture).await;
    assert_eq!((status, kind.as_str(), &before[1..4]), (200, "image/png", &b"PNG"[..]));
    let side = |at: usize| u32::from_be_bytes(before[at..at + 4].try_into().expect("four bytes"));
    assert_eq!((side(16), side(20)), (1200, 630));
    let again = stranger.request(reqwest::Method::GET, &picture).header("if-none-match", &tag);
    assert_eq!(again.send().await.expect("an answer").status().as_u16(), 304);
    // It is the end of the main line: a variation changes nothing of it, one more tile does.
    let first = format!("{api}/chapters/{}/edits", study.chapters[0].id);
    let main = ["V", "1,0 r0", "road0", "U", "-1,0 r0", "pass"];
    ada.post(&first, &play(1, &main[..4], &["-1,0 r0", "field0"])).await.ok();
    let (_, _, after_variation, same) = fetched(&stranger, &picture).await;
    assert_ne!(after_variation, tag);
    assert!(same == before, "a variation is not shown");
    ada.post(&first, &play(2, &main, &["E", "0,1 r2", "pass"])).await.ok();
    assert!(fetched(&stranger, &picture).await.3 != before, "the main line is shown to its end");
    // And nothing any more once it is private again, whoever knows the tag.
    ada.patch(&api, &json!({"visibility": "private"})).await.ok();
    let again = stranger.request(reqwest::Method::GET, &picture).header("if-none-match", &tag);
    assert_eq!(again.send().await.expect("an answer").status().as_u16(), 404);
    assert!(!stranger.get(&page).await.ok().text.contains("og:"));
    server.stop().await;
}
