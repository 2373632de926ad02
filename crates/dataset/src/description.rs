//! `dataset.json`: what a dataset is made of, by which it is known again.

use crate::error::DatasetError;
use crate::npz::write_whole;
use serde::Serialize;
use serde_json::ser::{PrettyFormatter, Serializer};
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

/// What `dataset.json` says.
#[derive(Serialize)]
pub(crate) struct Description<'a> {
    pub(crate) version: u32,
    pub(crate) setup: String,
    pub(crate) values: Option<&'a str>,
    /// Games in a shard.
    pub(crate) shard: u64,
    #[serde(flatten)]
    pub(crate) source: DescribedSource<'a>,
    #[serde(skip_serializing_if = "is_false")]
    pub(crate) policy: bool,
    #[serde(skip_serializing_if = "is_false")]
    pub(crate) luck: bool,
}

/// Where games come from.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum DescribedSource<'a> {
    SelfPlay { bots: &'a [String], games: u64, seed: u64, nodes: Option<u64> },
    Records { records: Vec<String> },
}

fn is_false(flag: &bool) -> bool {
    !flag
}

impl Description<'_> {
    /// Writes it into the folder, or refuses to go on with what was made of something else. More games of the same
    /// kind may be asked for.
    pub(crate) fn keep_in(&self, folder: &Path) -> Result<(), DatasetError> {
        fs::create_dir_all(folder).map_err(DatasetError::io(folder))?;
        let path = folder.join("dataset.json");
        let found = match fs::read_to_string(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return write_whole(&path, &self.text());
            }
            read => read.map_err(DatasetError::io(&path))?,
        };
        let refused = |difference| DatasetError::Other { folder: folder.to_owned(), difference };
        let found: Map<String, Value> = serde_json::from_str(&found)
            .map_err(|error| refused(format!("dataset.json cannot be read: {error}")))?;
        let own = serde_json::to_value(self).expect("it is made of texts and numbers");
        let own = own.as_object().expect("a struct is an object");
        let names: BTreeSet<&String> = own.keys().chain(found.keys()).collect();
        let value = |of: &Map<String, Value>, name| of.get(name).cloned().unwrap_or(Value::Null);
        let mut more = false;
        for name in names {
            let (was, now) = (value(&found, name), value(own, name));
            if was == now {
                continue;
            }
            if name != "games" {
                let difference = format!("{name} was {was} in this dataset, now {now}");
                return Err(refused(difference));
            }
            more = self.goes_on_from(&was, &now).map_err(refused)?;
        }
        if more { write_whole(&path, &self.text()) } else { Ok(()) }
    }

    fn goes_on_from(&self, was: &Value, now: &Value) -> Result<bool, String> {
        match (was.as_u64(), now.as_u64()) {
            (Some(was), Some(now)) if was < now && was.is_multiple_of(self.shard) => Ok(true),
            _ => Err(format!("games was {was}, a whole number of shards goes on to more")),
        }
    }

    fn text(&self) -> Vec<u8> {
        let mut text = Vec::new();
        let mut serializer =
            Serializer::with_formatter(&mut text, PrettyFormatter::with_indent(b" "));
        self.serialize(&mut serializer).expect("it is made of texts and numbers");
        text
    }
}
