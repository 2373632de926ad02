//! How an area lists its routes, and how the areas are joined.
//!
//! The descriptions of the handlers (`#[utoipa::path]`) are compiled in tests alone: there the
//! API's document is made from them and held against the one that is stored and served.

/// The routes of an area: `"address" => method handler, …;`.
macro_rules! routes {
    ($($path:literal => $($method:ident $handler:path),+;)+) => {
        pub(super) fn routes() -> axum::Router<crate::app::App> {
            axum::Router::new()
                $(.route($path, axum::routing::MethodRouter::new()$(.$method($handler))+))+
        }

        /// The same routes as their handlers describe themselves.
        #[cfg(test)]
        pub(super) fn described() -> utoipa_axum::router::OpenApiRouter<crate::app::App> {
            utoipa_axum::router::OpenApiRouter::new()
                $(.routes(utoipa_axum::routes!($($handler),+)))+
        }

        #[cfg(test)]
        pub(super) const LISTED: &[(&str, &str)] = &[$($((stringify!($method), $path)),+),+];
    };
}

/// All areas as one router; in tests, all descriptions and all listed routes too.
macro_rules! areas {
    ($($area:ident),+ $(,)?) => {
        fn api() -> axum::Router<crate::app::App> {
            axum::Router::new()$(.merge($area::routes()))+
        }

        #[cfg(test)]
        fn described() -> utoipa_axum::router::OpenApiRouter<crate::app::App> {
            utoipa_axum::router::OpenApiRouter::new()$(.merge($area::described()))+
        }

        #[cfg(test)]
        fn listed() -> Vec<(&'static str, &'static str)> {
            [$($area::LISTED),+].concat()
        }
    };
}

pub(super) use {areas, routes};
