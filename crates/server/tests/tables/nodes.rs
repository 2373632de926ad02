//! Several servers on one database: whichever of them a client comes to, the game is the same. The
//! same tests run with nodes in one process and, on PostgreSQL, over NATS.

use crate::common::{Client, Nats, Server, postgres};
use crate::reviews::{lines, random_record, taken_in};
use crate::support::{
    SocketPlayer, game_for_two, new_game, pick_turn, play_turns, rated_game, registered, state,
    until,
};
use game::Random;
use serde_json::{Value, json};
use server::bus::{LocalBus, NatsBus, WorkBus};
use server::config::{BusChoice, SecretUrl};
use std::time::Duration;

/// Nodes on one database, and what connects them.
pub(crate) struct Nodes {
    pub(crate) servers: Vec<Server>,
    /// Where workers find them.
    pub(crate) work: WorkBus,
    /// Ends after the servers.
    nats: Option<Nats>,
}

impl Nodes {
    async fn start(count: usize, bus: BusChoice, nats: Option<Nats>) -> Self {
        let work = match &bus {
            BusChoice::Local(bus) => bus.work(),
            BusChoice::Nats(url) => {
                NatsBus::connect(&url.0, "work").await.expect("it is there").work()
            }
        };
        let first = Server::start_with(|config| {
            config.bus = Some(bus);
            config.tables.bot_pause = Duration::ZERO;
            config.tables.bot_time = Duration::from_millis(20);
            config.recheck = Duration::from_secs(600);
        });
        let mut servers = vec![first.await];
        for _ in 1..count {
            servers.push(servers[0].beside().await.expect("nodes share a database"));
        }
        let nodes = Self { servers, work, nats };
        nodes.until_they_are(count).await;
        nodes
    }

    /// Waits until every node knows of so many.
    async fn until_they_are(&self, count: usize) {
        for server in &self.servers {
            let mut members = server.app.tables.members();
            let known = members.wait_for(|members| members.len() == count);
            let known = tokio::time::timeout(Duration::from_secs(60), known).await;
            assert!(known.is_ok(), "a node does not know of {count}");
        }
    }

    /// A client's form at a node.
    fn at(&self, node: usize, client: &Client) -> Client {
        client.moved_to(self.servers[node].address)
    }

    pub(crate) async fn stop(self) {
        for server in self.servers {
            server.stop().await;
        }
        drop(self.nats);
    }
}

/// Nodes on every bus that the database allows.
pub(crate) async fn on_every_bus(count: usize) -> Vec<Nodes> {
    let mut all = vec![Nodes::start(count, BusChoice::Local(LocalBus::default()), None).await];
    if postgres().is_some()
        && let Some(nats) = Nats::start()
    {
        let bus = BusChoice::Nats(SecretUrl(nats.url()));
        all.push(Nodes::start(count, bus, Some(nats)).await);
    }
    all
}

