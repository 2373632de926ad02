//! What somebody may do beyond playing.

use super::store;
use crate::error::Refusal;
use crate::people::moderation::{Person, audit::Actor};
use crate::storage::db::Db;
pub use crate::wire::Role;
use sqlx::{Any, Transaction};

impl Role {
    /// All of them, the least first.
    pub const ALL: [Self; 3] = [Self::User, Self::Moderator, Self::Administrator];

    /// As the database and the command line have it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Moderator => "moderator",
            Self::Administrator => "administrator",
        }
    }

    /// The role of a name; one that is not known gives no right.
    #[must_use]
    pub fn of(name: &str) -> Self {
        Self::ALL.into_iter().find(|role| role.name() == name).unwrap_or(Self::User)
    }

    /// Whether somebody of this role may act on somebody of another: moderators on users,
    /// administrators on everybody.
    #[must_use]
    pub const fn may_act_on(self, other: Self) -> bool {
        match self {
            Self::User => false,
            Self::Moderator => matches!(other, Self::User),
            Self::Administrator => true,
        }
    }
}

/// Gives a user a role.
///
/// # Errors
/// If the database does not answer.
pub async fn set_role(
    changes: &mut Transaction<'static, Any>,
    user: &str,
    role: Role,
) -> Result<(), Refusal> {
    Ok(store::users::set_role(&mut **changes, user, role).await?)
}

/// The role of a user now.
///
/// # Errors
/// If the database does not answer.
pub async fn role_of(db: &Db, user: &str) -> Result<Role, Refusal> {
    Ok(store::users::role(db, user).await?)
}

/// A moderator or an administrator at a browser; a token is not enough. Handlers that take it
/// refuse everybody else.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Moderator {
    /// The user's id.
    pub user: String,
    /// The user's name now.
    pub name: String,
    /// Which of the two.
    pub role: Role,
}

impl Moderator {
    /// As the audit log names them.
    #[must_use]
    pub fn actor(&self) -> Actor {
        Actor::User { id: self.user.clone(), name: self.name.clone() }
    }

    /// Refuses to act on oneself, and on those this role may not act on.
    ///
    /// # Errors
    /// If it is one of them.
    pub fn check_may_act_on(&self, other: &Person) -> Result<(), Refusal> {
        if other.card.id == self.user {
            return Err(Refusal::Forbidden("this cannot be done to oneself".into()));
        }
        if !self.role.may_act_on(other.role) {
            return Err(Refusal::Forbidden(format!(
                "'{}' is a {}: only an administrator may do this",
                other.card.name,
                other.role.name()
            )));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moderator_acts_on_users_and_an_administrator_on_everybody() {
        for role in Role::ALL {
            assert!(!Role::User.may_act_on(role));
            assert_eq!(Role::Moderator.may_act_on(role), role == Role::User);
            assert!(Role::Administrator.may_act_on(role));
            assert_eq!(Role::of(role.name()), role);
        }
        assert_eq!(Role::of("root"), Role::User, "what is not known gives no right");
    }
}
