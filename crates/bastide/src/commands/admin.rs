//! `bastide admin`: users and games, for those who run the server.

use super::settings::Place;
use anyhow::Context as _;
use server::people::accounts::Role;
use server::people::moderation::audit;
use server::puzzles::Added;
use server::staff::admin::{self, Listed};
use server::storage::db::Db;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Look after users and games, on the server's database. The server may be running.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  bastide admin users                        the users, the last seen first
  bastide admin show ada                     all about one
  bastide admin password ada                 a new password, shown once; ends all sessions
  bastide admin remove-second-factor ada     for who lost the authenticator
  bastide admin ban mallory                  keeps a user out, with all sessions and tokens
  bastide admin role ada moderator           lets a user handle reports
  bastide admin audit --verify               checks that nobody has changed the audit log
  bastide admin finish-game k3x9p2m7qa       calls off a game that is stuck
  bastide admin puzzles mined.txt            adds puzzles that `bastide mine` found")]
pub(crate) struct Args {
    #[command(flatten)]
    place: Place,
    #[command(subcommand)]
    command: AdminCommand,
}

#[derive(clap::Subcommand)]
enum AdminCommand {
    /// List users, the last seen first
    Users {
        /// Only those whose name contains this
        #[arg(value_name = "TEXT", default_value = "")]
        containing: String,
        /// Guests too
        #[arg(long)]
        guests: bool,
        /// At most so many
        #[arg(long, value_name = "N", default_value_t = 50)]
        #[arg(value_parser = clap::value_parser!(i64).range(1..=1_000_000))]
        most: i64,
    },
    /// Show all about a user
    Show {
        /// The user's name
        name: String,
    },
    /// Give a user a new password, and end all their sessions
    Password {
        /// The user's name
        name: String,
        /// Read the password from the standard input instead of making one
        #[arg(long)]
        stdin: bool,
    },
    /// Take away the second factor of a user who lost it
    RemoveSecondFactor {
        /// The user's name
        name: String,
    },
    /// Keep a user out
    Ban {
        /// The user's name
        name: String,
    },
    /// Let a user in again
    Unban {
        /// The user's name
        name: String,
    },
    /// Make a user a moderator or an administrator, or neither
    Role {
        /// The user's name
        name: String,
        /// What the user is from now on
        #[arg(value_parser = ["user", "moderator", "administrator"])]
        role: String,
    },
    /// Show the audit log, the latest rows first
    Audit {
        /// Check the whole log instead: every row as it was written, none missing
        #[arg(long)]
        verify: bool,
        /// With --verify: a hash that was printed earlier must still be in the log
        #[arg(long, value_name = "HASH", requires = "verify")]
        noted: Option<String>,
        /// At most so many rows
        #[arg(long, value_name = "N", default_value_t = 50)]
        #[arg(value_parser = clap::value_parser!(i64).range(1..=1_000_000))]
        most: i64,
    },
    /// Delete an account for good; its games stay, without the name
    Delete {
        /// The user's name
        name: String,
    },
    /// Call off a game that is stuck
    FinishGame {
        /// The game's id
        id: String,
    },
    /// Add puzzles from a file; those that are there stay as they are, with their ratings
    Puzzles {
        /// The file, as `bastide mine` writes it
        file: PathBuf,
    },
}

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let runtime = tokio::runtime::Runtime::new()?;
    runtime.block_on(async {
        let db = args.place.open().await?;
        let done = act(&db, args.command).await;
        db.pool.close().await;
        done
    })?;
    Ok(ExitCode::SUCCESS)
}

