//! A question of somebody to the engine, from the queue to the answer.

use super::queue::WorkQueue;
use super::task::{Outcome, Task};
use crate::engine::analysis::{LONGEST, Question};
use crate::engine::threads::{GRACE, StopOnDrop};
use crate::error::Refusal;
use crate::wire::Analysis;
use search::Stop;

impl WorkQueue {
    /// What the engine thinks, for somebody; who goes away stops it.
    ///
    /// # Errors
    /// If the question cannot be answered, or too many wait.
    pub async fn analyse(&self, user: &str, question: Question) -> Result<Analysis, Refusal> {
        let stop = Stop::new();
        let _guard = StopOnDrop::new(stop.clone());
        let mut ticket = self.ask(user, &stop, Task::Analysis(question))?;
        ticket.begun().await;
        let Ok((answer, _)) = tokio::time::timeout(LONGEST + GRACE, ticket.answer()).await else {
            ticket.give_up();
            return Err(Refusal::Unavailable("the engine did not answer in time".to_owned()));
        };
        match answer? {
            Outcome::Analysis(analysis) => Ok(analysis),
            Outcome::Turn(_) | Outcome::Review(_) | Outcome::Mined(_) => Err(Refusal::Internal),
        }
    }
}
