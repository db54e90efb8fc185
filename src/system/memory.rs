//! How much memory there is: that of the machine, or of the control group (a container) that
//! the program was put into, where the system tells.

use std::fs::read_to_string;

/// Where a control group says its limit and what it has used of it: since 2016, and before.
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

/// A figure of a file that has one a line, each after its name.
fn figure(path: &str, name: &str) -> Option<usize> {
    let text = read_to_string(path).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

/// What the control group may use, and what it uses, in MB.
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

/// What is left for everything else, in MB.
const SPARE: usize = 64;

/// The memory in MB that is free to be taken up, as far as it can be read.
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
