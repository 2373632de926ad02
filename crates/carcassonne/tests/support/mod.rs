//! What several tests share.

#![allow(dead_code, reason = "every test uses its own part of this")]

use carcassonne::{ExpandedSetup, Setup};

/// Every combination of players and setup options.
pub(crate) fn setups() -> Vec<Setup> {
    let mut setups = Vec::new();
    for players in 2..=6 {
        for farmers in ["on", "off"] {
            for start in ["tile", "empty"] {
                for board in ["unlimited", "35x35", "30x30", "9x9", "4x4"] {
                    for tiny in [4, 2] {
                        let text = format!(
                            "players={players} farmers={farmers} start={start} board={board} \
                             tiny-city={tiny}"
                        );
                        setups.push(text.parse().expect("every option is allowed"));
                    }
                }
            }
        }
    }
    setups
}

/// Every combination of sets, with some of the other options.
pub(crate) fn expanded_setups() -> Vec<ExpandedSetup> {
    let names = ["inns", "traders", "river", "gardens"];
    let mut setups = Vec::new();
    for (number, options) in
        ["players=2", "players=6 tiny-city=2", "players=3 board=12x12 farmers=off"]
            .into_iter()
            .enumerate()
    {
        for combination in number..16 {
            let played = (0..4).filter(|at| combination >> at & 1 == 1).map(|at| names[at]);
            let played: Vec<&str> = played.collect();
            let sets = match played.is_empty() {
                true => String::new(),
                false => format!(" sets={}", played.join(",")),
            };
            setups.push(format!("{options}{sets}").parse().expect("every option is allowed"));
        }
    }
    setups
}
