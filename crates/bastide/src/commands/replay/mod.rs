//! `bastide replay`: a game at any ply: board, scores, events.

mod view;

use anyhow::{Context, anyhow};
use carcassonne::{
    AnyInterpreted, Carcassonne, Edition, Event, ExpandedSetup, Figure, Interpreted, LEGEND,
    LEGEND_OF_SETS, Options, Position, Tile, interpret_any,
};
use game::{Game, Player, Record, Turn};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Show a recorded game at any ply: board, scores, what happened.
///
/// Reads a text record (a line 'carcassonne SETUP', then moves) or a JSON list of moves
/// ([{"tile":"D","rotation":0,"position":[0,0]},{},…]); both are described in docs/notation.md.
/// A wrong move is named with its ply, the reason and what would have been legal.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  bastide replay game.txt                   the end of the game
  bastide replay game.txt --ply 30          after 30 plies (a turn is three)
  bastide replay game.txt --ply 30 --events what happened until then
  bastide replay game.txt --json            everything there is to see, as JSON
  bastide replay game.txt --write list      the same game as a JSON list of moves
  bastide replay list.json --setup players=3 --write record
  bastide replay list.json --setup 'players=2 sets=inns,traders'
  printf 'carcassonne\\nU; 1,0 r0; road0' | bastide replay -")]
pub(crate) struct Args {
    /// The record ('-' reads standard input)
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Stop after this many plies: every draw, placement and meeple choice counts
    #[arg(long, value_name = "N")]
    ply: Option<usize>,
    /// Also print every event, with its ply
    #[arg(long)]
    events: bool,
    /// Print everything as one JSON object instead (with --events: the events too)
    #[arg(long, conflicts_with = "write")]
    json: bool,
    /// Print the record itself instead, in one of its forms
    #[arg(long, value_name = "FORM")]
    write: Option<Form>,
    /// The setup of a JSON list that does not name it, such as 'players=3 sets=inns'
    #[arg(long, value_name = "SETUP")]
    setup: Option<ExpandedSetup>,
}

/// How a record is written.
#[derive(Clone, Copy, clap::ValueEnum)]
enum Form {
    /// Text: the setup, then a line a turn
    Record,
    /// A JSON list of moves
    List,
}

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    match read(&args.file, args.setup.as_ref())? {
        AnyInterpreted::Base(read) => tell(&args, *read),
        AnyInterpreted::Expanded(read) => tell(&args, *read),
    }
}

