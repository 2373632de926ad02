//! What strangers, a full disk and a killed predecessor do to the real program.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

mod live;

use live::{Live, Place};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn address(live: &Live) -> SocketAddr {
    live.url().replace("http://", "").parse().unwrap()
}

/// Sends a request on a connection of its own; the status of the answer.
fn post(server: SocketAddr, path: &str, body: &str) -> u16 {
    let mut stream = TcpStream::connect(server).unwrap();
    let length = body.len();
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\
         content-type: application/json\r\ncontent-length: {length}\r\n\r\n"
    );
    stream.write_all((head + body).as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0)
}

/// Resident memory of a process, in MiB.
fn resident(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() / 1024
}

fn memory_after_failed_logins(logins: usize) {
    let live = Live::start(&["--limits", "false"]);
    let server = address(&live);
    std::thread::scope(|scope| {
        for thread in 0..16 {
            scope.spawn(move || {
                for number in (thread..logins).step_by(16) {
                    let body = format!(r#"{{"name": "user{number}", "password": "wrong horse"}}"#);
                    assert_eq!(post(server, "/api/login", &body), 401);
                }
            });
        }
    });
    let resident = resident(live.id());
    println!("{logins} failed logins: {resident} MiB");
    assert!(resident < 100, "{resident} MiB after {logins} failed logins");
}

#[test]
fn failed_logins_leave_no_memory_behind() {
    memory_after_failed_logins(96);
}

#[test]
#[ignore = "hashes a thousand passwords"]
fn a_thousand_failed_logins_leave_no_memory_behind() {
    memory_after_failed_logins(1000);
}

/// What another machine gets: curl from another address of this one.
fn from_elsewhere(live: &Live, path: &str, args: &[&str]) -> String {
    let more = [&["--interface", "127.0.0.2", "-m", "10"], args].concat();
    live.curl(path, &more)
}

#[test]
fn half_sent_requests_from_one_address_stop_nobody() {
    let place = Place::new();
    let live = Live::start_after(
        "ulimit -n 256; export BASTIDE_IDLE_SECONDS=3 BASTIDE_LIMITS=true",
        place,
        &[],
    );
    let server = address(&live);
    let mut half = Vec::new();
    for number in 0..400 {
        let mut stream = TcpStream::connect(server).unwrap();
        // Some send half a head, some nothing, some half a body; some were refused already.
        let text: &[u8] = match number % 3 {
            0 => b"GET /api/me HTTP/1.1\r\nhost: x\r\nx-slow: ",
            1 => b"",
            _ => b"POST /api/login HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\n{",
        };
        let _ = stream.write_all(text);
        half.push(stream);
    }
    let begun = Instant::now();
    assert_eq!(from_elsewhere(&live, "/healthz", &[]), "alive\n");
    let guest = from_elsewhere(&live, "/api/guest", &["-X", "POST"]);
    assert!(guest.contains("Guest-"), "the database has its files: {guest}");
    // Those without a whole head are closed in time, however many bytes they dribble.
    for (number, mut stream) in half.into_iter().enumerate() {
        if number % 3 == 2 {
            continue;
        }
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        let ended = loop {
            match stream.read(&mut [0; 512]) {
                Ok(0) => break true,
                Ok(_) => {}
                Err(error) => break error.kind() != std::io::ErrorKind::WouldBlock,
            }
        };
        assert!(ended, "connection {number} is still open");
    }
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    assert_eq!(live.curl("/healthz", &[]), "alive\n", "the address itself may come again");
}

#[test]
fn connections_from_many_addresses_leave_the_files_of_the_server() {
    let live = Live::start_after("ulimit -n 200", Place::new(), &[]);
    let server = address(&live);
    let mut open = Vec::new();
    for number in 0..300 {
        // Every address of 127.0.0.0/8 is this machine; each stays below its own bound.
        let socket = from_address(server, 10 + u8::try_from(number / 10).unwrap());
        open.push(socket);
    }
    let process = format!("/proc/{}/fd", live.id());
    let used = std::fs::read_dir(process).unwrap().count();
    assert!(used < 180, "{used} of 200 descriptors are used");
    drop(open);
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(10) {
        let mut curl = Command::new("curl");
        let output = curl.args(["-sS", "-m", "2"]).arg(live.url() + "/healthz").output().unwrap();
        if output.stdout == b"alive\n" {
            return;
        }
    }
    panic!("nobody is answered once all are gone");
}

/// A connection that comes from 127.0.0.N.
fn from_address(server: SocketAddr, last: u8) -> std::io::Result<TcpStream> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let stream = runtime.block_on(async {
        let socket = tokio::net::TcpSocket::new_v4()?;
        socket.bind(SocketAddr::from(([127, 0, 0, last], 0)))?;
        socket.connect(server).await
    })?;
    stream.into_std()
}

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).unwrap().permissions().mode() & 0o777
}

