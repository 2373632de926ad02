//! People: who I am, my sessions, my tokens.

use serde::{Deserialize, Serialize};
#[cfg(test)]
use ts_rs::TS;
#[cfg(test)]
use utoipa::ToSchema;

/// The person asking.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct Me {
    /// The user's id.
    #[cfg_attr(test, schema(pattern = "^[0-9a-z]{12}$"))]
    pub id: String,
    /// The name that others see.
    #[cfg_attr(test, schema(min_length = 3, max_length = 20))]
    pub name: String,
    /// Whether this is a guest without a password.
    pub guest: bool,
    /// Unix time in milliseconds.
    #[cfg_attr(test, ts(type = "number"))]
    #[cfg_attr(test, schema(minimum = 0))]
    pub since: i64,
    /// Whether recovery codes are left, and how many.
    pub recovery_codes_left: u32,
    /// Whether a login needs a second factor.
    pub second_factor: bool,
    /// What they may do beyond playing.
    pub role: Role,
}

/// What somebody may do beyond playing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, ts(export))]
pub enum Role {
    /// Nothing.
    User,
    /// Handle reports, and act on users.
    Moderator,
    /// The same, and act on moderators; see addresses.
    Administrator,
}

/// A user as others see them.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct UserCard {
    /// The user's id.
    #[cfg_attr(test, schema(pattern = "^[0-9a-z]{12}$"))]
    pub id: String,
    /// The name.
    #[cfg_attr(test, schema(min_length = 3, max_length = 20))]
    pub name: String,
    /// Whether this is a guest.
    pub guest: bool,
}

/// A name and a password: to register.
#[derive(Clone, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct Credentials {
    /// 3 to 20 letters, digits, `-` or `_`.
    #[cfg_attr(test, schema(min_length = 3, max_length = 20))]
    pub name: String,
    /// 8 to 128 characters.
    #[cfg_attr(test, schema(min_length = 8, max_length = 128))]
    pub password: String,
}

/// A name and a password, and the second factor of an account that has one.
#[derive(Clone, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct Login {
    /// The account's name.
    #[cfg_attr(test, schema(max_length = 20))]
    pub name: String,
    /// The password.
    #[cfg_attr(test, schema(max_length = 128))]
    pub password: String,
    /// A code of the authenticator, or a recovery code.
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    #[cfg_attr(test, schema(max_length = 64))]
    pub code: Option<String>,
}

/// A new account, with the codes that are shown this once.
#[derive(Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct Registered {
    /// The account.
    pub me: Me,
    /// Each lets a person in once who has lost the password.
    pub recovery_codes: Vec<String>,
}

/// New recovery codes, shown this once; those before are void.
#[derive(Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct RecoveryCodes {
    /// Each lets a person in once who has lost the password.
    pub recovery_codes: Vec<String>,
}

/// A recovery code used to set a new password.
#[derive(Clone, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct Recovery {
    /// The account's name.
    #[cfg_attr(test, schema(min_length = 3, max_length = 20))]
    pub name: String,
    /// One of the codes shown at registration.
    #[cfg_attr(test, schema(min_length = 1, max_length = 64))]
    pub code: String,
    /// The new password.
    #[cfg_attr(test, schema(min_length = 8, max_length = 128))]
    pub password: String,
    /// For an account with a second factor: a code of the authenticator, or another recovery code.
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    #[cfg_attr(test, schema(max_length = 64))]
    pub second: Option<String>,
    /// Whether the tokens of programs end too; they do unless this is false.
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub end_tokens: Option<bool>,
}

/// A change of name, password or both; the present password is needed for either, but a guest, who
/// has none, may choose a name.
#[derive(Clone, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct AccountChange {
    /// The present password; a guest has none.
    #[serde(default)]
    #[cfg_attr(test, schema(max_length = 128))]
    pub password: String,
    /// The new name.
    #[cfg_attr(test, ts(optional))]
    #[cfg_attr(test, schema(min_length = 3, max_length = 20))]
    pub new_name: Option<String>,
    /// The new password; ends all other sessions.
    #[cfg_attr(test, ts(optional))]
    #[cfg_attr(test, schema(min_length = 8, max_length = 128))]
    pub new_password: Option<String>,
}

