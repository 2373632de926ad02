//! Where a request comes from: the peer, or whom a trusted proxy names.

use crate::error::Refusal;
use axum::extract::ConnectInfo;
use axum::http::{Extensions, HeaderMap};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::str::FromStr;

/// The address of the client.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ClientAddress(pub IpAddr);

impl ClientAddress {
    /// Where a request comes from.
    ///
    /// # Errors
    /// If the server does not know its peer, which is a fault of ours.
    pub fn of(
        extensions: &Extensions,
        headers: &HeaderMap,
        trusted_proxies: &[Network],
    ) -> Result<Self, Refusal> {
        let peer = extensions.get::<ConnectInfo<SocketAddr>>().ok_or(Refusal::Internal)?;
        Ok(Self::behind(peer.0.ip(), headers, trusted_proxies))
    }

    /// Who a peer speaks for: itself, or whom it names if it is a trusted proxy.
    #[must_use]
    pub fn behind(peer: IpAddr, headers: &HeaderMap, trusted_proxies: &[Network]) -> Self {
        let named = headers.get_all("x-forwarded-for");
        let named: Vec<&str> = named.iter().filter_map(|value| value.to_str().ok()).collect();
        Self(client(peer, &named.join(","), trusted_proxies))
    }

    /// What limits count together: an IPv4 address, or the /64 network of an IPv6 address, which
    /// is what one household has.
    #[must_use]
    pub fn limit_key(self) -> String {
        match self.0.to_canonical() {
            IpAddr::V4(address) => address.to_string(),
            IpAddr::V6(address) => {
                let network = u128::from(address) & !u128::from(u64::MAX);
                format!("{}/64", Ipv6Addr::from(network))
            }
        }
    }
}

impl ClientAddress {
    /// The network that an address is of, as far as one owner may have it: /24, or /48 of IPv6.
    #[must_use]
    pub fn network_key(self) -> String {
        let (address, bits) = match self.0.to_canonical() {
            IpAddr::V4(address) => {
                (Ipv4Addr::from(u32::from(address) & 0xffff_ff00).to_string(), 24)
            }
            IpAddr::V6(address) => {
                let network = u128::from(address) & !(u128::MAX >> 48);
                (Ipv6Addr::from(network).to_string(), 48)
            }
        };
        format!("{address}/{bits}")
    }
}

/// Whether a host is this machine: what is sent there meets nobody on the way.
pub(crate) fn is_local(host: &str) -> bool {
    let host = host.trim_start_matches('[').trim_end_matches(']');
    let address = host.parse::<IpAddr>().ok();
    host == "localhost" || address.is_some_and(|address| address.to_canonical().is_loopback())
}

/// The last address in the chain that is no trusted proxy: what stands before it could have been
/// written by the client.
fn client(peer: IpAddr, forwarded_for: &str, trusted: &[Network]) -> IpAddr {
    let is_trusted = |address: IpAddr| trusted.iter().any(|network| network.contains(address));
    let mut client = peer.to_canonical();
    for named in forwarded_for.rsplit(',') {
        if !is_trusted(client) {
            break;
        }
        let Ok(address) = named.trim().parse::<IpAddr>() else { break };
        client = address.to_canonical();
    }
    client
}

/// A network of trusted proxies: `127.0.0.1`, `10.0.0.0/8`, `fd00::/8`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(try_from = "String")]
pub struct Network {
    address: IpAddr,
    bits: u32,
}

impl Network {
    /// Whether an address lies in it.
    #[must_use]
    pub fn contains(self, other: IpAddr) -> bool {
        match (self.address, other.to_canonical()) {
            (IpAddr::V4(own), IpAddr::V4(other)) => {
                let mask = u32::MAX.checked_shl(32 - self.bits).unwrap_or(0);
                u32::from(own) & mask == u32::from(other) & mask
            }
            (IpAddr::V6(own), IpAddr::V6(other)) => {
                let mask = u128::MAX.checked_shl(128 - self.bits).unwrap_or(0);
                u128::from(own) & mask == u128::from(other) & mask
            }
            _ => false,
        }
    }
}

/// A text that is no address or network.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' is no address or network; expected 127.0.0.1 or 10.0.0.0/8")]
pub struct NotANetwork(String);

impl TryFrom<String> for Network {
    type Error = NotANetwork;

    fn try_from(text: String) -> Result<Self, NotANetwork> {
        text.parse()
    }
}

impl FromStr for Network {
    type Err = NotANetwork;

    fn from_str(text: &str) -> Result<Self, NotANetwork> {
        let expected = || NotANetwork(text.to_owned());
        let (address, bits) = text.split_once('/').map_or((text, None), |(a, b)| (a, Some(b)));
        let address: IpAddr = address.trim().parse().map_err(|_| expected())?;
        let widest = if address.is_ipv4() { 32 } else { 128 };
        let bits = bits.map_or(Ok(widest), |bits| bits.trim().parse().map_err(|_| expected()))?;
        if bits > widest {
            return Err(expected());
        }
        Ok(Self { address, bits })
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.address, self.bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(peer: &str, forwarded: &str, trusted: &[&str]) -> String {
        let trusted: Vec<Network> = trusted.iter().map(|text| text.parse().unwrap()).collect();
        client(peer.parse().unwrap(), forwarded, &trusted).to_string()
    }

    #[test]
    fn a_client_cannot_choose_its_address() {
        assert_eq!(of("198.51.100.7", "1.2.3.4", &[]), "198.51.100.7");
        assert_eq!(of("198.51.100.7", "1.2.3.4", &["10.0.0.0/8"]), "198.51.100.7");
        assert_eq!(of("10.1.2.3", "1.2.3.4, 198.51.100.7", &["10.0.0.0/8"]), "198.51.100.7");
    }

    #[test]
    fn a_trusted_proxy_names_the_client() {
        assert_eq!(of("127.0.0.1", "198.51.100.7", &["127.0.0.1"]), "198.51.100.7");
        assert_eq!(of("10.0.0.1", "198.51.100.7, 10.0.0.2", &["10.0.0.0/8"]), "198.51.100.7");
        assert_eq!(of("::ffff:10.0.0.1", "2001:db8::1", &["10.0.0.0/8"]), "2001:db8::1");
        assert_eq!(of("10.0.0.1", "nonsense", &["10.0.0.0/8"]), "10.0.0.1");
    }

    #[test]
    fn limits_count_a_household_once() {
        let key = |text: &str| ClientAddress(text.parse().unwrap()).limit_key();
        assert_eq!(key("2001:db8:1:2:3::1"), key("2001:db8:1:2:ffff::2"));
        assert_ne!(key("2001:db8:1:2::1"), key("2001:db8:1:3::1"));
        assert_eq!(key("::ffff:192.0.2.1"), "192.0.2.1");
        let network = |text: &str| ClientAddress(text.parse().unwrap()).network_key();
        assert_eq!(network("192.0.2.77"), "192.0.2.0/24");
        assert_eq!(network("2001:db8:1:2:3::1"), "2001:db8:1::/48");
    }

    #[test]
    fn networks_that_are_none_are_refused() {
        for text in ["", "10.0.0.0/33", "::/129", "10.0.0.0/x", "proxy", "10.0.0.0/-1"] {
            assert!(text.parse::<Network>().is_err(), "{text}");
        }
        assert!("0.0.0.0/0".parse::<Network>().unwrap().contains("9.9.9.9".parse().unwrap()));
    }
}
