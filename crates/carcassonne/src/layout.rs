//! A position laid by hand: which tiles lie, who stands where, the points, whose turn it is. What no
//! game could lead to is refused; how a game would have come there is not asked.

use crate::edition::Edition;
use crate::figure::Figure;
use crate::game::{Part, Position, start_tile};
use crate::geometry::{Cell, Rotation, Side};
use crate::goods::{Good, Goods};
use crate::segment::Segment;
use crate::sets::Sets;
use crate::setup::Options;
use crate::tile::{Terrain, Tile};
use crate::views::PlacedTile;
use game::{Game, Player, excerpt, ignore};
use std::error::Error;
use std::fmt;
use std::str::FromStr;

/// The most points a player may have; no game comes near it.
const MOST_POINTS: i32 = 999;

/// A position laid by hand, in which the next tile is to be drawn.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Layout {
    /// The tiles in any order; the start tile may be left out.
    pub tiles: Vec<LaidTile>,
    /// Points by seat; none means no points at all.
    pub scores: Vec<i32>,
    /// The seat for which the next tile is drawn.
    pub player: usize,
    /// Tiles set aside because they fitted nowhere.
    pub gone: Vec<Tile>,
    /// Tokens by seat, with the traders; none means no tokens at all.
    pub goods: Vec<Goods>,
}

/// A tile with who stands on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LaidTile {
    /// The tile.
    pub placed: PlacedTile,
    /// The figure on it: whose, which, and where.
    pub figure: Option<(usize, Figure, Segment)>,
}

/// Why a layout is none: what is wrong, and what is allowed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LayoutError(String);

impl fmt::Display for LayoutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for LayoutError {}

pub(crate) fn wrong<T>(what: impl Into<String>) -> Result<T, LayoutError> {
    Err(LayoutError(what.into()))
}

impl<E: Edition> Position<E> {
    /// The position that was laid by hand.
    ///
    /// # Errors
    /// If no game could lead to it: says where, and what is allowed.
    pub fn laid(setup: &E::Setup, layout: &Layout) -> Result<Self, LayoutError> {
        let mut game = Self::new(setup);
        game.lay_tiles(&layout.tiles)?;
        game.lay_before = game.board.tiles().len() as u8;
        game.set_aside(&layout.gone)?;
        game.check_river()?;
        if game.bag_size == 0 {
            return wrong("no tile is left to be drawn: at least one must be");
        }
        game.check_figures()?;
        game.check_claims()?;
        game.give_points(layout)?;
        game.player = game.seat(layout.player, "player")?;
        game.part = Part::First;
        Ok(game)
    }

    /// This position as a layout; a tile in hand goes back to the others. Nothing while a figure may
    /// be put down, and after the game.
    #[must_use]
    pub fn layout(&self) -> Option<Layout> {
        if self.tiles_left() == 0 && self.tile_in_hand().is_none()
            || self.phase() == crate::Phase::PlaceMeeple
        {
            return None;
        }
        let tiles = self.tiles().map(|placed| {
            let meeple = self.meeples().find(|meeple| meeple.cell == placed.cell);
            let figure = meeple.map(|m| (m.player.index(), m.figure(), m.segment));
            LaidTile { placed, figure }
        });
        let gone = self.discards();
        let gone = Self::kinds()
            .flat_map(|tile| std::iter::repeat_n(tile, gone.as_ref()[tile.index()].into()));
        let seats = || (0..self.players()).map(Player::new);
        let traded = self.setup.sets().contains(Sets::TRADERS);
        Some(Layout {
            tiles: tiles.collect(),
            scores: self.scores().as_slice().to_vec(),
            player: self.player.index(),
            gone: gone.collect(),
            goods: seats().filter(|_| traded).map(|seat| self.goods(seat)).collect(),
        })
    }