/// The present password, for what cannot be undone.
#[derive(Clone, Default, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct PasswordOnly {
    /// The present password; a guest has none.
    #[serde(default)]
    #[cfg_attr(test, schema(max_length = 128))]
    pub password: String,
}

/// What an authenticator needs, shown this once.
#[derive(Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct SecondFactorSetup {
    /// The secret in Base32, to be typed.
    #[cfg_attr(test, schema(pattern = "^[A-Z2-7]+$"))]
    pub secret: String,
    /// The same as `otpauth://totp/…`, to be shown as a QR code.
    pub uri: String,
}

/// A code of the authenticator or a recovery code, and the present password where it is needed.
#[derive(Clone, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct SecondFactorCode {
    /// Six digits, or a recovery code.
    #[cfg_attr(test, schema(min_length = 1, max_length = 64))]
    pub code: String,
    /// The present password; not needed to confirm.
    #[serde(default)]
    #[cfg_attr(test, schema(max_length = 128))]
    pub password: String,
}

/// A place where the user is logged in.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct SessionInfo {
    /// The session's public id (not its token).
    #[cfg_attr(test, schema(pattern = "^[0-9a-z]{12}$"))]
    pub id: String,
    /// When it began.
    #[cfg_attr(test, ts(type = "number"))]
    #[cfg_attr(test, schema(minimum = 0))]
    pub created: i64,
    /// When it was last used.
    #[cfg_attr(test, ts(type = "number"))]
    #[cfg_attr(test, schema(minimum = 0))]
    pub seen: i64,
    /// The browser, as it called itself.
    pub agent: String,
    /// Whether it is the one asking.
    pub current: bool,
}

/// What a token is good for.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, ts(export))]
pub enum TokenScope {
    /// To see what its owner sees.
    Read,
    /// To play too, and everything else that is not about the account.
    #[default]
    Play,
}

/// A request for an API token.
#[derive(Clone, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct NewToken {
    /// What it is for.
    #[cfg_attr(test, schema(min_length = 1, max_length = 60))]
    pub label: String,
    /// Whether the program plays as a bot: its games are marked so.
    #[serde(default)]
    pub bot: bool,
    /// What it is good for.
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<TokenScope>"))]
    pub scope: TokenScope,
    /// Days after which it ends, 1 to 3650; never if absent.
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    #[cfg_attr(test, schema(minimum = 1, maximum = 3650))]
    pub expires_in_days: Option<u32>,
}

/// An API token without its secret.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct TokenInfo {
    /// Its public id.
    #[cfg_attr(test, schema(pattern = "^[0-9a-z]{12}$"))]
    pub id: String,
    /// What it is for.
    #[cfg_attr(test, schema(min_length = 1, max_length = 60))]
    pub label: String,
    /// Whether it is a bot's.
    pub bot: bool,
    /// What it is good for.
    pub scope: TokenScope,
    /// When it ends; never if absent.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub expires: Option<i64>,
    /// When it was made.
    #[cfg_attr(test, ts(type = "number"))]
    #[cfg_attr(test, schema(minimum = 0))]
    pub created: i64,
    /// When it was last used.
    #[cfg_attr(test, ts(type = "number | null"))]
    #[cfg_attr(test, schema(minimum = 0))]
    pub seen: Option<i64>,
}

/// A new API token with its secret, shown this once.
#[derive(Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS, ToSchema), ts(export))]
pub struct CreatedToken {
    /// What others see of it.
    pub info: TokenInfo,
    /// For the header `Authorization: Bearer …`.
    #[cfg_attr(test, schema(pattern = "^bastide_[0-9a-f]{64}$"))]
    pub token: String,
}
