//! `bastide tinytown`: count, solve, draw the graph of, and play Tinytown.

mod bench;
mod part;
mod play;
mod watch;

use crate::interrupt::{INTERRUPTED, stop_on_ctrl_c};
use anyhow::{Context, bail};
use clap::Subcommand;
use game::{Game, Record};
use part::Part;
use search::Stop;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Seek, Write, stderr, stdout};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;
use tinytown::export::{self, FileError, Format, WriteError};
use tinytown::{
    Action, Counts, Graph, Optimal, Setup, Size, Solution, Stopped, TableError, Tinytown, Variant,
    memory_text, with_thousands_separators,
};
use watch::Watch;

/// Tinytown: count, solve, draw the graph of, and play it
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Print the exact numbers of states, transitions and terminal states, and V*
    Count {
        #[command(flatten)]
        grid: Grid,
        /// Visit every state instead of summing over layouts of buildings
        #[arg(long)]
        enumerate: bool,
        #[command(flatten)]
        memory: Memory,
    },
    /// Print V*, the value of random play, episode lengths, and every action's value
    Solve {
        #[command(flatten)]
        grid: Grid,
        /// The state to look at, for example "gb./bC./... build"; the start if not given
        #[arg(long)]
        state: Option<String>,
        /// Also print a best game from there, as a record
        #[arg(long)]
        game: bool,
        #[command(flatten)]
        memory: Memory,
    },
    /// Write the state-transition graph to a file
    Graph {
        #[command(flatten)]
        grid: Grid,
        /// The file; its ending names the format: .npz .graphml .gexf .csv
        #[arg(long)]
        out: PathBuf,
        /// The format, if the ending does not name it: npz graphml gexf csv states-csv
        #[arg(long)]
        format: Option<Format>,
        /// Also write, for each state, V*, the value of random play and the fewest and most actions
        /// to an end; and, but in states-csv, for each edge whether perfect play may take it. A csv
        /// of edges has no place for them
        #[arg(long)]
        values: bool,
        #[command(flatten)]
        memory: Memory,
    },
    /// Check an npz file that `graph` wrote, entry by entry
    Check {
        /// The file
        file: PathBuf,
        #[command(flatten)]
        memory: Memory,
    },
    /// Play in the terminal; the best move on request
    Play {
        #[command(flatten)]
        grid: Grid,
    },
    /// Measure speed and memory
    Bench(bench::Args),
}

#[derive(clap::Args, Clone, Copy)]
struct Grid {
    /// Rows and columns, for example 3x3; at most 25 squares
    size: Size,
    /// The rules: spec or older
    #[arg(long, default_value_t = Variant::Spec)]
    variant: Variant,
}

impl Grid {
    fn setup(self) -> Setup {
        Setup { size: self.size, variant: self.variant }
    }
}

#[derive(clap::Args, Clone, Copy)]
struct Memory {
    /// How much memory may be used, for example 900M or 12G
    #[arg(long, default_value = "4G")]
    memory: Amount,
}

/// A number of bytes.
#[derive(Clone, Copy)]
struct Amount(u64);

impl FromStr for Amount {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let digits = text.trim_end_matches(['K', 'M', 'G', 'T']);
        let unit = match &text[digits.len()..] {
            "" => Some(1),
            "K" => Some(1 << 10),
            "M" => Some(1 << 20),
            "G" => Some(1 << 30),
            "T" => Some(1 << 40),
            _ => None,
        };
        let amount =
            digits.parse().ok().zip(unit).and_then(|(n, unit): (u64, u64)| n.checked_mul(unit));
        amount
            .map(Self)
            .ok_or_else(|| "expected an amount of memory, for example 900M or 12G".into())
    }
}

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let command = match args.command {
        // These wait for people or measure: Ctrl-C ends them at once.
        Command::Play { grid } => return play::run(grid.setup()).map(|()| ExitCode::SUCCESS),
        Command::Bench(args) => return bench::run(&args).map(|()| ExitCode::SUCCESS),
        command => command,
    };
    let stop = stop_on_ctrl_c()?;
    let (done, left) = match command {
        Command::Count { grid, enumerate, memory } => {
            (count(grid.setup(), enumerate, memory, &stop), "nothing was printed".to_owned())
        }
        Command::Solve { grid, state, game, memory } => {
            let done = solve(grid.setup(), state.as_deref(), game, memory, &stop);
            (done, "nothing was printed".to_owned())
        }
        Command::Graph { grid, out, format, values, memory } => {
            let done = write_graph(grid.setup(), &out, format, values, memory, &stop);
            (done, format!("{} was not written, and no part of it is left", out.display()))
        }
        Command::Check { file, memory } => {
            (check(&file, memory, &stop), format!("{} was not checked to its end", file.display()))
        }
        Command::Play { .. } | Command::Bench(_) => unreachable!("taken care of above"),
    };
    match done {
        Err(error) if is_stopped(&error) => {
            say(&format!("bastide: stopped; {left}"));
            Ok(ExitCode::from(INTERRUPTED))
        }
        done => done.map(|()| ExitCode::SUCCESS),
    }
}

