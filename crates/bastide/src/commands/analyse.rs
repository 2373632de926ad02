//! `bastide analyse`: the best turns at one position of a record, with their values.

use super::replay;
use crate::arena::{PlayedEdition, is_program, make_side};
use crate::external::ProgramOptions;
use crate::interrupt::end_programs_on_ctrl_c;
use crate::limits::{LimitArgs, count};
use anyhow::{bail, ensure};
use bots::turn_look::turn_look;
use carcassonne::{AnyInterpreted, ExpandedSetup, Move, Position};
use game::{Game, Record, Turn, ignore};
use search::{Agent, Report, Stop};
use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Show the best turns at one position of a recorded game, with their values.
///
/// A value is the expected final margin over the best of the others and the probability to win,
/// both for the player to move. If the record continues, the turn that was played is shown too.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  bastide analyse game.txt --ply 55                 the position after 55 plies
  bastide analyse game.txt --ply 55 --movetime 10s --top 10
  bastide analyse game.txt --ply 55 --nodes 20000 --json
  printf 'carcassonne\\nU' | bastide analyse -

A turn is three plies: draw, placement, meeple. After 1, 4, 7, … plies a tile is in hand (one more
for each tile that was set aside).")]
pub(crate) struct Args {
    /// The record, as text or JSON ('-' reads standard input)
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The position after this many plies; the end of the record by default
    #[arg(long, value_name = "N", value_parser = plies, allow_negative_numbers = true)]
    ply: Option<usize>,
    /// How many turns to show
    #[arg(long, value_name = "N", default_value_t = 5, allow_negative_numbers = true,
          value_parser = |text: &str| count::<usize>("top", text))]
    top: usize,
    /// Which bot analyses, or 'cmd:PROGRAM ARGS'
    #[arg(long, value_name = "NAME", default_value = "best")]
    bot: String,
    #[command(flatten)]
    limits: LimitArgs,
    /// Print one JSON object instead
    #[arg(long)]
    json: bool,
    /// The setup of a JSON list that does not name it, such as 'players=3 sets=inns'
    #[arg(long, value_name = "SETUP")]
    setup: Option<ExpandedSetup>,
}

/// How long a position is looked at where nothing is said.
const DEFAULT_TIME: Duration = Duration::from_secs(2);

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    if is_program(&args.bot) {
        end_programs_on_ctrl_c()?;
    }
    match replay::read(&args.file, args.setup.as_ref())? {
        AnyInterpreted::Base(read) => analyse(&read.record, &args),
        AnyInterpreted::Expanded(read) => analyse(&read.record, &args),
    }
}

fn analyse<E: PlayedEdition>(
    record: &Record<Position<E>>,
    args: &Args,
) -> anyhow::Result<ExitCode> {
    let all = record.moves.len();
    let ply = args.ply.unwrap_or(all);
    ensure!(ply <= all, "--ply {ply}: the record has only {all} plies");
    let found = Found::new(record, ply, args)?;
    let mut out = std::io::stdout().lock();
    match args.json {
        true => writeln!(out, "{:#}", found.json(args.top))?,
        false => write!(out, "{}", found.text(args.top, all))?,
    }
    Ok(ExitCode::SUCCESS)
}

/// What was found at a position.
struct Found<E: PlayedEdition> {
    ply: usize,
    game: Position<E>,
    player: game::Player,
    bot: String,
    report: Report<Move>,
    /// The turn that was played in the record, as far as it goes.
    played: Vec<Move>,
}

impl<E: PlayedEdition> Found<E> {
    fn new(record: &Record<Position<E>>, ply: usize, args: &Args) -> anyhow::Result<Self> {
        let mut bot = make_side::<E>(&args.bot, &record.setup, &ProgramOptions::default())?;
        let mut game = record.start(ignore);
        bot.new_game(&game, 1);
        let mut in_hand = None;
        for (before, m) in record.moves[..ply].iter().enumerate() {
            in_hand = game.tile_in_hand().map(|_| before).or(in_hand);
            bot.observe(&game, *m);
            game.play_unchecked(*m, ignore);
        }
        let player = match game.turn() {
            Turn::Player(player) => player,
            Turn::Chance if ply < record.moves.len() => bail!(
                "after ply {ply} a tile is drawn; --ply {} is the position with tile {} in hand",
                ply + 1,
                record.moves[ply]
            ),
            Turn::Chance => bail!(
                "after ply {ply} a tile is drawn: write one more move, such as 'U', to the record; \
                 {}",
                last_position(in_hand)
            ),
            Turn::Over => bail!("the game is over after ply {ply}; {}", last_position(in_hand)),
        };
        let mut report = bot.search(&game, &args.limits.or(DEFAULT_TIME), &Stop::new());
        // Among turns it values alike a bot chooses by chance: the chosen one is shown first.
        report.lines.sort_by_key(|line| line.moves != report.turn);
        let mut end = game.clone();
        let mut played = Vec::new();
        for m in &record.moves[ply..] {
            if end.turn() != Turn::Player(player) {
                break;
            }
            end.play_unchecked(*m, ignore);
            played.push(*m);
        }
        Ok(Self { ply, game, player, bot: args.bot.clone(), report, played })
    }

