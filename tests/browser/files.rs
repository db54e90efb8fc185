//! Files of games, what is dropped and pasted, the last games, and names; and that nothing is lost in silence.

use super::driver::{Desk, Page, in_chromium, in_every_browser};
use super::person::{IDLE, play};
use quadrille::records::json::string;

in_every_browser!(
    a_file_keeps_what_was_not_changed_and_what_was,
    what_is_dropped_or_pasted_opens,
    names_and_remarks_turn_nothing_but_themselves,
    pages_keep_their_games_apart,
);
in_chromium!(
    kept_games_and_addresses_may_be_forged,
    a_position_that_is_set_up_keeps_its_clock,
    a_file_of_three_thousand_games_is_read_once,
    a_game_of_a_file_stays_what_it_is,
    a_position_that_is_set_up_has_nothing_of_the_old_game,
    nothing_that_was_changed_goes_without_a_question,
    people_have_names,
    the_last_games_are_offered_again,
    a_long_file_is_left_as_fast_as_it_is_opened,
);

/// `give` drops or pastes a text, or a file if it is named, whose letters are its bytes: true if the page took it.
/// `saved` is the last file that was saved: its name and its bytes, also as letters.
const HANDS: &str = "(() => { \
    window.give = (kind, text, name, target = document.body) => { \
      const data = new DataTransfer(); \
      if (name) data.items.add(new File([Uint8Array.from(text, (letter) => letter.charCodeAt(0))], name)); \
      else data.setData('text/plain', text); \
      const event = new Event(kind, { bubbles: true, cancelable: true }); \
      return !target.dispatchEvent(Object.assign(event, { dataTransfer: data, clipboardData: data })); }; \
    const make = URL.createObjectURL; \
    URL.createObjectURL = (blob) => { \
      window.saved = { name: null, text: null }; \
      blob.arrayBuffer().then((bytes) => { \
        saved.text = Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join(''); }); \
      return make(blob); }; \
    HTMLAnchorElement.prototype.click = function () { saved.name = this.download; }; })()";

const NONE: &str = "This is no game, no position and no list of moves.";

/// A game of a file.
fn game(white: &str, moves: &str) -> String {
    format!(
        "[White \"{white}\"]\n[Date \"2026.01.02\"]\n[Variant \"gothic\"]\n[Result \"1-0\"]\n\n{moves} 1-0\n\n"
    )
}

/// A page with a game that somebody plays with the sides of `you`.
fn start<'d>(desk: &'d Desk, you: &str) -> Page<'d> {
    let page = desk.game("gothic", &format!("you={you} time=100"));
    page.value(HANDS);
    page
}

/// Waits until a game of the file is shown, from its start.
#[track_caller]
fn until_shown(page: &Page<'_>, number: usize) {
    page.until(&format!(
        "document.querySelector('#games [aria-current]').value === '{number}' && isKnown && at === 0 && \
         /^#[\\d.]+$/.test(location.hash)"
    ));
}

/// Plays a move, and waits until the engine has answered in its game.
#[track_caller]
fn move_on(page: &Page<'_>, mv: &str) {
    page.until(IDLE);
    let plies: usize = page.value("last()").parse().unwrap();
    let answers = page.value("Number(state.runs && state.humans.length === 1)");
    play(page, mv, false);
    page.until(&format!("last() === {plies} + 1 + {answers} && {IDLE}"));
}

/// Answers the question that the page asks.
#[track_caller]
fn answer(page: &Page<'_>, button: &str) {
    page.until("part('question').open");
    page.click(button);
    page.until("!part('question').open");
}

/// Opens a game of the list of last games.
#[track_caller]
fn open_last(page: &Page<'_>) {
    page.click("#new");
    page.until("part('begin').open && !part('last-games').hidden");
    page.click("#last-list button");
}

