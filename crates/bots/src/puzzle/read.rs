//! Puzzles read from text.

use super::{Gap, Puzzle, PuzzleId, Solved, Source, Theme, refuse_part_of_turn};
use carcassonne::{Expanded, Move, MoveKind};
use game::{Game, Record, Turn, excerpt};
use std::collections::HashSet;
use std::error::Error;
use std::fmt;
use std::str::FromStr;

/// The first line of a file of puzzles.
pub(super) const HEADER: &str = "bastide-puzzles 1";

/// What a puzzle consists of, in the order in which it is written.
const FIELDS: &str = "rating, themes, gap, solved, source, answer, also or record";

/// A text that is no file of puzzles.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParsePuzzleError {
    /// The line, from 1.
    pub line: usize,
    /// What was found and what was expected.
    pub reason: String,
}

impl fmt::Display for ParsePuzzleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.reason)
    }
}

impl Error for ParsePuzzleError {}

/// Reads a file of puzzles.
///
/// # Errors
/// If a line is not as it should be, a record or a turn is not legal, or a puzzle stands there twice;
/// the error names the line.
pub fn read_all(text: &str) -> Result<Vec<Puzzle>, ParsePuzzleError> {
    let mut lines = Lines { rest: text.trim_start_matches('\u{feff}').lines(), number: 0 };
    let head = lines.next_filled();
    if head != Some(HEADER) {
        let found = head.map_or_else(
            || "the text is empty".to_owned(),
            |head| format!("found '{}'", excerpt(head, 40)),
        );
        return Err(lines.wrong(format!("{found}; puzzles begin with '{HEADER}'")));
    }
    let mut puzzles = Vec::new();
    let mut seen = HashSet::new();
    while let Some(line) = lines.next_filled() {
        let Some(id) = line.strip_prefix("puzzle ") else {
            return Err(lines.wrong(format!("expected 'puzzle ID', found '{}'", excerpt(line, 40))));
        };
        let id: PuzzleId = id.trim().parse().map_err(|reason| lines.wrong(reason))?;
        if !seen.insert(id) {
            return Err(lines.wrong(format!("the puzzle {id} stands here twice")));
        }
        puzzles.push(read_one(&mut lines, id)?);
    }
    Ok(puzzles)
}

/// The lines of a text with their numbers.
struct Lines<'a> {
    rest: std::str::Lines<'a>,
    /// Of the line that was read last, from 1.
    number: usize,
}

impl<'a> Lines<'a> {
    fn next(&mut self) -> Option<&'a str> {
        self.rest.next().inspect(|_| self.number += 1)
    }

    /// The next line that is neither empty nor a comment, without spaces around it.
    fn next_filled(&mut self) -> Option<&'a str> {
        loop {
            let line = self.next()?.trim();
            if !line.is_empty() && !line.starts_with('#') {
                return Some(line);
            }
        }
    }

    fn wrong(&self, reason: String) -> ParsePuzzleError {
        ParsePuzzleError { line: self.number.max(1), reason }
    }
}

/// A puzzle of which not every line was read yet.
#[derive(Default)]
struct Fields {
    rating: Option<u16>,
    themes: Option<Vec<Theme>>,
    gap: Option<Gap>,
    solved: Option<Vec<Solved>>,
    source: Option<Source>,
    answer: Option<Turnline>,
    also: Vec<Turnline>,
}

/// A turn and the line on which it stands.
struct Turnline {
    line: usize,
    moves: Vec<Move>,
}

impl Turnline {
    /// The turn, if it is one of a position.
    fn checked(self, position: &Expanded) -> Result<Vec<Move>, ParsePuzzleError> {
        let Self { line, moves } = self;
        match refuse_part_of_turn(position, &moves) {
            Ok(()) => Ok(moves),
            Err(reason) => Err(ParsePuzzleError { line, reason }),
        }
    }
}

fn read_one(lines: &mut Lines<'_>, id: PuzzleId) -> Result<Puzzle, ParsePuzzleError> {
    let mut fields = Fields::default();
    let begin = lines.number;
    loop {
        let Some(line) = lines.next_filled() else {
            return Err(lines.wrong(format!("the puzzle {id} has no record")));
        };
        if line == "record" {
            break;
        }
        let (key, value) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        fields.take(key, value.trim(), lines.number).map_err(|reason| lines.wrong(reason))?;
    }
    let (record, position) = read_position(lines)?;
    if PuzzleId::of(&record) != id {
        let right = PuzzleId::of(&record);
        let reason = format!("the record is that of the puzzle {right}, not {id}");
        return Err(ParsePuzzleError { line: begin, reason });
    }
    let missing = |what: &str| ParsePuzzleError {
        line: begin,
        reason: format!("the puzzle {id} has no line '{what}'"),
    };
    let answer = fields.answer.ok_or_else(|| missing("answer"))?;
    Ok(Puzzle {
        rating: fields.rating.ok_or_else(|| missing("rating"))?,
        themes: fields.themes.ok_or_else(|| missing("themes"))?,
        gap: fields.gap.ok_or_else(|| missing("gap"))?,
        solved: fields.solved.ok_or_else(|| missing("solved"))?,
        source: fields.source.ok_or_else(|| missing("source"))?,
        answer: answer.checked(&position)?,
        also: fields
            .also
            .into_iter()
            .map(|turn| turn.checked(&position))
            .collect::<Result<_, _>>()?,
        record,
    })
}

