//! What must hold for every game: a rules crate's first test calls [`check`].
//!
//! ```ignore
//! #[test]
//! fn laws() {
//!     game::laws::check::<MyGame>(&[Setup::default()], 100, 1);
//! }
//! ```

use crate::{Game, Random, Record, Turn, ignore};

/// No game here is longer than this many moves; a random game that is does not end.
const LONGEST: usize = 10_000;

/// Plays `games` random games of each setup and checks every law after every move.
///
/// The laws: the setup, each move and the whole record parse back from their text; the list of
/// moves holds no move twice and only legal ones; a move that is not listed is refused with a
/// reason and changes nothing; odds are positive exactly for listed outcomes of chance; sampled
/// outcomes are listed; nobody moves when the game is over, and there is a move otherwise; the
/// game ends; a copy and a replay are equal to the original in everything that can be asked.
///
/// # Panics
/// If a law is broken, with the record of the game so far.
pub fn check<G: Game>(setups: &[G::Setup], games: usize, seed: u64) {
    let mut random = Random::new(seed);
    let mut stray = Vec::new();
    for setup in setups {
        assert_eq!(parse::<G::Setup>(&setup.to_string()), *setup, "the setup parses back");
        for _ in 0..games {
            check_game::<G>(setup, &mut random, &mut stray);
        }
    }
}

/// Moves seen earlier are the strays that a position must refuse unless it lists them.
fn check_game<G: Game>(setup: &G::Setup, random: &mut Random, stray: &mut Vec<G::Move>) {
    let mut record = Record::<G>::new(setup.clone());
    let mut game = G::new(setup);
    let mut events = 0;
    loop {
        let at = |law: &str| format!("{law}, after\n{record}");
        let moves = listed(&game);
        check_moves(&game, &moves, random, stray, &at);
        let m = match game.turn() {
            Turn::Over => break,
            Turn::Chance => game.sample_outcome(random),
            Turn::Player(player) => {
                assert!(player.index() < game.players(), "{}", at("the player has a seat"));
                random.pick(&moves).copied()
            }
        };
        let m = m.unwrap_or_else(|| panic!("{}", at("somebody can move until the game is over")));
        assert!(moves.contains(&m), "{}", at("a sampled outcome is listed"));

        let mut silent = game.clone();
        silent.play_unchecked(m, ignore);
        let played = game.play(m, |_| events += 1);
        assert!(played.is_ok(), "{}: {played:?}", at("a listed move is played"));
        assert_same(&game, &silent, || at("playing checked and unchecked is the same"));
        record.moves.push(m);
        assert!(record.moves.len() < LONGEST, "the game ends");
        if stray.len() < 64 || random.below(8) == 0 {
            stray.truncate(63);
            stray.insert(random.below(stray.len() as u32 + 1) as usize, m);
        }
    }
    let text = record.to_string();
    let back = text.parse::<Record<G>>();
    assert_eq!(back.as_ref().ok(), Some(&record), "the record parses back: {back:?}\n{text}");
    let mut heard = 0;
    let replayed = record.replay_to(record.moves.len(), |ply, _| heard += usize::from(ply > 0));
    match replayed {
        Ok(again) => assert_same(&again, &game, || "a replay is the original".to_owned()),
        Err(error) => panic!("the record replays: {error}\n{text}"),
    }
    assert_eq!(heard, events, "a replay tells the same events");
}

fn check_moves<G: Game>(
    game: &G,
    moves: &[G::Move],
    random: &mut Random,
    stray: &[G::Move],
    at: &impl Fn(&str) -> String,
) {
    let chance = game.turn() == Turn::Chance;
    assert_eq!(moves.is_empty(), game.turn() == Turn::Over, "{}", at("moves until it is over"));
    let mut sorted = moves.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(sorted.len(), moves.len(), "{}", at("no move is listed twice"));
    for m in moves {
        assert!(game.is_legal(*m), "{}", at(&format!("{m} is listed, so legal")));
        assert_eq!(game.odds(*m) > 0, chance, "{}", at(&format!("{m} has odds iff chance moves")));
        let text = m.to_string();
        assert!(!text.contains([';', '#', '\n']), "{}", at("a move's text fits a record"));
        assert_eq!(parse::<G::Move>(&text), *m, "{}", at("a move parses back"));
    }
    if let Some(m) = random.pick(stray).filter(|m| !moves.contains(m)) {
        let mut copy = game.clone();
        assert!(!game.is_legal(*m), "{}", at(&format!("{m} is not listed, so not legal")));
        let refused = copy.play(*m, |_| panic!("an illegal move tells no events"));
        let error = refused.expect_err("an illegal move is refused");
        assert!(!error.reason.is_empty(), "{}", at("a refusal says why"));
        assert_same(&copy, game, || at("a refused move changes nothing"));
    }
    if !chance {
        assert!(game.sample_outcome(random).is_none(), "{}", at("chance moves only on its turn"));
    }
}

fn assert_same<G: Game>(a: &G, b: &G, law: impl Fn() -> String) {
    assert_eq!(a.turn(), b.turn(), "{}", law());
    assert_eq!(a.scores(), b.scores(), "{}", law());
    assert_eq!(listed(a), listed(b), "{}", law());
}

fn listed<G: Game>(game: &G) -> Vec<G::Move> {
    let mut moves = Vec::new();
    game.moves(&mut moves);
    moves
}

fn parse<T: std::str::FromStr<Err: std::fmt::Display>>(text: &str) -> T {
    text.parse().unwrap_or_else(|error| panic!("'{text}' parses back: {error}"))
}
