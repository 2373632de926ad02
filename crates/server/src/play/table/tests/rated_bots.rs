//! Rated games against our bots: with the nodes that their ratings were measured with, or not at
//! all.

use super::Fixture;
use crate::engine::work::{BotTurn, Budget, Task, Waits};
use crate::error::Refusal;
use crate::people::accounts::Requester;
use crate::wire::{ClockRule, NewGame, RatedOffer, SeatRequest, Visibility};
use search::Stop;
use serde_json::Value;
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
    let work = tables.tables.work();
    let (waits, release) = (Waits::Person("somebody".to_owned()), Stop::new());
    let stuck = Task::Turn(BotTurn {
        game: "toy".to_owned(),
        record: "toy 2".to_owned(),
        bot: "stuck".to_owned(),
        budget: Budget::Measured(1),
    });
    let mut busy = work.take_turn(&waits, &release, stuck.clone());
    busy.begun().await;
    let _waiting = work.take_turn(&waits, &Stop::new(), stuck);
    tokio::time::sleep(Duration::from_millis(3100)).await;
    assert_eq!(offers(), (RatedOffer::Offered, RatedOffer::Busy));
    let refused = tables.tables.create(&who, against("master", true)).await.unwrap_err();
    assert!(matches!(&refused, Refusal::Unavailable(why) if why.contains("not offered")));
    // What looks one turn ahead always gets its nodes, and casual games have no promise to keep.
    tables.tables.create(&who, against("shepherd", true)).await.unwrap();
    tables.tables.create(&who, against("master", false)).await.unwrap();
    release.stop();
}
