//! The migrations of the database, embedded from `migrations/`. They are read here and not by
//! sqlx's macro, which would build both database drivers a second time for the compiler.

use sqlx::SqlSafeStr;
use sqlx::migrate::{Migration, MigrationType, Migrator};
use std::sync::LazyLock;

/// The files by their names, put here by `build.rs`.
static FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/migrations.rs"));

/// All migrations, in order of their versions.
pub(crate) static MIGRATIONS: LazyLock<Migrator> = LazyLock::new(|| {
    let all = FILES.iter().map(|(name, sql)| migration(name, sql)).collect();
    let mut migrator = Migrator::with_migrations(all);
    // What a newer program applied is looked at in `upgrade`.
    migrator.set_ignore_missing(true);
    migrator
});

/// Reads a file whose name is like `0002_games.sql`.
fn migration(name: &str, sql: &'static str) -> Migration {
    let parts = name.strip_suffix(".sql").and_then(|name| name.split_once('_'));
    let (version, description) = parts.expect("a number, a line, a description");
    Migration::new(
        version.parse().expect("a number"),
        description.replace('_', " ").into(),
        MigrationType::Simple,
        sql.into_sql_str(),
        false,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_a_migration() {
        let files = std::fs::read_dir("migrations").unwrap().count();
        assert_eq!(MIGRATIONS.iter().count(), files);
        let versions: Vec<i64> = MIGRATIONS.iter().map(|migration| migration.version).collect();
        assert!(versions.is_sorted_by(|a, b| a < b), "{versions:?}");
    }

    #[test]
    fn checksums_are_those_of_databases_in_use() {
        let first = MIGRATIONS.iter().next().unwrap();
        assert_eq!((first.version, &*first.description), (1, "accounts"));
        let hex: String = first.checksum.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(
            hex,
            "6ef0643a61751562c2e9e8d628a83bf47a739570836366b45b6389b12acc9ab5d2dd01d477b2bb946bc7d761675edc77"
        );
    }
}
