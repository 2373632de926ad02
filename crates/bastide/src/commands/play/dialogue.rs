//! The dialogue of a game: what is shown and asked.

use super::choice::{self, Spots, Word};
use super::match_file::{self, Seating};
use super::screen::{self, Paint};
use crate::arena::make_side;
use crate::external::ProgramOptions;
use crate::lines::{Line, Lines};
use anyhow::{Context, ensure};
use bots::roster::BoxedAgent as Bot;
use carcassonne::{Base, Carcassonne, Event, LEGEND, Move, MoveKind, Score, Setup, Tile};
use game::{Game, Player, Random, Record, Turn, ignore};
use search::{Agent, Limits, Stop, play_turn};
use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};

const HELP: &str = "\
To place the tile:    4          on spot 4, if it fits in one way only
                      4 r1       on spot 4, turned as shown above r1
                      3,-1 r2    the same in the notation of records
To put a meeple down: 2 or road0 a number of the list or a name; 0 or 'pass' for none
hint      what a strong player would do        undo      take your last move back
board     the board with the legal spots       scores    points, and meeples in hand
tiles     the tiles that are left              moves     every legal move
save [FILE]  save the game                     record    the game so far
quit      leave (with --save the game is saved)";

/// How many turns a hint lists.
const HINTS: usize = 3;

/// A game between a person and bots.
pub(super) struct Dialogue {
    record: Record<Carcassonne>,
    game: Carcassonne,
    seating: Seating,
    seat: Player,
    /// By seat; none at the person's.
    bots: Vec<Option<Bot>>,
    limits: Limits,
    save: Option<PathBuf>,
    paint: Paint,
    /// Made when a hint is first asked for.
    adviser: Option<Bot>,
    /// Whether the board has changed since it was shown.
    stale: bool,
}

impl Dialogue {
    /// A new game, or a recorded one that is resumed; `bots` sit at the other seats in order.
    ///
    /// # Errors
    /// If the record does not replay, or the seats do not fit.
    pub(super) fn new(
        setup: Setup,
        record: Option<Record<Carcassonne>>,
        seating: Seating,
        bots: Vec<Bot>,
        limits: Limits,
        save: Option<PathBuf>,
        paint: Paint,
    ) -> anyhow::Result<Self> {
        let record = record.unwrap_or_else(|| Record::new(setup));
        let game = record.replay()?;
        let seat = seating.seat.unwrap_or(0);
        let mut bots: Vec<Option<Bot>> = bots.into_iter().map(Some).collect();
        ensure!(seat <= bots.len() && bots.len() + 1 == setup.players(), "the seats do not fit");
        bots.insert(seat, None);
        let seat = Player::new(seat);
        let (adviser, stale) = (None, true);
        Ok(Self { record, game, seating, seat, bots, limits, save, paint, adviser, stale })
    }

    /// Plays until the game is over or the person leaves.
    ///
    /// # Errors
    /// If nothing can be written, a bot gives no legal turn, or the game cannot be saved.
    pub(super) fn play(mut self, input: impl BufRead, mut out: impl Write) -> anyhow::Result<()> {
        let out = &mut out;
        let mut lines = Lines::new(input);
        self.greet(out)?;
        self.tell_bots();
        let over = loop {
            match self.game.turn() {
                Turn::Over => break true,
                Turn::Chance => self.draw(out)?,
                Turn::Player(player) if player == self.seat => {
                    if !self.ask(&mut lines, out)? {
                        break false;
                    }
                }
                Turn::Player(player) => self.let_bot_play(player, out)?,
            }
        };
        if over {
            let scores = self.game.scores();
            self.bots.iter_mut().flatten().for_each(|bot| bot.game_over(&scores, None));
            self.show_end(out)?;
        }
        match &self.save {
            Some(path) => {
                self.save_to(path)?;
                writeln!(out, "The game is saved in {}.", path.display())?;
            }
            None if !over => writeln!(out, "The game is not saved.")?,
            None => {}
        }
        Ok(())
    }