fn a_file_keeps_what_was_not_changed_and_what_was(desk: Desk) {
    let page = start(&desk, "wb");
    // Other line ends, a comment with a tab, a name in Windows-1252, and a game that nobody can play.
    let games = [
        game("A", "1. e4 {one\ttwo}").replace('\n', "\r\n"),
        game("B", "1. d4 d5"),
        game("\u{e4}", "1. zz"),
        game("D", "1. c4 c5"),
    ];
    let text = string(&games.concat());
    assert_eq!(page.value(&format!("give('drop', {text}, 'four.pgn')")), "true");
    until_shown(&page, 0);
    let row = "[...row.children].filter((each) => each.checkVisibility()).map((each) => each.textContent).join(' ')";
    assert_eq!(
        page.value(&format!(
            "[...document.querySelectorAll('#games-list button')].map((row) => {row}).join('|')"
        )),
        "A – ? 1-0 2026.01.02|B – ? 1-0 2026.01.02|ä – ? 1-0 2026.01.02|D – ? 1-0 2026.01.02"
    );
    page.press(&["PageDown"]);
    until_shown(&page, 1);
    page.press(&["End"]);
    page.until(IDLE);
    page.click("#write");
    page.press(&["m", "i", "n", "e", "Enter"]);
    page.value("queue");
    // A game with a fault says so, and is passed over the next time.
    page.click("#game-after");
    page.until("fault === 'Half-move 1: `zz` is not a move.'");
    page.until("document.querySelector('#games li:nth-child(3) .fault')");
    assert_eq!(page.value("pgn().includes('mine')"), "true");
    page.press(&["PageDown"]);
    until_shown(&page, 3);
    assert_eq!(page.value("[part('game-after').disabled, isUnsaved()].join()"), "true,true");
    // A reload keeps the file.
    page.reload();
    until_shown(&page, 3);
    page.value(HANDS);
    page.click("#games li:nth-child(2) button");
    until_shown(&page, 1);
    assert_eq!(page.value("pgn().includes('mine')"), "true");
    page.press(&["PageUp"]);
    until_shown(&page, 0);
    page.value("part('exchange').click()");
    page.click("#save-pgn");
    page.until("saved.name === 'four.pgn' && saved.text");
    let wanted = games.concat().replace("d5 1-0", "d5 {mine} 1-0");
    assert_eq!(page.value("saved.text"), wanted);
    assert_eq!(page.value("isUnsaved()"), "false");
    page.click("#files [data-closes]");
    // A game of one's own has its game and its day.
    page.begin("variant=congress");
    page.until(&format!("game.variant === 'congress' && part('games').hidden && {IDLE}"));
    move_on(&page, "b1c3");
    page.value("part('exchange').click()");
    page.click("#save-pgn");
    page.until(
        "/^congress-20\\d\\d-\\d\\d-\\d\\d\\.pgn$/.test(saved.name) && saved.text === pgn()",
    );
    assert_eq!(page.value("isUnsaved()"), "false");
    assert_eq!(page.value("faults.join()"), "");
}

