//! The claims of `docs/state-space.md` about the formal model, checked.

use carcassonne::{
    Carcassonne, Cell, FeatureId, MEEPLES, Move, Rotation, Segment, Setup, Side, Start, TILES,
    Terrain, Tile,
};
use game::{Game, Player, Random, Turn};
use std::collections::BTreeSet;

const MODEL_35: &str = "players=2 farmers=off start=empty board=35x35";

fn new(setup: &str) -> Carcassonne {
    Carcassonne::new(&setup.parse::<Setup>().expect("a setup"))
}

fn after(setup: &str, moves: &str) -> Carcassonne {
    let mut game = new(setup);
    for m in moves.split(';') {
        game.play(m.parse().expect("a move"), |_| {}).expect("a legal move");
    }
    game
}

/// Plays a random game and tells `each` every position on the way.
fn random_game(setup: &str, seed: u64, mut each: impl FnMut(&Carcassonne)) -> Carcassonne {
    let mut random = Random::new(seed);
    let mut game = new(setup);
    let mut moves = Vec::new();
    loop {
        each(&game);
        game.moves(&mut moves);
        let m = match game.turn() {
            Turn::Chance => game.sample_outcome(&mut random),
            _ => random.pick(&moves).copied(),
        };
        match m {
            Some(m) => game.play_unchecked(m, |_| {}),
            None => return game,
        }
    }
}

#[test]
fn each_model_is_a_setup() {
    for (text, draws) in [
        (MODEL_35, 72),
        ("players=2 farmers=off start=empty board=30x30", 72),
        ("players=2 farmers=off start=tile board=30x30", 71),
        ("players=2", 71),
    ] {
        let game = new(text);
        assert_eq!(game.tiles_left(), draws);
        let lies = usize::from(game.setup().start == Start::Tile);
        assert_eq!(game.tiles().len(), lies);
        let over = random_game(text, 1, |game| {
            // |B_s| is s - 1 without a start tile, s with one; a tile may be set aside.
            let drawn = draws - game.tiles_left();
            let aside: u8 = game.discards().iter().sum();
            let in_hand = usize::from(game.tile_in_hand().is_some());
            assert_eq!(game.tiles().len() + usize::from(aside) + in_hand, lies + drawn);
        });
        assert_eq!(over.tiles_left(), 0);
    }
}

#[test]
fn matrix_indices_and_cells_are_each_others_inverse() {
    for n in 1..=Setup::LARGEST_SQUARE {
        let mut cells = BTreeSet::new();
        for i in 1..=n {
            for j in 1..=n {
                let cell = Cell::from_matrix(n, i, j).expect("an index of the matrix");
                assert_eq!(cell.to_matrix(n), Some((i, j)));
                cells.insert(cell);
            }
        }
        assert_eq!(cells.len(), usize::from(n) * usize::from(n));
        let centre = n.div_ceil(2);
        assert_eq!(Cell::from_matrix(n, centre, centre), Some(Cell::ORIGIN));
        for (i, j) in [(0, 1), (1, 0), (n + 1, 1), (1, n + 1)] {
            assert_eq!(Cell::from_matrix(n, i, j), None);
        }
    }
    let step = |side| Cell::from_matrix(35, 10, 10).map(|cell| cell.step(side));
    assert_eq!(step(Side::South), Cell::from_matrix(35, 11, 10), "rows count southwards");
    assert_eq!(step(Side::East), Cell::from_matrix(35, 10, 11), "columns count eastwards");
}

#[test]
fn the_board_of_a_square_setup_is_the_matrix() {
    for n in [1, 2, 3, 4, 5, 30, 35, 145] {
        let game = after(&format!("start=empty board={n}x{n}"), "U");
        for x in -80..=80 {
            for y in -80..=80 {
                let cell = Cell::new(x, y);
                let played = game.clone().play(Move::place(cell, Rotation::new(0)), |_| {});
                let outside = played.is_err_and(|e| e.reason.contains("outside the board"));
                assert_eq!(outside, cell.to_matrix(n).is_none(), "{cell} on {n}x{n}");
            }
        }
    }
}

