//! The networks that are compiled into the program.

use super::catalogue::Entry;
use crate::eval::Network;
use crate::system::sync::lock;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

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
        Ok(network) => Some(Arc::clone(
            networks.entry(G::NAME).or_insert(Arc::new(network)),
        )),
        Err(error) => {
            log::error!("the network of {}: {error}", G::NAME);
            None
        }
    }
}
