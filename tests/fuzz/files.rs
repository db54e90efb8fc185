//! Spoiled files: training data and networks. `pgn.rs` spoils games.

use super::{count_panics, panics};
use crate::common::drawn;
use crate::common::positions::test_all_games;
use crate::common::program::{Run, quadrille, scratch};
use crate::common::spoil::damaged;
use quadrille::engine::Entry;
use quadrille::eval::Network;
use quadrille::games::*;
use quadrille::system::checksum::checksum;
use quadrille::system::random::Random;

/// Number of spoiled files of data for each game, and of places in a network.
const DATA: usize = 30;
const NETWORKS: usize = 80;

/// Corrects the checksums of every game in a file of training data, so that faults of its records
/// have to be noticed by themselves.
fn mend(data: &mut [u8]) {
    let mut at = 64;
    while let Some(head) = data.get(at..at + 32) {
        let count = u32::from_le_bytes(head[4..8].try_into().unwrap()) as usize;
        let Some(records) = data.get(at + 32..at + 32 + 32 * count) else { return };
        let sum = checksum(records).to_le_bytes();
        data[at + 16..at + 24].copy_from_slice(&sum);
        let seal = checksum(&[&data[..64], &data[at..at + 24]].concat());
        data[at + 24..at + 32].copy_from_slice(&seal.to_le_bytes());
        at += 32 + 32 * count;
    }
}

/// Training reads the sound games of a spoiled file, or names its fault.
fn data<G: Game>() {
    let folder = scratch(&format!("fuzz/data-{}", G::NAME));
    let [good, bad, net] = ["good.dat", "bad.dat", "bad.net"].map(|name| folder.join(name));
    let run = |command: &str, words: &str| {
        let words = [command, G::NAME].into_iter().chain(words.split(' '));
        quadrille(words).current_dir(&folder).run()
    };
    let datagen = "--out good.dat --positions 16000 --nodes 10 --threads 1 --eval <material>";
    run("datagen", datagen).succeeded();
    let sound = std::fs::read(&good).unwrap();
    let mut random = Random::new(22, 0);
    let (mut taken, mut refused) = (0, 0);
    for round in 0..drawn(DATA) {
        let mut bytes = sound.clone();
        for _ in 0..1 + random.below(8) {
            let at = random.below(bytes.len());
            match random.below(16) {
                0 => bytes.truncate(at + 1),
                1 => bytes[at] ^= 1 << random.below(8),
                _ => bytes[at] = random.next() as u8,
            }
        }
        if round % 2 == 0 {
            mend(&mut bytes);
        }
        std::fs::write(&bad, &bytes).unwrap();
        let train = "bad.dat --out bad.net --hidden 64 --epochs 1 --batch 64 --threads 1";
        let trained = run("train", train);
        if trained.code() == Some(0) {
            taken += 1;
            let network = std::fs::read(&net).unwrap();
            assert!(Network::from_bytes::<G>(&network).is_ok());
        } else {
            refused += 1;
            trained.refused();
        }
    }
    println!("{}: {taken} files of data taken, {refused} refused", G::NAME);
    assert!(taken > 0 && refused > 0);
}

/// Every damaged network is refused.
fn networks<G: Entry>() {
    count_panics();
    let sound = G::SHEET.network.unwrap();
    assert_eq!(Network::from_bytes::<G>(sound).unwrap().to_bytes(G::NAME), sound);
    // A whole one with other features is not called damaged.
    let mut other = sound[..sound.len() - 64].to_vec();
    let seal = checksum(&other[48..]).to_le_bytes();
    other[40..48].copy_from_slice(&seal);
    let fault = Network::from_bytes::<G>(&other).unwrap_err().to_string();
    assert_eq!(fault, "it is a network of another version");
    let mut count = 0;
    for bytes in damaged(&mut Random::new(23, 0), sound, drawn(NETWORKS)) {
        assert!(Network::from_bytes::<G>(&bytes).is_err(), "{} bytes", bytes.len());
        count += 1;
    }
    println!("{}: {count} spoiled networks", G::NAME);
    assert_eq!(panics(), 0);
}

test_all_games! {
    data
    networks
}
