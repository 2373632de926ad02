//! What the net looks at: each claimed feature as a row of small numbers, and the whole position.
//!
//! The numbers are seen by one player ("me"). `docs/net.md` lists every input; a change of
//! their meaning raises [`VERSION`], and nets of another version are refused.

use carcassonne::{
    Carcassonne, Cell, Constraint, FeatureCounts, FeatureId, KINDS, Terrain, Tile, TinyCity,
};
use game::{Game, Player};
use search::math::log2_of_one_plus;
use std::sync::LazyLock;

/// The version of the inputs.
pub const VERSION: u32 = 1;
/// Numbers for each claimed feature.
pub const FEATURE_INPUTS: usize = 40;
/// Numbers for the whole position.
pub const GLOBAL_INPUTS: usize = 64;
/// A feature is mine, theirs, or shared by me and others.
pub const OWNERS: usize = 3;

/// A claimed feature as the net sees it.
#[derive(Clone, Copy)]
pub struct Seen {
    /// Which net reads it: city, road, field, monastery.
    pub terrain: Terrain,
    /// 0 mine, 1 theirs, 2 shared.
    pub owner: u8,
    /// The numbers.
    pub inputs: [f32; FEATURE_INPUTS],
}

/// A position as the net sees it.
#[derive(Clone)]
pub struct Look {
    /// The claimed features.
    pub features: Vec<Seen>,
    /// The whole position.
    pub globals: [f32; GLOBAL_INPUTS],
    /// My lead over the best of the others if the game ended now.
    pub projected_margin: f32,
    /// Tiles left to draw.
    pub tiles_left: u8,
}

impl Default for Look {
    fn default() -> Self {
        Self {
            features: Vec::with_capacity(16),
            globals: [0.0; GLOBAL_INPUTS],
            projected_margin: 0.0,
            tiles_left: 0,
        }
    }
}

/// Makes [`Look`]s; keeps from one position to the next what depends on the bag or on the tiles
/// alone.
pub struct Looker {
    bag: [u8; KINDS],
    /// For each constraint, how many tiles of the bag fit; [`UNKNOWN`] if not counted yet.
    fitting: [u8; Constraint::COUNT],
    /// For each constraint and set of sides, how many tiles of the bag fit and close those.
    closing: Box<[u8; Constraint::COUNT * 16]>,
    /// What can still grow, as the tiles lie.
    entries: Vec<Entry>,
    /// For each feature its place in `entries`, or [`UNKNOWN`].
    entry_of: [u8; 256],
    /// Pairs of entries of the same terrain that reach the same open cell.
    links: Vec<(u8, u8)>,
    open_cells: u32,
    dead_cells: u32,
    /// Whose each entry is, as the meeples stand.
    claims: Vec<Claim>,
}

const UNKNOWN: u8 = 255;

/// For each constraint and set of sides, the kinds that close them.
static CLOSING_KINDS: LazyLock<Vec<u32>> = LazyLock::new(|| {
    (0..Constraint::COUNT * 16)
        .map(|at| Constraint::from_index((at / 16) as u8).closing_kinds((at % 16) as u8))
        .collect()
});

/// log₂(1 + n) / 5.
static LOGS: LazyLock<[f32; 128]> =
    LazyLock::new(|| std::array::from_fn(|n| log2_of_one_plus(n as u32) / 5.0));

/// A city, road or field that can still grow, gathered from the open cells it reaches.
#[derive(Clone, Copy)]
struct Entry {
    feature: FeatureId,
    terrain: Terrain,
    cells: u8,
    dead_cells: u8,
    least_fit: u8,
    sum_log_fit: f32,
    all_fit: f32,
    all_close: f32,
    most_close: u8,
    least_close: u8,
    sum_close: u16,
}

/// Whose an entry is, and what that is about.
#[derive(Clone, Copy, Default)]
struct Claim {
    mine: u8,
    theirs: u8,
    points: f32,
    links: Links,
    my_fields: u8,
    their_fields: u8,
}

/// Features of the same terrain that reach the same open cell.
#[derive(Clone, Copy, Default)]
struct Links {
    mine: u8,
    theirs: u8,
    free: u8,
    my_points: f32,
    their_points: f32,
    free_points: f32,
    my_meeples: u8,
    their_meeples: u8,
}