    /// The number of the played turn among the lines, from 1.
    fn rank(&self) -> Option<usize> {
        let look = |moves: &[Move]| turn_look(&self.game, moves);
        let played = look(&self.played);
        self.report.lines.iter().position(|line| look(&line.moves) == played).map(|at| at + 1)
    }

    fn text(&self, top: usize, all: usize) -> String {
        let Self { ply, player, bot, report, .. } = self;
        let hand = match self.game.tile_in_hand() {
            Some(tile) => format!("player {player} has tile {tile}"),
            None => format!("player {player} may put a meeple down"),
        };
        let exact = if report.exact { ", exact to the end of the game" } else { "" };
        let mut text = format!(
            "ply {ply} of {all}, {hand}\n{bot}: {:.2} s, {} nodes, {} turns deep{exact}\n\n",
            report.time.as_secs_f64(),
            report.nodes,
            report.depth
        );
        text += "   #   margin   wins    visits  turn\n";
        for (index, line) in report.lines.iter().take(top).enumerate() {
            text += &row(index + 1, line.value, line.visits, &joined(&line.moves));
        }
        if report.lines.is_empty() {
            text +=
                &format!("       this bot values no turns; it plays {}\n", joined(&report.turn));
        }
        let values: Vec<String> =
            report.values.iter().map(|(p, v)| format!("player {p} {}", expected(*v))).collect();
        let told = report.values.iter().any(|(_, v)| v.margin.is_finite() || v.win.is_finite());
        text += &match told {
            true => format!("\nexpected: {}\n", values.join(", ")),
            false => "\nexpected: not known, the program tells no margins and no wins\n".to_owned(),
        };
        if !self.played.is_empty() {
            let place = match self.rank().and_then(|rank| Some((rank, report.lines.first()?))) {
                Some((rank, best)) => {
                    let worse = best.value.margin - report.lines[rank - 1].value.margin;
                    match rank {
                        1 => "the best".to_owned(),
                        _ => format!("number {rank}, {:.1} points below the best", worse.max(0.0)),
                    }
                }
                None => "not among those looked at closely".to_owned(),
            };
            text += &format!("played:   {} ({place})\n", joined(&self.played));
        }
        text
    }

    fn json(&self, top: usize) -> Value {
        let texts = |moves: &[Move]| moves.iter().map(ToString::to_string).collect::<Vec<_>>();
        let value = |v: &search::Value| json!({ "margin": v.margin, "win": v.win });
        let report = &self.report;
        let lines: Vec<Value> = report
            .lines
            .iter()
            .take(top)
            .map(|line| {
                json!({
                    "turn": texts(&line.moves),
                    "margin": line.value.margin,
                    "win": line.value.win,
                    "visits": line.visits,
                })
            })
            .collect();
        json!({
            "ply": self.ply,
            "setup": self.game.setup().to_string(),
            "player": self.player.index(),
            "tile": self.game.tile_in_hand().map(|tile| tile.to_string()),
            "bot": self.bot,
            "best": texts(&report.turn),
            "lines": lines,
            "values": report.values.as_slice().iter().map(value).collect::<Vec<_>>(),
            "nodes": report.nodes,
            "seconds": report.time.as_secs_f64(),
            "depth": report.depth,
            "exact": report.exact,
            "played": texts(&self.played),
            "played_rank": self.rank(),
        })
    }
}

/// Reads a number of plies.
fn plies(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| "a whole number from 0 to the plies of the record".to_owned())
}

/// Where to look instead.
fn last_position(in_hand: Option<usize>) -> String {
    match in_hand {
        Some(ply) => format!("--ply {ply} is the last position with a tile in hand"),
        None => "no position before it has a tile in hand".to_owned(),
    }
}

/// A value as far as it was told.
fn expected(value: search::Value) -> String {
    let (margin, win) = (value.margin, value.win * 100.0);
    match (margin.is_finite(), win.is_finite()) {
        (true, true) => format!("{margin:+.1} ({win:.0} %)"),
        (true, false) => format!("{margin:+.1}"),
        (false, true) => format!("{win:.0} %"),
        (false, false) => "unknown".to_owned(),
    }
}

fn row(number: usize, value: search::Value, visits: u64, turn: &str) -> String {
    let win = value.win * 100.0;
    format!("{number:>4} {:>+8.1} {win:>5.0} % {visits:>8}  {turn}\n", value.margin)
}

fn joined(moves: &[Move]) -> String {
    moves.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}
