//! The numbers that sets add, as `docs/net.md` lists them. All are zero in the base game.

use super::{BASE_GLOBAL_INPUTS, GLOBAL_INPUTS, InputReader, SET_FEATURE_INPUTS};
use carcassonne::{
    ALL_KINDS, AllSets, BASE_KINDS, Edition, FeatureId, Figure, Good, Goods, Options, Position,
    Sets, Terrain, Tile,
};
use game::{Game, Player};
use std::sync::LazyLock;

/// Where the sets' numbers of the position begin: a one in games with sets.
const GLOBAL: usize = BASE_GLOBAL_INPUTS;

/// How many tokens of each kind there are.
const TOKENS: [f32; 3] = [9.0, 6.0, 5.0];
/// Points for the most tokens of a kind.
const MOST_GOODS: f32 = 10.0;

/// The figures that sets bring.
const FIGURES: [Figure; 4] = [Figure::Big, Figure::Builder, Figure::Pig, Figure::Abbot];

fn one_if(is: bool) -> f32 {
    f32::from(u8::from(is))
}

impl<E: Edition> InputReader<E> {
    /// What sets add to a feature: a one in games with sets, and what they say of it.
    pub(super) fn set_feature(
        &self,
        game: &Position<E>,
        me: Player,
        (feature, terrain): (FeatureId, Terrain),
        globals: &[f32; GLOBAL_INPUTS],
    ) -> [f32; SET_FEATURE_INPUTS] {
        let mut x = [0.0; SET_FEATURE_INPUTS];
        if game.setup().sets().is_empty() {
            return x;
        }
        let others = || (0..game.players()).map(Player::new).filter(|player| *player != me);
        let stands = |player, figure| game.feature_of_figure(player, figure) == Some(feature);
        let [big, their_big] =
            [stands(me, Figure::Big), others().any(|player| stands(player, Figure::Big))];
        x[0] = 1.0;
        x[1] = one_if(big);
        x[2] = one_if(their_big);
        match terrain {
            Terrain::City | Terrain::Road => {
                let builders = game.builders_on(feature);
                x[3] = one_if(game.has_inn_or_cathedral(feature));
                x[4] = one_if(builders.contains(me));
                x[5] = one_if(others().any(|player| builders.contains(player)));
                x[6] = globals[GLOBAL + SPECIALS_LEFT + terrain as usize];
                if terrain == Terrain::City {
                    let goods = game.goods_in(feature);
                    for good in Good::ALL {
                        x[7 + good as usize] = f32::from(goods[good]) / 2.0;
                    }
                    x[10] = gain(game, me, goods) / MOST_GOODS;
                    let theirs = others().map(|player| gain(game, player, goods));
                    x[11] = theirs.fold(0.0, f32::max) / MOST_GOODS;
                }
            }
            Terrain::Field => {
                let pigs = game.pigs_on(feature);
                x[4] = one_if(pigs.contains(me));
                x[5] = one_if(others().any(|player| pigs.contains(player)));
            }
            Terrain::Monastery | Terrain::Garden => {
                x[3] = one_if(terrain == Terrain::Garden);
                x[4] = one_if(stands(me, Figure::Abbot));
                x[5] = one_if(others().any(|player| stands(player, Figure::Abbot)));
            }
        }
        x
    }

