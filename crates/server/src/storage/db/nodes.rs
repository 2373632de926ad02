//! The nodes that share a database: how each keeps its right to change games, how it is taken from
//! one that is gone, and which games each holds.
//!
//! A node notes every moment that it is there, by the database's clock. One that has not for longer
//! than [`LEASE`] may be removed by any other, and its games with it: from then on its transactions
//! fail. Removing waits for those that were begun, so nothing that was stored is lost. A node removes
//! others only after it has itself been noted for that long without a gap: where the database was away
//! for all, nobody loses anything.

use super::ownership::{Fence, Sharing};
use super::{DatabaseKind, Db};
use sqlx::AnyConnection;
use std::time::Duration;

/// How long a node counts as there after it was last noted.
pub(crate) const LEASE: Duration = Duration::from_secs(3);

const LEASE_MS: i64 = LEASE.as_millis() as i64;

/// Who holds a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Holder {
    /// This server, from now on.
    Me,
    /// Another node.
    Other(i64),
    /// There is no such game.
    Nobody,
}

/// The database's clock, in Unix milliseconds.
macro_rules! with_clock {
    ($kind:expr, $before:literal, $after:literal) => {
        match $kind {
            DatabaseKind::Sqlite => concat!(
                $before,
                "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)",
                $after
            ),
            DatabaseKind::Postgres => concat!(
                $before,
                "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)",
                $after
            ),
        }
    };
}

/// How many nodes there are, of those that are not long gone.
pub(super) async fn count_living(
    to: &mut AnyConnection,
    kind: DatabaseKind,
) -> Result<i64, sqlx::Error> {
    let sql = with_clock!(kind, "SELECT COUNT(*) FROM nodes WHERE alive >= ", " - $1");
    sqlx::query_scalar(sql).bind(LEASE_MS).fetch_one(to).await
}

/// Takes the right of all nodes away.
pub(super) async fn remove_all(to: &mut AnyConnection) -> Result<(), sqlx::Error> {
    sqlx::query("DELETE FROM nodes").execute(&mut *to).await?;
    sqlx::query("UPDATE games SET node = NULL WHERE node IS NOT NULL").execute(to).await?;
    Ok(())
}

/// Notes a new node.
pub(super) async fn insert(
    to: &mut AnyConnection,
    kind: DatabaseKind,
    epoch: i64,
) -> Result<(), sqlx::Error> {
    let sql = with_clock!(kind, "INSERT INTO nodes (epoch, alive) VALUES ($1, ", ")");
    sqlx::query(sql).bind(epoch).execute(to).await?;
    Ok(())
}