fn what_is_dropped_or_pasted_opens(desk: Desk) {
    let page = start(&desk, "wb");
    let castles = "5k4/10/10/10/10/10/10/R4K3R w KQ - 0 1";
    let of_gothic = "rnbqckabnr/pppppppppp/10/10/4P5/10/PPPP1PPPPP/RNBQCKABNR b KQkq - 0 1\n";
    for (given, text, wanted) in [
        ("drop", castles, "last() === 0 && here().fen.startsWith('5k4/')"),
        ("paste", "1. e4 e5 2. Nc3", "last() === 3 && here().san === 'Nc3'"),
        ("drop", "d4 d5", "last() === 2 && here().san === 'd5'"),
        ("paste", "[Variant \"congress\"]\n\n*", "game.variant === 'congress'"),
        // Positions as other programs and pages give them.
        (
            "paste",
            "FEN: 5k4/10/10/10/10/10/1P8/R4K3R w KQ - 0 1",
            "game.variant === 'gothic' && here().fen.includes('/1P8/')",
        ),
        (
            "drop",
            "5k4/10/10/10/10/10/2P7/R4K3R\tw\tKQ\t-\t3 9",
            "here().fen.includes('/2P7/R4K3R w KQ - 3 9')",
        ),
        (
            "paste",
            "5k4/10/10/10/10/10/3P6/R4K3R\u{a0}w\u{a0}KQ\u{a0}- 0 1",
            "here().fen.includes('/3P6/')",
        ),
        (
            "paste",
            "5k4/10/10/\n  10/10/10/4P5/\r\nR4K3R w KQ - 0 1",
            "here().fen.includes('/4P5/')",
        ),
        (
            "paste",
            "position fen 5k4/10/10/10/10/10/5P4/R4K3R w KQ - 0 1",
            "here().fen.includes('/5P4/')",
        ),
        ("paste", of_gothic, "game.variant === 'gothic' && here().fen.includes('/4P5/')"),
    ] {
        let text = string(text);
        assert_eq!(page.value(&format!("give('{given}', {text})")), "true");
        page.until(&format!("{wanted} && {IDLE}"));
    }
    for (text, fault) in [
        ("hello world", NONE),
        ("", NONE),
        ("\u{89}PNG\r\n\u{1a}\n[\0\0", NONE),
        ("1. Ke5", "Half-move 1: `Ke5` is illegal."),
        ("e4 e5 Zz9", "Half-move 3: `Zz9` is not a move."),
        ("a\0b\0", "The text is UTF-16LE: save it as UTF-8."),
    ] {
        page.value("change()");
        page.value(&format!("give('drop', {}, 'x.png')", string(text)));
        page.until(&format!("fault === {}", string(fault)));
    }
    assert_eq!(page.value("here().fen.includes('/4P5/')"), "true");
    // In the dialog a fault is said there, and a game closes it.
    page.value("part('exchange').click()");
    page.value("give('paste', 'hello')");
    page.until(&format!("part('refusal').textContent === '{NONE}'"));
    page.value("give('drop', '1. c4', 'c4.txt')");
    page.until(&format!("!part('files').open && here().san === 'c4' && {IDLE}"));
    // A field takes its own text; for the page there is a sign.
    assert_eq!(page.value("give('paste', 'd4', '', part('move'))"), "false");
    for (event, sign) in [("dragover", "dropping"), ("dragleave", "")] {
        page.value(&format!("give('{event}', 'd4', '', part('move'))"));
        assert_eq!(page.value("document.documentElement.className"), "");
        page.value(&format!("give('{event}', 'd4')"));
        assert_eq!(page.value("document.documentElement.className"), sign);
    }
    assert_eq!(page.value("here().san"), "c4");
}

/// The rows stay, and walking writes little.
fn a_file_of_three_thousand_games_is_read_once(desk: Desk) {
    let page = start(&desk, "wb");
    let moves: String = (1..=40).map(|number| format!("{number}. e4 e5 ")).collect();
    let (real, long) = (game("A", "1. e4 e5"), game("B", &moves));
    let text = format!("{0} + {1}.repeat(2998) + {0}", string(&real), string(&long));
    page.value(&format!("give('drop', {text}, 'many.pgn')"));
    until_shown(&page, 0);
    page.value(
        "(() => { window.rows = [...part('games-list').children]; window.written = 0; \
         const set = Storage.prototype.setItem; \
         Storage.prototype.setItem = function (name, value) { written += value.length; set.call(this, name, value); }; })()",
    );
    page.value("rows[2999].firstChild.click()");
    until_shown(&page, 2999);
    page.press(&["End"]);
    move_on(&page, "a2a3");
    assert_eq!(
        page.value(
            "rows.length === 3000 && written < 10000 && \
            rows.every((row, number) => row === part('games-list').children[number])"
        ),
        "true"
    );
}

fn the_last_games_are_offered_again(desk: Desk) {
    let page = start(&desk, "w");
    move_on(&page, "e2e4");
    move_on(&page, "d2d3");
    let pgn = page.value("pgn()");
    page.begin("time=60000+1000");
    page.until(&format!("last() === 0 && {IDLE}"));
    move_on(&page, "a2a3");
    // What is here is kept too; the other comes back as it stood, and so does the first with its clock.
    open_last(&page);
    page.until(&format!("last() === 4 && !part('begin').open && {IDLE}"));
    assert_eq!(page.value("pgn()"), pgn);
    assert_eq!(page.value("state.isChanged"), "false");
    open_last(&page);
    page.until(&format!("last() === 2 && {IDLE}"));
    assert_eq!(page.value("clock.w > 55000 && state.humans"), "w");
    move_on(&page, "b2b3");
    let kept =
        "JSON.parse(localStorage['last games']).map(({ pgn }) => /1\\. \\w+/.exec(pgn)[0]).join()";
    assert_eq!(page.value(kept), "1. a3,1. e4");
    // What somebody else wrote there is none.
    for text in [
        "",
        "{",
        "null",
        "[[[[",
        "{\"length\":3}",
        "[null]",
        "[1, {}]",
        "[{\"game\":{\"began\":1},\"tags\":[[\"White\",5]]}]",
        "[{\"game\":null,\"tags\":[]}]",
    ] {
        page.value(&format!("localStorage['last games'] = {}", string(text)));
        page.click("#new");
        assert_eq!(page.value("part('last-games').hidden"), "true");
        page.value("part('begin').close()");
    }
    // Games need room.
    page.value(
        "(() => { const one = { ...state.kept(), pgn: 'x'.repeat(90000), tags: [] }; \
         const many = Array.from({ length: 50 }, (_, began) => ({ ...one, game: { ...one.game, began } })); \
         localStorage['last games'] = JSON.stringify(many); })()",
    );
    page.begin("time=100");
    page.until(IDLE);
    move_on(&page, "e2e4");
    let count = "localStorage['last games'].length <= 2e6 && JSON.parse(localStorage['last games']).length === 20";
    assert_eq!(page.value(count), "true");
    page.value("localStorage.removeItem('last games'), state.annotate(here(), { comment: 'x'.repeat(200000) }), change()");
    page.value("queue");
    assert_eq!(page.value("localStorage['last games']"), "undefined");
}

