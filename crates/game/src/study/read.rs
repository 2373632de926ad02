//! A study read from text.

use super::{
    Chapter, DEEPEST, LONGEST_COMMENT, LONGEST_TITLE, MOST_CHAPTERS, MOST_MOVES, Mark, Study, tidy,
};
use crate::record::{MISPLACED_LAYOUT, checked_layout};
use crate::{Game, ParseRecordError, excerpt, ignore, layout_of_line};
use std::str::FromStr;

impl<G: Game> FromStr for Study<G> {
    type Err = ParseRecordError;

    fn from_str(text: &str) -> Result<Self, ParseRecordError> {
        let mut reader = Reader::<G>::new();
        for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
            reader.number = index + 1;
            reader.line(line).map_err(|reason| ParseRecordError { line: reader.number, reason })?;
        }
        let number = reader.number.max(1);
        reader.finish().map_err(|reason| ParseRecordError { line: number, reason })
    }
}

/// A line of play that is being read.
struct Line<G> {
    /// The last move; `None` at the start.
    at: Option<usize>,
    /// The position after it.
    game: G,
    /// The position before it; `None` where nothing of this line was read yet.
    before: Option<G>,
    /// How many moves lie before the next one.
    ply: usize,
}

struct Reader<G: Game> {
    number: usize,
    title: String,
    chapters: Vec<Chapter<G>>,
    /// A title whose chapter has no setup yet.
    next_title: Option<String>,
    /// The line that is read, and those within which it is a variation.
    lines: Vec<Line<G>>,
    /// The comment that is read, and the line on which it began.
    comment: Option<(String, usize)>,
    moves: usize,
}

impl<G: Game> Reader<G> {
    const fn new() -> Self {
        Self {
            number: 0,
            title: String::new(),
            chapters: Vec::new(),
            next_title: None,
            lines: Vec::new(),
            comment: None,
            moves: 0,
        }
    }

    fn line(&mut self, line: &str) -> Result<(), String> {
        if self.comment.is_none() {
            let heading = line.trim();
            let (word, rest) = heading.split_once(char::is_whitespace).unwrap_or((heading, ""));
            match word {
                "study" => return self.name_study(rest),
                "chapter" => return self.begin_chapter(rest),
                _ => {}
            }
            let expects_setup = self.chapters.is_empty() || self.next_title.is_some();
            if expects_setup {
                let head = line.split('#').next().unwrap_or_default().trim();
                return if head.is_empty() { Ok(()) } else { self.set_up(head) };
            }
        }
        match layout_of_line(line).filter(|_| self.comment.is_none()) {
            Some(layout) => self.lay(layout),
            None => self.play_text(line),
        }
    }

    /// A chapter that begins with a position laid by hand.
    fn lay(&mut self, layout: &str) -> Result<(), String> {
        let (chapter, line) = self.here();
        if chapter.laid.is_some() || line.at.is_some() || !chapter.comment.is_empty() {
            return Err(format!("{MISPLACED_LAYOUT} of its chapter"));
        }
        chapter.laid = Some(checked_layout::<G>(&chapter.setup, layout)?);
        line.game = chapter.start();
        Ok(())
    }

    fn name_study(&mut self, title: &str) -> Result<(), String> {
        if !self.chapters.is_empty() || self.next_title.is_some() || !self.title.is_empty() {
            return Err("'study' stands once, before the first chapter".to_owned());
        }
        self.title = tidy("the title", title, LONGEST_TITLE, false)?;
        Ok(())
    }

    fn begin_chapter(&mut self, title: &str) -> Result<(), String> {
        self.end_chapter()?;
        if self.next_title.is_some() {
            return Err(self.no_setup());
        }
        if self.chapters.len() == MOST_CHAPTERS {
            return Err(format!("a study has at most {MOST_CHAPTERS} chapters"));
        }
        self.next_title = Some(tidy("the title", title, LONGEST_TITLE, false)?);
        Ok(())
    }

    fn no_setup(&self) -> String {
        format!("a chapter begins with '{} SETUP'", G::NAME)
    }

    fn set_up(&mut self, head: &str) -> Result<(), String> {
        let (name, setup) = head.split_once(char::is_whitespace).unwrap_or((head, ""));
        if name != G::NAME {
            let found = excerpt(name, 40);
            return Err(format!("expected a chapter of '{}', found '{found}'", G::NAME));
        }
        let setup: G::Setup =
            setup.trim().parse().map_err(|e: <G::Setup as FromStr>::Err| e.to_string())?;
        let game = G::new(&setup);
        self.lines = vec![Line { at: None, game, before: None, ply: 0 }];
        self.chapters.push(Chapter::new(self.next_title.take().unwrap_or_default(), setup));
        Ok(())
    }

