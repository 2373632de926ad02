//! The course of a game: draw, place, meeple; what is legal and what happens.

use super::land::{Cell, Land};
use super::options::Options;
use super::tiles::{Terrain, kind_of, kinds};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

#[derive(Clone)]
pub(crate) struct Simple {
    pub(crate) options: Options,
    pub(crate) land: Land,
    pub(crate) meeples: Vec<Meeple>,
    pub(crate) scores: Vec<i32>,
    /// How many of each kind are left to draw.
    pub(crate) bag: BTreeMap<char, u32>,
    pub(crate) player: usize,
    pub(crate) phase: Phase,
}

/// A meeple on the board.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Meeple {
    pub(crate) player: usize,
    pub(crate) number: usize,
    /// The number of the segment it stands on.
    pub(crate) segment: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Phase {
    Draw,
    /// The tile in hand.
    Place(char),
    Meeple,
    Over,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Move {
    Draw(char),
    Place(Cell, usize),
    /// The place of the segment in the tile's list.
    Meeple(usize, &'static str),
    Pass,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Draw(letter) => write!(f, "{letter}"),
            Move::Place((x, y), quarters) => write!(f, "{x},{y} r{quarters}"),
            Move::Meeple(_, name) => f.write_str(name),
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
            bag: kinds().iter().map(|kind| (kind.letter, kind.count)).collect(),
            player: 0,
            phase: Phase::Draw,
            options,
        };
        if game.options.start_tile {
            game.take_from_bag('D');
            game.land.lay('D', (0, 0), 0);
        }
        game
    }

    pub(crate) fn tiles_left(&self) -> u32 {
        self.bag.values().sum()
    }

    pub(crate) fn supply(&self, player: usize) -> usize {
        7 - self.meeples.iter().filter(|meeple| meeple.player == player).count()
    }

    pub(crate) fn moves(&self) -> Vec<Move> {
        match self.phase {
            Phase::Draw => {
                let left = self.bag.iter().filter(|(_, count)| **count > 0);
                left.map(|(letter, _)| Move::Draw(*letter)).collect()
            }
            Phase::Place(letter) => self.placements(letter),
            Phase::Meeple => self.spots().into_iter().chain([Move::Pass]).collect(),
            Phase::Over => Vec::new(),
        }
    }

    /// Plays a legal move and tells what happened, but not which features merged.
    pub(crate) fn play(&mut self, m: Move) -> Vec<String> {
        let mut events = Vec::new();
        let player = self.player;
        match (m, self.phase) {
            (Move::Draw(letter), _) => self.draw(letter, &mut events),
            (Move::Place((x, y), quarters), Phase::Place(letter)) => {
                self.land.lay(letter, (x, y), quarters);
                self.phase = Phase::Meeple;
                events
                    .push(format!("tile_placed player {player}: {letter} at {x},{y} r{quarters}"));
            }
            (Move::Meeple(index, _), _) => {
                self.put_meeple(index, &mut events);
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

    fn take_from_bag(&mut self, letter: char) {
        *self.bag.get_mut(&letter).expect("a kind of the bag") -= 1;
    }

    fn draw(&mut self, letter: char, events: &mut Vec<String>) {
        self.take_from_bag(letter);
        let (player, left) = (self.player, self.tiles_left());
        if self.placements(letter).is_empty() {
            events.push(format!(
                "tile_discarded player {player}: {letter} fits nowhere, {left} left"
            ));
            if left == 0 {
                self.end(events);
            }
        } else {
            self.phase = Phase::Place(letter);
            events.push(format!("tile_drawn player {player}: {letter}, {left} left"));
        }
    }

    fn placements(&self, letter: char) -> Vec<Move> {
        if self.land.tiles.is_empty() {
            return (0..4).map(|quarters| Move::Place((0, 0), quarters)).collect();
        }
        let mut placements = Vec::new();
        for cell in self.land.open_cells() {
            for quarters in 0..4 {
                if self.options.has(cell) && self.land.fits(kind_of(letter), cell, quarters) {
                    placements.push(Move::Place(cell, quarters));
                }
            }
        }
        placements
    }

    /// The segments of the last tile on whose whole feature no meeple stands.
    fn spots(&self) -> Vec<Move> {
        if self.supply(self.player) == 0 {
            return Vec::new();
        }
        let features = self.land.features();
        let laid = self.land.tiles.last().expect("a tile was just laid");
        let mut spots = Vec::new();
        for (index, segment) in laid.kind.segments.iter().enumerate() {
            let feature = features.of(laid.first + index);
            let claimed = self.meeples.iter().any(|m| feature.segments.contains(&m.segment));
            let allowed = self.options.farmers || segment.terrain != Terrain::Field;
            if allowed && !claimed {
                spots.push(Move::Meeple(index, &segment.name));
            }
        }
        spots
    }

    fn put_meeple(&mut self, index: usize, events: &mut Vec<String>) {
        let player = self.player;
        let own = self.meeples.iter().filter(|meeple| meeple.player == player);
        let taken: BTreeSet<usize> = own.map(|meeple| meeple.number).collect();
        let number = (0..7).find(|n| !taken.contains(n)).expect("a meeple is left");
        let laid = self.land.tiles.last().expect("a tile was just laid");
        let ((x, y), name) = (laid.cell, &laid.kind.segments[index].name);
        let segment = laid.first + index;
        let id = self.land.features().of(segment).id();
        events.push(format!(
            "meeple_placed player {player}: meeple {number} at {x},{y} {name}, feature {id}"
        ));
        self.meeples.push(Meeple { player, number, segment });
    }

    fn end_turn(&mut self, events: &mut Vec<String>) {
        self.score_finished(events);
        self.player = (self.player + 1) % self.options.players;
        self.phase = Phase::Draw;
        if self.tiles_left() == 0 {
            self.end(events);
        }
    }

    fn end(&mut self, events: &mut Vec<String>) {
        events.push("tile_bag_empty".to_owned());
        self.score_standing(events);
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
