//! Moderation as clients see it: roles, reports, sanctions, blocks, and the audit log.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

#[path = "../common/mod.rs"]
mod common;

mod addresses;
mod annul;
mod audit;
mod blocks;
mod reports;
mod sanctions;
mod support;
