//! Reports, sanctions, blocks, and what moderators see.

use super::{ChatLine, GameSummary, RatingInfo, Role, UserCard};
use serde::{Deserialize, Serialize};
#[cfg(test)]
use ts_rs::TS;
#[cfg(test)]
use utoipa::ToSchema;

/// Why somebody is reported.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, ts(export))]
pub enum ReportReason {
    /// Insults, threats, harassment.
    Abuse,
    /// Help of an engine, several accounts, games lost on purpose.
    Cheating,
    /// Letting others wait, leaving games.
    Stalling,
    /// Advertising, the same line again and again.
    Spam,
    /// A name that offends or pretends to be somebody.
    Name,
    /// Something else; the words say what.
    Other,
}

/// A report of a player or of a line of chat.
#[derive(Clone, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, ts(export))]
pub struct NewReport {
    /// The name of the user who is reported; not needed with a line of chat.
    #[cfg_attr(test, ts(optional))]
    #[cfg_attr(test, schema(min_length = 3, max_length = 20))]
    pub user: Option<String>,
    /// The game that shows it.
    #[cfg_attr(test, ts(optional))]
    #[cfg_attr(test, schema(max_length = 32))]
    pub game: Option<String>,
    /// The number of the line of chat in that game.
    #[cfg_attr(test, ts(optional, type = "number"))]
    pub line: Option<u64>,
    /// Why.
    pub reason: ReportReason,
    /// In words, up to 500 characters.
    #[serde(default)]
    #[cfg_attr(test, schema(max_length = 500))]
    pub words: String,
}

/// A report as whoever made it sees it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct OwnReport {
    /// Its id.
    pub id: String,
    /// Who is reported.
    pub user: UserCard,
    /// Why.
    pub reason: ReportReason,
    /// Unix time in milliseconds.
    #[cfg_attr(test, ts(type = "number"))]
    pub created: i64,
    /// Whether a moderator has dealt with it; how is not told.
    pub handled: bool,
}

/// Where a report stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, ts(export))]
pub enum ReportState {
    /// Nobody looks at it.
    Open,
    /// A moderator looks at it.
    Taken,
    /// It was dealt with.
    Done,
}

/// What came of a report.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, ts(export))]
pub enum ReportOutcome {
    /// Something was done.
    Acted,
    /// There was no reason to do anything.
    Dismissed,
}

/// A report as moderators see it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct Report {
    /// Its id.
    pub id: String,
    /// Who made it.
    pub reporter: UserCard,
    /// Who is reported.
    pub subject: UserCard,
    /// The game that shows it.
    pub game: Option<String>,
    /// The line of chat in that game.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub line: Option<u64>,
    /// Why.
    pub reason: ReportReason,
    /// In words.
    pub words: String,
    /// The line of chat and those around it, as they were when the report was made.
    pub evidence: Vec<ChatLine>,
    /// Where it stands.
    pub state: ReportState,
    /// The moderator who looks at it, or dealt with it.
    pub taken_by: Option<UserCard>,
    /// What came of it.
    pub outcome: Option<ReportOutcome>,
    /// The moderator's note.
    pub note: Option<String>,
    /// Unix time in milliseconds.
    #[cfg_attr(test, ts(type = "number"))]
    pub created: i64,
    /// When it was dealt with.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub done: Option<i64>,
}

/// A part of the queue of reports.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct ReportQueue {
    /// The oldest first; those that are done the latest first.
    pub reports: Vec<Report>,
    /// How many nobody looks at.
    pub open: u32,
    /// How many the asker looks at.
    pub mine: u32,
}

/// How a report was dealt with.
#[derive(Clone, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, ts(export))]
pub struct CloseReport {
    /// What came of it.
    pub outcome: ReportOutcome,
    /// For other moderators, up to 500 characters.
    #[serde(default)]
    #[cfg_attr(test, schema(max_length = 500))]
    pub note: String,
}

/// What moderators do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, ts(export))]
pub enum SanctionKind {
    /// The user says nothing in chats.
    ChatTimeout,
    /// The user is kept out.
    Ban,
    /// Nobody comes in from an address.
    AddressBan,
    /// The account is closed: as a ban without an end, and the profile is gone.
    Closed,
    /// The rating of a game is taken back.
    Annulled,
}

