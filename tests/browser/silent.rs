//! A page that gets no engine: it says so, and what to do.

use super::driver::{Desk, in_every_browser};
use crate::common::program::{Run, quadrille, scratch};
use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::process::Command;

in_every_browser!(a_page_without_a_server_says_so, a_file_without_an_engine_says_so);

/// Serves a page, whose request for events it answers with a text and nothing more. Returns its address.
fn serve(page: &str, events: &'static str) -> String {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let address = format!("http://{}/", listener.local_addr().unwrap());
    let page = page.to_string();
    std::thread::spawn(move || {
        let mut waiting = Vec::new();
        for mut stream in listener.incoming().map(Result::unwrap) {
            let mut request = [0; 1 << 14];
            let count = stream.read(&mut request).unwrap_or(0);
            let asks_for_events = request[..count].starts_with(b"GET /events/");
            let answer = if asks_for_events { events } else { &page };
            // The browser may have gone.
            let _ = stream.write_all(answer.as_bytes());
            waiting.extend(asks_for_events.then_some(stream));
        }
    });
    address
}

fn a_page_without_a_server_says_so(desk: Desk) {
    let Desk { server, browser, .. } = &desk;
    let html = server.answer(server.request("GET", "", "", ""));
    let answers = [
        "",
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n:\n\n",
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: ",
    ];
    let pages = answers.map(|events| browser.visit(&serve(&html, events)));
    for page in pages {
        page.until("!part('notice').hidden && part('notice').textContent.includes('Start `quadrille board` again')");
        assert_eq!(page.value("faults.join()"), "");
    }
}

fn a_file_without_an_engine_says_so(desk: Desk) {
    let folder = scratch(&format!("browser/no-engine-{:?}", desk.engine));
    let modules: [(&str, &[u8]); 4] = [
        ("text", b"abc\n"),
        ("another", b"\0asm\x02\0\0\0"),
        ("empty", b"\0asm\x01\0\0\0"),
        // Its first function is a loop without an end.
        (
            "endless",
            b"\0asm\x01\0\0\0\x01\x04\x01\x60\0\0\x03\x02\x01\0\x08\x01\0\x0a\x09\x01\x07\0\x03\x40\x0c\0\x0b\x0b",
        ),
    ];
    let pack = |(name, module): (&'static str, &[u8])| {
        let file = folder.join(name);
        std::fs::write(&file, module).unwrap();
        let gzip = Command::new("gzip").arg("-c").arg(&file).output();
        (name, gzip.expect("gzip runs").stdout)
    };
    let spoilt = ("spoilt", b"\x1f\x8bno gzip at all".to_vec());
    let packed = modules.map(pack).into_iter().chain([spoilt]);
    for (name, module) in packed {
        let [file, page] = ["gz", "html"].map(|end| folder.join(format!("{name}.{end}")));
        std::fs::write(&file, module).unwrap();
        let mut save = quadrille(["board", "--html"]);
        save.arg(&page).arg("--engine").arg(&file).run().succeeded();
        let page = desk.browser.visit(&format!("file://{}", page.display()));
        page.until(
            "!part('notice').hidden && part('notice').textContent.startsWith('The engine ')",
        );
        assert_eq!(page.value("faults.join()"), "", "{name}");
    }
}
