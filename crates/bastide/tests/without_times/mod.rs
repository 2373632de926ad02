//! Results of matches, to be compared.

use serde_json::Value;

/// A result without what it took, which is never the same.
pub(crate) fn without_times(mut value: Value) -> Value {
    match &mut value {
        Value::Object(fields) => {
            fields.retain(|key, _| {
                !["micros", "longest", "ms_a_move", "longest_ms"].contains(&&**key)
            });
            fields.values_mut().for_each(|field| *field = without_times(field.take()));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| *item = without_times(item.take())),
        _ => {}
    }
    value
}
