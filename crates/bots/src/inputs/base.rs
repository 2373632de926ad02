//! The numbers themselves, as `docs/net.md` lists them.

use super::claims::Claim;
use super::fits::{LOGS, UNKNOWN, half_to_the};
use super::growing::TileNumbers;
use super::key::Key;
use super::{InputReader, NO_NUMBERS, NetInput, Numbers};
use carcassonne::{Cell, Edition, FeatureId, Options, Position, Terrain, Tile, TinyCity};
use game::{ByPlayer, Game, Player};

/// The numbers that its tiles and its claim say of a city, road or field.
pub(super) fn entry_numbers(tiles: &TileNumbers, claim: &Claim) -> Numbers {
    let mut x = NO_NUMBERS;
    tiles.write(&mut x);
    x[2] = claim.points / 10.0;
    claim.owner_inputs(&mut x);
    x[36] = f32::from(claim.my_fields) / 2.0;
    x[37] = f32::from(claim.their_fields) / 2.0;
    x
}

impl<E: Edition> InputReader<E> {
    /// A monastery or garden, with the key of what is not the same for all features.
    pub(super) fn monastery(&mut self, game: &Position<E>, feature: FeatureId) -> (Numbers, Key) {
        let mut x = NO_NUMBERS;
        let Some(cell) = game.monastery_cell(feature) else {
            return (x, Key::default());
        };
        let (mut missing, mut least, mut all, mut sum, mut dead) = (0u8, UNKNOWN, 1.0f32, 0.0, 0.0);
        for (dx, dy) in [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)] {
            let at = Cell::new(cell.x + dx, cell.y + dy);
            if game.tile_at(at).is_some() {
                continue;
            }
            missing += 1;
            // A cell that touches nothing yet takes any tile.
            let fit = game.constraint(at).map_or(game.tiles_left() as u8, |c| self.fits.fit(c));
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
        let key = Key::default().with_all(&x[..15]);
        (x, key)
    }

    /// Fills the globals; gives the eight of them that every feature sees too.
    pub(super) fn globals(
        &self,
        game: &Position<E>,
        me: Player,
        input: &mut NetInput,
        projected: &ByPlayer<i32>,
    ) -> [f32; 8] {
        let x = &mut input.globals;
        x.fill(0.0);
        let players = game.players();
        let left = game.tiles_left();
        let others = || (0..players).map(Player::new).filter(|player| *player != me);
        let rival = others().max_by_key(|p| (projected[*p], std::cmp::Reverse(p.index())));
        let rival_supply = rival.map_or(0, |rival| game.meeples_in_hand(rival));
        x[0] = input.projected_margin / 20.0;
        x[1] = game.scores().margin(me) as f32 / 20.0;
        x[2] = left as f32 / 72.0;
        x[3] = LOGS[left];
        x[4] = 1.0 / (1.0 + left as f32);
        x[5 + game.meeples_in_hand(me) as usize] = 1.0;
        x[13 + rival_supply as usize] = 1.0;
        for tile in Tile::all() {
            let count = f32::from(tile.printed().count);
            x[21 + tile.index()] = f32::from(self.fits.bag[tile.index()]) / count;
        }
        for (entry, claim) in self.survey.entries.iter().zip(&self.claims) {
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
        let rules = game.setup().rules();
        x[54] = f32::from(u8::from(rules.farmers));
        x[55] = f32::from(u8::from(rules.tiny_city == TinyCity::Two));
        let waits = (me.index() + players - game.player().index()) % players;
        x[56] = waits as f32 / players as f32;
        let supplies: u8 = others().map(|player| game.meeples_in_hand(player)).sum();
        x[57] = f32::from(supplies) / 7.0 / (players - 1) as f32;
        let total: i32 = others().map(|player| projected[player]).sum();
        x[58] = (projected[me] as f32 - total as f32 / (players - 1) as f32) / 20.0;
        x[59] = self.survey.dead_cells as f32 / 5.0;
        x[60] = self.survey.open_cells as f32 / 50.0;
        let mine = f32::from(game.meeples_in_hand(me)) / 7.0;
        if E::EXPANDED {
            self.set_globals(game, me, rival, x);
        }
        [x[2], x[3], x[4], mine, f32::from(rival_supply) / 7.0, x[54], players as f32 / 6.0, x[55]]
    }
}
