//! The memory of the machine, or of the control group (a container) of the program, where the
//! system reports it.

use std::fs::read_to_string;

/// The files with the limit and the usage of a control group: since 2016, and before.
const GROUPS: [[&str; 3]; 2] = [
    [
        "/sys/fs/cgroup/memory.max",
        "/sys/fs/cgroup/memory.stat",
        "anon ",
    ],
    [
        "/sys/fs/cgroup/memory/memory.limit_in_bytes",
        "/sys/fs/cgroup/memory/memory.stat",
        "rss ",
    ],
];

/// A figure from a file with one figure a line, each after its name.
fn figure(path: &str, name: &str) -> Option<usize> {
    let text = read_to_string(path).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

/// The limit and the usage of the control group, in MB.
fn group() -> Option<[usize; 2]> {
    GROUPS.iter().find_map(|[limit, uses, name]| {
        let limit: usize = read_to_string(limit).ok()?.trim().parse().ok()?;
        Some([limit >> 20, figure(uses, name).unwrap_or(0) >> 20])
    })
}

/// The memory of the machine or the group in MB; a cautious guess where it cannot be read.
pub fn whole() -> usize {
    let machine = figure("/proc/meminfo", "MemTotal:").map_or(4096, |kilobytes| kilobytes >> 10);
    group().map_or(machine, |[limit, _]| machine.min(limit))
}

/// Memory set aside for everything else, in MB.
const SPARE: usize = 64;

/// The free memory in MB, as far as it can be read.
pub fn free() -> usize {
    let machine =
        figure("/proc/meminfo", "MemAvailable:").map_or(usize::MAX, |kilobytes| kilobytes >> 10);
    let free = group().map_or(machine, |[limit, used]| {
        machine.min(limit.saturating_sub(used))
    });
    free.saturating_sub(SPARE)
}

#[cfg(test)]
mod tests {
    #[test]
    fn no_more_is_free_than_there_is() {
        assert!(super::whole() > 0);
        assert!(super::free() == usize::MAX - super::SPARE || super::free() <= super::whole());
    }
}
