//! Passwords: hashed by Argon2id on a few threads, so that logins cannot take the machine.

use crate::config::PasswordCost;
use crate::error::Refusal;
use argon2::password_hash::phc::PasswordHash;
use argon2::{Algorithm, Argon2, Params, PasswordHasher, PasswordVerifier, Version};
use std::sync::Arc;
use tokio::sync::Semaphore;

/// Where passwords are hashed.
pub struct Passwords {
    threads: Arc<Semaphore>,
    queue: Arc<Semaphore>,
    argon2: Argon2<'static>,
    /// What is compared for a name that does not exist, so that it takes as long.
    decoy: String,
}

/// How many may wait for a thread.
const QUEUE: usize = 64;

impl Passwords {
    /// Hashes so many at the same time.
    ///
    /// # Panics
    /// Never: the parameters are valid.
    #[must_use]
    pub fn new(threads: usize, cost: PasswordCost) -> Self {
        let params = match cost {
            PasswordCost::Recommended => Params::default(),
            PasswordCost::Cheap => Params::new(Params::MIN_M_COST, 1, 1, None)
                .expect("the smallest parameters are valid"),
        };
        let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        let decoy = hash_now(&argon2, &crate::ids::new_secret()).expect("a secret can be hashed");
        Self {
            threads: Arc::new(Semaphore::new(threads.max(1))),
            queue: Arc::new(Semaphore::new(QUEUE)),
            argon2,
            decoy,
        }
    }

    /// What is stored of a password.
    ///
    /// # Errors
    /// If too many are waiting.
    pub async fn hash(&self, password: String) -> Result<String, Refusal> {
        let argon2 = self.argon2.clone();
        self.on_a_thread(move || hash_now(&argon2, &password)).await?
    }

    /// Whether a password is the one that was stored. Takes as long if nothing was.
    ///
    /// # Errors
    /// If too many are waiting.
    pub async fn is_right(&self, password: String, stored: Option<&str>) -> Result<bool, Refusal> {
        let exists = stored.is_some();
        let stored = stored.unwrap_or(&self.decoy).to_owned();
        let argon2 = self.argon2.clone();
        let matches = self.on_a_thread(move || {
            PasswordHash::new(&stored)
                .is_ok_and(|hash| argon2.verify_password(password.as_bytes(), &hash).is_ok())
        });
        Ok(matches.await? && exists)
    }

    /// Whether no password is being hashed.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.queue.available_permits() == QUEUE
    }

    async fn on_a_thread<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        let busy = |_| Refusal::Unavailable("too many logins at once; try again soon".into());
        let _place = self.queue.clone().try_acquire_owned().map_err(busy)?;
        let thread = self.threads.clone().acquire_owned().await;
        let thread = thread.map_err(|_| Refusal::Internal)?;
        let done = tokio::task::spawn_blocking(move || {
            // Held by the work itself: a client that goes away does not free the thread early.
            let _thread = thread;
            work()
        });
        done.await.map_err(|_| Refusal::Internal)
    }
}

fn hash_now(argon2: &Argon2<'_>, password: &str) -> Result<String, Refusal> {
    let hash = argon2.hash_password(password.as_bytes()).map_err(|error| {
        tracing::error!(%error, "a password could not be hashed");
        Refusal::Internal
    })?;
    Ok(hash.to_string())
}

/// Checks a password that somebody wants to have.
///
/// # Errors
/// If it is too short or too long.
pub fn check_password(password: &str) -> Result<(), Refusal> {
    let length = password.chars().count();
    if (8..=128).contains(&length) {
        return Ok(());
    }
    Err(Refusal::Bad(format!("a password has 8 to 128 characters, this one has {length}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn only_the_right_password_is_right() {
        let passwords = Passwords::new(1, PasswordCost::Cheap);
        let stored = passwords.hash("correct horse".into()).await.unwrap();
        assert!(passwords.is_right("correct horse".into(), Some(&stored)).await.unwrap());
        assert!(!passwords.is_right("correct horsE".into(), Some(&stored)).await.unwrap());
        assert!(!passwords.is_right("correct horse".into(), None).await.unwrap());
        assert!(!passwords.is_right("correct horse".into(), Some("no hash")).await.unwrap());
        assert!(!stored.contains("horse"));
    }
}
