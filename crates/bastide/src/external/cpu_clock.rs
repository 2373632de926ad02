//! The processor time of a program, and how long it may think by the clock on the wall so that it gets
//! as much of it as it was promised.

use std::time::Duration;

/// What a program is allowed and what it has had, by its processor time.
///
/// A program thinks by the clock on the wall. It is told how long that may be: its processor time, and
/// more on a machine where it gets only a part of a processor; less if it thinks on several threads.
/// When it has used what it was promised, it is stopped. What one answer used more or less is taken off
/// the next or added to it, so that the mean comes true.
pub(super) struct CpuBudget {
    used_before: Duration,
    /// Processor time for each second on the wall, lately.
    share: f64,
    /// Seconds that it may use more than it is promised, as it had less before.
    carried: f64,
}

/// One answer within a budget.
pub(super) struct Allowed {
    /// How long it is told to think, by the clock on the wall.
    pub(super) wall: Duration,
    /// When it is stopped, by its processor time.
    pub(super) cpu: Duration,
}

/// The least and the most processor time for a second on the wall that is reckoned with. A program that
/// waits instead of thinking is not waited for beyond all measure.
const SHARES: (f64, f64) = (0.1, 64.0);

/// The part of what is promised that may be made up for in one answer, and in all.
const AT_ONCE: f64 = 0.5;
const IN_ALL: f64 = 5.0;

/// How much the last answer counts in the share.
const WEIGHT: f64 = 0.3;

impl Default for CpuBudget {
    fn default() -> Self {
        Self { used_before: Duration::ZERO, share: 1.0, carried: 0.0 }
    }
}

impl CpuBudget {
    /// Begins an answer that may take so much processor time, where the program has used so much.
    pub(super) fn begin(&mut self, promised: Duration, used: Duration) -> Allowed {
        self.used_before = used;
        let carried = self.carried / promised.as_secs_f64().max(1e-9);
        let cpu = promised.mul_f64(1.0 + carried.clamp(-AT_ONCE, AT_ONCE));
        Allowed { wall: cpu.div_f64(self.share), cpu }
    }

    /// What the answer that was begun has used so far.
    pub(super) fn spent(&self, used: Duration) -> Duration {
        used.saturating_sub(self.used_before)
    }

    /// Ends an answer that took so long on the wall, where the program has used so much; gives its
    /// processor time.
    pub(super) fn end(
        &mut self,
        promised: Duration,
        allowed: &Allowed,
        used: Duration,
        wall: Duration,
    ) -> Duration {
        let spent = self.spent(used);
        // One that answers early has had what it wanted.
        if wall >= allowed.wall.mul_f64(0.9) || spent >= allowed.cpu.mul_f64(0.9) {
            let share = spent.as_secs_f64() / wall.as_secs_f64().max(1e-6);
            self.share += WEIGHT * (share.clamp(SHARES.0, SHARES.1) - self.share);
            let promised = promised.as_secs_f64();
            let left = self.carried + promised - spent.as_secs_f64();
            self.carried = left.clamp(-IN_ALL * promised, IN_ALL * promised);
        }
        spent
    }
}

/// The processor time that a process and its children have used, those included that have ended and were
/// waited for.
///
/// # Errors
/// If the process is gone, or the system does not tell.
#[cfg(target_os = "linux")]
pub(super) fn used_by(process: u32) -> anyhow::Result<Duration> {
    use anyhow::Context;
    use nix::time::ClockId;
    use nix::unistd::Pid;

    let id = i32::try_from(process).context("no such process")?;
    let clock = ClockId::pid_cpu_clock_id(Pid::from_raw(id)).context("it ended")?;
    let mut used = Duration::from(clock.now().context("it ended")?) + of_ended_children(process);
    for child in children(process) {
        // One that ends just now is counted when it is waited for.
        used += used_by(child).unwrap_or_default();
    }
    Ok(used)
}

