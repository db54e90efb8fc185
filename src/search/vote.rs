//! The vote of the threads on the move to play, as in Stockfish since 2018.

use super::params::VOTE_OFFSET;
use super::value::MATE_IN_MAX_PLY;
use crate::games::Move;

/// The best move that a thread has found.
#[derive(Clone, Copy)]
pub(super) struct Ballot {
    pub mv: Move,
    pub value: i32,
    /// The depth of the last whole iteration, in plies; 0 if there is none; then the value does not
    /// count.
    pub depth: i32,
}

/// Returns the index of the ballot to follow: the shortest proven win, if there is one. Otherwise
/// each thread votes for its move, with more weight the deeper it has searched and the better the
/// value. Of the ballots for the move with the most votes, the weightiest is followed. Among equals
/// the first counts: the leading thread's.
pub(super) fn elect(ballots: &[Ballot]) -> usize {
    let searched = ballots.iter().filter(|ballot| ballot.depth > 0);
    let worst = searched.map(|ballot| ballot.value).min().unwrap_or(0);
    let weight = |ballot: &Ballot| (ballot.value - worst + VOTE_OFFSET) * ballot.depth;
    let votes = |mv| -> i32 {
        let for_move = ballots.iter().filter(|ballot| ballot.mv == mv);
        for_move.map(weight).sum()
    };
    let rank = |ballot: &Ballot| {
        let win = ballot.value.max(MATE_IN_MAX_PLY - 1);
        (win, votes(ballot.mv), weight(ballot))
    };
    let mut elected = 0;
    for (index, ballot) in ballots.iter().enumerate() {
        if rank(ballot) > rank(&ballots[elected]) {
            elected = index;
        }
    }
    elected
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{GameExt, Gothic};
    use crate::search::value::{INFINITE, mate_in};

    /// Elects one of ballots of (number of the move, value, depth).
    fn elected(ballots: &[(usize, i32, i32)]) -> usize {
        let moves = Gothic::start().legal_moves();
        let ballots: Vec<_> = (ballots.iter())
            .map(|&(mv, value, depth)| Ballot { mv: moves[mv], value, depth })
            .collect();
        elect(&ballots)
    }

    #[test]
    fn the_leading_thread_wins_ties() {
        assert_eq!(elected(&[(0, 10, 12)]), 0);
        assert_eq!(elected(&[(0, 10, 12), (1, 10, 12)]), 0);
        assert_eq!(elected(&[(0, 0, 0), (1, 0, 0)]), 0, "nothing searched");
    }

    #[test]
    fn depth_value_and_number_count() {
        assert_eq!(elected(&[(0, 10, 12), (1, 10, 14)]), 1, "deeper");
        assert_eq!(elected(&[(0, 10, 12), (1, 30, 12)]), 1, "better");
        assert_eq!(elected(&[(0, 10, 12), (1, 10, 11), (1, 10, 11)]), 1, "more");
        assert_eq!(elected(&[(0, 10, 12), (1, 10, 11), (1, 10, 12)]), 2, "the weightier");
    }

    #[test]
    fn a_thread_without_an_iteration_has_no_weight() {
        let ballots = [(0, 300, 10), (1, 0, 11), (2, -INFINITE, 0)];
        assert_eq!(elected(&ballots), 0);
        assert_eq!(elected(&ballots[..2]), 0);
    }

    #[test]
    fn a_proven_win_counts_alone() {
        let ballots = [(0, 900, 30), (0, 900, 30), (1, mate_in(9), 5), (2, mate_in(7), 5)];
        assert_eq!(elected(&ballots), 3);
        assert_eq!(elected(&[(0, -mate_in(4), 30), (1, -200, 5)]), 1, "a loss is avoided");
    }
}