impl Default for Looker {
    fn default() -> Self {
        Self {
            bag: [UNKNOWN; KINDS],
            fitting: [UNKNOWN; Constraint::COUNT],
            closing: Box::new([UNKNOWN; Constraint::COUNT * 16]),
            entries: Vec::with_capacity(64),
            entry_of: [UNKNOWN; 256],
            links: Vec::with_capacity(64),
            open_cells: 0,
            dead_cells: 0,
            claims: Vec::with_capacity(64),
        }
    }
}

impl Looker {
    /// Looks at a position through a player's eyes.
    pub fn look(&mut self, game: &Carcassonne, me: Player, look: &mut Look) {
        self.survey(game);
        self.look_again(game, me, look);
    }

    /// The same for a position whose tiles and bag are those of the last one: only meeples and
    /// scores may differ.
    pub fn look_again(&mut self, game: &Carcassonne, me: Player, look: &mut Look) {
        look.features.clear();
        let projected = game.projected_scores();
        look.tiles_left = game.tiles_left() as u8;
        look.projected_margin = projected.margin(me) as f32;
        if look.tiles_left == 0 {
            return;
        }
        self.stake_claims(game, me);
        let whole = self.globals(game, me, look, &projected);
        let best = projected.iter().filter(|(p, _)| *p != me).map(|(_, s)| *s).max();
        game.for_each_claimed(|feature, terrain, counts| {
            let mut inputs = match terrain {
                Terrain::Monastery => self.monastery_inputs(game, feature),
                Terrain::Field => self.field_inputs(game, feature),
                Terrain::City | Terrain::Road => self.scoring_inputs(game, feature, counts),
            };
            inputs[28..36].copy_from_slice(&whole);
            let owners = counts.owners();
            let owner = match (owners.contains(me), owners.len()) {
                (true, 1) => 0,
                (false, _) => 1,
                _ => 2,
            };
            let ahead = owners.iter().filter(|p| *p != me).map(|p| projected[p]).max();
            inputs[38] = match (ahead, best) {
                (Some(ahead), Some(best)) => (best - ahead) as f32 / 20.0,
                _ => 0.0,
            };
            inputs[39] = 1.0;
            look.features.push(Seen { terrain, owner, inputs });
        });
    }

    /// Gathers what can grow from the open cells.
    fn survey(&mut self, game: &Carcassonne) {
        self.keep_bag(game.bag());
        self.entries.clear();
        self.links.clear();
        self.entry_of.fill(UNKNOWN);
        (self.open_cells, self.dead_cells) = (0, 0);
        for (cell, constraint) in game.frontier() {
            let fit = self.visit_cell(game, cell, constraint);
            self.open_cells += 1;
            self.dead_cells += u32::from(fit == 0);
        }
    }

    /// Notes whose everything is.
    fn stake_claims(&mut self, game: &Carcassonne, me: Player) {
        let players = game.players();
        self.claims.clear();
        self.claims.extend(self.entries.iter().map(|entry| {
            let counts = game.counts(entry.feature);
            if !counts.claimed() && entry.terrain == Terrain::Field {
                return Claim::default();
            }
            let others = (0..players).map(Player::new).filter(|player| *player != me);
            let points = match entry.terrain {
                Terrain::Field => game.points_now(Terrain::Field, entry.feature).into(),
                _ => f32::from(counts.tiles() + counts.pennants()),
            };
            Claim {
                mine: counts.meeples(me),
                theirs: others.map(|player| counts.meeples(player)).max().unwrap_or(0),
                points,
                ..Claim::default()
            }
        }));
        for &(a, b) in &self.links {
            let (a, b) = (a as usize, b as usize);
            let (one, other) = (self.claims[a], self.claims[b]);
            let field = self.entries[a].terrain == Terrain::Field;
            if one.claimed() && (other.claimed() || !field) {
                self.claims[a].links.add(&other);
            }
            if other.claimed() && (one.claimed() || !field) {
                self.claims[b].links.add(&one);
            }
        }
        self.note_fields(game);
    }

    fn keep_bag(&mut self, bag: &[u8; KINDS]) {
        if self.bag != *bag {
            self.bag = *bag;
            self.fitting.fill(UNKNOWN);
            self.closing.fill(UNKNOWN);
        }
    }

    fn left_of(&self, mut kinds: u32) -> u8 {
        let mut left = 0;
        while kinds != 0 {
            left += self.bag[kinds.trailing_zeros() as usize];
            kinds &= kinds - 1;
        }
        left
    }