fn people_have_names(desk: Desk) {
    let page = start(&desk, "w");
    move_on(&page, "e2e4");
    page.click("#below > b");
    page.until("part('names').open");
    // The engine has its own.
    assert_eq!(
        page.value(
            "NAMES.map((name) => part(`name-${name}`).value + part(`name-${name}`).disabled).join()"
        ),
        "Humanfalse,Quadrille, level 1true,Casual gamefalse"
    );
    page.value("part('name-White').select()");
    page.press(&["A", "n", "n", "<", "b", ">", "Enter"]);
    page.until("!part('names').open && part('below').textContent.startsWith('White: Ann<b>')");
    let names = "[White \\\"Ann<b>\\\"]\\n[Black \\\"Quadrille, level 1\\\"]";
    assert_eq!(page.value(&format!("pgn().includes(\"{names}\")")), "true");
    page.reload();
    page.until("part('below').textContent.startsWith('White: Ann<b>')");
    page.value("part('rename').click(), part('name-White').value = 'Bea', part('naming').requestSubmit(), queue");
    page.until("part('below').textContent.startsWith('White: Bea')");
    page.click("#undo");
    page.until("part('below').textContent.startsWith('White: Ann<b>')");
    // Of a game that was opened.
    page.value("openPgn('[White \"A\"]\\n[Black \"B\"]\\n\\n1. e4 *')");
    page.until("part('above').textContent === 'Black: B'");
    page.click("#above > b");
    page.value("part('name-Black').value = 'C'");
    page.press(&["Enter"]);
    page.until("part('above').textContent === 'Black: C' && pgn().startsWith('[White \"A\"]\\n[Black \"C\"]')");
    assert_eq!(page.value("state.isChanged"), "true");
}

/// Each way that leads away from a change.
fn nothing_that_was_changed_goes_without_a_question(desk: Desk) {
    let page = start(&desk, "wb");
    let closes = "dispatchEvent(new Event('beforeunload', { cancelable: true }))";
    let ways = [
        "part('begin-game').click()",
        "location.hash = 'congress'",
        "give('drop', '1. c4', 'x.pgn')",
        "give('paste', '1. c4')",
        "part('open-fen').click()",
        "part('open-pgn').click()",
    ];
    let asks = |is_shown: &str| {
        assert_eq!(page.value(closes), "false");
        for way in ways {
            page.value(&format!("part('pgn').value = '1. c4', {way}"));
            page.until("part('question').open && part('asked').textContent.includes('not saved')");
            answer(&page, "#no");
            assert_eq!(page.value(is_shown), "true", "{way}");
        }
    };
    assert_eq!(page.value(closes), "true");
    move_on(&page, "e2e4");
    asks("last() === 1 && here().san === 'e4'");
    // The other games of a file are only a step away, but it has changed.
    page.value("records.save(state.record)");
    let games = string(&(game("A", "1. e4") + &game("B", "1. d4")));
    page.value(&format!("give('drop', {games}, 'two.pgn')"));
    until_shown(&page, 0);
    assert_eq!(page.value(closes), "true");
    page.press(&["End"]);
    move_on(&page, "a7a6");
    page.press(&["PageDown"]);
    until_shown(&page, 1);
    page.press(&["End"]);
    asks("here().san === 'd4' && !part('games').hidden");
    // So has a position that is set up.
    page.value("games.save()");
    page.click("#set-up");
    page.until("setUp");
    page.value("give('drop', '1. c4')");
    answer(&page, "#no");
    assert_eq!(page.value("setUp"), "true");
    page.click("#cancel");
    page.until("!setUp");
    page.value("location.hash = 'congress'");
    page.until(&format!("game.variant === 'congress' && part('games').hidden && {IDLE}"));
}

