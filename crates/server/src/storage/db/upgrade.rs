//! Bringing the tables up to date, while servers of the version before may run.
//!
//! A migration whose file is named `0042_additive_….sql` only adds what older programs do without:
//! tables, and columns that may be left out. A program goes on, and even starts, on a database with
//! such migrations that it does not know. Any other migration waits for all nodes to have stopped, and
//! from then on keeps older programs out.

use super::migrations::MIGRATIONS;
use super::{DatabaseKind, Db, OpenError, Sharing, latest, nodes};
use sqlx::migrate::MigrateError;
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// How the description of a migration begins that only adds.
const ADDITIVE: &str = "additive ";

/// The migration that made the table of nodes.
const NODES: i64 = 20;

/// A node that was killed counts as there for a while.
const PATIENCE: Duration = Duration::from_secs(5);

/// A migration that was applied: its version and its description.
type Applied = (i64, String);

/// Applies what this program knows and the database has not.
pub(super) async fn bring_up_to_date(
    db: &Db,
    url: &str,
    sharing: Sharing,
) -> Result<(), OpenError> {
    let failed = |error| OpenError::database(url, &error);
    let until = Instant::now() + PATIENCE;
    loop {
        // Looked at first: a node that joins meanwhile has done what is still to do here.
        let others = match sharing {
            Sharing::Alone => false,
            Sharing::Nodes => others_run(db).await.map_err(failed)?,
        };
        match check(&applied(db).await.map_err(failed)?, others) {
            Err(OpenError::OthersRun(_)) if Instant::now() < until => {
                sleep(Duration::from_millis(100)).await;
            }
            checked => break checked?,
        }
    }
    MIGRATIONS.run(&db.pool).await.map_err(OpenError::Migration)
}

/// Whether this program can work on a database, and may change its tables now.
fn check(applied: &[Applied], others_run: bool) -> Result<(), OpenError> {
    let is_known = |version: i64| MIGRATIONS.version_exists(version);
    for (version, description) in applied.iter().filter(|(version, _)| !is_known(*version)) {
        if *version < latest() {
            return Err(OpenError::Migration(MigrateError::VersionMissing(*version)));
        }
        if !description.starts_with(ADDITIVE) {
            return Err(OpenError::Newer { found: *version, known: latest() });
        }
    }
    let is_applied = |version: i64| applied.iter().any(|(other, _)| *other == version);
    let mut pending = MIGRATIONS.iter().filter(|migration| !is_applied(migration.version));
    let breaking = pending.find(|migration| !migration.description.starts_with(ADDITIVE));
    match breaking {
        Some(breaking) if others_run => Err(OpenError::OthersRun(breaking.version)),
        _ => Ok(()),
    }
}

async fn others_run(db: &Db) -> Result<bool, sqlx::Error> {
    if !applied(db).await?.iter().any(|(version, _)| *version == NODES) {
        return Ok(false);
    }
    let mut connection = db.pool.acquire().await?;
    Ok(nodes::count_living(&mut connection, db.kind).await? > 0)
}

/// What was applied; nothing in a database that is new.
async fn applied(db: &Db) -> Result<Vec<Applied>, sqlx::Error> {
    let is_there = match db.kind {
        DatabaseKind::Sqlite => {
            "SELECT COUNT(*) FROM sqlite_master WHERE name = '_sqlx_migrations'"
        }
        DatabaseKind::Postgres => {
            "SELECT COUNT(*) FROM pg_class WHERE oid = to_regclass('_sqlx_migrations')"
        }
    };
    if sqlx::query_scalar::<_, i64>(is_there).fetch_one(&db.pool).await? == 0 {
        return Ok(Vec::new());
    }
    let sql = "SELECT version, description FROM _sqlx_migrations ORDER BY version";
    sqlx::query_as(sql).fetch_all(&db.pool).await
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Vec<Applied> {
        MIGRATIONS.iter().map(|m| (m.version, m.description.to_string())).collect()
    }

    #[test]
    fn what_was_added_by_a_newer_program_keeps_nobody_out() {
        let mut applied = all();
        check(&applied, true).unwrap();
        applied.push((9001, "additive colours".into()));
        check(&applied, true).unwrap();
        applied.push((9002, "games without farmers".into()));
        let refused = check(&applied, true).unwrap_err();
        assert!(matches!(refused, OpenError::Newer { found: 9002, .. }), "{refused}");
    }

    #[test]
    fn tables_are_not_changed_under_nodes_that_could_not_go_on() {
        let mut applied = all();
        applied.retain(|(version, _)| *version != NODES);
        check(&applied, false).unwrap();
        let refused = check(&applied, true).unwrap_err();
        assert!(matches!(refused, OpenError::OthersRun(NODES)), "{refused}");
        applied.push((3, "of another program".into()));
        check(&[], true).unwrap_err();
        check(&[], false).unwrap();
    }

    /// Whether a statement leaves everything as it is for programs that do not know of it.
    fn only_adds(statement: &str) -> bool {
        let words: Vec<String> = statement.split_whitespace().map(str::to_uppercase).collect();
        let text = words.join(" ");
        let column = text.starts_with("ALTER TABLE") && text.contains(" ADD COLUMN ");
        text.starts_with("CREATE TABLE ")
            || text.starts_with("CREATE INDEX ")
            || column && (!text.contains("NOT NULL") || text.contains(" DEFAULT "))
    }

    #[test]
    fn migrations_that_are_said_to_add_do() {
        for migration in MIGRATIONS.iter().filter(|m| m.description.starts_with(ADDITIVE)) {
            let sql = migration.sql.as_str();
            let plain: Vec<&str> = sql.lines().map(|l| l.split("--").next().unwrap()).collect();
            let plain = plain.join("\n");
            let statements = plain.split(';').map(str::trim).filter(|text| !text.is_empty());
            for statement in statements {
                assert!(only_adds(statement), "{}: {statement}", migration.version);
            }
        }
        assert!(only_adds("ALTER TABLE games ADD COLUMN colour TEXT"));
        assert!(only_adds("ALTER TABLE games\n  ADD COLUMN colour TEXT NOT NULL DEFAULT 'red'"));
        assert!(!only_adds("ALTER TABLE games ADD COLUMN colour TEXT NOT NULL"));
        assert!(!only_adds("CREATE UNIQUE INDEX one ON games (id)"));
        assert!(!only_adds("ALTER TABLE games DROP COLUMN node"));
        assert!(!only_adds("UPDATE games SET node = NULL"));
    }
}
