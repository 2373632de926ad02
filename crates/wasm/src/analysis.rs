//! What a bot thinks of a position: the server's `Analysis`, made here.

use crate::request::{Request, WithRecord, check_net, mover, position_at, written};
use bots::levels::Level;
use bots::roster::{self, BotSpec, Playable};
use carcassonne::{Move, Position};
use game::{Game, Record};
use search::{Agent, Limits, Report, Stop, Value};
use serde::Serialize;

/// The bot that thinks where none is named, as on the server.
const STRONGEST: &str = "best";
/// The most nodes of one request: what takes longer is asked again with more.
const MOST_NODES: u64 = 50_000_000;
/// About a tenth of a second.
const USUAL_NODES: u64 = 5_000;
const USUAL_LINES: usize = 5;
/// The seed of a search where none is given, as on the server.
const SEED: u64 = 1;

pub(crate) struct Ask<'a> {
    pub(crate) asked: &'a Request,
    pub(crate) tell: &'a mut dyn FnMut(String),
}

/// What the engine thinks: the fields of the server's type, and how deep it looked.
#[derive(Serialize)]
struct Analysis {
    best: Vec<String>,
    seat: usize,
    values: Vec<Worth>,
    lines: Vec<Line>,
    nodes: u64,
    /// Nobody measures it here.
    time_ms: u64,
    exact: bool,
    depth: u32,
}

#[derive(Serialize)]
struct Line {
    moves: Vec<String>,
    worth: Worth,
}

#[derive(Serialize)]
struct Worth {
    margin: f64,
    win: f64,
}

impl WithRecord for Ask<'_> {
    fn with<E: Playable>(self, record: &Record<Position<E>>) -> Result<String, String> {
        let Self { asked, tell } = self;
        check_net(&record.setup)?;
        let position = position_at(record, asked)?;
        let seat = mover(position.turn())?.index();
        let spec: BotSpec = asked.bot.as_deref().unwrap_or(STRONGEST).parse().map_err(text)?;
        if spec.params.iter().any(|(key, _)| key == "file") {
            return Err("file: there are no files here".to_owned());
        }
        if matches!(spec.name.as_str(), "mcts" | "puct" | "rollouts") {
            return Err(format!("{} is not part of the engine for browsers", spec.name));
        }
        let mut bot = roster::make::<E>(&spec, &record.setup).map_err(text)?;
        let nodes = asked.nodes.unwrap_or_else(|| usual_nodes(&spec)).clamp(1, MOST_NODES);
        let seed = asked.seed.unwrap_or(SEED);
        let top = asked.top.unwrap_or(USUAL_LINES);
        // Every search begins anew, so that the last one is what the program finds with its nodes.
        let mut search = |nodes| {
            bot.new_game(&position, seed);
            bot.search(&position, &Limits::nodes(nodes), &Stop::new())
        };
        for shorter in shorter(nodes).into_iter().filter(|_| asked.deepen) {
            let report = search(shorter);
            let ended = report.exact || report.nodes < shorter / 2;
            let told = written(&analysis(report, seat, top));
            if ended {
                return Ok(told);
            }
            tell(told);
        }
        Ok(written(&analysis(search(nodes), seat, top)))
    }
}

/// What a level gets in rated games on the server, so that it is as strong here.
fn usual_nodes(spec: &BotSpec) -> u64 {
    Level::named(&spec.name).map_or(USUAL_NODES, |level| level.rated_nodes)
}

/// The searches before one of so many nodes: the first is there at once.
fn shorter(nodes: u64) -> Vec<u64> {
    const FIRST: u64 = 500;
    std::iter::successors(Some(FIRST), |n| n.checked_mul(4))
        .take_while(|n| n * 2 <= nodes)
        .collect()
}

fn analysis(mut report: Report<Move>, seat: usize, top: usize) -> Analysis {
    let texts = |moves: &[Move]| moves.iter().map(ToString::to_string).collect::<Vec<_>>();
    let worth =
        |value: &Value| Worth { margin: f64::from(value.margin), win: f64::from(value.win) };
    // Among turns it values alike a bot chooses by chance: the chosen one is shown first.
    report.lines.sort_by_key(|line| line.moves != report.turn);
    Analysis {
        best: texts(&report.turn),
        seat,
        values: report.values.as_slice().iter().map(worth).collect(),
        lines: report
            .lines
            .iter()
            .take(top)
            .map(|line| Line { moves: texts(&line.moves), worth: worth(&line.value) })
            .collect(),
        nodes: report.nodes,
        time_ms: 0,
        exact: report.exact,
        depth: report.depth,
    }
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}