async fn act(db: &Db, command: AdminCommand) -> anyhow::Result<()> {
    let mut out = std::io::stdout();
    match command {
        AdminCommand::Users { containing, guests, most } => {
            writeln!(
                out,
                "{:20} {:12} {:6} {:10} {:10} notes",
                "name", "id", "games", "since", "seen"
            )?;
            for user in admin::users(db, &containing, guests, most).await? {
                writeln!(out, "{}", line(&user))?;
            }
        }
        AdminCommand::Show { name } => {
            let details = admin::show(db, &name).await?;
            writeln!(out, "{}", line(&details.listed))?;
            writeln!(
                out,
                "sessions {}, tokens {}, recovery codes left {}, second factor {}",
                details.sessions,
                details.tokens,
                details.codes,
                if details.second_factor { "on" } else { "off" }
            )?;
            writeln!(out, "games that are not over: {}", or_none(&details.unfinished))?;
        }
        AdminCommand::Password { name, stdin } => {
            let given = stdin.then(read_password).transpose()?;
            let made = given.is_none();
            let password = admin::reset_password(db, &name, given).await?;
            writeln!(out, "The password of '{name}' is changed; all sessions are over.")?;
            if made {
                writeln!(out, "It is now: {password}")?;
            }
        }
        AdminCommand::RemoveSecondFactor { name } => {
            let name = admin::remove_second_factor(db, &name).await?;
            writeln!(out, "'{name}' logs in with the password alone again.")?;
        }
        AdminCommand::Ban { name } => {
            let name = admin::ban(db, &name, true).await?;
            writeln!(out, "'{name}' is kept out.")?;
        }
        AdminCommand::Unban { name } => {
            let name = admin::ban(db, &name, false).await?;
            writeln!(out, "'{name}' may come in again.")?;
        }
        AdminCommand::Role { name, role } => {
            let role = Role::of(&role);
            let name = admin::set_role(db, &name, role).await?;
            writeln!(out, "'{name}' is a{} {} now.", article(role), role.name())?;
        }
        AdminCommand::Audit { verify: true, noted, .. } => {
            verify(db, noted.as_deref(), &mut out).await?;
        }
        AdminCommand::Audit { most, .. } => {
            for row in audit::latest(db, None, None, most).await? {
                let actor = if row.actor_name.is_empty() { &row.actor } else { &row.actor_name };
                let (day, details) = (date(row.at), game::excerpt(&row.details, 300));
                let what = format!("{} {}", row.action, row.subject);
                writeln!(out, "{:6} {day} {actor:20} {what:40} {details}", row.number)?;
            }
        }
        AdminCommand::Delete { name } => {
            admin::delete(db, &name).await?;
            writeln!(out, "The account '{name}' is deleted; its games stay, without the name.")?;
        }
        AdminCommand::FinishGame { id } => finish(db, &id, &mut out).await?,
        AdminCommand::Puzzles { file } => {
            let name = file.display();
            let text = std::fs::read_to_string(&file).with_context(|| format!("reading {name}"))?;
            let Added { new, known } =
                admin::add_puzzles(db, &text).await.with_context(|| name.to_string())?;
            writeln!(out, "{new} puzzles added, {known} were there already.")?;
        }
    }
    Ok(())
}

/// How long the running server may take to carry out an order.
const PATIENCE: Duration = Duration::from_secs(15);

async fn finish(db: &Db, game: &str, out: &mut impl Write) -> anyhow::Result<()> {
    let order = admin::order_finish(db, game).await?;
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE {
        if let Some(answer) = admin::answer_to(db, &order).await? {
            writeln!(out, "{answer}")?;
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    writeln!(out, "The server does not run; it will call off the game when it starts.")?;
    Ok(())
}

/// Checks the audit log; a fault is an error, so that a script notices it.
async fn verify(db: &Db, noted: Option<&str>, out: &mut impl Write) -> anyhow::Result<()> {
    let mut connection = db.pool.acquire().await?;
    let head = audit::verify(&mut connection, noted).await?;
    let head = head.map_err(|fault| anyhow::anyhow!("the audit log is not in order: {fault}"))?;
    writeln!(out, "The audit log is in order: {} rows, the last with the hash", head.rows)?;
    writeln!(out, "{}", head.hash)?;
    Ok(())
}

const fn article(role: Role) -> &'static str {
    match role {
        Role::User | Role::Moderator => "",
        Role::Administrator => "n",
    }
}

fn read_password() -> anyhow::Result<String> {
    let mut text = String::new();
    std::io::stdin().take(10_000).read_to_string(&mut text)?;
    Ok(text.trim_end_matches(['\r', '\n']).to_owned())
}

fn line(user: &Listed) -> String {
    let mut notes = Vec::new();
    notes.extend(user.guest.then_some("guest"));
    notes.extend(user.banned.then_some("banned"));
    notes.extend((user.role != Role::User).then_some(user.role.name()));
    let (since, seen) = (date(user.created), date(user.seen));
    let text = format!(
        "{:20} {:12} {:6} {since:10} {seen:10} {}",
        user.name,
        user.id,
        user.games,
        notes.join(", ")
    );
    text.trim_end().to_owned()
}

fn or_none(list: &[String]) -> String {
    if list.is_empty() { "none".to_owned() } else { list.join(", ") }
}

/// A Unix time in milliseconds as a day: 2026-11-15.
fn date(at: i64) -> String {
    // Days since 1 March of the year 0: leap days come last, so months have fixed lengths.
    let days = at.div_euclid(24 * 60 * 60 * 1000) + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn days_are_those_of_the_calendar() {
        for (at, day) in [
            (0, "1970-01-01"),
            (951_782_400_000, "2000-02-29"),
            (951_868_800_000, "2000-03-01"),
            (1_798_675_199_999, "2026-12-30"),
            (4_107_542_400_000, "2100-03-01"),
        ] {
            assert_eq!(date(at), day);
        }
    }
}