/// is_valid_placement as the models write it: the edges are like those of the tiles beside.
fn is_valid_placement(game: &Carcassonne, tile: Tile, cell: Cell, rotation: Rotation) -> bool {
    Side::ALL.into_iter().all(|side| {
        game.tile_at(cell.step(side)).is_none_or(|beside| {
            edge(tile, rotation, side) == edge(beside.tile, beside.rotation, side.opposite())
        })
    })
}

/// What rotate(t, θ) shows on a side.
fn edge(tile: Tile, rotation: Rotation, side: Side) -> Terrain {
    let printed = Side::ALL.into_iter().find(|printed| printed.turned(rotation) == side);
    tile.printed().edges[printed.expect("some side is turned there") as usize]
}

fn matrix(n: u8) -> impl Iterator<Item = Cell> {
    (1..=n).flat_map(move |i| (1..=n).filter_map(move |j| Cell::from_matrix(n, i, j)))
}

#[test]
fn is_valid_placement_with_contact_is_what_the_engine_allows() {
    for seed in 0..12 {
        random_game("players=2 farmers=off start=tile board=30x30", seed, |game| {
            let Some(tile) = game.tile_in_hand() else { return };
            for cell in matrix(30) {
                let contact = Side::ALL.iter().any(|s| game.tile_at(cell.step(*s)).is_some());
                let empty = game.tile_at(cell).is_none();
                for rotation in Rotation::ALL {
                    let valid = is_valid_placement(game, tile, cell, rotation);
                    let legal = game.is_legal(Move::place(cell, rotation));
                    assert_eq!(legal, empty && contact && valid, "{tile} on {cell} {rotation}");
                }
            }
        });
    }
}

#[test]
fn every_cell_of_an_empty_board_passes_the_formula() {
    let game = after(MODEL_35, "U");
    let tile = game.tile_in_hand().expect("U is in hand");
    let passes = matrix(35).flat_map(|cell| Rotation::ALL.map(|r| (cell, r)));
    let passes = passes.filter(|(cell, r)| is_valid_placement(&game, tile, *cell, *r)).count();
    assert_eq!(passes, 35 * 35 * 4);
    let mut moves = Vec::new();
    game.moves(&mut moves);
    assert_eq!(moves, Rotation::ALL.map(|rotation| Move::place(Cell::ORIGIN, rotation)));
}

/// The segments of the last tile, each with its feature.
fn segments_of_last(game: &Carcassonne) -> Vec<(Segment, FeatureId)> {
    let last = game.last_placed().expect("a tile was placed");
    (0..)
        .map_while(|index| Segment::at(last.tile, index))
        .map(|s| (s, game.feature_at(last.cell, s).expect("the tile has it")))
        .collect()
}

#[test]
fn the_union_forbids_every_meeple_the_intersection_is_the_rule() {
    let mut allowed = 0;
    for seed in 0..40 {
        random_game("players=2", seed, |game| {
            let Turn::Player(player) = game.turn() else { return };
            if game.tile_in_hand().is_some() || game.supply()[player] == 0 {
                return;
            }
            let segments = segments_of_last(game);
            let stands = |id: &FeatureId| game.meeples().any(|meeple| meeple.feature == *id);
            let features = segments.iter().map(|(_, id)| *id);
            let with_meeple: BTreeSet<FeatureId> = features.filter(stands).collect();
            for (segment, id) in segments {
                let own = BTreeSet::from([id]);
                let legal = game.is_legal(Move::meeple(segment));
                let union = own.union(&with_meeple).count();
                assert_ne!(union, 0, "so the formula forbids {segment}");
                assert_eq!(own.is_disjoint(&with_meeple), legal, "{segment}");
                allowed += usize::from(legal);
            }
        });
    }
    assert!(allowed > 1000);
}

/// Whether the models call two sides of a tile connected: alike, and not opposite.
fn connected(tile: Tile, a: Side, b: Side) -> bool {
    let edges = tile.printed().edges;
    a != b && a.opposite() != b && edges[a as usize] == edges[b as usize]
}

/// The kinds on which the models join two segments of a terrain that the game keeps apart.
fn wrongly_joined(terrain: Terrain) -> String {
    let joins = |tile: &Tile| {
        let segments = tile.printed().segments.iter().filter(|s| s.terrain == terrain);
        let reached: Vec<Vec<Side>> = segments.map(carcassonne::PrintedSegment::reaches).collect();
        reached.iter().enumerate().any(|(number, own)| {
            let others = reached[number + 1..].iter().flatten();
            others.clone().any(|b| own.iter().any(|a| connected(*tile, *a, *b)))
        })
    };
    Tile::all().filter(joins).map(Tile::letter).collect()
}