    /// Lays the tiles in an order in which each touches those before it.
    fn lay_tiles(&mut self, tiles: &[LaidTile]) -> Result<(), LayoutError> {
        let mut waiting: Vec<&LaidTile> = tiles.iter().collect();
        if let Some(start) = start_tile(&self.setup)
            && let Some(at) = waiting.iter().position(|laid| laid.placed.cell == Cell::ORIGIN)
        {
            let LaidTile { placed, figure } = waiting.remove(at);
            if placed.tile != start || placed.rotation != Rotation::default() {
                return wrong(format!("0,0: the start tile {start} r0 lies there"));
            }
            if figure.is_some() {
                return wrong("0,0: nobody can stand on the start tile");
            }
        }
        while !waiting.is_empty() {
            // The river is laid before all others, as it is drawn.
            let river = waiting.iter().any(|laid| laid.placed.tile.is_river());
            let next = waiting.iter().position(|laid| {
                let PlacedTile { tile, cell, rotation } = laid.placed;
                (!river || tile.is_river()) && self.fits(tile, cell, rotation)
            });
            let Some(next) = next else { return wrong(self.why_not(waiting[0].placed)) };
            self.lay_tile(waiting.remove(next))?;
        }
        Ok(())
    }

    fn why_not(&self, placed: PlacedTile) -> String {
        let PlacedTile { tile, cell, rotation } = placed;
        let at = format!("{tile} {cell} {rotation}");
        match self.board.constraint(cell) {
            _ if self.tile_at(cell).is_some() => format!("{at}: another tile lies there"),
            None => format!("{at}: it touches no other tile, or lies beyond the board"),
            Some(_) => format!("{at}: its edges are not like those of the tiles beside it"),
        }
    }

    fn lay_tile(&mut self, laid: &LaidTile) -> Result<(), LayoutError> {
        let PlacedTile { tile, cell, rotation } = laid.placed;
        self.take(tile)?;
        self.put(tile, cell, rotation, ignore);
        self.drawn = tile;
        let Some((seat, figure, segment)) = laid.figure else { return Ok(()) };
        let at = format!("{cell}: {figure} of player {seat}");
        self.player = self.seat(seat, &format!("{cell}: {figure} of player"))?;
        if segment.index_on(tile).is_none() {
            return wrong(format!("{at}: {tile} has no {segment}"));
        }
        let terrain = segment.terrain();
        let fits = match figure {
            Figure::Meeple | Figure::Big => terrain != Terrain::Garden,
            Figure::Builder => matches!(terrain, Terrain::City | Terrain::Road),
            Figure::Pig => terrain == Terrain::Field,
            Figure::Abbot => matches!(terrain, Terrain::Monastery | Terrain::Garden),
        };
        if !fits || terrain == Terrain::Field && !self.setup.rules().farmers {
            return wrong(format!("{at}: it may not stand on {segment} here"));
        }
        if !self.setup.sets().contains(figure.set()) {
            let set = figure.set();
            return wrong(format!("{at}: it is played with sets={set}, and this game is without"));
        }
        if !self.meeples.has(self.player, figure) {
            return wrong(format!("{at}: the player has no more of them"));
        }
        self.put_figure(figure, segment, ignore);
        Ok(())
    }

    fn take(&mut self, tile: Tile) -> Result<(), LayoutError> {
        if self.bag.as_ref().get(tile.index()).is_none_or(|left| *left == 0) {
            let all = crate::game::full_bag::<E>(&self.setup);
            let count = all.as_ref().get(tile.index()).copied().unwrap_or_default();
            return wrong(format!("{tile}: this game has {count} of it"));
        }
        self.take_from_bag(tile);
        Ok(())
    }

    /// Takes the tiles away that fitted nowhere when they were drawn. One that fits beside the start tile
    /// fitted there all along.
    fn set_aside(&mut self, gone: &[Tile]) -> Result<(), LayoutError> {
        let first = match self.board.tiles().is_empty() {
            true => vec![Cell::ORIGIN],
            false if start_tile(&self.setup).is_some() => {
                Side::ALL.map(|side| Cell::ORIGIN.step(side)).to_vec()
            }
            false => Vec::new(),
        };
        for tile in gone {
            self.take(*tile)?;
            let fits = |cell: &&Cell| Rotation::ALL.iter().any(|r| self.fits(*tile, **cell, *r));
            // River tiles are bound by more than their edges.
            if let Some(cell) = first.iter().find(fits).filter(|_| !tile.is_river()) {
                return wrong(format!(
                    "gone {tile}: it fits at {cell}, where it fitted all along; gone are tiles that \
                     fitted nowhere"
                ));
            }
        }
        Ok(())
    }