    fn greet(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let seats: Vec<String> = (0..self.game.players()).map(|seat| self.name(seat)).collect();
        writeln!(out, "Carcassonne, {}.", self.record.setup)?;
        let seed = self.seating.seed.unwrap_or_default();
        writeln!(out, "{}. Seed {seed}. 'help' tells what you can type.", seats.join(", "))?;
        Ok(())
    }

    /// A seat in words, coloured like its meeples.
    fn name(&self, seat: usize) -> String {
        let name = match self.bots.get(seat) {
            Some(Some(_)) => {
                let at = seat - usize::from(seat > self.seat.index());
                self.seating.bots.get(at).map_or("bot", String::as_str)
            }
            _ => "you",
        };
        self.paint.player(seat, &format!("{name} (player {seat})"))
    }

    /// Tells every bot the game so far, as after a resume or an undo.
    fn tell_bots(&mut self) {
        let seed = self.seating.seed.unwrap_or_default();
        for (seat, bot) in self.bots.iter_mut().enumerate() {
            let Some(bot) = bot else { continue };
            let mut game = self.record.start(ignore);
            bot.new_game(&game, seed.wrapping_add(seat as u64));
            bot.take_seat(Player::new(seat));
            for m in &self.record.moves {
                bot.observe(&game, *m);
                game.play_unchecked(*m, ignore);
            }
        }
    }

