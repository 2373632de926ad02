//! The laws every game passes, for every setup.

mod support;

use carcassonne::{Carcassonne, Expanded};

#[test]
fn laws() {
    game::laws::check::<Carcassonne>(&support::setups(), 3, 1);
}

#[test]
fn laws_with_sets() {
    game::laws::check::<Expanded>(&support::expanded_setups(), 4, 2);
}
