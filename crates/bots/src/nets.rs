//! The nets that come with the program.

use crate::net::Net;
use std::sync::{Arc, LazyLock};

static TWO: LazyLock<Arc<Net>> = LazyLock::new(|| embedded(include_bytes!("../nets/two.net")));
static MANY: LazyLock<Arc<Net>> = LazyLock::new(|| embedded(include_bytes!("../nets/many.net")));

fn embedded(bytes: &[u8]) -> Arc<Net> {
    Arc::new(Net::read(bytes).expect("a test reads the embedded nets"))
}

/// The net for this many players.
#[must_use]
pub fn for_players(players: usize) -> Arc<Net> {
    Arc::clone(if players == 2 { &TWO } else { &MANY })
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_embedded_nets_are_of_this_shape_and_version() {
        for players in 2..=6 {
            assert_eq!(super::for_players(players).weights.len(), crate::net::WEIGHTS);
        }
    }
}
