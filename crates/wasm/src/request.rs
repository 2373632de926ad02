//! What the page may ask, and who answers.

use crate::{analysis, layout, review, view};
use bots::nets;
use bots::review::Depth;
use bots::roster::Playable;
use carcassonne::{AllSets, Base, Edition, Expanded, Layout, Move, Options, Position};
use game::{Game, ParseRecordError, Record, Turn, ignore};
use serde::{Deserialize, Serialize};

/// What the page may ask: `do` says what, and the rest is read by those whom it concerns. One flat
/// struct takes a third of the code that a variant for each would.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Request {
    #[serde(rename = "do")]
    task: String,
    /// A game in our notation.
    record: String,
    /// The position that the game begins with, if it was laid by hand.
    layout: Option<String>,
    /// Only so many moves of it.
    pub(crate) ply: Option<usize>,
    /// What happened after so many moves is told too.
    pub(crate) since: Option<usize>,
    /// Which bot thinks; the best if absent.
    pub(crate) bot: Option<String>,
    /// Positions valued or playouts played; for a level as many as its rating was measured with.
    pub(crate) nodes: Option<u64>,
    /// Where the bot's chance begins; as on the server's analysis if absent.
    pub(crate) seed: Option<u64>,
    /// How many turns are listed.
    pub(crate) top: Option<usize>,
    /// Whether shorter searches are told before a long one.
    #[serde(default)]
    pub(crate) deepen: bool,
    /// How closely a game is reviewed.
    depth: Option<String>,
}

/// Why there is no answer.
#[derive(Serialize)]
struct Failed {
    error: String,
}

/// Answers a request; `tell` gets what comes on the way. Both are JSON.
pub fn answer(request: &str, tell: &mut dyn FnMut(String)) -> String {
    answered(request, tell).unwrap_or_else(|error| written(&Failed { error }))
}

fn answered(request: &str, tell: &mut dyn FnMut(String)) -> Result<String, String> {
    let request: Request =
        serde_json::from_str(request).map_err(|error| format!("no request: {error}"))?;
    let record = read_record(&request)?;
    match request.task.as_str() {
        // Which net is for the setup of the record: the name of its file without `.net`.
        "net" => Ok(written(&nets::name_for(&record.setup))),
        "view" => view::told(record, &request),
        "layout" => with_record(record, layout::Ask { asked: &request }),
        "analyse" => with_record(record, analysis::Ask { asked: &request, tell }),
        "review" => {
            let depth = request.depth.as_deref().map_or(Ok(Depth::Quick), str::parse)?;
            with_record(record, review::Ask { depth, tell })
        }
        other => {
            Err(format!("do '{}': net, view, layout, analyse or review", game::excerpt(other, 20)))
        }
    }
}

/// Takes the file of a net; answers as [`answer`] does.
pub fn take_net(name: &str, file: &[u8]) -> String {
    match nets::add(name, file) {
        Ok(()) => written(&name),
        Err(error) => written(&Failed { error: error.to_string() }),
    }
}

/// Something to be done with a record of either edition.
pub(crate) trait WithRecord {
    /// Does it; the answer is JSON.
    fn with<E: Playable>(self, record: &Record<Position<E>>) -> Result<String, String>;
}

fn with_record(record: Record<Expanded>, ask: impl WithRecord) -> Result<String, String> {
    if record.setup.sets().is_empty() {
        let setup = *record.setup.rules();
        ask.with::<Base>(&record.retyped(setup))
    } else {
        ask.with::<AllSets>(&record)
    }
}

/// Both editions read the same moves. A layout beside the record is the position that it begins with; a message names
/// its part, since an address has it on one line.
fn read_record(request: &Request) -> Result<Record<Expanded>, String> {
    let alone = request.record.trim().lines().count() == 1;
    let record: Record<Expanded> = request.record.parse().map_err(|error: ParseRecordError| {
        // Nobody asks in which line the only one is.
        if alone { error.reason } else { error.to_string() }
    })?;
    let Some(layout) = &request.layout else { return Ok(record) };
    let layout = layout.trim().replace('\n', "|");
    let layout = Layout::from_one_line(&layout).map_err(|error| error.to_string())?;
    let mut begun = Record::from_layout(record.setup, &layout.to_one_line())?;
    begun.moves = record.moves;
    Ok(begun)
}

