//! What those who run the server rely on.

#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

mod common;

use common::{Answer, Database, Server};
use reqwest::Method;
use serde_json::{Value, json};
use server::staff::backup::{BackupError, backup, restore};
use server::storage::db::Db;
use server::wire::Me;
use std::time::Duration;

#[tokio::test]
async fn the_server_tells_whether_it_is_alive_and_ready() {
    let server = Server::start().await;
    assert_eq!(server.client().get("/healthz").await.ok().text, "alive\n");
    assert_eq!(server.client().get("/readyz").await.ok().text, "ready\n");
    server.app.db.pool.close().await;
    assert_eq!(server.client().get("/readyz").await.refused(503), "unavailable");
    server.client().get("/healthz").await.ok();
    server.stop().await;
}

#[tokio::test]
async fn metrics_count_routes_and_nothing_that_a_client_wrote() {
    let server = Server::start().await;
    let forged = "/api/me/sessions/x%22%7D%201%0Abastide_forged%201";
    server.guest().await.delete(forged, &json!({})).await.refused(404);
    let odd = Method::from_bytes(b"BASTIDE_FORGED").unwrap();
    Answer::of(server.client().request(odd, "/bastide_forged")).await;
    let numbers = server.client().get("/metrics").await.ok().text;
    assert!(numbers.contains("bastide_requests_total{"), "{numbers}");
    assert!(numbers.contains("route=\"/api/me/sessions/{id}\""), "{numbers}");
    assert!(numbers.contains("bastide_request_seconds_bucket"), "{numbers}");
    assert!(!numbers.to_lowercase().contains("bastide_forged"), "{numbers}");
    let proxied = server.client().request(Method::GET, "/metrics");
    let proxied = proxied.header("x-forwarded-for", "127.0.0.1");
    assert_eq!(Answer::of(proxied).await.refused(403), "forbidden");
    server.stop().await;
}

#[tokio::test]
async fn what_an_operator_watches_is_told_and_adds_up_over_servers() {
    let server = Server::start_with(|config| config.limits = true).await;
    let client = server.client();
    let wrong = json!({"name": "Ada", "password": "wrong horse"});
    while client.post("/api/login", &wrong).await.status != 429 {}
    let (host, id) = running_game(&server).await;
    let mut socket = host.socket(&format!("/api/games/{id}/socket")).await;
    let update = socket.next_of("welcome").await["update"].clone();
    if let Some(turn) = update["legal"].get(0) {
        let moves = [&turn["move"]];
        let play = json!({"type": "play", "id": 1, "version": update["version"], "moves": moves});
        socket.send(&play).await;
        socket.next_of("done").await;
    }
    let numbers = server.client().get("/metrics").await.ok().text;
    let value = |line: &str| {
        let found = numbers.lines().find_map(|l| l.strip_prefix(line));
        let found = found.unwrap_or_else(|| panic!("no {line} in {numbers}"));
        found.trim().parse::<f64>().unwrap()
    };
    assert!(value("bastide_logins_refused_total{kind=\"login\"}") >= 10.0);
    assert!(value("bastide_limited_total{kind=\"logins\"}") >= 1.0);
    assert!(value("bastide_connections_held ") >= 1.0);
    assert!(value("process_resident_memory_bytes ") > 1e6);
    assert!(value("process_open_fds ") > 3.0);
    assert!(value("process_open_fds ") < value("process_max_fds "));
    assert!(value("bastide_commit_seconds_count ") >= 1.0);
    assert!(value("bastide_database_connections{state=\"idle\"}") >= 0.0);
    value("bastide_journal_waiting ");
    value("bastide_flags_total{sitter=\"bot\",why=\"clock\"}");
    // Nothing is told without bounds and without a word about it.
    for line in numbers.lines() {
        assert!(!line.ends_with(" summary"), "{line}");
        if let Some(of) = line.strip_prefix("# TYPE ") {
            let name = of.split(' ').next().unwrap();
            assert!(server::metrics::ALL.iter().any(|metric| metric.name == name), "{name}");
            assert!(numbers.contains(&format!("# HELP {name} ")), "{name} is not explained");
        }
    }
    server.stop().await;
}

