//! `bastide serve`, `admin`, `backup` and `restore`, as people use them.

mod live;

use live::{Live, Place};
use std::io::Write;
use std::process::Stdio;

const REGISTER: [&str; 6] = [
    "-d",
    "{\"name\": \"Ada\", \"password\": \"correct horse\"}",
    "-H",
    "Content-Type: application/json",
    "-c",
    "cookies",
];

#[test]
fn it_starts_without_configuration_and_ends_when_asked() {
    for signal in ["TERM", "INT"] {
        let live = Live::start(&["--log-json"]);
        assert_eq!(live.greeting().lines().count(), 1);
        assert_eq!(live.curl("/healthz", &[]), "alive\n");
        assert!(live.curl("/", &[]).contains("Bastide"));
        let (status, log, _) = live.stop(signal);
        assert!(status.success(), "{signal}: {log}");
        assert!(log.contains("everything is written"), "{log}");
        for line in log.lines() {
            serde_json::from_str::<serde_json::Value>(line).expect("a line of the log is JSON");
        }
    }
}

#[test]
fn a_place_that_is_taken_is_told() {
    let live = Live::start(&[]);
    let taken = live.url().replace("http://", "");
    let output = Place::new().run(&["serve", "--listen", &taken]);
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success());
    assert!(complaint.contains("--listen") && complaint.contains(&taken), "{complaint}");
}

#[test]
fn one_server_owns_a_database() {
    let live = Live::start(&[]);
    let second = live.place().run(&["serve", "--listen", "127.0.0.1:0"]);
    let complaint = String::from_utf8_lossy(&second.stderr).into_owned();
    assert!(!second.status.success());
    assert!(complaint.contains("another server"), "{complaint}");
    assert_eq!(live.curl("/healthz", &[]), "alive\n");
    let (status, _, place) = live.stop("TERM");
    assert!(status.success());
    Live::start_in(place, &[]).stop("TERM");
}

#[test]
fn a_database_that_cannot_be_used_is_told() {
    let place = Place::new();
    std::fs::write(place.folder().join("letter.db"), "Dear Ada, this is no database.").unwrap();
    for (url, said) in [
        ("sqlite:letter.db", "not a database"),
        ("sqlite::memory:", "sqlite:FILE"),
        ("sqlite:nowhere/at/all.db", "nowhere/at/all.db"),
        ("postgres://ada:secret@127.0.0.1:1/x", "127.0.0.1:1/x"),
    ] {
        let output = place.run(&["serve", "--listen", "127.0.0.1:0", "--database", url]);
        let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success(), "{url}");
        assert!(complaint.contains(said) && !complaint.contains("secret"), "{url}: {complaint}");
        assert_eq!(complaint.lines().count(), 1, "once, and at once: {complaint}");
    }
    let file = place.folder().join("new.db");
    let url = format!("sqlite:{}", file.display());
    Live::start_in(place, &["--database", &url]).stop("TERM");
}

#[test]
fn wrong_settings_are_told() {
    let place = Place::new();
    let file = place.folder().join("bastide.toml");
    std::fs::write(&file, "port = 80\n").unwrap();
    let file = file.display().to_string();
    for (args, said) in [
        (vec!["--config", file.as_str()], "port"),
        (vec!["--config", "nonesuch.toml"], "nonesuch.toml"),
        (vec!["--listen", "everywhere"], "listen"),
        (vec!["--public-url", "ftp://x"], "https://HOST"),
        (vec!["--trusted-proxy", "proxy"], "10.0.0.0/8"),
        (vec!["--database", "mysql://u:secret@h/x"], "postgres://"),
        (vec!["--log", "server=loud"], "filter"),
        (vec!["--page", "nonesuch"], "page"),
    ] {
        let args = [vec!["serve", "--listen", "127.0.0.1:0"], args].concat();
        let args = if args.contains(&"everywhere") {
            vec!["serve", "--listen", "everywhere"]
        } else {
            args
        };
        let output = place.run(&args);
        let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success(), "{args:?}");
        assert!(complaint.contains(said) && !complaint.contains("secret"), "{args:?}: {complaint}");
        assert!(!complaint.contains("panicked"), "{complaint}");
    }
}

