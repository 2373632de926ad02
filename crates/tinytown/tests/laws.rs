//! The laws of every game hold for Tinytown.

use tinytown::Tinytown;

#[test]
fn laws() {
    let setups = ["1x1", "1x5", "2x2", "2x3", "3x2", "3x3", "4x4", "5x5", "2x2 older", "3x3 older"];
    let setups = setups.map(|text| text.parse().expect("a setup"));
    game::laws::check::<Tinytown>(&setups, 20, 3);
}