fn a_position_that_is_set_up_has_nothing_of_the_old_game(desk: Desk) {
    let page = start(&desk, "w");
    page.begin("time=60000+1000");
    move_on(&page, "e2e4");
    page.until("/^White: You(to move)?1:/.test(part('below').textContent)");
    page.value("here().known.white = 0.9, control.draw()");
    page.click("#set-up");
    page.until("setUp");
    let shown = "['above', 'below', 'status'].map((name) => part(name).textContent).join('|') + \
        part('bar').className + document.querySelector('.turn').id";
    assert_eq!(page.value(shown), "Black|White|unknownbelow");
    page.value("part('to-move').value = 'b', part('to-move').onchange(), queue");
    page.until("document.querySelector('.turn').id === 'above'");
    page.drag("e4", "e5");
    page.until("/pawn e5.* Black to move/.test(part('board').getAttribute('aria-label'))");
    page.click("#cancel");
    page.until("!setUp && /^White: You(to move)?1:/.test(part('below').textContent)");
}

/// Rows that are many are made and removed in a time that grows with them alone: four times as many, four times as long,
/// not sixteen.
fn a_long_file_is_left_as_fast_as_it_is_opened(desk: Desk) {
    const TRIES: usize = 3;
    let page = start(&desk, "wb");
    page.value(
        "(() => { window.took = 0; const list = part('games-list'), { replaceChildren } = list; \
         list.replaceChildren = function (...rows) { \
           const begun = performance.now(); replaceChildren.apply(this, rows); this.offsetHeight; \
           took += performance.now() - begun; }; })()",
    );
    let open = |count: usize| -> f64 {
        page.value(&format!(
            "(took = 0, give('drop', '[Variant \"congress\"]\\n\\n1. d3 *\\n\\n'.repeat({count}), 'x.pgn'))"
        ));
        page.until(&format!("document.querySelectorAll('#games-list li').length === {count} && isKnown && last() === 1"));
        page.value("took").parse().unwrap()
    };
    let [few, many] = [5_000, 20_000].map(|count| {
        let leave = |_| {
            open(count);
            open(2)
        };
        (0..TRIES).map(leave).fold(f64::INFINITY, f64::min)
    });
    println!("5,000 games are left in {few:.0} ms, 20,000 in {many:.0} ms");
    assert!(many < 10.0 * few.max(5.0), "{few:.0} ms, {many:.0} ms");
}

/// Of any script, and with signs that turn what follows.
fn names_and_remarks_turn_nothing_but_themselves(desk: Desk) {
    let page = start(&desk, "wb");
    let rises = |selector: &str| {
        format!(
            "(([...each]) => each.length > 1 && each.every((left, at) => at === 0 || left > each[at - 1]))( \
             [...document.querySelectorAll('{selector}')].map((each) => each.getBoundingClientRect().left))"
        )
    };
    for (said, again, white, black) in [
        (
            "\u{5e8}\u{5e2}\u{5d9}\u{5d5}\u{5df}",
            "\u{5db}\u{5d0}\u{5df}",
            "\u{5d3}\u{5e0}",
            "\u{5d0}\u{5d1}",
        ),
        ("\u{641}\u{643}\u{631}\u{629}", "\u{202e}here", "\u{202e}Eve", "Bob"),
    ] {
        let tags = format!("[White \"{white}\"]\n[Black \"{black}\"]\n[Variant \"gothic\"]\n\n");
        let moves = format!("1. e4 e5 (1... d5 {{{said}}} 2. exd5 {{{again}}} Qxd5) 2. Nc3");
        let file = string(&format!("{tags}{moves} *\n\n{tags}1. e4 *\n\n"));
        page.value(&format!("give('drop', {file})"));
        page.until(&format!("document.querySelectorAll('#games-list bdi').length === 4 && last() === 3 && isKnown && \
            document.querySelector('#games-list bdi').textContent === {}", string(white)));
        // From left to right, as they are read.
        for selector in
            ["#moves .variation > *", "#games-list li:first-child :is(bdi, span:nth-child(2))"]
        {
            assert_eq!(page.value(&rises(selector)), "true", "{selector}, {white}");
        }
        assert_eq!(page.value("document.querySelector('#below b bdi').textContent"), white);
    }
}

