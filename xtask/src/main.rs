//! The project's own commands: `cargo xtask setup | build | serve | test | bench`.
//!
//! They find or install the tools that a browser app in Rust needs, so that a
//! fresh machine with nothing but Rust can build, serve and test everything.

mod args;
mod bundle;
mod card;
mod check;
mod counts;
mod finish;
mod html;
mod oembed;
mod offline;
mod pack;
mod pages;
mod paths;
mod report;
mod run;
mod rust;
mod seam;
mod single;
mod site;
mod tools;

use args::{Command, USAGE};
use std::process::ExitCode;

/// An error is a sentence for the person who called: what went wrong and what to run.
type Result<T> = std::result::Result<T, String>;

fn main() -> ExitCode {
    match args::parse().and_then(dispatch) {
        Ok(code) => code,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(command: Command) -> Result<ExitCode> {
    match command {
        Command::Help => println!("{USAGE}"),
        Command::Setup => {
            tools::ensure(tools::Goal::Test)?;
            println!("everything is in place");
        }
        Command::Build { release } => bundle::build(release)?,
        Command::Serve(options) => bundle::serve(&options)?,
        Command::Test => return check::all(),
        Command::Bench { native: None } => check::performance()?,
        Command::Bench { native: Some(rest) } => check::bench(&rest)?,
        Command::Finish => finish::from_trunk()?,
    }
    Ok(ExitCode::SUCCESS)
}
