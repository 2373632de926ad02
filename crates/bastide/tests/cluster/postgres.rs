//! A PostgreSQL server of a test's own, which it may end and start again.

use crate::encrypted::Certificates;
use std::fs::File;
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// A running PostgreSQL server in a folder of its own.
pub(crate) struct Postgres {
    programs: PathBuf,
    folder: PathBuf,
    port: u16,
    is_encrypted: bool,
}

/// Its password.
const PASSWORD: &str = "secret";

impl Postgres {
    /// Starts one; nothing, and a word, where PostgreSQL is not installed.
    pub(crate) fn start(certificates: Option<&Certificates>) -> Option<Self> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let versions = std::fs::read_dir("/usr/lib/postgresql").ok();
        let newest = versions.and_then(|all| all.flatten().map(|one| one.path()).max());
        let Some(programs) = newest.map(|version| version.join("bin")) else {
            println!("SKIPPED: PostgreSQL is not installed");
            return None;
        };
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("bastide_postgres_{}_{number}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("password"), PASSWORD).unwrap();
        let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port is free");
        let port = free.local_addr().unwrap().port();
        drop(free);
        if let Some(certificates) = certificates {
            for file in ["server.pem", "server.key"] {
                std::fs::copy(certificates.file(file), folder.join(file)).unwrap();
            }
        }
        let server = Self { programs, folder, port, is_encrypted: certificates.is_some() };
        if is_root() {
            run(&server.folder, Command::new("chown").args(["-R", "postgres"]).arg(&server.folder));
        }
        let folder = &server.folder;
        let mut initdb = server.program("initdb");
        initdb
            .arg("-D")
            .arg(folder.join("data"))
            .arg(format!("--pwfile={}", folder.join("password").display()))
            .args(["-U", "bastide", "--auth=scram-sha-256", "--encoding=UTF8", "--locale=C"])
            .arg("--no-sync");
        run(folder, &mut initdb);
        server.start_again();
        Some(server)
    }

    /// Its URL without a database.
    pub(crate) fn url(&self) -> String {
        format!("postgres://bastide:{PASSWORD}@127.0.0.1:{}", self.port)
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// Ends it at once, as if it crashed.
    pub(crate) fn stop(&self) {
        run(&self.folder, self.pg_ctl().args(["-m", "immediate", "stop"]));
    }

    /// Starts it on the same port, and waits until it takes connections.
    pub(crate) fn start_again(&self) {
        let mut options = format!(
            "-p {} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c max_connections=200 \
             -c fsync=off",
            self.port
        );
        if self.is_encrypted {
            let file = |name: &str| self.folder.join(name).display().to_string();
            options += &format!(
                " -c ssl=on -c ssl_cert_file={} -c ssl_key_file={}",
                file("server.pem"),
                file("server.key")
            );
        }
        let log = self.folder.join("log");
        run(
            &self.folder,
            self.pg_ctl().arg("-l").arg(log).args(["-w", "-t", "60", "-o", &options, "start"]),
        );
    }

    fn pg_ctl(&self) -> Command {
        let mut command = self.program("pg_ctl");
        command.arg("-D").arg(self.folder.join("data"));
        command
    }

    /// One of its programs; it does not run as root.
    fn program(&self, name: &str) -> Command {
        let program = self.programs.join(name);
        let mut command = match is_root() {
            true => {
                let mut command = Command::new("runuser");
                command.args(["-u", "postgres", "--"]).arg(program);
                command
            }
            false => Command::new(program),
        };
        command.current_dir(&self.folder);
        command
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        // A test may have ended it, and a folder that stays behind is no failure.
        let _ = self.pg_ctl().args(["-m", "immediate", "stop"]).output();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// Runs a command that must work, and shows what it said where it does not. It speaks to a file of the folder:
/// what it starts keeps no pipe of ours open.
fn run(folder: &Path, command: &mut Command) {
    let path = folder.join("said");
    let said = File::create(&path).expect("the folder can be written");
    let copy = said.try_clone().expect("a file can be opened twice");
    let done = command.stdin(Stdio::null()).stdout(said).stderr(copy).status();
    let status = done.unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let said = || std::fs::read_to_string(&path).unwrap_or_default();
    assert!(status.success(), "{command:?}: {status}\n{}", said());
}
