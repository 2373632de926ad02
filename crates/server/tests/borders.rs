//! The order of the server's modules, as `src/lib.rs` states it, holds in every file.

#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn a_module_imports_only_those_before_it() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let root = fs::read_to_string(source.join("lib.rs")).unwrap();
    let order = stated_order(&root);
    let place = |module: &str| order.iter().position(|name| name == module);
    let reexported = reexports(&root);
    let mut wrong = Vec::new();
    let mut imports = 0;
    for (file, text) in files_without_tests(&source) {
        let path: Vec<&str> = file.trim_end_matches(".rs").split('/').collect();
        let own = place(path[0]).unwrap_or_else(|| panic!("{file} is of no stated module"));
        let depth = path.len() - usize::from(path.last() == Some(&"mod"));
        for (line, name) in paths_from_root(&text, depth) {
            let module = reexported.get(&name).unwrap_or(&name);
            let Some(other) = place(module) else {
                wrong.push(format!("src/{file}:{line}: `{module}` is not in the order"));
                continue;
            };
            imports += 1;
            if other > own {
                wrong.push(format!("src/{file}:{line}: `{}` imports `{module}`", path[0]));
            }
        }
    }
    assert!(imports > 500, "only {imports} imports were found");
    assert!(wrong.is_empty(), "against the order in src/lib.rs:\n{}", wrong.join("\n"));
}

#[test]
fn paths_are_found_however_they_are_written() {
    let text = "use crate::{ids, wire::{A, b::C},\n    people};\n// crate::edge\nlet x = crate::app::X;\n\
                use super::super::play::Y;\nuse super::near;\n#[cfg(test)]\nmod tests { use crate::run::Z; }\n\
                fn f() { crate::Late }\n";
    let found = paths_from_root(&without_tests(text).0, 2);
    let found: Vec<(usize, &str)> = found.iter().map(|(line, name)| (*line, &**name)).collect();
    let expected = [(1, "ids"), (1, "wire"), (2, "people"), (4, "app"), (5, "play"), (9, "Late")];
    assert_eq!(found, expected);
}

/// The modules in the order of the list in the crate's first comment: those that stand in
/// backticks before the colon of an item. Every declared module must be there once.
fn stated_order(root: &str) -> Vec<String> {
    let doc = root.lines().map_while(|line| line.strip_prefix("//!"));
    let list: Vec<&str> = doc
        .map(str::trim)
        .skip_while(|line| !line.contains("imports only those before it"))
        .skip_while(|line| !line.starts_with("- "))
        .take_while(|line| !line.is_empty())
        .collect();
    let order: Vec<String> = list
        .join("\n")
        .split("\n- ")
        .flat_map(|item| {
            let head = item.split(": ").next().unwrap_or_default();
            head.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>()
        })
        .collect();
    let declared = root.lines().filter_map(|line| {
        let rest = line.strip_prefix("pub mod ").or_else(|| line.strip_prefix("mod "))?;
        rest.strip_suffix(';').map(str::to_owned)
    });
    let mut sorted = order.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, declared.collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>());
    order
}

/// `pub use app::App` makes `crate::App` a path into `app`.
fn reexports(root: &str) -> BTreeMap<String, String> {
    let lines = root.lines().filter_map(|line| line.strip_prefix("pub use ")?.strip_suffix(';'));
    let named = lines.map(|path| path.split_once("::").expect("one name of one module"));
    named.map(|(module, name)| (name.to_owned(), module.to_owned())).collect()
}

/// Every file below `src` but `lib.rs`, without what only tests compile.
fn files_without_tests(source: &Path) -> Vec<(String, String)> {
    let mut paths = Vec::new();
    collect(source, &mut paths);
    let mut files = Vec::new();
    let mut only_tests = Vec::new();
    for path in &paths {
        let (text, modules) = without_tests(&fs::read_to_string(path).unwrap());
        let stem = path.file_stem().unwrap();
        let folder = match stem.to_str() {
            Some("mod" | "lib") => path.parent().unwrap().to_owned(),
            _ => path.with_file_name(stem),
        };
        only_tests.extend(modules.iter().map(|module| folder.join(module)));
        let name = path.strip_prefix(source).unwrap().to_str().unwrap().replace('\\', "/");
        files.push((path.with_extension(""), name, text));
    }
    files.retain(|(path, name, _)| {
        name != "lib.rs" && !only_tests.iter().any(|tests| path.starts_with(tests))
    });
    files.into_iter().map(|(_, name, text)| (name, text)).collect()
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, paths);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            paths.push(path);
        }
    }
}

/// A file with its comments and `#[cfg(test)]` items blanked out, line for line, and the names of
/// modules in files of their own that only tests compile.
fn without_tests(text: &str) -> (String, Vec<String>) {
    let text: String = text
        .split_inclusive('\n')
        .map(|line| if line.trim_start().starts_with("//") { "\n" } else { line })
        .collect();
    let mut kept = String::new();
    let mut modules = Vec::new();
    let mut rest = &*text;
    while let Some(at) = rest.find("#[cfg(test)]") {
        kept.push_str(&rest[..at]);
        let item = &rest[at..];
        let end = end_of_item(item);
        let declared = item[..end].lines().filter_map(|line| {
            let line = line.trim().strip_suffix(';')?;
            line.strip_prefix("pub(crate) ").unwrap_or(line).strip_prefix("mod ")
        });
        modules.extend(declared.map(str::to_owned));
        kept.extend(item[..end].matches('\n'));
        rest = &item[end..];
    }
    kept.push_str(rest);
    (kept, modules)
}

/// Where an item ends: at its first `;`, or with the braces that come before one.
fn end_of_item(item: &str) -> usize {
    let mut open = 0;
    for (at, c) in item.char_indices() {
        match c {
            ';' if open == 0 => return at + 1,
            '{' => open += 1,
            '}' if open == 1 => return at + 1,
            '}' => open -= 1,
            _ => {}
        }
    }
    item.len()
}

/// The first names of all paths from the crate's root, with their lines: after `crate::`, and after
/// as many `super::` as lead from a module of that depth to the root.
fn paths_from_root(text: &str, depth: usize) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for start in ["crate::".to_owned(), "super::".repeat(depth)] {
        for (at, _) in text.match_indices(&start) {
            let before = text[..at].chars().next_back();
            if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':') {
                continue;
            }
            for (offset, name) in names(&text[at + start.len()..]) {
                let line = text[..at + start.len() + offset].matches('\n').count() + 1;
                found.push((line, name));
            }
        }
    }
    found.sort();
    found
}

/// The name that a path goes on with, or those of a group in braces.
fn names(path: &str) -> Vec<(usize, String)> {
    let word = |at: usize| {
        let end = path[at..].find(|c: char| !c.is_alphanumeric() && c != '_');
        path[at..][..end.unwrap_or(path.len() - at)].to_owned()
    };
    if !path.starts_with('{') {
        return vec![(0, word(0))].into_iter().filter(|(_, name)| name != "super").collect();
    }
    let (mut open, mut expected, mut names) = (0, false, Vec::new());
    for (at, c) in path.char_indices() {
        match c {
            '{' => {
                open += 1;
                expected = open == 1;
            }
            '}' => open -= 1,
            ',' => expected = open == 1,
            c if expected && !c.is_whitespace() => {
                names.push((at, word(at)));
                expected = false;
            }
            _ => {}
        }
        if open == 0 {
            break;
        }
    }
    names
}