fn tell<E: Edition>(args: &Args, read: Interpreted<E>) -> anyhow::Result<ExitCode> {
    let all = read.record.moves.len();
    let ply = args.ply.unwrap_or(all);
    anyhow::ensure!(ply <= all, "--ply {ply}: the record has only {all} plies");
    let mut record = read.record;
    record.moves.truncate(ply);
    let events: Vec<_> = read.events.into_iter().filter(|(at, _)| *at <= ply).collect();
    let game = record.replay()?;
    let mut out = std::io::stdout().lock();
    match args.write {
        Some(Form::Record) => write!(out, "{record}")?,
        Some(Form::List) => write!(out, "{}", carcassonne::write_list(&record)?)?,
        None if args.json => {
            let events = args.events.then(|| server::wire::events::events(&record)).transpose()?;
            writeln!(out, "{:#}", view::json(&game, ply, events))?;
        }
        None => {
            let events = args.events.then_some(events.as_slice());
            show(&game, &record, all, events, &mut out)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Reads and interprets a record in either form; a setup given beside it must be its own.
pub(super) fn read(file: &Path, setup: Option<&ExpandedSetup>) -> anyhow::Result<AnyInterpreted> {
    interpret(file, &read_text(file)?, setup)
}

/// The text of a file that should be a record.
pub(super) fn read_text(file: &Path) -> anyhow::Result<String> {
    /// No record is nearly as long; a device or a wrong file may be.
    const LONGEST: u64 = 16 << 20;
    let name = file.display();
    let input: Box<dyn Read> = match file.to_str() {
        Some("-") => Box::new(std::io::stdin()),
        _ => Box::new(std::fs::File::open(file).with_context(|| format!("cannot open {name}"))?),
    };
    let mut text = String::new();
    let limited = input.take(LONGEST + 1).read_to_string(&mut text);
    limited.with_context(|| format!("cannot read {name}"))?;
    anyhow::ensure!(text.len() as u64 <= LONGEST, "{name} is longer than 16 MiB");
    Ok(text)
}

/// Interprets the text of a file as [`read`] does.
pub(super) fn interpret(
    file: &Path,
    text: &str,
    setup: Option<&ExpandedSetup>,
) -> anyhow::Result<AnyInterpreted> {
    let name = file.display();
    let read = interpret_any(text, setup.unwrap_or(&ExpandedSetup::default()))
        .map_err(|error| anyhow!("{name}: {error}"))?;
    let (found, same) = match &read {
        AnyInterpreted::Base(read) => {
            let found = &read.record.setup;
            (found.to_string(), setup.is_none_or(|s| s.sets().is_empty() && s.rules() == found))
        }
        AnyInterpreted::Expanded(read) => {
            let found = &read.record.setup;
            (found.to_string(), setup.is_none_or(|setup| setup == found))
        }
    };
    if let Some(setup) = setup.filter(|_| !same) {
        anyhow::bail!("{name} is a game of '{found}', not of '{setup}' (--setup)");
    }
    Ok(read)
}

fn show<E: Edition>(
    game: &Position<E>,
    record: &Record<Position<E>>,
    all: usize,
    events: Option<&[(usize, Event)]>,
    out: &mut impl Write,
) -> std::io::Result<()> {
    for (ply, event) in events.unwrap_or_default() {
        writeln!(out, "{ply:>4}  {event}")?;
    }
    if events.is_some() {
        writeln!(out)?;
    }
    writeln!(out, "{} {}", Carcassonne::NAME, record.setup)?;
    let ply = record.moves.len();
    let last = record.moves.last().map_or(String::new(), |m| format!(" ({m})"));
    writeln!(out, "ply {ply}{last} of {all}, {}", status(game))?;
    writeln!(out, "\n{}\n{LEGEND}", game.picture())?;
    let sets = !record.setup.sets().is_empty();
    writeln!(out, "{}", if sets { format!("{LEGEND_OF_SETS}\n") } else { String::new() })?;
    writeln!(out, "player   score   if it ended now   meeples in hand")?;
    let (scores, projected, supply) = (game.scores(), game.projected_scores(), game.supply());
    for (player, score) in scores.iter() {
        writeln!(
            out,
            "{:>6} {score:>7} {:>17} {:>17}",
            player.index(),
            projected[player],
            supply[player]
        )?;
    }
    if sets {
        writeln!(out)?;
        for (player, _) in scores.iter() {
            writeln!(out, "player {player}: {}", belongings(game, player))?;
        }
    }
    writeln!(out, "\n{} tiles left: {}", game.tiles_left(), kinds(game.bag().as_ref()))?;
    let aside = game.discards();
    if aside.as_ref().iter().any(|n| *n > 0) {
        writeln!(out, "set aside: {}", kinds(aside.as_ref()))?;
    }
    let dead: Vec<String> = game.dead_cells().iter().map(ToString::to_string).collect();
    if !dead.is_empty() && game.turn() != Turn::Over {
        writeln!(out, "cells that no tile left fits: {}", dead.join(" | "))?;
    }
    Ok(())
}

/// The figures beside meeples that a player has in hand, and the goods.
fn belongings<E: Edition>(game: &Position<E>, player: Player) -> String {
    let figures = Figure::ALL.into_iter().skip(1).filter(|figure| game.has_figure(player, *figure));
    let figures: Vec<&str> = figures.map(Figure::name).collect();
    let figures = if figures.is_empty() { "none".to_owned() } else { figures.join(", ") };
    format!("other figures in hand: {figures}; goods: {}", game.goods(player))
}

/// The phase and who is to move, in words.
fn status<E: Edition>(game: &Position<E>) -> String {
    let again = if game.is_second_part() { " again (builder)" } else { "" };
    match (game.turn(), game.tile_in_hand()) {
        (Turn::Over, _) => {
            let winners: Vec<_> = game.scores().leaders().iter().map(|p| p.to_string()).collect();
            format!("{}, won by player {}", game.phase(), winners.join(" and "))
        }
        (Turn::Chance, _) => format!("{} for player {}{again}", game.phase(), game.player()),
        (Turn::Player(player), Some(tile)) => {
            format!("{}: player {player} has tile {tile}", game.phase())
        }
        (Turn::Player(player), None) => format!("{}: player {player}", game.phase()),
    }
}

/// Kinds with their counts: `A2 B4`. No name ends with a digit.
pub(crate) fn kinds(counts: &[u8]) -> String {
    let kinds = Tile::all_sets().zip(counts).filter(|(_, count)| **count > 0);
    let listed: Vec<_> = kinds.map(|(tile, count)| format!("{tile}{count}")).collect();
    if listed.is_empty() { "none".to_owned() } else { listed.join(" ") }
}