impl Fields {
    fn take(&mut self, key: &str, value: &str, line: usize) -> Result<(), String> {
        let once = |first: bool| match first {
            true => Ok(()),
            false => Err(format!("a puzzle has one line '{key}'")),
        };
        match key {
            "rating" => {
                once(self.rating.is_none())?;
                self.rating = Some(rating(value)?);
            }
            "themes" => {
                once(self.themes.is_none())?;
                self.themes = Some(themes(value)?);
            }
            "gap" => {
                once(self.gap.is_none())?;
                self.gap = Some(gap(value)?);
            }
            "solved" => {
                once(self.solved.is_none())?;
                self.solved = Some(solved(value)?);
            }
            "source" => {
                once(self.source.is_none())?;
                self.source = Some(source(value)?);
            }
            "answer" => {
                once(self.answer.is_none())?;
                self.answer = Some(Turnline { line, moves: turn(value)? });
            }
            "also" => self.also.push(Turnline { line, moves: turn(value)? }),
            _ => return Err(format!("'{}': a line begins with {FIELDS}", excerpt(key, 20))),
        }
        Ok(())
    }
}

/// Reads the lines up to `end`: a record after which a player places a tile.
fn read_position(lines: &mut Lines<'_>) -> Result<(Record<Expanded>, Expanded), ParsePuzzleError> {
    let before = lines.number;
    let mut text = String::new();
    loop {
        let Some(line) = lines.next() else {
            return Err(lines.wrong("a record ends with a line 'end'".to_owned()));
        };
        if line.trim() == "end" {
            break;
        }
        text.push_str(line);
        text.push('\n');
    }
    let record: Record<Expanded> = text.parse().map_err(|error: game::ParseRecordError| {
        ParsePuzzleError { line: before + error.line, reason: error.reason }
    })?;
    record.must_begin_at_start().map_err(|reason| lines.wrong(reason))?;
    let position = record.replay().map_err(|error| lines.wrong(error.to_string()))?;
    let drawn = record.moves.last().is_some_and(|m| matches!(m.kind(), MoveKind::Draw(_)));
    match drawn && matches!(position.turn(), Turn::Player(_)) {
        true => Ok((record, position)),
        false => Err(lines.wrong("a record ends with the tile that is to be placed".to_owned())),
    }
}

fn rating(value: &str) -> Result<u16, String> {
    const HIGHEST: u16 = 4000;
    let read = value.parse().ok().filter(|rating| *rating <= HIGHEST);
    read.ok_or_else(|| format!("rating '{}': a number from 0 to {HIGHEST}", excerpt(value, 20)))
}

fn themes(value: &str) -> Result<Vec<Theme>, String> {
    let mut themes: Vec<Theme> = Vec::new();
    for word in value.split_whitespace() {
        let theme = word.parse()?;
        if themes.contains(&theme) {
            return Err(format!("the theme {theme} stands here twice"));
        }
        themes.push(theme);
    }
    Ok(themes)
}

fn gap(value: &str) -> Result<Gap, String> {
    let numbers: Option<Vec<f64>> = value.split_whitespace().map(positive).collect();
    match numbers.as_deref() {
        Some([points, error]) => Ok(Gap { points: *points, error: *error }),
        _ => Err(format!(
            "gap '{}': points and their standard error, such as 3.41 0.32",
            excerpt(value, 30)
        )),
    }
}

fn positive<T: FromStr + Into<f64> + Copy>(word: &str) -> Option<T> {
    word.parse().ok().filter(|number: &T| (0.0..1e6).contains(&(*number).into()))
}

fn solved(value: &str) -> Result<Vec<Solved>, String> {
    let wrong = || {
        let found = excerpt(value, 40);
        format!("solved '{found}': levels, each with how often it solved, such as mason 3/8")
    };
    let words: Vec<&str> = value.split_whitespace().collect();
    let mut solved: Vec<Solved> = Vec::new();
    for pair in words.chunks(2) {
        let [level, share] = pair else { return Err(wrong()) };
        let (times, of) = share.split_once('/').ok_or_else(wrong)?;
        let (times, of): (u32, u32) = positive(times)
            .zip(positive(of))
            .filter(|(times, of)| times <= of)
            .ok_or_else(wrong)?;
        let named = level.len() <= 40 && level.bytes().all(|byte| byte.is_ascii_lowercase());
        if !named || solved.iter().any(|other| other.level == *level) {
            return Err(wrong());
        }
        solved.push(Solved { level: (*level).to_owned(), times, of });
    }
    Ok(solved)
}

fn source(value: &str) -> Result<Source, String> {
    const LONGEST: usize = 200;
    let tidy = |name: &str| name.chars().count() <= LONGEST && !name.chars().any(char::is_control);
    match value.split_once(char::is_whitespace) {
        None if value == "engine" => Ok(Source::Engine),
        Some(("game", name)) if tidy(name) => Ok(Source::Game(name.trim().to_owned())),
        _ => Err(format!("source '{}': 'engine' or 'game ID'", excerpt(value, 30))),
    }
}

fn turn(value: &str) -> Result<Vec<Move>, String> {
    let moves: Result<Vec<Move>, String> = value
        .split(';')
        .map(|m| {
            let m = m.trim();
            m.parse().map_err(|error| format!("'{}': {error}", excerpt(m, 30)))
        })
        .collect();
    moves
}
