//! The command line.
use quadrille::games::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let d: u32 = a[2].parse().unwrap();
    let t = std::time::Instant::now();
    let n = match a[1].as_str() {
        "gothic" => perft(&Gothic::start(), d),
        "congress" => perft(&Congress::start(), d),
        "pressman" => perft(&Pressman::start(), d),
        _ => perft(&CrossEyed::start(), d),
    };
    let s = t.elapsed().as_secs_f64();
    println!("{n} {:.1} Mnps", n as f64 / s / 1e6);
}