impl Fence {
    /// Notes that this node is there, and gives all that are, with those that are gone for too long.
    ///
    /// # Errors
    /// If the database does not answer.
    pub async fn keep_place(&self, db: &Db) -> Result<Members, sqlx::Error> {
        let note = with_clock!(db.kind, "UPDATE nodes SET alive = ", " WHERE epoch = $1");
        let noted = sqlx::query(note).bind(self.epoch()).execute(&db.pool).await?.rows_affected();
        if noted == 0 {
            self.lose();
        }
        let all = with_clock!(db.kind, "SELECT epoch, ", " - alive FROM nodes");
        let all: Vec<(i64, i64)> = sqlx::query_as(all).fetch_all(&db.pool).await?;
        let (gone, here): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|(epoch, age)| *epoch != self.epoch() && *age > LEASE_MS);
        self.set_first(here.iter().chain(&gone).all(|(epoch, _)| *epoch >= self.epoch()));
        let epochs = |list: Vec<(i64, i64)>| list.into_iter().map(|(epoch, _)| epoch).collect();
        Ok(Members { here: epochs(here), gone: epochs(gone) })
    }

    /// Removes a node that is gone for too long; whether this call did it.
    ///
    /// # Errors
    /// If the database does not answer.
    pub async fn remove(&self, db: &Db, gone: i64) -> Result<bool, sqlx::Error> {
        let mut transaction = db.begin().await?;
        let sql = with_clock!(db.kind, "DELETE FROM nodes WHERE epoch = $1 AND alive < ", " - $2");
        let removed = sqlx::query(sql).bind(gone).bind(LEASE_MS).execute(&mut *transaction);
        if removed.await?.rows_affected() == 0 {
            return Ok(false);
        }
        free_all(&mut transaction, gone).await?;
        transaction.commit().await?;
        Ok(true)
    }

    /// Gives up this node's place and its games.
    ///
    /// # Errors
    /// If the database does not answer.
    pub async fn leave(&self, db: &Db) -> Result<(), sqlx::Error> {
        if self.sharing() == Sharing::Alone {
            return Ok(());
        }
        self.note_leaving();
        let mut transaction = db.begin().await?;
        let sql = "DELETE FROM nodes WHERE epoch = $1";
        sqlx::query(sql).bind(self.epoch()).execute(&mut *transaction).await?;
        free_all(&mut transaction, self.epoch()).await?;
        transaction.commit().await
    }

    /// Takes a game that no other node holds. A server that is alone holds all.
    ///
    /// # Errors
    /// If the database does not answer, or this node has lost its right.
    pub async fn claim(&self, db: &Db, game: &str) -> Result<Holder, sqlx::Error> {
        if self.sharing() == Sharing::Alone {
            return Ok(Holder::Me);
        }
        let mut transaction = db.begin().await?;
        if !self.holds(&mut transaction).await? {
            // For this node there is no database any more; whoever asks finds another node.
            return Err(sqlx::Error::PoolClosed);
        }
        let take = "UPDATE games SET node = $1 WHERE id = $2 AND (node IS NULL OR node = $1 \
                    OR NOT EXISTS (SELECT 1 FROM nodes n WHERE n.epoch = games.node))";
        loop {
            let taken = sqlx::query(take).bind(self.epoch()).bind(game.to_owned());
            if taken.execute(&mut *transaction).await?.rows_affected() == 1 {
                transaction.commit().await?;
                return Ok(Holder::Me);
            }
            let held = sqlx::query_scalar::<_, Option<i64>>("SELECT node FROM games WHERE id = $1");
            match held.bind(game.to_owned()).fetch_optional(&mut *transaction).await? {
                None => return Ok(Holder::Nobody),
                Some(Some(node)) => return Ok(Holder::Other(node)),
                // It was given back in between.
                Some(None) => {}
            }
        }
    }

    /// Gives back a game that this node holds no more in memory.
    ///
    /// # Errors
    /// If the database does not answer.
    pub async fn free(&self, db: &Db, game: &str) -> Result<(), sqlx::Error> {
        if self.sharing() == Sharing::Alone {
            return Ok(());
        }
        let sql = "UPDATE games SET node = NULL WHERE id = $1 AND node = $2";
        sqlx::query(sql).bind(game.to_owned()).bind(self.epoch()).execute(&db.pool).await?;
        Ok(())
    }
}

/// Which nodes there are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Members {
    /// Those that are there, this one among them.
    pub here: Vec<i64>,
    /// Those that have not been noted for too long.
    pub gone: Vec<i64>,
}

async fn free_all(to: &mut AnyConnection, node: i64) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE games SET node = NULL WHERE node = $1").bind(node).execute(to).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_game_that_is_given_back_while_it_is_looked_for_is_taken() {
        let folder = std::env::temp_dir().join(format!("bastide_claim_{}", crate::ids::new_id()));
        std::fs::create_dir_all(&folder).unwrap();
        let url = format!("sqlite:{}", folder.join("x.db").display());
        let db = Db::open(&url, 1).await.unwrap();
        let fence = Fence::raise(&db, Sharing::Nodes).await.unwrap();
        // The first try to take it finds that somebody holds it, and then nobody does.
        for statement in [
            "PRAGMA foreign_keys = OFF",
            "INSERT INTO games (id, game, setup, options, status, rated, visibility, clock, pass_and_play, host, \
             seed, seed_given, commitment, created) VALUES ('g', '', '', '', 'waiting', 0, 'link', '', 0, 'h', '', 0, '', 0)",
            "CREATE TABLE held (once BIGINT)",
            "INSERT INTO held VALUES (1)",
            "CREATE TRIGGER held_once BEFORE UPDATE OF node ON games WHEN EXISTS (SELECT 1 FROM held) \
             BEGIN DELETE FROM held; SELECT RAISE(IGNORE); END",
        ] {
            sqlx::query(statement).execute(&db.pool).await.unwrap();
        }
        assert_eq!(fence.claim(&db, "g").await.unwrap(), Holder::Me);
        assert_eq!(fence.claim(&db, "h").await.unwrap(), Holder::Nobody);
        db.pool.close().await;
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
