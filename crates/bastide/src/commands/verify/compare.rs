//! Replays a reference game and notes every difference.

use super::end;
use super::location::{Location, short};
use super::reference::{self, Game as Reference, Place, Points, Turn};
use carcassonne::{Carcassonne, Event, Move, PlacedTile, Rotation, Score, Terrain, TinyCity};
use game::{Game, Turn as Whose};
use std::collections::BTreeSet;
use std::fmt::Debug;

/// What came of comparing a game.
#[derive(Default)]
pub(super) struct Compared {
    pub(super) turns: usize,
    pub(super) differences: Vec<String>,
}

/// Replays a game and compares everything it tells.
///
/// # Errors
/// If the game is not written as it should be: an unknown tile, location or set.
pub(super) fn game(reference: &Reference) -> Result<Compared, String> {
    let mut replay = Replay::new(reference)?;
    for (number, turn) in reference.turns.iter().enumerate() {
        replay.at = format!("game {} turn {}", reference.seed(), number + 1);
        if !replay.turn(turn)? {
            return Ok(replay.compared);
        }
        replay.compared.turns += 1;
    }
    replay.at = format!("game {} end", reference.seed());
    replay.end()?;
    Ok(replay.compared)
}

/// A game of ours that follows a reference game.
pub(super) struct Replay<'a> {
    pub(super) reference: &'a Reference,
    pub(super) game: Carcassonne,
    /// The tiles not drawn yet, next one first.
    deck: std::slice::Iter<'a, String>,
    /// What happened since the last look.
    events: Vec<Event>,
    /// Our scores without what the end gave.
    scores: Vec<i64>,
    at: String,
    compared: Compared,
}

impl<'a> Replay<'a> {
    fn new(reference: &'a Reference) -> Result<Self, String> {
        let setup = reference.setup()?;
        Ok(Self {
            reference,
            game: Carcassonne::new(&setup),
            deck: reference.draw_order.iter(),
            events: Vec::new(),
            scores: vec![0; setup.players()],
            at: String::new(),
            compared: Compared::default(),
        })
    }

    /// Notes a difference.
    pub(super) fn differ(&mut self, what: &str) {
        self.compared.differences.push(format!("{}: {what}", self.at));
    }

    /// Notes a difference if two values are not the same.
    pub(super) fn same<T: PartialEq + Debug>(&mut self, what: &str, theirs: T, ours: T) {
        if theirs != ours {
            self.differ(&format!("{what}: reference {theirs:?}, here {ours:?}"));
        }
    }

    /// Notes a difference if two lists do not hold the same, in whatever order.
    pub(super) fn same_set<T: Ord>(
        &mut self,
        what: &str,
        theirs: impl IntoIterator<Item = T>,
        ours: impl IntoIterator<Item = T>,
        show: impl Fn(&T) -> String,
    ) {
        let sorted = |items: Vec<T>| {
            let mut items = items;
            items.sort();
            items
        };
        let mut only_theirs = sorted(theirs.into_iter().collect());
        let mut only_ours = Vec::new();
        // Equal items are struck out in pairs, so that one listed twice is noticed.
        for item in sorted(ours.into_iter().collect()) {
            match only_theirs.binary_search(&item) {
                Ok(at) => drop(only_theirs.remove(at)),
                Err(_) => only_ours.push(item),
            }
        }
        if !only_theirs.is_empty() || !only_ours.is_empty() {
            let list = |items: &[T]| items.iter().map(&show).collect::<Vec<_>>().join(", ");
            self.differ(&format!(
                "{what}: only in the reference [{}], only here [{}]",
                list(&only_theirs),
                list(&only_ours)
            ));
        }
    }

    /// Draws until a tile can be placed; gives the ids set aside and the one drawn.
    fn draw(&mut self) -> Result<(Vec<String>, Option<String>), String> {
        let mut aside = Vec::new();
        while self.game.turn() == Whose::Chance {
            let Some(id) = self.deck.next() else { break };
            let drawn = Move::draw(reference::tile(id)?);
            if !self.play(drawn) {
                break;
            }
            if self.game.tile_in_hand().is_some() {
                return Ok((aside, Some(id.clone())));
            }
            aside.push(id.clone());
        }
        Ok((aside, None))
    }

