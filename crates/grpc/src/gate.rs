//! Who may ask, and about what.

use crate::status::status;
use server::App;
use server::address::ClientAddress;
use server::edge::extract::token_owner;
use server::error::Refusal;
use server::limits::Limited;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use tonic::Status;
use tonic::metadata::MetadataMap;

/// Who may ask.
#[derive(Clone)]
pub enum Gate {
    /// Everybody who reaches the port.
    Open,
    /// Who knows the one token, of which only this hash is kept.
    Token(blake3::Hash),
    /// Who has a token of an account of this server.
    Accounts(App),
}

/// What the engine is asked to do with a record.
#[derive(Clone, Copy)]
pub(crate) enum Task {
    /// To think about its position.
    Analyse,
    Review,
}

/// Who asks. It holds a token, so it is never printed.
#[derive(Clone)]
pub(crate) struct Caller {
    pub(crate) address: ClientAddress,
    /// The id of the account, where there are accounts.
    user: Option<String>,
    metadata: MetadataMap,
}

impl Gate {
    /// The gate that one token opens.
    #[must_use]
    pub fn token(token: &str) -> Self {
        Self::Token(blake3::hash(token.as_bytes()))
    }

    /// Lets a call in.
    ///
    /// # Errors
    /// If it needs a token and has none that is known.
    pub(crate) async fn admit(
        &self,
        metadata: &MetadataMap,
        peer: Option<SocketAddr>,
    ) -> Result<Caller, Status> {
        let headers = metadata.as_ref();
        let peer = peer.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.ip());
        let proxies = match self {
            Self::Accounts(app) => app.config.trusted_proxies.as_slice(),
            _ => &[],
        };
        let address = ClientAddress::behind(peer, headers, proxies);
        let user = match self {
            Self::Open => None,
            Self::Token(hash) => {
                let known = bearer(metadata)?;
                if blake3::hash(known.as_bytes()) != *hash {
                    return Err(Status::unauthenticated(
                        "the token is not the one of this service",
                    ));
                }
                None
            }
            Self::Accounts(app) => {
                let who = token_owner(app, headers, address).await;
                Some(who.map_err(|refusal| status(&refusal))?.user)
            }
        };
        Ok(Caller { address, user, metadata: metadata.clone() })
    }

    /// Returns when a caller is no longer known: the token was ended, or its owner banned.
    pub(crate) async fn sent_away(&self, caller: &Caller) -> Status {
        let Self::Accounts(app) = self else { return std::future::pending().await };
        loop {
            tokio::time::sleep(app.config.recheck).await;
            let known = token_owner(app, caller.metadata.as_ref(), caller.address).await;
            match known {
                // The database may be away for a moment.
                Ok(_) | Err(Refusal::Unavailable(_) | Refusal::Internal) => {}
                Err(refusal) => return status(&refusal),
            }
        }
    }

    /// Whether the engine may do this with a record for this caller: not where people play.
    ///
    /// # Errors
    /// If not, or if the caller has asked too often.
    pub(crate) async fn may(
        &self,
        task: Task,
        caller: &Caller,
        game: &str,
        record: &str,
    ) -> Result<(), Status> {
        let Self::Accounts(app) = self else { return Ok(()) };
        let user = caller.user.as_deref().unwrap_or_default();
        let allowed = async {
            match task {
                Task::Analyse => {
                    app.limits.take(Limited::Analysis, caller.address, Some(user))?;
                    app.tables.refuse_help_at(Some(user), game, record, None).await
                }
                Task::Review => {
                    app.limits.take(Limited::Review, caller.address, Some(user))?;
                    app.tables.refuse_review_of(user, game, record, true).await
                }
            }
        };
        allowed.await.map_err(|refusal: Refusal| status(&refusal))
    }
}

fn bearer(metadata: &MetadataMap) -> Result<&str, Status> {
    let missing = || Status::unauthenticated("a token is needed: 'authorization: Bearer TOKEN'");
    let text = metadata.get("authorization").and_then(|text| text.to_str().ok());
    let (scheme, token) = text.and_then(|text| text.split_once(' ')).ok_or_else(missing)?;
    if scheme.eq_ignore_ascii_case("bearer") { Ok(token.trim()) } else { Err(missing()) }
}