    /// How many tiles of the bag fit.
    #[inline]
    fn fit(&mut self, constraint: Constraint) -> u8 {
        let known = self.fitting[constraint.index()];
        if known != UNKNOWN {
            return known;
        }
        let count = self.left_of(constraint.fitting_kinds());
        self.fitting[constraint.index()] = count;
        count
    }

    /// How many tiles of the bag fit and close what lies on these sides.
    #[inline]
    fn close(&mut self, constraint: Constraint, sides: u8) -> u8 {
        let at = constraint.index() * 16 + sides as usize;
        let known = self.closing[at];
        if known != UNKNOWN {
            return known;
        }
        let count = self.left_of(CLOSING_KINDS[at]);
        self.closing[at] = count;
        count
    }

    fn entry_for(&mut self, feature: FeatureId, terrain: Terrain) -> u8 {
        let known = self.entry_of[feature.0 as usize];
        if known != UNKNOWN {
            return known;
        }
        let index = self.entries.len() as u8;
        self.entry_of[feature.0 as usize] = index;
        self.entries.push(Entry {
            feature,
            terrain,
            cells: 0,
            dead_cells: 0,
            least_fit: UNKNOWN,
            sum_log_fit: 0.0,
            all_fit: 1.0,
            all_close: 1.0,
            most_close: 0,
            least_close: UNKNOWN,
            sum_close: 0,
        });
        index
    }

    /// Notes an open cell with every feature that reaches it; gives how many tiles fit there.
    #[inline]
    fn visit_cell(&mut self, game: &Carcassonne, cell: Cell, constraint: Constraint) -> u8 {
        let fit = self.fit(constraint);
        // Which entries reach the cell, with the sides a city or road lies on.
        let mut here = [(0u8, 0u8); 12];
        let mut count = 0;
        game.for_each_open_side(cell, |side| {
            if let Some(feature) = side.scoring {
                let entry = self.entry_for(feature, side.terrain);
                note(&mut here, &mut count, entry, 1 << side.side as u8);
            }
            for field in side.fields.into_iter().flatten() {
                let entry = self.entry_for(field, Terrain::Field);
                note(&mut here, &mut count, entry, 0);
            }
        });
        for i in 0..count {
            let (entry, sides) = here[i];
            let close = if sides == 0 { 0 } else { self.close(constraint, sides) };
            self.entries[entry as usize].visit(fit, close);
            let terrain = self.entries[entry as usize].terrain;
            for &(other, _) in &here[i + 1..count] {
                if self.entries[other as usize].terrain == terrain {
                    self.links.push((entry, other));
                }
            }
        }
        fit
    }

    /// Tells each unfinished city whose fields wait for it.
    fn note_fields(&mut self, game: &Carcassonne) {
        for at in 0..self.entries.len() {
            let (field, claim) = (self.entries[at], self.claims[at]);
            if field.terrain != Terrain::Field || !claim.claimed() {
                continue;
            }
            for (city, _) in game.cities_of(field.feature) {
                if let Some(city) = self.claims.get_mut(self.entry_of[city.0 as usize] as usize) {
                    city.my_fields += u8::from(claim.mine >= claim.theirs);
                    city.their_fields += u8::from(claim.theirs >= claim.mine);
                }
            }
        }
    }

    fn entry(&self, feature: FeatureId) -> Option<(&Entry, &Claim)> {
        let at = self.entry_of[feature.0 as usize] as usize;
        Some((self.entries.get(at)?, &self.claims[at]))
    }

    fn scoring_inputs(
        &self,
        game: &Carcassonne,
        feature: FeatureId,
        counts: FeatureCounts,
    ) -> [f32; FEATURE_INPUTS] {
        let mut x = [0.0; FEATURE_INPUTS];
        let Some((entry, claim)) = self.entry(feature) else { return x };
        let finished = game.points_finished(entry.terrain, feature);
        let left = game.tiles_left() as f32;
        x[0] = f32::from(counts.tiles()) / 8.0;
        x[1] = f32::from(counts.pennants()) / 3.0;
        x[2] = claim.points / 10.0;
        x[3] = f32::from(finished) / 10.0;
        x[5] = f32::from(counts.open_sides()) / 4.0;
        entry.cell_inputs(&mut x);
        x[10] = entry.all_close;
        x[11] = LOGS[entry.most_close as usize & 127];
        x[12] = LOGS[entry.least_close as usize & 127];
        x[13] = if entry.cells == 1 { f32::from(entry.sum_close) / left } else { 0.0 };
        x[14] = f32::from(entry.sum_close) / left;
        claim.owner_inputs(&mut x);
        x[36] = f32::from(claim.my_fields) / 2.0;
        x[37] = f32::from(claim.their_fields) / 2.0;
        x
    }

