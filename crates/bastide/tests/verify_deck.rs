//! `bastide verify-deck` as people run it.

use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpListener;
use std::process::{Command, Output};

/// What a server tells of a game with thirty draws, from the test vectors.
fn told() -> Value {
    let text = include_str!("../../server/tests/fixtures/fairness.json");
    let fixture: Value = serde_json::from_str(text).expect("the fixture is JSON");
    let mut told = fixture["vectors"][1].clone();
    told["drawn"] = json!(told["order"].as_array().expect("a list")[..30]);
    told["fair"] = json!(true);
    told
}

fn file(name: &str, text: &str) -> String {
    let path = format!("{}/{name}", env!("CARGO_TARGET_TMPDIR"));
    std::fs::write(&path, text).expect("a file can be written");
    path
}

fn run(args: &[&str]) -> (bool, String) {
    let Output { status, stdout, stderr } = Command::new(env!("CARGO_BIN_EXE_bastide"))
        .arg("verify-deck")
        .args(args)
        .output()
        .expect("the command runs");
    let text = [stdout, stderr].map(|out| String::from_utf8(out).expect("text")).concat();
    (status.success(), text)
}

#[test]
fn honest_draws_hold_and_a_forged_one_is_found() {
    let honest = file("honest.json", &told().to_string());
    let (good, text) = run(&[&honest]);
    assert!(good, "{text}");
    assert!(text.ends_with("the draws were fair\n") && text.contains("note  compare"), "{text}");
    let commit = told()["commit"].as_str().unwrap().to_uppercase();
    assert!(run(&[&honest, "--commit", &commit]).0);
    let (good, text) = run(&[&honest, "--commit", "00"]);
    assert!(!good && text.contains("WRONG the commitment is the one that was seen"), "{text}");

    let mut forged = told();
    forged["drawn"][7] = json!(if forged["drawn"][7] == "X" { "A" } else { "X" });
    let (good, text) = run(&[&file("forged.json", &forged.to_string())]);
    assert!(!good, "{text}");
    assert!(text.contains("WRONG the draws are the top of that order: number 8"), "{text}");
    assert!(text.ends_with("the draws were NOT as promised\n"), "{text}");
}

#[test]
fn the_record_must_have_the_same_draws() {
    let mut told = told();
    let honest = file("short.json", &{
        told["drawn"] = json!([told["order"][0]]);
        told.to_string()
    });
    let first = told["order"][0].as_str().unwrap();
    let record = file("record.txt", &format!("carcassonne\n{first}\n"));
    let (good, text) = run(&[&honest, "--record", &record]);
    assert!(good && text.contains("ok    the record has these draws"), "{text}");
    let other = if first == "A" { "B" } else { "A" };
    let record = file("other.txt", &format!("carcassonne\n{other}\n"));
    let (good, text) = run(&[&honest, "--record", &record]);
    assert!(!good && text.contains("draw 1 is"), "{text}");
}

#[test]
fn it_reads_from_a_server_and_says_what_is_wrong_with_other_sources() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let body = told().to_string();
    let serving = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut request = [0; 1024];
        let read = stream.read(&mut request).unwrap();
        write!(stream, "HTTP/1.0 200 OK\r\ncontent-type: application/json\r\n\r\n{body}").unwrap();
        String::from_utf8_lossy(&request[..read]).into_owned()
    });
    let (good, text) = run(&[&format!("http://{address}/api/games/kq7z0m2wxy/fairness")]);
    assert!(good, "{text}");
    assert!(serving.join().unwrap().starts_with("GET /api/games/kq7z0m2wxy/fairness HTTP/1.0"));
    for (source, word) in [
        ("https://bastide.example/x", "curl"),
        ("/nonexistent", "can't read"),
        (file("list.json", "[]").as_str(), "not what /api/games/ID/fairness tells"),
    ] {
        let (good, text) = run(&[source]);
        assert!(!good && text.contains(word), "{text}");
    }
}
