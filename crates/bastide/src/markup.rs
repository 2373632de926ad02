//! Text within HTML and SVG.

/// A text that is only text in HTML and SVG, between tags and in attributes.
pub(crate) fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}
