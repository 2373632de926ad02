//! The rules a second time, from scratch and as plainly as they can be written, to check the
//! engine against.
//!
//! Nothing here comes from the engine: the tile facts are typed again in another form, the board
//! is a map, features are flooded anew whenever somebody asks, and nothing is kept that could be
//! computed. It is slow, and meant to be read in one go:
//! [`tiles`] the printed tiles, [`land`] the tiles that lie and the features they form,
//! [`options`] what a setup says, [`play`] the course of a game, [`score`] the points.

#![allow(dead_code, reason = "every test uses its own part of this")]

pub(crate) mod land;
pub(crate) mod options;
pub(crate) mod play;
pub(crate) mod score;
pub(crate) mod tiles;
