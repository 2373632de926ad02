//! The laws every game passes, for every setup.

mod support;

use carcassonne::Carcassonne;

#[test]
fn laws() {
    game::laws::check::<Carcassonne>(&support::setups(), 3, 1);
}
