//! A batch of games that one thread at a time may use, until it is closed.

use crate::errors::{BusyError, ClosedError};
use pyo3::prelude::*;
use std::sync::{Mutex, MutexGuard, TryLockError};

/// Something that one thread at a time may use, and that can be closed before it is dropped.
pub(crate) struct Exclusive<T>(Mutex<Option<T>>);

impl<T> Exclusive<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(Mutex::new(Some(value)))
    }

    /// Takes it for this thread. Never waits: a thread that waited here would hold the
    /// interpreter's lock, which the thread that steps wants back.
    pub(crate) fn lock(&self) -> PyResult<Held<'_, T>> {
        match self.0.try_lock() {
            Ok(guard) => Ok(Held(guard)),
            Err(TryLockError::WouldBlock) => {
                Err(BusyError::new_err("another thread is using this environment"))
            }
            Err(TryLockError::Poisoned(_)) => {
                Err(ClosedError::new_err("this environment failed before and cannot go on"))
            }
        }
    }
}

/// It, while this thread uses it.
pub(crate) struct Held<'a, T>(MutexGuard<'a, Option<T>>);

impl<T> Held<'_, T> {
    /// It, unless it was closed.
    pub(crate) fn open(&mut self) -> PyResult<&mut T> {
        self.0.as_mut().ok_or_else(|| ClosedError::new_err("this environment was closed"))
    }

    pub(crate) fn close(&mut self) {
        self.0.take();
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.0.is_none()
    }
}