    fn field_inputs(&self, game: &Carcassonne, feature: FeatureId) -> [f32; FEATURE_INPUTS] {
        let mut x = [0.0; FEATURE_INPUTS];
        let Some((entry, claim)) = self.entry(feature) else { return x };
        let (mut finished, mut open, mut likely, mut nearly, mut hopeless) =
            (0.0, 0.0, 0.0, 0.0, 0.0);
        for (city, counts) in game.cities_of(feature) {
            if counts.open_sides() == 0 {
                finished += 1.0;
                continue;
            }
            open += 1.0;
            if let Some((city, _)) = self.entry(city) {
                likely += city.all_close;
                nearly += f32::from(u8::from(city.cells == 1));
                hopeless += f32::from(u8::from(city.dead_cells > 0));
            }
        }
        x[0] = finished / 4.0;
        x[1] = open / 4.0;
        x[2] = claim.points / 10.0;
        x[3] = likely / 2.0;
        entry.cell_inputs(&mut x);
        x[4] = f32::from(entry.cells) / 8.0;
        x[10] = nearly / 2.0;
        x[11] = hopeless / 2.0;
        claim.owner_inputs(&mut x);
        x
    }

    fn monastery_inputs(
        &mut self,
        game: &Carcassonne,
        feature: FeatureId,
    ) -> [f32; FEATURE_INPUTS] {
        let mut x = [0.0; FEATURE_INPUTS];
        let Some(cell) = game.monastery_cell(feature) else { return x };
        let (mut missing, mut least, mut all, mut sum, mut dead) = (0u8, UNKNOWN, 1.0f32, 0.0, 0.0);
        for (dx, dy) in [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)] {
            let at = Cell::new(cell.x + dx, cell.y + dy);
            if game.tile_at(at).is_some() {
                continue;
            }
            missing += 1;
            // A cell that touches nothing yet takes any tile.
            let fit = game.constraint(at).map_or(game.tiles_left() as u8, |c| self.fit(c));
            least = least.min(fit);
            all *= 1.0 - half_to_the(fit);
            sum += LOGS[fit as usize & 127];
            dead += f32::from(u8::from(fit == 0));
        }
        x[0] = f32::from(8 - missing) / 8.0;
        x[2] = f32::from(9 - missing) / 10.0;
        x[4] = f32::from(missing) / 4.0;
        x[6] = dead;
        x[7] = LOGS[least as usize & 127];
        x[8] = sum / f32::from(missing.max(1));
        x[9] = all;
        x[13] = f32::from(u8::from(missing == 1)) * f32::from(least) / game.tiles_left() as f32;
        x[14] = f32::from(missing) / game.tiles_left() as f32;
        x
    }

    /// Fills the globals; gives the eight of them that every feature sees too.
    fn globals(
        &self,
        game: &Carcassonne,
        me: Player,
        look: &mut Look,
        projected: &game::ByPlayer<i32>,
    ) -> [f32; 8] {
        let x = &mut look.globals;
        x.fill(0.0);
        let players = game.players();
        let left = game.tiles_left();
        let others = || (0..players).map(Player::new).filter(|player| *player != me);
        let rival = others().max_by_key(|p| (projected[*p], std::cmp::Reverse(p.index())));
        let rival_supply = rival.map_or(0, |rival| game.meeples_in_hand(rival));
        x[0] = look.projected_margin / 20.0;
        x[1] = game.scores().margin(me) as f32 / 20.0;
        x[2] = left as f32 / 72.0;
        x[3] = LOGS[left];
        x[4] = 1.0 / (1.0 + left as f32);
        x[5 + game.meeples_in_hand(me) as usize] = 1.0;
        x[13 + rival_supply as usize] = 1.0;
        for tile in Tile::all() {
            let count = f32::from(tile.printed().count);
            x[21 + tile.index()] = f32::from(self.bag[tile.index()]) / count;
        }
        for (entry, claim) in self.entries.iter().zip(&self.claims) {
            let at = match entry.terrain {
                Terrain::City if !claim.claimed() => 45,
                Terrain::Road if !claim.claimed() => 47,
                Terrain::Field => {
                    x[61] += f32::from(claim.mine) / 3.0;
                    x[62] += f32::from(claim.theirs) / 3.0;
                    continue;
                }
                _ => continue,
            };
            x[at] += 0.2;
            x[at + 1] += claim.points / 10.0;
        }
        x[49 + players - 2] = 1.0;
        x[54] = f32::from(u8::from(game.setup().farmers));
        x[55] = f32::from(u8::from(game.setup().tiny_city == TinyCity::Two));
        let waits = (me.index() + players - game.player().index()) % players;
        x[56] = waits as f32 / players as f32;
        let supplies: u8 = others().map(|player| game.meeples_in_hand(player)).sum();
        x[57] = f32::from(supplies) / 7.0 / (players - 1) as f32;
        let total: i32 = others().map(|player| projected[player]).sum();
        x[58] = (projected[me] as f32 - total as f32 / (players - 1) as f32) / 20.0;
        x[59] = self.dead_cells as f32 / 5.0;
        x[60] = self.open_cells as f32 / 50.0;
        let mine = f32::from(game.meeples_in_hand(me)) / 7.0;
        [x[2], x[3], x[4], mine, f32::from(rival_supply) / 7.0, x[54], players as f32 / 6.0, x[55]]
    }
}

