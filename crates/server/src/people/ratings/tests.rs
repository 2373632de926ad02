//! What players must be able to rely on in their ratings.

use super::*;
use crate::wire::{GameResult, Reason};
use sqlx::Row;
use tokio::time::Instant;

/// A database with a user who makes the games.
async fn database() -> Db {
    let folder = std::env::temp_dir().join(format!("bastide_ratings_{}", crate::ids::new_id()));
    std::fs::create_dir_all(&folder).unwrap();
    let url = format!("sqlite:{}?mode=rwc", folder.join("t.db").display());
    let db = Db::open(&url, 2).await.unwrap();
    let sql = "INSERT INTO users (id, name, name_key, guest, created, seen) \
               VALUES ('u', 'u', 'u', 0, 0, 0)";
    run(&db, sql, &[]).await;
    db
}

async fn run(db: &Db, sql: &'static str, values: &[&str]) {
    let query = values.iter().fold(sqlx::query(sql), |query, value| query.bind(*value));
    query.execute(&db.pool).await.unwrap();
}

/// A game that is over; a seat that begins with `bot ` is a bot's.
async fn game(db: &Db, id: &str, ended: i64, seats: &[&str], places: &[usize], rated: bool) {
    game_of(db, id, "", ended, seats, places, rated).await;
}

/// A game with a setup that is over.
async fn game_of(
    db: &Db,
    id: &str,
    setup: &str,
    ended: i64,
    seats: &[&str],
    places: &[usize],
    rated: bool,
) {
    let result = GameResult {
        winners: Vec::new(),
        scores: vec![0; seats.len()],
        places: places.to_vec(),
        reason: if places.is_empty() { Reason::Abort } else { Reason::Normal },
    };
    let sql = "INSERT INTO games (id, game, setup, options, status, rated, visibility, clock, \
               pass_and_play, host, seed, seed_given, commitment, created, ended, result, turns) VALUES \
               ($1, 'carcassonne', $5, '{}', 'over', $2, 'public', '{}', 0, 'u', '', 0, '', 0, \
               $3, $4, 60)";
    let insert = sqlx::query(sql).bind(id).bind(i64::from(rated)).bind(ended);
    let insert = insert.bind(serde_json::to_string(&result).unwrap()).bind(setup);
    insert.execute(&db.pool).await.unwrap();
    for (seat, name) in seats.iter().enumerate() {
        let (user, bot) = match name.strip_prefix("bot ") {
            Some(bot) => (None, Some(bot)),
            None => (Some(*name), None),
        };
        let sql = "INSERT INTO seats (game_id, seat, kind, user_id, bot, name, nonce) \
                   VALUES ($1, $2, 'user', $3, $4, '', '')";
        let insert = sqlx::query(sql).bind(id).bind(seat as i64).bind(user).bind(bot);
        insert.execute(&db.pool).await.unwrap();
    }
    let mut transaction = db.pool.begin().await.unwrap();
    on_game_over(&mut transaction, id).await.unwrap();
    transaction.commit().await.unwrap();
}

async fn stored(db: &Db) -> BTreeMap<(String, Pool), StoredRating> {
    let mut all = BTreeMap::new();
    let rows = sqlx::query("SELECT subject, pool FROM ratings").fetch_all(&db.pool).await.unwrap();
    for row in rows {
        let (subject, name): (String, String) = (row.get("subject"), row.get("pool"));
        let pool = name.parse().unwrap();
        let mut connection = db.pool.acquire().await.unwrap();
        let standing = store::read(&mut connection, &subject, pool).await.unwrap();
        all.insert((subject, pool), standing);
    }
    all
}

