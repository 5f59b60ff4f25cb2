//! The command line of `cargo xtask`.

use crate::Result;
use lexopt::{Arg, Parser, ValueExt};
use std::ffi::OsString;

/// What `cargo xtask help` prints.
pub const USAGE: &str = "\
Usage: cargo xtask COMMAND

  setup                 find or install every tool that the other commands need
  build [--debug]       make dist/, the app with relative URLs (release unless --debug)
  serve [--port PORT] [--open] [--release]
                        build, serve on 127.0.0.1 (port 8080), rebuild on every change
  test                  every check: format, lint, native tests, build, bytes, browser
  bench                 report of performance: bytes, times in a slow browser, Lighthouse
  bench native [ARGUMENTS]
                        the native benchmarks (arguments go to `cargo bench`)
  help                  this text";

/// One call, parsed.
#[derive(Debug, PartialEq)]
pub enum Command {
    Help,
    Setup,
    Build {
        release: bool,
    },
    Serve(Serve),
    Test,
    /// The report, or with arguments the native benchmarks.
    Bench {
        native: Option<Vec<OsString>>,
    },
    /// Called by Trunk after each build, see `Trunk.toml`; not for people.
    Finish,
}

/// Options of `serve`.
#[derive(Debug, PartialEq)]
pub struct Serve {
    /// TCP port on 127.0.0.1.
    pub port: u16,
    /// Open the page in the default browser.
    pub open: bool,
    /// Build optimized.
    pub release: bool,
}

/// Reads the process's arguments.
pub fn parse() -> Result<Command> {
    parse_from(Parser::from_env())
}

fn parse_from(mut parser: Parser) -> Result<Command> {
    let command = match parser.next().map_err(text)? {
        None | Some(Arg::Short('h') | Arg::Long("help")) => return Ok(Command::Help),
        Some(Arg::Value(name)) => name.string().map_err(text)?,
        Some(other) => return Err(text(other.unexpected())),
    };
    match command.as_str() {
        "help" => plain(parser, Command::Help),
        "setup" => plain(parser, Command::Setup),
        "test" => plain(parser, Command::Test),
        "finish" => plain(parser, Command::Finish),
        "build" => build(parser),
        "serve" => serve(parser),
        "bench" => bench(parser),
        other => Err(format!("there is no command `{other}`\n\n{USAGE}")),
    }
}

fn plain(mut parser: Parser, command: Command) -> Result<Command> {
    match parser.next().map_err(text)? {
        None => Ok(command),
        Some(Arg::Short('h') | Arg::Long("help")) => Ok(Command::Help),
        Some(other) => Err(text(other.unexpected())),
    }
}

fn bench(mut parser: Parser) -> Result<Command> {
    let native = match parser.next().map_err(text)? {
        None => None,
        Some(Arg::Value(kind)) if kind == "native" => {
            Some(parser.raw_args().map_err(text)?.collect())
        }
        Some(Arg::Short('h') | Arg::Long("help")) => return Ok(Command::Help),
        Some(other) => return Err(text(other.unexpected())),
    };
    Ok(Command::Bench { native })
}

fn build(mut parser: Parser) -> Result<Command> {
    let mut release = true;
    while let Some(arg) = parser.next().map_err(text)? {
        match arg {
            Arg::Long("release") => release = true,
            Arg::Long("debug") => release = false,
            Arg::Short('h') | Arg::Long("help") => return Ok(Command::Help),
            other => return Err(text(other.unexpected())),
        }
    }
    Ok(Command::Build { release })
}

fn serve(mut parser: Parser) -> Result<Command> {
    let mut options = Serve {
        port: 8080,
        open: false,
        release: false,
    };
    while let Some(arg) = parser.next().map_err(text)? {
        match arg {
            Arg::Long("port") => {
                let value = parser.value().map_err(text)?;
                options.port = value.parse().map_err(text)?;
            }
            Arg::Long("open") => options.open = true,
            Arg::Long("release") => options.release = true,
            Arg::Short('h') | Arg::Long("help") => return Ok(Command::Help),
            other => return Err(text(other.unexpected())),
        }
    }
    Ok(Command::Serve(options))
}

fn text(error: lexopt::Error) -> String {
    format!("{error}\n\n{USAGE}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(args: &[&str]) -> Result<Command> {
        parse_from(Parser::from_args(args))
    }

    #[test]
    fn build_is_release_unless_told_otherwise() {
        assert_eq!(parsed(&["build"]), Ok(Command::Build { release: true }));
        assert_eq!(
            parsed(&["build", "--debug"]),
            Ok(Command::Build { release: false })
        );
    }

    #[test]
    fn serve_takes_port_and_flags() {
        let expected = Serve {
            port: 9000,
            open: true,
            release: true,
        };
        assert_eq!(
            parsed(&["serve", "--port=9000", "--open", "--release"]),
            Ok(Command::Serve(expected))
        );
    }

    #[test]
    fn bench_is_the_report_unless_the_native_ones_are_named() {
        assert_eq!(parsed(&["bench"]), Ok(Command::Bench { native: None }));
        let native = Some(vec!["story".into(), "--quiet".into()]);
        assert_eq!(
            parsed(&["bench", "native", "story", "--quiet"]),
            Ok(Command::Bench { native })
        );
    }

    #[test]
    fn wrong_calls_say_what_is_possible() {
        for args in [
            &["buidl"][..],
            &["test", "--fast"],
            &["bench", "story"],
            &["serve", "--port", "x"],
        ] {
            let message = parsed(args).unwrap_err();
            assert!(message.contains("Usage: cargo xtask"), "{message}");
        }
    }

    #[test]
    fn nothing_and_help_show_the_usage() {
        assert_eq!(parsed(&[]), Ok(Command::Help));
        assert_eq!(parsed(&["build", "--help"]), Ok(Command::Help));
    }
}
