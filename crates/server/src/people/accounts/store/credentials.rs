//! The tables `recovery_codes` and `second_factors`.

use crate::storage::db::Db;
use sqlx::AnyExecutor;

pub(in crate::people::accounts) async fn add_code(
    to: impl AnyExecutor<'_>,
    user: &str,
    hash: &str,
) -> Result<(), sqlx::Error> {
    let insert = sqlx::query("INSERT INTO recovery_codes (hash, user_id) VALUES ($1, $2)");
    insert.bind(hash).bind(user).execute(to).await?;
    Ok(())
}

pub(in crate::people::accounts) async fn remove_codes(
    to: impl AnyExecutor<'_>,
    user: &str,
) -> Result<(), sqlx::Error> {
    let void = sqlx::query("DELETE FROM recovery_codes WHERE user_id = $1").bind(user);
    void.execute(to).await?;
    Ok(())
}

/// Marks a code as used. Whether it is one of the user's that was not.
pub(in crate::people::accounts) async fn use_code(
    to: impl AnyExecutor<'_>,
    user: &str,
    hash: &str,
    now: i64,
) -> Result<bool, sqlx::Error> {
    let sql = "UPDATE recovery_codes SET used = $1 \
               WHERE hash = $2 AND user_id = $3 AND used IS NULL";
    let update = sqlx::query(sql).bind(now).bind(hash).bind(user);
    Ok(update.execute(to).await?.rows_affected() == 1)
}

pub(in crate::people::accounts) async fn codes_left(
    db: &Db,
    user: &str,
) -> Result<i64, sqlx::Error> {
    let sql = "SELECT COUNT(*) FROM recovery_codes WHERE user_id = $1 AND used IS NULL";
    sqlx::query_scalar(sql).bind(user).fetch_one(&db.pool).await
}

/// Removes a secret that no code has confirmed.
pub(in crate::people::accounts) async fn remove_unconfirmed(
    to: impl AnyExecutor<'_>,
    user: &str,
) -> Result<(), sqlx::Error> {
    let sql = "DELETE FROM second_factors WHERE user_id = $1 AND confirmed = 0";
    sqlx::query(sql).bind(user).execute(to).await?;
    Ok(())
}

/// Adds a secret that no code has confirmed yet. Whether the user had none.
pub(in crate::people::accounts) async fn add_secret(
    to: impl AnyExecutor<'_>,
    user: &str,
    secret: &str,
) -> Result<bool, sqlx::Error> {
    let sql = "INSERT INTO second_factors (user_id, secret, confirmed, last_step) \
               VALUES ($1, $2, 0, 0) ON CONFLICT (user_id) DO NOTHING";
    let insert = sqlx::query(sql).bind(user).bind(secret);
    Ok(insert.execute(to).await?.rows_affected() > 0)
}

pub(in crate::people::accounts) async fn has_confirmed_secret(
    from: impl AnyExecutor<'_>,
    user: &str,
) -> Result<bool, sqlx::Error> {
    let sql = "SELECT COUNT(*) FROM second_factors WHERE user_id = $1 AND confirmed = 1";
    Ok(sqlx::query_scalar::<_, i64>(sql).bind(user).fetch_one(from).await? > 0)
}

/// The secret of a user, the confirmed one or the other, in hexadecimal digits.
pub(in crate::people::accounts) async fn secret(
    from: impl AnyExecutor<'_>,
    user: &str,
    confirmed: bool,
) -> Result<Option<String>, sqlx::Error> {
    let sql = "SELECT secret FROM second_factors WHERE user_id = $1 AND confirmed = $2";
    sqlx::query_scalar(sql).bind(user).bind(i64::from(confirmed)).fetch_optional(from).await
}

/// Notes the time step of a code, which confirms the secret. Whether it is later than the last one:
/// two requests with one code are one after the other here, and the second finds it used.
pub(in crate::people::accounts) async fn use_step(
    to: impl AnyExecutor<'_>,
    user: &str,
    confirmed: bool,
    step: i64,
) -> Result<bool, sqlx::Error> {
    let sql = "UPDATE second_factors SET last_step = $1, confirmed = 1 \
               WHERE user_id = $2 AND confirmed = $3 AND last_step < $1";
    let update = sqlx::query(sql).bind(step).bind(user).bind(i64::from(confirmed));
    Ok(update.execute(to).await?.rows_affected() == 1)
}

/// Removes a user's secret. Whether there was one.
pub(in crate::people::accounts) async fn remove_secret(
    to: impl AnyExecutor<'_>,
    user: &str,
) -> Result<bool, sqlx::Error> {
    let delete = sqlx::query("DELETE FROM second_factors WHERE user_id = $1").bind(user);
    Ok(delete.execute(to).await?.rows_affected() > 0)
}
