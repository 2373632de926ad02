//! Passwords: hashed by Argon2id on a few threads, so that logins cannot take the machine.
//!
//! A hash needs 19 MiB for a moment. An allocator that keeps what was freed for each thread would
//! keep that many times over; so the memory is taken once for each hash that may run at the same
//! time, and used again.

use crate::config::PasswordCost;
use crate::error::Refusal;
use argon2::password_hash::phc::{Output, ParamsString, PasswordHash, Salt};
use argon2::{Algorithm, Argon2, Block, Params, Version};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Semaphore;

/// Where passwords are hashed.
pub struct Passwords {
    threads: Arc<Semaphore>,
    queue: Arc<Semaphore>,
    memory: Memory,
    argon2: Argon2<'static>,
    /// What is compared for a name that does not exist, so that it takes as long.
    decoy: String,
}

/// How many may wait for a thread.
const QUEUE: usize = 64;

/// The memory of hashes that are done, for those that come; cheap to clone. There is never more
/// than the hashes that ran at the same time needed.
#[derive(Clone, Default)]
struct Memory(Arc<Mutex<Vec<Vec<Block>>>>);

impl Memory {
    fn lock(&self) -> MutexGuard<'_, Vec<Vec<Block>>> {
        // Nothing that can panic happens under the lock.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lends the memory of one hash.
    fn lend<T>(&self, work: impl FnOnce(&mut Vec<Block>) -> T) -> T {
        let mut blocks = self.lock().pop().unwrap_or_default();
        let done = work(&mut blocks);
        self.lock().push(blocks);
        done
    }
}

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
        // Random bytes instead of a hash: a server that nobody has logged in to yet needs no
        // memory for that.
        let mut random = [0; Params::DEFAULT_OUTPUT_LEN];
        getrandom::fill(&mut random).expect("the system has random bytes");
        let decoy = stored_form(&argon2, Salt::generate(), &random);
        let decoy = decoy.expect("so many bytes are the output of a hash");
        Self {
            threads: Arc::new(Semaphore::new(threads.max(1))),
            queue: Arc::new(Semaphore::new(QUEUE)),
            memory: Memory::default(),
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
        let hash = self.on_a_thread(move |blocks| hash_now(&argon2, &password, blocks)).await?;
        hash.map_err(|error| {
            tracing::error!(%error, "a password could not be hashed");
            Refusal::Internal
        })
    }

    /// Whether a password is the one that was stored. Takes as long if nothing was.
    ///
    /// # Errors
    /// If too many are waiting.
    pub async fn is_right(&self, password: String, stored: Option<&str>) -> Result<bool, Refusal> {
        let exists = stored.is_some();
        let stored = stored.unwrap_or(&self.decoy).to_owned();
        let matches = self.on_a_thread(move |blocks| matches(&stored, &password, blocks));
        Ok(matches.await? && exists)
    }

    /// Whether no password is being hashed.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.queue.available_permits() == QUEUE
    }

    async fn on_a_thread<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Vec<Block>) -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        let busy = |_| Refusal::Unavailable("too many logins at once; try again soon".into());
        let _place = self.queue.clone().try_acquire_owned().map_err(busy)?;
        let thread = self.threads.clone().acquire_owned().await;
        let thread = thread.map_err(|_| Refusal::Internal)?;
        let memory = self.memory.clone();
        let done = tokio::task::spawn_blocking(move || {
            // Held by the work itself: a client that goes away does not free the thread early.
            let _thread = thread;
            memory.lend(work)
        });
        done.await.map_err(|_| Refusal::Internal)
    }
}

fn hash_now(
    argon2: &Argon2<'_>,
    password: &str,
    blocks: &mut Vec<Block>,
) -> Result<String, argon2::password_hash::Error> {
    let salt = Salt::generate();
    let mut out = [0; Params::DEFAULT_OUTPUT_LEN];
    digest(argon2, password, &salt, blocks, &mut out)?;
    stored_form(argon2, salt, &out)
}

/// A hash as it is stored, with its parameters and its salt.
fn stored_form(
    argon2: &Argon2<'_>,
    salt: Salt,
    out: &[u8],
) -> Result<String, argon2::password_hash::Error> {
    let hash = PasswordHash {
        algorithm: Algorithm::Argon2id.ident(),
        version: Some(Version::V0x13.into()),
        params: ParamsString::try_from(argon2.params())?,
        salt: Some(salt),
        hash: Some(Output::new(out)?),
    };
    Ok(hash.to_string())
}

/// Whether a password is the one of a hash, with the parameters that the hash was made with.
fn matches(stored: &str, password: &str, blocks: &mut Vec<Block>) -> bool {
    let Ok(hash) = PasswordHash::new(stored) else { return false };
    let version = hash.version.map(Version::try_from).transpose();
    let (Ok(algorithm), Ok(version), Ok(params), Some(salt), Some(expected)) = (
        Algorithm::try_from(hash.algorithm.as_str()),
        version,
        Params::try_from(&hash),
        &hash.salt,
        &hash.hash,
    ) else {
        return false;
    };
    let argon2 = Argon2::new(algorithm, version.unwrap_or_default(), params);
    let mut out = vec![0; expected.len()];
    let done = digest(&argon2, password, salt, blocks, &mut out);
    // Outputs are compared in constant time.
    done.is_ok() && Output::new(&out).is_ok_and(|output| output == *expected)
}

fn digest(
    argon2: &Argon2<'_>,
    password: &str,
    salt: &[u8],
    blocks: &mut Vec<Block>,
    out: &mut [u8],
) -> Result<(), argon2::Error> {
    blocks.resize(argon2.params().block_count(), Block::new());
    argon2.hash_password_into_with_memory(password.as_bytes(), salt, out, blocks)
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

    #[tokio::test]
    async fn hashes_of_other_programs_and_parameters_are_read() {
        let passwords = Passwords::new(1, PasswordCost::Cheap);
        // As the crate's own functions make and check them.
        let params = Params::new(64, 2, 1, None).unwrap();
        let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        let stored =
            argon2::PasswordHasher::hash_password(&argon2, b"password").unwrap().to_string();
        assert!(stored.contains("m=64,t=2,p=1"), "{stored}");
        assert!(passwords.is_right("password".into(), Some(&stored)).await.unwrap());
        assert!(!passwords.is_right("Password".into(), Some(&stored)).await.unwrap());
        let own = passwords.hash("password".into()).await.unwrap();
        let verified =
            argon2::PasswordVerifier::verify_password(&argon2, b"password", own.as_str());
        assert!(verified.is_ok(), "others read ours: {own}");
        assert!(passwords.is_right("password".into(), Some(&own)).await.unwrap());
    }

    #[tokio::test]
    async fn memory_is_used_again() {
        let passwords = Arc::new(Passwords::new(3, PasswordCost::Cheap));
        let tasks: Vec<_> = (0..32)
            .map(|n| {
                let passwords = passwords.clone();
                tokio::spawn(async move { passwords.is_right(format!("wrong {n}"), None).await })
            })
            .collect();
        for task in tasks {
            assert!(!task.await.unwrap().unwrap());
        }
        assert!((1..=3).contains(&passwords.memory.lock().len()));
    }
}
