//! One game, its position, and the bot that searches it.

use super::Options;
use super::command::{Task, Thinker, shorten};
use super::engine_game::EngineGame;
use super::out::Out;
use super::reviewing;
use super::thinking::{self, BotWithMemory, Thinking};
use crate::move_text::read_moves;
use anyhow::{anyhow, bail};
use bots::review::Depth;
use game::{Random, Record, Turn, ignore};
use search::{GameClock, Limits, Turns};
use std::fmt::Display;
use std::sync::{Arc, Mutex, PoisonError};

/// A game in progress, whichever it is. What fails changes nothing.
pub(super) trait Session {
    /// The game's name.
    fn game(&self) -> &'static str;
    /// The game's setup, as text.
    fn setup(&self) -> String;
    /// How many players the game has.
    fn players(&self) -> usize;
    /// Plays moves, separated by `;`: all or none.
    fn play(&mut self, moves: &str) -> anyhow::Result<()>;
    /// Plays an outcome of chance, chosen or by the odds, and returns its text.
    fn draw(&mut self, outcome: Option<&str>, random: &mut Random) -> anyhow::Result<String>;
    /// Takes moves back.
    fn undo(&mut self, count: usize) -> anyhow::Result<()>;
    /// Whose turn it is.
    fn turn(&self) -> String;
    /// The legal moves, a line each.
    fn moves(&self) -> String;
    /// The whole turns of the player to move, a line each.
    fn turns(&self) -> anyhow::Result<String>;
    /// All facts, a line each.
    fn show(&self) -> String;
    /// The position as a picture.
    fn board(&self) -> String;
    /// The bot that plays where none is named.
    fn default_bot(&self) -> &'static str;
    /// Whether there is such a bot.
    fn check_bot(&self, name: &str, threads: usize) -> anyhow::Result<()>;
    /// Lets the bot of the last search go, with what it remembers.
    fn forget(&mut self);
    /// Starts a search on a thread of its own.
    fn think(&mut self, task: Task, options: &Options, out: &Out) -> anyhow::Result<Thinking>;
    /// Starts to think ahead on a thread of its own, until it is stopped.
    fn ponder(&mut self, who: Thinker, options: &Options, out: &Out) -> anyhow::Result<Thinking>;
    /// Starts a review of the moves so far on a thread of its own.
    fn review(&self, depth: Depth, out: &Out) -> anyhow::Result<Thinking>;
}

/// A session of one kind of game.
pub(super) struct GameSession<G: EngineGame> {
    record: Record<G>,
    game: G,
    /// The bot of the last search, with what it remembers; away while it thinks.
    mind: Arc<Mutex<Option<BotWithMemory<G>>>>,
}

impl<G: EngineGame> GameSession<G> {
    /// A new game.
    pub(super) fn new(setup: G::Setup) -> Self {
        let game = G::new(&setup);
        Self { record: Record::new(setup), game, mind: Arc::default() }
    }

    /// A recorded game after its last move.
    pub(super) fn of(record: Record<G>) -> anyhow::Result<Self> {
        let game = record.replay()?;
        Ok(Self { record, game, mind: Arc::default() })
    }

    fn legal(&self) -> Vec<G::Move> {
        let mut moves = Vec::new();
        self.game.moves(&mut moves);
        moves
    }

    /// The bot that is to think, with what it remembers: it goes back to its place when it has. A limit
    /// of depth is refused for one to whom that means nothing.
    fn take_mind(
        &self,
        who: &Thinker,
        options: &Options,
        depth: bool,
    ) -> anyhow::Result<BotWithMemory<G>> {
        let bot = who.bot.as_deref().or(options.bot.as_deref()).unwrap_or(G::DEFAULT_BOT);
        let threads = who.threads.unwrap_or(options.threads);
        let key = (bot.to_owned(), threads, options.seed);
        let mut place = self.mind.lock().unwrap_or_else(PoisonError::into_inner);
        // The one that is there is taken only when nothing can be refused any more.
        let known = place.as_ref().filter(|mind| mind.knows(&key, &self.record));
        let fresh = match known {
            Some(_) => None,
            None => Some(BotWithMemory::new(G::bot(bot, threads, &self.record.setup)?, key)),
        };
        let heeds_depth = fresh.as_ref().or(known).is_none_or(BotWithMemory::heeds_depth);
        if depth && !heeds_depth {
            let bot = shorten(bot);
            return Err(anyhow!("{bot} knows no limit of depth; allowed: movetime T, nodes N"));
        }
        Ok(fresh.or_else(|| place.take()).expect("a bot that is known is in its place"))
    }

    /// Refuses what only makes sense at a player's turn.
    fn check_player_is_to_move(&self) -> anyhow::Result<()> {
        match self.game.turn() {
            Turn::Player(_) => Ok(()),
            Turn::Chance => bail!("no player is to move: chance draws first"),
            Turn::Over => bail!("no player is to move: the game is over"),
        }
    }
}

