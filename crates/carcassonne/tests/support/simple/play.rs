//! The course of a game: draw, place, meeple; what is legal and what happens.

use super::land::{Cell, Features, Land};
use super::options::Options;
use super::tiles::{Kind, Terrain, kind_of, kinds};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

#[derive(Clone)]
pub(crate) struct Simple {
    pub(crate) options: Options,
    pub(crate) land: Land,
    pub(crate) meeples: Vec<Meeple>,
    pub(crate) scores: Vec<i32>,
    /// Tokens of wine, grain and cloth of each player.
    pub(crate) goods: Vec<[i32; 3]>,
    /// How many of each kind are left to draw.
    pub(crate) bag: BTreeMap<&'static str, u32>,
    pub(crate) player: usize,
    pub(crate) phase: Phase,
    /// Whether the tile just laid extends the player's builder's road or city.
    extends: bool,
    /// Whether this is the part of a turn that a builder gave.
    pub(crate) second_part: bool,
}

/// A figure on the board.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Meeple {
    pub(crate) player: usize,
    pub(crate) figure: Figure,
    pub(crate) number: usize,
    /// The number of the segment it stands on.
    pub(crate) segment: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Figure {
    Small,
    Big,
    Builder,
    Pig,
    Abbot,
}

impl Figure {
    const SPECIAL: [Self; 4] = [Self::Big, Self::Builder, Self::Pig, Self::Abbot];

    /// The set that brings it.
    fn set(self) -> &'static str {
        match self {
            Figure::Small => "",
            Figure::Big => "inns",
            Figure::Builder | Figure::Pig => "traders",
            Figure::Abbot => "gardens",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Figure::Small => "",
            Figure::Big => "big",
            Figure::Builder => "builder",
            Figure::Pig => "pig",
            Figure::Abbot => "abbot",
        }
    }

    /// How much it counts in a majority.
    pub(crate) fn weight(self) -> usize {
        match self {
            Figure::Small | Figure::Abbot => 1,
            Figure::Big => 2,
            Figure::Builder | Figure::Pig => 0,
        }
    }

    fn number(self) -> usize {
        match self {
            Figure::Small => 0,
            Figure::Big => 7,
            Figure::Builder => 8,
            Figure::Pig => 9,
            Figure::Abbot => 10,
        }
    }
}

