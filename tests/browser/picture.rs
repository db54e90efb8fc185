//! The picture of the page in README.

use super::Server;
use super::chromium::{Chromium, Page};
use super::habits::open;
use crate::documents::document;
use std::path::Path;

const PICTURE: &str = "tests/data/pictures/board.webp";
/// The command that takes the picture anew.
const RENEW: &str = "QUADRILLE_RENEW=1 cargo test --release --test all picture:: -- --ignored";
/// The limit of the file, which is in every clone.
const MAX_BYTES: usize = 60_000;
/// The limit of the difference. Other fonts make 0.5 to 1.6, pieces a tenth smaller 5, other colours of the squares
/// 11, a wider panel 22.
const LIMIT: f64 = 4.0;

/// Returns the mean difference of two pictures, of 255, reduced so far that text is grey.
fn difference(page: &Page<'_>, [one, two]: [&[u8]; 2]) -> f64 {
    let mean = page.value(&format!(
        "Promise.all([{one:?}, {two:?}].map(async (bytes) => {{ \
           const image = await createImageBitmap(new Blob([new Uint8Array(bytes)])); \
           const context = new OffscreenCanvas(64, 40).getContext('2d'); \
           context.imageSmoothingQuality = 'high'; \
           context.drawImage(image, 0, 0, 64, 40); \
           return context.getImageData(0, 0, 64, 40).data; \
         }})).then(([one, two]) => \
           one.reduce((sum, tone, at) => sum + Math.abs(tone - two[at]), 0) / (3 * 64 * 40))"
    ));
    mean.parse().unwrap()
}

/// A game that has scores, with a lifted archbishop. Nothing thinks.
#[test]
#[ignore = "needs chromium"]
fn readme_shows_the_page_as_it_is() {
    assert!(document("README.md").contains(&format!("]({PICTURE})")));
    let server = Server::new();
    let browser = Chromium::start("picture");
    let page = browser.open(&server.address("gothic"));
    page.resize(1280, 800);
    page.prefer("color-scheme", "light");
    open(&page, &document("src/games/games.pgn"));
    page.value("go(54)");
    page.until("at === 54 && here().effects && canMove()");
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
