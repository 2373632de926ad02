//! What nodes say to each other about a table: a line of JSON, and where there is one, the text that
//! is handed on as it is.

use crate::error::Refusal;
use crate::people::accounts::Requester;
use crate::play::table::command::{Action, Outgoing, Reply, ViewOf};
use crate::wire::PlayResult;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Topics.
pub(super) const COMMAND: &str = "table.command";
pub(super) const ANSWER: &str = "table.answer";
pub(super) const OUT: &str = "table.out";

/// A command for a table that the receiver holds.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct CommandLetter {
    pub(super) game: String,
    /// The sender's number for the answer, if it wants one.
    pub(super) number: u64,
    pub(super) asked: Asked,
}

/// What a table elsewhere can be told. Connections are numbered by the sender.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum Asked {
    Act { who: Requester, id: Option<u64>, action: Action },
    Watch { watch: u64, who: Option<Requester>, from: Option<u64>, quiet: bool },
    Lag { watch: u64, milliseconds: u64 },
    Unwatch { watch: u64 },
    Look { who: Option<Requester>, view: ViewOf },
    Greet { user: String },
    Presence,
    Renamed { user: String, name: String },
    RatingsChanged,
    Wake,
    CallOff,
}

/// The answer to a command.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct AnswerLetter {
    pub(super) game: String,
    pub(super) number: u64,
    pub(super) answer: Answered,
}

/// What a table answered. What is to be seen follows as text.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Answered {
    Done(Option<PlayResult>),
    Watching,
    Seen,
    Greeted,
    Settled,
    Refused(Refusal),
    /// The receiver does not hold the game.
    NotHere,
}

/// A message to a watcher; its text follows.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct OutLetter {
    pub(super) game: String,
    pub(super) watch: u64,
    /// Which message to this watcher, from 0: a gap shows that one was lost.
    pub(super) sequence: u64,
    pub(super) kind: OutKind,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) enum OutKind {
    Update,
    Other,
    GoodBye,
    /// The table has dropped the watcher.
    End,
}

/// A letter as bytes.
pub(super) fn write(letter: &impl Serialize, text: &str) -> Vec<u8> {
    let mut bytes = serde_json::to_vec(letter).expect("plain data is JSON");
    bytes.push(b'\n');
    bytes.extend_from_slice(text.as_bytes());
    bytes
}

/// A letter and the text that follows, if it can be read.
pub(super) fn read<T: DeserializeOwned>(bytes: &[u8]) -> Option<(T, &str)> {
    // JSON is written without line breaks.
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    let text = std::str::from_utf8(&bytes[end + 1..]).ok()?;
    Some((serde_json::from_slice(&bytes[..end]).ok()?, text))
}

impl OutKind {
    /// What a watcher is sent, taken apart.
    pub(super) fn of(out: &Outgoing) -> (Self, &str) {
        match out {
            Outgoing::Update(text) => (Self::Update, text.as_str()),
            Outgoing::Other(text) => (Self::Other, text.as_str()),
            Outgoing::GoodBye => (Self::GoodBye, ""),
        }
    }

    /// What a watcher is sent; nothing if this ends the connection.
    pub(super) fn with(self, text: &str) -> Option<Outgoing> {
        match self {
            Self::Update => Some(Outgoing::Update(text.to_owned().into())),
            Self::Other => Some(Outgoing::Other(text.to_owned().into())),
            // That node stops, not this one: its watchers here only have to come back.
            Self::GoodBye | Self::End => None,
        }
    }
}

impl Answered {
    pub(super) fn reply(reply: Result<Reply, Refusal>) -> Self {
        match reply {
            Ok(reply) => Self::Done(reply.played.map(|played| (*played).clone())),
            Err(refusal) => Self::Refused(refusal),
        }
    }

    pub(super) fn settled(answer: Result<(), Refusal>) -> Self {
        match answer {
            Ok(()) => Self::Settled,
            Err(refusal) => Self::Refused(refusal),
        }
    }
}

/// A reply as this node's own tables give it.
pub(super) fn reply_of(played: Option<PlayResult>) -> Reply {
    Reply { played: played.map(Arc::new) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_comes_back_with_its_text_and_garbage_is_refused() {
        let letter = OutLetter { game: "g".into(), watch: 3, sequence: 0, kind: OutKind::Update };
        let bytes = write(&letter, "{\"text\":\n\"with lines\"}");
        let (back, text) = read::<OutLetter>(&bytes).expect("it was written here");
        assert_eq!((back.watch, text), (3, "{\"text\":\n\"with lines\"}"));
        for bad in [&b""[..], b"\n", b"{}\n", b"no line", b"{\"game\":1}\n", b"\xff\n\xff"] {
            assert!(read::<OutLetter>(bad).is_none(), "{bad:?}");
        }
    }
}
