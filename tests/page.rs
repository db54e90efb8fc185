//! The page of `annotate --html`, also in a browser without a screen: Debian's package `chromium`.

use crate::common::play_random;
use crate::common::program::{Run, quadrille, scratch};
use quadrille::engine::{Session, VARIANTS, Variant, find_variant};
use quadrille::system::random::Random;
use std::path::Path;
use std::process::Command;

/// Limit for the plies of a game on the page.
const PLIES: usize = 14;

/// Start of one more game: a rank with a piece behind eleven empty squares.
const WIDE: &str = "****4****/****4****/****4****/***6***/12/12/p11/11K/***6***/****4****/****2k1****/\
                    ****K3**** b - - 0 1";

/// Starts of the games on the page: one of each kind, and another.
fn games() -> Vec<(Variant, Option<&'static str>)> {
    let crosseyed = find_variant(VARIANTS, "crosseyed").unwrap();
    let starts = VARIANTS.iter().map(|&variant| (variant, None));
    starts.chain([(crosseyed, Some(WIDE))]).collect()
}

/// Script that steps through all games, each in another way: by keys, by buttons, by clicks on the
/// curve, and by the address, which the list of moves uses too. After each step it notes the
/// address and the pieces with their places.
const WALK: &str = r##"<script>
addEventListener("load", async () => {
  const notes = [];
  let plies;
  const note = () => {
    const pieces = [...document.querySelectorAll("#board [data-man]")].map(
      (man) => man.dataset.man + man.getAttribute("transform").replace(/[^\d]+/g, ","));
    notes.push([location.hash, document.getElementById("board").dataset.turn, ...pieces.sort()].join(" "));
  };
  const visit = (hash) => new Promise((done) => {
    addEventListener("hashchange", done, { once: true });
    location.hash = hash;
  });
  const press = (key) => dispatchEvent(new KeyboardEvent("keydown", { key, cancelable: true }));
  const click = (x) => {
    const box = document.getElementById("curve").getBoundingClientRect();
    const clientX = box.left + box.width * x;
    document.getElementById("curve").dispatchEvent(new MouseEvent("click", { clientX }));
  };
  const steps = [
    () => press("ArrowRight"),
    () => document.getElementById("on").click(),
    (ply) => click(ply / plies),
    (ply) => visit(document.querySelectorAll("#moves > a")[ply - 1].getAttribute("href")),
  ];
  for (let game = 0; game < document.getElementById("games").length; game++) {
    const step = steps[game % steps.length];
    await visit(`#${game + 1}.1`);
    plies = document.querySelectorAll("#moves > a").length;
    press("Home");
    note();
    for (let ply = 1; ply <= plies; ply++) {
      await step(ply);
      note();
    }
    // There is nothing after the end. Then back again, with the board flipped and flipped back.
    press("End"); press("ArrowRight"); document.getElementById("on").click(); note();
    press("ArrowLeft"); document.getElementById("back").click(); press("f"); note();
    document.getElementById("flip").click(); document.getElementById("first").click(); note();
  }
  const shown = document.createElement("pre");
  shown.id = "walk";
  shown.textContent = notes.join("\n");
  document.body.replaceChildren(shown);
});
</script>"##;

/// Random moves of a game.
fn random_moves(variant: Variant, fen: Option<&str>) -> Vec<String> {
    let mut random = Random::new(7, 0);
    let mut session = variant.open();
    session.set_position(fen, &[]).unwrap();
    let mut moves = Vec::new();
    while session.outcome().is_none() && moves.len() < PLIES {
        moves.extend(play_random(&mut *session, &mut random));
    }
    moves
}

/// Writes a page with a game of each kind in a folder, and returns it.
fn page(folder: &Path) -> String {
    let mut text = String::new();
    for (variant, fen) in games() {
        let moves = random_moves(variant, fen).join(" ");
        let fen = fen.map_or(String::new(), |fen| format!("[FEN \"{fen}\"]\n"));
        let name = variant.info.name;
        text += &format!(
            "[White \"<b>&amp;\"]\n[Variant \"{name}\"]\n{fen}\n{moves} {{</script>}}\n\n"
        );
    }
    std::fs::write(folder.join("games.pgn"), text).unwrap();
    let mut annotate = quadrille("annotate --nodes 200 --html games.html games.pgn".split(' '));
    let ended = annotate.current_dir(folder).run().succeeded();
    assert_eq!(ended.stdout, "", "the page alone is written");
    std::fs::read_to_string(folder.join("games.html")).unwrap()
}

/// Returns the page after its scripts have run in a browser.
fn rendered(page: &str, folder: &Path) -> String {
    let path = folder.join("walk.html");
    std::fs::write(&path, page).unwrap();
    let profile = folder.join("chromium");
    Command::new("chromium")
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .args(["--virtual-time-budget=60000", "--dump-dom"])
        .arg(format!("file://{}", path.display()))
        .env("HOME", &profile)
        .run()
        .succeeded()
        .stdout
}

/// Note that the script should write: the side to move, and the pieces with their places in the
/// picture.
pub fn expected(session: &dyn Session, is_flipped: bool) -> String {
    let parts = session.picture_parts();
    let fen = session.fen();
    let fields: Vec<_> = fen.split(' ').collect();
    let info = session.info();
    let mut pieces = Vec::new();
    for (row, text) in fields[0].split('/').enumerate() {
        let mut column = 0;
        let mut number = 0;
        for letter in text.chars() {
            if let Some(digit) = letter.to_digit(10) {
                number = 10 * number + digit as usize;
                continue;
            }
            column += std::mem::take(&mut number);
            if letter != '*' {
                let (x, y) = if !is_flipped {
                    (column, row)
                } else {
                    (info.files - 1 - column, info.ranks - 1 - row)
                };
                let (x, y) = (x * parts.cell, y * parts.cell);
                pieces.push(format!("{letter},{x},{y},"));
            }
            column += 1;
        }
    }
    pieces.sort_unstable();
    format!("{} {}", fields[1], pieces.join(" "))
}

