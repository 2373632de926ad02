//! What several tests share.

use carcassonne::Setup;

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
