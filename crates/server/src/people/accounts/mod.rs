//! People: guests, accounts, sessions, tokens, recovery.

mod changes;
mod devices;
mod name_similarity;
mod names;
mod passwords;
mod recovery;
mod released_names;
mod removal;
mod requester;
mod role;
mod second_factor;
mod sessions;
mod settings;
mod store;
mod tokens;
mod users;

pub use changes::{ChangeListener, Changes};
pub use devices::{known_device, remember_device};
pub use names::check_name;
pub use passwords::{Passwords, check_password};
pub use recovery::{codes_left, new_codes, use_code};
pub use removal::{delete_user, delete_user_within, remove_old};
pub use requester::{LoggedIn, Requester, refuse_banned};
pub(crate) use requester::{by_cookie, by_token};
pub use role::{Moderator, Role, role_of, set_role};
pub use second_factor::{
    Enrolment, confirm, enrol, has_second_factor, has_second_factor_within, is_totp,
    remove_second_factor, use_totp,
};
pub use sessions::{
    count_sessions, end_other_sessions, end_session, end_sessions, new_session, secret_of,
    session_cookie, sessions_of,
};
pub use settings::{keep_settings, settings_of};
pub use tokens::{count_tokens, end_token, end_tokens, new_token, tokens_of};
pub use users::{
    NewUser, User, become_user, find_user, find_user_by_id, former_names, is_banned_for_good,
    name_guest, name_of, new_guest, rename, set_banned, set_password, take_from_guest,
    with_ended_bans,
};