/// Notes that an entry reaches the cell, once, with all its sides.
#[inline]
fn note(here: &mut [(u8, u8); 12], count: &mut usize, entry: u8, sides: u8) {
    match here[..*count].iter_mut().find(|(known, _)| *known == entry) {
        Some((_, known)) => *known |= sides,
        None => {
            here[*count] = (entry, sides);
            *count += 1;
        }
    }
}

/// 2⁻ⁿ, exactly.
fn half_to_the(n: u8) -> f32 {
    f32::from_bits((127 - u32::from(n.min(100))) << 23)
}

impl Entry {
    fn visit(&mut self, fit: u8, close: u8) {
        self.cells += 1;
        self.dead_cells += u8::from(fit == 0);
        self.least_fit = self.least_fit.min(fit);
        self.sum_log_fit += LOGS[fit as usize & 127];
        self.all_fit *= 1.0 - half_to_the(fit);
        self.all_close *= 1.0 - half_to_the(close);
        self.most_close = self.most_close.max(close);
        self.least_close = self.least_close.min(close);
        self.sum_close += u16::from(close);
    }

    fn cell_inputs(&self, x: &mut [f32; FEATURE_INPUTS]) {
        x[4] = f32::from(self.cells) / 4.0;
        x[6] = f32::from(self.dead_cells.min(2));
        x[7] = LOGS[self.least_fit as usize & 127];
        x[8] = self.sum_log_fit / f32::from(self.cells.max(1));
        x[9] = self.all_fit;
    }
}

impl Claim {
    fn claimed(&self) -> bool {
        self.mine + self.theirs > 0
    }

    fn owner_inputs(&self, x: &mut [f32; FEATURE_INPUTS]) {
        let links = &self.links;
        x[15] = f32::from(self.mine) / 2.0;
        x[16] = f32::from(self.theirs) / 2.0;
        x[17] = f32::from(links.my_meeples) / 2.0;
        x[18] = f32::from(links.mine) / 2.0;
        x[19] = f32::from(links.theirs) / 2.0;
        x[20] = f32::from(links.free) / 2.0;
        x[21] = links.my_points / 10.0;
        x[22] = links.their_points / 10.0;
        x[23] = links.free_points / 10.0;
        x[24] = f32::from(links.their_meeples) / 2.0;
        let (mine, theirs) = (self.mine + links.my_meeples, self.theirs + links.their_meeples);
        x[25] = f32::from(u8::from(theirs > self.mine));
        x[26] = f32::from(u8::from(theirs == self.mine));
        x[27] = f32::from(u8::from(mine >= self.theirs));
    }
}

impl Links {
    fn add(&mut self, other: &Claim) {
        let points = other.points;
        match (other.mine, other.theirs) {
            (0, 0) => {
                self.free += 1;
                self.free_points += points;
            }
            (mine, theirs) if mine >= theirs => {
                self.mine += 1;
                self.my_points += points;
            }
            _ => {
                self.theirs += 1;
                self.their_points += points;
            }
        }
        self.my_meeples += other.mine;
        self.their_meeples += other.theirs;
    }
}
