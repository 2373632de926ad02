//! The engine: a line-based protocol on any input and output; see `docs/engine-protocol.md`.
//!
//! [`serve`] reads commands and answers them; each command has exactly one closing line. What the
//! protocol needs to know of a game is [`EngineGame`](engine_game::EngineGame), and [`games`] lists the games.
//! A [`Session`](session::Session) is one game with its position; a search runs on a thread of its own.

mod command;
mod engine_game;
mod for_carcassonne;
mod for_tinytown;
mod games;
mod out;
mod pondering;
mod reviewing;
mod session;
#[cfg(test)]
mod tests;
mod thinking;

use crate::lines::{LONGEST_LINE, Line, Lines};
use anyhow::{anyhow, bail};
use command::{Command, Task};
use game::Random;
use out::Out;
use session::Session;
use std::io::{BufRead, Write};
use thinking::Thinking;

/// The version of the protocol: it moves when a client must change.
const PROTOCOL: u32 = 1;

/// Serves one client until it quits, its input ends, or it no longer listens.
pub(crate) fn serve(input: impl BufRead, output: impl Write + Send + 'static) {
    let mut engine = Engine::new(Out::new(output));
    let mut lines = Lines::new(input);
    while let Some(line) = lines.next_line() {
        let more = match line {
            Line::Text(line) => engine.hear(&line),
            Line::Wrong(what) => {
                engine.mishear(what);
                true
            }
        };
        if !more || engine.out.is_closed() {
            break;
        }
    }
    engine.close();
}

/// What holds for the searches to come.
#[derive(Clone)]
struct Options {
    bot: Option<String>,
    threads: usize,
    seed: u64,
}

struct Engine {
    out: Out,
    session: Box<dyn Session>,
    options: Options,
    /// Draws the tiles that the client lets the engine draw.
    random: Random,
    thinking: Option<Thinking>,
    /// What runs until something changes, and answers nothing.
    pondering: Option<Thinking>,
    /// The lines of a record that is being sent, or why it cannot be taken.
    record: Option<Result<String, &'static str>>,
}

impl Engine {
    fn new(out: Out) -> Self {
        let options = Options { bot: None, threads: 1, seed: 1 };
        let (session, random) = (games::first(), Random::new(options.seed));
        Self { out, session, options, random, thinking: None, pondering: None, record: None }
    }

    /// Answers a line; whether another one is wanted.
    fn hear(&mut self, line: &str) -> bool {
        if self.record.is_some() {
            self.collect(line);
            return true;
        }
        if line.is_empty() || line.starts_with('#') {
            return true;
        }
        let answered = match command::parse(line) {
            Ok(Command::Quit) => return false,
            Ok(command) => self.obey(command),
            Err(error) => Err(error),
        };
        if let Err(error) = answered {
            self.out.error(&format!("{error:#}"));
        }
        true
    }

    /// Answers what is no line of text. Within a record it is answered where that ends.
    fn mishear(&mut self, what: &'static str) {
        match &mut self.record {
            Some(record) => *record = Err(what),
            None => self.out.error(what),
        }
    }

    fn obey(&mut self, command: Command<'_>) -> anyhow::Result<()> {
        if self.is_thinking() && command.changes_something() {
            bail!(
                "a search or review is running and nothing may change; send 'stop', or wait for its \
                 closing line"
            );
        }
        if command.changes_something() || command == Command::Stop {
            self.stop_pondering();
        }
        match command {
            Command::Hello => self.hello(),
            Command::Help => self.out.closed_by_ok(&command::help()),
            Command::IsReady => self.out.say("readyok\n"),
            Command::Stop => {
                if let Some(thinking) = &self.thinking {
                    thinking.stop();
                }
                self.ok();
            }
            Command::Wait if self.thinking.as_ref().is_some_and(Thinking::is_endless) => {
                bail!("the search has no limits and may never end; send 'stop' first");
            }
            Command::Wait => {
                if let Some(thinking) = self.thinking.take() {
                    thinking.wait();
                }
                self.ok();
            }
            Command::Set(key, value) => self.set(key, value)?,
            Command::Game(text) => {
                self.session = games::open(text)?;
                self.turn();
            }
            Command::Record(Some(text)) => self.take_record(text)?,
            Command::Record(None) => self.record = Some(Ok(String::new())),
            Command::Draw(outcome) => {
                let drawn = self.session.draw(outcome, &mut self.random)?;
                self.out.say(&format!("drew {drawn}\nok {}\n", self.session.turn()));
            }
            Command::Play(moves) => {
                self.session.play(moves)?;
                self.turn();
            }
            Command::Undo(count) => {
                self.session.undo(count)?;
                self.turn();
            }
            Command::Moves => self.out.closed_by_ok(&self.session.moves()),
            Command::Turns => self.out.closed_by_ok(&self.session.turns()?),
            Command::Show => self.out.closed_by_ok(&self.session.show()),
            Command::Board => self.out.closed_by_ok(&self.session.board()),
            Command::Search(task) => self.search(task)?,
            Command::Ponder(who) => {
                self.pondering = Some(self.session.ponder(who, &self.options, &self.out)?);
                self.ok();
            }
            Command::Review(depth) => {
                self.thinking = Some(self.session.review(depth, &self.out)?);
            }
            // This engine plays for whoever is to move and learns from no result.
            Command::Seat(seat) => {
                command::check_seat(seat, self.session.players())?;
                self.ok();
            }
            Command::Result(result) => {
                command::check_result(result, self.session.players())?;
                self.ok();
            }
            Command::Quit => {}
        }
        Ok(())
    }

