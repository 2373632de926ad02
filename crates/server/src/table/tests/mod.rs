//! Tests of tables on a toy game.