#[tokio::test]
async fn ratings_are_settled_once_and_follow_from_the_games() {
    let db = database().await;
    game(&db, "g1", 100, &["ada", "bob"], &[1, 2], true).await;
    // Ended before the first one was written, and at the same moment as the next.
    game(&db, "g2", 90, &["bob", "bot mason"], &[1, 1], true).await;
    game(&db, "g3", 90, &["ada", "bot mason", "bot mason", "eve"], &[2, 1, 4, 3], true).await;
    game(&db, "g4", 90, &["ada", "bob"], &[2, 1], true).await;
    game(&db, "casual", 91, &["ada", "bob"], &[1, 2], false).await;
    game(&db, "aborted", 92, &["ada", "bob"], &[], true).await;
    game(&db, "alone", 93, &["bot mason", "bot mason"], &[1, 2], true).await;
    let first = stored(&db).await;
    let expected = [
        ("bot:carcassonne/mason", Pool::TWO, 1),
        ("bot:carcassonne/mason", Pool::MANY, 1),
        ("user:ada", Pool::TWO, 2),
        ("user:ada", Pool::MANY, 1),
        ("user:bob", Pool::TWO, 3),
        ("user:eve", Pool::MANY, 1),
    ];
    let games: Vec<_> =
        first.iter().map(|((subject, pool), s)| (subject.as_str(), *pool, s.games)).collect();
    assert_eq!(games, expected);
    for id in ["g1", "g2", "g3", "g4"] {
        let mut transaction = db.pool.begin().await.unwrap();
        on_game_over(&mut transaction, id).await.unwrap();
        transaction.commit().await.unwrap();
    }
    assert_eq!(stored(&db).await, first, "a game counts once");
    assert_eq!(recomputed(&db).await.unwrap(), first, "ratings follow from the games");
    let bots = first.iter().filter(|((subject, _), _)| subject.starts_with("bot:"));
    for ((subject, pool), standing) in bots {
        assert_eq!(Some(standing.rating), anchor(subject, *pool), "games do not move a bot");
    }
    let sql = "SELECT rating, rating_change FROM seats WHERE game_id = 'g1' ORDER BY seat";
    let rows = sqlx::query(sql).fetch_all(&db.pool).await.unwrap();
    let changes: Vec<f64> = rows.iter().map(|row| row.get("rating_change")).collect();
    assert!(changes[0] > 100.0 && (changes[0] + changes[1]).abs() < 1e-6, "{changes:?}");
    assert!(rows.iter().all(|row| row.get::<f64, _>("rating") == 1500.0));
}

#[tokio::test]
async fn games_with_sets_move_ratings_of_their_own() {
    let db = database().await;
    game(&db, "base", 100, &["ada", "bob"], &[1, 2], true).await;
    let before = stored(&db).await;
    game_of(&db, "inns", "players=2 sets=inns", 101, &["ada", "bob"], &[2, 1], true).await;
    game_of(
        &db,
        "all",
        "players=3 sets=inns,traders",
        102,
        &["ada", "bob", "eve"],
        &[1, 2, 3],
        true,
    )
    .await;
    game_of(&db, "more", "players=2 sets=inns", 103, &["ada", "bob"], &[2, 1], true).await;
    let after = stored(&db).await;
    for key in before.keys() {
        assert_eq!(after[key], before[key], "the main list stands");
    }
    let of = |who: &str, pool: &str| after[&(format!("user:{who}"), pool.parse().unwrap())];
    assert_eq!((of("ada", "two").games, of("ada", "two-inns").games), (1, 2));
    assert!(
        of("ada", "two").rating.rating > 1500.0 && of("ada", "two-inns").rating.rating < 1500.0
    );
    assert!(of("ada", "many-inns-traders").rating.rating > 1500.0);
    assert_eq!(after.len(), 2 + 2 + 3);
    assert_eq!(recomputed(&db).await.unwrap(), after, "ratings follow from the games");
}

#[tokio::test]
async fn a_transaction_that_is_not_committed_changes_no_rating() {
    let db = database().await;
    game(&db, "g1", 100, &["ada", "bob"], &[1, 2], true).await;
    let before = stored(&db).await;
    let mut transaction = db.pool.begin().await.unwrap();
    let sql = "DELETE FROM rating_history";
    sqlx::query(sql).execute(&mut *transaction).await.unwrap();
    on_game_over(&mut transaction, "g1").await.unwrap();
    transaction.rollback().await.unwrap();
    assert_eq!(stored(&db).await, before);
}

