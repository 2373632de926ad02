//! `bastide ladder`: many bots against each other, and the table that comes of it.

mod page;
mod table;

use super::match_bots::{Common, MOST_PAIRS};
use crate::arena::{
    Ending, Kept, Pace, Paces, Plan, Progress, SIDES, Store, Summary, Tried, check_all_writable,
    check_side, fingerprint, labels, play_by_others, run as play, take_off_luck, write_whole,
};
use crate::external::{Place, ProgramOptions};
use crate::hand_out::HandOut;
use crate::interrupt::{INTERRUPTED, stop_on_ctrl_c};
use crate::limits::count;
use anyhow::{Context, ensure};
use carcassonne::Options;
use search::Stop;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Play bots against each other and write a table of their strength.
///
/// Every pairing plays the same decks with the seats swapped. Ratings are those under which all
/// results together are likeliest; greedy, or else the first bot, is put at 1000. Without --nodes
/// or --movetime, each bot has 1000 nodes a move.
#[derive(clap::Args)]
#[command(after_help = SIDES)]
pub(crate) struct Args {
    /// The bots, separated by commas; may be given several times
    #[arg(
        long,
        value_name = "A,B,C",
        default_value = "random,greedy,heuristic,shepherd,pilgrim,peddler,mason,steward,architect,abbess,master"
    )]
    bots: Vec<String>,
    /// Pairs of games for each pairing
    #[arg(long, default_value_t = 200, value_name = "N",
          value_parser = clap::value_parser!(u64).range(1..=MOST_PAIRS))]
    pairs: u64,
    #[command(flatten)]
    common: Common,
    /// Also say what the margins are without the luck of the draws, as the net estimates it
    #[arg(long)]
    luck_adjusted: bool,
    /// Only neighbours in the list play each other
    #[arg(long)]
    neighbours: bool,
    /// Only the first in the list plays, against each of the others
    #[arg(long, conflicts_with = "neighbours")]
    gauntlet: bool,
    /// Write the table to this file, as Markdown
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write the results of all pairings to this file, as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the tables and all games to this folder, as pages for a browser; index.html is the first
    #[arg(long, value_name = "DIR")]
    web: Option<PathBuf>,
    /// The Bastide server whose replay opens the games of these pages
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:8080")]
    site: String,
    /// Keep the games in this folder; the same command resumes where it was stopped
    #[arg(long, value_name = "DIR")]
    state: Option<PathBuf>,
    /// Let other machines play, so many pairs at a time: what python -m bastide.cluster uses
    #[arg(long, value_name = "PAIRS", num_args = 0..=1, require_equals = true, default_missing_value = "1",
          value_parser = |text: &str| count::<u64>("pairs", text))]
    hand_out: Option<u64>,
}

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let stop = stop_on_ctrl_c()?;
    let others = args.hand_out.map(|_| HandOut::standard());
    let (table, complete) = args.play(&stop, others, Progress::new)?;
    std::io::stdout().lock().write_all(table.as_bytes())?;
    Ok(if complete { ExitCode::SUCCESS } else { ExitCode::from(INTERRUPTED) })
}

/// What came of a ladder.
struct Ladder {
    bots: Vec<String>,
    /// What they are called in tables.
    labels: Vec<String>,
    /// The numbers of two bots, and what their match said about the first.
    matches: Vec<(usize, usize, Summary)>,
    /// How it was played, for a person to repeat it.
    conditions: String,
}

impl Args {
    /// Plays what is not played yet and writes the files; gives the table, and whether it is whole.
    fn play(
        &self,
        stop: &Stop,
        others: Option<HandOut>,
        progress: impl Fn(String) -> Progress,
    ) -> anyhow::Result<(String, bool)> {
        let (bots, pace) = (split_bots(&self.bots), self.pace()?);
        ensure!(bots.len() > 1, "a ladder needs two bots at least; --bots a,b,c");
        self.common.check_files()?;
        let (programs, mut tried) = (self.programs(), Vec::new());
        for (index, bot) in bots.iter().enumerate() {
            ensure!(!bots[..index].contains(bot), "'{bot}' is twice in --bots");
            let place = Place::default();
            let known = check_side(bot, &self.common.setup, pace, &programs, &place)
                .with_context(|| format!("'{bot}' in --bots"))?;
            tried.push(known);
        }
        let labels = labels(&bots, &tried);
        page::check_site(&self.site)?;
        for folder in [&self.state, &self.web].into_iter().flatten() {
            std::fs::create_dir_all(folder)
                .with_context(|| format!("can't make {}", folder.display()))?;
        }
        check_all_writable([&self.out, &self.json])?;
        let pairings = self.pairings(bots.len());
        let mut kept = self.open(&pairings, (&bots, &tried), pace, &progress)?;
        if let Some((pairs, mut others)) = self.hand_out.zip(others) {
            let mut all: Vec<&mut Kept> = kept.iter_mut().collect();
            play_by_others(&mut all, pairs, &mut others, stop, &mut progress(String::new()))?;
        }
        let mut matches = Vec::new();
        let mut complete = true;
        for (number, ((a, b), Kept { plan, mut store })) in
            pairings.iter().copied().zip(kept).enumerate()
        {
            let label = format!("{}/{} {} - {} ", number + 1, pairings.len(), labels[a], labels[b]);
            let mut progress = progress(label);
            let (mut summary, ending) =
                play(&plan, &mut store, self.common.threads(), stop, &mut progress)?;
            let margin = summary.tally().margin();
            progress.say(&format!("{} over {}: {margin}", labels[a], labels[b]));
            plan.notes().into_iter().chain(summary.notes()).for_each(|note| progress.say(&note));
            complete &= ending == Ending::Complete;
            if self.luck_adjusted {
                let threads = self.common.threads();
                take_off_luck(&plan, &store, &mut summary, threads, stop, &mut progress)?;
            }
            if let Some(folder) = &self.web {
                let names = [labels[a].as_str(), labels[b].as_str()];
                let page = page::of_pairing(&plan, names, &store, &summary, &self.site);
                write_whole(&folder.join(page::pairing_file(&bots[a], &bots[b])), &page)?;
            }
            matches.push((a, b, summary));
            // Others play all pairings at once: some games of each may be there.
            if stop.is_stopped() && self.hand_out.is_none() {
                complete = complete && number + 1 == pairings.len();
                break;
            }
        }
        let ladder = Ladder { bots, labels, matches, conditions: self.conditions(pace) };
        self.write(&ladder, complete)
    }