    /// The river is drawn before all other tiles, and its lake last.
    fn check_river(&self) -> Result<(), LayoutError> {
        let left = self.river_left;
        if left == 0 {
            return Ok(());
        }
        if self.bag.as_ref()[Tile::LAKE.index()] == 0 {
            return wrong(format!(
                "{}: the lake ends the river, and {left} of its tiles are not laid yet",
                Tile::LAKE
            ));
        }
        let laid = self.tiles().map(|placed| placed.tile);
        let gone = self.discards();
        let gone = Self::kinds().filter(|tile| gone.as_ref()[tile.index()] > 0);
        match laid.chain(gone).find(|tile| !tile.is_river()) {
            None => Ok(()),
            Some(tile) => wrong(format!(
                "{tile}: the river is laid before all other tiles, and {left} of its are missing"
            )),
        }
    }

    /// What is finished was scored, and its figures went home; a builder and a pig go where a meeple is.
    fn check_figures(&self) -> Result<(), LayoutError> {
        for meeple in self.meeples() {
            let (figure, seat) = (meeple.figure(), meeple.player.index());
            let at = format!("{}: {figure} of player {seat}", meeple.cell);
            let summary = self.summary_at(meeple.cell, meeple.segment);
            if summary.is_some_and(|of| of.finished && of.terrain != Terrain::Field) {
                let segment = meeple.segment;
                return wrong(format!("{at}: {segment} is finished, nobody stands on it any more"));
            }
            let alone = self.features.record(meeple.feature).meeples(meeple.player) == 0;
            if alone && matches!(figure, Figure::Builder | Figure::Pig) {
                return wrong(format!("{at}: no meeple of the player stands on the same feature"));
            }
        }
        Ok(())
    }

    fn give_points(&mut self, layout: &Layout) -> Result<(), LayoutError> {
        let players = self.players();
        let Layout { scores, goods, .. } = layout;
        if !scores.is_empty() && scores.len() != players {
            let found = scores.len();
            return wrong(format!(
                "scores: {found} found, {players} expected, one for each player"
            ));
        }
        for (own, points) in self.scores.iter_mut().zip(scores) {
            if !(0..=MOST_POINTS).contains(points) {
                return wrong(format!("score {points}: from 0 to {MOST_POINTS}"));
            }
            *own = *points as i16;
        }
        if goods.is_empty() {
            return Ok(());
        }
        if !self.setup.sets().contains(Sets::TRADERS) {
            return wrong("goods: they are played with sets=traders, and this game is without");
        }
        if goods.len() != players {
            let found = goods.len();
            return wrong(format!("goods: {found} found, {players} expected, one for each player"));
        }
        for good in Good::ALL {
            let held: u32 = goods.iter().map(|own| u32::from(own[good])).sum();
            if held > good.tokens().into() {
                return wrong(format!("{held} of {}: there are {}", good.name(), good.tokens()));
            }
        }
        self.goods[..players].copy_from_slice(goods);
        Ok(())
    }

    fn seat(&self, seat: usize, whose: &str) -> Result<Player, LayoutError> {
        let last = self.players() - 1;
        match seat <= last {
            true => Ok(Player::new(seat)),
            false => wrong(format!("{whose} {seat}: players are numbered from 0 to {last}")),
        }
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for LaidTile { placed: PlacedTile { tile, cell, rotation }, figure } in &self.tiles {
            write!(f, "tile {tile} {cell} {rotation}")?;
            match figure {
                None => writeln!(f)?,
                Some((seat, Figure::Meeple, segment)) => writeln!(f, " {seat} {segment}")?,
                Some((seat, figure, segment)) => writeln!(f, " {seat} {figure} {segment}")?,
            }
        }
        if !self.scores.is_empty() {
            let scores: Vec<String> = self.scores.iter().map(ToString::to_string).collect();
            writeln!(f, "scores {}", scores.join(" "))?;
        }
        if !self.gone.is_empty() {
            let gone: Vec<String> = self.gone.iter().map(ToString::to_string).collect();
            writeln!(f, "gone {}", gone.join(" "))?;
        }
        for (seat, goods) in self.goods.iter().enumerate() {
            let [wine, grain, cloth] = Good::ALL.map(|good| goods[good]);
            writeln!(f, "goods {seat} {wine} {grain} {cloth}")?;
        }
        writeln!(f, "player {}", self.player)
    }
}

impl Layout {
    /// Reads the form on one line, with `|` between the lines.
    ///
    /// # Errors
    /// If one of them is none: says which part, and what is allowed.
    pub fn from_one_line(text: &str) -> Result<Self, LayoutError> {
        read_lines(text.split('|'), "part")
    }

