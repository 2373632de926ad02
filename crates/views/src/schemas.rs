//! Words from closed lists, as the API's document tells them.

use utoipa::openapi::schema::{Object, ObjectBuilder, SchemaType, Type};

/// What a feature is.
#[must_use]
pub fn terrain() -> Object {
    ObjectBuilder::new()
        .schema_type(SchemaType::Type(Type::String))
        .enum_values(Some(["city", "road", "field", "monastery", "garden"]))
        .build()
}
