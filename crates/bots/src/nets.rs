//! The nets that come with the program, and which of them is for which setup.

use crate::calibration::Calibration;
use crate::net::Net;
use crate::scope::Scope;
use carcassonne::Options;
use std::sync::{Arc, LazyLock};

/// A net for a setup.
pub struct NetChoice {
    /// The net.
    pub net: Arc<Net>,
    /// By how much its margins are off.
    pub calibration: Arc<Calibration>,
    /// What is missing, for a person: `None` if the net was trained for just this setup's sets.
    pub note: Option<String>,
}

/// The files of the nets, each with the table of what its margins are off by; the one for two players
/// of the base game comes first.
const FILES: [(&[u8], &str); 6] = [
    (include_bytes!("../nets/two.net"), include_str!("../nets/two.calibration.csv")),
    (include_bytes!("../nets/many.net"), include_str!("../nets/many.calibration.csv")),
    (include_bytes!("../nets/two-inns.net"), include_str!("../nets/two-inns.calibration.csv")),
    (
        include_bytes!("../nets/two-inns-traders.net"),
        include_str!("../nets/two-inns-traders.calibration.csv"),
    ),
    (include_bytes!("../nets/two-all.net"), include_str!("../nets/two-all.calibration.csv")),
    (include_bytes!("../nets/many-all.net"), include_str!("../nets/many-all.calibration.csv")),
];

static SHIPPED: LazyLock<[(Arc<Net>, Arc<Calibration>); FILES.len()]> = LazyLock::new(|| {
    FILES.map(|(bytes, table)| {
        let net = Net::read(bytes).expect("a test reads the embedded nets");
        let calibration = Calibration::read(table).expect("a test reads the embedded tables");
        (Arc::new(net), Arc::new(calibration))
    })
});

/// The net that was trained for what is nearest to this setup.
#[must_use]
pub fn for_setup(setup: &impl Options) -> NetChoice {
    let (players, sets) = (setup.rules().players(), setup.sets());
    let nearest = SHIPPED.iter().min_by_key(|(net, _)| net.scope.distance(players, sets));
    let (net, calibration) = nearest.unwrap_or(&SHIPPED[0]).clone();
    let note = (net.scope.distance(players, sets) > 0).then(|| {
        let wanted = Scope::of(players, sets);
        format!("no net was trained for {wanted}; the net for {} plays", net.scope)
    });
    NetChoice { net, calibration, note }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carcassonne::ExpandedSetup;

    fn choice(setup: &str) -> NetChoice {
        for_setup(&setup.parse::<ExpandedSetup>().unwrap())
    }

    #[test]
    fn the_embedded_nets_are_of_this_shape_and_version() {
        for players in 2..=6 {
            let chosen = choice(&format!("players={players}"));
            assert_eq!(chosen.net.weights.len(), crate::net::WEIGHTS);
            assert_eq!(chosen.note, None, "the base game has a net for {players}");
        }
    }

    #[test]
    fn the_setups_that_nets_were_trained_for_have_nets_of_their_own() {
        let all = "inns,traders,river,gardens";
        for (players, sets, scope) in [
            (2, "inns", "2-2"),
            (2, "inns,traders", "2-2"),
            (2, all, "2-2"),
            (3, all, "3-6"),
            (6, all, "3-6"),
        ] {
            let chosen = choice(&format!("players={players} sets={sets}"));
            assert_eq!(chosen.note, None, "{sets}");
            assert_eq!(chosen.net.scope.word(), format!("{scope}:{sets}"));
        }
        assert_eq!(choice("players=2").net.scope.word(), "2-2:");
    }

    #[test]
    fn a_setup_without_a_net_of_its_own_takes_the_nearest_and_says_so() {
        let all = "inns,traders,river,gardens";
        for (setup, nearest) in [
            ("players=2 sets=river,gardens", format!("2-2:{all}")),
            ("players=2 sets=inns,river", format!("2-2:{all}")),
            ("players=4 sets=inns", format!("3-6:{all}")),
        ] {
            let chosen = choice(setup);
            assert_eq!(chosen.net.scope.word(), nearest, "{setup}");
            let note = chosen.note.unwrap();
            assert!(note.starts_with("no net was trained for "), "{note}");
        }
    }

    #[test]
    fn every_net_has_a_table_of_what_its_margins_are_off_by() {
        for (net, calibration) in SHIPPED.iter() {
            let early = calibration.at(60).0;
            assert!(early > 0.5 && early < 15.0, "{}: {early}", net.scope);
            assert!(calibration.at(1).0.abs() < early, "{}", net.scope);
        }
    }
}
