//! A small game in the terminal.

use super::watch::Watch;
use game::{Game, Record};
use std::io::{BufRead, Write, stdin, stdout};
use tinytown::{Action, Optimal, Phase, Setup, Tinytown};

const HELP: &str = "\
type an action:
  brick 0,1                 put a brick on row 0, column 1
  glass 2,2                 put glass there
  cottage 0,0 on 1,0        use the pattern whose top-left square is 0,0; build on 1,0
  greenhouse 0,0 on 1,1     likewise
  end                       end the building phase
or a word:
  best      a best action, and what the game can still earn
  values    what each action can still earn
  moves     the legal actions
  undo      take the last action back
  record    the game so far, as text
  help      this
  quit      leave
patterns (row by row):  cottage = glass brick / brick (any)   greenhouse = brick brick / glass glass
points: 3 for each fed cottage, 1 for each building, -1 for each square; ";

/// Plays until the game is over or the player leaves.
pub(super) fn run(setup: Setup) -> anyhow::Result<()> {
    let feeds = match setup.variant {
        tinytown::Variant::Spec => "a greenhouse feeds 4 cottages",
        tinytown::Variant::Older => "one greenhouse feeds all cottages",
    };
    let help = format!("{HELP}{feeds}");
    println!("Tinytown {setup}. help shows what you can type.\n");
    let mut table =
        Table { town: Tinytown::new(&setup), record: Record::new(setup), optimal: None };
    table.show();
    let mut lines = stdin().lock().lines();
    while !table.town.is_over() {
        print!("> ");
        stdout().flush()?;
        let Some(line) = lines.next() else {
            println!();
            break;
        };
        match line?.trim() {
            "" => {}
            "quit" | "exit" | "q" => break,
            "help" | "?" => println!("{help}"),
            "best" | "b" => table.show_best()?,
            "values" => table.show_values()?,
            "moves" => println!("{}", table.moves().join(" | ")),
            "record" => print!("{}", table.record),
            "undo" => table.undo()?,
            text => table.act(text),
        }
    }
    if table.town.is_over() {
        let (cottages, greenhouses) = table.town.buildings();
        let best = table.optimal()?.start_value();
        let points = table.town.points();
        println!("The game is over. Cottages: {cottages}, greenhouses: {greenhouses}.");
        println!("Points: {points}. The best game earns {best}.\n");
        print!("{}", table.record);
    }
    Ok(())
}

struct Table {
    town: Tinytown,
    record: Record<Tinytown>,
    /// Made when it is first asked for: on the largest grids it takes a moment.
    optimal: Option<Optimal>,
}

impl Table {
    fn optimal(&mut self) -> anyhow::Result<&Optimal> {
        if self.optimal.is_none() {
            let mut watch = Watch::new();
            let optimal = Optimal::new(self.town.setup(), &mut watch.progress())?;
            watch.clear();
            self.optimal = Some(optimal);
        }
        Ok(self.optimal.as_ref().expect("made just now"))
    }

    fn show(&self) {
        print!("{}", self.town);
        if self.town.is_over() {
            return;
        }
        let (cottages, greenhouses) = self.town.buildings();
        let phase = match self.town.phase() {
            Phase::Resource => "resource phase: put a brick or glass on an empty square",
            Phase::Building => "building phase: build, or end it",
        };
        println!("{phase}  (cottages {cottages}, greenhouses {greenhouses})");
        let mut moves = Vec::new();
        self.town.moves(&mut moves);
        let builds: Vec<String> = moves
            .iter()
            .filter(|action| matches!(action, Action::Build { .. }))
            .map(ToString::to_string)
            .collect();
        if !builds.is_empty() {
            println!("can be built: {}", builds.join(" | "));
        } else if self.town.phase() == Phase::Building {
            println!("nothing can be built now");
        }
    }

    fn moves(&self) -> Vec<String> {
        let mut moves = Vec::new();
        self.town.moves(&mut moves);
        moves.iter().map(ToString::to_string).collect()
    }

    fn act(&mut self, text: &str) {
        match text.parse::<Action>() {
            Err(error) => println!("{error}; help shows more"),
            Ok(action) => match self.town.step(action) {
                Err(illegal) => println!("{illegal}"),
                Ok(_) => {
                    self.record.moves.push(action);
                    self.show();
                }
            },
        }
    }

    fn undo(&mut self) -> anyhow::Result<()> {
        if self.record.moves.pop().is_none() {
            println!("nothing was played yet");
            return Ok(());
        }
        self.town = self.record.replay()?;
        self.show();
        Ok(())
    }

    fn show_best(&mut self) -> anyhow::Result<()> {
        let town = self.town;
        let optimal = self.optimal()?;
        if let Some(action) = optimal.best_action(&town) {
            println!("best: {action}; points that can still be had: {}", optimal.value(&town));
        }
        Ok(())
    }

    fn show_values(&mut self) -> anyhow::Result<()> {
        let town = self.town;
        super::print_action_values(&self.optimal()?.action_values(&town));
        Ok(())
    }
}
