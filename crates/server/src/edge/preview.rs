//! What other sites show of a link to a game, a puzzle or a study: a title, a sentence, in the head of the page.

use crate::storage::records::CARD;
use crate::wire::{
    ClockRule, GameSummary, Occupant, Reason, Status, StudyInfo, StudyVisibility, Visibility,
};

/// What a link tells before it is opened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Preview {
    /// Its path on the server.
    pub path: String,
    /// The path of its picture.
    pub picture: String,
    /// Who plays or asks, or what it is about.
    pub title: String,
    /// The rest in a sentence.
    pub description: String,
}

impl Preview {
    /// The preview of a game; nothing of a private one.
    #[must_use]
    pub fn of(game: &GameSummary) -> Option<Self> {
        let info = &game.info;
        if info.visibility == Visibility::Private || info.game != "carcassonne" {
            return None;
        }
        let names: Vec<String> = info.seats.iter().map(|seat| name(&seat.sitter)).collect();
        let title = match info.status {
            Status::Waiting => format!("{} invites you to a game of Carcassonne", info.host.name),
            Status::Playing | Status::Over => {
                let scored = names.iter().zip(&game.scores);
                let scored = scored.map(|(name, score)| format!("{name} {score}"));
                scored.collect::<Vec<_>>().join(" – ")
            }
        };
        let mut parts = vec![match info.seats.len() {
            2 => "two players".to_owned(),
            many => format!("{many} players"),
        }];
        parts.push(clock_words(info.clock));
        parts.push(if info.rated { "rated" } else { "not rated" }.to_owned());
        let table = capital(&parts.join(", "));
        let description = match (info.status, info.result.as_ref().map(|result| result.reason)) {
            (Status::Waiting, _) if info.rated => format!("{table}. Sit down with an account."),
            (Status::Waiting, _) => format!("{table}. Sit down at once, without an account."),
            (Status::Playing, _) => format!("{table}. Being played now, after {}.", turns(game)),
            (Status::Over, Some(Reason::Abort)) => format!("{table}. Called off."),
            (Status::Over, _) => format!("{table}. Replay it, {}.", turns(game)),
        };
        let id = &info.id;
        let picture = format!("/api/games/{id}/picture?format=card");
        Some(Self { path: format!("/g/{id}"), picture, title, description })
    }

    /// The preview of a puzzle: nothing that tells of its answer.
    #[must_use]
    pub fn of_puzzle(id: &str) -> Self {
        Self {
            path: format!("/puzzles/{id}"),
            picture: format!("/api/puzzles/{id}/picture"),
            title: "Find the best turn".to_owned(),
            description: "A puzzle of Carcassonne: a position, a tile in hand, one turn that is \
                          clearly best."
                .to_owned(),
        }
    }

    /// The preview of a study; nothing of a private one.
    #[must_use]
    pub fn of_study(study: &StudyInfo) -> Option<Self> {
        if study.visibility == StudyVisibility::Private {
            return None;
        }
        let title = match study.title.as_str() {
            "" => "A study of Carcassonne".to_owned(),
            title => title.to_owned(),
        };
        let chapters = match study.chapters.len() {
            1 => "1 chapter".to_owned(),
            many => format!("{many} chapters"),
        };
        Some(Self {
            path: format!("/study/{}", study.id),
            picture: format!("/api/studies/{}/picture", study.id),
            title,
            description: format!("A study by {}, {chapters}.", study.owner),
        })
    }

    /// The page with this preview in its head. `base` is how people reach the server.
    #[must_use]
    pub fn within(&self, page: &str, base: &str) -> String {
        let title = escaped(&format!("{} · Bastide", self.title));
        let property = |name: &str, content: &str| {
            format!("    <meta property=\"og:{name}\" content=\"{}\" />\n", escaped(content))
        };
        let tags: String = [
            property("type", "website"),
            property("site_name", "Bastide"),
            property("title", &self.title),
            property("description", &self.description),
            property("url", &format!("{base}{}", self.path)),
            property("image", &format!("{base}{}", self.picture)),
            property("image:width", &CARD.0.to_string()),
            property("image:height", &CARD.1.to_string()),
            "    <meta name=\"twitter:card\" content=\"summary_large_image\" />\n".to_owned(),
        ]
        .concat();
        let page = match (page.find("<title>"), page.find("</title>")) {
            (Some(from), Some(to)) if from < to => {
                format!("{}<title>{title}{}", &page[..from], &page[to..])
            }
            _ => page.to_owned(),
        };
        match page.find("</head>") {
            Some(end) => {
                format!("{}{tags}  {}", page[..end].trim_end_matches(' '), &page[end..])
            }
            None => page,
        }
    }
}

fn name(sitter: &Occupant) -> String {
    match sitter {
        Occupant::Open => "an open seat".to_owned(),
        Occupant::Invited { name, .. } | Occupant::User { name, .. } => name.clone(),
        Occupant::Bot { bot } => capital(bot),
    }
}

fn turns(game: &GameSummary) -> String {
    match game.turns {
        1 => "1 turn".to_owned(),
        turns => format!("{turns} turns"),
    }
}

fn clock_words(clock: ClockRule) -> String {
    const HOUR: u64 = 3_600_000;
    match clock {
        ClockRule::None => "no clock".to_owned(),
        ClockRule::Game { initial_ms, increment_ms } => {
            format!("{} min + {} s", initial_ms / 60_000, increment_ms / 1000)
        }
        ClockRule::Move { per_move_ms } => match per_move_ms {
            ms if ms >= 48 * HOUR => format!("{} days a move", ms / (24 * HOUR)),
            ms if ms >= HOUR => format!("{} h a move", ms / HOUR),
            ms => format!("{} s a move", ms / 1000),
        },
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Text that can stand in an attribute or an element.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            letter if letter.is_control() => safe.push(' '),
            letter => safe.push(letter),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_leave_their_place() {
        let preview = Preview {
            path: "/g/x1".to_owned(),
            picture: "/api/games/x1/picture?format=card".to_owned(),
            title: "\"><script>alert('1')</script>\n& co".to_owned(),
            description: "</title><img src=x>".to_owned(),
        };
        let page =
            preview.within("<head><title>Bastide</title>\n  </head><body>", "https://b.example");
        assert!(!page.contains("<script") && !page.contains("<img"), "{page}");
        assert!(
            page.contains("&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt; &amp; co")
        );
        assert!(page.contains("content=\"https://b.example/g/x1\""));
        assert!(page.contains("\"https://b.example/api/games/x1/picture?format=card\""));
        assert_eq!(page.matches("</title>").count(), 1);
        assert!(page.ends_with("</head><body>"));
    }

    #[test]
    fn clocks_are_said_in_words() {
        let game = ClockRule::Game { initial_ms: 600_000, increment_ms: 5000 };
        let days = |days: u64| ClockRule::Move { per_move_ms: days * 86_400_000 };
        let said: Vec<_> = [ClockRule::None, game, days(1), days(3)].map(clock_words).into();
        assert_eq!(said, ["no clock", "10 min + 5 s", "24 h a move", "3 days a move"]);
    }
}
