//! The engine: [`work`] is what it does for people, on threads of this server or on other machines; [`analysis`] is what
//! it thinks of a position, `review_told` how reviews are told; [`threads`] are for what is done in a moment.

pub mod analysis;
pub mod review_told;
pub mod threads;
pub mod work;
