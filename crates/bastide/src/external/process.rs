//! A program that runs, with all that it started: they share a process group, and end together.

use std::collections::BTreeSet;
use std::io;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A program that runs. When it is dropped, its whole process group is ended: a wrapper script may
/// be gone while what it started goes on.
pub(super) struct Process {
    child: Child,
}

/// The process groups of all programs that run.
static GROUPS: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

fn groups() -> MutexGuard<'static, BTreeSet<u32>> {
    GROUPS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends all programs at once, and ends this one.
pub(crate) fn end_all_and_exit(status: u8) -> ! {
    // Nothing is started any more while this is held.
    let groups = groups();
    groups.iter().for_each(|group| signal(*group, How::AtOnce));
    std::process::exit(status.into());
}

impl Process {
    /// Starts a command in a process group of its own.
    ///
    /// # Errors
    /// If it cannot be started.
    pub(super) fn start(command: &mut Command) -> io::Result<Self> {
        // Ctrl-C is for this program alone, which then ends the other in order: one that dies of
        // it would seem to have broken down.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        let mut groups = groups();
        let child = command.spawn()?;
        groups.insert(child.id());
        Ok(Self { child })
    }

    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    pub(super) const fn take_pipes(
        &mut self,
    ) -> (Option<ChildStdin>, Option<ChildStdout>, Option<ChildStderr>) {
        (self.child.stdin.take(), self.child.stdout.take(), self.child.stderr.take())
    }

    /// Asks the group to end.
    pub(super) fn ask_to_end(&self) {
        signal(self.id(), How::InOrder);
    }

    /// How the program itself ended, if it has: `exit status 3`, `signal 9`. It is not waited for: as long
    /// as it is not, no other process gets its number.
    #[cfg(unix)]
    pub(super) fn ending(&mut self) -> Option<String> {
        use rustix::process::{WaitId, WaitIdOptions, waitid};
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        let status = waitid(WaitId::Pid(pid(self.id())?), options).ok()??;
        Some(match (status.exit_status(), status.terminating_signal()) {
            (Some(code), _) => format!("exit status {code}"),
            (None, Some(signal)) => format!("signal {signal}"),
            (None, None) => "nobody knows how".to_owned(),
        })
    }

    /// How the program itself ended, if it has.
    #[cfg(not(unix))]
    pub(super) fn ending(&mut self) -> Option<String> {
        self.child.try_wait().ok()?.map(|status| status.to_string())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let mut groups = groups();
        signal(self.id(), How::AtOnce);
        groups.remove(&self.id());
        drop(groups);
        #[cfg(not(unix))]
        let _ = self.child.kill();
        // It leaves no zombie.
        let _ = self.child.wait();
    }
}

/// How a group is ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    InOrder,
    AtOnce,
}

#[cfg(unix)]
fn signal(group: u32, how: How) {
    use rustix::process::{Signal, kill_process_group};
    let signal = match how {
        How::InOrder => Signal::TERM,
        How::AtOnce => Signal::KILL,
    };
    // It may have ended just now.
    let _ = pid(group).map(|group| kill_process_group(group, signal));
}

#[cfg(not(unix))]
const fn signal(_group: u32, _how: How) {}

#[cfg(unix)]
fn pid(number: u32) -> Option<rustix::process::Pid> {
    rustix::process::Pid::from_raw(i32::try_from(number).ok()?)
}
