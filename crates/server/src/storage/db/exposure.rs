//! What others on the way to PostgreSQL could read or send.

use super::{DatabaseKind, OpenError, place_of};
use crate::address::is_local;
use sqlx::ConnectOptions;
use sqlx::postgres::{PgConnectOptions, PgSslMode};

/// What is to be told to whoever starts a server on a database.
pub(crate) fn warnings(url: &str) -> Vec<String> {
    let mut warnings = Vec::new();
    if DatabaseKind::of(url).ok() != Some(DatabaseKind::Postgres) {
        return warnings;
    }
    // A URL that cannot be read is refused by whoever opens it.
    let Ok(options) = url.parse::<PgConnectOptions>() else { return warnings };
    if options.get_socket().is_some() || is_local(options.get_host()) {
        return warnings;
    }
    let place = place_of(url);
    match options.get_ssl_mode() {
        PgSslMode::Disable | PgSslMode::Allow | PgSslMode::Prefer => warnings.push(format!(
            "the connection to PostgreSQL at {place} need not be encrypted; use sslmode=verify-full \
             unless the network is private"
        )),
        PgSslMode::Require => warnings.push(format!(
            "the certificate of PostgreSQL at {place} is not checked; use sslmode=verify-full with \
             sslrootcert=FILE"
        )),
        PgSslMode::VerifyCa | PgSslMode::VerifyFull => {}
    }
    // With what the environment and the file of passwords add.
    let full = options.to_url_lossy();
    let has_certificate =
        full.query_pairs().any(|(name, _)| name.contains("cert") && !name.contains("root"));
    if full.password().is_none() && !has_certificate {
        warnings.push(format!(
            "PostgreSQL at {place} is used without a password, so whoever reaches it may read and \
             change everything; set one"
        ));
    }
    warnings
}

/// Refuses a connection that must be encrypted if this program cannot do that.
pub(super) fn check_encryption(url: &str) -> Result<(), OpenError> {
    let mode = url.parse::<PgConnectOptions>().map(|options| options.get_ssl_mode());
    match mode {
        Ok(PgSslMode::Require | PgSslMode::VerifyCa | PgSslMode::VerifyFull)
            if cfg!(not(feature = "tls")) =>
        {
            Err(OpenError::NoTls)
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_leaves_the_machine_is_warned() {
        for url in [
            "sqlite:data/bastide.db",
            "postgres://bastide@localhost/bastide",
            "postgres://bastide@127.0.0.1:5432/bastide",
            "postgres://bastide@%2Frun%2Fpostgresql/bastide",
            "postgres://bastide:secret@db/bastide?sslmode=verify-full",
            "postgres://bastide@db/bastide?sslmode=verify-full&sslcert=a.pem&sslkey=b.pem",
        ] {
            assert!(warnings(url).is_empty(), "{url}: {:?}", warnings(url));
        }
        let open = warnings("postgres://bastide@db/bastide");
        assert!(
            open[0].contains("need not be encrypted") && open[1].contains("password"),
            "{open:?}"
        );
        let unchecked = warnings("postgres://bastide:secret@db/bastide?sslmode=require");
        assert!(unchecked.len() == 1 && unchecked[0].contains("not checked"), "{unchecked:?}");
        assert!(!unchecked[0].contains("secret"), "{unchecked:?}");
    }
}