#[tokio::test]
async fn metrics_are_for_this_machine_and_the_networks_allowed() {
    let server = Server::start_with(|config| {
        config.trusted_proxies = vec!["127.0.0.1".parse().unwrap()];
        config.metrics_from = vec!["192.0.2.0/24".parse().unwrap()];
    })
    .await;
    let from = |address: &str| {
        let request = server.client().request(Method::GET, "/metrics");
        Answer::of(request.header("x-forwarded-for", address))
    };
    assert_eq!(from("198.51.100.1").await.refused(403), "forbidden");
    from("192.0.2.7").await.ok();
    server.stop().await;
    // A proxy that is not among those named could stand for anybody.
    let server = Server::start_with(|config| {
        config.trusted_proxies = vec!["10.0.0.0/8".parse().unwrap()];
    })
    .await;
    server.client().get("/metrics").await.ok();
    let request = server.client().request(Method::GET, "/metrics");
    let through = Answer::of(request.header("x-forwarded-for", "198.51.100.1")).await;
    assert_eq!(through.refused(403), "forbidden");
    server.stop().await;
}

#[tokio::test]
async fn without_a_page_there_is_a_notice() {
    let server = Server::start().await;
    let answer = server.client().get("/").await.ok();
    assert!(answer.headers["content-type"].to_str().unwrap().starts_with("text/html"));
    assert!(answer.text.contains("Bastide"), "{}", answer.text);
    server.stop().await;
}

#[tokio::test]
async fn the_page_is_sent_with_what_browsers_need_to_keep_it() {
    let database = Database::new().await;
    let page = database.folder().join("page");
    std::fs::create_dir_all(page.join("assets")).unwrap();
    std::fs::write(page.join("index.html"), "<h1>The page</h1>").unwrap();
    let script = "console.log('bastide');\n".repeat(200);
    std::fs::write(page.join("assets/app-1a2b.js"), &script).unwrap();
    // As the page's build packs it: `let packed = 1; ` forty times.
    let packed: [u8; 30] = [
        27, 127, 2, 248, 141, 147, 229, 154, 77, 177, 40, 65, 98, 216, 122, 167, 167, 140, 78, 137,
        210, 90, 13, 32, 147, 219, 72, 85, 161, 0,
    ];
    std::fs::write(page.join("assets/b-3c.js"), "let packed = 1; ".repeat(40)).unwrap();
    std::fs::write(page.join("assets/b-3c.js.br"), packed).unwrap();
    let server = Server::start_with(|config| config.page = Some(page.clone())).await;
    let client = server.client();
    for place in ["/", "/lobby", "/game/k3x9p2m7qa", "/user/Ada"] {
        assert_eq!(client.get(place).await.ok().text, "<h1>The page</h1>", "{place}");
    }
    for missing in ["/assets/nonesuch.js", "/favicon.ico", "/api/nonesuch", "/api"] {
        assert_eq!(client.get(missing).await.refused(404), "not_found", "{missing}");
    }
    let plain = client.get("/assets/app-1a2b.js").await.ok();
    assert_eq!(plain.text, script);
    assert!(plain.headers["content-type"].to_str().unwrap().contains("javascript"));
    assert!(plain.headers["cache-control"].to_str().unwrap().contains("immutable"));
    assert_eq!(client.get("/").await.headers["cache-control"], "no-cache");
    let again = client.request(Method::GET, "/assets/app-1a2b.js");
    let again = Answer::of(again.header("if-none-match", &plain.headers["etag"])).await;
    assert_eq!((again.status.as_u16(), again.text.as_str()), (304, ""));
    let zipped = client.request(Method::GET, "/assets/app-1a2b.js");
    let zipped = zipped.header("accept-encoding", "br, gzip").send().await.unwrap();
    assert_eq!(zipped.headers()["content-encoding"], "gzip");
    assert!(zipped.bytes().await.unwrap().len() < script.len() / 4);
    assert_eq!(client.get("/assets/b-3c.js").await.ok().text, "let packed = 1; ".repeat(40));
    for (asked, coding) in [("gzip, br;q=1", "br"), ("gzip", "gzip")] {
        let sent = client.request(Method::GET, "/assets/b-3c.js").header("accept-encoding", asked);
        assert_eq!(sent.send().await.unwrap().headers()["content-encoding"], coding);
    }
    let sent = client.request(Method::GET, "/assets/b-3c.js").header("accept-encoding", "br");
    assert_eq!(sent.send().await.unwrap().bytes().await.unwrap().as_ref(), packed);
    server.stop().await;
    std::fs::write(page.join("assets/b-3c.js.br"), [1, 2, 3]).unwrap();
    let refused = server::page::Page::load(Some(&page)).err().unwrap().to_string();
    assert!(refused.starts_with("assets/b-3c.js.br: "), "{refused}");
}