    fn ok(&self) {
        self.out.say("ok\n");
    }

    /// The closing line after a change: whose turn it is.
    fn turn(&self) {
        self.out.say(&format!("ok {}\n", self.session.turn()));
    }

    fn hello(&self) {
        let mut text = format!("protocol {PROTOCOL}\nname bastide\nversion {VERSION}\n");
        text += &games::listed();
        let Options { bot, threads, seed } = &self.options;
        let bot = bot.as_deref().unwrap_or(self.session.default_bot());
        text += &format!("option bot {bot}\noption threads {threads}\noption seed {seed}\n");
        self.out.closed_by_ok(&text);
    }

    fn set(&mut self, key: &str, value: &str) -> anyhow::Result<()> {
        match key {
            "bot" => {
                self.session.check_bot(value, self.options.threads)?;
                self.options.bot = Some(value.to_owned());
            }
            "threads" => self.options.threads = command::threads(value)?,
            "seed" => {
                self.options.seed = value
                    .parse()
                    .map_err(|_| anyhow!("set seed: expected a number from 0 to 2^64 - 1"))?;
                self.random = Random::new(self.options.seed);
                self.session.forget();
            }
            _ => bail!("no option is called '{key}'; known: bot, threads, seed"),
        }
        self.ok();
        Ok(())
    }

    /// One more line of a record that is sent in several.
    fn collect(&mut self, line: &str) {
        if line == "end" {
            let record = self.record.take().unwrap_or_else(|| Ok(String::new()));
            let taken = match (record, self.is_thinking()) {
                (Err(what), _) => Err(anyhow!("the record was not taken: {what}")),
                (_, true) => Err(anyhow!("a search is running, so the record was not taken")),
                (Ok(text), false) => {
                    self.stop_pondering();
                    self.take_record(&text)
                }
            };
            if let Err(error) = taken {
                self.out.error(&format!("{error:#}"));
            }
        } else if let Some(record) = &mut self.record
            && let Ok(text) = record
        {
            text.push_str(line);
            text.push('\n');
            if text.len() > LONGEST_LINE {
                *record = Err("it is longer than 256 KiB");
            }
        }
    }

    /// Ends thinking ahead; what it found is kept.
    fn stop_pondering(&mut self) {
        if let Some(pondering) = self.pondering.take() {
            pondering.stop();
            pondering.wait();
        }
    }

    fn take_record(&mut self, text: &str) -> anyhow::Result<()> {
        self.session = games::read(text, self.session.as_ref())?;
        self.turn();
        Ok(())
    }

    fn is_thinking(&self) -> bool {
        self.thinking.as_ref().is_some_and(Thinking::is_busy)
    }

    fn search(&mut self, task: Task) -> anyhow::Result<()> {
        let thinking = self.session.think(task, &self.options, &self.out)?;
        self.thinking = Some(thinking);
        Ok(())
    }

    /// A search that still runs is stopped, and may answer.
    fn close(mut self) {
        if self.record.is_some() {
            self.out.error("the record was not taken: the input ended before its line 'end'");
        }
        for thinking in self.thinking.take().into_iter().chain(self.pondering.take()) {
            thinking.stop();
            thinking.wait_a_moment();
        }
    }
}

/// The version of this program.
const VERSION: &str = env!("CARGO_PKG_VERSION");
