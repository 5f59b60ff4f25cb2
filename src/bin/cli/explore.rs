//! The `explore` command: bounds from options, the result as a count or a scenario.

use super::{FAILED, OK, complain};
use clap::{Args, builder::PossibleValuesParser, value_parser};
use fencing_lab::explore::*;
use fencing_lab::script;
use std::io::Write;

#[derive(Args)]
pub struct Options {
    /// The policy of the resource, for example `unfenced` or `fenced+owner`
    #[arg(long)]
    policy: String,
    /// What must never happen; may be given several times
    #[arg(long, value_parser = PossibleValuesParser::new(Property::ALL.map(Property::name)), default_value = Property::NoStaleAccepted.name())]
    property: Vec<String>,
    /// How many clients
    #[arg(long, value_parser = value_parser!(u8).range(1..=3), default_value_t = Bounds::default().clients)]
    clients: u8,
    /// How often each client may be granted the lease
    #[arg(long, value_parser = value_parser!(u8).range(1..=2), default_value_t = Bounds::default().grants)]
    grants: u8,
    /// How many writes each client may send
    #[arg(long, value_parser = value_parser!(u8).range(1..=3), default_value_t = Bounds::default().writes)]
    writes: u8,
    /// How often each client may read before a write
    #[arg(long, value_parser = value_parser!(u8).range(0..=2), default_value_t = Bounds::default().reads)]
    reads: u8,
    /// How often each client may pause
    #[arg(long, value_parser = value_parser!(u8).range(0..=2), default_value_t = Bounds::default().pauses)]
    pauses: u8,
    /// How often each client may crash
    #[arg(long, value_parser = value_parser!(u8).range(0..=1), default_value_t = Bounds::default().client_crashes)]
    client_crashes: u8,
    /// When a lease may end
    #[arg(long, value_parser = PossibleValuesParser::new(LeaseEnds::ALL.map(LeaseEnds::name)), default_value = Bounds::default().lease_ends.name())]
    lease_ends: String,
    /// How many writes may be late, in all
    #[arg(long, value_parser = value_parser!(u8).range(0..=3), default_value_t = Bounds::default().delays)]
    delays: u8,
    /// How many writes may stall between arrival and effect, in all
    #[arg(long, value_parser = value_parser!(u8).range(0..=3), default_value_t = Bounds::default().stalls)]
    stalls: u8,
    /// How many copies of judged writes may arrive, in all
    #[arg(long, value_parser = value_parser!(u8).range(0..=3), default_value_t = Bounds::default().duplicates)]
    duplicates: u8,
    /// How often each client may send its last write again
    #[arg(long, value_parser = value_parser!(u8).range(0..=1), default_value_t = Bounds::default().retries)]
    retries: u8,
    /// How often the coordinator may fail
    #[arg(long, value_parser = value_parser!(u8).range(0..=1), default_value_t = Bounds::default().coordinator_faults)]
    coordinator_faults: u8,
    /// What a failure of the coordinator does
    #[arg(long, value_parser = PossibleValuesParser::new(CoordinatorFault::ALL.map(CoordinatorFault::name)), default_value = Bounds::default().coordinator_fault.name())]
    coordinator_fault: String,
    /// How often the resource may forget its mark
    #[arg(long, value_parser = value_parser!(u8).range(0..=2), default_value_t = Bounds::default().resource_crashes)]
    resource_crashes: u8,
    /// Stop after so many distinct states
    #[arg(long, value_parser = value_parser!(u32).range(1..=MAX_STATES as i64), default_value_t = DEFAULT_MAX_STATES as u32)]
    max_states: u32,
}

impl Options {
    fn bounds(&self) -> Bounds {
        let lease_ends = LeaseEnds::ALL
            .into_iter()
            .find(|ends| ends.name() == self.lease_ends);
        let fault = CoordinatorFault::ALL
            .into_iter()
            .find(|f| f.name() == self.coordinator_fault);
        Bounds {
            clients: self.clients,
            grants: self.grants,
            writes: self.writes,
            reads: self.reads,
            pauses: self.pauses,
            client_crashes: self.client_crashes,
            lease_ends: lease_ends.unwrap_or_default(),
            delays: self.delays,
            stalls: self.stalls,
            duplicates: self.duplicates,
            retries: self.retries,
            coordinator_faults: self.coordinator_faults,
            coordinator_fault: fault.unwrap_or_default(),
            resource_crashes: self.resource_crashes,
        }
    }
}

/// Searches, and prints either the number of states or the counterexample as a scenario.
pub fn explore(options: &Options, out: &mut impl Write) -> std::io::Result<u8> {
    let policy = match script::parse_policy(&options.policy) {
        Ok(policy) => policy,
        Err(error) => return complain(&format!("--policy: {error}")),
    };
    let properties: Vec<Property> = options
        .property
        .iter()
        .filter_map(|name| Property::from_name(name))
        .collect();
    let search = match Search::new(options.bounds(), policy, &properties) {
        Ok(search) => search,
        Err(error) => return complain(&error.to_string()),
    };
    let mut search = search.with_max_states(options.max_states as usize);
    let outcome = search.run();
    let model = search.model();
    match &outcome {
        Outcome::Holds { states, .. } => {
            let bounds = describe(model.bounds()).join(" ");
            writeln!(
                out,
                "no violation in {states} distinct states (bounds: {bounds})"
            )?;
            Ok(OK)
        }
        Outcome::Violated {
            property,
            path,
            states_before,
        } => {
            writeln!(out, "# {} under {}.", title(&outcome), model.policy())?;
            writeln!(
                out,
                "# No shorter run does it: fewer steps lead to {states_before} distinct states, all visited."
            )?;
            for sentence in describe(model.bounds()) {
                writeln!(out, "# {sentence}")?;
            }
            let scenario = counterexample(model, *property, path);
            write!(out, "{}", script::print(&scenario))?;
            Ok(FAILED)
        }
        Outcome::LimitReached { .. } => complain(&format!(
            "{}: raise --max-states or narrow the bounds",
            title(&outcome)
        )),
    }
}