#[tokio::test]
async fn every_route_is_in_the_api_document() {
    let server = Server::start().await;
    let document: Value = server.client().get("/api/openapi.json").await.json();
    let paths = document["paths"].as_object().unwrap();
    let mut routes = 0;
    for (path, item) in paths {
        let real = path.replace("{", "").replace("}", "");
        for (method, operation) in item.as_object().unwrap() {
            let method = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
            let answer = Answer::of(server.client().request(method.clone(), &real)).await;
            let missing = answer.status == 405 || answer.text.contains("there is nothing at");
            assert!(!missing, "{method} {path} is described and not there: {}", answer.text);
            assert!(operation["summary"].is_string(), "{method} {path} has no summary");
            routes += 1;
        }
    }
    assert!(routes >= 16, "{routes}");
    // Handlers come by `routes!`, which takes their description along; a bare `.route(…)` would
    // have none. Only what is no part of the API is added so.
    let allowed = ["http/operation.rs", "http/route_list.rs"];
    let bare = sources("src".as_ref()).into_iter().filter(|(file, text)| {
        text.contains(".route(") && !allowed.iter().any(|allowed| file.ends_with(allowed))
    });
    assert_eq!(bare.map(|(file, _)| file).collect::<Vec<_>>(), Vec::<String>::new());
    for schema in references(&document) {
        let name = schema.trim_start_matches("#/components/schemas/");
        let known = !document["components"]["schemas"][name].is_null();
        assert!(known, "{schema} is referred to and not there");
    }
    server.stop().await;
}

fn sources(folder: &std::path::Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else {
            found.push((
                path.display().to_string(),
                std::fs::read_to_string(&path).expect("a text"),
            ));
        }
    }
    found
}

fn references(value: &Value) -> Vec<String> {
    match value {
        Value::Object(map) => {
            let own = map.get("$ref").and_then(Value::as_str).map(str::to_owned);
            own.into_iter().chain(map.values().flat_map(references)).collect()
        }
        Value::Array(list) => list.iter().flat_map(references).collect(),
        _ => Vec::new(),
    }
}