    /// Reads moves, variations and comments.
    fn play_text(&mut self, text: &str) -> Result<(), String> {
        let mut word = String::new();
        let mut chars = text.chars();
        if self.comment.is_some() {
            self.comment_text(&mut chars)?;
        }
        while let Some(c) = chars.next() {
            match c {
                '#' => break,
                ';' => self.play(&std::mem::take(&mut word))?,
                '{' => {
                    self.play(&std::mem::take(&mut word))?;
                    self.comment = Some((String::new(), self.number));
                    self.comment_text(&mut chars)?;
                }
                '(' => {
                    self.play(&std::mem::take(&mut word))?;
                    self.open()?;
                }
                ')' => {
                    self.play(&std::mem::take(&mut word))?;
                    self.close()?;
                }
                '}' => return Err("'}' without '{'".to_owned()),
                c => word.push(c),
            }
        }
        self.play(&word)
    }

    /// Reads a comment up to its end, or to the end of the line.
    fn comment_text(&mut self, chars: &mut std::str::Chars<'_>) -> Result<(), String> {
        let Some((mut text, began)) = self.comment.take() else { return Ok(()) };
        while let Some(c) = chars.next() {
            match c {
                '}' => return self.say(&text),
                '\\' => text.push(chars.next().unwrap_or('\\')),
                c => text.push(c),
            }
        }
        text.push('\n');
        // Long before the end of a hostile text.
        if text.len() > 8 * LONGEST_COMMENT {
            return Err(format!("a comment has at most {LONGEST_COMMENT} characters"));
        }
        self.comment = Some((text, began));
        Ok(())
    }

    fn here(&mut self) -> (&mut Chapter<G>, &mut Line<G>) {
        let chapter = self.chapters.last_mut().expect("a chapter is set up before it has moves");
        (chapter, self.lines.last_mut().expect("a chapter has a line"))
    }

    fn say(&mut self, text: &str) -> Result<(), String> {
        let (chapter, line) = self.here();
        let comment = match line.at {
            Some(at) => &mut chapter.tree.node_mut(at).comment,
            None => &mut chapter.comment,
        };
        let both = format!("{comment}\n{text}");
        *comment = tidy("a comment", &both, LONGEST_COMMENT, true)?;
        Ok(())
    }

    fn play(&mut self, word: &str) -> Result<(), String> {
        let word = word.trim();
        if word.is_empty() {
            return Ok(());
        }
        let text = word.trim_end_matches(['!', '?']);
        let mark = match &word[text.len()..] {
            "" => None,
            mark => Some(Mark::read(mark).ok_or_else(|| {
                let marks = Mark::ALL.map(Mark::text).join(", ");
                format!("'{}' is no mark; allowed: {marks}", excerpt(mark, 12))
            })?),
        };
        let text = text.trim();
        if self.moves == MOST_MOVES {
            return Err(format!("a study has at most {MOST_MOVES} moves"));
        }
        self.moves += 1;
        let (chapter, line) = self.here();
        let fail =
            |ply: usize, reason: String| format!("ply {ply} '{}': {reason}", excerpt(text, 40));
        line.ply += 1;
        let played: G::Move =
            text.parse().map_err(|e: <G::Move as FromStr>::Err| fail(line.ply, e.to_string()))?;
        let before = line.game.clone();
        line.game.play(played, ignore).map_err(|illegal| fail(line.ply, illegal.to_string()))?;
        line.before = Some(before);
        let at = chapter.tree.play(line.at, played);
        if mark.is_some() {
            chapter.tree.node_mut(at).mark = mark;
        }
        line.at = Some(at);
        Ok(())
    }

    fn open(&mut self) -> Result<(), String> {
        if self.lines.len() > DEEPEST {
            return Err(format!("variations lie in each other {DEEPEST} deep at most"));
        }
        let (chapter, line) = self.here();
        let (Some(at), Some(game)) = (line.at, line.before.clone()) else {
            return Err("'(' stands behind the move that the variation replaces".to_owned());
        };
        let variation = Line { at: chapter.tree.before(at), game, before: None, ply: line.ply - 1 };
        self.lines.push(variation);
        Ok(())
    }

    fn close(&mut self) -> Result<(), String> {
        if self.lines.len() < 2 {
            return Err("')' without '('".to_owned());
        }
        if self.lines.last().is_some_and(|line| line.before.is_none()) {
            return Err("a variation without a move".to_owned());
        }
        self.lines.pop();
        Ok(())
    }

    fn end_chapter(&mut self) -> Result<(), String> {
        if let Some((_, began)) = &self.comment {
            return Err(format!("the comment that begins on line {began} has no '}}'"));
        }
        match self.lines.len() {
            0 | 1 => Ok(()),
            open => Err(format!("{} '(' without ')'", open - 1)),
        }
    }

    fn finish(mut self) -> Result<Study<G>, String> {
        self.end_chapter()?;
        if self.next_title.is_some() || self.chapters.is_empty() {
            return Err(self.no_setup());
        }
        Ok(Study { title: self.title, chapters: self.chapters })
    }
}
