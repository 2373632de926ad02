//! What the process takes of the machine: memory and open files, as the system counts them.

/// Shows what the process takes now, where the system tells it.
pub fn show() {
    #[cfg(target_os = "linux")]
    linux::show();
}

#[cfg(target_os = "linux")]
mod linux {
    pub(super) fn show() {
        if let Some(bytes) = resident() {
            metrics::gauge!("process_resident_memory_bytes").set(bytes);
        }
        if let Ok(open) = std::fs::read_dir("/proc/self/fd") {
            // One of them is the folder that is being read.
            metrics::gauge!("process_open_fds").set(open.count().saturating_sub(1) as f64);
        }
        let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
        metrics::gauge!("process_max_fds").set(limit.map_or(f64::INFINITY, |most| most as f64));
    }

    /// The memory in use, from a line like `VmRSS:     12345 kB`.
    fn resident() -> Option<f64> {
        let status = std::fs::read_to_string("/proc/self/status").ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        let kilobytes: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
        Some(kilobytes * 1024.0)
    }
}
