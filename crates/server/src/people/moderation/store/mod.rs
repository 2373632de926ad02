//! The rows of moderation: one file for each kind.

pub(super) mod addresses;
pub(super) mod audit;
pub(super) mod people;
pub(super) mod reports;
pub(super) mod sanctions;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use sqlx::Row;
use sqlx::any::AnyRow;

/// A word of an enum, as the wire and the database have it.
fn word(value: impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(Value::String(word)) => word,
        _ => String::new(),
    }
}

/// An enum of its word in a column.
fn read<T: DeserializeOwned>(row: &AnyRow, column: &str) -> Result<Option<T>, sqlx::Error> {
    let word: Option<String> = row.try_get(column)?;
    Ok(word.and_then(|word| serde_json::from_value(Value::String(word)).ok()))
}