    /// What sets add to the whole position.
    pub(super) fn set_globals(
        &self,
        game: &Position<E>,
        me: Player,
        rival: Option<Player>,
        x: &mut [f32; GLOBAL_INPUTS],
    ) {
        let sets = game.setup().sets();
        if sets.is_empty() {
            return;
        }
        let others = || (0..game.players()).map(Player::new).filter(|player| *player != me);
        let x = &mut x[GLOBAL..];
        x[0] = 1.0;
        for (at, (set, _)) in Sets::NAMED.into_iter().enumerate() {
            x[1 + at] = one_if(sets.contains(set));
        }
        for (at, figure) in FIGURES.into_iter().enumerate() {
            let has = |player: Player| one_if(game.has_figure(player, figure));
            [x[5 + at], x[9 + at]] = [Some(me), rival].map(|player| player.map_or(0.0, has));
            x[13 + at] = others().map(has).sum::<f32>() / (game.players() - 1) as f32;
        }
        let to_come = tokens_to_come(game);
        for good in Good::ALL {
            let at = good as usize;
            let of = |player: Player| f32::from(game.goods(player)[good]);
            let (mine, theirs) = (of(me), others().map(of).fold(0.0, f32::max));
            x[17 + at] = 2.0 * mine / TOKENS[at];
            x[20 + at] = 2.0 * theirs / TOKENS[at];
            x[23 + at] = to_come[at] / TOKENS[at];
            x[26 + at] = one_if(mine > theirs + to_come[at]);
            x[29 + at] = one_if(theirs > mine + to_come[at]);
        }
        x[32] = one_if(game.is_second_part());
        for kind in SET_KINDS.iter() {
            let left = f32::from(game.bag().as_ref()[kind.index]);
            x[KINDS_LEFT + kind.index - BASE_KINDS] = left / kind.count;
            x[33] += if kind.river { left / 12.0 } else { 0.0 };
            if let Some((terrain, all)) = kind.special {
                x[SPECIALS_LEFT + terrain as usize] += left / all;
            }
        }
    }
}

/// Where the numbers of tiles left of each of the sets' kinds begin.
const KINDS_LEFT: usize = 34;
/// Where the part of cathedrals left stands, and behind it that of inns.
const SPECIALS_LEFT: usize = KINDS_LEFT + ALL_KINDS - BASE_KINDS;
const _: () = assert!(GLOBAL + SPECIALS_LEFT + 2 <= GLOBAL_INPUTS);

/// A kind of tile that a set brings.
struct SetKind {
    index: usize,
    count: f32,
    river: bool,
    /// Whether it has a cathedral or an inn, and how many tiles have.
    special: Option<(Terrain, f32)>,
}

static SET_KINDS: LazyLock<Vec<SetKind>> = LazyLock::new(|| {
    let kinds = || Position::<AllSets>::kinds().skip(BASE_KINDS);
    let special = |tile: Tile| {
        tile.printed().segments.iter().find(|segment| segment.special).map(|s| s.terrain)
    };
    let all = |terrain: Terrain| {
        let those = kinds().filter(|tile| special(*tile) == Some(terrain));
        those.map(|tile| f32::from(tile.printed().count)).sum::<f32>()
    };
    let kind = |tile: Tile| SetKind {
        index: tile.index(),
        count: tile.printed().count.into(),
        river: tile.set().contains(Sets::RIVER),
        special: special(tile).map(|terrain| (terrain, all(terrain))),
    };
    kinds().map(kind).collect()
});

/// The points by which a player's lead in goods grows over the best of the others if the player
/// takes these.
fn gain<E: Edition>(game: &Position<E>, player: Player, taken: Goods) -> f32 {
    let mut gained = 0.0;
    for good in Good::ALL {
        if taken[good] == 0 {
            continue;
        }
        let tokens = |seat: usize| game.goods(Player::new(seat))[good];
        let others = (0..game.players()).filter(|seat| *seat != player.index());
        let best = others.map(tokens).max().unwrap_or(0);
        let lead = |own: u8| {
            MOST_GOODS * (one_if(own > 0 && own >= best) - one_if(best > 0 && best >= own))
        };
        let own = tokens(player.index());
        gained += lead(own + taken[good]) - lead(own);
    }
    gained
}

