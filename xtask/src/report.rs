//! How many bytes the first load of the app takes.

use crate::run::output;
use crate::{Result, html, paths};
use std::fmt::Write;
use std::fs;
use std::process::Command;

/// The most that html, js, wasm and css may take together, compressed with gzip, in bytes.
const GZIP_BUDGET: u64 = 87_040;

/// The sizes of a file, in bytes.
#[derive(Clone, Debug, Default, PartialEq)]
struct Sizes {
    raw: u64,
    /// Compressed at level 9.
    gzip: u64,
    /// Compressed at quality 11.
    brotli: u64,
}

/// Prints the table; an error if the budget is exceeded.
pub fn print() -> Result<()> {
    check(show()?)
}

/// Prints the table. Returns the bytes of all of it, compressed with gzip.
pub fn show() -> Result<u64> {
    let rows = measure()?;
    print!("{}", table(&rows));
    Ok(total(&rows).gzip)
}

fn check(gzip: u64) -> Result<()> {
    if gzip > GZIP_BUDGET {
        let over = gzip - GZIP_BUDGET;
        return Err(format!(
            "the first load is {over} bytes of gzip over its budget of {GZIP_BUDGET}"
        ));
    }
    println!(
        "budget: {GZIP_BUDGET} bytes of gzip, {} left",
        GZIP_BUDGET - gzip
    );
    Ok(())
}

/// Name and sizes of each file of the first load.
fn measure() -> Result<Vec<(String, Sizes)>> {
    let dist = paths::dist();
    let index = dist.join("index.html");
    let page = fs::read_to_string(&index)
        .map_err(|error| format!("{}: {error}; run `cargo xtask build`", index.display()))?;
    let mut files = vec!["index.html"];
    files.extend(html::first_load(&page));
    let printed = output(
        Command::new("node")
            .arg(paths::root().join("xtask/sizes.mjs"))
            .args(&files)
            .current_dir(&dist),
    )?;
    let sizes: Vec<_> = printed.lines().map(parse).collect::<Result<_>>()?;
    let names = files
        .iter()
        .map(|name| name.trim_start_matches("./").to_owned());
    Ok(names.zip(sizes).collect())
}

/// Reads a line of three numbers.
fn parse(line: &str) -> Result<Sizes> {
    let numbers: Vec<u64> = line
        .split(' ')
        .filter_map(|word| word.parse().ok())
        .collect();
    match numbers[..] {
        [raw, gzip, brotli] => Ok(Sizes { raw, gzip, brotli }),
        _ => Err(format!("three sizes were expected, not `{line}`")),
    }
}

fn total(rows: &[(String, Sizes)]) -> Sizes {
    rows.iter().fold(Sizes::default(), |sum, (_, sizes)| Sizes {
        raw: sum.raw + sizes.raw,
        gzip: sum.gzip + sizes.gzip,
        brotli: sum.brotli + sizes.brotli,
    })
}

fn table(rows: &[(String, Sizes)]) -> String {
    let all = ("total".to_owned(), total(rows));
    let width = rows
        .iter()
        .map(|(name, _)| name.len())
        .max()
        .unwrap_or(0)
        .max(10);
    let mut text = format!(
        "{:width$} {:>9} {:>9} {:>9}\n",
        "first load", "raw", "gzip", "brotli"
    );
    for (name, sizes) in rows.iter().chain([&all]) {
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{name:width$} {:>9} {:>9} {:>9}",
            sizes.raw, sizes.gzip, sizes.brotli
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> Vec<(String, Sizes)> {
        ["900 300 200", "100 50 40"]
            .iter()
            .zip(["app-0123.wasm", "index.html"])
            .map(|(line, name)| (name.to_owned(), parse(line).unwrap()))
            .collect()
    }

    #[test]
    fn the_table_aligns_and_adds_up() {
        let expected = "\
first load          raw      gzip    brotli
app-0123.wasm       900       300       200
index.html          100        50        40
total              1000       350       240
";
        assert_eq!(table(&rows()), expected);
    }

    #[test]
    fn the_budget_is_a_limit_not_a_goal() {
        assert!(check(GZIP_BUDGET).is_ok());
        assert!(check(GZIP_BUDGET + 1).unwrap_err().contains("1 bytes"));
    }

    #[test]
    fn other_output_is_refused() {
        assert!(parse("1 2").is_err());
        assert!(parse("a b c").is_err());
    }
}
