//! Tables whose bots fail, whose log is torn, whose task panics: no game gets stuck.

mod rated_bots;

use super::command::{Command, TableHandle, ViewOf};
use super::manager::Tables;
use super::store::{Saved, SavedSeat};
use super::task::spawn_table;
use crate::bus::Exchange;
use crate::config::TableSettings;
use crate::engine::work::{WorkQueue, WorkThreads};
use crate::error::Refusal;
use crate::games::deck::Seed;
use crate::games::toy::{self, Toy};
use crate::ids;
use crate::people::accounts::{Requester, new_guest};
use crate::play::journal::{Change, Journal, LogRow, NotWritten};
use crate::play::table::Action;
use crate::storage::db::{Db, Fence, Sharing};
use crate::wire::{NewGame, Occupant, SeatRequest, UserRef};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::Duration;
use tokio::sync::oneshot;

/// A place with a database of its own.
struct Fixture {
    db: Db,
    fence: Fence,
    tables: Tables,
    who: Requester,
    folder: PathBuf,
}

impl Fixture {
    async fn open() -> Self {
        Self::open_with(|_| {}).await
    }

    async fn open_with(change: impl FnOnce(&mut TableSettings)) -> Self {
        let folder = std::env::temp_dir().join(format!("bastide_table_{}", ids::new_id()));
        std::fs::create_dir_all(&folder).unwrap();
        let url = format!("sqlite:{}?mode=rwc", folder.join("bastide.db").display());
        let db = Db::open(&url, 4).await.unwrap();
        let mut settings = TableSettings {
            bot_time: Duration::from_millis(10),
            bot_pause: Duration::ZERO,
            bot_grace: Duration::from_millis(300),
            ..TableSettings::default()
        };
        change(&mut settings);
        let fence = Fence::raise(&db, Sharing::Alone).await.unwrap();
        let work = WorkQueue::start(WorkThreads { bots: 1, analyses: 1, reviews: 1, mining: 0 });
        let alone = Exchange::alone(1);
        let tables = Tables::start(db.clone(), fence.clone(), alone, work, settings).await.unwrap();
        let user = new_guest(&db).await.unwrap();
        let who = Requester {
            user: user.id,
            name: user.name,
            guest: true,
            bot_token: false,
            session: None,
            token: None,
        };
        Self { db, fence, tables, who, folder }
    }

    /// A table of the toy game with these bots.
    async fn toy_table(&self, bots: [&str; 2]) -> TableHandle {
        self.toy_table_with(bots, Saved::blank()).await
    }

    /// The same, with what is settled otherwise.
    async fn toy_table_with(&self, bots: [&str; 2], settled: Saved) -> TableHandle {
        let (id, seed) = (ids::new_game_id(), Seed::random());
        let seat = |bot: &str| SavedSeat {
            sitter: Occupant::Bot { bot: bot.to_owned() },
            nonce: String::new(),
            rating: None,
            rating_change: None,
        };
        let saved = Saved {
            commit: seed.commitment(&id),
            seed: seed.reveal(),
            id,
            game: "toy".to_owned(),
            setup: "2".to_owned(),
            options: json!({}),
            host: UserRef { id: self.who.user.clone(), name: self.who.name.clone() },
            seats: bots.map(seat).into(),
            ..settled
        };
        let statements = super::store::insert(&saved);
        self.tables.journal().write(Change { statements, ..Change::default() }).await.unwrap();
        spawn_table::<Toy>(self.tables.clone(), saved, false).await.unwrap()
    }
}