/// The position after so many plies, or after all.
pub(crate) fn position_at<E: Edition>(
    record: &Record<Position<E>>,
    asked: &Request,
) -> Result<Position<E>, String> {
    let mut position = record.start(ignore);
    for (index, m) in asked.played(&record.moves)?.iter().enumerate() {
        position.play(*m, ignore).map_err(|error| format!("ply {}: {error}", index + 1))?;
    }
    Ok(position)
}

impl Request {
    /// The moves up to the ply that is asked for.
    pub(crate) fn played<'a>(&self, moves: &'a [Move]) -> Result<&'a [Move], String> {
        let ply = self.ply.unwrap_or(moves.len());
        moves.get(..ply).ok_or_else(|| format!("ply {ply}: there are {}", moves.len()))
    }
}

/// Refuses what needs a net that was not handed in.
pub(crate) fn check_net(setup: &impl Options) -> Result<(), String> {
    match nets::has_for(setup) {
        true => Ok(()),
        false => Err(format!("the net '{}' is needed first", nets::name_for(setup))),
    }
}

/// Refuses what only makes sense at a player's turn.
pub(crate) fn mover(turn: Turn) -> Result<game::Player, String> {
    match turn {
        Turn::Player(player) => Ok(player),
        Turn::Chance => Err("no player is to move: a tile is drawn first".to_owned()),
        Turn::Over => Err("no player is to move: the game is over".to_owned()),
    }
}

