//! Replays a reference game and notes every difference.

use super::end;
use super::location::{Location, short};
use super::reference::{self, Game as Reference, Item, Place, Points, Turn};
use carcassonne::{
    AllSets, Base, Edition, Event, Figure, Good, Move, MoveKind, Options, PlacedTile, Position,
    Rotation, Score, Terrain, TinyCity,
};
use game::{Game, Player, Turn as Whose};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// What came of comparing a game.
#[derive(Default)]
pub(super) struct Compared {
    pub(super) turns: usize,
    pub(super) differences: Vec<String>,
}

/// Replays a game and compares everything it tells. What is not written as it should be (an
/// unknown tile or location, a turn that is none) is a difference too, and the last one.
///
/// # Errors
/// If the setup is not supported.
pub(super) fn game(reference: &Reference) -> Result<Compared, String> {
    let setup = reference.setup()?;
    // The base game is compared in the edition that plays it.
    Ok(match setup.sets().is_empty() {
        true => Replay::<Base>::new(reference, setup.rules()).compared(),
        false => Replay::<AllSets>::new(reference, &setup).compared(),
    })
}

/// A game of ours that follows a reference game.
pub(super) struct Replay<'a, E: Edition> {
    pub(super) reference: &'a Reference,
    pub(super) game: Position<E>,
    /// The tiles not drawn yet, next one first.
    deck: std::slice::Iter<'a, String>,
    /// What happened since the last look.
    events: Vec<Event>,
    /// Our scores without what the end gave.
    scores: Vec<i64>,
    at: String,
    compared: Compared,
}

impl<'a, E: Edition> Replay<'a, E> {
    fn new(reference: &'a Reference, setup: &E::Setup) -> Self {
        Self {
            reference,
            game: Position::new(setup),
            deck: reference.draw_order.iter(),
            events: Vec::new(),
            scores: vec![0; setup.rules().players()],
            at: String::new(),
            compared: Compared::default(),
        }
    }

    /// Follows the game and gives what came of it.
    fn compared(mut self) -> Compared {
        if let Err(unreadable) = self.all() {
            self.differ(&unreadable);
        }
        self.compared
    }

    /// Follows the game to its end, or to where it cannot go on.
    fn all(&mut self) -> Result<(), String> {
        for (index, turn) in self.reference.turns.iter().enumerate() {
            self.at = format!("game {} turn {}", self.reference.seed(), index + 1);
            if !self.turn(&reference::read("the turn", turn)?)? {
                return Ok(());
            }
            self.compared.turns += 1;
        }
        self.at = format!("game {} end", self.reference.seed());
        self.end()
    }

    /// Notes a difference.
    pub(super) fn differ(&mut self, what: &str) {
        let what = format!("{}: {what}", self.at);
        self.compared.differences.push(game::excerpt(&what, usize::MAX));
    }

