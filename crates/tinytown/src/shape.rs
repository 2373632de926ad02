//! Where patterns can lie when only buildings are in the way, and which layouts of buildings a
//! game can reach.
//!
//! Resources can be put down just before they are used. So the buildings of any state could have
//! been built one after the other on a grid without other resources, and whether a building can
//! come next depends on the free squares alone.

use crate::{Building, Size};

/// The squares on which the building can stand as the next, or could have been built as the last:
/// all other squares of one of its patterns are free.
pub(crate) fn spots(size: Size, building: Building, free: u32) -> u32 {
    let pattern = building.pattern();
    let shift = |entry: usize| {
        let (row, col, _) = pattern[entry];
        row as usize * size.cols() + col as usize
    };
    (0..pattern.len()).fold(0, |spots, stands| {
        let others = (0..pattern.len()).filter(|entry| *entry != stands);
        let anchors = others.fold(size.anchors(), |anchors, entry| anchors & free >> shift(entry));
        spots | anchors << shift(stands)
    })
}

/// Whether a game can reach a layout with these buildings.
///
/// Takes back what could have been built last until nothing is left. The order does not matter:
/// taking one building back only frees squares, so it never keeps another from being taken back.
pub(crate) fn is_reachable(size: Size, mut cottages: u32, mut greenhouses: u32) -> bool {
    while cottages | greenhouses != 0 {
        let free = size.all() & !(cottages | greenhouses);
        let last_cottages = cottages & spots(size, Building::Cottage, free);
        let last_greenhouses = greenhouses & spots(size, Building::Greenhouse, free);
        if last_cottages | last_greenhouses == 0 {
            return false;
        }
        cottages &= !last_cottages;
        greenhouses &= !last_greenhouses;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cottage_never_stands_on_the_square_its_pattern_ignores() {
        let size = Size::new(2, 2).unwrap();
        assert_eq!(spots(size, Building::Cottage, size.all()), 0b0111);
        assert_eq!(spots(size, Building::Greenhouse, size.all()), 0b1111);
        assert!(is_reachable(size, 0b0001, 0));
        assert!(!is_reachable(size, 0b1000, 0));
        assert!(is_reachable(size, 0, 0b1000));
        assert!(is_reachable(size, 0b0001, 0b1000), "the greenhouse was first");
        assert!(!is_reachable(size, 0b1000, 0b0001));
    }

    #[test]
    fn nothing_is_built_on_a_grid_without_a_window() {
        let size = Size::new(1, 4).unwrap();
        assert!(is_reachable(size, 0, 0));
        assert!(!is_reachable(size, 1, 0));
    }
}
