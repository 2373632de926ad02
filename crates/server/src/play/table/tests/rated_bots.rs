//! Rated games against our bots: with the nodes that their ratings were measured with, or not at
//! all.

use super::Fixture;
use crate::engine::bot_pool::Waits;
use crate::error::Refusal;
use crate::people::accounts::Requester;
use crate::wire::{ClockRule, NewGame, RatedOffer, SeatRequest, Visibility};
use search::Stop;
use serde_json::Value;
use std::sync::mpsc;
use std::time::Duration;

fn against(bot: &str, rated: bool) -> NewGame {
    NewGame {
        game: "carcassonne".to_owned(),
        options: Value::Null,
        seats: vec![SeatRequest::Me, SeatRequest::Bot { bot: bot.to_owned() }],
        shuffle_seats: false,
        rated,
        visibility: Visibility::Public,
        clock: ClockRule::Move { per_move_ms: 60_000 },
        seed: None,
        nonce: None,
        from: None,
        help: false,
    }
}

#[tokio::test]
async fn rated_games_are_not_offered_when_the_queue_cannot_give_a_level_its_nodes() {
    let tables = Fixture::open().await;
    let who = Requester { guest: false, ..tables.who.clone() };
    let offers = || {
        let bots = tables.tables.game_types(false)[0].bots.clone();
        assert_eq!((bots[0].name.as_str(), bots[7].name.as_str()), ("shepherd", "master"));
        (bots[0].rated, bots[7].rated)
    };
    assert_eq!(offers(), (RatedOffer::Offered, RatedOffer::Offered));
    tables.tables.create(&who, against("master", true)).await.unwrap();
    // The only thread is busy, and somebody has waited for more than three seconds.
    let (release, wait) = mpsc::channel::<()>();
    let pool = tables.tables.bot_pool();
    let waits = Waits::Person("somebody".to_owned());
    let mut busy = pool.think(&waits, &Stop::new(), move |_| {
        let _ = wait.recv();
        Ok(Vec::new())
    });
    busy.begun().await;
    let _waiting = pool.think(&waits, &Stop::new(), |_| Ok(Vec::new()));
    tokio::time::sleep(Duration::from_millis(3100)).await;
    assert_eq!(offers(), (RatedOffer::Offered, RatedOffer::Busy));
    let refused = tables.tables.create(&who, against("master", true)).await.unwrap_err();
    assert!(matches!(&refused, Refusal::Unavailable(why) if why.contains("not offered")));
    // What looks one turn ahead always gets its nodes, and casual games have no promise to keep.
    tables.tables.create(&who, against("shepherd", true)).await.unwrap();
    tables.tables.create(&who, against("master", false)).await.unwrap();
    drop(release);
}
