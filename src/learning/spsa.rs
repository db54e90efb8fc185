//! Constants on their way to better ones, by simultaneous perturbation (SPSA), and the way that
//! they went.

use crate::search::Params;
use std::fmt::Write;

/// How large a change is, as a part of a constant's range.
const CHANGE: f64 = 0.08;
/// How far a constant moves for a point of difference at the beginning, as a part of its
/// range.
const STEP: f64 = 0.0015;
/// How the steps get smaller: by (1 + pairs / this) to the power of 0.6, as Spall advises.
const STABILITY: f64 = 1000.0;
/// The constants on their way, as parts of their ranges.
pub struct Spsa {
    places: Vec<f64>,
    /// Where they began.
    begun: Params,
    /// How many pairs of games they have learned from.
    pub pairs: u64,
    /// Where they were after how many pairs, now and then.
    way: Vec<(u64, Vec<f64>)>,
}

impl Spsa {
    /// At the constants that a game has.
    pub fn new(begun: Params) -> Self {
        let values = begun.values();
        let places = values
            .iter()
            .zip(Params::RANGES)
            .map(|(&value, &(_, low, high))| f64::from(value - low) / f64::from(high - low));
        Self {
            places: places.collect(),
            begun,
            pairs: 0,
            way: Vec::new(),
        }
    }

    /// The constants, all changed in the directions given.
    pub fn params(&self, directions: &[f64]) -> Params {
        let values: Vec<_> = self
            .places
            .iter()
            .zip(directions)
            .zip(Params::RANGES)
            .map(|((place, direction), &(_, low, high))| {
                let place = place + CHANGE * direction;
                low + (place * f64::from(high - low)).round() as i32
            })
            .collect();
        Params::from_values(&values)
    }

    /// Moves the constants in the directions given, by the difference in points that they
    /// made.
    pub fn learn(&mut self, directions: &[f64], difference: f64) {
        let step = STEP / (1.0 + self.pairs as f64 / STABILITY).powf(0.6);
        for (place, direction) in self.places.iter_mut().zip(directions) {
            *place = (*place + step * difference * direction).clamp(0.0, 1.0);
        }
        self.pairs += 1;
    }

    /// Whether the constants have not moved since the last note.
    pub fn is_noted(&self) -> bool {
        let last = self.way.last();
        last.is_some_and(|&(pairs, _)| pairs == self.pairs)
    }

    /// Notes where the constants are, as a line: the pairs, a number of the caller's, and each
    /// constant's part of its range.
    pub fn note(&mut self, number: u64) -> String {
        self.way.push((self.pairs, self.places.clone()));
        let mut line = format!("{}\t{number}", self.pairs);
        for place in &self.places {
            // Writing to a string does not fail.
            let _ = write!(line, "\t{place}");
        }
        line
    }

    /// Goes where a line of [`note`](Self::note) says, and returns the caller's number; `None` if
    /// it is no such line.
    pub fn go_to(&mut self, line: &str) -> Option<u64> {
        let mut words = line.split('\t');
        let pairs = words.next()?.parse().ok()?;
        let number = words.next()?.parse().ok()?;
        let places = words.map(|word| {
            let place: f64 = word.parse().ok()?;
            (0.0..=1.0).contains(&place).then_some(place)
        });
        let places: Vec<_> = places.collect::<Option<_>>()?;
        if places.len() != self.places.len() || pairs < self.pairs {
            return None;
        }
        (self.pairs, self.places) = (pairs, places.clone());
        self.way.push((pairs, places));
        Some(number)
    }

    /// One line for each of these constants, by their places in [`Params::RANGES`]: its average over
    /// the last third of the way, and how far from that it was there, by its standard deviation.
    pub fn describe(&self, constants: &[usize]) -> String {
        let last_third = |(pairs, _): &&(u64, Vec<f64>)| 3 * pairs >= 2 * self.pairs;
        let way: Vec<_> = self.way.iter().filter(last_third).collect();
        let before = self.begun.values();
        let lines = constants.iter().map(|&index| {
            let ((name, low, high), before) = (Params::RANGES[index], before[index]);
            let range = f64::from(high - low);
            let places = way.iter().map(|(_, places)| places[index]);
            let count = places.clone().count().max(1) as f64;
            let mean = places.clone().sum::<f64>() / count;
            let variance = places.map(|place| (place - mean).powi(2)).sum::<f64>() / count;
            let value = f64::from(low) + mean * range;
            let spread = variance.sqrt() * range;
            format!("{name}: {value:.0} ± {spread:.1} (was {before})")
        });
        lines.collect::<Vec<_>>().join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_begins_at_the_constants_of_the_game() {
        let spsa = Spsa::new(Params::DEFAULT);
        let still = vec![0.0; spsa.places.len()];
        assert_eq!(spsa.params(&still), Params::DEFAULT);
    }

    #[test]
    fn constants_move_towards_the_winner_and_stay_in_range() {
        let mut spsa = Spsa::new(Params::DEFAULT);
        let up = vec![1.0; spsa.places.len()];
        let before = spsa.places.clone();
        spsa.learn(&up, 2.0);
        assert!(spsa.places.iter().zip(&before).all(|(a, b)| a > b));
        for _ in 0..100_000 {
            spsa.learn(&up, -2.0);
        }
        let down: Vec<_> = up.iter().map(|up| -up).collect();
        let lowest: Vec<_> = Params::RANGES.iter().map(|&(_, low, _)| low).collect();
        assert_eq!(spsa.params(&down).values(), lowest);
    }

    #[test]
    fn the_way_is_gone_on_from_its_last_line() {
        let mut spsa = Spsa::new(Params::DEFAULT);
        let up = vec![1.0; spsa.places.len()];
        spsa.learn(&up, 1.0);
        let first = spsa.note(7);
        spsa.learn(&up, -2.0);
        let last = spsa.note(9);
        let mut again = Spsa::new(Params::DEFAULT);
        assert_eq!(again.go_to(&first), Some(7));
        assert_eq!(again.go_to(&last), Some(9));
        assert_eq!((again.pairs, &again.places), (2, &spsa.places));
        assert_eq!(again.describe(&[0, 1]), spsa.describe(&[0, 1]));
        for line in ["", "3\t1", "3\t1\tx", &first, &last.replace("0.", "1.")] {
            assert_eq!(again.go_to(line), None, "{line}");
        }
    }

    #[test]
    fn the_last_third_is_averaged() {
        let mut spsa = Spsa::new(Params::DEFAULT);
        let (name, low, high) = Params::RANGES[0];
        for (pairs, place) in [(10, 1.0), (20, 0.25), (30, 0.75)] {
            spsa.pairs = pairs;
            spsa.places[0] = place;
            spsa.note(0);
        }
        let (middle, quarter) = (f64::from(low + high) / 2.0, f64::from(high - low) / 4.0);
        let line = format!("{name}: {middle:.0} ± {quarter:.1} (was ");
        assert!(
            spsa.describe(&[0]).starts_with(&line),
            "{}",
            spsa.describe(&[0])
        );
    }
}
