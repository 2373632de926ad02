//! Which database a command is about: found as the server finds it.

use anyhow::Context;
use server::config::{Config, ServerSettings};
use server::storage::db::Db;
use std::path::{Path, PathBuf};

/// Where the server keeps its things.
#[derive(Clone, clap::Args)]
pub(crate) struct Place {
    /// The server's file with settings
    #[arg(long, env = "BASTIDE_CONFIG", value_name = "FILE", global = true)]
    config: Option<PathBuf>,
    /// The server's folder [default: data]
    #[arg(long, env = "BASTIDE_DATA", value_name = "FOLDER", global = true)]
    data: Option<PathBuf>,
    /// The server's database, as sqlite:FILE or postgres://USER:PASSWORD@HOST/NAME
    #[arg(
        long,
        env = "BASTIDE_DATABASE",
        value_name = "URL",
        hide_env_values = true,
        global = true
    )]
    database: Option<String>,
}

impl Place {
    /// A database that is given by its URL alone.
    pub(crate) const fn of_database(url: String) -> Self {
        Self { config: None, data: None, database: Some(url) }
    }

    /// Flags and environment, completed by a file.
    pub(crate) fn settings(
        said: ServerSettings,
        file: Option<&Path>,
    ) -> anyhow::Result<ServerSettings> {
        match file {
            None => Ok(said),
            Some(file) => Ok(said.or(ServerSettings::read(file)?)),
        }
    }

    /// The configuration as the server would have it.
    pub(crate) fn configuration(&self) -> anyhow::Result<Config> {
        let (data, database) = (self.data.clone(), self.database.clone());
        let said = ServerSettings { data, database, ..ServerSettings::default() };
        Ok(Self::settings(said, self.config.as_deref())?.config())
    }

    /// The database, which must be there already.
    pub(crate) async fn open(&self) -> anyhow::Result<Db> {
        let config = self.configuration()?;
        if config.database.is_none() {
            let file = config.data.join("bastide.db");
            anyhow::ensure!(
                file.exists(),
                "there is no database at {}; say where it is with --data or --database",
                file.display()
            );
        }
        Db::open(&config.database_url(), 2).await.context("can't open the server's database")
    }
}