impl Drop for Fixture {
    fn drop(&mut self) {
        // A folder that stays behind is no failure of the test.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

async fn look(table: &TableHandle) -> Value {
    let (answer, answered) = oneshot::channel();
    let look = Command::Look { who: None, view: ViewOf::Welcome, answer };
    table.send(look).await.expect("the table is there");
    serde_json::from_str(&answered.await.unwrap().unwrap()).unwrap()
}

async fn until_over(table: &TableHandle) -> Value {
    for _ in 0..1200 {
        let state = look(table).await;
        if state["info"]["status"] == "over" {
            return state;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the game is stuck: {}", look(table).await);
}

/// A failed bot move leaving the game stuck: not here, however the bot fails.
#[tokio::test]
async fn a_failed_bot_move_leaving_the_game_stuck() {
    let tables = Fixture::open().await;
    for bot in ["panics", "silent", "cheats", "unknown", "stuck"] {
        let table = tables.toy_table([bot, "fair"]).await;
        let over = until_over(&table).await;
        assert_eq!(over["info"]["result"]["reason"], "normal", "{bot}");
        assert_eq!(over["update"]["ply"], toy::MOVES, "{bot}: each turn was played once");
    }
}

/// As when a node leaves just after it was named as the one that holds a game.
#[tokio::test]
async fn nobody_is_kept_waiting_for_a_node_that_is_not_there() {
    let tables = Fixture::open().await;
    let table = super::remote::spawn_proxy(&tables.tables, "somegame", 7);
    for _ in 0..200 {
        if table.is_gone() {
            return;
        }
        // People ask again and again.
        let (answer, _answered) = oneshot::channel();
        let look = Command::Look { who: None, view: ViewOf::Spectator, answer };
        let _ = table.send(look).await;
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("it is asked for ever");
}

/// A thread that stalls is our fault: the bot does not lose by it, in rated games neither.
#[tokio::test]
async fn a_bot_whose_thread_stalls_does_not_lose_on_time() {
    let tables =
        Fixture::open_with(|settings| settings.bot_grace = Duration::from_millis(1500)).await;
    let clock = crate::wire::ClockRule::Move { per_move_ms: 1000 };
    let hurried = Saved { rated: true, clock, ..Saved::blank() };
    let table = tables.toy_table_with(["stuck", "fair"], hurried).await;
    let over = until_over(&table).await;
    assert_eq!(over["info"]["result"]["reason"], "normal", "{}", over["info"]["result"]);
    assert_eq!(over["update"]["ply"], toy::MOVES);
}

#[tokio::test]
async fn a_table_that_panics_ends_alone_and_is_rebuilt_from_its_log() {
    let tables = Fixture::open().await;
    let new = NewGame {
        game: "carcassonne".to_owned(),
        options: Value::Null,
        seats: vec![SeatRequest::Me, SeatRequest::Me],
        shuffle_seats: false,
        rated: false,
        help: false,
        visibility: crate::wire::Visibility::Public,
        clock: crate::wire::ClockRule::None,
        seed: None,
        nonce: None,
        from: None,
    };
    let id = tables.tables.create(&tables.who, new.clone()).await.unwrap();
    let other = tables.tables.create(&tables.who, new).await.unwrap();
    let see = async |id: &str| -> Value {
        let text = tables.tables.look(id, Some(&tables.who), ViewOf::Welcome).await.unwrap();
        serde_json::from_str(&text).unwrap()
    };
    let before = see(&id).await;
    let moves = vec![before["update"]["legal"][0]["move"].as_str().unwrap().to_owned()];
    let play = Action::Play { version: None, moves: super::Moves::Text(moves) };
    tables.tables.act(&id, &tables.who, None, play).await.unwrap();
    let before = see(&id).await;
    let first = tables.tables.table(&id).await.unwrap();
    first.send(Command::Panic).await.unwrap();
    while !first.is_gone() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let after = see(&id).await;
    assert_eq!(after["update"], before["update"]);
    assert_eq!(see(&other).await["info"]["status"], "playing", "the others did not notice");
}

#[tokio::test]
async fn a_second_writer_of_the_same_entry_is_refused_and_the_others_of_its_group_are_not() {
    let tables = Fixture::open().await;
    let table = tables.toy_table(["fair", "fair"]).await;
    let id = until_over(&table).await["info"]["id"].as_str().unwrap().to_owned();
    let journal = Journal::start(tables.db.clone(), tables.fence.clone());
    let row = |ply: i64| LogRow {
        game: id.clone(),
        ply,
        seat: None,
        kind: "move",
        body: "a".to_owned(),
        at: 0,
        clocks: "[]".to_owned(),
        spent: None,
    };
    let change = |rows: Vec<LogRow>| Change { log: rows, ..Change::default() };
    let (fresh, taken, torn) = tokio::join!(
        journal.write(change(vec![row(100)])),
        journal.write(change(vec![row(1)])),
        journal.write(change(vec![row(101), row(2)])),
    );
    assert_eq!((fresh, taken, torn), (Ok(()), Err(NotWritten), Err(NotWritten)));
    let count: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM log WHERE game_id = $1 AND ply > 99")
        .bind(&id)
        .fetch_one(&tables.db.pool)
        .await
        .unwrap();
    assert_eq!(count, 1, "all of a change or nothing");
}

#[tokio::test]
async fn a_game_whose_log_is_torn_is_refused_not_guessed() {
    let tables = Fixture::open().await;
    let table = tables.toy_table(["fair", "fair"]).await;
    let id = until_over(&table).await["info"]["id"].as_str().unwrap().to_owned();
    let mut saved = super::store::load(&tables.db, &id).await.unwrap().unwrap();
    saved.log.remove(2);
    let torn = spawn_table::<Toy>(tables.tables.clone(), saved, false).await;
    assert_eq!(torn.map(|_| ()), Err(Refusal::Internal));
}