/// # Errors
/// Always: other systems do not tell the time of other processes in one way.
#[cfg(not(target_os = "linux"))]
pub(super) fn used_by(_process: u32) -> anyhow::Result<Duration> {
    anyhow::bail!("--clock cpu for programs works on Linux only; use --clock wall")
}

/// What children that were waited for have used, from the 16th and 17th field of a process's `stat`. The
/// second is a name that may hold anything, so that fields are counted from its closing bracket.
#[cfg(target_os = "linux")]
fn of_ended_children(process: u32) -> Duration {
    /// The unit of these fields on Linux, whatever the kernel's own.
    const TICK: Duration = Duration::from_millis(10);
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields);
    let ticks: u32 = fields.split_whitespace().skip(13).take(2).flat_map(str::parse::<u32>).sum();
    TICK * ticks
}

/// The children of a process that are alive.
#[cfg(target_os = "linux")]
fn children(process: u32) -> Vec<u32> {
    let Ok(threads) = std::fs::read_dir(format!("/proc/{process}/task")) else { return Vec::new() };
    let of_thread = |thread: std::fs::DirEntry| {
        let list = std::fs::read_to_string(thread.path().join("children")).unwrap_or_default();
        list.split_whitespace().flat_map(str::parse).collect::<Vec<u32>>()
    };
    threads.flatten().flat_map(of_thread).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    /// A program on a machine that gives it `share` of a processor, and which thinks as long as it is told.
    fn mean_of(share: f64, answers: u32) -> f64 {
        let (mut budget, mut used) = (CpuBudget::default(), ms(700));
        let before = used;
        for _ in 0..answers {
            let allowed = budget.begin(ms(100), used);
            let wall = allowed.wall.min(allowed.cpu.div_f64(share));
            used += wall.mul_f64(share);
            budget.end(ms(100), &allowed, used, wall);
        }
        (used - before).as_secs_f64() * 1e3 / f64::from(answers)
    }

    #[test]
    fn a_program_gets_what_it_was_promised_whatever_else_the_machine_does() {
        for share in [1.0, 0.5, 0.2, 3.7] {
            let mean = mean_of(share, 70);
            assert!((98.0..102.0).contains(&mean), "{mean} ms with {share} of a processor");
        }
    }

    #[test]
    fn who_answers_early_saves_nothing_for_later() {
        let mut budget = CpuBudget::default();
        for n in 0..10 {
            let allowed = budget.begin(ms(100), ms(n));
            assert_eq!((allowed.wall, allowed.cpu), (ms(100), ms(100)));
            assert_eq!(budget.end(ms(100), &allowed, ms(n + 1), ms(1)), ms(1));
        }
    }

    #[test]
    fn who_only_waits_is_not_waited_for_beyond_measure() {
        let mut budget = CpuBudget::default();
        for _ in 0..50 {
            let allowed = budget.begin(ms(100), ms(5));
            assert!(allowed.wall <= ms(1_600) && allowed.cpu <= ms(150));
            budget.end(ms(100), &allowed, ms(5), allowed.wall);
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_process_and_its_children_are_counted() {
        use std::process::{Command, Stdio};
        // The shell waits for its first child and then for input, so that both kinds are seen.
        let busy = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done";
        let script = format!("sh -c '{busy}'; echo; sh -c '{busy}; echo; read x'; true");
        let mut shell = Command::new("sh")
            .args(["-c", &script])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines =
            std::io::BufRead::lines(std::io::BufReader::new(shell.stdout.take().unwrap()));
        lines.next().unwrap().unwrap();
        let first = used_by(shell.id()).unwrap();
        lines.next().unwrap().unwrap();
        let both = used_by(shell.id()).unwrap();
        assert!(first >= ms(10), "{first:?}: the child that ended");
        assert!(both >= first + ms(10), "{first:?}, {both:?}: the child that lives");
        drop(shell.stdin.take());
        shell.wait().unwrap();
        assert!(used_by(shell.id()).is_err());
    }
}
