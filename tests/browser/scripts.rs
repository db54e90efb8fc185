//! The scripts of the page, read as text: each says at its head what it takes and gives, and takes only what stands below
//! it.

use std::collections::{BTreeSet, HashMap};
use std::fs::read_to_string;

/// A script: its name, its head, and its words without comments, strings and regular expressions.
struct Script {
    name: String,
    head: String,
    code: Vec<char>,
}

/// Returns the scripts in the order in which the page loads them.
fn scripts() -> Vec<Script> {
    let list = read_to_string("src/page/mod.rs").unwrap();
    let names = list.split("include_str!(\"").skip(1).filter_map(|rest| rest.split_once(".js\")"));
    let read = |(name, _): (&str, &str)| {
        let text = read_to_string(format!("src/page/{name}.js")).unwrap();
        let head = text.lines().map_while(|line| line.strip_prefix("//")).collect();
        Script { name: name.into(), head, code: code(&text.chars().collect::<Vec<_>>()) }
    };
    names.map(read).collect()
}

/// Returns the code of a script, in which a space stands for each comment, string and regular expression.
fn code(text: &[char]) -> Vec<char> {
    let mut code = Vec::new();
    // The braces that are open; true for those inside a template.
    let mut braces = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let before = code.iter().rev().find(|each: &&char| !each.is_whitespace());
        let is_regex = before.is_none_or(|each| "(,=:[!&|?{};+>".contains(*each));
        let next = text.get(at + 1);
        let end = match text[at] {
            '/' if next == Some(&'/') => at + find(&text[at..], |rest| rest[0] == '\n'),
            quote @ ('"' | '\'') => at + 2 + find(&text[at + 1..], |rest| rest[0] == quote),
            '/' if is_regex => {
                let mut is_class = false;
                at + 2
                    + find(&text[at + 1..], |rest| {
                        is_class = rest[0] == '[' || (is_class && rest[0] != ']');
                        rest[0] == '/' && !is_class
                    })
            }
            '`' | '}' if text[at] == '`' || braces.pop() == Some(true) => {
                let length =
                    find(&text[at + 1..], |rest| rest[0] == '`' || rest.starts_with(&['$', '{']));
                let is_open = text[at + 1 + length] == '$';
                braces.extend(is_open.then_some(true));
                at + 2 + length + usize::from(is_open)
            }
            each => {
                braces.extend((each == '{').then_some(false));
                code.push(each);
                at += 1;
                continue;
            }
        };
        // Brackets keep the expressions of a template apart.
        code.extend([' ', '+', ' ']);
        at = end;
    }
    code
}

/// Returns how many letters stand before the end that is wanted, escaped ones left out.
fn find(text: &[char], mut is_end: impl FnMut(&[char]) -> bool) -> usize {
    let mut at = 0;
    while !is_end(&text[at..]) {
        at += if text[at] == '\\' { 2 } else { 1 };
    }
    at
}

/// Returns the words of code with what stands before and behind each.
fn words(code: &[char]) -> Vec<(String, String, char)> {
    let is_letter = |each: &char| each.is_alphanumeric() || "_$#".contains(*each);
    let mut words = Vec::new();
    let mut at = 0;
    while at < code.len() {
        let length = code[at..].iter().take_while(|each| is_letter(each)).count();
        if length > 0 {
            let before = code[at.saturating_sub(3)..at].iter().collect();
            let word = code[at..at + length].iter().collect();
            words.push((word, before, *code.get(at + length).unwrap_or(&' ')));
        }
        at += length.max(1);
    }
    words
}

impl Script {
    /// Returns the names that are declared outside all functions.
    fn names(&self) -> Vec<String> {
        let text: String = self.code.iter().collect();
        let mut names = Vec::new();
        let mut declarations: Vec<&str> = text.split('\n').collect();
        let starts = ["const ", "let ", "class ", "function ", "function* ", "async function "];
        declarations.retain(|line| starts.iter().any(|start| line.starts_with(start)));
        for line in declarations {
            let at = line.as_ptr() as usize - text.as_ptr() as usize;
            let (kind, rest) = text[at..].split_once(' ').unwrap();
            if !matches!(kind, "const" | "let") {
                let name =
                    rest.trim_start_matches("function ").split(|c: char| !c.is_alphanumeric());
                names.extend(name.map(String::from).next());
                continue;
            }
            // Before each `=` outside of brackets stands a name, or a pattern of them.
            let (mut depth, mut is_pattern) = (0, true);
            let mut pattern = String::new();
            for each in rest.chars() {
                match each {
                    ';' if depth == 0 => break,
                    '=' if depth == 0 => is_pattern = false,
                    ',' if depth == 0 => is_pattern = true,
                    '(' | '[' | '{' => depth += 1,
                    ')' | ']' | '}' => depth -= 1,
                    _ => {}
                }
                pattern.push(if is_pattern { each } else { ' ' });
            }
            names.extend(
                words(&pattern.chars().collect::<Vec<_>>()).into_iter().map(|(word, ..)| word),
            );
        }
        names
    }

    /// Returns the words that may be names of other scripts: no property and no key.
    fn words(&self) -> BTreeSet<String> {
        let is_name =
            |before: &str, behind| behind != ':' && (!before.ends_with('.') || before == "...");
        let words = words(&self.code).into_iter();
        words
            .filter(|(_, before, behind)| is_name(before, *behind))
            .map(|(word, ..)| word)
            .collect()
    }
}

/// Returns a list in words.
fn listed(mut all: Vec<String>) -> String {
    let last = all.pop();
    match (all.is_empty(), last) {
        (_, None) => "nothing".into(),
        (true, Some(last)) => last,
        (false, Some(last)) => format!("{} and {last}", all.join(", ")),
    }
}

#[test]
fn each_script_takes_what_its_head_says_and_nothing_above_it() {
    const DATA: [&str; 3] = ["sets", "help", "program"];
    let scripts = scripts();
    assert!(scripts.len() > 20);
    let mut owners = HashMap::new();
    for (at, script) in scripts.iter().enumerate() {
        for name in script.names() {
            let other = owners.insert(name.clone(), at);
            assert!(other.is_none(), "{name} in {} stands elsewhere too", script.name);
        }
    }
    let words: Vec<_> = scripts.iter().map(Script::words).collect();
    let mut faults = Vec::new();
    for (at, Script { name, head, .. }) in scripts.iter().enumerate() {
        let used = words[at].iter().filter_map(|word| Some((word, *owners.get(word)?)));
        let above = used.clone().filter(|(_, owner)| *owner > at);
        faults.extend(
            above.map(|(word, owner)| format!("{name} takes `{word}` of {}", scripts[owner].name)),
        );
        let below: BTreeSet<_> = used.map(|(_, owner)| owner).filter(|owner| *owner < at).collect();
        let mut takes: Vec<_> = below.iter().map(|owner| scripts[*owner].name.clone()).collect();
        takes.extend(
            DATA.iter()
                .any(|data| words[at].contains(*data))
                .then(|| "the data of the page".into()),
        );
        let is_given = |name: &String| {
            (0..words.len()).any(|other| other != at && words[other].contains(name))
        };
        let gives =
            scripts[at].names().into_iter().filter(is_given).map(|name| format!("`{name}`"));
        let said = format!(" Takes {}; gives {}.", listed(takes), listed(gives.collect()));
        if !head.contains(&said) {
            faults.push(format!("{name}:{said}"));
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}
