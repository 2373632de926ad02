//! `bastide tinytown`: count, solve, draw the graph of, and play Tinytown.

mod bench;
mod play;
mod watch;

use anyhow::{Context, bail};
use clap::Subcommand;
use game::{Game, Record};
use std::fs::{self, File};
use std::io::{BufReader, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;
use tinytown::export::{self, Format};
use tinytown::{
    Action, Counts, Graph, Optimal, Setup, Size, Solution, Space, Tinytown, Unfit, Variant,
    grouped, memory_text,
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
        /// Also write V*, the value of random play and episode lengths (not in csv)
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
    match args.command {
        Command::Count { grid, enumerate, memory } => count(grid.setup(), enumerate, memory)?,
        Command::Solve { grid, state, game, memory } => {
            solve(grid.setup(), state.as_deref(), game, memory)?;
        }
        Command::Graph { grid, out, format, values, memory } => {
            write_graph(grid.setup(), &out, format, values, memory)?;
        }
        Command::Check { file, memory } => check(&file, memory)?,
        Command::Play { grid } => play::run(grid.setup())?,
        Command::Bench(args) => bench::run(&args)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn count(setup: Setup, enumerate: bool, memory: Memory) -> anyhow::Result<()> {
    let mut watch = Watch::new();
    let counts = if enumerate {
        let space = Space::new(setup, memory.memory.0, &mut watch.progress())?;
        Counts::by_enumeration(&space, &mut watch.progress())?
    } else {
        Counts::of(setup, &mut watch.progress())?
    };
    let optimal = Optimal::new(setup, &mut watch.progress())?;
    watch.clear();
    print_counts(setup, &counts);
    print_value(&optimal);
    Ok(())
}

fn solve(setup: Setup, state: Option<&str>, game: bool, memory: Memory) -> anyhow::Result<()> {
    let town = match state {
        Some(line) => Tinytown::from_line(setup, line).context("--state")?,
        None => Tinytown::new(&setup),
    };
    let mut watch = Watch::new();
    let optimal = Optimal::new(setup, &mut watch.progress())?;
    let solution = Solution::new(setup, memory.memory.0, &mut watch.progress());
    watch.clear();
    let (solution, counts) = match solution {
        Ok(solution) => (Some(solution), Counts::of(setup, &mut watch.progress())?),
        Err(Unfit::TooLarge(why)) => {
            eprintln!("{why}: solved by its layouts of buildings instead");
            (None, why.counts)
        }
        Err(stopped @ Unfit::Stopped) => return Err(stopped.into()),
    };
    print_counts(setup, &counts);
    print_value(&optimal);
    println!();
    print!("{town}");
    println!("state            {}", town.line());
    let value = solution.as_ref().map_or_else(|| optimal.value(&town), |s| s.value(&town));
    println!("V*               {value}");
    if let Some(solution) = &solution {
        let (shortest, longest) = solution.lengths(&town);
        println!("V of random play {:.6}", solution.uniform_value(&town));
        println!("actions to end   {shortest} to {longest}");
    }
    let values = match &solution {
        Some(solution) => solution.action_values(&town),
        None => optimal.action_values(&town),
    };
    print_action_values(&values);
    if game {
        println!();
        print!("{}", best_game(&optimal, town)?);
    }
    Ok(())
}

fn write_graph(
    setup: Setup,
    out: &Path,
    format: Option<Format>,
    values: bool,
    memory: Memory,
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
    let part = PathBuf::from(format!("{}.part", out.display()));
    let file = File::create(&part).with_context(|| format!("cannot write {}", part.display()))?;
    let written = fill_graph(file, setup, format, values, memory);
    let (graph, bytes) = match written {
        Ok(done) => done,
        Err(error) => {
            // What could not be written is of no use; a file that is gone already is no matter.
            let _ = fs::remove_file(&part);
            return Err(error);
        }
    };
    fs::rename(&part, out).with_context(|| format!("cannot write {}", out.display()))?;
    println!(
        "{}: {} states, {} transitions, {} terminal; {format}, {} bytes",
        out.display(),
        grouped(graph.states() as u128),
        grouped(graph.transitions() as u128),
        grouped(graph.terminals() as u128),
        grouped(bytes.into()),
    );
    Ok(())
}

fn fill_graph(
    file: File,
    setup: Setup,
    format: Format,
    values: bool,
    memory: Memory,
) -> anyhow::Result<(Graph, u64)> {
    let mut watch = Watch::new();
    let counts = Counts::of(setup, &mut watch.progress())?;
    let mut bytes = Graph::bytes(setup, &counts);
    if values {
        bytes += Solution::bytes(setup, &counts);
    }
    eprintln!("{setup} takes about {} of memory", memory_text(bytes));
    let graph = Graph::new(setup, memory.memory.0, &mut watch.progress())?;
    let solution = match values {
        true => {
            let graph = u64::try_from(Graph::bytes(setup, &counts)).unwrap_or(u64::MAX);
            let rest = memory.memory.0.saturating_sub(graph);
            Some(Solution::new(setup, rest, &mut watch.progress())?)
        }
        false => None,
    };
    let mut file = BufWriter::with_capacity(1 << 20, file);
    export::write(&graph, solution.as_ref(), format, &mut file, &mut watch.progress())?;
    file.flush()?;
    let bytes = file.stream_position()?;
    watch.clear();
    Ok((graph, bytes))
}

fn check(path: &Path, memory: Memory) -> anyhow::Result<()> {
    let name = path.display();
    let file = File::open(path).with_context(|| format!("cannot read {name}"))?;
    let mut watch = Watch::new();
    let checked =
        export::check_npz(&mut BufReader::new(file), memory.memory.0, &mut watch.progress());
    watch.clear();
    let graph = checked.with_context(|| name.to_string())?;
    println!("{name}: the whole graph of {}, entry by entry what the rules give", graph.setup());
    Ok(())
}

fn print_counts(setup: Setup, counts: &Counts) {
    println!("grid             {setup} ({} actions)", Action::count(setup.size));
    println!("layouts          {}", grouped(counts.layouts));
    println!("states           {}", grouped(counts.states));
    println!("transitions      {}", grouped(counts.transitions));
    println!("terminals        {}", grouped(counts.terminals));
}

fn print_value(optimal: &Optimal) {
    let plural = |n: usize, noun: &str| format!("{n} {noun}{}", if n == 1 { "" } else { "s" });
    let towns: Vec<String> = optimal
        .best_towns()
        .into_iter()
        .map(|(c, g)| format!("{} and {}", plural(c, "cottage"), plural(g, "greenhouse")))
        .collect();
    println!("V* of the start  {} ({})", optimal.start_value(), towns.join(", or "));
}

fn print_action_values(values: &[(Action, i32)]) {
    if values.is_empty() {
        println!("the game is over");
        return;
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
        println!("Q* {level:>4}{best}: {}", actions.join(" | "));
    }
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
