//! What is asked over HTTP; one module an area, each with its `routes`.

pub mod types;
