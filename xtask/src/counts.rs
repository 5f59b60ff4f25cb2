//! Reading how many tests passed from what test runners print.

use std::iter::Sum;

/// Tests passed and failed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Counts {
    pub passed: usize,
    pub failed: usize,
}

impl Counts {
    /// Adds the line of a `cargo test` summary: `test result: ok. 3 passed; 0 failed; …`.
    pub fn add_cargo_line(&mut self, line: &str) {
        let Some(rest) = line.trim().strip_prefix("test result: ") else {
            return;
        };
        for part in rest.split([';', '.']) {
            match part.split_whitespace().collect::<Vec<_>>()[..] {
                [number, "passed"] => self.passed += number.parse().unwrap_or(0),
                [number, "failed"] => self.failed += number.parse().unwrap_or(0),
                _ => {}
            }
        }
    }

    /// Adds a summary line of Node's runner: `ℹ pass 3`, `ℹ fail 0`, `ℹ cancelled 0`.
    pub fn add_node_line(&mut self, line: &str) {
        match line.split_whitespace().collect::<Vec<_>>()[..] {
            ["ℹ", "pass", number] => self.passed += number.parse().unwrap_or(0),
            ["ℹ", "fail" | "cancelled", number] => self.failed += number.parse().unwrap_or(0),
            _ => {}
        }
    }

    /// These counts as judged by the runner's exit status: a runner that failed
    /// without a failed test, or ran nothing, is itself a failure.
    pub fn judged(mut self, runner_ok: bool) -> Self {
        let nothing = self.passed + self.failed == 0;
        if self.failed == 0 && (!runner_ok || nothing) {
            self.failed = 1;
        }
        self
    }
}

impl Sum for Counts {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Counts::default(), |sum, one| Counts {
            passed: sum.passed + one.passed,
            failed: sum.failed + one.failed,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(passed: usize, failed: usize) -> Counts {
        Counts { passed, failed }
    }

    #[test]
    fn cargo_summaries_add_up() {
        let mut sum = Counts::default();
        for line in [
            "running 3 tests",
            "test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s",
            "test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out",
        ] {
            sum.add_cargo_line(line);
        }
        assert_eq!(sum, counts(4, 2));
    }

    #[test]
    fn node_summaries_add_up() {
        let mut sum = Counts::default();
        for line in [
            "ℹ tests 8",
            "ℹ pass 5",
            "ℹ fail 2",
            "ℹ cancelled 1",
            "✔ pass 9",
        ] {
            sum.add_node_line(line);
        }
        assert_eq!(sum, counts(5, 3));
    }

    #[test]
    fn a_runner_that_breaks_or_runs_nothing_has_failed() {
        assert_eq!(counts(3, 0).judged(true), counts(3, 0));
        assert_eq!(counts(3, 0).judged(false), counts(3, 1));
        assert_eq!(counts(3, 2).judged(false), counts(3, 2));
        assert_eq!(counts(0, 0).judged(true), counts(0, 1));
    }
}