#[test]
fn flags_beat_the_environment_which_beats_the_file() {
    let place = Place::new();
    let file = place.folder().join("bastide.toml");
    std::fs::write(&file, "body-limit = 100\nsession-days = 3\n").unwrap();
    let live = Live::start_in(place, &["--config", "bastide.toml"]);
    let cookie = live.curl("/api/guest", &["-X", "POST", "-D", "-"]);
    assert!(cookie.contains("Max-Age=259200"), "{cookie}");
    let long = "x".repeat(150);
    assert!(live.curl("/api/login", &["-d", &long]).contains("100 bytes"));
    let (_, _, place) = live.stop("TERM");
    let live = Live::start_in(place, &["--config", "bastide.toml", "--body-limit", "120"]);
    assert!(live.curl("/api/login", &["-d", &long]).contains("120 bytes"));
}

#[test]
fn nothing_secret_is_logged() {
    let live = Live::start(&["--log", "trace"]);
    live.curl("/api/register", &REGISTER);
    live.curl("/api/me?token=in-the-query", &["-b", "cookies", "-H", "X-Odd: secret-header"]);
    live.curl("/api/me", &["-H", "Authorization: Bearer bastide_secret-token"]);
    let cookies = std::fs::read_to_string(live.folder().join("cookies")).unwrap();
    let secret = cookies.split_whitespace().last().unwrap().to_owned();
    assert_eq!(secret.len(), 64, "{cookies}");
    let (_, log, _) = live.stop("TERM");
    assert!(log.contains("/api/register"), "{log}");
    for hidden in
        ["correct horse", &secret, "in-the-query", "secret-header", "secret-token", "argon2id"]
    {
        assert!(!log.contains(hidden), "'{hidden}' is in the log");
    }
}

#[test]
fn users_are_looked_after_and_kept_in_backups() {
    let live = Live::start(&[]);
    live.curl("/api/register", &REGISTER);
    live.curl("/api/guest", &["-X", "POST"]);
    let place = live.place();
    let users = place.ok(&["admin", "users"]);
    assert!(users.contains("Ada") && !users.contains("Guest-"), "{users}");
    assert!(place.ok(&["admin", "users", "--guests"]).contains("guest"));
    assert!(place.ok(&["admin", "show", "ada"]).contains("recovery codes left 8"));
    place.ok(&["admin", "ban", "Ada"]);
    assert!(live.curl("/api/me", &["-b", "cookies"]).contains("banned"));
    place.ok(&["admin", "unban", "ada"]);
    assert!(live.curl("/api/me", &["-b", "cookies"]).contains("Ada"));
    place.ok(&["admin", "role", "ada", "moderator"]);
    assert!(place.ok(&["admin", "users"]).contains("moderator"));
    assert!(live.curl("/api/me", &["-b", "cookies"]).contains("\"role\":\"moderator\""));
    let rows = place.ok(&["admin", "audit"]);
    assert!(rows.contains("lift_ban") && rows.contains("role user:"), "{rows}");
    let verified = place.ok(&["admin", "audit", "--verify"]);
    let head = verified.lines().last().unwrap().to_owned();
    place.ok(&["admin", "audit", "--verify", "--noted", &head]);
    let backup = place.ok(&["backup", "all.backup"]);
    assert!(backup.contains("all.backup"), "{backup}");
    assert!(!place.run(&["backup", "all.backup"]).status.success(), "a file is not overwritten");

    let printed = place.ok(&["admin", "password", "ada"]);
    let password = printed.lines().last().unwrap().rsplit(' ').next().unwrap().to_owned();
    assert!(live.curl("/api/me", &["-b", "cookies"]).contains("not_logged_in"));
    let login = |password: &str| {
        let body = format!("{{\"name\": \"ada\", \"password\": \"{password}\"}}");
        live.curl("/api/login", &["-d", &body, "-H", "Content-Type: application/json"])
    };
    assert!(login(&password).contains("\"Ada\""));
    let mut command = place.bastide(&["admin", "password", "ada", "--stdin"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"my own horse\n").unwrap();
    assert!(child.wait().unwrap().success());
    assert!(login("my own horse").contains("\"Ada\""));
    for wrong in [
        vec!["admin", "show", "nobody"],
        vec!["admin", "ban", "nobody"],
        vec!["admin", "finish-game", "nonesuch"],
        vec!["admin", "role", "ada", "emperor"],
        vec!["admin", "audit", "--verify", "--noted", "abc"],
        vec!["restore", "all.backup"],
    ] {
        let output = place.run(&wrong);
        assert!(!output.status.success() && !output.stderr.is_empty(), "{wrong:?}");
    }

    let elsewhere = Place::new();
    std::fs::copy(live.folder().join("all.backup"), elsewhere.folder().join("b")).unwrap();
    std::fs::copy(live.folder().join("cookies"), elsewhere.folder().join("cookies")).unwrap();
    elsewhere.ok(&["restore", "b"]);
    elsewhere.ok(&["admin", "audit", "--verify", "--noted", &head]);
    let restored = Live::start_in(elsewhere, &[]);
    assert!(restored.curl("/api/me", &["-b", "cookies"]).contains("Ada"));
}

#[test]
fn without_a_database_admin_commands_say_so() {
    let place = Place::new();
    let output = place
        .bastide(&["admin", "users", "--data", "nonesuch"])
        .env_remove("BASTIDE_DATABASE")
        .output()
        .unwrap();
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && complaint.contains("nonesuch"), "{complaint}");
}

