//! The networks that games are evaluated with: compiled into the program, or from files.

use super::catalogue::Entry;
use crate::eval::Network;
use crate::games::Game;
use crate::system::files;
use crate::system::sync::lock;
use std::collections::HashMap;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex};

/// The name of the network compiled in.
pub const INTERNAL_NETWORK: &str = "<internal>";
/// The name of no network: material is counted.
pub const NO_NETWORK: &str = "<material>";
/// The largest network file that is read, in bytes.
const MAX_NETWORK: u64 = 64 << 20;

/// Returns the network with a name: [`INTERNAL_NETWORK`] if the game has one, none for
/// [`NO_NETWORK`], or that of a file.
pub fn network<G: Entry>(name: &str) -> io::Result<Option<Arc<Network>>> {
    if name.eq_ignore_ascii_case(INTERNAL_NETWORK) {
        Ok(shipped::<G>())
    } else if name.eq_ignore_ascii_case(NO_NETWORK) {
        Ok(None)
    } else {
        read_network::<G>(name.as_ref()).map(|network| Some(Arc::new(network)))
    }
}

/// Reads the file of a network.
pub fn read_network<G: Game>(path: &Path) -> io::Result<Network> {
    Network::from_bytes::<G>(&files::read(path, MAX_NETWORK)?).map_err(io::Error::other)
}

/// Returns the compiled-in network of a game, if it has one.
pub fn shipped<G: Entry>() -> Option<Arc<Network>> {
    static READ: Mutex<Option<HashMap<&'static str, Arc<Network>>>> = Mutex::new(None);
    let bytes = G::SHEET.network?;
    let mut read = lock(&READ);
    let networks = read.get_or_insert_default();
    if let Some(network) = networks.get(G::NAME) {
        return Some(Arc::clone(network));
    }
    match Network::from_bytes::<G>(bytes) {
        Ok(network) => Some(Arc::clone(networks.entry(G::NAME).or_insert(Arc::new(network)))),
        Err(error) => {
            log::error!("the network of {}: {error}", G::NAME);
            None
        }
    }
}