/// Whether work ended because it was asked to.
fn is_stopped(error: &anyhow::Error) -> bool {
    error.is::<Stopped>()
        || matches!(error.downcast_ref(), Some(TableError::Stopped))
        || matches!(error.downcast_ref(), Some(WriteError::Stopped))
        || matches!(error.downcast_ref(), Some(FileError::Table(TableError::Stopped)))
}

/// A line on the error stream; that nobody can read it is no reason to stop.
fn say(line: &str) {
    let _ = writeln!(stderr(), "{line}");
}

fn count(setup: Setup, enumerate: bool, memory: Memory, stop: &Stop) -> anyhow::Result<()> {
    let mut watch = Watch::stopped_by(stop);
    let counts = match enumerate {
        true => Counts::enumerated(setup, memory.memory.0, &mut watch.progress()),
        false => Counts::of(setup, &mut watch.progress()).map_err(TableError::from),
    };
    let optimal = counts.and_then(|counts| {
        let optimal = Optimal::new(setup, &mut watch.progress())?;
        Ok((counts, optimal))
    });
    watch.clear();
    let (counts, optimal) = optimal?;
    let out = &mut stdout().lock();
    print_counts(out, setup, &counts)?;
    print_value(out, &optimal)?;
    Ok(())
}

fn solve(
    setup: Setup,
    state: Option<&str>,
    game: bool,
    memory: Memory,
    stop: &Stop,
) -> anyhow::Result<()> {
    let town = match state {
        Some(line) => Tinytown::from_line(setup, line).context("--state")?,
        None => Tinytown::new(&setup),
    };
    let mut watch = Watch::stopped_by(stop);
    let counts = Counts::of(setup, &mut watch.progress())?;
    let optimal = Optimal::new(setup, &mut watch.progress())?;
    let solution = Solution::with_counts(setup, &counts, memory.memory.0, &mut watch.progress());
    watch.clear();
    let solution = match solution {
        Ok(solution) => Some(solution),
        Err(TableError::TooLarge(why)) => {
            say(&format!("{why}: solved by its layouts of buildings instead"));
            None
        }
        Err(stopped @ TableError::Stopped) => return Err(stopped.into()),
    };
    let (value, values) = match &solution {
        Some(solution) => (solution.value(&town), solution.action_values(&town)),
        None => (optimal.value(&town), optimal.action_values(&town)),
    };
    if stop.is_stopped() {
        return Err(Stopped.into());
    }
    let out = &mut stdout().lock();
    print_counts(out, setup, &counts)?;
    print_value(out, &optimal)?;
    writeln!(out)?;
    write!(out, "{town}")?;
    writeln!(out, "state            {}", town.line())?;
    writeln!(out, "V*               {value}")?;
    if let Some(solution) = &solution {
        let (shortest, longest) = solution.lengths(&town);
        writeln!(out, "V of random play {:.6}", solution.uniform_value(&town))?;
        writeln!(out, "actions to end   {shortest} to {longest}")?;
    }
    print_action_values(out, &values)?;
    if game {
        writeln!(out)?;
        write!(out, "{}", best_game(&optimal, town)?)?;
    }
    Ok(())
}

fn write_graph(
    setup: Setup,
    out: &Path,
    format: Option<Format>,
    values: bool,
    memory: Memory,
    stop: &Stop,
) -> anyhow::Result<()> {
    let ending = out.extension().and_then(|e| e.to_str()).unwrap_or_default();
    let format = match format {
        Some(format) => format,
        None => ending.parse().map_err(anyhow::Error::msg).context("the ending of --out")?,
    };
    if values && format == Format::EdgeCsv {
        bail!("a csv of edges has no place for values: use states-csv, npz, graphml or gexf");
    }
    // Fails at once if the file cannot be written; the old one stays until the new one is whole.
    let (part, file) = Part::create(out)?;
    let mut watch = Watch::stopped_by(stop);
    let written = fill_graph(file, setup, format, values, memory, &mut watch);
    watch.clear();
    let (graph, bytes) = written?;
    part.finish()?;
    writeln!(
        stdout().lock(),
        "{}: {} states, {} transitions, {} terminal; {format}, {} bytes",
        out.display(),
        with_thousands_separators(graph.states() as u128),
        with_thousands_separators(graph.transitions() as u128),
        with_thousands_separators(graph.terminals() as u128),
        with_thousands_separators(bytes.into()),
    )?;
    Ok(())
}

