//! What keeps the audit log as it is: triggers that refuse every change and every removal of a
//! row. The databases have no common way to write them, so no migration can.

use super::{DatabaseKind, Db};
use sqlx::Executor;

/// Makes the triggers, if they are not there.
pub(crate) async fn install(db: &Db) -> Result<(), sqlx::Error> {
    let (count, all) = match db.kind {
        DatabaseKind::Sqlite => {
            ("SELECT COUNT(*) FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'audit'", 3)
        }
        DatabaseKind::Postgres => (
            "SELECT COUNT(*) FROM pg_trigger WHERE tgrelid = 'audit'::regclass \
              AND NOT tgisinternal AND tgenabled <> 'D'",
            2,
        ),
    };
    if sqlx::query_scalar::<_, i64>(count).fetch_one(&db.pool).await? == all {
        return Ok(());
    }
    let mut changes = db.begin().await?;
    if db.kind == DatabaseKind::Postgres {
        // Two programs that start at the same time must not replace a trigger at the same time.
        changes.execute("LOCK TABLE audit IN ACCESS EXCLUSIVE MODE").await?;
    }
    let statements: &[&'static str] = match db.kind {
        DatabaseKind::Sqlite => &SQLITE,
        DatabaseKind::Postgres => &POSTGRES,
    };
    for statement in statements {
        changes.execute(*statement).await?;
    }
    changes.commit().await
}

const SQLITE: [&str; 3] = [
    "CREATE TRIGGER IF NOT EXISTS audit_no_update BEFORE UPDATE ON audit \
     BEGIN SELECT RAISE(ABORT, 'the audit log cannot be changed'); END",
    "CREATE TRIGGER IF NOT EXISTS audit_no_delete BEFORE DELETE ON audit \
     BEGIN SELECT RAISE(ABORT, 'the audit log cannot be changed'); END",
    // INSERT OR REPLACE removes the old row without a trigger of DELETE.
    "CREATE TRIGGER IF NOT EXISTS audit_no_replace BEFORE INSERT ON audit \
     WHEN EXISTS (SELECT 1 FROM audit WHERE number = NEW.number) \
     BEGIN SELECT RAISE(ABORT, 'the audit log cannot be changed'); END",
];

const POSTGRES: [&str; 5] = [
    "CREATE OR REPLACE FUNCTION audit_refuse() RETURNS trigger LANGUAGE plpgsql AS \
     $$ BEGIN RAISE EXCEPTION 'the audit log cannot be changed'; END $$",
    "DROP TRIGGER IF EXISTS audit_no_change ON audit",
    "CREATE TRIGGER audit_no_change BEFORE UPDATE OR DELETE ON audit \
     FOR EACH ROW EXECUTE FUNCTION audit_refuse()",
    "DROP TRIGGER IF EXISTS audit_no_truncate ON audit",
    "CREATE TRIGGER audit_no_truncate BEFORE TRUNCATE ON audit \
     FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse()",
];
