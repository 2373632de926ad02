//! A database that lives as long as a test.

use sqlx::{AnyConnection, AssertSqlSafe, Connection, Executor};
use std::path::{Path, PathBuf};

/// A new database, and a folder that is removed with it.
pub struct Database {
    folder: PathBuf,
    url: String,
}

impl Database {
    /// A SQLite file, or a new database on the PostgreSQL server of the environment.
    pub async fn new() -> Self {
        let name = format!("bastide_test_{}", server::ids::new_id());
        let folder = std::env::temp_dir().join(&name);
        std::fs::create_dir_all(&folder).expect("a folder can be made");
        let url = match postgres() {
            None => format!("sqlite:{}?mode=rwc", folder.join("bastide.db").display()),
            Some(server) => {
                sqlx::any::install_default_drivers();
                let mut connection = AnyConnection::connect(&format!("{server}/postgres"))
                    .await
                    .expect("the PostgreSQL server answers");
                let create = format!("CREATE DATABASE {name}");
                connection.execute(AssertSqlSafe(create)).await.expect("a database can be made");
                format!("{server}/{name}")
            }
        };
        Self { folder, url }
    }

    /// One that another test helper removes.
    pub fn shared(url: &str) -> Self {
        Self { folder: PathBuf::new(), url: url.to_owned() }
    }

    pub fn url(&self) -> &str {
        &self.url
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }
}

/// The PostgreSQL server to test on: a URL without a database.
pub fn postgres() -> Option<String> {
    std::env::var("BASTIDE_TEST_DATABASE").ok().filter(|url| !url.is_empty())
}

impl Drop for Database {
    fn drop(&mut self) {
        if self.folder.as_os_str().is_empty() {
            return;
        }
        // A folder that stays behind is no failure of the test.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