    /// The form on one line.
    #[must_use]
    pub fn to_one_line(&self) -> String {
        self.to_string().trim_end().replace('\n', " | ")
    }
}

impl FromStr for Layout {
    type Err = LayoutError;

    fn from_str(text: &str) -> Result<Self, LayoutError> {
        read_lines(text.lines(), "line")
    }
}

/// Reads lines, or what they are called. Points and the player to move are told once.
fn read_lines<'a>(
    lines: impl Iterator<Item = &'a str>,
    called: &str,
) -> Result<Layout, LayoutError> {
    let (mut layout, mut single) = (Layout::default(), Vec::new());
    for (index, line) in lines.enumerate() {
        let words: Vec<&str> =
            line.split('#').next().unwrap_or_default().split_whitespace().collect();
        let Some((first, rest)) = words.split_first() else { continue };
        let told = |reason| LayoutError(format!("{called} {}: {reason}", index + 1));
        if matches!(*first, "scores" | "player") {
            if single.contains(first) {
                return Err(told(format!("'{first}' stands there already: it is told once")));
            }
            single.push(first);
        }
        read_line(&mut layout, first, rest).map_err(told)?;
    }
    Ok(layout)
}

fn read_line(layout: &mut Layout, first: &str, rest: &[&str]) -> Result<(), String> {
    match first {
        "tile" => layout.tiles.push(laid_tile(rest)?),
        "scores" if rest.is_empty() => return Err("expected 'scores N N …'".to_owned()),
        "scores" => {
            layout.scores = rest.iter().map(|word| number(word)).collect::<Result<_, _>>()?;
        }
        "gone" if rest.is_empty() => return Err("expected 'gone KIND …'".to_owned()),
        "gone" => {
            let tile = |word: &&str| word.parse().map_err(|error| told(word, error));
            layout.gone.extend(rest.iter().map(tile).collect::<Result<Vec<Tile>, _>>()?);
        }
        "goods" => match rest {
            [seat, counts @ ..] if counts.len() == Good::ALL.len() => {
                if number::<usize>(seat)? != layout.goods.len() {
                    return Err(format!(
                        "goods of player {}: seats in order from 0",
                        excerpt(seat, 9)
                    ));
                }
                let mut goods = Goods::default();
                for (good, count) in Good::ALL.into_iter().zip(counts) {
                    goods[good] = number(count)?;
                }
                layout.goods.push(goods);
            }
            _ => return Err("expected 'goods PLAYER WINE GRAIN CLOTH'".to_owned()),
        },
        "player" => match rest {
            [seat] => layout.player = number(seat)?,
            _ => return Err("expected 'player N'".to_owned()),
        },
        other => {
            let allowed = "tile, scores, gone, goods or player";
            return Err(format!("'{}': expected {allowed}", excerpt(other, 20)));
        }
    }
    Ok(())
}

fn laid_tile(words: &[&str]) -> Result<LaidTile, String> {
    let [tile, cell, rotation, figure @ ..] = words else {
        return Err("expected 'tile KIND X,Y rN', and a figure".to_owned());
    };
    let placed = PlacedTile {
        tile: tile.parse().map_err(|error| told(tile, error))?,
        cell: cell.parse().map_err(|error| told(cell, error))?,
        rotation: rotation.parse().map_err(|error| told(rotation, error))?,
    };
    let segment = |word: &str| word.parse::<Segment>().map_err(|error| told(word, error));
    let figure = match figure {
        [] => None,
        [seat, on] => Some((number(seat)?, Figure::Meeple, segment(on)?)),
        [seat, figure, on] => {
            let figure = figure.parse().map_err(|error| told(figure, error))?;
            Some((number(seat)?, figure, segment(on)?))
        }
        _ => {
            return Err(
                "expected one figure: 'PLAYER SEGMENT' or 'PLAYER FIGURE SEGMENT'".to_owned()
            );
        }
    };
    Ok(LaidTile { placed, figure })
}

fn told(word: &str, error: crate::ParseError) -> String {
    format!("'{}': {error}", excerpt(word, 20))
}

fn number<N: FromStr>(word: &str) -> Result<N, String> {
    word.parse().map_err(|_| format!("'{}': expected a number", excerpt(word, 20)))
}
