//! Progress of long work, and how it is stopped.

use std::error::Error;
use std::fmt;
use std::ops::ControlFlow;

/// Hears where long work is: what it does, how much is done, of how much.
///
/// It is called every few milliseconds; [`ControlFlow::Break`] stops the work.
pub type Progress<'a> = dyn FnMut(&'static str, u64, u64) -> ControlFlow<()> + 'a;

/// For work that nobody watches.
pub fn without_progress(_doing: &'static str, _done: u64, _total: u64) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// The work was stopped by whoever watched it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stopped;

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("stopped before the end")
    }
}

impl Error for Stopped {}

/// Tells `progress` once in `2^shift` items.
pub(crate) struct ProgressTicker<'a, 'b> {
    doing: &'static str,
    total: u64,
    mask: u64,
    progress: &'a mut Progress<'b>,
}

impl<'a, 'b> ProgressTicker<'a, 'b> {
    pub(crate) fn new(
        doing: &'static str,
        total: u64,
        shift: u32,
        progress: &'a mut Progress<'b>,
    ) -> Self {
        Self { doing, total, mask: (1 << shift) - 1, progress }
    }

    #[inline]
    pub(crate) fn at(&mut self, done: u64) -> Result<(), Stopped> {
        if done & self.mask == 0 { self.tell(done) } else { Ok(()) }
    }

    #[cold]
    pub(crate) fn tell(&mut self, done: u64) -> Result<(), Stopped> {
        match (self.progress)(self.doing, done, self.total) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Stopped),
        }
    }
}
