//! A small game in the terminal.

use super::watch::Watch;
use game::{Game, Record};
use std::io::{self, BufRead, Write, stdin, stdout};
use tinytown::{Action, Optimal, ParseActionError, Phase, Setup, Tinytown};

const HELP: &str = "\
type an action:
  brick 0,1                 put a brick on row 0, column 1
  glass 2,2                 put glass there
  cottage 0,0 on 1,0        use the pattern whose top-left square is 0,0; build on 1,0
  greenhouse 0,0 on 1,1     likewise
  end                       end the building phase
or a word:
  best      a best action, and what the game can still earn; hint is the same
  values    what each action can still earn
  moves     the legal actions
  undo      take the last action back
  record    the game so far, as text
  help      this
  quit      leave
patterns (row by row):  cottage = glass brick / brick (any)   greenhouse = brick brick / glass glass
points: 3 for each fed cottage, 1 for each building, -1 for each square; ";

/// Plays until the player leaves.
pub(super) fn run(setup: Setup) -> anyhow::Result<()> {
    let feeds = match setup.variant {
        tinytown::Variant::Spec => "a greenhouse feeds 4 cottages",
        tinytown::Variant::Older => "one greenhouse feeds all cottages",
    };
    let help = format!("{HELP}{feeds}");
    let out = &mut stdout().lock();
    writeln!(out, "Tinytown {setup}. help shows what you can type.\n")?;
    let mut table =
        Session { town: Tinytown::new(&setup), record: Record::new(setup), optimal: None };
    table.show(out)?;
    let mut input = stdin().lock();
    loop {
        write!(out, "{}", if table.town.is_over() { "undo, or Enter to leave> " } else { "> " })?;
        out.flush()?;
        let mut line = Vec::new();
        if input.read_until(b'\n', &mut line)? == 0 {
            writeln!(out)?;
            break;
        }
        let Ok(line) = String::from_utf8(line) else {
            writeln!(out, "not understood: it is no UTF-8 text; help shows what you can type")?;
            continue;
        };
        match line.trim().to_lowercase().as_str() {
            "" if table.town.is_over() => break,
            "" => {}
            "quit" | "exit" | "q" => break,
            "help" | "?" => writeln!(out, "{help}")?,
            "best" | "hint" | "b" => table.show_best(out)?,
            "values" => table.show_values(out)?,
            "moves" => writeln!(out, "{}", table.moves().join(" | "))?,
            "record" => write!(out, "{}", table.record)?,
            "undo" => table.undo(out)?,
            text => table.act(out, text)?,
        }
    }
    Ok(())
}

/// The action that a player means: row and column may have a blank between them.
fn action(text: &str) -> Result<Action, ParseActionError> {
    text.parse().or_else(|error| {
        let spaced = text.replace(',', " ");
        let mut joined = String::new();
        let mut row = false;
        for word in spaced.split_whitespace() {
            let number = word.bytes().all(|b| b.is_ascii_digit());
            joined.push(if row && number { ',' } else { ' ' });
            joined.push_str(word);
            row = number && !row;
        }
        joined.parse().map_err(|_| error)
    })
}

struct Session {
    town: Tinytown,
    record: Record<Tinytown>,
    /// Made when it is first asked for: on the largest grids it takes a moment.
    optimal: Option<Optimal>,
}

impl Session {
    fn optimal(&mut self) -> anyhow::Result<&Optimal> {
        if self.optimal.is_none() {
            let mut watch = Watch::new();
            let optimal = Optimal::new(self.town.setup(), &mut watch.progress())?;
            watch.clear();
            self.optimal = Some(optimal);
        }
        Ok(self.optimal.as_ref().expect("made just now"))
    }

    fn show(&self, out: &mut impl Write) -> io::Result<()> {
        write!(out, "{}", self.town)?;
        if self.town.is_over() {
            return Ok(());
        }
        let (cottages, greenhouses) = self.town.buildings();
        let phase = match self.town.phase() {
            Phase::Resource => "resource phase: put a brick or glass on an empty square",
            Phase::Building => "building phase: build, or end it",
        };
        writeln!(out, "{phase}  (cottages {cottages}, greenhouses {greenhouses})")?;
        let mut moves = Vec::new();
        self.town.moves(&mut moves);
        let builds: Vec<String> = moves
            .iter()
            .filter(|action| matches!(action, Action::Build { .. }))
            .map(ToString::to_string)
            .collect();
        if !builds.is_empty() {
            writeln!(out, "can be built: {}", builds.join(" | "))?;
        } else if self.town.phase() == Phase::Building {
            writeln!(out, "nothing can be built now")?;
        }
        Ok(())
    }

    fn show_end(&mut self, out: &mut impl Write) -> anyhow::Result<()> {
        let (cottages, greenhouses) = self.town.buildings();
        let best = self.optimal()?.start_value();
        let points = self.town.points();
        writeln!(out, "The game is over. Cottages: {cottages}, greenhouses: {greenhouses}.")?;
        writeln!(out, "Points: {points}. The best game earns {best}.\n")?;
        writeln!(out, "{}", self.record)?;
        Ok(())
    }

    fn moves(&self) -> Vec<String> {
        let mut moves = Vec::new();
        self.town.moves(&mut moves);
        moves.iter().map(ToString::to_string).collect()
    }

    fn act(&mut self, out: &mut impl Write, text: &str) -> anyhow::Result<()> {
        match action(text) {
            Err(error) => writeln!(out, "{error}; help shows more")?,
            Ok(action) => match self.town.step(action) {
                Err(illegal) => writeln!(out, "{illegal}")?,
                Ok(_) => {
                    self.record.moves.push(action);
                    self.show(out)?;
                    if self.town.is_over() {
                        self.show_end(out)?;
                    }
                }
            },
        }
        Ok(())
    }

    fn undo(&mut self, out: &mut impl Write) -> anyhow::Result<()> {
        if self.record.moves.pop().is_none() {
            writeln!(out, "nothing was played yet")?;
            return Ok(());
        }
        self.town = self.record.replay()?;
        self.show(out)?;
        Ok(())
    }

    fn show_best(&mut self, out: &mut impl Write) -> anyhow::Result<()> {
        let town = self.town;
        let optimal = self.optimal()?;
        match optimal.best_action(&town) {
            None => writeln!(out, "the game is over")?,
            Some(action) => {
                let value = optimal.value(&town);
                writeln!(out, "best: {action}; points that can still be had: {value}")?;
            }
        }
        Ok(())
    }

    fn show_values(&mut self, out: &mut impl Write) -> anyhow::Result<()> {
        let town = self.town;
        super::print_action_values(out, &self.optimal()?.action_values(&town))?;
        Ok(())
    }
}