pub(crate) fn written(answer: &impl Serialize) -> String {
    serde_json::to_string(answer).expect("plain data is JSON")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(request: &str) -> String {
        answer(request, &mut |_| {})
    }

    #[test]
    fn a_position_tells_board_turns_and_draws() {
        assert_eq!(ask(r#"{"do":"net","record":"carcassonne sets=inns"}"#), r#""two-inns""#);
        let draws = ask(r#"{"do":"view","record":"carcassonne"}"#);
        assert!(
            draws.contains(r#""turn":"chance","seat":0"#) && draws.contains(r#"["D",3]"#),
            "{draws}"
        );
        let turns = ask(r#"{"do":"view","record":"carcassonne\nU; 1,0 r0; pass","ply":1}"#);
        assert!(
            turns.contains(r#""move":"1,0 r0","then":["road0""#)
                && turns.contains(r#""current_tile":"U""#)
                && turns.contains(r#""events":[]"#),
            "{turns}"
        );
        let beyond = ask(r#"{"do":"view","record":"carcassonne\nU","ply":9}"#);
        assert!(beyond.contains("ply 9: there are 1"), "{beyond}");
        let scored = "carcassonne\\nU; 1,0 r0; road0\\nE; 0,1 r2; city0";
        let told = ask(&format!(r#"{{"do":"view","record":"{scored}","since":3}}"#));
        assert!(
            told.contains(r#""event":"feature_scored""#)
                && told.contains(r#""scores":[0,4]"#)
                && !told.contains(r#""ply":3"#)
                && told.contains(
                    r#""breakdown":[{"city":0,"road":0,"monastery":0,"field":0},{"city":4"#
                ),
            "{told}"
        );
    }

    #[test]
    fn a_position_laid_by_hand_is_told_and_thought_about() {
        let layout = ask(r#"{"do":"layout","record":"carcassonne\nU; 1,0 r0; road0"}"#);
        assert_eq!(layout, r#""tile D 0,0 r0\ntile U 1,0 r0 0 road0\nscores 0 0\nplayer 1\n""#);
        let view = ask(&format!(r#"{{"do":"view","record":"carcassonne\nE","layout":{layout}}}"#));
        assert!(
            view.contains(r#""meeple_supply":[6,7]"#)
                && view.contains(r#""seat":1"#)
                && view.contains(r#""current_tile":"E""#),
            "{view}"
        );
        let thought = ask(&format!(
            r#"{{"do":"analyse","record":"carcassonne\nE","layout":{layout},"nodes":50}}"#
        ));
        assert!(thought.contains(r#""seat":1"#), "{thought}");
        // A record that begins with the position says the same.
        let from = r"carcassonne\nfrom tile U 1,0 r0 0 road0 | player 1\nE";
        assert_eq!(ask(&format!(r#"{{"do":"view","record":"{from}"}}"#)), view);
    }

    #[test]
    fn a_level_thinks_as_in_rated_games_and_errs_by_its_seed() {
        let turn = |bot: &str, seed: u64| {
            let bot = format!(r#""record":"carcassonne\nU","bot":"{bot}""#);
            ask(&format!(r#"{{"do":"analyse",{bot},"seed":{seed},"top":0}}"#))
        };
        let chosen: std::collections::HashSet<String> =
            (0..20).map(|seed| turn("shepherd", seed)).collect();
        assert!(chosen.len() > 2, "{chosen:?}");
        assert_eq!(turn("master", 1), turn("master", 1));
        let nodes = |nodes: &str| {
            ask(&format!(r#"{{"do":"analyse","record":"carcassonne\nU","bot":"master"{nodes}}}"#))
        };
        assert_eq!(nodes(""), nodes(r#","nodes":5000"#));
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (request, word) in [
            ("", "no request"),
            (r#"{"do":"sing","record":"carcassonne"}"#, "net, view, layout, analyse or review"),
            (r#"{"do":"net","record":"chess"}"#, "expected a record of 'carcassonne'"),
            (r#"{"do":"analyse","record":"carcassonne"}"#, "a tile is drawn first"),
            (r#"{"do":"analyse","record":"carcassonne\nU","bot":"hal"}"#, "no bot"),
            (r#"{"do":"analyse","record":"carcassonne\nU","bot":"mcts"}"#, "not part of"),
            (
                r#"{"do":"analyse","record":"carcassonne\nU","bot":"net:file=/etc/passwd"}"#,
                "no files",
            ),
            (r#"{"do":"analyse","record":"carcassonne\nU; 9,9 r0"}"#, "ply 2"),
            (r#"{"do":"review","record":"carcassonne","depth":"abyss"}"#, "quick or deep"),
            (r#"{"do":"view","record":"carcassonne","layout":"tile U 1,0 r1"}"#, "not like"),
            (r#"{"do":"view","record":"carcassonne","layout":"lay"}"#, r#""part 1: 'lay'"#),
            (r#"{"do":"view","record":"carcassonne","layout":"player 0\nlay"}"#, "part 2: 'lay'"),
            (r#"{"do":"view","record":"carcassonne players=99\n"}"#, r#"{"error":"players=99"#),
            (r#"{"do":"view","record":"carcassonne players=99\nU"}"#, "line 1: players=99"),
            (r#"{"do":"layout","record":"carcassonne\nU; 1,0 r0"}"#, "a figure may be put"),
            (r#"{"do":"view","record":"carcassonne\nfrom tile U 1,0 r1"}"#, "line 2: U 1,0 r1"),
        ] {
            let said = ask(request);
            assert!(said.starts_with(r#"{"error":"#) && said.contains(word), "{request}: {said}");
        }
        assert!(take_net("nobody", b"").contains("no net is called"));
    }

    #[test]
    fn a_search_tells_shorter_ones_first_and_ends_as_it_would_alone() {
        let mut told = Vec::new();
        let request = |deepen| {
            format!(
                r#"{{"do":"analyse","record":"carcassonne\nU","nodes":2500,"deepen":{deepen}}}"#
            )
        };
        let last = answer(&request(true), &mut |text| told.push(text));
        assert!(told.len() == 1 && told[0].contains(r#""best":["#), "{told:?}");
        assert_eq!(last, ask(&request(false)));
    }
}
