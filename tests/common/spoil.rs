//! Ways to spoil text and bytes.

use quadrille::system::random::Random;

/// Words with a meaning somewhere, and numbers at the limits.
const WORDS: &str = "\
    ; -1; 0; 1; 255; 256; 65535; 2147483648; 4294967296; 9223372036854775807; \
    -9223372036854775808; 18446744073709551616; 1e999; NaN; 0.5; moves; fen; startpos; value; \
    name; go; position; depth; infinite; a1a1; e2e4; O-O; 0000; @@@@; (none); é; \u{202e}; /; *";

/// Bytes that parsers tend to forget.
const BYTES: &[u8] = &[0, 1, 7, 9, 11, 12, 13, 27, 32, 127, 128, 0xC0, 0xFF];

/// One of the words.
fn word(random: &mut Random) -> Vec<u8> {
    let words: Vec<_> = WORDS.split("; ").collect();
    random.pick(&words).unwrap().as_bytes().to_vec()
}

/// Spoils a text in one way, in its words or in its bytes. It adds no line end.
pub fn spoil(random: &mut Random, text: &mut Vec<u8>) {
    let words = |text: &[u8]| -> Vec<Vec<u8>> {
        text.split(|&byte| byte == b' ').map(<[u8]>::to_vec).collect()
    };
    match random.below(10) {
        0 => {
            let end = random.below(text.len() + 1);
            text.truncate(end);
        }
        1 if !text.is_empty() => {
            let at = random.below(text.len());
            text[at] ^= 1 << random.below(8);
        }
        2 if !text.is_empty() => {
            let at = random.below(text.len());
            text.remove(at);
        }
        3 => {
            let at = random.below(text.len() + 1);
            text.insert(at, *random.pick(BYTES).unwrap());
        }
        4 if !text.is_empty() => {
            let (from, count) = (random.below(text.len()), random.below(40));
            let piece = text[from..(from + count).min(text.len())].to_vec();
            let at = random.below(text.len() + 1);
            text.splice(at..at, piece.repeat(1 + random.below(3)));
        }
        5 => {
            let mut words = words(text);
            let (a, b) = (random.below(words.len()), random.below(words.len()));
            words.swap(a, b);
            *text = words.join(&b' ');
        }
        6 => {
            let mut words = words(text);
            words.remove(random.below(words.len()));
            *text = words.join(&b' ');
        }
        7 => {
            let mut words = words(text);
            let at = random.below(words.len());
            words[at] = word(random);
            *text = words.join(&b' ');
        }
        8 => {
            let mut words = words(text);
            let at = random.below(words.len() + 1);
            words.insert(at, word(random));
            *text = words.join(&b' ');
        }
        _ => *text = garbage(random, 60),
    }
    text.retain(|&byte| byte != b'\n');
}

/// Bytes of all kinds, mostly those of text, without line ends.
pub fn garbage(random: &mut Random, most: usize) -> Vec<u8> {
    let count = random.below(most + 1);
    let mut byte = || match random.below(8) {
        0 => random.next() as u8,
        1 => *random.pick(BYTES).unwrap(),
        _ => b' ' + random.below(95) as u8,
    };
    (0..count).map(|_| byte()).filter(|&byte| byte != b'\n').collect()
}

/// Every truncation and every flipped bit of a file, and more bytes. Of a long one those near its ends
/// and at this many other places.
pub fn damaged(random: &mut Random, sound: &[u8], others: usize) -> impl Iterator<Item = Vec<u8>> {
    const NEAR: usize = 64;
    let near = (0..sound.len()).filter(|&at| at < NEAR || at + NEAR >= sound.len());
    let others = (0..others).map(|_| random.below(sound.len()));
    let places: Vec<_> = near.chain(others).collect();
    let cuts = places.clone().into_iter().map(|at| sound[..at].to_vec());
    let flips = places.into_iter().flat_map(|at| (0..8).map(move |bit| (at, 1 << bit)));
    let flips = flips.map(|(at, bit)| {
        let mut bytes = sound.to_vec();
        bytes[at] ^= bit;
        bytes
    });
    let longer = [&[0][..], sound].map(|more| [sound, more].concat());
    cuts.chain(flips).chain(longer)
}