    /// The matches of the pairings, with the games that are there.
    fn open(
        &self,
        pairings: &[(usize, usize)],
        (bots, tried): (&[String], &[Tried]),
        pace: Pace,
        progress: &impl Fn(String) -> Progress,
    ) -> anyhow::Result<Vec<Kept>> {
        let open = |(a, b): (usize, usize)| {
            let plan = self.plan([a, b].map(|bot| (&bots[bot], &tried[bot])), pace);
            let store = match &self.state {
                None => Store::in_memory(),
                Some(folder) => {
                    let folder = folder.join(folder_name(&bots[a], &bots[b]));
                    Store::open(&folder, &plan, |text| progress(String::new()).say(&text))?
                }
            };
            Ok(Kept { plan, store })
        };
        pairings.iter().copied().map(open).collect()
    }

    fn write(&self, ladder: &Ladder, complete: bool) -> anyhow::Result<(String, bool)> {
        let mut table = ladder.markdown();
        if !complete {
            table.push_str("\nNot complete: it was stopped.\n");
        }
        if let Some(folder) = &self.web {
            write_whole(&folder.join("index.html"), &ladder.page(complete))?;
        }
        if let Some(path) = &self.out {
            write_whole(path, &table)?;
        }
        if let Some(path) = &self.json {
            let all: Vec<&Summary> = ladder.matches.iter().map(|(_, _, m)| m).collect();
            write_whole(path, &(serde_json::to_string_pretty(&all)? + "\n"))?;
        }
        Ok((table, complete))
    }

    fn plan(&self, sides: [(&String, &Tried); 2], pace: Pace) -> Plan {
        Plan {
            setup: self.common.setup,
            sides: sides.map(|(bot, _)| bot.clone()),
            paces: [pace; 2],
            seed: self.common.seed,
            rounds: self.pairs,
            sprt: None,
            programs: self.programs(),
            tried: sides.map(|(_, tried)| tried.clone()),
        }
    }

    fn programs(&self) -> ProgramOptions {
        self.common.programs([&self.out, &self.json, &self.web, &self.state])
    }

    /// Who plays whom: the later in the list, which is expected to be better, is named first; in a
    /// gauntlet the one who runs it.
    fn pairings(&self, bots: usize) -> Vec<(usize, usize)> {
        if self.gauntlet {
            return (1..bots).map(|b| (0, b)).collect();
        }
        let all = (0..bots).flat_map(|b| (b + 1..bots).map(move |a| (a, b)));
        all.filter(|(a, b)| !self.neighbours || a - b == 1).collect()
    }

    fn pace(&self) -> anyhow::Result<Pace> {
        let Paces([pace, other]) = self.common.paces_or(Paces([Pace::Nodes(1_000); 2]))?;
        ensure!(pace == other, "in a ladder all bots have the same limit; give one");
        Ok(pace)
    }

    fn conditions(&self, pace: Pace) -> String {
        let Common { setup, seed, .. } = &self.common;
        let round = match (setup.rules().players(), self.pairs) {
            (2, 1) => "pair",
            (2, _) => "pairs",
            (_, 1) => "round",
            _ => "rounds",
        };
        format!("{} {round} a pairing, at most {pace} a move, {setup}, seed {seed}.", self.pairs)
    }
}

/// The bots of lists with commas. A piece `key=value` is a parameter of the bot before it, and a
/// program (`cmd:…`) keeps its commas.
fn split_bots(lists: &[String]) -> Vec<String> {
    let mut bots: Vec<String> = Vec::new();
    for list in lists {
        if list.starts_with("cmd:") {
            bots.push(list.clone());
            continue;
        }
        let mut first = true;
        for piece in list.split(',').map(str::trim).filter(|piece| !piece.is_empty()) {
            let name = piece.split('=').next().unwrap_or_default();
            match bots.last_mut() {
                Some(bot) if !first && name != piece && !name.contains(':') => {
                    bot.push(',');
                    bot.push_str(piece);
                }
                _ => bots.push(piece.to_owned()),
            }
            first = false;
        }
    }
    bots
}

/// A folder's name that two other bots do not have.
fn folder_name(a: &str, b: &str) -> String {
    let plain = |text: &str| -> String {
        let ok = |c: char| if c.is_ascii_alphanumeric() || ".-=".contains(c) { c } else { '_' };
        text.chars().take(40).map(ok).collect()
    };
    let number = fingerprint(format!("{a}\n{b}").as_bytes()) as u32;
    format!("{}_{}_{number:08x}", plain(a), plain(b))
}

#[cfg(test)]
mod tests;