    /// Plays a move; if it is illegal here, that is a difference and the game cannot go on.
    fn play(&mut self, m: Move) -> bool {
        let events = &mut self.events;
        match self.game.play(m, |event| events.push(event)) {
            Ok(()) => true,
            Err(illegal) => {
                self.differ(&format!("the reference plays a move that is illegal here: {illegal}"));
                false
            }
        }
    }

    /// Follows one turn; gives false if the game cannot go on.
    fn turn(&mut self, turn: &Turn) -> Result<bool, String> {
        self.events.clear();
        let (aside, drawn) = self.draw()?;
        self.same("tiles set aside", &turn.discarded, &aside);
        self.same("tile drawn", &turn.tile, &drawn);
        if turn.tile.is_none() && drawn.is_none() {
            return Ok(true);
        }
        let Whose::Player(player) = self.game.turn() else {
            self.differ("the reference goes on, here nobody is to move");
            return Ok(false);
        };
        self.same("player", turn.p, player.index() as i64);
        let Some(id) = drawn.filter(|id| turn.tile.as_ref() == Some(id)) else {
            return Ok(false);
        };
        self.placements(turn);
        let placement = turn
            .place
            .and_then(|[x, y, degrees]| reference::cell(x, y).zip(Rotation::from_degrees(degrees)));
        let Some((cell, rotation)) = placement else {
            return Err(format!("{:?} is no placement", turn.place));
        };
        if !self.play(Move::place(cell, rotation)) {
            return Ok(false);
        }
        let placed = PlacedTile { tile: reference::tile(&id)?, cell, rotation };
        self.spots(turn, placed)?;
        let Some(deed) = self.deed(turn, placed)? else { return Ok(false) };
        if !self.play(deed) {
            return Ok(false);
        }
        self.after(turn)?;
        Ok(true)
    }

    fn placements(&mut self, turn: &Turn) {
        let mut moves = Vec::new();
        self.game.moves(&mut moves);
        let ours = moves.iter().filter_map(|m| match m.deed() {
            carcassonne::Deed::Place { cell, rotation } => {
                let [x, y] = reference::position(cell);
                Some([x, y, rotation.degrees().into()])
            }
            _ => None,
        });
        let ours: Vec<[i64; 3]> = ours.collect();
        let theirs: BTreeSet<[i64; 3]> = turn.legal.iter().copied().collect();
        self.same_set("legal placements", theirs, ours, |place| format!("{place:?}"));
    }

    fn spots(&mut self, turn: &Turn, placed: PlacedTile) -> Result<(), String> {
        let mut theirs = BTreeSet::new();
        for [kind, feature, location] in turn.meeples.iter().flatten() {
            theirs.insert((short(kind), Location::parse(feature, location)?));
        }
        let located = |segment| Some((SMALL.to_owned(), Location::of(segment, placed)?));
        let spots = self.game.spots();
        let ours: Vec<_> = spots.iter().filter_map(|(segment, _)| located(*segment)).collect();
        let show = |(kind, location): &(String, Location)| format!("{kind} {location}");
        self.same_set("meeple spots", theirs, ours, show);
        Ok(())
    }

    /// The move that the reference makes after placing; `None` if there is none such here.
    fn deed(&mut self, turn: &Turn, placed: PlacedTile) -> Result<Option<Move>, String> {
        let action: Vec<&str> = turn.action.iter().flatten().map(String::as_str).collect();
        match action.as_slice() {
            [] | ["pass"] => Ok(Some(Move::PASS)),
            ["deploy", SMALL, feature, location] => {
                let location = Location::parse(feature, location)?;
                let segment = location.segment_of(placed);
                if segment.is_none() {
                    self.differ(&format!("a meeple on {location}, which {} has not", placed.tile));
                }
                Ok(segment.map(Move::meeple))
            }
            other => Err(format!("the action '{}' is not supported", short(&other.join(" ")))),
        }
    }