#[test]
fn five_positions_join_the_two_cities_of_i() {
    assert_eq!(wrongly_joined(Terrain::City), "I");
    assert_eq!(wrongly_joined(Terrain::Road), "LWX", "the kinds with a village");
    let game = after("start=empty", "I;0,0 r0");
    let city = |name: &str| game.feature_at(Cell::ORIGIN, name.parse().expect("a segment"));
    assert!(city("city0").is_some() && city("city0") != city("city1"));
}

#[test]
fn some_fields_have_no_position() {
    // A field has a position if it is all that some edge shows.
    let hidden = |tile: &Tile| {
        let fields = tile.printed().segments.iter().filter(|s| s.terrain == Terrain::Field);
        let on_edge = |side: &Side| tile.printed().edges[*side as usize] == Terrain::Field;
        fields.filter(|field| !field.reaches().iter().any(on_edge)).count() > 0
    };
    let kinds: String = Tile::all().filter(hidden).map(Tile::letter).collect();
    assert_eq!(kinds, "DJKLOPSTVWX");
}

#[test]
fn a_village_is_where_the_roads_of_a_kind_end() {
    let village = |tile: &Tile| tile.printed().count_of(Terrain::Road) > 1;
    assert_eq!(Tile::all().filter(village).map(Tile::letter).collect::<String>(), "LWX");
}

#[test]
fn t_forgets_scores_and_returns() {
    let game = after("players=2", "E;0,1 r2;city0");
    let by_the_formula = MEEPLES as u8 - 1;
    assert_ne!(game.supply()[Player::new(0)], by_the_formula, "the meeple came back");
    assert_eq!(game.scores()[Player::new(0)], 4, "and four points with it");
}

#[test]
fn the_turn_formula_holds_until_a_tile_is_set_aside() {
    let formula = |game: &Carcassonne| {
        let step = TILES - game.tiles_left();
        Player::new((step - 1) % 2)
    };
    let mut held = 0;
    for seed in 0..200 {
        random_game(MODEL_35, seed, |game| {
            let aside = game.discards().iter().any(|count| *count > 0);
            if let (Turn::Player(player), false) = (game.turn(), aside) {
                assert_eq!(player, formula(game));
                held += 1;
            }
        });
    }
    assert!(held > 10_000);
    let game = after("players=2 start=empty board=2x2", "D;0,0 r0;pass;C;U");
    assert_eq!(game.turn(), Turn::Player(Player::new(1)), "C is set aside, player 1 draws again");
    assert_eq!(formula(&game), Player::new(0), "but s went on");
}

#[test]
fn the_pile_is_what_neither_lies_nor_was_set_aside() {
    random_game("players=2 farmers=off start=empty board=5x5", 3, |game| {
        for tile in Tile::all() {
            let lies = game.tiles().map(|placed| placed.tile).chain(game.tile_in_hand());
            let lies = lies.filter(|kind| *kind == tile).count();
            let aside = usize::from(game.discards()[tile.index()]);
            let left = usize::from(game.bag()[tile.index()]);
            assert_eq!(left + lies + aside, usize::from(tile.printed().count));
            if game.turn() == Turn::Chance {
                assert_eq!(game.odds(Move::draw(tile)) as usize, left);
            }
        }
    });
}

#[test]
fn the_page_names_every_test_and_no_other() {
    let folder = env!("CARGO_MANIFEST_DIR");
    let read = |path: &str| std::fs::read_to_string(format!("{folder}/{path}")).expect("a file");
    let (page, own) = (read("../../docs/state-space.md"), read("tests/state_space.rs"));
    let tests = own.split("#[test]\nfn ").skip(1).filter_map(|text| text.split('(').next());
    let tests: BTreeSet<&str> = tests.filter(|name| !name.starts_with("the_page")).collect();
    let named = page.split(['*', ' ', '\n']).filter(|word| word.matches('_').count() > 2);
    let named: BTreeSet<&str> = named.filter(|word| !word.contains(['`', '('])).collect();
    assert_eq!(tests, named);
}
