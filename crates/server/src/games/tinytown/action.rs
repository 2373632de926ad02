//! The action form of moves: `{"move": "brick 0,1"}` or `{"vector": [0, 1, 0, 0, 0, 0]}`.

use crate::games::ActionError;
use serde_json::{Map, Value};
use tinytown::{Action, Size};

/// What is read, for messages.
const FORMS: &str =
    r#"{"move": "brick 0,1"} or {"vector": [0, 1, 0, 0, 0, 0]}, bare or as "payload" or "action""#;

/// The action that a request means on a grid of this size. Whether it is legal, the rules say.
pub(super) fn read(size: Size, action: &Value) -> Result<Action, ActionError> {
    let mut map = object(action)?;
    for wrapper in ["action", "payload"] {
        if let Some(inner) = map.get(wrapper) {
            map = object(inner)?;
        }
    }
    match (map.get("move"), map.get("vector")) {
        (Some(Value::String(text)), None) => {
            let action: Result<Action, _> = text.parse();
            action.map_err(|error| ActionError::Unreadable(error.to_string()))
        }
        (None, Some(Value::Array(numbers))) => {
            let numbers: Option<Vec<i64>> = numbers.iter().take(7).map(Value::as_i64).collect();
            let numbers =
                numbers.ok_or(ActionError::Incomplete("a vector holds six whole numbers"))?;
            let action = Action::from_vector(size, &numbers);
            action.map_err(|error| ActionError::Unreadable(error.to_string()))
        }
        _ => Err(ActionError::Form { forms: FORMS }),
    }
}

fn object(value: &Value) -> Result<&Map<String, Value>, ActionError> {
    value.as_object().ok_or(ActionError::Form { forms: FORMS })
}
