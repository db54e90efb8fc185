//! The picture of the page in README.

use super::driver::{Desk, Page, in_chromium};
use super::habits::open;
use crate::documents::document;
use std::path::Path;

in_chromium!(readme_shows_the_page_as_it_is,);

const PICTURE: &str = "tests/data/pictures/board.webp";
/// The command that takes the picture anew.
const RENEW: &str = "QUADRILLE_RENEW=1 cargo test --release --test program picture:: -- --ignored";
/// The limit of the file, which is in every clone.
const MAX_BYTES: usize = 60_000;
/// The limit of the difference. Other fonts make 2 to 13, a list more in the panel 18, no curve 26, other pieces or
/// colours of the squares 40 and more.
const LIMIT: f64 = 16.0;

/// Returns the greatest difference of two pictures, of 255, reduced to 16 by 10 pixels: text is grey.
fn difference(page: &Page<'_>, [one, two]: [&[u8]; 2]) -> f64 {
    let most = page.value(&format!(
        "Promise.all([{one:?}, {two:?}].map(async (bytes) => {{ \
           const image = await createImageBitmap(new Blob([new Uint8Array(bytes)])); \
           const context = new OffscreenCanvas(16, 10).getContext('2d'); \
           context.imageSmoothingQuality = 'high'; \
           context.drawImage(image, 0, 0, 16, 10); \
           return context.getImageData(0, 0, 16, 10).data; \
         }})).then(([one, two]) => Math.max(...one.map((tone, at) => Math.abs(tone - two[at]))))"
    ));
    most.parse().unwrap()
}

/// A game that has scores, with a lifted archbishop. Nothing thinks.
fn readme_shows_the_page_as_it_is(desk: Desk) {
    assert!(document("README.md").contains(&format!("]({PICTURE})")));
    let page = desk.open("gothic");
    page.resize(1280, 800);
    page.prefer("color-scheme", "light");
    open(&page, &document("src/games/games.pgn"));
    page.value("go(54)");
    page.until("at === 54 && isKnown && canMove()");
    page.click_square("j2");
    page.until("lifted === 'j2' && document.getAnimations().length === 0");
    let taken = page.screenshot();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(PICTURE);
    if std::env::var_os("QUADRILLE_RENEW").is_some() {
        std::fs::write(&path, &taken).unwrap();
    }
    let kept = std::fs::read(&path).unwrap_or_else(|error| panic!("{PICTURE}: {error}; {RENEW}"));
    assert!(kept.len() <= MAX_BYTES, "{PICTURE}: {} bytes", kept.len());
    let difference = difference(&page, [&kept, &taken]);
    assert!(
        difference < LIMIT,
        "{PICTURE} is an old picture, by {difference:.1}; take it anew: {RENEW}"
    );
}