impl<G: EngineGame> Session for GameSession<G> {
    fn game(&self) -> &'static str {
        G::NAME
    }

    fn setup(&self) -> String {
        self.record.setup.to_string()
    }

    fn players(&self) -> usize {
        self.game.players()
    }

    fn play(&mut self, moves: &str) -> anyhow::Result<()> {
        let played: Vec<G::Move> = read_moves(moves)?;
        if played.is_empty() {
            bail!("play needs moves, separated by ';'; 'moves' lists the legal ones");
        }
        let mut game = self.game.clone();
        for (index, m) in played.iter().enumerate() {
            game.play(*m, ignore).map_err(|illegal| match played.len() {
                1 => anyhow!("{illegal}"),
                _ => anyhow!("move {} {illegal}", index + 1),
            })?;
        }
        self.game = game;
        self.record.moves.extend(played);
        Ok(())
    }

    fn draw(&mut self, outcome: Option<&str>, random: &mut Random) -> anyhow::Result<String> {
        if self.game.turn() != Turn::Chance {
            return Err(anyhow!("it is not chance's turn to draw: {}", self.turn()));
        }
        let m = match outcome {
            Some(text) => text.parse().map_err(|error| anyhow!("'{}': {error}", shorten(text)))?,
            None => self
                .game
                .sample_outcome(random)
                .ok_or_else(|| anyhow!("nothing is left to draw"))?,
        };
        self.game.play(m, ignore)?;
        self.record.moves.push(m);
        Ok(m.to_string())
    }

    fn undo(&mut self, count: usize) -> anyhow::Result<()> {
        let all = self.record.moves.len();
        let left = all
            .checked_sub(count)
            .ok_or_else(|| anyhow!("undo {count}: only {all} moves have been played"))?;
        self.game = self.record.replay_to(left, |_, _| {})?;
        self.record.moves.truncate(left);
        Ok(())
    }

    fn turn(&self) -> String {
        match self.game.turn() {
            Turn::Player(player) => format!("player {player}"),
            Turn::Chance => "chance".to_owned(),
            Turn::Over => "over".to_owned(),
        }
    }

    fn moves(&self) -> String {
        let chance = self.game.turn() == Turn::Chance;
        let line = |m: &G::Move| match chance {
            true => format!("outcome {m} odds {}\n", self.game.odds(*m)),
            false => format!("move {m}\n"),
        };
        self.legal().iter().map(line).collect()
    }

    fn turns(&self) -> anyhow::Result<String> {
        self.check_player_is_to_move()?;
        let mut turns = Turns::new();
        turns.list(&self.game);
        Ok((0..turns.len()).map(|turn| format!("turn {}\n", joined(turns.moves(turn)))).collect())
    }

    fn show(&self) -> String {
        let mut facts = vec![
            ("game", G::NAME.to_owned()),
            ("setup", self.record.setup.to_string()),
            ("ply", self.record.moves.len().to_string()),
            ("turn", self.turn()),
            ("legal", self.legal().len().to_string()),
            ("scores", spaced(self.game.scores().as_slice())),
        ];
        if self.game.turn() == Turn::Over {
            let winners: Vec<_> = self.game.scores().leaders().iter().collect();
            facts.push(("winners", spaced(&winners)));
        }
        facts.extend(self.game.facts());
        facts.push(("record", self.record.to_string().trim_end().replace('\n', "; ")));
        facts.iter().map(|(name, value)| format!("{name}: {value}\n")).collect()
    }

    fn board(&self) -> String {
        self.game.board()
    }

    fn default_bot(&self) -> &'static str {
        G::DEFAULT_BOT
    }

    fn check_bot(&self, name: &str, threads: usize) -> anyhow::Result<()> {
        G::bot(name, threads, &self.record.setup).map(|_| ())
    }

    fn forget(&mut self) {
        self.mind.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    fn think(&mut self, mut task: Task, options: &Options, out: &Out) -> anyhow::Result<Thinking> {
        self.check_player_is_to_move()?;
        if let Some((left, increment)) = task.clock {
            let clock = GameClock { left, increment, turns: self.game.turns_left() };
            let Limits { nodes, depth, .. } = task.limits;
            task.limits = Limits { nodes, depth, ..Limits::game_clock(clock) };
        }
        let depth = task.limits.depth.is_some();
        let mind = self.take_mind(&task.who, options, depth)?;
        thinking::start(mind, &self.record, task, Arc::clone(&self.mind), out)
    }

    fn ponder(&mut self, who: Thinker, options: &Options, out: &Out) -> anyhow::Result<Thinking> {
        if self.game.turn() == Turn::Over {
            bail!("nobody is to move any more: the game is over");
        }
        let mind = self.take_mind(&who, options, false)?;
        thinking::ponder(mind, &self.record, Arc::clone(&self.mind), out)
    }

    fn review(&self, depth: Depth, out: &Out) -> anyhow::Result<Thinking> {
        reviewing::start(&self.record, depth, out)
    }
}

/// The moves of a turn as one text.
pub(super) fn joined(moves: &[impl Display]) -> String {
    moves.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

/// Values for each player as one text.
pub(super) fn spaced(values: &[impl Display]) -> String {
    values.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}
