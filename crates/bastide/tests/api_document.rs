//! The commands of `docs/api.md`, run one after the other against a real server.

mod live;

use live::Live;
use serde_json::Value;
use std::process::Command;

/// A command block of the document, and the answer that is shown after it.
struct Block {
    commands: String,
    shown: Option<Value>,
    /// Lines of a stream, each with a type.
    lines: Vec<Value>,
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
        for shown in &block.lines {
            let line = answer.lines().find_map(|line| of_type(line, &shown["type"]));
            let line = line.unwrap_or_else(|| panic!("no {} came in {answer}", shown["type"]));
            same_shape(shown, &line, &block.commands);
        }
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

/// A line of a stream, if it is of the type.
fn of_type(line: &str, kind: &Value) -> Option<Value> {
    serde_json::from_str::<Value>(line).ok().filter(|line| line["type"] == *kind)
}

#[test]
fn a_line_of_every_type_is_shown() {
    let shown: Vec<Value> = blocks(DOCUMENT).into_iter().flat_map(|block| block.lines).collect();
    let mut types: Vec<&str> = shown.iter().filter_map(|line| line["type"].as_str()).collect();
    types.sort_unstable();
    assert_eq!(types, ["game_over", "game_start", "invitation", "your_turn"]);
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
            "sh" => {
                blocks.push(Block { commands: text.to_owned(), shown: None, lines: Vec::new() });
            }
            "json" if after_commands => {
                let shown = serde_json::from_str(text)
                    .unwrap_or_else(|error| panic!("{error} in the document: {text}"));
                blocks.last_mut().expect("commands came before").shown = Some(shown);
            }
            "jsonl" if after_commands => {
                let read = |line| {
                    serde_json::from_str(line)
                        .unwrap_or_else(|error| panic!("{error} in the document: {line}"))
                };
                blocks.last_mut().expect("commands came before").lines =
                    text.lines().map(read).collect();
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
