//! A page that needs no server: what stands in its head.

use crate::cli::Failure;
use crate::system::files;
use std::path::Path;

/// The limit of a packed module, in bytes.
const MAX_MODULE: u64 = 64 << 20;

/// Returns the head of a page with the engine inside, a module of WebAssembly that is packed by gzip.
pub fn engine_inside(module: &Path) -> Result<String, Failure> {
    let packed = files::read(module, MAX_MODULE).map_err(Failure::file(module))?;
    if !packed.starts_with(&[0x1f, 0x8b]) {
        return Err(Failure::file(module)("it is not a gzip file"));
    }
    let scripts = format!(
        "<script type=\"text/plain\" id=\"module\">{}</script>\n\
         <script type=\"text/plain\" id=\"worker\">\n{}{}</script>\n\
         <script>\n{}</script>\n",
        base64(&packed),
        include_str!("../wasm/dialogue.js"),
        include_str!("worker.js"),
        include_str!("inside.js"),
    );
    Ok(head(" 'wasm-unsafe-eval' blob:; worker-src blob:", &scripts))
}

/// Returns the head of a page without an engine, which knows the positions of its games.
pub fn without_engine() -> String {
    head("", &format!("<script>\n{}</script>\n", include_str!("alone.js")))
}

/// Writes a head: the page loads nothing, and saves pictures of the board.
fn head(sources: &str, scripts: &str) -> String {
    format!(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         style-src 'unsafe-inline'; script-src 'unsafe-inline'{sources}; img-src blob:\">\n{scripts}"
    )
}

/// Encodes bytes in base 64 (RFC 4648, section 4).
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let group = |bytes: &[u8]| {
        let bits =
            (0..3).fold(0, |bits, at| bits << 8 | usize::from(bytes.get(at).copied().unwrap_or(0)));
        let digit = |at: usize| {
            if at <= bytes.len() { char::from(DIGITS[bits >> (18 - 6 * at) & 63]) } else { '=' }
        };
        [0, 1, 2, 3].map(digit)
    };
    bytes.chunks(3).flat_map(group).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_of_the_standard() {
        for (bytes, text) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
    }
}