#[tokio::test(flavor = "multi_thread")]
async fn players_at_different_nodes_play_one_game() {
    for nodes in on_every_bus(3).await {
        let (host, other, id) = game_for_two(&nodes.servers[0], json!({})).await;
        let mut players = [
            SocketPlayer::sit(&nodes.at(1, &host), &id).await,
            SocketPlayer::sit(&nodes.at(2, &other), &id).await,
        ];
        let mut watcher = SocketPlayer::sit(&nodes.servers[2].guest().await, &id).await;
        let mut random = Random::new(5);
        for _ in 0..20 {
            let seat = usize::from(players[1].to_move());
            let moves = pick_turn(&players[seat].update, &mut random);
            let version = players[seat].version();
            let done = players[seat].play(version, &moves).await;
            assert_eq!(done["type"], "done", "{done}");
            let now = players[seat].version();
            while players[1 - seat].version() < now {
                players[1 - seat].next_of("update").await;
            }
        }
        while watcher.version() < players[0].version() {
            watcher.next_of("update").await;
        }
        for node in 0..3 {
            let seen = state(&nodes.at(node, &host), &id).await["update"]["version"].clone();
            assert_eq!(seen, players[0].version(), "node {node}");
        }
        let stale = players[0].play(1, &["pass".to_owned()]).await;
        assert_eq!(stale["problem"]["code"], "stale_version", "{stale}");
        let line = json!({"type": "chat", "id": 7, "text": "well played"});
        players[0].ask(&line).await;
        assert_eq!(players[1].next_of("chat").await["line"]["text"], "well played");
        nodes.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_happens_at_one_node_is_known_at_the_others() {
    for nodes in on_every_bus(2).await {
        let (host, other) =
            (registered(&nodes.servers[0]).await, registered(&nodes.servers[1]).await);
        let open = json!({"game": "carcassonne", "seats": [{"kind": "me"}, {"kind": "open"}]});
        let id = new_game(&host, &open).await;
        let lists = async |list: &str| {
            for _ in 0..600 {
                let lobby = other.get("/api/lobby").await.value();
                let games = lobby[list].as_array().expect("a list").clone();
                if let Some(game) = games.into_iter().find(|game| game["info"]["id"] == *id) {
                    return game;
                }
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            panic!("the lobby never had it in {list}");
        };
        lists("waiting").await;
        other.post(&format!("/api/games/{id}/join"), &json!({})).await.ok();
        // It is played on the other node, and shown here to somebody else.
        let third = registered(&nodes.servers[1]).await;
        let mut seen = false;
        for _ in 0..600 {
            let lobby = third.get("/api/lobby").await.value();
            let playing = lobby["playing"].as_array().expect("a list");
            seen = playing.iter().any(|game| game["info"]["id"] == *id);
            if seen {
                break;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        assert!(seen, "a game of the other node is in the lobby");

        // A password that is changed here ends the sessions at sockets there.
        let mut socket = nodes.at(1, &host).socket(&format!("/api/games/{id}/socket")).await;
        socket.next_of("welcome").await;
        host.delete("/api/me/sessions", &json!({})).await;
        host.post("/api/logout", &json!({})).await.ok();
        while socket.next().await.is_some() {}
        nodes.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn people_at_different_nodes_find_each_other() {
    for nodes in on_every_bus(2).await {
        let one = registered(&nodes.servers[0]).await;
        let other = registered(&nodes.servers[1]).await;
        let wish = json!({"clock": {"kind": "game", "initial_ms": 600_000, "increment_ms": 0},
            "rated": false});
        let first = one.post("/api/seek", &wish).await.value();
        assert_eq!(first["game"], Value::Null);
        let second = other.post("/api/seek", &wish).await.value();
        let game = second["game"].as_str().expect("a game was found").to_owned();
        // Neither has to stay at one node.
        let asked = nodes.at(1, &one).get("/api/seek").await.value();
        assert_eq!(asked["game"], *game);
        play_turns(&[&nodes.at(1, &one), &nodes.at(0, &other)], &game, 4, &mut Random::new(1))
            .await;
        nodes.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_goes_on_when_the_node_that_keeps_searches_is_gone() {
    for mut nodes in on_every_bus(3).await {
        let one = registered(&nodes.servers[1]).await;
        let other = registered(&nodes.servers[2]).await;
        let tired = registered(&nodes.servers[1]).await;
        let wish = |minutes: u64| {
            json!({"clock": {"kind": "game", "initial_ms": 60_000 * minutes, "increment_ms": 0},
                "rated": false})
        };
        one.post("/api/seek", &wish(10)).await.ok();
        tired.post("/api/seek", &wish(20)).await.ok();
        tired.delete("/api/seek", &json!({})).await.ok();
        // What was told before an answer is known where the answer is.
        let mut waited = 0;
        for node in 1..3 {
            let asked = nodes.at(node, &one).get("/api/seek").await.value();
            waited = asked["waited_ms"].as_u64().expect("it goes on");
        }
        nodes.servers.remove(0).stop().await;
        nodes.until_they_are(2).await;
        // The page asks whichever node, and need not look again.
        let asked = nodes.at(1, &one).get("/api/seek").await.value();
        assert!(asked["waited_ms"].as_u64().is_some_and(|now| now >= waited), "{asked}");
        assert_eq!(tired.get("/api/seek").await.value(), Value::Null);
        let found = other.post("/api/seek", &wish(10)).await.value();
        let game = found["game"].as_str().expect("a game was found").to_owned();
        assert_eq!(one.get("/api/seek").await.value()["game"], *game);
        // Nor is a game forgotten that somebody has not been told of.
        nodes.at(1, &one).get("/api/seek").await.ok();
        nodes.servers.remove(0).stop().await;
        nodes.until_they_are(1).await;
        assert_eq!(nodes.at(0, &one).get("/api/seek").await.value()["game"], *game);
        nodes.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_review_that_is_asked_for_at_several_nodes_is_made_once_and_told_at_all() {
    for nodes in on_every_bus(3).await {
        let asker = nodes.servers[0].guest().await;
        let id = taken_in(&asker, &random_record(20, 3)).await;
        let path = format!("/api/games/{id}/review");
        let (zero, one) = (nodes.at(0, &asker), nodes.at(1, &nodes.servers[0].guest().await));
        let wanted = json!({"depth": "quick"});
        let asked = tokio::join!(one.post(&path, &wanted), zero.post(&path, &wanted));
        assert_eq!([asked.0.status, asked.1.status], [202, 202]);
        let under_way: Vec<usize> =
            nodes.servers.iter().map(|server| server.app.reviews.under_way()).collect();
        assert_eq!(under_way.iter().sum::<usize>(), 1, "{under_way:?}");
        // Whichever node is asked knows of it, and tells it step by step.
        let told = async |node| {
            let there = nodes.at(node, &asker);
            assert_ne!(there.get(&path).await.value()["state"], "absent");
            lines(&there, &id).await
        };
        let told = tokio::join!(told(0), told(1), told(2));
        for lines in [&told.0, &told.1, &told.2] {
            let steps = lines.iter().filter(|line| line["type"] == "step").count();
            let last = lines.last().expect("a line");
            assert_eq!((&last["type"], steps), (&json!("done"), 40), "{last}");
            assert_eq!(last["review"], told.0.last().expect("a line")["review"]);
        }
        // It stops when nobody wants it any more, wherever that is said.
        let id = taken_in(&asker, &random_record(60, 4)).await;
        let path = format!("/api/games/{id}/review?depth=deep");
        for who in [&zero, &one] {
            let asked = who.post(&path, &json!({"depth": "deep"})).await;
            assert_eq!(asked.status, 202);
        }
        zero.delete(&path, &json!({})).await.ok();
        assert_ne!(one.get(&path).await.value()["state"], "absent");
        one.delete(&path, &json!({})).await.ok();
        assert_eq!(zero.get(&path).await.value()["state"], "absent");
        nodes.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn programs_hear_of_their_games_wherever_they_listen() {
    for nodes in on_every_bus(2).await {
        let (host, other) =
            (registered(&nodes.servers[0]).await, registered(&nodes.servers[0]).await);
        let there = nodes.at(1, &other);
        let stream = there.request(reqwest::Method::GET, "/api/stream").send().await.unwrap();
        assert!(stream.status().is_success(), "{}", stream.status());
        let name = other.get("/api/me").await.value()["name"].clone();
        let body = json!({"game": "carcassonne",
            "seats": [{"kind": "me"}, {"kind": "user", "name": name}]});
        let id = new_game(&host, &body).await;
        let mut stream = stream;
        let mut heard = String::new();
        while !heard.contains(&id) {
            let next = tokio::time::timeout(Duration::from_secs(60), stream.chunk()).await;
            let chunk = next.expect("the stream says something").unwrap().expect("it is open");
            heard.push_str(&String::from_utf8_lossy(&chunk));
        }
        // That somebody listens there is known where the game is.
        let online = until(&host, &id, |state| {
            let seats = state["info"]["seats"].as_array().expect("seats");
            seats
                .iter()
                .any(|seat| seat["online"] == true && seat.to_string().contains(&name.to_string()))
                || state["info"]["status"] == "waiting"
        });
        online.await;
        nodes.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_leaves_hands_its_games_over() {
    for mut nodes in on_every_bus(2).await {
        let (host, other, id) = game_for_two(&nodes.servers[0], json!({})).await;
        let (host, other) = (nodes.at(1, &host), nodes.at(1, &other));
        play_turns(&[&host, &other], &id, 3, &mut Random::new(2)).await;
        let version = state(&host, &id).await["update"]["version"].clone();
        nodes.servers.remove(0).stop().await;
        nodes.until_they_are(1).await;
        let now = until(&host, &id, |state| state["update"].is_object()).await;
        assert_eq!(now["update"]["version"], version);
        play_turns(&[&host, &other], &id, 3, &mut Random::new(3)).await;
        nodes.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_lost_its_lease_changes_nothing_and_its_games_go_on() {
    for mut nodes in on_every_bus(2).await {
        let (host, other, id) = rated_game(&nodes.servers[0], json!({})).await;
        let (there, other_there) = (nodes.at(1, &host), nodes.at(1, &other));
        play_turns(&[&host, &other], &id, 3, &mut Random::new(2)).await;
        let clocks = state(&host, &id).await["update"]["clocks"].clone();
        let mover =
            if state(&host, &id).await["update"]["legal"].is_array() { &host } else { &other };
        let update = state(mover, &id).await["update"].clone();
        let moves = pick_turn(&update, &mut Random::new(9));
        let body = json!({"version": update["version"], "moves": moves});
        // As if it had stood still for long: its place is taken away.
        let lost = nodes.servers[0].app.fence.epoch();
        let db = &nodes.servers[1].app.db;
        for sql in
            ["DELETE FROM nodes WHERE epoch = $1", "UPDATE games SET node = NULL WHERE node = $1"]
        {
            sqlx::query(sql).bind(lost).execute(&db.pool).await.unwrap();
        }
        let before = plies(&nodes.servers[1], &id).await;
        // It may have ended already.
        let asked = mover.request(reqwest::Method::POST, &format!("/api/games/{id}/play"));
        if let Ok(answer) = asked.json(&body).send().await {
            assert!(!answer.status().is_success(), "{}", answer.status());
        }
        assert_eq!(plies(&nodes.servers[1], &id).await, before, "it changed something");
        let ended = tokio::time::timeout(Duration::from_secs(60), nodes.servers[0].ended()).await;
        assert!(ended.expect("it ends by itself").is_err(), "and says why");
        let now = until(&there, &id, |state| state["update"].is_object()).await;
        assert_eq!(
            now["update"]["clocks"].as_array().map(Vec::len),
            clocks.as_array().map(Vec::len)
        );
        play_turns(&[&there, &other_there], &id, 3, &mut Random::new(4)).await;
        assert!(plies(&nodes.servers[1], &id).await > before);
        nodes.servers.remove(0);
        nodes.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_engine_helps_at_no_node_while_people_play_at_another() {
    for nodes in on_every_bus(2).await {
        let (host, other, id) = rated_game(&nodes.servers[0], json!({})).await;
        play_turns(&[&host, &other], &id, 6, &mut Random::new(7)).await;
        let record = host.get(&format!("/api/games/{id}/record")).await.ok().text;
        let stranger = nodes.servers[1].guest().await;
        let asked = stranger.post("/api/analyse", &json!({"record": record})).await;
        assert_eq!(asked.refused(403), "forbidden");
        nodes.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lone_server_and_nodes_do_not_share_a_database() {
    let nodes = Nodes::start(1, BusChoice::Local(LocalBus::default()), None).await;
    let mut alone = nodes.servers[0].config.clone();
    alone.bus = None;
    let refused = server::App::open(alone).await.map(|_| ()).unwrap_err();
    assert!(refused.to_string().contains("another server uses"), "{refused}");
    nodes.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_bus_may_be_away_for_a_while() {
    for mut nodes in on_every_bus(2).await {
        let Some(nats) = &mut nodes.nats else {
            nodes.stop().await;
            continue;
        };
        let (host, other, id) = game_for_two(&nodes.servers[0], json!({})).await;
        let players = [nodes.servers[0].address, nodes.servers[1].address];
        let (near, far) = (host.moved_to(players[0]), other.moved_to(players[1]));
        play_turns(&[&near, &far], &id, 2, &mut Random::new(1)).await;
        let mut watcher = SocketPlayer::sit(&far, &id).await;
        nats.stop();
        // Who is at the node that holds the game plays on; who is not is told so.
        let asked = far.get(&format!("/api/games/{id}")).await;
        assert_eq!(asked.status.as_u16(), 503, "{}", asked.text);
        nats.start_again();
        // A watcher who may have missed something is sent away to come back.
        while watcher.socket.next().await.is_some() {}
        let mut back = far.get(&format!("/api/games/{id}")).await;
        for _ in 0..100 {
            if back.status.is_success() {
                break;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
            back = far.get(&format!("/api/games/{id}")).await;
        }
        play_turns(&[&near, &far], &id, 4, &mut Random::new(3)).await;
        nodes.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_keeps_a_number_of_connections_open_at_all_nodes_together() {
    const MOST: usize = 12;
    let bus = LocalBus::default();
    let work = bus.work();
    let first = Server::start_with(|config| {
        config.bus = Some(BusChoice::Local(bus));
        config.limits = true;
        config.connections_per_address = MOST;
    });
    let mut servers = vec![first.await];
    for _ in 1..3 {
        servers.push(servers[0].beside().await.expect("nodes share a database"));
    }
    let nodes = Nodes { servers, work, nats: None };
    nodes.until_they_are(3).await;
    let (host, _, id) = game_for_two(&nodes.servers[0], json!({})).await;
    let path = format!("/api/games/{id}/socket");
    let mut open = Vec::new();
    for number in 0..5 * MOST {
        open.extend(nodes.at(number % 3, &host).try_socket(&path, &[]).await);
    }
    assert!((MOST..=2 * MOST).contains(&open.len()), "{} are open", open.len());
    // A place that is given up is free at every node.
    drop(open);
    for node in 0..3 {
        let there = nodes.at(node, &host);
        while there.try_socket(&path, &[]).await.is_err() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
    nodes.stop().await;
}

async fn plies(server: &Server, id: &str) -> i64 {
    let sql = "SELECT COUNT(*) FROM log WHERE game_id = $1";
    let count = sqlx::query_scalar(sql).bind(id.to_owned()).fetch_one(&server.app.db.pool);
    count.await.expect("the database answers")
}