/// Something that a moderator did to somebody.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct Sanction {
    /// Its id.
    pub id: String,
    /// What.
    pub kind: SanctionKind,
    /// To whom.
    pub user: Option<UserCard>,
    /// The address, as `AddressSeen` calls it.
    pub address: Option<String>,
    /// The game, if its rating was taken back.
    pub game: Option<String>,
    /// Why.
    pub reason: String,
    /// Who did it; nobody: at the command line.
    pub author: Option<UserCard>,
    /// Unix time in milliseconds.
    #[cfg_attr(test, ts(type = "number"))]
    pub created: i64,
    /// When it ends; without it, when it is lifted.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub ends: Option<i64>,
    /// When it was lifted.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub lifted: Option<i64>,
    /// Whether it holds now.
    pub active: bool,
}

/// What a moderator wants to do to a user.
#[derive(Clone, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, ts(export))]
pub struct NewSanction {
    /// What; a game's rating is taken back at the game.
    pub kind: SanctionKind,
    /// Why, 1 to 500 characters; the user is told.
    #[cfg_attr(test, schema(min_length = 1, max_length = 500))]
    pub reason: String,
    /// For how many minutes, up to a year's; without it, until it is lifted.
    #[cfg_attr(test, ts(optional))]
    #[cfg_attr(test, schema(minimum = 1, maximum = 527040))]
    pub minutes: Option<u32>,
    /// For a ban of an address: which of the user's, by its label.
    #[cfg_attr(test, ts(optional))]
    #[cfg_attr(test, schema(max_length = 12))]
    pub address: Option<String>,
    /// The report that led to it.
    #[cfg_attr(test, ts(optional))]
    #[cfg_attr(test, schema(max_length = 12))]
    pub report: Option<String>,
}

/// Why something is done or lifted.
#[derive(Clone, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, ts(export))]
pub struct WithReason {
    /// Why, 1 to 500 characters.
    #[cfg_attr(test, schema(min_length = 1, max_length = 500))]
    pub reason: String,
    /// The report that led to it.
    #[cfg_attr(test, ts(optional))]
    #[cfg_attr(test, schema(max_length = 12))]
    pub report: Option<String>,
}

/// A name that a user had.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct FormerName {
    /// The name.
    pub name: String,
    /// When it was given up.
    #[cfg_attr(test, ts(type = "number"))]
    pub given_up: i64,
}

/// An address (or the /64 network of an IPv6 address) that an account was used from.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct AddressSeen {
    /// The same for the same address, and tells nothing about it.
    pub label: String,
    /// The address itself, for administrators only.
    pub address: Option<String>,
    /// When it was first seen.
    #[cfg_attr(test, ts(type = "number"))]
    pub first: i64,
    /// When it was last seen.
    #[cfg_attr(test, ts(type = "number"))]
    pub last: i64,
    /// Whether it is banned.
    pub banned: bool,
    /// Other accounts that were used from it.
    pub others: Vec<UserCard>,
}

/// Everything moderators know of a person.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct PersonHistory {
    /// Who.
    pub user: UserCard,
    /// What they may do.
    pub role: Role,
    /// When the account was made.
    #[cfg_attr(test, ts(type = "number"))]
    pub since: i64,
    /// When it was last used.
    #[cfg_attr(test, ts(type = "number"))]
    pub seen: i64,
    /// Whether they are kept out.
    pub banned: bool,
    /// Whether the account is deleted.
    pub deleted: bool,
    /// Whether the asker may act on them.
    pub may_act: bool,
    /// The names before.
    pub names: Vec<FormerName>,
    /// Reports about them, the latest first.
    pub reports: Vec<Report>,
    /// How many reports they made, and how many of those led to something.
    pub reports_made: u32,
    /// How many of those led to something.
    pub reports_upheld: u32,
    /// What moderators did, the latest first.
    pub sanctions: Vec<Sanction>,
    /// The rating in two-player games.
    pub rating_two: Option<RatingInfo>,
    /// The rating in games of three to six.
    pub rating_many: Option<RatingInfo>,
    /// The latest games.
    pub games: Vec<GameSummary>,
    /// Where the account was used from.
    pub addresses: Vec<AddressSeen>,
}

/// A row of the audit log.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct AuditRow {
    /// From 1, without gaps.
    #[cfg_attr(test, ts(type = "number"))]
    pub number: i64,
    /// Unix time in milliseconds.
    #[cfg_attr(test, ts(type = "number"))]
    pub at: i64,
    /// `user:ID`, `command_line` or `server`.
    pub actor: String,
    /// The name then.
    pub actor_name: String,
    /// What was done.
    pub action: String,
    /// To what: `user:ID`, `game:ID`, `report:ID`, `address:LABEL`.
    pub subject: String,
    /// What else is worth knowing, as JSON.
    pub details: String,
    /// The hash of the row, which the next one carries.
    pub hash: String,
}
