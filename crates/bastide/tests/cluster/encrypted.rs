//! PostgreSQL and NATS with certificates of their own, passwords and tokens.

use crate::live::{Live, Place};
use crate::load::Load;
use crate::postgres::Postgres;
use crate::{TURN, start};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// An authority, a certificate for `localhost` that is of it, and another authority that knows nothing of it.
pub(crate) struct Certificates {
    folder: PathBuf,
}

#[tokio::test(flavor = "multi_thread")]
async fn nodes_reach_postgresql_and_nats_encrypted_or_not_at_all() {
    let _turn = TURN.lock().await;
    let Some(certificates) = Certificates::make() else { return };
    let Some(postgres) = Postgres::start(Some(&certificates)) else { return };
    let tls = format!(
        "tls {{ cert_file: \"{}\", key_file: \"{}\" }}",
        certificates.text("server.pem"),
        certificates.text("server.key")
    );
    let rules = format!("{tls}\nauthorization {{ user: ada, password: \"p@ss word\" }}");
    let Some(bus) = Bus::start(&certificates, &rules) else { return };
    let place = Place::on(Some(postgres.url()));
    let database = |host: &str, authority: &str| {
        let (port, name) = (postgres.port(), place.database_name());
        format!(
            "postgres://bastide:secret@{host}:{port}/{name}?sslmode=verify-full&sslrootcert={}",
            certificates.text(authority)
        )
    };
    let nats = |login: &str, host: &str, authority: &str| {
        format!("tls://{login}@{host}:{}?ca={}", bus.port, certificates.text(authority))
    };
    let (login, right) = ("ada:p%40ss%20word", database("localhost", "ca.pem"));
    let node = |bus: &str| {
        let flags = ["--database", &right, "--bus", bus, "--limits", "false", "--log", "error"];
        Live::start_beside(&place, &flags)
    };
    let well = nats(login, "localhost", "ca.pem");
    let (first, second) = (node(&well), node(&well));
    Load::start(&[&first, &second], 4, 8).end().await;
    let all = "SELECT bool_and(s.ssl) FROM pg_stat_ssl s JOIN pg_stat_activity a USING (pid) \
               WHERE a.datname = current_database() AND a.pid <> pg_backend_pid()";
    assert_eq!(place.sql(all), "t", "every connection is encrypted");
    for (database, bus, why) in [
        (database("localhost", "stranger.pem"), well.clone(), "UnknownIssuer"),
        (database("127.0.0.1", "ca.pem"), well.clone(), "not valid for name"),
        (database("localhost", "nonesuch.pem"), well.clone(), "No such file"),
        (right.clone(), nats(login, "localhost", "stranger.pem"), "UnknownIssuer"),
        (right.clone(), nats(login, "127.0.0.1", "ca.pem"), "not valid for name"),
        (right.clone(), nats(login, "localhost", "nonesuch.pem"), "nonesuch.pem cannot be read"),
        (right.clone(), nats("ada:guessed", "localhost", "ca.pem"), "authorization"),
        (right.clone(), nats("t0ken", "localhost", "ca.pem"), "authorization"),
        (right.clone(), format!("nats://{login}@localhost:{}", bus.port), "UnknownIssuer"),
    ] {
        let said = refused(&place, &database, &bus);
        assert!(said.contains(why), "{database} {bus}: {said}");
        assert!(!said.contains("secret") && !said.contains("guessed"), "{said}");
    }
    for live in [first, second] {
        let (status, log, _) = live.stop("TERM");
        assert!(status.success(), "{log}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_is_used_and_open_connections_are_warned_of() {
    let _turn = TURN.lock().await;
    let Some(certificates) = Certificates::make() else { return };
    let Some(postgres) = Postgres::start(None) else { return };
    let Some(bus) = Bus::start(&certificates, "authorization { token: t0ken }") else { return };
    let place = Place::on(Some(postgres.url()));
    let right = format!("{}/{}", postgres.url(), place.database_name());
    let url = |host: &str| format!("nats://t0ken@{host}:{}", bus.port);
    let (status, log, _) = start(&place, &url("127.0.0.1")).stop("TERM");
    assert!(status.success(), "{log}");
    let said = refused(&place, &right, &url("127.0.0.1").replace("t0ken", "guessed"));
    assert!(said.contains("authorization"), "{said}");
    // 0.0.0.0 is this machine too, but no address that says so.
    let open = right.replace("127.0.0.1", "0.0.0.0");
    let flags = ["--database", &open, "--bus", &url("0.0.0.0")];
    let (_, log, _) = Live::start_beside(&place, &flags).stop("TERM");
    assert!(
        log.contains("PostgreSQL at 0.0.0.0") && log.contains("need not be encrypted"),
        "{log}"
    );
    assert!(log.contains("NATS at 0.0.0.0") && log.contains("is not encrypted"), "{log}");
    let flags = ["--database", &right, "--bus", &url("127.0.0.1")];
    let (_, log, _) = Live::start_beside(&place, &flags).stop("TERM");
    assert!(!log.contains("encrypted"), "{log}");
}

/// What a node says that does not start.
fn refused(place: &Place, database: &str, bus: &str) -> String {
    let output =
        place.run(&["serve", "--listen", "127.0.0.1:0", "--database", database, "--bus", bus]);
    assert!(!output.status.success(), "{database} {bus} was taken");
    String::from_utf8(output.stderr).expect("text")
}

/// A NATS server with rules of its own.
struct Bus {
    port: u16,
    child: Child,
}

impl Bus {
    fn start(certificates: &Certificates, rules: &str) -> Option<Self> {
        let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port is free");
        let port = free.local_addr().unwrap().port();
        drop(free);
        let file = certificates.file("nats.conf");
        std::fs::write(&file, format!("listen: 127.0.0.1:{port}\n{rules}\n")).unwrap();
        let mut command = Command::new("nats-server");
        command
            .arg("-c")
            .arg(file)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let Ok(child) = command.spawn() else {
            println!("SKIPPED: nats-server cannot be started here");
            return None;
        };
        let bus = Self { port, child };
        for _ in 0..600 {
            if TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_ok() {
                return Some(bus);
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("nats-server does not answer");
    }
}

impl Drop for Bus {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Certificates {
    /// Makes them with OpenSSL; nothing, and a word, where it is not installed.
    fn make() -> Option<Self> {
        let made = Place::on(None);
        let folder = made.folder().with_extension("certificates");
        std::fs::create_dir_all(&folder).unwrap();
        let this = Self { folder };
        if Command::new("openssl").arg("version").stdout(Stdio::null()).status().is_err() {
            println!("SKIPPED: openssl is not installed");
            return None;
        }
        std::fs::write(this.file("names"), "subjectAltName=DNS:localhost\n").unwrap();
        let key = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes";
        for line in [
            format!("req -x509 {key} -days 2 -subj /CN=authority -keyout ca.key -out ca.pem"),
            format!("req -x509 {key} -days 2 -subj /CN=stranger -keyout s.key -out stranger.pem"),
            format!("req -new {key} -subj /CN=localhost -keyout server.key -out server.csr"),
            "x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 \
             -extfile names -out server.pem"
                .to_owned(),
        ] {
            let mut command = Command::new("openssl");
            let done = command.args(line.split_whitespace()).current_dir(&this.folder).output();
            let done = done.expect("openssl runs");
            assert!(done.status.success(), "{line}: {}", String::from_utf8_lossy(&done.stderr));
        }
        Some(this)
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    fn text(&self, name: &str) -> String {
        self.file(name).display().to_string()
    }
}

impl Drop for Certificates {
    fn drop(&mut self) {
        // A folder that stays behind is no failure of the test.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