    /// Notes a difference if two values are not the same; they are shown as JSON.
    pub(super) fn same<T: PartialEq + Serialize>(&mut self, what: &str, theirs: T, ours: T) {
        /// Far longer than any list that belongs there.
        const LONGEST: usize = 4_000;
        let show = |value: &T| {
            let text = serde_json::to_string(value).unwrap_or_default();
            game::excerpt(&text, LONGEST)
        };
        if theirs != ours {
            self.differ(&format!("{what}: reference {}, here {}", show(&theirs), show(&ours)));
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
        self.same("tiles set aside", turn.discarded.as_deref().unwrap_or_default(), &aside);
        self.same("tile drawn", &turn.tile, &drawn);
        if turn.tile.is_none() && drawn.is_none() {
            self.closing(turn)?;
            return Ok(true);
        }
        let Whose::Player(player) = self.game.turn() else {
            self.differ("the reference goes on, here nobody is to move");
            return Ok(false);
        };
        self.same("player", turn.p, Some(player.index() as i64));
        let Some(id) = drawn.filter(|id| turn.tile.as_ref() == Some(id)) else {
            return Ok(false);
        };
        self.placements(turn);
        let placement = turn
            .place
            .and_then(|[x, y, degrees]| reference::cell(x, y).zip(Rotation::from_degrees(degrees)));
        let Some((cell, rotation)) = placement else {
            return Err(match turn.place {
                Some([x, y, degrees]) => format!("[{x}, {y}, {degrees}] is no placement"),
                None => "there is a tile but no placement".to_owned(),
            });
        };
        if !self.play(Move::place(cell, rotation)) {
            return Ok(false);
        }
        let placed = PlacedTile { tile: reference::tile(&id)?, cell, rotation };
        self.spots(turn, placed)?;
        let Some(figure) = self.figure_move(turn, placed)? else { return Ok(false) };
        if !self.play(figure) {
            return Ok(false);
        }
        self.after(turn)?;
        Ok(true)
    }

    /// A turn in which every tile left was set aside: what it tells is compared.
    fn closing(&mut self, turn: &Turn) -> Result<(), String> {
        if turn.p.is_some() {
            self.same("player", turn.p, Some(self.game.player().index() as i64));
        }
        self.points("points", turn.points.as_deref().unwrap_or_default(), &[], &[])?;
        if turn.scores.is_some() {
            self.same("scores", turn.scores.clone(), Some(self.scores.clone()));
        }
        if turn.supply.is_some() {
            self.supply(turn);
        }
        Ok(())
    }

    fn placements(&mut self, turn: &Turn) {
        let mut moves = Vec::new();
        self.game.moves(&mut moves);
        let ours = moves.iter().filter_map(|m| match m.kind() {
            MoveKind::Place { cell, rotation } => {
                let [x, y] = reference::position(cell);
                Some([x, y, rotation.degrees().into()])
            }
            _ => None,
        });
        let ours: Vec<[i64; 3]> = ours.collect();
        let theirs: BTreeSet<[i64; 3]> = turn.legal.iter().flatten().copied().collect();
        self.same_set("legal placements", theirs, ours, |place| format!("{place:?}"));
    }

    fn spots(&mut self, turn: &Turn, placed: PlacedTile) -> Result<(), String> {
        let mut theirs = BTreeSet::new();
        for [kind, feature, location] in turn.meeples.iter().flatten() {
            theirs.insert((short(kind), Location::parse(feature, location)?));
        }
        let mut moves = Vec::new();
        self.game.moves(&mut moves);
        let located = |m: &Move| match m.kind() {
            MoveKind::Meeple(segment) => Some((Figure::Meeple, Location::of(segment, placed)?)),
            MoveKind::Figure(figure, segment) => Some((figure, Location::of(segment, placed)?)),
            _ => None,
        };
        let ours = moves.iter().filter_map(located);
        let ours: Vec<_> = ours.map(|(figure, at)| (type_of(figure).to_owned(), at)).collect();
        let show = |(kind, location): &(String, Location)| format!("{kind} {location}");
        self.same_set("meeple spots", theirs, ours, show);
        let mut theirs = Vec::new();
        for pointer in turn.returns.iter().flatten() {
            theirs.push(pointer.place()?);
        }
        let ours: Vec<Place> = match moves.contains(&Move::RECALL) {
            true => self.abbot().into_iter().collect(),
            false => Vec::new(),
        };
        self.same_set("figures to take back", theirs, ours, |(at, on)| format!("{at:?} {on}"));
        Ok(())
    }

    /// Where the abbot of the player to move stands.
    fn abbot(&self) -> Option<Place> {
        let abbot = self.game.meeples().find(|meeple| {
            meeple.player == self.game.player() && meeple.number == Figure::Abbot.number()
        })?;
        let location = Location::of(abbot.segment, self.game.tile_at(abbot.cell)?)?;
        Some((reference::position(abbot.cell), location))
    }

    /// The move that the reference makes after placing; `None` if there is none such here.
    fn figure_move(&mut self, turn: &Turn, placed: PlacedTile) -> Result<Option<Move>, String> {
        let words = turn.action.iter().flatten();
        let action: Vec<&str> = words.map(|word| word.as_str().unwrap_or_default()).collect();
        let figure = |kind: &str| Figure::ALL.into_iter().find(|figure| type_of(*figure) == kind);
        match action.as_slice() {
            [] | ["pass"] => Ok(Some(Move::PASS)),
            ["return", _] => {
                let pointer: Option<reference::Pointer> = turn
                    .action
                    .iter()
                    .flatten()
                    .nth(1)
                    .and_then(|pointer| serde_json::from_value(pointer.clone()).ok());
                let place = pointer.ok_or("a return points nowhere")?.place()?;
                if self.abbot() != Some(place) {
                    self.differ("the reference takes a figure back that stands elsewhere here");
                }
                Ok(Some(Move::RECALL))
            }
            ["deploy", kind, feature, location] if figure(kind).is_some() => {
                let location = Location::parse(feature, location)?;
                let segment = location.segment_of(placed);
                if segment.is_none() {
                    self.differ(&format!("a meeple on {location}, which {} has not", placed.tile));
                }
                Ok(segment.zip(figure(kind)).map(|(segment, figure)| Move::figure(figure, segment)))
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
        self.points("points", turn.points.as_deref().unwrap_or_default(), &scored, &[])?;
        let ours = self.scores.clone();
        if self.game.turn() != Whose::Over {
            let told: Vec<i64> =
                self.game.scores().as_slice().iter().map(|s| (*s).into()).collect();
            self.same("scores told by events and by the state", &ours, &told);
        }
        self.same("scores", turn.scores.clone(), Some(ours));
        self.supply(turn);
        self.tokens(turn);
        self.events = events;
        Ok(())
    }

    /// Compares the figures in hand.
    fn supply(&mut self, turn: &Turn) {
        let supply = self.game.supply();
        let ours = (0..self.game.players()).map(|seat| {
            let player = Player::new(seat);
            let count = |figure| match figure {
                Figure::Meeple => i64::from(supply[player]),
                _ => i64::from(self.game.has_figure(player, figure)),
            };
            let figures = Figure::ALL.into_iter().map(|figure| (type_of(figure), count(figure)));
            figures.map(|(kind, count)| (kind.to_owned(), count)).collect()
        });
        let ours = Some(ours.map(without_zeros).collect());
        let theirs = turn.supply.clone();
        let theirs = theirs.map(|seats| seats.into_iter().map(without_zeros).collect::<Vec<_>>());
        self.same("supply", theirs, ours);
    }

    /// Compares the goods; a reference is silent on them before the first is taken.
    fn tokens(&mut self, turn: &Turn) {
        let players = self.game.players();
        let ours = (0..players).map(|seat| {
            let goods = self.game.goods(Player::new(seat));
            let named = Good::ALL.map(|good| (good.name().to_uppercase(), i64::from(goods[good])));
            without_zeros(named.into_iter().collect())
        });
        let ours: Vec<_> = ours.collect();
        let none = || vec![BTreeMap::new(); players];
        let theirs = turn.tokens.clone().unwrap_or_else(none);
        let theirs: Vec<_> = theirs.into_iter().map(without_zeros).collect();
        self.same("goods", theirs, ours);
    }

    /// Compares points with their names, what they are for, and the feature they point to.
    pub(super) fn points(
        &mut self,
        what: &str,
        theirs: &[Points],
        ours: &[Score],
        goods: &[(Player, Good, u16)],
    ) -> Result<(), String> {
        let mut listed = Vec::new();
        for points in theirs {
            let place = points.ptr.as_ref().map(reference::Pointer::place).transpose()?;
            let feature = place.and_then(|place| self.feature_at(place)).map(|id| id.0);
            if let Some((position, location)) = place.filter(|_| feature.is_none()) {
                self.differ(&format!("{what}: nothing lies at {position:?} {location}"));
            }
            let items = points.items.clone();
            listed.push((points.player, points.points, points.name.clone(), items, feature));
        }
        let tiny = self.game.setup().rules().tiny_city == TinyCity::Two;
        let ours = ours.iter().map(|score| {
            let (name, items) = explained(score, tiny);
            let player = score.player.index() as i64;
            (player, i64::from(score.points), name, items, Some(score.feature.0))
        });
        let goods = goods.iter().map(|(player, good, points)| {
            let points = i64::from(*points);
            let item = (None, format!("trade-goods.{}", good.name().to_uppercase()), points);
            (player.index() as i64, points, "trade-goods".to_owned(), vec![item], None)
        });
        let ours: Vec<_> = ours.chain(goods).collect();
        self.same_set(what, listed, ours, |(player, points, name, items, feature)| {
            let feature = feature.map_or("none".to_owned(), |id| id.to_string());
            let item = |(count, what, points): &Item| {
                let count = count.map_or(String::new(), |count| format!("{count} "));
                format!("{count}{} = {points}", short(what))
            };
            let items = items.iter().map(item).collect::<Vec<_>>().join(" + ");
            format!("player {player} +{points} {} ({items}) feature {feature}", short(name))
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
        self.set_the_rest_aside();
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
        let goods = events.iter().filter_map(|event| match event {
            Event::EndGameGoods { player, good, points, .. } => Some((*player, *good, *points)),
            _ => None,
        });
        end::compare(self, &given.collect::<Vec<_>>(), &goods.collect::<Vec<_>>())
    }

    /// Ends a game whose tiles left fit nowhere, if the reference does not go on to draw them.
    fn set_the_rest_aside(&mut self) {
        let fits = |cell| self.game.fitting_kinds(cell).next().is_some();
        if self.deck.len() > 0 || self.game.open_cells().any(fits) {
            return;
        }
        let mut left = Vec::new();
        while self.game.turn() == Whose::Chance {
            self.game.moves(&mut left);
            let Some(drawn) = left.first().copied() else { return };
            if !self.play(drawn) {
                return;
            }
        }
    }
}

/// The reference's name of a kind of figure.
pub(super) const fn type_of(figure: Figure) -> &'static str {
    match figure {
        Figure::Meeple => "SmallFollower",
        Figure::Big => "BigFollower",
        Figure::Builder => "Builder",
        Figure::Pig => "Pig",
        Figure::Abbot => "Abbot",
    }
}

fn without_zeros(mut counts: BTreeMap<String, i64>) -> BTreeMap<String, i64> {
    counts.retain(|_, count| *count != 0);
    counts
}

/// The reference's name of a score, and its items.
pub(super) fn explained(score: &Score, tiny: bool) -> (String, Vec<Item>) {
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
    let worthless = score.special && !score.finished && score.terrain != Terrain::Field;
    let counted = [(score.tiles, "tiles"), (score.pennants, "pennants"), (score.cities, "cities")];
    let items = counted.into_iter().filter(|(count, _)| *count > 0 && !worthless);
    let mut items: Vec<Item> = items
        .map(|(count, what)| {
            let count = i64::from(count);
            (Some(count), what.to_owned(), count * rate)
        })
        .collect();
    // A pig is not named where no city is finished.
    if score.special && (score.terrain != Terrain::Field || score.cities > 0) {
        let name = match score.terrain {
            Terrain::City => "cathedral",
            Terrain::Road => "inn",
            _ => "pigs",
        };
        let counted: i64 = items.iter().map(|(_, _, points)| points).sum();
        items.push((None, name.to_owned(), i64::from(score.points) - counted));
    }
    (format!("{}{suffix}", score.terrain), items)
}
