//! Running other programs.

use crate::Result;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

/// Runs `command` with its output shown; an error names it.
pub fn run(command: &mut Command) -> Result<()> {
    let name = describe(command);
    let status = command
        .status()
        .map_err(|error| format!("`{name}` could not be started: {error}"))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("`{name}` failed ({status})"))
    }
}

/// What `command` prints to its standard output, trimmed; its standard error is kept for the error.
pub fn output(command: &mut Command) -> Result<String> {
    let name = describe(command);
    let out = command
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("`{name}` could not be started: {error}"))?;
    if out.status.success() {
        return Ok(String::from_utf8_lossy(&out.stdout).trim().to_owned());
    }
    let said = String::from_utf8_lossy(&out.stderr);
    let mut lines = said.lines().filter(|line| !line.trim().is_empty());
    let first = lines.clone().next().unwrap_or("no message");
    let reason = lines.find(|line| line.starts_with("error"));
    Err(format!("`{name}` failed: {}", reason.unwrap_or(first)))
}

/// Runs `command`, showing its standard output and handing each line to `each`;
/// whether it ended well.
pub fn watch(command: &mut Command, mut each: impl FnMut(&str)) -> Result<bool> {
    let name = describe(command);
    let start = |error| format!("`{name}` could not be started: {error}");
    let mut child = command.stdout(Stdio::piped()).spawn().map_err(start)?;
    if let Some(stdout) = child.stdout.take() {
        for line in BufReader::new(stdout).lines() {
            let line = line.map_err(|error| format!("`{name}` printed no text: {error}"))?;
            println!("{line}");
            each(&line);
        }
    }
    let status = child.wait().map_err(start)?;
    Ok(status.success())
}

/// The command as a person would type it.
fn describe(command: &Command) -> String {
    let mut words = vec![command.get_program().to_string_lossy()];
    words.extend(command.get_args().map(|arg| arg.to_string_lossy()));
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_is_trimmed_and_failures_name_the_command() {
        let cargo = env!("CARGO");
        let version = output(Command::new(cargo).arg("--version")).unwrap();
        assert!(version.starts_with("cargo "));
        let error = output(Command::new(cargo).arg("no-such-command")).unwrap_err();
        assert!(error.contains("no-such-command"), "{error}");
    }

    #[test]
    fn a_missing_program_is_an_error() {
        let error = run(&mut Command::new("surely-not-installed")).unwrap_err();
        assert!(error.contains("could not be started"), "{error}");
    }
}