#[test]
fn puzzles_are_mined_from_the_public_games_of_the_database() {
    let place = Place::new();
    let url = format!("sqlite:{}", place.folder().join("games.db").display());
    let live = Live::start_in(place, &["--database", &url]);
    live.curl("/api/guest", &["-X", "POST", "-c", "cookies"]);
    let post = |path: &str, body: &str| {
        let json = ["-b", "cookies", "-H", "Content-Type: application/json", "-d", body];
        serde_json::from_str::<serde_json::Value>(&live.curl(path, &json)).unwrap()
    };
    let bots =
        "[{\"kind\": \"bot\", \"bot\": \"shepherd\"}, {\"kind\": \"bot\", \"bot\": \"shepherd\"}]";
    let small = "\"carcassonne players=2 board=3x3\"";
    let laid = "\"carcassonne players=2 board=3x3\\nfrom player 1\"";
    let made: Vec<String> = [
        "\"options\": {\"board\": \"3x3\"}".to_owned(),
        "\"options\": {\"board\": \"3x3\"}, \"visibility\": \"link\"".to_owned(),
        format!("\"from\": {{\"record\": {laid}}}"),
    ]
    .iter()
    .map(|more| {
        let body = format!("{{\"game\": \"carcassonne\", \"seats\": {bots}, {more}}}");
        let answer = post("/api/games", &body);
        answer["info"]["id"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
    })
    .collect();
    post("/api/import", &format!("{{\"record\": {small}}}"));
    for id in &made {
        let over = (0..600).any(|_| {
            std::thread::sleep(std::time::Duration::from_millis(50));
            live.curl(&format!("/api/games/{id}"), &[]).contains("\"status\":\"over\"")
        });
        assert!(over, "{id} never ended");
    }
    // No decision has so few tiles left on so small a board: nothing is searched.
    let mine = ["mine", "--out", "mined.txt", "--tiles-left", "0", "--database", &url];
    let told = live.place().ok(&mine);
    assert!(told.contains("0 puzzles from 0 positions of 1 games"), "{told}");
    let mined = || std::fs::read_to_string(live.folder().join("mined.txt")).unwrap();
    let first = mined();
    assert!(first.contains(&made[0]) && !first.contains(&made[1]), "{first}");
    // Again, it goes on after what the file has.
    live.place().ok(&mine);
    assert_eq!(mined(), first);
    let wrong =
        live.place().run(&["mine", "--out", "other.txt", "--database", "sqlite:nowhere.db"]);
    let complaint = String::from_utf8_lossy(&wrong.stderr).into_owned();
    assert!(complaint.contains("there is no file nowhere.db"), "{complaint}");
}