#[test]
#[ignore = "needs chromium"]
fn every_step_shows_the_position_of_the_engine() {
    let folder = scratch("page/steps");
    let walk = page(&folder).replace("</html>", &format!("{WALK}</html>"));
    let shown = rendered(&walk, &folder);
    let (_, notes) = shown.split_once("<pre id=\"walk\">").expect("the walk");
    let (notes, _) = notes.split_once("</pre>").unwrap();
    let mut notes = notes.lines();
    for (game, (variant, fen)) in (1..).zip(games()) {
        let moves = random_moves(variant, fen);
        let mut next = |ply: usize, is_flipped: bool| {
            let played: Vec<_> = moves[..ply].iter().map(String::as_str).collect();
            let mut session = variant.open();
            session.set_position(fen, &played).unwrap();
            let wanted = format!("#{game}.{ply} {}", expected(&*session, is_flipped));
            assert_eq!(notes.next(), Some(&*wanted), "{}", variant.info.name);
        };
        let last = moves.len();
        for ply in 0..=last {
            next(ply, false);
        }
        next(last, false);
        next(last - 2, true);
        next(0, false);
    }
    assert_eq!(notes.next(), None);
}

/// Text of a PGN stays text on the page, and the page loads nothing.
#[test]
fn the_page_is_whole_and_safe() {
    let page = page(&scratch("page/safe"));
    assert_eq!(page.matches("<script").count(), 2);
    assert_eq!(page.matches("</script>").count(), 2);
    assert!(!page.contains("<b>&amp;") && !page.contains("@DATA@"));
    let addresses = page.matches("http").count();
    assert_eq!(addresses, page.matches("http-equiv").count());
    for word in ["src=", "url(h", "@import", "import(", "fetch", "XMLHttp", "<link"] {
        assert!(!page.contains(word), "{word}");
    }
}

#[test]
#[ignore = "needs chromium"]
fn a_browser_shows_what_a_pgn_says_as_text() {
    let folder = scratch("page/shown");
    let shown = rendered(&page(&folder), &folder);
    let (_, title) = shown.split_once("<h1 id=\"title\">").unwrap();
    assert!(
        // Each name is isolated, so that one in another script turns nothing else.
        title.starts_with("\u{2068}&lt;b&gt;&amp;amp;\u{2069} – \u{2068}?\u{2069}</h1>"),
        "{}",
        &title[..80]
    );
    assert!(shown.contains("prefers-color-scheme: dark"));
}

/// Better lines are links to their positions, and keys lead there and to the marks.
#[test]
#[ignore = "needs chromium"]
fn better_lines_are_walked_by_keys() {
    const STEPS: &str = r##"<script>
addEventListener("load", () => {
  const press = (key) => dispatchEvent(new KeyboardEvent("keydown", { key, cancelable: true }));
  const notes = [];
  press("?"), notes.push(part("help").open), part("help").close();
  for (const [mark, key] of [["?!", "i"], ["?", "m"], ["??", "b"]]) {
    press("Home"), press(key);
    notes.push(lineThrough(roots[0]).some((node) => judgementOf(node) === mark) === (judgementOf(shown) === mark));
  }
  const marked = lineThrough(roots[0]).find(shade);
  goTo(marked.before, marked), press("ArrowDown"), press("ArrowRight"), press("ArrowRight");
  notes.push(shown.before === marked.before.next[1], location.hash === addressOf(shown));
  notes.push(document.querySelector("#moves .here").getAttribute("href") === addressOf(shown));
  press("End"), notes.push(document.querySelector("#moves .here").closest("details")?.open ?? true);
  press("ArrowLeft"), dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft", shiftKey: true, cancelable: true }));
  notes.push(shown === marked.before);
  document.getElementById("board").dispatchEvent(new WheelEvent("wheel", { deltaY: 100, cancelable: true }));
  notes.push(shown === marked);
  const counts = [...document.querySelectorAll(".counts")].map((each) => parseInt(each.textContent));
  notes.push(counts.length === 2 && !counts.some(Number.isNaN));
  const shownNotes = document.createElement("pre");
  shownNotes.id = "walk";
  shownNotes.textContent = notes.join(" ");
  document.body.replaceChildren(shownNotes);
});
</script>"##;
    let folder = scratch("page/lines");
    let pgn = "[Variant \"gothic\"]\n[White \"Ann\"]\n\n1. e4 e5 2. Qh5 Nc6 3. Qxe5 a6 4. Qxc7 *\n";
    std::fs::write(folder.join("games.pgn"), pgn).unwrap();
    let mut annotate = quadrille("annotate --nodes 2000 --html games.html games.pgn".split(' '));
    annotate.current_dir(&folder).run().succeeded();
    let page = std::fs::read_to_string(folder.join("games.html")).unwrap();
    let shown = rendered(&page.replace("</html>", &format!("{STEPS}</html>")), &folder);
    let (_, notes) = shown.split_once("<pre id=\"walk\">").expect("the walk");
    let (notes, _) = notes.split_once("</pre>").unwrap();
    assert_eq!(notes, ["true"; 11].join(" "));
}