/// What is played from a game of a file is a game of its own; changes can be undone after a walk; and a file that the
/// browser cannot keep says so.
fn a_game_of_a_file_stays_what_it_is(desk: Desk) {
    let page = start(&desk, "wb");
    // The last game ends without a line break.
    let tags = "[Event \"Match\"]\n[Termination \"adjudication\"]\n";
    let games = [
        tags.to_string() + &game("A", "1. e4 {one} e5 2. Nc3 (2. d4) 2... Nc6"),
        game("B", "1. d4 d5").trim_end().to_string(),
    ];
    let text = string(&games.concat());
    page.value(&format!("give('drop', {text}, 'two.pgn')"));
    until_shown(&page, 0);
    page.press(&["ArrowRight", "ArrowRight"]);
    page.until("at === 2 && isKnown");
    page.click("#take-over");
    page.value("part('choices').you.value = 'w', part('choices').level.value = '0'");
    page.click("#begin-game");
    page.until(&format!("state.runs && game.tip === here() && {IDLE}"));
    move_on(&page, "a2a3");
    let head = "[Event \\\"Casual game\\\"]";
    assert_eq!(
        page.value(&format!(
            "pgn().includes(\"{head}\") && !/Termination|one|Nc3|d4/.test(pgn()) && last() === 4 && games.isChanged"
        )),
        "true"
    );
    // After a reload too it is the last of three.
    page.reload();
    page.value(HANDS);
    page.until(&format!("part('games-at').textContent === '3 of 3' && state.runs && {IDLE}"));
    let own = page.value("pgn()");
    page.value("part('exchange').click()");
    page.click("#save-pgn");
    page.until("saved.text");
    assert_eq!(page.value("saved.text"), format!("{}\n\n{own}", games.concat()));
    page.click("#files [data-closes]");
    page.press(&["PageUp"]);
    answer(&page, "#yes");
    until_shown(&page, 1);
    // A change is undone after a walk to another game, and done again.
    let before = page.value("pgn()");
    page.value("state.annotate(state.root, { comment: 'mine' }), change(), queue");
    let after = page.value("pgn()");
    assert_ne!(before, after);
    page.press(&["PageUp"]);
    until_shown(&page, 0);
    page.press(&["PageDown"]);
    until_shown(&page, 1);
    assert_eq!(page.value("pgn()"), after);
    page.click("#undo");
    page.until(&format!("pgn() === {} && isUnsaved()", string(&before)));
    page.click("#redo");
    page.until(&format!("pgn() === {}", string(&after)));
    page.value("games.save()");
    assert_eq!(page.value("isUnsaved()"), "false");
    page.press(&["PageUp"]);
    until_shown(&page, 0);
    assert_eq!(page.value("isUnsaved()"), "false");
    // 6 MB have no room.
    let long = string(&game("C", "1. e4 e5"));
    page.value(&format!(
        "give('drop', {long} + {long}.replace('e5', `e5 {{${{'x'.repeat(1e6)}}}}`).repeat(6), 'big.pgn')"
    ));
    page.until("fault.startsWith('The browser has no room for this file')");
    page.value("give('drop', 'd4 d5', 'small.pgn')");
    page.until("here().san === 'd5' && fault === ''");
    assert_eq!(page.value("faults.join()"), "");
}

