//! The page with the engine inside: one file that needs no server and no installation.

use super::page;
use crate::cli::Failure;
use crate::system::files;
use std::path::Path;

/// The limit of a packed module, in bytes.
const MAX_MODULE: u64 = 64 << 20;

/// Saves the page with a module of WebAssembly that is packed by gzip.
pub(super) fn save(file: &Path, module: &Path) -> Result<(), Failure> {
    let packed = files::read(module, MAX_MODULE).map_err(Failure::file(module))?;
    if !packed.starts_with(&[0x1f, 0x8b]) {
        return Err(Failure::file(module)("it is not a gzip file"));
    }
    let engine = format!(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; \
         script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:; worker-src blob:; img-src blob:\">\n\
         <script type=\"text/plain\" id=\"module\">{}</script>\n\
         <script type=\"text/plain\" id=\"worker\">\n{}{}</script>\n\
         <script>\n{}</script>\n",
        base64(&packed),
        include_str!("../wasm/dialogue.js"),
        include_str!("worker.js"),
        include_str!("inside.js"),
    );
    let page = page(&engine).replace(" nonce=\"@NONCE@\"", "");
    files::write(file, page.as_bytes()).map_err(Failure::file(file))
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