    /// Plays a legal move and prints what it did.
    fn apply(&mut self, m: Move, out: &mut impl Write) -> anyhow::Result<()> {
        for bot in self.bots.iter_mut().flatten() {
            bot.observe(&self.game, m);
        }
        let mut events = Vec::new();
        self.game.play(m, |event| events.push(event))?;
        self.record.moves.push(m);
        self.stale = true;
        for event in events {
            match event {
                Event::TileDiscarded { tile, .. } => {
                    writeln!(out, "Tile {tile} fits nowhere and is set aside.")?;
                }
                Event::FeatureScored(score) => self.tell_score("", &score, out)?,
                Event::EndGamePoints(score) => self.tell_score("At the end, ", &score, out)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn tell_score(&self, when: &str, score: &Score, out: &mut impl Write) -> anyhow::Result<()> {
        let Score { player, points, terrain, .. } = score;
        let name = self.name(player.index());
        let why = format!("{terrain}, {}", score.explanation());
        writeln!(
            out,
            "  {when}{name}: {} points ({why})",
            self.paint.text("1", &format!("+{points}"))
        )?;
        Ok(())
    }

    /// Draws a tile. The same seed gives the same tile at the same move: an undo changes no luck.
    fn draw(&mut self, out: &mut impl Write) -> anyhow::Result<()> {
        if let Some(path) = &self.save {
            self.save_to(path)?;
        }
        let ply = self.record.moves.len() as u64;
        let seed = self.seating.seed.unwrap_or_default();
        let mut random = Random::new(seed ^ ply.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        random.bits();
        let drawn = self.game.sample_outcome(&mut random).context("nothing is left to draw")?;
        self.apply(drawn, out)
    }

    fn let_bot_play(&mut self, player: Player, out: &mut impl Write) -> anyhow::Result<()> {
        let tile = self.game.tile_in_hand();
        let name = self.name(player.index());
        let bot = self.bots[player.index()].as_mut().context("a bot sits there")?;
        let turn = bot.search(&self.game, &self.limits, &Stop::new()).turn;
        let legal = !turn.is_empty() && play_turn(&self.game, &turn).is_some();
        ensure!(legal, "{name} gave no legal turn; --save and --resume go on with another bot");
        write!(out, "{name}:")?;
        for (index, m) in turn.iter().enumerate() {
            let comma = if index > 0 { "," } else { "" };
            match m.kind() {
                MoveKind::Place { cell, rotation } => {
                    let tile = tile.map_or(String::new(), |tile| tile.to_string());
                    write!(out, "{comma} tile {tile} on {cell} {rotation}")?;
                }
                MoveKind::Meeple(segment) => write!(out, "{comma} a meeple on {segment}")?,
                MoveKind::Figure(figure, segment) => write!(out, "{comma} {figure} on {segment}")?,
                MoveKind::Recall => write!(out, "{comma} takes the abbot back")?,
                MoveKind::Pass => write!(out, "{comma} no meeple")?,
                MoveKind::Draw(tile) => write!(out, "{comma} draws {tile}")?,
            }
        }
        writeln!(out)?;
        turn.into_iter().try_for_each(|m| self.apply(m, out))
    }

    /// Asks the person once; false if they leave.
    fn ask(
        &mut self,
        lines: &mut Lines<impl BufRead>,
        out: &mut impl Write,
    ) -> anyhow::Result<bool> {
        if std::mem::take(&mut self.stale) {
            self.show(out)?;
        }
        write!(out, "> ")?;
        out.flush()?;
        let line = match lines.next_line() {
            Some(Line::Text(line)) => line,
            Some(Line::Wrong(what)) => {
                writeln!(out, "{what}.")?;
                return Ok(true);
            }
            None => {
                writeln!(out)?;
                return Ok(false);
            }
        };
        match choice::word(&line) {
            Some(Word::Quit) => return Ok(false),
            Some(word) => self.obey(&word, out)?,
            None if line.is_empty() => {}
            None => self.choose(&line, out)?,
        }
        Ok(true)
    }

    /// Plays what a line means, or says what is wrong with it.
    fn choose(&mut self, line: &str, out: &mut impl Write) -> anyhow::Result<()> {
        let chosen = match self.game.tile_in_hand() {
            Some(_) => Spots::of(&self.game).choose(line),
            None => choice::choose_meeple(&self.game, line),
        };
        match chosen {
            Err(why) => writeln!(out, "{why}")?,
            Ok(m) if !self.game.is_legal(m) => {
                writeln!(out, "'{m}' is not legal: {}", self.game.why_illegal(m))?;
            }
            Ok(m) => self.apply(m, out)?,
        }
        Ok(())
    }

    fn obey(&mut self, word: &Word<'_>, out: &mut impl Write) -> anyhow::Result<()> {
        match word {
            Word::Help => writeln!(out, "{HELP}")?,
            Word::Hint => self.hint(out)?,
            Word::Undo => self.undo(out)?,
            Word::Board => self.show(out)?,
            Word::Tiles => {
                let bag = self.game.bag();
                let kind = |tile: Tile| {
                    (bag[tile.index()] > 0).then(|| format!("{tile}{}", bag[tile.index()]))
                };
                let kinds: Vec<String> = Tile::all().filter_map(kind).collect();
                writeln!(out, "{} tiles left: {}", self.game.tiles_left(), kinds.join(" "))?;
            }
            Word::Scores => self.show_scores(out)?,
            Word::Moves => match self.game.tile_in_hand() {
                Some(_) => write!(out, "{}", Spots::of(&self.game).listed())?,
                None => self.show_meeples(out)?,
            },
            Word::Record => write!(out, "{}", self.record)?,
            Word::Save(path) => {
                let path = match (path, &self.save) {
                    (&"", Some(known)) => known.clone(),
                    (&"", None) => {
                        writeln!(out, "Where to? Type 'save FILE'.")?;
                        return Ok(());
                    }
                    (path, _) => PathBuf::from(path),
                };
                match self.save_to(&path) {
                    Ok(()) => writeln!(out, "Saved in {}.", path.display())?,
                    Err(error) => writeln!(out, "{error:#}")?,
                }
            }
            Word::Quit => {}
        }
        Ok(())
    }

    fn save_to(&self, path: &Path) -> anyhow::Result<()> {
        match_file::save(path, &self.record, &self.seating)
    }

    /// Takes the placement back while a meeple is asked for, else goes to the person's last turn.
    fn undo(&mut self, out: &mut impl Write) -> anyhow::Result<()> {
        let mut game = self.record.start(ignore);
        let mut back = None;
        for (ply, m) in self.record.moves.iter().enumerate() {
            if game.turn() == Turn::Player(self.seat) && game.tile_in_hand().is_some() {
                back = Some(ply);
            }
            game.play_unchecked(*m, ignore);
        }
        let Some(ply) = back else {
            writeln!(out, "There is nothing to take back.")?;
            return Ok(());
        };
        self.record.moves.truncate(ply);
        self.game = self.record.replay()?;
        self.stale = true;
        self.tell_bots();
        Ok(())
    }

    fn hint(&mut self, out: &mut impl Write) -> anyhow::Result<()> {
        let mut adviser = match self.adviser.take() {
            Some(adviser) => adviser,
            None => make_side::<Base>("best", &self.record.setup, &ProgramOptions::default())?,
        };
        let report = adviser.search(&self.game, &self.limits, &Stop::new());
        self.adviser = Some(adviser);
        let spots = Spots::of(&self.game);
        for line in report.lines.iter().take(HINTS) {
            let moves: Vec<String> = line.moves.iter().map(ToString::to_string).collect();
            let spot = line.moves.first().and_then(|m| match m.kind() {
                MoveKind::Place { cell, .. } => spots.number(cell),
                _ => None,
            });
            let spot = spot.map_or(String::new(), |number| format!("spot {number}: "));
            writeln!(
                out,
                "  {spot}{:<28} margin {:+.1}, wins {:.0} %",
                moves.join("; "),
                line.value.margin,
                line.value.win * 100.0
            )?;
        }
        Ok(())
    }

    /// The board and what is asked.
    fn show(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let spots = Spots::of(&self.game);
        let window = screen::window();
        writeln!(out, "\n{}", screen::board(&self.game, &spots.cells(), self.paint, window))?;
        let Some(tile) = self.game.tile_in_hand() else { return self.show_meeples(out) };
        if self.record.moves.len() < 4 {
            writeln!(out, "{}", screen::fold(LEGEND, window))?;
        }
        self.show_scores(out)?;
        writeln!(
            out,
            "Your tile is {tile}; {} are left. It fits turned like this:",
            self.game.tiles_left()
        )?;
        write!(out, "{}", screen::rotations(tile, &spots.rotations(), self.paint))?;
        writeln!(out, "Which spot, and how turned? (such as '{}')", spots.example())?;
        Ok(())
    }

    fn show_meeples(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let supply = self.game.supply()[self.seat];
        writeln!(out, "A meeple? You have {supply}.")?;
        for (number, (m, about)) in choice::meeple_choices(&self.game).iter().enumerate() {
            writeln!(out, "  {number}  {:<10} {about}", m.to_string())?;
        }
        Ok(())
    }

    fn show_scores(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let (scores, projected) = (self.game.scores(), self.game.projected_scores());
        let supply = self.game.supply();
        for (player, score) in scores.iter() {
            writeln!(
                out,
                "{}: {score} points, {} if it ended now, {} meeples in hand",
                self.name(player.index()),
                projected[player],
                supply[player]
            )?;
        }
        Ok(())
    }

    fn show_end(&self, out: &mut impl Write) -> anyhow::Result<()> {
        writeln!(out, "\n{}", screen::board(&self.game, &[], self.paint, screen::window()))?;
        let scores = self.game.scores();
        for (player, score) in scores.iter() {
            writeln!(out, "{}: {score} points", self.name(player.index()))?;
        }
        let winners = scores.leaders();
        let names: Vec<String> = winners.iter().map(|player| self.name(player.index())).collect();
        match (winners.len(), winners.contains(self.seat)) {
            (1, true) => writeln!(out, "You win by {} points.", scores.margin(self.seat))?,
            (1, false) => writeln!(out, "{} wins.", names.join(" and "))?,
            _ => writeln!(out, "A draw between {}.", names.join(" and "))?,
        }
        Ok(())
    }
}