/// Two pages play on with one game, as after "Duplicate tab", and both keep theirs.
fn pages_keep_their_games_apart(desk: Desk) {
    let page = start(&desk, "wb");
    for mv in ["e2e4", "e7e5", "b1c3"] {
        move_on(&page, mv);
    }
    let session = string(&page.value("sessionStorage.game"));
    let other = desk.open("gothic");
    other.value(&format!("sessionStorage.game = {session}"));
    other.reload();
    other.until(&format!("last() === 3 && state.runs && {IDLE}"));
    let kept = "JSON.parse(localStorage['last games']).map(({ pgn }) => /\\n1\\. .*/.exec(pgn)[0].trim()).join('|')";
    for (page, mv, all) in [
        (&other, "b8c6", "1. e4 e5 2. Nc3 Nc6 *"),
        (&page, "d7d6", "1. e4 e5 2. Nc3 d6 *|1. e4 e5 2. Nc3 Nc6 *"),
        (&other, "a2a3", "1. e4 e5 2. Nc3 Nc6 3. a3 *|1. e4 e5 2. Nc3 d6 *"),
        (&page, "a2a4", "1. e4 e5 2. Nc3 d6 3. a4 *|1. e4 e5 2. Nc3 Nc6 3. a3 *"),
    ] {
        move_on(page, mv);
        assert_eq!(page.value(kept), all);
    }
    page.reload();
    page.until(IDLE);
    move_on(&page, "h7h6");
    assert_eq!(page.value(kept), "1. e4 e5 2. Nc3 d6 3. a4 h6 *|1. e4 e5 2. Nc3 Nc6 3. a3 *");
    assert_eq!(page.value("isUnsaved()"), "false");
}

/// Nothing strange in the stores of the browser or in an address stops a page: forged in one place, a kept game is none.
fn kept_games_and_addresses_may_be_forged(desk: Desk) {
    let page = start(&desk, "wb");
    move_on(&page, "e2e4");
    let session = string(&page.value("sessionStorage.game"));
    for forged in [
        "game.players = 5",
        "known = null",
        "names = [['White', 5]]",
        "game.control = 3",
        "game.tip = 77",
        "here = -1",
        "game.clock = { w: 'x' }",
        "pgn = '1. e4 {'",
    ] {
        page.value(&format!(
            "(() => {{ const kept = JSON.parse({session}); kept.{forged}; window.onbeforeunload = null; window.isOld = true; \
             sessionStorage.game = JSON.stringify(kept); Storage.prototype.setItem = () => {{}}; location.reload(); }})()"
        ));
        page.until("!window.isOld && part('begin').open");
        page.click("#begin-game");
        page.until(&format!("state.runs && {IDLE}"));
        assert_eq!(page.value("faults.join()"), "", "{forged}");
    }
    for text in ["crosseyed%2F", "crosseyed/"] {
        page.value(&format!(
            "(control.keep(), location.hash = '{text}' + encodeURIComponent(sets.crosseyed.start.replace(' w ', ' b ')).replaceAll('*', '%2A'))"
        ));
        page.until("part('question').open || game.variant === 'crosseyed'");
        page.value("part('question').open && part('yes').click()");
        page.until("game.variant === 'crosseyed' && here().fen.includes(' b ') && isKnown");
        page.begin("variant=gothic");
        page.until(IDLE);
    }
}

/// A position keeps its clock and its number until a piece moves, wherever it comes from.
fn a_position_that_is_set_up_keeps_its_clock(desk: Desk) {
    let page = start(&desk, "wb");
    let fen_is = |fen: &str| page.until(&format!("part('set-up-fen').value === '{fen}'"));
    for (shown, typed, fen) in [
        ("5k4/10/10/p9/10/10/10/R4K3R w KQ - 37 61", "", ""),
        ("2q5/8/8/8/8/8/8/2Q5 b - - 99 200", "", ""),
        (
            "5k4/10/10/p9/10/10/10/R4K3R w KQ - 0 1",
            "FEN: 5k4/10/10/p9/10/10/10/R4K3R\u{a0}b\u{a0}Q\u{a0}-\u{a0}12\u{a0}9",
            "5k4/10/10/p9/10/10/10/R4K3R b Q - 12 9",
        ),
    ] {
        page.value(&format!("openPgn('{shown}')"));
        page.until(&format!("here().fen === '{shown}' && {IDLE}"));
        page.click("#set-up");
        page.value("queue");
        if !typed.is_empty() {
            page.value(&format!(
                "part('set-up-fen').value = {}, part('set-up-fen').onchange()",
                string(typed)
            ));
        }
        let fen = if fen.is_empty() { shown } else { fen };
        fen_is(fen);
        page.click("#look-at");
        page.until(&format!("!setUp && here().fen === '{fen}'"));
    }
    page.click("#set-up");
    page.value("queue");
    page.drag("a5", "a4");
    fen_is("5k4/10/10/10/p9/10/10/R4K3R b Q - 0 1");
    page.click("#cancel");
    page.until("!setUp");
}