fn fill_graph(
    file: File,
    setup: Setup,
    format: Format,
    values: bool,
    memory: Memory,
    watch: &mut Watch,
) -> anyhow::Result<(Graph, u64)> {
    let counts = Counts::of(setup, &mut watch.progress())?;
    let bytes = match values {
        true => Graph::bytes_with_solution(setup, &counts),
        false => Graph::bytes(setup, &counts),
    };
    say(&format!("{setup} takes about {} of memory", memory_text(bytes)));
    let progress = &mut watch.progress();
    let (graph, solution) = match values {
        true => {
            let made = Graph::with_solution(setup, &counts, memory.memory.0, progress)?;
            (made.0, Some(made.1))
        }
        false => (Graph::with_counts(setup, &counts, memory.memory.0, progress)?, None),
    };
    let mut file = BufWriter::with_capacity(1 << 20, file);
    export::write(&graph, solution.as_ref(), format, &mut file, progress)?;
    file.flush()?;
    let bytes = file.stream_position()?;
    Ok((graph, bytes))
}

fn check(path: &Path, memory: Memory, stop: &Stop) -> anyhow::Result<()> {
    let name = path.display();
    let file = File::open(path).with_context(|| format!("cannot read {name}"))?;
    let mut watch = Watch::stopped_by(stop);
    let checked =
        export::check_npz(&mut BufReader::new(file), memory.memory.0, &mut watch.progress());
    watch.clear();
    let graph = checked.with_context(|| name.to_string())?;
    let setup = graph.setup();
    writeln!(
        stdout().lock(),
        "{name}: the whole graph of {setup}, entry by entry what the rules give"
    )?;
    Ok(())
}

fn print_counts(out: &mut impl Write, setup: Setup, counts: &Counts) -> io::Result<()> {
    writeln!(out, "grid             {setup} ({} actions)", Action::count(setup.size))?;
    writeln!(out, "layouts          {}", with_thousands_separators(counts.layouts))?;
    writeln!(out, "states           {}", with_thousands_separators(counts.states))?;
    writeln!(out, "transitions      {}", with_thousands_separators(counts.transitions))?;
    writeln!(out, "terminals        {}", with_thousands_separators(counts.terminals))
}

fn print_value(out: &mut impl Write, optimal: &Optimal) -> io::Result<()> {
    let plural = |n: usize, noun: &str| format!("{n} {noun}{}", if n == 1 { "" } else { "s" });
    let towns: Vec<String> = optimal
        .best_towns()
        .into_iter()
        .map(|(c, g)| format!("{} and {}", plural(c, "cottage"), plural(g, "greenhouse")))
        .collect();
    writeln!(out, "V* of the start  {} ({})", optimal.start_value(), towns.join(", or "))
}

fn print_action_values(out: &mut impl Write, values: &[(Action, i32)]) -> io::Result<()> {
    if values.is_empty() {
        return writeln!(out, "the game is over");
    }
    let mut levels: Vec<i32> = values.iter().map(|(_, value)| *value).collect();
    levels.sort_unstable_by(|a, b| b.cmp(a));
    levels.dedup();
    for (index, level) in levels.into_iter().enumerate() {
        let actions: Vec<String> = values
            .iter()
            .filter(|(_, value)| *value == level)
            .map(|(action, _)| action.to_string())
            .collect();
        let best = if index == 0 { " (best)" } else { "" };
        writeln!(out, "Q* {level:>4}{best}: {}", actions.join(" | "))?;
    }
    Ok(())
}

/// A best game from a state on, as a record if it is the start and as a list of moves if not.
fn best_game(optimal: &Optimal, mut town: Tinytown) -> anyhow::Result<String> {
    let start = Tinytown::new(&town.setup());
    let from = town;
    let mut record = Record::<Tinytown>::new(town.setup());
    while let Some(action) = optimal.best_action(&town) {
        town.step(action)?;
        record.moves.push(action);
    }
    if from == start {
        return Ok(record.to_string());
    }
    let moves: Vec<String> = record.moves.iter().map(ToString::to_string).collect();
    Ok(format!("{}\n", moves.join("; ")))
}