/// A newcomer against the weakest of our bots, which is known to be weak: a win says little, a loss
/// says much, and neither places them by one game alone.
#[tokio::test]
async fn a_newcomers_first_game_moves_them_by_at_most_their_deviation() {
    let db = database().await;
    game(&db, "won", 100, &["ada", "bot shepherd"], &[1, 2], true).await;
    game(&db, "lost", 100, &["bot shepherd", "bob"], &[1, 2], true).await;
    game(&db, "many", 100, &["eve", "bot shepherd", "bot pilgrim"], &[1, 2, 3], true).await;
    game(&db, "strong", 100, &["fay", "bot master", "bot abbess"], &[1, 2, 3], true).await;
    let after = stored(&db).await;
    let of = |who: &str, pool| after[&(who.to_owned(), pool)].rating;
    let shepherd = of("bot:carcassonne/shepherd", Pool::TWO).rating;
    let won = of("user:ada", Pool::TWO);
    assert!((1510.0..1550.0).contains(&won.rating), "what was to be expected: {won:?}");
    let lost = of("user:bob", Pool::TWO);
    assert_eq!(lost.rating, 1150.0, "a surprise");
    assert!(lost.rating > shepherd, "one loss to a bot does not place anybody below it");
    let many = of("user:eve", Pool::MANY);
    let strong = of("user:fay", Pool::MANY);
    let (little, much) = (many.rating - 1500.0, strong.rating - 1500.0);
    assert!(little > 0.0 && 1.5 * little < much, "{many:?} {strong:?}");
    for standing in [won, lost, many] {
        assert!(standing.deviation < 350.0, "better known than before: {standing:?}");
    }
    let sql = "SELECT COUNT(*) FROM rating_history WHERE subject LIKE 'bot:%'";
    let history: i64 = sqlx::query_scalar(sql).fetch_one(&db.pool).await.unwrap();
    assert_eq!(history, 0, "what never changes has no history");
}

#[test]
fn the_levels_stand_in_order_with_mason_in_the_middle() {
    for pool in [Pool::TWO, Pool::MANY] {
        let of = |name: &str| anchor(&format!("bot:carcassonne/{name}"), pool).unwrap();
        assert_eq!(of("mason").rating, 1500.0);
        let all: Vec<Rating> = bots::levels::LEVELS.iter().map(|level| of(level.name)).collect();
        assert!(all.is_sorted_by(|weaker, stronger| weaker.rating <= stronger.rating), "{all:?}");
        assert!(all.iter().all(|rating| rating.deviation < pool.provisional_above()));
    }
    for subject in ["bot:carcassonne/best", "bot:tinytown/mason", "user:mason", "bot:mason"] {
        assert_eq!(anchor(subject, Pool::TWO), None, "{subject}");
    }
    let with_sets = "two-inns".parse().unwrap();
    assert_eq!(anchor("bot:carcassonne/mason", with_sets), None, "measured in the base game");
}

#[test]
fn the_seeds_of_games_for_two_are_the_measured_win_rates() {
    // Each level on the one below it, 200 pairs: docs/strength.md.
    let wins = [0.675, 0.721, 0.719, 0.745, 0.719, 0.713, 0.738];
    for (pair, wins) in bots::levels::LEVELS.windows(2).zip(wins) {
        let step = pair[1].rating_two - pair[0].rating_two;
        let expected = 1.0 / (1.0 + 10.0_f64.powf(-step / 400.0));
        assert!((expected - wins).abs() < 0.002, "{}: {expected:.3}", pair[1].name);
    }
}

#[test]
fn the_seeds_of_games_for_more_are_the_measured_shares() {
    // Each level on the one below it among four players, 200 rounds (the last 100): docs/strength.md.
    let shares = [0.563, 0.651, 0.654, 0.621, 0.607, 0.607, 0.569];
    for (pair, share) in bots::levels::LEVELS.windows(2).zip(shares) {
        let step = pair[1].rating_many - pair[0].rating_many;
        let expected = 1.0 / (1.0 + (-step / 354.0).exp());
        assert!((expected - share).abs() < 0.002, "{}: {expected:.3}", pair[1].name);
    }
}

