//! Speed and memory, measured one thread at a time.

use anyhow::ensure;
use game::{Game, Random, ignore};
use std::fs;
use std::hint::black_box;
use std::io::{Write, stdout};
use std::time::{Duration, Instant};
use tinytown::{Counts, Graph, Optimal, Setup, Solution, Space, Tinytown, without_progress};

#[derive(clap::Args)]
pub(super) struct Args {
    /// Leave out what takes longer than a few seconds
    #[arg(long)]
    quick: bool,
}

const EVERYTHING: u64 = u64::MAX;

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let (task, wall, cpu, peak) = ("task", "wall s", "CPU s", "peak MB");
    writeln!(stdout(), "{task:34} {wall:>9} {cpu:>9} {peak:>9}  result")?;
    steps()?;
    for (grid, states) in [("3x3", 2_267_891), ("2x5", 7_871_201)] {
        let setup = parse(grid)?;
        measure(&format!("graph {grid}"), || {
            let graph = Graph::new(setup, EVERYTHING, &mut without_progress)?;
            ensure!(graph.states() == states, "{} states", graph.states());
            Ok(format!("{} states, {} transitions", graph.states(), graph.transitions()))
        })?;
        measure(&format!("solve {grid}"), || {
            let solution = Solution::new(setup, EVERYTHING, &mut without_progress)?;
            let start = Tinytown::new(&setup);
            Ok(format!(
                "V* {}, random {:.6}",
                solution.value(&start),
                solution.uniform_value(&start)
            ))
        })?;
    }
    measure("count 4x4 and V*", || count("4x4", 206_813_040_371))?;
    measure("best actions of a 4x4 game", || game("4x4"))?;
    if !args.quick {
        measure("count --enumerate 3x4", || {
            let space = Space::new(parse("3x4")?, EVERYTHING, &mut without_progress)?;
            let counts = Counts::by_enumeration(&space, &mut without_progress)?;
            ensure!(counts.states == 298_896_641, "{counts:?}");
            Ok(format!("{} states, {} transitions", counts.states, counts.transitions))
        })?;
        measure("count 5x5 and V*", || count("5x5", 435_483_148_200_294_167))?;
        measure("best actions of a 5x5 game", || game("5x5"))?;
    }
    Ok(())
}

fn parse(setup: &str) -> anyhow::Result<Setup> {
    Ok(setup.parse()?)
}

fn count(grid: &str, states: u128) -> anyhow::Result<String> {
    let setup = parse(grid)?;
    let counts = Counts::of(setup, &mut without_progress)?;
    ensure!(counts.states == states, "{counts:?}");
    let optimal = Optimal::new(setup, &mut without_progress)?;
    Ok(format!("{} states, V* {}", counts.states, optimal.start_value()))
}

/// A whole best game, the preparation included.
fn game(grid: &str) -> anyhow::Result<String> {
    let setup = parse(grid)?;
    let optimal = Optimal::new(setup, &mut without_progress)?;
    let mut town = Tinytown::new(&setup);
    let mut actions = 0;
    while let Some(action) = optimal.best_action(&town) {
        town.step(action)?;
        actions += 1;
    }
    Ok(format!("{actions} actions, {} points", town.points()))
}

/// Random games: every step lists the legal actions and plays one of them.
fn steps() -> anyhow::Result<()> {
    const STEPS: u64 = 30_000_000;
    let setup = parse("3x3")?;
    measure("30 M random steps 3x3", || {
        let (wall, cpu) = (Instant::now(), cpu_time());
        let mut random = Random::new(1);
        let mut moves = Vec::new();
        let mut town = Tinytown::new(&setup);
        let (mut games, mut points) = (0u64, 0i64);
        for _ in 0..STEPS {
            town.moves(&mut moves);
            match random.pick(&moves) {
                Some(action) => town.play_unchecked(*action, ignore),
                None => {
                    points += i64::from(town.points());
                    games += 1;
                    town = Tinytown::new(&setup);
                    town.moves(&mut moves);
                    if let Some(action) = random.pick(&moves) {
                        town.play_unchecked(*action, ignore);
                    }
                }
            }
        }
        black_box(town);
        let rate = |time: Duration| STEPS as f64 / time.as_secs_f64() / 1e6;
        let per_cpu = cpu.zip(cpu_time()).map_or(f64::NAN, |(from, to)| rate(to - from));
        let (wall, mean) = (rate(wall.elapsed()), points as f64 / games as f64);
        Ok(format!(
            "{wall:.1} M steps/s, {per_cpu:.1} M steps per CPU second, mean {mean:.3} points"
        ))
    })
}

/// Runs a task and prints a line.
fn measure(name: &str, task: impl FnOnce() -> anyhow::Result<String>) -> anyhow::Result<()> {
    forget_peak();
    let (wall, cpu) = (Instant::now(), cpu_time());
    let result = task()?;
    let wall = wall.elapsed().as_secs_f64();
    let cpu = cpu.zip(cpu_time()).map(|(before, after)| (after - before).as_secs_f64());
    let unknown = || "?".to_owned();
    let cpu = cpu.map_or_else(unknown, |seconds| format!("{seconds:.3}"));
    let peak = peak_memory().map_or_else(unknown, |bytes| format!("{:.1}", bytes as f64 / 1e6));
    writeln!(stdout(), "{name:34} {wall:9.3} {cpu:>9} {peak:>9}  {result}")?;
    Ok(())
}

/// The processor time of this thread, where the system reports it (Linux).
fn cpu_time() -> Option<Duration> {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

/// The most memory used since [`forget_peak`], where the system reports it (Linux).
fn peak_memory() -> Option<u64> {
    let text = fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kib: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib * 1024)
}

fn forget_peak() {
    // Where the system does not allow it, the peak is that of the whole run so far.
    let _ = fs::write("/proc/self/clear_refs", "5");
}
