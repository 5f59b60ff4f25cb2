//! Arguments, files and exit statuses; what is printed is made by `report`.

mod explore;
mod report;

use clap::{Parser, Subcommand};
use fencing_lab::script::{self, Parsed};
use fencing_lab::sim::Policy;
use std::io::{Read, Write};
use std::process::ExitCode;

/// Everything was as expected.
const OK: u8 = 0;
/// An expectation failed, or a property does not hold.
const FAILED: u8 = 1;
/// Some input could not be read: no such file, not UTF-8, not a scenario.
const UNREADABLE: u8 = 2;

#[derive(Parser)]
#[command(
    name = "fencing-lab",
    version,
    about = "Runs scenarios of leases and fencing tokens"
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run scenarios and compare every `=>` and `expect`. Exit status: 0 all met, 1 some not met, 2 unreadable input
    Check {
        /// Scenario files; `-` is standard input
        #[arg(required = true)]
        files: Vec<String>,
    },
    /// Search every order of a small configuration for what must never happen. Exit status: 0 no
    /// violation, 1 a violation (its scenario is printed), 2 bad arguments or limit reached
    Explore(explore::Options),
    /// Print what happens, moment by moment
    Trace {
        /// A scenario file; `-` is standard input
        file: String,
        /// Use this policy at every resource, for example `unfenced` or `fenced+owner`
        #[arg(long)]
        policy: Option<String>,
        /// Print the verdicts under the scenario's own and each expected policy as JSON
        #[arg(long)]
        json: bool,
    },
    /// Print the picture of a run as a standalone SVG
    Svg {
        /// A scenario file; `-` is standard input
        file: String,
        /// Use this policy at every resource
        #[arg(long)]
        policy: Option<String>,
        /// Width in px, 280 to 4000; below 560 time runs downwards
        #[arg(long, default_value_t = 852, value_parser = clap::value_parser!(u32).range(280..=4000))]
        width: u32,
        /// Colours: `light`, `dark`, or `auto` as the reader's system says
        #[arg(long, default_value = "auto", value_parser = ["light", "dark", "auto"])]
        theme: String,
    },
}

/// Parses the arguments and does what they say.
pub fn main() -> ExitCode {
    // A closed pipe (`… | head`) is the reader's choice, not a failure.
    let mut out = std::io::stdout().lock();
    let status = match Arguments::parse().command {
        Command::Check { files } => check(&files, &mut out),
        Command::Explore(options) => explore::explore(&options, &mut out),
        Command::Trace { file, policy, json } => trace(&file, policy.as_deref(), json, &mut out),
        Command::Svg {
            file,
            policy,
            width,
            theme,
        } => svg(&file, policy.as_deref(), width, &theme, &mut out),
    };
    ExitCode::from(status.unwrap_or(OK))
}

fn read(file: &str) -> Result<String, String> {
    let mut bytes = Vec::new();
    if file == "-" {
        (std::io::stdin().read_to_end(&mut bytes)).map_err(|e| format!("standard input: {e}"))?;
    } else {
        bytes = std::fs::read(file).map_err(|e| format!("{file}: cannot be read: {e}"))?;
    }
    String::from_utf8(bytes).map_err(|e| {
        let at = e.utf8_error().valid_up_to();
        format!("{file}: not a text file: byte {at} is not UTF-8")
    })
}

fn check(files: &[String], out: &mut impl Write) -> std::io::Result<u8> {
    let (mut passed, mut failed, mut status) = (0, 0, OK);
    for file in files {
        let found = match read(file) {
            Ok(text) => report::check(file, &text),
            Err(message) => report::Checked::unreadable(message),
        };
        if found.status == OK {
            passed += 1;
        } else {
            failed += 1;
        }
        status = status.max(found.status);
        for line in found.lines {
            writeln!(out, "{line}")?;
        }
    }
    writeln!(out, "{passed} passed, {failed} failed")?;
    Ok(status)
}

/// The text of a scenario that was read without an error, its meaning, and the policy of `--policy`.
fn scenario(file: &str, policy: Option<&str>) -> Result<(String, Parsed, Option<Policy>), String> {
    let text = read(file)?;
    let policy = (policy.map(script::parse_policy).transpose())
        .map_err(|error| format!("--policy: {error}"))?;
    let parsed = script::parse(&text);
    if parsed.errors.is_empty() {
        Ok((text, parsed, policy))
    } else {
        Err(syntax_errors(file, &parsed).join("\n"))
    }
}

fn trace(
    file: &str,
    policy: Option<&str>,
    json: bool,
    out: &mut impl Write,
) -> std::io::Result<u8> {
    let (text, parsed, policy) = match scenario(file, policy) {
        Ok(read) => read,
        Err(message) => return complain(&message),
    };
    if json {
        let value = report::json(&text, &parsed, policy.as_ref());
        writeln!(out, "{value}")?;
        return Ok(OK);
    }
    for line in report::transcript(&parsed.scenario, policy.as_ref()) {
        writeln!(out, "{line}")?;
    }
    let problems = report::problems(file, &parsed, policy.as_ref());
    if problems.is_empty() {
        Ok(OK)
    } else {
        complain(&problems.join("\n"))
    }
}

fn svg(
    file: &str,
    policy: Option<&str>,
    width: u32,
    theme: &str,
    out: &mut impl Write,
) -> std::io::Result<u8> {
    match scenario(file, policy) {
        Ok((_, parsed, policy)) => {
            let picture = report::picture(&parsed.scenario, policy.as_ref(), width, theme);
            write!(out, "{picture}")?;
            Ok(OK)
        }
        Err(message) => complain(&message),
    }
}

/// `FILE:LINE:COLUMN: error: …` for each error.
fn syntax_errors(file: &str, parsed: &Parsed) -> Vec<String> {
    let line = |e: &script::SyntaxError| format!("{file}:{}:{}: error: {e}", e.line, e.column);
    parsed.errors.iter().map(line).collect()
}

fn complain(message: &str) -> std::io::Result<u8> {
    writeln!(std::io::stderr(), "{message}")?;
    Ok(UNREADABLE)
}
