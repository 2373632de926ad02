//! The tables are changed by a newer version while nodes of this one run.

use crate::load::Load;
use crate::{TURN, place_and_bus, start};

#[tokio::test(flavor = "multi_thread")]
async fn what_a_newer_version_adds_stops_no_node() {
    let _turn = TURN.lock().await;
    let Some((place, nats)) = place_and_bus() else { return };
    let note = |version: i64, description: &str| {
        place.sql(&format!(
            "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
             VALUES ({version}, '{description}', true, '\\x00', 0)"
        ));
    };
    let refused = || {
        let flags = ["serve", "--listen", "127.0.0.1:0", "--bus", &nats.url()];
        let output = place.run(&flags);
        assert!(!output.status.success());
        String::from_utf8(output.stderr).expect("text")
    };
    let first = start(&place, &nats.url());
    let load = Load::start(&[&first], 12, 24);
    load.until(1.0 / 4.0).await;
    // Every table has one more column under a node that has read and written all of them.
    let tables = place.sql("SELECT tablename FROM pg_tables WHERE schemaname = 'public'");
    assert!(tables.lines().count() > 20, "{tables}");
    for table in tables.lines().filter(|table| *table != "_sqlx_migrations") {
        place.sql(&format!("ALTER TABLE {table} ADD COLUMN later TEXT"));
    }
    place.sql("CREATE TABLE later_things (id TEXT PRIMARY KEY)");
    note(9001, "additive later things");
    load.until(1.0 / 2.0).await;
    let second = start(&place, &nats.url());
    load.add(&second);
    load.until(3.0 / 4.0).await;
    note(9002, "games without farmers");
    let newer = refused();
    assert!(newer.contains("newer version") && newer.contains("9002"), "{newer}");
    // As if this version had a change of its own to make that is not only an addition.
    place.sql("DELETE FROM _sqlx_migrations WHERE version IN (19, 9002)");
    let waits = refused();
    assert!(waits.contains("migration 19") && waits.contains("stop all of them first"), "{waits}");
    load.end().await;
    for live in [first, second] {
        let (status, log, _) = live.stop("TERM");
        assert!(status.success(), "{log}");
    }
}
