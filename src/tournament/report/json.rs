//! The result of a match in JSON.

use super::MatchResult;
use crate::games::result;
use crate::records::json::{Object, array, string};
use crate::statistics::elo::Counts;
use crate::tournament::finished_game::FinishedGame;

impl MatchResult<'_> {
    /// Returns the result as JSON.
    pub fn json(&self) -> Object {
        let engines = (0..self.standing.names.len()).map(|engine| self.engine(engine));
        let pairings = self.standing.pairings().into_iter();
        Object::new()
            .with("variant", string(self.variant))
            .with("event", string(self.event))
            .with("over", self.is_over)
            .with("engines", array(engines))
            .with("pairings", array(pairings.map(|pairing| self.pairing(pairing))))
            .with("repeated_games", self.standing.repeated)
            .with("games", array(self.games.iter().map(|game| self.game(game))))
    }

    fn engine(&self, engine: usize) -> Object {
        let faults = self.standing.faults[engine];
        let faults = Object::new()
            .with("time", faults.time)
            .with("illegal", faults.illegal)
            .with("crashes", faults.crashes)
            .with("hangs", faults.hangs)
            .with("claims", faults.claims);
        let spec = self.engines.get(engine);
        let object = Object::new()
            .with("name", string(&self.standing.names[engine]))
            .with_some("command", spec.map(|spec| string(&spec.command)))
            .with_some("control", spec.map(|spec| string(&spec.control.limits())));
        with_counts(object, &self.standing.all_of(engine)).with("faults", faults)
    }

    fn pairing(&self, pairing: (usize, usize)) -> Object {
        let names = [pairing.0, pairing.1].map(|engine| string(&self.standing.names[engine]));
        let counts = self.standing.counts(pairing);
        let nelo = counts.normalised_elo();
        let object = with_counts(Object::new().with("engines", array(names)), &counts)
            .with("normalized_elo", decimal(nelo.difference))
            .with("normalized_elo_error", decimal(nelo.error))
            .with("los", decimal(counts.los()));
        let test = self.sprt.map(|sprt| {
            let (lower, upper) = sprt.bounds();
            let accepted = sprt.verdict(&counts);
            Object::new()
                .with("model", string(sprt.model.name()))
                .with("elo0", sprt.elo0)
                .with("elo1", sprt.elo1)
                .with("alpha", sprt.alpha)
                .with("beta", sprt.beta)
                .with("llr", decimal(sprt.llr(&counts)))
                .with("lower", decimal(lower))
                .with("upper", decimal(upper))
                .with_some("accepted", accepted.map(|which| string(&which.to_string())))
        });
        object.with_some("sprt", test)
    }

    fn game(&self, game: &FinishedGame) -> Object {
        let [white, black] = game.fixture.seats.map(|seat| string(&self.standing.names[seat]));
        let object = Object::new()
            .with("number", game.fixture.number + 1)
            .with("white", white)
            .with("black", black)
            .with("result", string(result(game.winner)))
            .with("termination", string(game.end.termination()))
            .with("reason", string(&game.end.tag()))
            .with("plies", game.plies);
        let Some((date, time)) = &game.begun else {
            return object;
        };
        let begun = format!("{}T{time}Z", date.replace('.', "-"));
        object.with("begun", string(&begun)).with("seconds", decimal(game.duration.as_secs_f64()))
    }
}

/// Adds counts, and the Elo that they show.
fn with_counts(object: Object, counts: &Counts) -> Object {
    let elo = counts.elo();
    object
        .with("games", counts.games())
        .with("wins", counts.wins)
        .with("losses", counts.losses)
        .with("draws", counts.draws)
        .with("score", decimal(counts.score()))
        .with_some("pairs", counts.has_pairs().then(|| array(counts.pairs)))
        .with("elo", decimal(elo.difference))
        .with("elo_error", decimal(elo.error))
}

/// Rounds to four decimals.
fn decimal(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}