impl Meeple {
    /// What events call it.
    pub(crate) fn called(&self) -> String {
        match self.figure {
            Figure::Small => format!("meeple {}", self.number),
            Figure::Big => "big meeple".to_owned(),
            other => other.name().to_owned(),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Phase {
    Draw,
    /// The tile in hand.
    Place(&'static str),
    Meeple,
    Over,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Move {
    Draw(&'static str),
    Place(Cell, usize),
    /// The figure, the place of the segment in the tile's list, and its name.
    Meeple(Figure, usize, &'static str),
    Recall,
    Pass,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Draw(name) => f.write_str(name),
            Move::Place((x, y), quarters) => write!(f, "{x},{y} r{quarters}"),
            Move::Meeple(Figure::Small, _, name) => f.write_str(name),
            Move::Meeple(figure, _, name) => write!(f, "{} {name}", figure.name()),
            Move::Recall => f.write_str("recall"),
            Move::Pass => f.write_str("pass"),
        }
    }
}

impl Simple {
    pub(crate) fn new(setup: &str) -> Self {
        let options = Options::read(setup);
        let mut game = Self {
            land: Land::default(),
            meeples: Vec::new(),
            scores: vec![0; options.players],
            goods: vec![[0; 3]; options.players],
            bag: full_bag(&options),
            player: 0,
            phase: Phase::Draw,
            extends: false,
            second_part: false,
            options,
        };
        if game.options.start_tile {
            let first = if game.options.plays("river") { "RI/s" } else { "D" };
            game.take_from_bag(first);
            game.land.lay(kind_of(first), (0, 0), 0);
        }
        game
    }

    pub(crate) fn tiles_left(&self) -> u32 {
        self.bag.values().sum()
    }

    /// How many ordinary meeples the player has in hand.
    pub(crate) fn supply(&self, player: usize) -> usize {
        7 - self.figures(player, Figure::Small)
    }

    fn figures(&self, player: usize, figure: Figure) -> usize {
        let own = |meeple: &&Meeple| meeple.player == player && meeple.figure == figure;
        self.meeples.iter().filter(own).count()
    }

    pub(crate) fn has(&self, player: usize, figure: Figure) -> bool {
        match figure {
            Figure::Small => self.supply(player) > 0,
            _ => self.options.plays(figure.set()) && self.figures(player, figure) == 0,
        }
    }

    pub(crate) fn moves(&self) -> Vec<Move> {
        match self.phase {
            Phase::Draw => self.draws().into_iter().map(Move::Draw).collect(),
            Phase::Place(name) => self.placements(kind_of(name)),
            Phase::Meeple => {
                let mut choices = self.spots();
                if self.abbot_can_return() {
                    choices.push(Move::Recall);
                }
                choices.push(Move::Pass);
                choices
            }
            Phase::Over => Vec::new(),
        }
    }

    /// Whether the player's abbot stands on something that is not finished.
    fn abbot_can_return(&self) -> bool {
        let features = self.land.features();
        let own = |m: &&Meeple| m.player == self.player && m.figure == Figure::Abbot;
        self.meeples.iter().find(own).is_some_and(|m| !features.of(m.segment).finished())
    }

    /// The kinds that may be drawn: the river before everything else, the lake at its end.
    fn draws(&self) -> Vec<&'static str> {
        let left = self.bag.iter().filter(|(_, count)| **count > 0).map(|(name, _)| *name);
        let left: Vec<&str> = left.collect();
        let river: Vec<&str> =
            left.iter().copied().filter(|name| kind_of(name).set == "river").collect();
        match river.as_slice() {
            [] => left,
            ["RI/I.e"] => river,
            _ => river.into_iter().filter(|name| *name != "RI/I.e").collect(),
        }
    }

    /// Plays a legal move and tells what happened, but not which features merged.
    pub(crate) fn play(&mut self, m: Move) -> Vec<String> {
        let mut events = Vec::new();
        let player = self.player;
        match (m, self.phase) {
            (Move::Draw(name), _) => self.draw(name, &mut events),
            (Move::Place((x, y), quarters), Phase::Place(name)) => {
                self.land.lay(kind_of(name), (x, y), quarters);
                self.phase = Phase::Meeple;
                self.extends = self.extends_builder();
                events.push(format!("tile_placed player {player}: {name} at {x},{y} r{quarters}"));
            }
            (Move::Meeple(figure, index, _), _) => {
                self.put_meeple(figure, index, &mut events);
                self.end_turn(&mut events);
            }
            (Move::Recall, _) => {
                self.recall(&mut events);
                self.end_turn(&mut events);
            }
            (Move::Pass, _) => {
                events.push(format!("meeple_skipped player {player}"));
                self.end_turn(&mut events);
            }
            _ => panic!("{m} is not legal now"),
        }
        events
    }

    fn take_from_bag(&mut self, name: &str) {
        *self.bag.get_mut(name).expect("a kind of the bag") -= 1;
    }

    fn draw(&mut self, name: &'static str, events: &mut Vec<String>) {
        self.take_from_bag(name);
        let (player, left) = (self.player, self.tiles_left());
        if self.placements(kind_of(name)).is_empty() {
            events
                .push(format!("tile_discarded player {player}: {name} fits nowhere, {left} left"));
            if left == 0 {
                self.end(events);
            }
        } else {
            self.phase = Phase::Place(name);
            events.push(format!("tile_drawn player {player}: {name}, {left} left"));
        }
    }

    fn placements(&self, kind: &Kind) -> Vec<Move> {
        if self.land.tiles.is_empty() {
            return (0..4).map(|quarters| Move::Place((0, 0), quarters)).collect();
        }
        let mut placements = Vec::new();
        for cell in self.land.open_cells() {
            for quarters in 0..4 {
                let fits = self.options.has(cell) && self.land.fits(kind, cell, quarters);
                if fits && (kind.set != "river" || self.land.flows(kind, cell, quarters)) {
                    placements.push(Move::Place(cell, quarters));
                }
            }
        }
        placements
    }

    /// Where the player may put which figure on the last tile.
    fn spots(&self) -> Vec<Move> {
        let features = self.land.features();
        let laid = self.land.tiles.last().expect("a tile was just laid");
        let mut spots = Vec::new();
        for (index, segment) in laid.kind.segments.iter().enumerate() {
            if segment.terrain == Terrain::Field && !self.options.farmers {
                continue;
            }
            for figure in [Figure::Small].into_iter().chain(Figure::SPECIAL) {
                if self.has(self.player, figure)
                    && self.may_stand(figure, segment.terrain, &features, laid.first + index)
                {
                    spots.push(Move::Meeple(figure, index, &segment.name));
                }
            }
        }
        spots
    }

    /// Whether the player's figure may stand on a segment of this terrain.
    fn may_stand(&self, figure: Figure, on: Terrain, features: &Features, segment: usize) -> bool {
        let feature = features.of(segment);
        let there = |meeple: &&Meeple| {
            feature.segments.contains(&meeple.segment) && meeple.figure.weight() > 0
        };
        let claimed = self.meeples.iter().any(|meeple| there(&meeple));
        let own = self.meeples.iter().any(|m| there(&m) && m.player == self.player);
        match figure {
            Figure::Small | Figure::Big => on != Terrain::Garden && !claimed,
            Figure::Abbot => matches!(on, Terrain::Monastery | Terrain::Garden) && !claimed,
            Figure::Builder => {
                matches!(on, Terrain::City | Terrain::Road) && own && !feature.finished()
            }
            Figure::Pig => on == Terrain::Field && own,
        }
    }

    /// Whether the last tile belongs to the road or city of the player's builder.
    fn extends_builder(&self) -> bool {
        let features = self.land.features();
        let last = self.land.tiles.last().expect("a tile was just laid");
        let builds = |m: &&Meeple| m.player == self.player && m.figure == Figure::Builder;
        let builder = self.meeples.iter().find(builds);
        builder.is_some_and(|m| features.of(m.segment).tiles.contains(&last.cell))
    }

    fn put_meeple(&mut self, figure: Figure, index: usize, events: &mut Vec<String>) {
        let player = self.player;
        let own = |meeple: &&Meeple| meeple.player == player && meeple.figure == Figure::Small;
        let taken: BTreeSet<usize> = self.meeples.iter().filter(own).map(|m| m.number).collect();
        let number = match figure {
            Figure::Small => (0..7).find(|n| !taken.contains(n)).expect("a meeple is left"),
            other => other.number(),
        };
        let laid = self.land.tiles.last().expect("a tile was just laid");
        let ((x, y), name) = (laid.cell, &laid.kind.segments[index].name);
        let segment = laid.first + index;
        let id = self.land.features().of(segment).id();
        let meeple = Meeple { player, figure, number, segment };
        events.push(format!(
            "meeple_placed player {player}: {} at {x},{y} {name}, feature {id}",
            meeple.called()
        ));
        self.meeples.push(meeple);
    }

    fn end_turn(&mut self, events: &mut Vec<String>) {
        self.take_goods(events);
        self.score_finished(events);
        if self.extends && !self.second_part && self.tiles_left() > 0 {
            self.second_part = true;
            events.push(format!("turn_doubled player {}", self.player));
        } else {
            self.second_part = false;
            self.player = (self.player + 1) % self.options.players;
        }
        self.phase = Phase::Draw;
        if self.tiles_left() == 0 {
            self.end(events);
        }
    }

    fn end(&mut self, events: &mut Vec<String>) {
        events.push("tile_bag_empty".to_owned());
        self.score_standing(events);
        self.score_goods(events);
        self.phase = Phase::Over;
        let best = self.scores.iter().max();
        let seats = (0..self.options.players).filter(|seat| Some(&self.scores[*seat]) == best);
        let winners: Vec<String> = seats.map(|seat| seat.to_string()).collect();
        let scores = self.scores_text();
        events.push(format!("game_over winners {}, scores {scores}", winners.join(" ")));
    }

    pub(crate) fn scores_text(&self) -> String {
        let scores: Vec<String> = self.scores.iter().map(i32::to_string).collect();
        scores.join(" ")
    }
}

/// All tiles of a game. A tile with a garden takes the place of one without.
fn full_bag(options: &Options) -> BTreeMap<&'static str, u32> {
    let played = kinds().iter().filter(|kind| options.plays(kind.set));
    let mut bag: BTreeMap<&str, u32> =
        played.map(|kind| (kind.name.as_str(), kind.count)).collect();
    if options.plays("gardens") {
        for plain in ["E", "H", "I", "M", "N", "R", "U", "V"] {
            *bag.get_mut(plain).expect("a kind of the base game") -= 1;
        }
    }
    bag
}
