//! The commands of `docs/api.md`, run one after the other against a real server.

mod live;

use live::Live;
use serde_json::Value;
use std::process::Command;

/// A command block of the document, and the answer that is shown after it.
struct Block {
    commands: String,
    shown: Option<Value>,
}

const DOCUMENT: &str = include_str!("../../../docs/api.md");

#[test]
fn the_commands_of_the_api_document_work_and_answer_as_shown() {
    let blocks = blocks(DOCUMENT);
    assert!(blocks.len() >= 8, "only {} blocks were found", blocks.len());
    let live = Live::start(&[]);
    // Any refusal ends the test; examples of refusals are shown as text, not as commands.
    std::fs::write(live.folder().join(".curlrc"), "silent\nshow-error\nfail-with-body\n")
        .expect("a file can be written");
    let mut script = String::from("set -euo pipefail\n");
    for block in &blocks {
        script.push_str(&format!("{}\necho\necho '{MARK}'\n", block.commands));
    }
    let ran = Command::new("bash")
        .args(["-c", &script])
        .current_dir(live.folder())
        .env("CURL_HOME", live.folder())
        .env("SERVER", live.url())
        .output()
        .expect("bash runs");
    let out = String::from_utf8(ran.stdout).expect("answers are text");
    let answers: Vec<&str> = out.split(MARK).collect();
    for (block, answer) in blocks.iter().zip(&answers) {
        let Some(shown) = &block.shown else { continue };
        let last = answer.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default();
        let actual: Value = serde_json::from_str(last)
            .unwrap_or_else(|error| panic!("{error}: {last}\nafter\n{}", block.commands));
        same_shape(shown, &actual, &block.commands);
    }
    let errors = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "{errors}\n{}", answers.last().unwrap_or(&""));
    assert_eq!(answers.len(), blocks.len() + 1);
}

const MARK: &str = "== end of a block ==";

fn blocks(document: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut parts = document.split("\n```");
    let mut after_commands = false;
    parts.next();
    while let Some(part) = parts.next() {
        let between = parts.next().unwrap_or_default();
        let (kind, text) = part.split_once('\n').unwrap_or((part, ""));
        match kind {
            "sh" => blocks.push(Block { commands: text.to_owned(), shown: None }),
            "json" if after_commands => {
                let shown = serde_json::from_str(text)
                    .unwrap_or_else(|error| panic!("{error} in the document: {text}"));
                blocks.last_mut().expect("commands came before").shown = Some(shown);
            }
            _ => {}
        }
        after_commands = kind == "sh" && between.trim().is_empty();
    }
    blocks
}

/// The document shows examples: the values differ, the keys and the kinds may not.
fn same_shape(shown: &Value, actual: &Value, at: &str) {
    match (shown, actual) {
        (Value::Object(shown), Value::Object(actual)) => {
            let keys = |map: &serde_json::Map<String, Value>| {
                let mut keys: Vec<String> = map.keys().cloned().collect();
                keys.sort();
                keys
            };
            assert_eq!(keys(shown), keys(actual), "the keys differ in {at}");
            for (key, value) in shown {
                same_shape(value, &actual[key], &format!("{at}: {key}"));
            }
        }
        (Value::Array(shown), Value::Array(actual)) => {
            if let (Some(shown), Some(actual)) = (shown.first(), actual.first()) {
                same_shape(shown, actual, at);
            }
        }
        (Value::Null, _) | (_, Value::Null) => {}
        (shown, actual) => assert_eq!(
            std::mem::discriminant(shown),
            std::mem::discriminant(actual),
            "{shown} is shown, {actual} came, in {at}"
        ),
    }
}