/// The tokens of each kind that nobody has taken yet.
fn tokens_to_come<E: Edition>(game: &Position<E>) -> [f32; 3] {
    let mut left = match game.setup().sets().contains(Sets::TRADERS) {
        true => TOKENS,
        false => [0.0; 3],
    };
    for seat in 0..game.players() {
        let goods = game.goods(Player::new(seat));
        for good in Good::ALL {
            left[good as usize] -= f32::from(goods[good]);
        }
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inputs::NetInput;
    use carcassonne::Expanded;
    use game::Record;

    fn read(moves: &str, seat: usize) -> NetInput {
        read_with("inns,traders", moves, seat)
    }

    fn read_with(sets: &str, moves: &str, seat: usize) -> NetInput {
        let text = format!("carcassonne players=2 sets={sets}\n{moves}");
        let game = text.parse::<Record<Expanded>>().unwrap().replay().unwrap();
        let mut input = NetInput::default();
        InputReader::default().read(&game, Player::new(seat), &mut input);
        input
    }

    /// A road with an inn, on which seat 0 has the big meeple and the builder.
    const ROAD: &str =
        "IC/RFr.i; 1,0 r0; big road0; B; 0,-1 r0; monastery; U; 2,0 r0; builder road0";

    #[test]
    fn a_road_shows_its_inn_and_whose_big_meeple_and_builder_stand_there() {
        for (seat, seen) in
            [(0, [1.0, 1.0, 0.0, 1.0, 1.0, 0.0]), (1, [1.0, 0.0, 1.0, 1.0, 0.0, 1.0])]
        {
            let input = read(ROAD, seat);
            let road = input.features.iter().find(|seen| seen.terrain == Terrain::Road).unwrap();
            assert_eq!(road.inputs[40..46], seen, "seat {seat}");
        }
    }

    #[test]
    fn the_position_shows_the_sets_and_the_figures_in_hand() {
        let x = read(ROAD, 0).globals;
        assert_eq!(x[64..69], [1.0, 1.0, 1.0, 0.0, 0.0], "inns and traders");
        assert_eq!(x[69..73], [0.0, 0.0, 1.0, 0.0], "mine: the pig");
        assert_eq!(x[73..77], [1.0, 1.0, 1.0, 0.0], "theirs");
        assert_eq!(x[87..90], [1.0; 3], "no goods are taken yet");
        assert!((x[158] - 5.0 / 6.0).abs() < 1e-6, "one of six inns is drawn: {}", x[158]);
    }

    /// What sets add to the first feature of a terrain.
    fn of_feature(sets: &str, moves: &str, seat: usize, terrain: Terrain) -> Vec<f32> {
        let input = read_with(sets, moves, seat);
        let feature = input.features.iter().find(|feature| feature.terrain == terrain).unwrap();
        feature.inputs[40..].to_vec()
    }

    #[test]
    fn a_field_shows_whose_pig_stands_there() {
        let moves = "U; 1,0 r0; field0; E; 0,1 r2; pass; U; 2,0 r0; pig field0";
        let seen = |seat| of_feature("traders", moves, seat, Terrain::Field);
        assert_eq!(seen(0)[..6], [1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
        assert_eq!(seen(1)[..6], [1.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
    }

    #[test]
    fn a_city_shows_its_goods_and_who_gains_by_them() {
        let city = "TB/Cc.w; 0,1 r2; city0";
        let seen = of_feature("traders", city, 0, Terrain::City);
        assert_eq!(seen[7..12], [0.5, 0.0, 0.0, 1.0, 1.0], "ten points for who finishes it");
        let taken = format!("{city}; E; 1,1 r3; pass");
        let x = read_with("traders", &taken, 1).globals;
        assert_eq!(x[81..84], [2.0 / 9.0, 0.0, 0.0], "mine");
        assert_eq!(x[87..90], [8.0 / 9.0, 1.0, 1.0], "to come");
        let x = read_with("traders", &taken, 0).globals;
        assert_eq!(x[81..87], [0.0, 0.0, 0.0, 2.0 / 9.0, 0.0, 0.0], "theirs");
    }

    #[test]
    fn a_garden_shows_whose_abbot_stands_there() {
        let moves = "V-garden; 1,0 r0; abbot garden";
        let seen = |seat| of_feature("gardens", moves, seat, Terrain::Monastery);
        assert_eq!(seen(0)[..6], [1.0, 0.0, 0.0, 1.0, 1.0, 0.0]);
        assert_eq!(seen(1)[..6], [1.0, 0.0, 0.0, 1.0, 0.0, 1.0]);
    }

    #[test]
    fn the_position_shows_a_doubled_turn_and_the_river_left() {
        let road = "U; 1,0 r0; road0; B; 0,-1 r0; pass; A; 2,0 r1; builder road0; \
                    B; 0,-2 r0; pass; A; -1,0 r3; pass";
        assert_eq!(read_with("traders", road, 0).globals[96], 1.0);
        assert_eq!(read_with("traders", "U; 1,0 r0; pass", 0).globals[96], 0.0);
        let start = read_with("river", "", 0).globals[97];
        assert!(start > 0.8, "{start}");
        assert_eq!(read_with("traders", "", 0).globals[97], 0.0);
    }
}
