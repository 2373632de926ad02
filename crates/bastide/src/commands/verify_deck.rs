//! `bastide verify-deck`: whether the draws of a finished game are those that were promised.

use anyhow::{Context, anyhow, bail, ensure};
use carcassonne::{MoveKind, interpret};
use server::games::deck::{Check, FairnessError, explain, verify};
use server::wire::Fairness;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// Check that the draws of a finished game are those that were promised before it began.
///
/// Everything is recomputed from the seed: its commitment, the order of the draws, the draws
/// themselves. docs/fairness.md tells how, byte for byte.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  bastide verify-deck http://localhost:8080/api/games/kq7z0m2wxy/fairness
  curl -s https://bastide.example/api/games/kq7z0m2wxy/fairness | bastide verify-deck -
  bastide verify-deck fairness.json --commit 4c1f… --record game.txt

The exit status is 0 if everything holds, 1 if anything does not.")]
pub(crate) struct Args {
    /// What the server tells of a finished game: a file, '-' for standard input, or an address
    /// that begins with http://
    #[arg(value_name = "SOURCE")]
    source: String,
    /// The commitment as it was seen before the first draw
    #[arg(long, value_name = "HEX")]
    commit: Option<String>,
    /// The game's record: its draws must be those that the server tells
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
}

/// No answer about one game is nearly as large.
const LARGEST: u64 = 1 << 20;

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let text = read(&args.source)?;
    let told: Fairness = serde_json::from_str(&text).with_context(|| {
        format!("{}: this is not what /api/games/ID/fairness tells", args.source)
    })?;
    let mut checks = verify(&told);
    if let Some(commit) = &args.commit {
        let same = commit.trim().eq_ignore_ascii_case(&told.commit);
        let fault =
            (!same).then(|| FairnessError::Other(format!("the server tells {}", told.commit)));
        checks.push(Check { what: "the commitment is the one that was seen at the start", fault });
    }
    if let Some(path) = &args.record {
        let fault = compare(path, &told.drawn)?.err().map(FairnessError::Other);
        checks.push(Check { what: "the record has these draws", fault });
    }
    let good = checks.iter().all(|check| check.fault.is_none());
    let mut out = std::io::stdout().lock();
    writeln!(out, "game {}, {}, {} draws", told.game, told.setup, told.drawn.len())?;
    write!(out, "{}", explain(&checks))?;
    if args.commit.is_none() {
        writeln!(out, "note  compare this with what was shown at the start: {}", told.commit)?;
    }
    writeln!(
        out,
        "{}",
        if good { "the draws were fair" } else { "the draws were NOT as promised" }
    )?;
    Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn compare(path: &Path, drawn: &[String]) -> anyhow::Result<Result<(), String>> {
    let text = limited(std::fs::File::open(path), &path.display().to_string())?;
    let read = interpret(&text).with_context(|| path.display().to_string())?;
    let draws = read.record.moves.iter().filter(|m| matches!(m.kind(), MoveKind::Draw(_)));
    let draws: Vec<String> = draws.map(ToString::to_string).collect();
    let differs = (0..draws.len().max(drawn.len())).find(|at| draws.get(*at) != drawn.get(*at));
    Ok(match differs {
        None => Ok(()),
        Some(at) => {
            let show = |list: &[String]| list.get(at).cloned().unwrap_or("nothing".to_owned());
            let (recorded, told) = (show(&draws), show(drawn));
            Err(format!("draw {} is {recorded} in the record and {told} here", at + 1))
        }
    })
}

fn read(source: &str) -> anyhow::Result<String> {
    if let Some(rest) = source.strip_prefix("http://") {
        return fetch(rest).with_context(|| source.to_owned());
    }
    if source.starts_with("https://") {
        bail!("{source}: fetch it with curl and pipe it here: curl -s URL | bastide verify-deck -");
    }
    match source {
        "-" => limited(Ok(std::io::stdin().lock()), "standard input"),
        path => limited(std::fs::File::open(path), path),
    }
}

fn limited(source: std::io::Result<impl Read>, name: &str) -> anyhow::Result<String> {
    let mut text = String::new();
    source
        .and_then(|source| source.take(LARGEST + 1).read_to_string(&mut text))
        .with_context(|| format!("can't read {name}"))?;
    ensure!(text.len() as u64 <= LARGEST, "{name}: larger than 1 MiB");
    Ok(text)
}

/// One plain request: nothing that a server of ours would answer needs more.
fn fetch(address: &str) -> anyhow::Result<String> {
    let (host, path) = address.split_once('/').unwrap_or((address, ""));
    let at = if host.contains(':') { host.to_owned() } else { format!("{host}:80") };
    let mut stream = TcpStream::connect(&at).with_context(|| format!("can't reach {at}"))?;
    stream.set_read_timeout(Some(Duration::from_secs(30)))?;
    let request =
        format!("GET /{path} HTTP/1.0\r\nHost: {host}\r\nAccept: application/json\r\n\r\n");
    // As text: a broken pipe here is the server's, and not that nobody reads what we print.
    stream.write_all(request.as_bytes()).map_err(|error| anyhow!("can't ask {at}: {error}"))?;
    let answer = limited(Ok(stream), "the answer")?;
    let (head, body) = answer.split_once("\r\n\r\n").context("the answer is no HTTP")?;
    let status = head.split_whitespace().nth(1).unwrap_or_default();
    ensure!(status == "200", "the server answers {status}: {}", game::excerpt(body, 200));
    Ok(body.to_owned())
}
