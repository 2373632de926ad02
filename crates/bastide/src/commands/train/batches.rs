//! Batches of games that one machine plays for the run of another.

use super::{Args, replace_file};
use crate::hand_out::{HandOut, Piece, first_and_last};
use crate::interrupt::{INTERRUPTED, stop_on_ctrl_c};
use anyhow::{Context, ensure};
use bots::net::Net;
use bots::train::{BatchGradient, Config, Round, Trainer, play_batches};
use search::Stop;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;
use std::ops::Range;
use std::path::{Path, PathBuf, absolute};
use std::process::ExitCode;
use std::sync::Arc;

/// Reads some games of a run: the first and the last, counted from 0.
pub(super) fn games(text: &str) -> Result<Range<u64>, String> {
    let wrong = || "expected the first and the last game, counted from 0, as 0-3".to_owned();
    first_and_last(text).ok_or_else(wrong)
}

/// Plays games for another machine, and writes down what they taught.
pub(super) fn play(
    config: &Config,
    games: Range<u64>,
    [net, gradient]: [&Path; 2],
    threads: usize,
) -> anyhow::Result<ExitCode> {
    let (first, last, count) = (games.start, games.end - 1, games.end - games.start);
    let (round, batch) = (config.round_games as u64, config.batch_games as u64);
    let at = first % round;
    ensure!(
        at + count <= round,
        "--games {first}-{last}: these are not of one round, which has {round} games here"
    );
    ensure!(
        at % batch == 0 && (count % batch == 0 || at + count == round),
        "--games {first}-{last}: these are no whole batches, of which each has {batch} games here"
    );
    let net = Arc::new(Net::load(net)?);
    let Some(batches) = play_batches(config, &net, games, threads, &stop_on_ctrl_c()?) else {
        return Ok(ExitCode::from(INTERRUPTED));
    };
    replace_file(gradient, &|file| batches.iter().try_for_each(|batch| batch.write(&mut *file)))
        .with_context(|| format!("can't write {}", gradient.display()))?;
    Ok(ExitCode::SUCCESS)
}

/// Lets others play a round, so many batches at a time, and learns from it. `None` if it was stopped.
pub(super) fn round_by_others(
    args: &Args,
    at_a_time: usize,
    trainer: &mut Trainer,
    others: &mut HandOut,
    stop: &Stop,
) -> anyhow::Result<Option<Round>> {
    let net = args.out.join("round.net");
    replace_file(&net, &|file| trainer.playing_net().write(file))
        .with_context(|| format!("can't write {}", net.display()))?;
    let batches = trainer.next_batches();
    let mut asked: BTreeMap<u64, &[Range<u64>]> = BTreeMap::new();
    for part in batches.chunks(at_a_time) {
        asked.insert(others.ask(&piece(&args.config, &net, part)?)?, part);
    }
    let mut played: BTreeMap<u64, BatchGradient> = BTreeMap::new();
    while !asked.is_empty() {
        let Some((number, file)) = others.next_done(stop)? else { return Ok(None) };
        let part = asked.remove(&number).expect("only what was asked for is answered");
        let taught = read(file, part)
            .with_context(|| format!("what came back for games {} is wrong", named(part)))?;
        played.extend(taught.into_iter().map(|batch| (batch.games().start, batch)));
    }
    Ok(Some(trainer.learn(played.into_values().collect())?))
}

fn read(file: File, part: &[Range<u64>]) -> anyhow::Result<Vec<BatchGradient>> {
    let batches = BatchGradient::read_all(BufReader::new(file), part.len())?;
    let found: Vec<Range<u64>> = batches.iter().map(BatchGradient::games).collect();
    ensure!(found == part, "it is of games {}", named(&found));
    Ok(batches)
}

fn named(batches: &[Range<u64>]) -> String {
    match batches {
        [first, .., last] | [first @ last] => {
            format!("{}-{}", first.start, last.end.saturating_sub(1))
        }
        [] => "none".to_owned(),
    }
}

fn piece(config: &Path, net: &Path, part: &[Range<u64>]) -> anyhow::Result<Piece> {
    let games = format!("--games={}", named(part));
    let words = ["train", "config.toml", &games, "--net=net", "--gradient=gradient"];
    let files = [("config.toml", config), ("net", net)];
    let files: Result<BTreeMap<String, PathBuf>, std::io::Error> =
        files.into_iter().map(|(name, path)| Ok((name.to_owned(), absolute(path)?))).collect();
    Ok(Piece { args: words.map(str::to_owned).to_vec(), files: files?, result: "gradient" })
}
