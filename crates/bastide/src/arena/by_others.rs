//! Games of matches that other machines play.

use super::game_runner::{Finished, Job};
use super::match_progress::MatchProgress;
use super::run::forfeit_line;
use super::store::{Store, parse_games};
use super::{Paces, Plan, Progress};
use crate::hand_out::{HandOut, Piece};
use anyhow::{Context, bail};
use bots::roster::BotSpec;
use search::Stop;
use std::collections::BTreeMap;
use std::io::Read;
use std::ops::Range;
use std::path::{PathBuf, absolute};
use std::time::Duration;

/// A match, and where its games are kept.
pub(crate) struct Kept {
    pub(crate) plan: Plan,
    pub(crate) store: Store,
}

/// Lets others play what these matches still need, so many rounds at a time, until all is there, their tests decide, or
/// `stop` is used, as it is if nobody answers any more.
///
/// # Errors
/// If what came back is not what was asked for, or a game cannot be stored. What was finished is stored.
pub(crate) fn play_by_others(
    matches: &mut [&mut Kept],
    rounds: u64,
    others: &mut HandOut,
    stop: &Stop,
    progress: &mut Progress,
) -> anyhow::Result<()> {
    let mut standings: Vec<MatchProgress> = matches.iter().map(|kept| standing(kept)).collect();
    let mut asked: BTreeMap<u64, (usize, Range<u64>)> = BTreeMap::new();
    let (mut before, mut total) = (0, 0);
    for (index, kept) in matches.iter().enumerate() {
        let games = kept.plan.rounds * kept.plan.seats() as u64;
        total += games;
        before += games - missing_jobs(kept).count() as u64;
        if !standings[index].is_decided() {
            for part in missing_parts(kept, rounds) {
                asked.insert(others.ask(&piece(&kept.plan, &part)?)?, (index, part));
            }
        }
    }
    progress.start(before, total);
    while asked.values().any(|(index, _)| !standings[*index].is_decided()) {
        let Some((number, mut file)) = others.next_done(stop)? else { break };
        let (index, part) = asked.remove(&number).expect("only what was asked for is answered");
        let (kept, standing) = (&mut *matches[index], &mut standings[index]);
        let mut text = String::new();
        let games = file.read_to_string(&mut text).map_err(Into::into);
        let games = games.and_then(|_| games_of(&text, &kept.plan, &part)).with_context(|| {
            format!("what came back for pairs {}-{} is wrong", part.start + 1, part.end)
        })?;
        for game in games.into_iter().filter(|game| !kept.store.has(game.job())).collect::<Vec<_>>()
        {
            if let Some(line) = forfeit_line(&kept.plan, &game) {
                progress.say(&line);
            }
            standing.add(&game);
            kept.store.add(game)?;
            progress.step(|| standing.line());
        }
    }
    progress.end();
    Ok(())
}

fn standing(kept: &Kept) -> MatchProgress {
    let mut standing = MatchProgress::new(&kept.plan);
    kept.store.games().for_each(|game| standing.add(game));
    standing
}

fn missing_jobs(kept: &Kept) -> impl Iterator<Item = Job> {
    kept.plan.jobs(0..kept.plan.rounds).filter(|job| !kept.store.has(*job))
}

/// The rounds of which a game is missing, so many at a time at most.
fn missing_parts(kept: &Kept, most: u64) -> Vec<Range<u64>> {
    let mut parts: Vec<Range<u64>> = Vec::new();
    for Job { round, .. } in missing_jobs(kept) {
        match parts.last_mut() {
            Some(last) if last.end == round + 1 => {}
            Some(last) if last.end == round && round - last.start < most => last.end += 1,
            _ => parts.push(round..round + 1),
        }
    }
    parts
}

/// What plays some rounds of a match.
fn piece(plan: &Plan, part: &Range<u64>) -> anyhow::Result<Piece> {
    let time = |time: Duration| format!("{}us", time.as_micros());
    let mut files = BTreeMap::new();
    let mut args = vec!["match".to_owned()];
    for (side, name) in plan.sides.iter().zip(["net-of-a", "net-of-b"]) {
        args.push(with_net_at(side, name, &mut files)?);
    }
    for (option, value) in [
        ("pairs", plan.rounds.to_string()),
        ("only", format!("{}-{}", part.start + 1, part.end)),
        ("setup", plan.setup.to_string()),
        ("seed", plan.seed.to_string()),
        ("answer-time", time(plan.programs.patience.answer)),
        ("search-time", time(plan.programs.patience.search)),
        ("out", "played".to_owned()),
    ] {
        args.push(format!("--{option}={value}"));
    }
    args.extend(Paces(plan.paces).options());
    Ok(Piece { args, files, result: "played/games.jsonl" })
}