    /// Compares what a turn gave.
    fn after(&mut self, turn: &Turn) -> Result<(), String> {
        let events = std::mem::take(&mut self.events);
        let scored = events.iter().filter_map(|event| match event {
            Event::FeatureScored(score) => Some(*score),
            _ => None,
        });
        let scored: Vec<Score> = scored.collect();
        for score in &scored {
            self.scores[score.player.index()] += i64::from(score.points);
        }
        self.points("points", &turn.points, &scored)?;
        let ours = self.scores.clone();
        if self.game.turn() != Whose::Over {
            let told: Vec<i64> =
                self.game.scores().as_slice().iter().map(|s| (*s).into()).collect();
            self.same("scores told by events and by the state", &ours, &told);
        }
        self.same("scores", &turn.scores, &ours);
        let supply = self.game.supply();
        for (seat, theirs) in turn.supply.iter().enumerate() {
            for (kind, count) in theirs {
                if kind != SMALL && *count != 0 {
                    self.differ(&format!("supply: player {seat} has {count} '{}'", short(kind)));
                }
            }
        }
        let theirs = turn.supply.iter().map(|kinds| kinds.get(SMALL).copied().unwrap_or(0));
        let theirs: Vec<i64> = theirs.collect();
        self.same("supply", theirs, supply.as_slice().iter().map(|n| i64::from(*n)).collect());
        self.events = events;
        Ok(())
    }

    /// Compares points with their names, what they are for, and the feature they point to.
    pub(super) fn points(
        &mut self,
        what: &str,
        theirs: &[Points],
        ours: &[Score],
    ) -> Result<(), String> {
        let mut listed = Vec::new();
        for points in theirs {
            let (position, location) = points.ptr.place()?;
            let place = (position, location);
            let feature = self.feature_at(place).map(|id| id.0);
            if feature.is_none() {
                self.differ(&format!("{what}: nothing lies at {position:?} {location}"));
            }
            let items = points.items.clone();
            listed.push((points.player, points.points, points.name.clone(), items, feature));
        }
        let tiny = self.game.setup().tiny_city == TinyCity::Two;
        let ours = ours.iter().map(|score| {
            let (name, items) = explained(score, tiny);
            let player = score.player.index() as i64;
            (player, i64::from(score.points), name, items, Some(score.feature.0))
        });
        let ours: Vec<_> = ours.collect();
        self.same_set(what, listed, ours, |(player, points, name, items, feature)| {
            let feature = feature.map_or("none".to_owned(), |id| id.to_string());
            format!("player {player} +{points} {} {items:?} feature {feature}", short(name))
        });
        Ok(())
    }

    /// The feature at a place of the board.
    pub(super) fn feature_at(&self, place: Place) -> Option<carcassonne::FeatureId> {
        let ([x, y], location) = place;
        let placed = self.game.tile_at(reference::cell(x, y)?)?;
        self.game.feature_at(placed.cell, location.segment_of(placed)?)
    }

    /// Draws what is left, which must fit nowhere, and compares the end.
    fn end(&mut self) -> Result<(), String> {
        if let (_, Some(tile)) = self.draw()? {
            self.differ(&format!("the reference has ended, here {} can be placed", short(&tile)));
            return Ok(());
        }
        if self.game.turn() != Whose::Over {
            self.differ(&format!(
                "the reference has ended, here {} tiles are left",
                self.game.tiles_left()
            ));
            return Ok(());
        }
        let left = self.deck.len();
        self.same("tiles that the reference never drew", 0, left);
        let events = std::mem::take(&mut self.events);
        let given = events.iter().filter_map(|event| match event {
            Event::EndGamePoints(score) => Some(*score),
            _ => None,
        });
        end::compare(self, &given.collect::<Vec<_>>())
    }
}

/// The reference's name of the one kind of meeple that the base game has.
pub(super) const SMALL: &str = "SmallFollower";

/// The reference's name of a score, and its items: count, what is counted, points.
fn explained(score: &Score, tiny: bool) -> (String, Vec<(i64, String, i64)>) {
    let tiny = tiny && score.finished && score.terrain == Terrain::City && score.tiles == 2;
    let suffix = match (score.terrain, score.finished) {
        (Terrain::Field, _) => "",
        (_, false) => ".incomplete",
        (_, true) if tiny => ".tiny",
        (_, true) => "",
    };
    let rate = match score.terrain {
        Terrain::Field => 3,
        Terrain::City if score.finished && !tiny => 2,
        _ => 1,
    };
    let counted = [(score.tiles, "tiles"), (score.pennants, "pennants"), (score.cities, "cities")];
    let items = counted.into_iter().filter(|(count, _)| *count > 0);
    let items = items.map(|(count, what)| {
        let count = i64::from(count);
        (count, what.to_owned(), count * rate)
    });
    (format!("{}{suffix}", score.terrain), items.collect())
}
