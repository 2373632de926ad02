//! A server as people start it: the real program, in a folder of its own.
//!
//! With `BASTIDE_TEST_DATABASE` set to the URL of a PostgreSQL server (`scripts/with-postgres`
//! does) it keeps its things in a new database there.

#![allow(dead_code, unreachable_pub, reason = "each test program uses its own part")]

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// The program: as it was built for the tests, or the one that `BASTIDE` names.
fn program() -> PathBuf {
    std::env::var_os("BASTIDE").map_or_else(|| env!("CARGO_BIN_EXE_bastide").into(), PathBuf::from)
}

/// A running server.
pub struct Live {
    child: Child,
    greeting: String,
    place: Place,
    log: Option<std::thread::JoinHandle<String>>,
}

/// Where a server keeps its things; removed at the end.
pub struct Place {
    folder: PathBuf,
    database: Option<String>,
}

impl Place {
    pub fn new() -> Self {
        Self::on(std::env::var("BASTIDE_TEST_DATABASE").ok().filter(|url| !url.is_empty()))
    }

    /// A place with a new database of a PostgreSQL server, if there is one.
    pub fn on(server: Option<String>) -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("bastide_live_{}_{number}", std::process::id());
        let folder = std::env::temp_dir().join(&name);
        std::fs::create_dir_all(&folder).expect("a folder can be made");
        let database = server.map(|server| {
            let made = Command::new("psql")
                .args([&format!("{server}/postgres"), "-c", &format!("CREATE DATABASE {name}")])
                .output()
                .expect("psql runs");
            assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
            format!("{server}/{name}")
        });
        Self { folder, database }
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The database's name on its PostgreSQL server.
    pub fn database_name(&self) -> &str {
        let url = self.database.as_ref().expect("it is on PostgreSQL");
        url.rsplit('/').next().expect("it is named last")
    }

    /// What PostgreSQL answers to a statement.
    pub fn sql(&self, statement: &str) -> String {
        let url = self.database.as_ref().expect("it is on PostgreSQL");
        let asked = Command::new("psql").args([url, "-tAqX", "-c", statement]).output();
        let asked = asked.expect("psql runs");
        assert!(asked.status.success(), "{}", String::from_utf8_lossy(&asked.stderr));
        String::from_utf8(asked.stdout).expect("text").trim().to_owned()
    }

    /// The program, told where this place is.
    pub fn bastide(&self, args: &[&str]) -> Command {
        let mut command = Command::new(program());
        command.args(args).env("BASTIDE_DATA", &self.folder).current_dir(&self.folder);
        match &self.database {
            Some(url) => command.env("BASTIDE_DATABASE", url),
            None => command.env_remove("BASTIDE_DATABASE"),
        };
        command
    }

    /// Runs a command to its end.
    pub fn run(&self, args: &[&str]) -> Output {
        self.bastide(args).stdin(Stdio::null()).output().expect("the program runs")
    }

    /// Runs a command that must work, and gives what it printed.
    pub fn ok(&self, args: &[&str]) -> String {
        let output = self.run(args);
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("text")
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        // A folder that stays behind is no failure of the test.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

impl Live {
    /// Starts a server on a free port, with further flags.
    pub fn start(flags: &[&str]) -> Self {
        Self::start_in(Place::new(), flags)
    }

    /// Starts a server in a place.
    pub fn start_in(place: Place, flags: &[&str]) -> Self {
        let mut command = place.bastide(&["serve", "--listen", "127.0.0.1:0"]);
        command.args(flags);
        Self::spawn(place, command)
    }

    /// Starts a server that shares a place, which stays when it ends.
    pub fn start_beside(place: &Place, flags: &[&str]) -> Self {
        let mut command = place.bastide(&["serve", "--listen", "127.0.0.1:0"]);
        command.args(flags);
        let nothing = Place { folder: PathBuf::new(), database: None };
        Self::spawn(nothing, command)
    }

    /// Starts a worker for the servers on a bus, on one thread.
    pub fn start_worker(bus: &str) -> Self {
        let nothing = Place { folder: PathBuf::new(), database: None };
        let mut command = Command::new(program());
        command.args(["worker", "--threads", "1", "--log-json", "--bus", bus]);
        Self::spawn(nothing, command)
    }

    /// Starts a server after a line of shell, as `ulimit -n 100`.
    pub fn start_after(line: &str, place: Place, flags: &[&str]) -> Self {
        let program = place.bastide(&[]);
        let mut command = Command::new("sh");
        command.args(["-c", &format!("{line}; exec \"$0\" \"$@\"")]).arg(program.get_program());
        command.args(["serve", "--listen", "127.0.0.1:0"]).args(flags).current_dir(&place.folder);
        for (name, value) in program.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        Self::spawn(place, command)
    }

    fn spawn(place: Place, mut command: Command) -> Self {
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        // Read all the time: a pipe that nobody empties stops the program at its next line.
        let mut errors = child.stderr.take().expect("it is piped");
        let log = std::thread::spawn(move || {
            let mut log = String::new();
            errors.read_to_string(&mut log).expect("the log is text");
            log
        });
        let mut greeting = String::new();
        let out = child.stdout.take().expect("it is piped");
        BufReader::new(out).read_line(&mut greeting).expect("the program says something");
        assert!(greeting.contains(" is ready: "), "it did not start: {greeting}");
        Self { child, greeting, place, log: Some(log) }
    }

    pub fn greeting(&self) -> &str {
        &self.greeting
    }

    pub fn folder(&self) -> &Path {
        self.place.folder()
    }

    pub fn place(&self) -> &Place {
        &self.place
    }

    /// The process's number.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// The server's address, as it said.
    pub fn url(&self) -> String {
        let from = self.greeting.find("http://").expect("the greeting has the address");
        let rest = &self.greeting[from..];
        rest[..rest.find(' ').expect("something follows")].to_owned()
    }

    /// What curl gets.
    pub fn curl(&self, path: &str, args: &[&str]) -> String {
        let output = Command::new("curl")
            .args(["-sS", &format!("{}{path}", self.url())])
            .args(args)
            .current_dir(self.folder())
            .output()
            .expect("curl runs");
        assert!(output.status.success(), "{path}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("text")
    }

    /// Whether it has ended by itself.
    pub fn has_ended(&mut self) -> bool {
        self.child.try_wait().expect("it can be asked").is_some()
    }

    /// Sends a signal.
    pub fn signal(&self, signal: &str) {
        let id = self.child.id().to_string();
        let sent = Command::new("kill").args([&format!("-{signal}"), &id]).status();
        assert!(sent.expect("kill runs").success());
    }

    /// Sends a signal and waits for the end; gives the log too.
    pub fn stop(self, signal: &str) -> (ExitStatus, String, Place) {
        self.signal(signal);
        self.wait()
    }

    /// Waits for the end; gives the log too.
    pub fn wait(mut self) -> (ExitStatus, String, Place) {
        let log = self.log.take().expect("it is read once").join().expect("the log is read");
        let status = self.child.wait().expect("it ends");
        let place =
            std::mem::replace(&mut self.place, Place { folder: PathBuf::new(), database: None });
        (status, log, place)
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
