//! `bastide play`: a game in the terminal against bots.

mod choice;
mod dialogue;
mod match_file;
mod screen;
#[cfg(test)]
mod tests;

use crate::arena::{is_program, make_side};
use crate::external::ProgramOptions;
use crate::interrupt::end_programs_on_ctrl_c;
use crate::limits::LimitArgs;
use anyhow::{Context, ensure};
use bots::levels::LEVELS;
use carcassonne::{Base, Setup};
use dialogue::Dialogue;
use match_file::Seating;
use screen::Paint;
use std::io::{IsTerminal, stdin, stdout};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, SystemTime};

/// Play a game in the terminal against bots.
///
/// The board is drawn in letters, the legal spots numbered; 'help' in the game lists what you can
/// type. A game is saved as a normal record, which 'bastide replay' and 'bastide analyse' read.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  bastide play                                against a middling bot
  bastide play --bot shepherd                 a gentle first game
  bastide play --bot master --movetime 5s     the strongest, with time to think
  bastide play --bot mason --bot steward      three players
  bastide play --setup 'players=4 farmers=off' --seat 2
  bastide play --save game.txt                saved after every turn
  bastide play --resume game.txt              the same game goes on
  bastide play --bot 'cmd:python3 examples/random_engine.py'")]
pub(crate) struct Args {
    /// Who you play against; several for several seats [default: mason]
    #[arg(long = "bot", alias = "level", value_name = "NAME")]
    bots: Vec<String>,
    /// The options of the game, such as 'players=3 farmers=off'
    #[arg(long, value_name = "SETUP")]
    setup: Option<String>,
    /// Your seat, from 0, who begins [default: 0]
    #[arg(long, value_name = "N")]
    seat: Option<usize>,
    /// The seed of the tiles: the same seed, the same tiles
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Save the game here, after every turn
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Go on with a saved game
    #[arg(long, value_name = "FILE", conflicts_with = "setup")]
    resume: Option<PathBuf>,
    #[command(flatten)]
    limits: LimitArgs,
    /// List the bots and end
    #[arg(long)]
    list_bots: bool,
}

/// How long bots think where nothing is said.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// Who plays where nothing is said.
const DEFAULT_BOT: &str = "mason";

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    if args.list_bots {
        let all = LEVELS.iter().map(|level| (level.name, level.about));
        for (name, about) in all.chain(bots::roster::NAMES) {
            println!("{name:<10} {about}");
        }
        return Ok(ExitCode::SUCCESS);
    }
    let colours = stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    if args.bots.iter().any(|bot| is_program(bot)) {
        end_programs_on_ctrl_c()?;
    }
    let dialogue = prepare(args, Paint { colours })?;
    dialogue.play(stdin().lock(), stdout().lock())?;
    Ok(ExitCode::SUCCESS)
}

/// Seats everybody, at a new game or at a saved one.
fn prepare(args: Args, paint: Paint) -> anyhow::Result<Dialogue> {
    let limits = args.limits.or(DEFAULT_TIME);
    if let Some(path) = &args.save {
        refuse_other_file(path, args.resume.as_deref())?;
    }
    let saved = args.resume.as_deref().map(match_file::load).transpose()?;
    let (record, old) = match saved {
        Some((record, old)) => (Some(record), old),
        None => (None, Seating::default()),
    };
    let bots = match args.bots.is_empty() {
        false => args.bots,
        true if !old.bots.is_empty() => old.bots,
        true => vec![DEFAULT_BOT.to_owned()],
    };
    let setup: Setup = match (&record, args.setup) {
        (Some(record), _) => record.setup,
        (None, Some(text)) => with_players(&text, bots.len())?.parse()?,
        (None, None) => Setup::new(bots.len() + 1)?,
    };
    let players = setup.players();
    let seat = args.seat.or(old.seat).unwrap_or(0);
    ensure!(seat < players, "--seat {seat}: the seats are 0 to {}", players - 1);
    ensure!(bots.len() < players, "{} bots and you are too many for {players} players", bots.len());
    // The last bot named takes all seats that are left.
    let names: Vec<String> =
        (0..players - 1).map(|at| bots[at.min(bots.len() - 1)].clone()).collect();
    let seed = args.seed.or(old.seed).unwrap_or_else(any_seed);
    let mut agents = Vec::new();
    for name in &names {
        agents.push(make_side::<Base>(name, &setup, &ProgramOptions::default())?);
    }
    let seating = Seating { seat: Some(seat), seed: Some(seed), bots: names };
    let save = args.save.or(args.resume);
    Dialogue::new(setup, record, seating, agents, limits, save, paint)
        .context("the game cannot start")
}

/// Refuses to save over something that is not the game being resumed: it would be lost at once.
fn refuse_other_file(save: &Path, resumed: Option<&Path>) -> anyhow::Result<()> {
    let something = std::fs::metadata(save).is_ok_and(|file| file.len() > 0);
    let same = |resumed: &Path| resumed.canonicalize().ok() == save.canonicalize().ok();
    let name = save.display();
    ensure!(
        !something || resumed.is_some_and(same),
        "--save {name}: there is such a file; --resume {name} goes on with a game, or choose \
         another name"
    );
    Ok(())
}

/// A setup's text with the number of players that the bots make, unless it has one.
fn with_players(text: &str, bots: usize) -> anyhow::Result<String> {
    Ok(match text.contains("players=") {
        true => text.to_owned(),
        false => format!("{text} players={}", bots + 1),
    })
}

fn any_seed() -> u64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    now.subsec_nanos().into()
}