#[tokio::test]
async fn ratings_of_bots_from_an_older_version_are_put_right() {
    let db = database().await;
    for (subject, rating) in
        [("bot:carcassonne/shepherd", 1700.0), ("bot:carcassonne/best", 1900.0)]
    {
        let sql = "INSERT INTO ratings VALUES ($1, 'two', $2, 90, 0.06, 12, 5)";
        sqlx::query(sql).bind(subject).bind(rating).execute(&db.pool).await.unwrap();
    }
    let sql = "INSERT INTO ratings VALUES ('user:ada', 'two', 1800, 90, 0.06, 12, 5)";
    sqlx::query(sql).execute(&db.pool).await.unwrap();
    hold_bots(&db).await.unwrap();
    let after = stored(&db).await;
    let subjects: Vec<&str> = after.keys().map(|(subject, _)| subject.as_str()).collect();
    assert_eq!(subjects, ["bot:carcassonne/shepherd", "user:ada"], "engines have no rating");
    let standings: Vec<_> = after.values().map(|s| (s.rating.rating, s.games)).collect();
    assert_eq!(standings, [(1045.0, 12), (1800.0, 12)], "people keep theirs");
}

/// Later games are recomputed in pieces; games end and the server is killed in between.
#[tokio::test]
async fn what_follows_from_a_game_taken_back_can_be_resumed() {
    let db = database().await;
    let players = ["ada", "bob", "eve", "fay"];
    let day = crate::time::DAY;
    game(&db, "before", day, &["ada", "bob"], &[1, 2], true).await;
    game(&db, "tainted", 2 * day, &["ada", "bob"], &[1, 2], true).await;
    for number in 0..20_usize {
        let seats = [players[number % 4], players[(number + 1) % 4]];
        let ended = (3 + number as i64) * day;
        game(&db, &format!("later{number:02}"), ended, &seats, &[1, 2], true).await;
    }
    game(&db, "bots", 40 * day, &["bot mason", "ada"], &[1, 2], true).await;
    let before = stored(&db).await;
    let mut transaction = db.begin().await.unwrap();
    assert!(annul(&mut transaction, "tainted").await.unwrap());
    assert!(!annul(&mut transaction, "tainted").await.unwrap(), "once");
    transaction.commit().await.unwrap();
    assert_eq!(stored(&db).await, before, "ratings stand until all is recomputed");
    let mut pieces = 0;
    let mut current: Option<Recomputation> = None;
    loop {
        let mut transaction = db.begin().await.unwrap();
        let mut recomputation = match current.take() {
            Some(current) => current,
            None => match Recomputation::first(&mut transaction).await.unwrap() {
                Some(first) => first,
                None => break,
            },
        };
        // A time that is over: one game a piece.
        let done = recomputation.step(&mut transaction, Instant::now()).await.unwrap();
        pieces += 1;
        if pieces == 8 {
            // Killed before the commit: everything begins anew.
            transaction.rollback().await.unwrap();
            continue;
        }
        transaction.commit().await.unwrap();
        match pieces {
            // They end at a time that those recomputed have passed.
            4 => game(&db, "meanwhile", 3 * day, &["bob", "eve"], &[1, 2], true).await,
            20 => game(&db, "early", 1, &["fay", "new"], &[1, 2], true).await,
            _ => {}
        }
        current = (!done).then_some(recomputation);
    }
    assert!(pieces > 30, "{pieces}");
    let after = stored(&db).await;
    let expected = recomputed(&db).await.unwrap();
    assert_eq!(after.len(), expected.len());
    for (subject, standing) in &expected {
        let (is, must) = (after[subject].rating.rating, standing.rating.rating);
        assert!((is - must).abs() < 1e-9, "{subject:?}: {is} is not {must}");
        assert_eq!(after[subject].games, standing.games, "{subject:?}");
    }
    assert_ne!(
        after[&("user:eve".into(), Pool::TWO)].rating,
        before[&("user:eve".into(), Pool::TWO)].rating
    );
}
