//! A position as a layout, for who wants to change it by hand.

use crate::request::{Request, WithRecord, position_at, written};
use bots::roster::Playable;
use carcassonne::Position;
use game::Record;

pub(crate) struct Ask<'a> {
    pub(crate) asked: &'a Request,
}

impl WithRecord for Ask<'_> {
    fn with<E: Playable>(self, record: &Record<Position<E>>) -> Result<String, String> {
        let layout = position_at(record, self.asked)?.layout();
        let layout = layout.ok_or("no layout while a figure may be put down, or after the game")?;
        Ok(written(&layout.to_string()))
    }
}