/// A side whose net is a file with this name in the folder where the piece is played.
fn with_net_at(
    side: &str,
    name: &str,
    files: &mut BTreeMap<String, PathBuf>,
) -> anyhow::Result<String> {
    let Ok(mut spec) = side.parse::<BotSpec>() else { return Ok(side.to_owned()) };
    let Some((_, net)) = spec.params.iter_mut().find(|(key, _)| key == "file") else {
        return Ok(side.to_owned());
    };
    files.insert(name.to_owned(), absolute(&*net)?);
    name.clone_into(net);
    Ok(spec.to_string())
}

/// The games that came back, if they are those of these rounds.
fn games_of(text: &str, plan: &Plan, part: &Range<u64>) -> anyhow::Result<Vec<Finished>> {
    let mut games = parse_games(text, plan)?;
    let of_part: Option<Vec<Finished>> =
        plan.jobs(part.clone()).map(|job| games.remove(&job)).collect();
    let of_part = of_part.context("not all of their games are there")?;
    if let Some(Job { round, .. }) = games.keys().next() {
        bail!("there is a game of pair {}", round + 1);
    }
    Ok(of_part)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::{Pace, run, run_part};
    use crate::external::ProgramOptions;

    fn kept(rounds: u64) -> Kept {
        let plan = Plan {
            setup: "players=3".parse().unwrap(),
            sides: ["random".to_owned(), "greedy:file=nets/mine.net".to_owned()],
            paces: [Pace::Nodes(7), Pace::Time(Duration::from_millis(50))],
            seed: 3,
            rounds,
            sprt: None,
            programs: ProgramOptions::default(),
            tried: Default::default(),
        };
        Kept { plan, store: Store::in_memory() }
    }

    #[test]
    fn what_is_missing_is_asked_for_in_parts() {
        let mut kept = kept(5);
        kept.plan.sides = ["random", "greedy"].map(str::to_owned);
        kept.plan.paces = [Pace::Nodes(1); 2];
        assert_eq!(missing_parts(&kept, 2), [0..2, 2..4, 4..5]);
        let (stop, mut progress) = (Stop::new(), Progress::silent());
        run_part(&kept.plan, 1..2, &mut kept.store, 1, &stop, &mut progress).unwrap();
        run_part(&kept.plan, 3..4, &mut kept.store, 1, &stop, &mut progress).unwrap();
        assert_eq!(missing_parts(&kept, 2), [0..1, 2..3, 4..5]);
        run(&kept.plan, &mut kept.store, 1, &stop, &mut progress).unwrap();
        assert!(missing_parts(&kept, 2).is_empty());
    }

    #[test]
    fn a_piece_is_the_same_match_with_its_nets_beside_it() {
        let Kept { plan, .. } = kept(9);
        let Piece { args, files, result } = piece(&plan, &(2..4)).unwrap();
        let line = args.join(" ");
        assert!(
            line.starts_with("match random greedy:file=net-of-b --pairs=9 --only=3-4"),
            "{line}"
        );
        assert!(line.ends_with("--nodes=7,- --movetime=-,50ms"), "{line}");
        assert!(files["net-of-b"].ends_with("nets/mine.net") && files["net-of-b"].is_absolute());
        assert_eq!((files.len(), result), (1, "played/games.jsonl"));
    }

    #[test]
    fn games_that_were_not_asked_for_are_refused() {
        let mut kept = kept(3);
        kept.plan.sides = ["random", "random"].map(str::to_owned);
        run(&kept.plan, &mut kept.store, 1, &Stop::new(), &mut Progress::silent()).unwrap();
        let lines: Vec<String> =
            kept.store.games().map(|game| serde_json::to_string(game).unwrap() + "\n").collect();
        let error = |text: &str| format!("{:#}", games_of(text, &kept.plan, &(1..2)).unwrap_err());
        assert!(games_of(&lines[3..6].concat(), &kept.plan, &(1..2)).is_ok());
        assert!(error(&lines[3..5].concat()).contains("not all of their games"));
        assert!(error(&lines[3..7].concat()).contains("a game of pair 3"));
        assert!(error(&lines[3..6].concat().repeat(2)).contains("there already"));
        assert!(error(&lines[3..6].concat()[1..]).contains("line 1"));
        assert!(error("").contains("not all of their games"));
    }
}
