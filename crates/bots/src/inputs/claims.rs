//! Whose everything is that can still grow, as the meeples stand.

use super::Numbers;
use super::key::Key;
use super::survey::Survey;
use super::threats::Threats;
use carcassonne::{Edition, Position, Terrain};
use game::{Game, Player};

/// Whose an entry is, and what that is about.
#[derive(Clone, Copy, Default)]
pub(super) struct Claim {
    pub(super) mine: u8,
    pub(super) theirs: u8,
    pub(super) points: f32,
    pub(super) links: Links,
    pub(super) my_fields: u8,
    pub(super) their_fields: u8,
    /// Nothing for nets that are not told.
    pub(super) threats: Threats,
}

/// Features of the same terrain that reach the same open cell.
#[derive(Clone, Copy, Default)]
pub(super) struct Links {
    mine: u8,
    theirs: u8,
    free: u8,
    my_points: f32,
    their_points: f32,
    free_points: f32,
    my_meeples: u8,
    their_meeples: u8,
}

/// Notes whose everything is, to this player.
pub(super) fn stake<E: Edition>(
    claims: &mut Vec<Claim>,
    survey: &Survey<E>,
    game: &Position<E>,
    me: Player,
) {
    let players = game.players();
    claims.clear();
    claims.extend(survey.entries.iter().map(|entry| {
        let counts = game.counts(entry.feature);
        if !counts.claimed() && entry.terrain == Terrain::Field {
            return Claim::default();
        }
        let others = (0..players).map(Player::new).filter(|player| *player != me);
        let points = match entry.terrain {
            Terrain::Field => game.points_now(Terrain::Field, entry.feature).into(),
            // With an inn or a cathedral it is worth nothing until it is finished.
            terrain if E::EXPANDED => game.points_now(terrain, entry.feature).into(),
            _ => f32::from(counts.tiles() + counts.pennants()),
        };
        Claim {
            mine: counts.meeples(me),
            theirs: others.map(|player| counts.meeples(player)).max().unwrap_or(0),
            points,
            ..Claim::default()
        }
    }));
    for link in &survey.links {
        let (a, b) = (link.one as usize, link.other as usize);
        let (one, other) = (claims[a], claims[b]);
        let field = survey.entries[a].terrain == Terrain::Field;
        if one.claimed() && (other.claimed() || !field) {
            claims[a].links.add(&other);
        }
        if other.claimed() && (one.claimed() || !field) {
            claims[b].links.add(&one);
        }
    }
    note_fields(claims, survey, game);
}

/// Tells each unfinished city whose fields wait for it.
fn note_fields<E: Edition>(claims: &mut [Claim], survey: &Survey<E>, game: &Position<E>) {
    for at in 0..survey.entries.len() {
        let (field, claim) = (survey.entries[at], claims[at]);
        if field.terrain != Terrain::Field || !claim.claimed() {
            continue;
        }
        for (city, _) in game.cities_of(field.feature) {
            if let Some(city) = survey.place_of(city).map(|at| &mut claims[at]) {
                city.my_fields += u8::from(claim.mine >= claim.theirs);
                city.their_fields += u8::from(claim.theirs >= claim.mine);
            }
        }
    }
}

impl Claim {
    pub(super) fn claimed(&self) -> bool {
        self.mine + self.theirs > 0
    }

    /// The key with all that a claim tells.
    pub(super) fn add_to(&self, key: Key) -> Key {
        let links = &self.links;
        let counts = u64::from_le_bytes([
            self.mine,
            self.theirs,
            self.my_fields,
            self.their_fields,
            links.mine,
            links.theirs,
            links.free,
            links.my_meeples,
        ]);
        let key = key.with(counts);
        if !self.claimed() {
            return key.with(self.points.to_bits().into());
        }
        key.with_both(self.points, links.my_points)
            .with_both(links.their_points, links.free_points)
            .with(links.their_meeples.into())
    }

    /// The inputs that owners and links give.
    pub(super) fn owner_inputs(&self, x: &mut Numbers) {
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
