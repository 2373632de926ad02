//! The nets that come with the program, and which of them is for which setup.

use crate::calibration::Calibration;
use crate::error::NetError;
use crate::net::Net;
use crate::scope::Scope;
use carcassonne::Options;
use std::sync::{Arc, LazyLock, OnceLock};

/// A net for a setup.
pub struct NetChoice {
    /// The net.
    pub net: Arc<Net>,
    /// By how much its margins are off.
    pub calibration: Arc<Calibration>,
    /// What is missing, for a person: `None` if the net was trained for just this setup's sets.
    pub note: Option<String>,
}

/// A net that comes with the program.
struct Shipped {
    name: &'static str,
    /// What it was trained for, as its file says.
    scope: &'static str,
    /// By how much its margins are off.
    table: &'static str,
}

/// All of them; the one for two players of the base game comes first.
const SHIPPED: [Shipped; 6] = [
    Shipped { name: "two", scope: "2-2:", table: include_str!("../nets/two.calibration.csv") },
    Shipped { name: "many", scope: "3-6:", table: include_str!("../nets/many.calibration.csv") },
    Shipped {
        name: "two-inns",
        scope: "2-2:inns",
        table: include_str!("../nets/two-inns.calibration.csv"),
    },
    Shipped {
        name: "two-inns-traders",
        scope: "2-2:inns,traders",
        table: include_str!("../nets/two-inns-traders.calibration.csv"),
    },
    Shipped {
        name: "two-all",
        scope: "2-2:inns,traders,river,gardens",
        table: include_str!("../nets/two-all.calibration.csv"),
    },
    Shipped {
        name: "many-all",
        scope: "3-6:inns,traders,river,gardens",
        table: include_str!("../nets/many-all.calibration.csv"),
    },
];

/// The files of the nets, in the same order; without the feature `nets` they are handed in by [`add`].
#[cfg(feature = "nets")]
const FILES: [&[u8]; SHIPPED.len()] = [
    include_bytes!("../nets/two.net"),
    include_bytes!("../nets/many.net"),
    include_bytes!("../nets/two-inns.net"),
    include_bytes!("../nets/two-inns-traders.net"),
    include_bytes!("../nets/two-all.net"),
    include_bytes!("../nets/many-all.net"),
];

type Loaded = (Arc<Net>, Arc<Calibration>);

/// Those that were read so far.
static LOADED: [OnceLock<Loaded>; SHIPPED.len()] = [const { OnceLock::new() }; SHIPPED.len()];

/// The net that was trained for what is nearest to this setup.
///
/// # Panics
/// In a program without nets, if the one that [`name_for`] says was not handed in by [`add`].
#[must_use]
pub fn for_setup(setup: &impl Options) -> NetChoice {
    let (players, sets) = (setup.rules().players(), setup.sets());
    let (net, calibration) = loaded(nearest(setup)).expect("who ships no nets adds them first");
    let note = (net.scope.distance(players, sets) > 0).then(|| {
        let wanted = Scope::of(players, sets);
        format!("no net was trained for {wanted}; the net for {} plays", net.scope)
    });
    NetChoice { net, calibration, note }
}

/// The name of the net that is for this setup: that of its file, without `.net`.
#[must_use]
pub fn name_for(setup: &impl Options) -> &'static str {
    SHIPPED[nearest(setup)].name
}

/// Whether the net that is for this setup is there.
#[must_use]
pub fn has_for(setup: &impl Options) -> bool {
    loaded(nearest(setup)).is_some()
}

/// The nets that are part of this program: names, and files as they are.
#[cfg(feature = "nets")]
pub fn files() -> impl Iterator<Item = (&'static str, &'static [u8])> {
    SHIPPED.iter().map(|shipped| shipped.name).zip(FILES)
}

/// Takes a net from its file. One that is there already stays.
///
/// # Errors
/// If none is called so, or if it is no net for these inputs.
pub fn add(name: &str, file: &[u8]) -> Result<(), NetError> {
    let known = || SHIPPED.iter().map(|shipped| shipped.name).collect();
    let index = SHIPPED.iter().position(|shipped| shipped.name == name);
    let index = index.ok_or_else(|| NetError::Name { name: name.to_owned(), known: known() })?;
    let read = read(index, file)?;
    if read.0.scope.word() != SHIPPED[index].scope {
        return Err(NetError::Scope { name: SHIPPED[index].name, found: read.0.scope.word() });
    }
    LOADED[index].get_or_init(|| read);
    Ok(())
}

fn nearest(setup: &impl Options) -> usize {
    static SCOPES: LazyLock<[Scope; SHIPPED.len()]> = LazyLock::new(|| {
        SHIPPED.map(|shipped| Scope::read(shipped.scope).expect("a test reads the scopes"))
    });
    let (players, sets) = (setup.rules().players(), setup.sets());
    let distance = |index: &usize| SCOPES[*index].distance(players, sets);
    (0..SHIPPED.len()).min_by_key(distance).unwrap_or(0)
}

#[cfg(feature = "nets")]
fn loaded(index: usize) -> Option<Loaded> {
    let embedded = || read(index, FILES[index]).expect("a test reads the embedded nets");
    Some(LOADED[index].get_or_init(embedded).clone())
}

#[cfg(not(feature = "nets"))]
fn loaded(index: usize) -> Option<Loaded> {
    LOADED[index].get().cloned()
}

fn read(index: usize, file: &[u8]) -> Result<Loaded, NetError> {
    let net = Net::read(file)?;
    let calibration = Calibration::read(SHIPPED[index].table);
    let calibration = calibration.expect("a test reads the embedded tables");
    Ok((Arc::new(net), Arc::new(calibration)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use carcassonne::ExpandedSetup;

    fn choice(setup: &str) -> NetChoice {
        for_setup(&setup.parse::<ExpandedSetup>().unwrap())
    }

    #[test]
    fn nets_see_what_the_document_says() {
        for (shipped, file) in SHIPPED.iter().zip(FILES) {
            let version = if shipped.name == "many-all" { 3 } else { 4 };
            assert_eq!(
                Net::read(file).unwrap().version(),
                version,
                "docs/net.md: {}",
                shipped.name
            );
        }
    }

    #[test]
    fn the_base_game_has_nets_for_every_number_of_players() {
        for players in 2..=6 {
            let chosen = choice(&format!("players={players}"));
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
        for (index, shipped) in SHIPPED.iter().enumerate() {
            let (net, calibration) = loaded(index).unwrap();
            assert_eq!(net.scope.word(), shipped.scope, "{}", shipped.name);
            let early = calibration.at(60).0;
            assert!(early > 0.5 && early < 15.0, "{}: {early}", net.scope);
            assert!(calibration.at(1).0.abs() < early, "{}", net.scope);
        }
    }

    #[test]
    fn a_net_is_handed_in_under_its_own_name_alone() {
        assert_eq!(name_for(&ExpandedSetup::default()), "two");
        assert!(add("two", FILES[0]).is_ok() && has_for(&ExpandedSetup::default()));
        let nobody = add("three", FILES[0]).unwrap_err().to_string();
        assert!(nobody.contains("'three'") && nobody.contains("two-inns-traders"), "{nobody}");
        let wrong = add("many", FILES[0]).unwrap_err().to_string();
        assert_eq!(wrong, "the net 'many' is not the one for 2-2:");
        assert!(add("two", b"no net").is_err());
    }
}
