//! The review of a game, told step by step: the server's lines, made here.

use crate::request::{WithRecord, check_net, written};
use bots::review::{Depth, Review, Step};
use bots::roster::Playable;
use carcassonne::Position;
use game::Record;
use search::Stop;
use serde::Serialize;

pub(crate) struct Ask<'a> {
    pub(crate) depth: Depth,
    pub(crate) tell: &'a mut dyn FnMut(String),
}

/// The lines of a review that the page reads from the server too.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Line<'a> {
    Step { step: &'a Step, done: usize, plies: usize },
    Done { review: &'a Review },
}

impl WithRecord for Ask<'_> {
    fn with<E: Playable>(self, record: &Record<Position<E>>) -> Result<String, String> {
        let Self { depth, tell } = self;
        check_net(&record.setup)?;
        let each = &mut |step: &Step, done: usize, plies: usize| {
            tell(written(&Line::Step { step: &step.rounded(), done, plies }));
        };
        let review = bots::review::review(record, depth, &Stop::new(), each);
        let review = review.map_err(|error| error.to_string())?;
        Ok(written(&Line::Done { review: &review.rounded() }))
    }
}