#[tokio::test]
async fn a_request_that_was_begun_is_answered_before_the_end() {
    let server = Server::start_with(|config| {
        config.password_cost = server::config::PasswordCost::Recommended;
        config.password_threads = 1;
    })
    .await;
    let client = server.client();
    let wanted = json!({"name": "Ada", "password": "correct horse"});
    let registering = tokio::spawn(async move { client.post("/api/register", &wanted).await });
    while server.app.passwords.is_idle() && !registering.is_finished() {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    let stopped = server.stop().await;
    registering.await.unwrap().ok();
    let server = stopped.start().await;
    let login = json!({"name": "Ada", "password": "correct horse"});
    server.client().post("/api/login", &login).await.ok();
    server.stop().await;
}

#[tokio::test]
async fn a_backup_of_a_running_server_brings_everything_back() {
    let server = Server::start().await;
    let client = server.client();
    let wanted = json!({"name": "Łucja", "password": "correct horse"});
    client.post("/api/register", &wanted).await.ok();
    fill(&server.app.db).await;
    let file = server.config.data.join("all.backup");
    let rows = backup(&server.app.db, &file).await.unwrap();
    assert!(rows > 12, "{rows}");
    assert!(matches!(backup(&server.app.db, &file).await, Err(BackupError::File(..))));
    server.guest().await;

    let elsewhere = Database::new().await;
    assert_eq!(restore(elsewhere.url(), &file).await.unwrap(), rows);
    let restored = Db::open(elsewhere.url(), 2).await.unwrap();
    let again = server.config.data.join("again.backup");
    assert_eq!(backup(&restored, &again).await.unwrap(), rows);
    assert_eq!(unzipped(&again), unzipped(&file), "a backup of the backup is the same");
    let rating: f64 =
        sqlx::query_scalar("SELECT rating FROM ratings").fetch_one(&restored.pool).await.unwrap();
    assert_eq!(rating.to_bits(), RATING.to_bits());
    assert!(matches!(restore(elsewhere.url(), &file).await, Err(BackupError::NotEmpty(2))));
    restored.pool.close().await;

    let cookie = client.cookie().unwrap();
    let config =
        server::Config { database: Some(elsewhere.url().to_owned()), ..server.config.clone() };
    server.stop().await;
    let app = server::App::open(config).await.unwrap();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let client = common::Client::new(listener.local_addr().unwrap());
    let task = tokio::spawn(app.clone().serve(listener));
    let request = client.request(Method::GET, "/api/me").header("cookie", cookie);
    assert_eq!(Answer::of(request).await.json::<Me>().name, "Łucja");
    app.stop();
    task.await.unwrap().unwrap();
}

const RATING: f64 = 1500.1 + 0.2;

/// A row in every table that has none yet, with what is hard to keep: empty, odd and long texts,
/// nothing, large and fractional numbers.
async fn fill(db: &Db) {
    let odd = "a\nb\t\"'\\ {} \u{1f3f0} 漢字 \u{202e}";
    for sql in [
        "INSERT INTO tokens (hash, id, user_id, label, bot, created) \
         SELECT 'h', 'i', id, $1, 1, 9223372036854775807 FROM users",
        "INSERT INTO users (id, name, name_key, guest, created, seen) VALUES ('u2', $1, 'k', 1, 0, 0)",
        "INSERT INTO mutes (user_id, muted) SELECT id, 'u2' FROM users WHERE id <> 'u2' AND $1 <> ''",
        "INSERT INTO games (id, game, setup, options, status, rated, visibility, clock, \
         pass_and_play, host, seed, seed_given, commitment, created) VALUES ('g', 'tinytown', $1, \
         '{}', 'over', 0, 'public', '{}', 0, 'u2', '', 0, '', -1)",
        "INSERT INTO seats (game_id, seat, kind, user_id, name, nonce, rating) \
         VALUES ('g', 0, 'user', 'u2', $1, '', -0.1)",
        // What one row has and another has not.
        "INSERT INTO seats (game_id, seat, kind, user_id, name, nonce, rating_change) \
         VALUES ('g', 1, 'user', 'u2', $1, '', 3.5)",
        "INSERT INTO log (game_id, ply, seat, kind, body, at, clocks) \
         VALUES ('g', 0, NULL, 'draw', $1, 0, '[]')",
        "INSERT INTO chat (game_id, number, user_id, name, players, text, at) \
         VALUES ('g', 1, 'u2', 'x', 1, $1, 0)",
    ] {
        sqlx::query(sql)
            .bind(odd)
            .execute(&db.pool)
            .await
            .unwrap_or_else(|error| panic!("{sql}: {error}"));
    }
    let sql = "INSERT INTO ratings (subject, pool, rating, deviation, volatility, games, updated) \
               VALUES ('user:u2', 'two', $1, 350.0, 0.06, 1, 0)";
    sqlx::query(sql).bind(RATING).execute(&db.pool).await.expect("a row can be written");
}

fn unzipped(file: &std::path::Path) -> String {
    let zipped = std::fs::File::open(file).expect("a backup");
    std::io::read_to_string(flate2::read::GzDecoder::new(zipped)).expect("a compressed text")
}

#[tokio::test]
async fn what_is_no_whole_backup_is_not_restored() {
    let server = Server::start().await;
    for _ in 0..20 {
        server.guest().await;
    }
    let file = server.config.data.join("all.backup");
    backup(&server.app.db, &file).await.unwrap();
    let whole = std::fs::read(&file).unwrap();
    let text = unzipped(&file);
    let zipped = |text: &str| {
        let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        std::io::Write::write_all(&mut out, text.as_bytes()).unwrap();
        out.finish().unwrap()
    };
    let lines: Vec<&str> = text.lines().collect();
    let last = lines.iter().rposition(|line| line.starts_with("{\"row\"")).unwrap();
    let without_a_row = [&lines[..last], &lines[last + 1..]].concat();
    let broken = [
        Vec::new(),
        b"no backup at all".to_vec(),
        whole[..whole.len() / 2].to_vec(),
        zipped(&lines[..lines.len() - 1].join("\n")),
        zipped(&without_a_row.join("\n")),
        zipped(&text.replace("\"users\"", "\"users; DROP TABLE users\"")),
        zipped(&text.replacen("\"name\":\"guest\"", "\"name\":\"guest) --\"", 1)),
    ];
    for (number, bytes) in broken.iter().enumerate() {
        let elsewhere = Database::new().await;
        std::fs::write(&file, bytes).unwrap();
        let refused = restore(elsewhere.url(), &file).await.unwrap_err();
        assert!(matches!(refused, BackupError::Broken(_)), "{number}: {refused}");
        let db = Db::open(elsewhere.url(), 2).await.unwrap();
        let users: i64 =
            sqlx::query_scalar("SELECT COUNT(*) FROM users").fetch_one(&db.pool).await.unwrap();
        assert_eq!(users, 0, "{number}");
        db.pool.close().await;
    }
    let newer =
        text.replacen("{\"bastide_backup\":{\"tables\":", "{\"bastide_backup\":{\"tables\":9", 1);
    std::fs::write(&file, zipped(&newer)).unwrap();
    let elsewhere = Database::new().await;
    let refused = restore(elsewhere.url(), &file).await.unwrap_err();
    assert!(matches!(refused, BackupError::Newer { .. }), "{refused}");
    server.stop().await;
}

#[tokio::test]
async fn a_database_of_a_newer_version_is_left_alone() {
    let database = Database::new().await;
    let db = Db::open(database.url(), 2).await.unwrap();
    let kind = db.kind;
    let sql = match kind {
        server::storage::db::DatabaseKind::Sqlite => {
            "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
             VALUES (9999, 'later', 1, x'00', 0)"
        }
        server::storage::db::DatabaseKind::Postgres => {
            "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
             VALUES (9999, 'later', true, '\\x00', 0)"
        }
    };
    sqlx::query(sql).execute(&db.pool).await.unwrap();
    db.pool.close().await;
    let refused = Db::open(database.url(), 2).await.unwrap_err().to_string();
    assert!(refused.contains("newer version") && refused.contains("9999"), "{refused}");
    let refused = Db::open("mysql://user:secret@host/x", 2).await.unwrap_err().to_string();
    assert!(refused.contains("sqlite:") && !refused.contains("secret"), "{refused}");
}

#[tokio::test]
async fn those_who_run_the_server_can_help_users() {
    use server::staff::admin;
    let server = Server::start().await;
    let client = server.client();
    let wanted = json!({"name": "Ada", "password": "correct horse"});
    client.post("/api/register", &wanted).await.ok();
    server.guest().await;
    let db = &server.app.db;
    let users = admin::users(db, "AD", false, 50).await.unwrap();
    assert_eq!(users.iter().map(|user| user.name.as_str()).collect::<Vec<_>>(), ["Ada"]);
    assert_eq!(admin::users(db, "", true, 50).await.unwrap().len(), 2);
    let details = admin::show(db, "ada").await.unwrap();
    assert_eq!((details.sessions, details.tokens, details.codes), (1, 0, 8));
    let password = admin::reset_password(db, "ada", None).await.unwrap();
    assert_eq!(client.get("/api/me").await.refused(401), "not_logged_in");
    client.post("/api/login", &json!({"name": "Ada", "password": password})).await.ok();
    assert!(admin::reset_password(db, "ada", Some("short".into())).await.is_err());
    assert!(admin::reset_password(db, "nobody", None).await.is_err());
    admin::ban(db, "ada", true).await.unwrap();
    assert_eq!(client.get("/api/me").await.refused(403), "forbidden");
    admin::ban(db, "ada", false).await.unwrap();
    client.get("/api/me").await.ok();
    assert!(admin::order_finish(db, "nonesuch").await.is_err());
    server.stop().await;
}

/// A game of two guests that has begun: the first one, and the game's id.
async fn running_game(server: &Server) -> (common::Client, String) {
    let (host, other) = (server.guest().await, server.guest().await);
    let wanted = json!({"game": "carcassonne", "seats": [{"kind": "me"}, {"kind": "open"}]});
    let made = host.post("/api/games", &wanted).await.value();
    let id = made["info"]["id"].as_str().expect("an id").to_owned();
    other.post(&format!("/api/games/{id}/join"), &json!({})).await.ok();
    (host, id)
}

async fn status_of(client: &common::Client, id: &str) -> Value {
    client.get(&format!("/api/games/{id}")).await.value()["info"]["status"].clone()
}

/// What the server answered to an order; it looks for them every few seconds.
async fn answer_to(db: &Db, order: &str) -> String {
    for _ in 0..600 {
        if let Some(answer) =
            server::staff::admin::answer_to(db, order).await.expect("the database answers")
        {
            return answer;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("the order was not carried out");
}

#[tokio::test]
async fn a_stuck_game_is_called_off_by_order() {
    let server = Server::start().await;
    let db = &server.app.db;
    let (client, id) = running_game(&server).await;
    assert_eq!(status_of(&client, &id).await, "playing");
    let order = server::staff::admin::order_finish(db, &id).await.unwrap();
    let answer = answer_to(db, &order).await;
    assert!(answer.contains("called off"), "{answer}");
    assert_eq!(status_of(&client, &id).await, "over");
    assert!(server::staff::admin::order_finish(db, &id).await.is_err(), "it is over");
    client.delete("/api/me", &json!({})).await.ok();
    server.stop().await;
}

#[tokio::test]
async fn an_order_is_kept_until_the_server_runs() {
    let server = Server::start().await;
    let (_, id) = running_game(&server).await;
    let stopped = server.stop().await;
    let db = Db::open(stopped.config.database.as_deref().unwrap(), 2).await.unwrap();
    let broken = "UPDATE log SET body = 'nonsense' WHERE game_id = $1";
    sqlx::query(broken).bind(&id).execute(&db.pool).await.unwrap();
    let order = server::staff::admin::order_finish(&db, &id).await.unwrap();
    let server = stopped.start().await;
    let answer = answer_to(&db, &order).await;
    assert!(answer.contains("cannot be rebuilt"), "{answer}");
    db.pool.close().await;
    server.stop().await;
}

#[tokio::test]
async fn a_socket_ends_with_its_session() {
    let server = Server::start_with(|config| config.recheck = Duration::from_millis(50)).await;
    let (client, id) = running_game(&server).await;
    let mut socket = client.socket(&format!("/api/games/{id}/socket")).await;
    socket.next_of("welcome").await;
    client.post("/api/logout", &json!({})).await.ok();
    while socket.next().await.is_some() {}
    server.stop().await;
}
