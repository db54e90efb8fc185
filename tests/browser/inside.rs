//! The page with the engine inside, from a file: no server, no network.

use super::analysis::assert_analysed;
use super::driver::{Desk, Engine, in_every_browser};
use super::person::{play, play_to_the_end};
use crate::common::program::{Run, quadrille, scratch};
use crate::wasm::module;
use quadrille::engine::VARIANTS;
use std::process::Command;

in_every_browser!(games_are_played_from_a_file);

fn games_are_played_from_a_file(desk: Desk) {
    let folder = scratch(&format!("browser/inside-{:?}", desk.engine));
    let (page, packed) = (folder.join("quadrille.html"), folder.join("module.gz"));
    let gzip = Command::new("gzip").args(["-9", "-c"]).arg(module()).output();
    std::fs::write(&packed, gzip.expect("gzip runs").stdout).unwrap();
    let mut annotate = quadrille("annotate --nodes 100 src/games/games.pgn --html".split(' '));
    let games = folder.join("games.html");
    annotate.arg(&games).arg("--engine").arg(&packed).run().succeeded();
    let shown = desk.browser.open(&format!("file://{}#2.4", games.display()));
    shown.until("state.record.variant === 'congress' && at === 4 && isKnown");
    play(&shown, shown.value("here().next[0].move").trim(), false);
    shown.until("at === 5");
    shown.press(&["l"]);
    shown.until("analysis.lines().length > 0");
    shown.close();
    let mut save = quadrille(["board", "--html"]);
    save.arg(&page).arg("--engine").arg(&packed).run().succeeded();
    let length = page.metadata().unwrap().len();
    assert!(length < 2_800_000, "{length} bytes");
    for variant in VARIANTS {
        let name = variant.info.name;
        // The others play all games from the server, this one from the file.
        if desk.engine != Engine::Chromium && name != "congress" {
            continue;
        }
        let page = desk.browser.open(&format!("file://{}#{name}", page.display()));
        play_to_the_end(&page, name);
        // Its analysis is a search without an end.
        page.click("#back");
        page.value("part('analyse').checked || part('analyse').click()");
        page.until("found?.ply === here() && found.lines[0].depth > 5");
        page.click("#analyse");
        assert_analysed(&page, name, &folder);
    }
}

#[test]
fn what_is_no_packed_module_is_refused() {
    let folder = scratch("browser/refused");
    let file = folder.join("module.gz");
    let saved = folder.join("page.html");
    std::fs::write(&file, "no module").unwrap();
    let mut save = quadrille(["board", "--html"]);
    save.arg(&saved).arg("--engine").arg(&file);
    assert!(save.run().refused().contains("it is not a gzip file"));
    assert!(!saved.exists());
    let alone = quadrille(["board", "--html", "x.html"]).run().refused();
    assert!(alone.contains("--html and --engine go together"), "{alone}");
}
