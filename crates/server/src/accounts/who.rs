//! Who is asking.

/// The person (or the person's program) who sent a request. Handlers that take a `Who` refuse
/// requests without one; `Option<Who>` lets anybody in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Who {
    /// The user's id.
    pub user: String,
    /// The user's name now.
    pub name: String,
    /// Whether it is a guest.
    pub guest: bool,
    /// Whether the request came with a bot token.
    pub bot_token: bool,
}
