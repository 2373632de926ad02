//! A ladder as pages for a browser: the tables, and the games of each pairing, which open in the replay of
//! a Bastide server.

use super::table::Table;
use super::{Ladder, folder_name};
use crate::arena::{Plan, Store, Summary};
use crate::markup::escaped;
use anyhow::ensure;
use std::fmt::Write;

const STYLE: &str = "\
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 72rem; margin: 2rem auto; padding: 0 1rem }
.wide { overflow-x: auto }
table { border-collapse: collapse; margin: 1.5rem 0; font-variant-numeric: tabular-nums }
th, td { padding: .35rem .75rem; text-align: right; border-bottom: 1px solid #8884; white-space: nowrap }
th:first-child, td:first-child { text-align: left }
td.why { white-space: normal; text-align: left }
";

/// Refuses what is no address of a server.
///
/// # Errors
/// If it is none.
pub(super) fn check_site(site: &str) -> anyhow::Result<()> {
    let host = site.strip_prefix("http://").or_else(|| site.strip_prefix("https://"));
    let plain = |c: char| c.is_ascii_alphanumeric() || ".-_~:/[]%".contains(c);
    ensure!(
        host.is_some_and(|host| !host.is_empty() && host.chars().all(plain)),
        "--site '{}': an address such as http://127.0.0.1:8080 or https://example.org",
        game::excerpt(site, 80)
    );
    Ok(())
}

/// The page of a pairing's games.
pub(super) fn pairing_file(a: &str, b: &str) -> String {
    format!("{}.html", folder_name(a, b))
}

impl Ladder {
    /// The page with the tables, which leads to the games.
    pub(super) fn page(&self, complete: bool) -> String {
        let mut body = "<h1>Bastide ladder</h1>\n".to_owned();
        if !complete {
            body += "<p><strong>Not complete: it was stopped.</strong></p>\n";
        }
        self.tables().iter().for_each(|table| body += &html(table));
        body += "<h2>Games</h2>\n<ul>\n";
        for (a, b, summary) in &self.matches {
            let file = pairing_file(&self.bots[*a], &self.bots[*b]);
            let games = match summary.tally().games() {
                1 => "1 game".to_owned(),
                games => format!("{games} games"),
            };
            // Writing to a string cannot fail.
            let _ = writeln!(
                body,
                "<li><a href=\"{}\">{} – {}</a>: {}, {games}</li>",
                encoded(&file),
                escaped(&self.labels[*a]),
                escaped(&self.labels[*b]),
                summary.tally().margin(),
            );
        }
        let _ = write!(body, "</ul>\n<p>{}</p>\n", escaped(&self.legend()));
        whole("Bastide ladder", &body)
    }
}

/// The page with the games of a pairing, each with a link that opens it in the replay of a server.
pub(super) fn of_pairing(
    plan: &Plan,
    labels: [&str; 2],
    store: &Store,
    summary: &Summary,
    site: &str,
) -> String {
    let [a, b] = labels;
    let title = format!("{a} – {b}");
    let given_up = summary.sides().iter().any(|side| side.forfeits > 0);
    let remarks = if given_up { "<th>given up</th>" } else { "" };
    let mut body = format!(
        "<p><a href=\"index.html\">All tables</a></p>\n<h1>{}</h1>\n<p>{} of the first over the \
         second. A game opens as a record to take in at {}.</p>\n<div class=\"wide\"><table>\n\
         <tr><th>game</th><th>{}</th>{remarks}</tr>\n",
        escaped(&title),
        summary.tally().margin(),
        escaped(site),
        (0..plan.seats()).map(|seat| format!("seat {seat}")).collect::<Vec<_>>().join("</th><th>")
    );
    for game in store.games().filter(|game| summary.counts(game.round)) {
        let names: Vec<&str> =
            (0..plan.seats()).map(|seat| labels[usize::from(seat != game.seat)]).collect();
        let seats: String = names
            .iter()
            .zip(&game.scores)
            .map(|(name, score)| format!("<td>{} {score}</td>", escaped(name)))
            .collect();
        let why = game.forfeit.as_ref().map_or(String::new(), |forfeit| {
            let text = format!("by seat {}{}: {forfeit}", forfeit.seat, forfeit.place());
            format!("<td class=\"why\">{}</td>", escaped(&text))
        });
        // Names at a table cannot hold commas, and are short.
        let names: Vec<String> = names.iter().map(|name| short_name(name)).collect();
        let _ = writeln!(
            body,
            "<tr><td><a href=\"{}/games#record={}&amp;names={}\">{}.{}</a></td>{seats}{why}</tr>",
            escaped(site.trim_end_matches('/')),
            encoded(&game.record),
            encoded(&names.join(",")),
            game.round + 1,
            game.seat + 1,
        );
    }
    body += "</table></div>\n";
    whole(&title, &body)
}

/// What a side is called at a table.
fn short_name(side: &str) -> String {
    let fits = |c: &char| c.is_alphanumeric() || "-_. ".contains(*c);
    side.trim_start_matches("cmd:").chars().filter(fits).take(20).collect()
}

fn whole(title: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{}</title>\n<style>\n{STYLE}</style>\n{body}</html>\n",
        escaped(title)
    )
}

fn html(table: &Table) -> String {
    let row = |cells: &[String], tag: &str| -> String {
        let cell = |text: &String| format!("<{tag}>{}</{tag}>", escaped(text));
        format!("<tr>{}</tr>\n", cells.iter().map(cell).collect::<String>())
    };
    let rows: String = table.rows.iter().map(|cells| row(cells, "td")).collect();
    format!("<div class=\"wide\"><table>\n{}{rows}</table></div>\n", row(&table.head, "th"))
}

/// A text as a part of an address.
fn encoded(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b',' => {
                out.push(char::from(byte));
            }
            _ => {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}