fn set_mode(path: &Path, mode: u32) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn what_is_kept_is_for_its_owner_only() {
    let place = Place::new();
    let data = place.folder().join("kept");
    let url = format!("sqlite:{}", data.join("bastide.db").display());
    let flags = ["--data", "kept", "--database", &url];
    let live = Live::start_in(place, &flags);
    live.curl("/api/guest", &["-X", "POST"]);
    let check = |why: &str| {
        assert_eq!(mode(&data), 0o700, "the folder, {why}");
        for file in ["bastide.db", "bastide.db-wal", "bastide.db-shm", "bastide.db.lock"] {
            assert_eq!(mode(&data.join(file)), 0o600, "{file}, {why}");
        }
    };
    check("when it is made");
    let (_, _, place) = live.stop("KILL");
    // As a version before made them.
    set_mode(&data, 0o755);
    for file in ["bastide.db", "bastide.db-wal", "bastide.db-shm", "bastide.db.lock"] {
        set_mode(&data.join(file), 0o644);
    }
    let live = Live::start_in(place, &flags);
    check("when it was open to others");
    let place = live.place();
    place.ok(&["backup", "all.backup", "--database", &url]);
    assert_eq!(mode(&place.folder().join("all.backup")), 0o600);
    let restored = place.folder().join("restored");
    let run = |args: &[&str]| {
        let output = place.bastide(args).env_remove("BASTIDE_DATABASE").output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    run(&["restore", "all.backup", "--data", "restored"]);
    assert_eq!(mode(&restored), 0o700);
    assert_eq!(mode(&restored.join("bastide.db")), 0o600);
}

#[test]
fn a_full_disk_is_told_and_forgotten() {
    // A file that may not grow, without the signal that would end the process, is what a full
    // disk is to a program; SQLite keeps to it whichever database the other tests run on.
    let place = Place::new();
    let url = format!("sqlite:{}", place.folder().join("full.db").display());
    let line = "trap '' XFSZ; ulimit -f 4096";
    let live = Live::start_after(line, place, &["--limits", "false", "--database", &url]);
    assert_eq!(live.curl("/readyz", &[]), "ready\n");
    let mut refused = String::new();
    for _ in 0..2000 {
        let answer = live.curl("/api/guest", &["-X", "POST"]);
        if !answer.contains("Guest-") {
            refused = answer;
            break;
        }
    }
    assert!(refused.contains("\"unavailable\""), "{refused}");
    // A checkpoint may have made a little room again; whoever goes on writing uses that up.
    let is_told = (0..10).any(|_| {
        for _ in 0..200 {
            live.curl("/api/guest", &["-X", "POST"]);
        }
        // What is told of the disk is a second old at most.
        std::thread::sleep(Duration::from_millis(1100));
        live.curl("/readyz", &["-w", " %{http_code}"]).ends_with(" 503")
    });
    assert!(is_told, "/readyz says that a full disk is ready");
    assert_eq!(live.curl("/healthz", &[]), "alive\n");
    let (_, _, place) = live.stop("TERM");
    let live = Live::start_in(place, &["--database", &url]);
    assert_eq!(live.curl("/readyz", &[]), "ready\n");
    assert!(live.curl("/api/guest", &["-X", "POST"]).contains("Guest-"));
}

#[test]
fn a_proxy_that_is_not_trusted_is_told_once() {
    let live = Live::start(&["--public-url", "https://bastide.example"]);
    live.curl("/healthz", &[]);
    for header in ["X-Forwarded-For: 192.0.2.1", "Forwarded: for=192.0.2.1", "X-Forwarded-For: x"] {
        live.curl("/api/session", &["-H", header]);
    }
    let (_, log, _) = live.stop("TERM");
    assert_eq!(log.matches("--trusted-proxy").count(), 1, "{log}");
    let flags = ["--public-url", "https://bastide.example", "--trusted-proxy", "127.0.0.1"];
    let live = Live::start(&flags);
    live.curl("/api/session", &["-H", "X-Forwarded-For: 192.0.2.1"]);
    let (_, log, _) = live.stop("TERM");
    assert!(!log.contains("--trusted-proxy"), "{log}");
}

#[test]
fn a_port_that_is_just_being_left_is_waited_for() {
    let before = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = before.local_addr().unwrap().to_string();
    let place = Place::new();
    let mut child = place
        .bastide(&["serve", "--listen", &port])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(1500));
    drop(before);
    let begun = Instant::now();
    let up = loop {
        let answer = Command::new("curl").args(["-sS", &format!("http://{port}/healthz")]).output();
        if answer.unwrap().stdout == b"alive\n" {
            break true;
        }
        if begun.elapsed() > Duration::from_secs(20) || child.try_wait().unwrap().is_some() {
            break false;
        }
        std::thread::sleep(Duration::from_millis(50));
    };
    let _ = child.kill();
    let _ = child.wait();
    assert!(up, "the server did not wait for its port");
}
