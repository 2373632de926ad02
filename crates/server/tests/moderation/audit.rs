//! The audit log: nobody changes it, and a change is found.

use crate::common::{Database, Server};
use crate::support::*;
use server::people::accounts::Role;
use server::people::moderation::audit::{self, AuditError, Head};
use server::staff::admin;
use server::staff::backup::{backup, restore};
use server::storage::db::{DatabaseKind, Db};

async fn verified(db: &Db) -> Result<Head, AuditError> {
    let mut connection = db.pool.acquire().await.unwrap();
    audit::verify(&mut connection, None).await.unwrap()
}

/// A log of three rows.
async fn three_rows(server: &Server) -> &Db {
    let (_, name) = registered(server).await;
    let db = &server.app.db;
    admin::set_role(db, &name, Role::Moderator).await.unwrap();
    admin::ban(db, &name, true).await.unwrap();
    admin::ban(db, &name, false).await.unwrap();
    db
}

#[tokio::test]
async fn what_is_done_at_the_command_line_is_in_the_log() {
    let server = Server::start().await;
    let db = three_rows(&server).await;
    let rows = audit::latest(db, None, None, 10).await.unwrap();
    let actions: Vec<&str> = rows.iter().map(|row| row.action.as_str()).collect();
    assert_eq!(actions, ["lift_ban", "ban", "role"]);
    assert!(rows.iter().all(|row| row.actor == "command_line"));
    let head = verified(db).await.unwrap();
    assert_eq!((head.rows, &head.hash), (3, &rows[0].hash));
    let mut connection = db.pool.acquire().await.unwrap();
    let noted = audit::verify(&mut connection, Some(&rows[1].hash)).await.unwrap();
    assert_eq!(noted, Ok(head));
    let lost = audit::verify(&mut connection, Some("abc")).await.unwrap();
    assert_eq!(lost, Err(AuditError::Missing("abc".to_owned())));
}

#[tokio::test]
async fn the_database_refuses_to_change_the_log() {
    let server = Server::start().await;
    let db = three_rows(&server).await;
    let mut attempts = vec![
        "UPDATE audit SET details = '{}' WHERE number = 2",
        "UPDATE audit SET actor_name = actor_name",
        "DELETE FROM audit WHERE number = 3",
        "DELETE FROM audit",
        "INSERT INTO audit SELECT * FROM audit WHERE number = 1",
    ];
    attempts.push(match db.kind {
        DatabaseKind::Sqlite => {
            "INSERT OR REPLACE INTO audit \
             VALUES (2, 0, 'server', '', 'nothing', '', '{}', '', '')"
        }
        DatabaseKind::Postgres => "TRUNCATE audit",
    });
    for sql in attempts {
        let refused = sqlx::query(sql).execute(&db.pool).await;
        assert!(refused.is_err(), "{sql}");
    }
    assert_eq!(verified(db).await.unwrap().rows, 3);
}

#[tokio::test]
async fn a_log_that_was_changed_all_the_same_is_found_out() {
    let changes = [
        ("UPDATE audit SET details = '{}' WHERE number = 2", AuditError::Changed(2)),
        ("UPDATE audit SET at = at + 1 WHERE number = 1", AuditError::Changed(1)),
        ("DELETE FROM audit WHERE number = 2", AuditError::Gap { after: 1, found: 3 }),
        ("UPDATE audit SET previous = hash WHERE number = 3", AuditError::Broken(3)),
        (
            // A row whose own hash is right again betrays itself by the next one.
            "UPDATE audit SET hash = previous WHERE number = 1",
            AuditError::Changed(1),
        ),
    ];
    for (sql, fault) in changes {
        let server = Server::start().await;
        let db = three_rows(&server).await;
        without_guard(db).await;
        sqlx::query(sql).execute(&db.pool).await.unwrap();
        assert_eq!(verified(db).await, Err(fault), "{sql}");
    }
}

/// Somebody who owns the database takes the triggers away.
async fn without_guard(db: &Db) {
    let drops: &[&'static str] = match db.kind {
        DatabaseKind::Sqlite => &[
            "DROP TRIGGER audit_no_update",
            "DROP TRIGGER audit_no_delete",
            "DROP TRIGGER audit_no_replace",
        ],
        DatabaseKind::Postgres => {
            &["DROP TRIGGER audit_no_change ON audit", "DROP TRIGGER audit_no_truncate ON audit"]
        }
    };
    for drop in drops {
        sqlx::query(*drop).execute(&db.pool).await.unwrap();
    }
}

#[tokio::test]
async fn rows_that_are_written_at_the_same_time_follow_one_another() {
    let server = Server::start().await;
    let (_, name) = registered(&server).await;
    let actions = (0..20).map(|n| {
        let (db, name) = (server.app.db.clone(), name.clone());
        tokio::spawn(async move { admin::ban(&db, &name, n % 2 == 0).await })
    });
    for action in actions.collect::<Vec<_>>() {
        action.await.unwrap().unwrap();
    }
    assert_eq!(verified(&server.app.db).await.unwrap().rows, 20);
}

#[tokio::test]
async fn a_backup_carries_the_log_and_a_changed_one_is_not_restored() {
    let server = Server::start().await;
    let db = three_rows(&server).await;
    let head = verified(db).await.unwrap();
    let folder = Database::new().await;
    let whole = folder.folder().join("whole");
    backup(db, &whole).await.unwrap();
    let elsewhere = Database::new().await;
    restore(elsewhere.url(), &whole).await.unwrap();
    let restored = Db::open(elsewhere.url(), 2).await.unwrap();
    assert_eq!(verified(&restored).await.unwrap(), head);
    assert!(sqlx::query("DELETE FROM audit").execute(&restored.pool).await.is_err());
    restored.pool.close().await;

    without_guard(db).await;
    let forged = "UPDATE audit SET actor_name = 'somebody else' WHERE number = 2";
    sqlx::query(forged).execute(&db.pool).await.unwrap();
    let changed = folder.folder().join("changed");
    backup(db, &changed).await.unwrap();
    let refused = restore(Database::new().await.url(), &changed).await.unwrap_err().to_string();
    assert!(refused.contains("row 2 was changed"), "{refused}");
}

#[tokio::test]
async fn a_role_is_told_to_its_owner_and_in_the_log() {
    let server = Server::start().await;
    let (client, _) = with_role(&server, Role::Moderator).await;
    assert_eq!(client.get("/api/me").await.value()["role"], "moderator");
    let subject = format!("user:{}", id_of(&client).await);
    let rows = audit::latest(&server.app.db, None, Some(&subject), 10).await.unwrap();
    assert!(rows[0].details.contains("\"to\":\"moderator\""), "{rows:?}");
    let guest = server.guest().await;
    let name = guest.get("/api/me").await.value()["name"].as_str().unwrap().to_owned();
    assert!(admin::set_role(&server.app.db, &name, Role::Moderator).await.is_err());
}
