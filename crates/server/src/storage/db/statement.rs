//! A statement with its values, made by the `store` of its rows and run by whoever holds the
//! transaction.

use sqlx::AnyConnection;

/// A statement with its values.
#[derive(Clone, Debug)]
pub struct Statement {
    sql: &'static str,
    values: Vec<Bound>,
    /// How many rows it changes if they are as its author believes.
    expects: Option<u64>,
}

/// A value bound to a placeholder; an absent one keeps its type, which PostgreSQL needs.
#[derive(Clone, Debug)]
pub enum Bound {
    /// Text.
    Text(Option<String>),
    /// A whole number.
    Whole(Option<i64>),
}

impl From<&str> for Bound {
    fn from(text: &str) -> Self {
        Self::Text(Some(text.to_owned()))
    }
}

impl From<String> for Bound {
    fn from(text: String) -> Self {
        Self::Text(Some(text))
    }
}

impl From<Option<String>> for Bound {
    fn from(text: Option<String>) -> Self {
        Self::Text(text)
    }
}

impl From<i64> for Bound {
    fn from(number: i64) -> Self {
        Self::Whole(Some(number))
    }
}

impl From<Option<i64>> for Bound {
    fn from(number: Option<i64>) -> Self {
        Self::Whole(number)
    }
}

impl From<bool> for Bound {
    fn from(truth: bool) -> Self {
        Self::Whole(Some(i64::from(truth)))
    }
}

impl Statement {
    /// A statement with the values of `$1`, `$2`, …
    #[must_use]
    pub const fn new(sql: &'static str, values: Vec<Bound>) -> Self {
        Self { sql, values, expects: None }
    }

    /// A statement that changes exactly one row: what it expects of that row stands in its `WHERE`.
    /// If it is not so, the whole change is refused.
    #[must_use]
    pub const fn guarded(sql: &'static str, values: Vec<Bound>) -> Self {
        Self { sql, values, expects: Some(1) }
    }

    /// Its text.
    pub(crate) const fn sql(&self) -> &'static str {
        self.sql
    }

    /// Runs it. Whether it changed as many rows as it expects.
    pub(crate) async fn run(&self, to: &mut AnyConnection) -> Result<bool, sqlx::Error> {
        let values = self.values.iter().cloned();
        let query = values.fold(sqlx::query(self.sql), |query, value| match value {
            Bound::Text(text) => query.bind(text),
            Bound::Whole(number) => query.bind(number),
        });
        let changed = query.execute(to).await?.rows_affected();
        Ok(self.expects.is_none_or(|expected| changed == expected))
    }
}
