//! How a NATS server is reached: what its URL says, and the connection.

use super::BusError;
use crate::address::is_local;
use async_nats::{Client, ConnectOptions, ServerAddr};
use percent_encoding::percent_decode_str;
use std::path::PathBuf;

/// A NATS server, as `nats://USER:PASSWORD@HOST:4222` or `tls://TOKEN@HOST:4222?ca=FILE`.
#[derive(Clone, PartialEq, Eq)]
pub struct NatsUrl {
    /// Without names, passwords and files.
    server: ServerAddr,
    login: Login,
    is_encrypted: bool,
    /// The authority that the server's certificate must be of, instead of those of the system.
    authority: Option<PathBuf>,
    /// This program's own certificate and its key.
    certificate: Option<(PathBuf, PathBuf)>,
}

#[derive(Clone, PartialEq, Eq)]
enum Login {
    Nobody,
    Token(String),
    User(String, String),
}

impl std::fmt::Debug for NatsUrl {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.place())
    }
}

impl NatsUrl {
    /// Reads a URL.
    ///
    /// # Errors
    /// If it names no server, or files that are not there.
    pub fn read(text: &str) -> Result<Self, BusError> {
        // What is wrong is told without what may be a password.
        let place = text.rsplit('@').next().unwrap_or_default();
        let wrong =
            |why: String| BusError::Url(place.split('?').next().unwrap_or(place).into(), why);
        let server: ServerAddr = text.parse().map_err(|error| wrong(format!("{error}")))?;
        let mut url = server.into_inner();
        let is_encrypted = match url.scheme() {
            "nats" => false,
            "tls" => true,
            other => return Err(wrong(format!("expected nats:// or tls://, not {other}://"))),
        };
        let decoded = |text: &str| match percent_decode_str(text).decode_utf8() {
            Ok(text) => Ok(text.into_owned()),
            Err(_) => Err(wrong("the name or the password is no text".to_owned())),
        };
        let login = match (url.username(), url.password()) {
            ("", None) => Login::Nobody,
            (token, None) => Login::Token(decoded(token)?),
            (user, Some(password)) => Login::User(decoded(user)?, decoded(password)?),
        };
        let (mut authority, mut certificate, mut key) = (None, None, None);
        for (name, value) in url.query_pairs() {
            let place = match &*name {
                "ca" => &mut authority,
                "cert" => &mut certificate,
                "key" => &mut key,
                other => return Err(wrong(format!("expected ca, cert or key, not {other}"))),
            };
            if let Err(error) = std::fs::File::open(&*value) {
                return Err(wrong(format!("{name}={value} cannot be read: {error}")));
            }
            *place = Some(PathBuf::from(&*value));
        }
        let certificate = match (certificate, key) {
            (Some(certificate), Some(key)) => Some((certificate, key)),
            (None, None) => None,
            _ => return Err(wrong("cert and key are given together, or not at all".to_owned())),
        };
        if !is_encrypted && (authority.is_some() || certificate.is_some()) {
            return Err(wrong("ca, cert and key are for tls://".to_owned()));
        }
        let emptied = url.set_username("").and_then(|()| url.set_password(None));
        emptied.map_err(|()| wrong("it has no host".to_owned()))?;
        url.set_query(None);
        let server = ServerAddr::from_url(url).map_err(|error| wrong(format!("{error}")))?;
        Ok(Self { server, login, is_encrypted, authority, certificate })
    }

    /// What is to be told to whoever starts this: what others on the way could read or send.
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        if is_local(self.server.host()) {
            return warnings;
        }
        if !self.is_encrypted {
            warnings.push(format!(
                "the connection to NATS at {} is not encrypted; use tls:// unless the network is private",
                self.place()
            ));
        }
        if self.login == Login::Nobody && self.certificate.is_none() {
            warnings.push(format!(
                "NATS at {} is used without a password, so whoever reaches it can play for others; \
                 use a user and a password",
                self.place()
            ));
        }
        warnings
    }

    /// Connects, with further options; says what is to be warned of.
    ///
    /// # Errors
    /// If the server does not answer, or refuses.
    pub async fn connect(
        &self,
        more: impl FnOnce(ConnectOptions) -> ConnectOptions,
    ) -> Result<Client, BusError> {
        for warning in self.warnings() {
            tracing::warn!("{warning}");
        }
        let connected = more(self.options()).connect(self.server.clone()).await;
        connected.map_err(|error| BusError::Unreachable(self.place(), error.to_string()))
    }

    fn options(&self) -> ConnectOptions {
        let mut options = match self.login.clone() {
            Login::Nobody => ConnectOptions::new(),
            Login::Token(token) => ConnectOptions::with_token(token),
            Login::User(user, password) => ConnectOptions::with_user_and_password(user, password),
        };
        options = options.name("bastide").require_tls(self.is_encrypted);
        if let Some(authority) = &self.authority {
            options = options.add_root_certificates(authority.clone());
        }
        if let Some((certificate, key)) = &self.certificate {
            options = options.add_client_certificate(certificate.clone(), key.clone());
        }
        options
    }

    fn place(&self) -> String {
        format!("{}:{}", self.server.host(), self.server.port())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn login(text: &str) -> Login {
        NatsUrl::read(text).unwrap().login
    }

    #[test]
    fn a_name_a_password_or_a_token_is_read() {
        assert!(login("nats://bus:4222") == Login::Nobody);
        assert!(login("tls://t0ken@bus") == Login::Token("t0ken".into()));
        let user = Login::User("ada".into(), "p@ss/word".into());
        assert!(login("nats://ada:p%40ss%2Fword@bus:4222") == user);
    }

    #[test]
    fn a_wrong_url_is_refused_without_its_password() {
        let refused = |text: &str| NatsUrl::read(text).unwrap_err().to_string();
        for (text, why) in [
            ("http://ada:secret@bus", "scheme"),
            ("ws://ada:secret@bus", "expected nats:// or tls://"),
            ("nats://ada:secret@bus?ca=/nonesuch", "/nonesuch"),
            ("tls://ada:secret@bus?authority=Cargo.toml", "expected ca, cert or key"),
            ("tls://ada:secret@bus?cert=Cargo.toml", "together"),
            ("nats://ada:secret@bus?ca=Cargo.toml", "tls://"),
        ] {
            let said = refused(text);
            assert!(said.contains(why) && !said.contains("secret"), "{text}: {said}");
        }
        let shown = format!("{:?}", NatsUrl::read("nats://ada:secret@bus:4333").unwrap());
        assert_eq!(shown, "bus:4333");
    }

    #[test]
    fn whoever_leaves_the_machine_is_warned() {
        let warnings = |text: &str| NatsUrl::read(text).unwrap().warnings();
        for text in
            ["nats://127.0.0.1:4222", "nats://localhost", "nats://[::1]:4222", "tls://a:b@bus"]
        {
            assert!(warnings(text).is_empty(), "{text}: {:?}", warnings(text));
        }
        let open = warnings("nats://bus:4222");
        assert!(
            open[0].contains("not encrypted") && open[1].contains("without a password"),
            "{open:?}"
        );
        assert_eq!(warnings("nats://ada:secret@bus").len(), 1);
        assert_eq!(warnings("tls://bus").len(), 1);
    }
}
