//! People: guests, accounts, sessions, tokens, recovery.

mod names;
mod passwords;
mod sessions;
mod users;
mod who;

pub use names::check_name;
pub use passwords::{Passwords, check_password};
pub use sessions::{new_session, remove_old, session_cookie};
pub use users::{User, find_user, new_guest};
pub use who::{LoggedIn, Who};
