//! A client that speaks to the program through pipes.
