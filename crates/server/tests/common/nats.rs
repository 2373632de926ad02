//! A NATS server that lives as long as a test.

use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A running NATS server on a port of its own.
pub struct Nats {
    port: u16,
    child: Child,
    /// Where it keeps what waits for workers.
    folder: PathBuf,
}

impl Nats {
    /// Starts one; nothing where the program is not installed.
    pub fn start() -> Option<Self> {
        let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port is free");
        let port = free.local_addr().expect("a listener has an address").port();
        drop(free);
        let folder =
            std::env::temp_dir().join(format!("bastide_nats_{port}_{}", std::process::id()));
        Some(Self { port, child: run(port, &folder)?, folder })
    }

    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Ends it, as a machine that is switched off.
    pub fn stop(&mut self) {
        self.child.kill().expect("it can be ended");
        self.child.wait().expect("it has ended");
    }

    /// Starts it again on the same port.
    pub fn start_again(&mut self) {
        self.child = run(self.port, &self.folder).expect("it was there before");
    }
}

/// Starts the program and waits until it takes connections.
fn run(port: u16, folder: &Path) -> Option<Child> {
    let port_text = port.to_string();
    let child = Command::new("nats-server")
        .args(["--addr", "127.0.0.1", "--port", &port_text, "--jetstream", "--store_dir"])
        .arg(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let child = match child {
        Ok(child) => child,
        Err(error) => {
            println!("SKIPPED: nats-server cannot be started here: {error}");
            return None;
        }
    };
    for _ in 0..600 {
        if TcpStream::connect(SocketAddr::from((Ipv4Addr::LOCALHOST, port))).is_ok() {
            return Some(child);
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("nats-server does not answer");
}

impl Drop for Nats {
    fn drop(&mut self) {
        // It may have been ended by the test.
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
