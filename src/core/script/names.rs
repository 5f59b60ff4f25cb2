//! What is declared, and where.

use super::cursor::Cursor;
use super::error::{Fault, Stop};
use crate::sim::text::{join, whole};
use crate::sim::{ClientId, ExternalId, LeaseId, NameId, ResourceId};

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Symbol {
    Client(ClientId),
    Lease(LeaseId),
    Resource(ResourceId),
    External(ExternalId),
    Message(NameId),
    /// Declared on a line with an error: who uses it is left out without one.
    Broken,
}

impl Symbol {
    /// With its article.
    pub(super) fn noun(self) -> &'static str {
        match self {
            Symbol::Client(_) => "a client",
            Symbol::Lease(_) => "a lease",
            Symbol::Resource(_) => "a resource",
            Symbol::External(_) => "an external system",
            Symbol::Message(_) | Symbol::Broken => "a message",
        }
    }
}

/// A name with what it stands for.
struct Known<'t> {
    name: &'t str,
    symbol: Symbol,
    /// The line of the declaration, 0 for a name that stands by default.
    line: usize,
}

/// All names but those of replicas.
#[derive(Default)]
pub(super) struct Names<'t> {
    /// In alphabetic order.
    known: Vec<Known<'t>>,
}

impl<'t> Names<'t> {
    /// What a name stands for.
    pub(super) fn get(&self, name: &str) -> Option<Symbol> {
        self.known(name).map(|known| known.symbol)
    }

    fn known(&self, name: &str) -> Option<&Known<'t>> {
        let known = self.known.get(self.index(name));
        known.filter(|known| known.name == name)
    }

    /// Where a name stands, or would.
    fn index(&self, name: &str) -> usize {
        self.known.partition_point(|known| known.name < name)
    }

    /// Declares a name that [`Names::fresh`] has let pass.
    pub(super) fn declare(&mut self, name: &'t str, symbol: Symbol, line: usize) {
        let index = self.index(name);
        match self.known.get_mut(index).filter(|known| known.name == name) {
            Some(known) => (known.symbol, known.line) = (symbol, line),
            None => self.known.insert(index, Known { name, symbol, line }),
        }
    }

    /// Declares a name of a line with an error, unless it is known.
    pub(super) fn declare_broken(&mut self, name: &'t str, line: usize) {
        if self.get(name).is_none() {
            self.declare(name, Symbol::Broken, line);
        }
    }

    /// Reads a name that nothing has yet.
    pub(super) fn fresh(&self, cursor: &mut Cursor<'t>, what: &str) -> Result<&'t str, Stop> {
        let name = cursor.name(what)?;
        match self.get(name) {
            None => {
                cursor.advance();
                Ok(name)
            }
            Some(Symbol::Broken) => Err(Stop::Depends),
            Some(_) => Err(self
                .said(cursor.wrong("a name that is not taken"), name)
                .into()),
        }
    }

    /// Adds what the name stands for, if it is known: "`doc` is a resource (line 3)".
    pub(super) fn said(&self, error: Fault, name: &str) -> Fault {
        match self.known(name) {
            Some(&Known { symbol, line, .. }) if symbol != Symbol::Broken => {
                let place = match line {
                    0 => " by default".to_owned(),
                    _ => join(&[" (line ", &whole(line as u64), ")"]),
                };
                error.advise(&join(&["`", name, "` is ", symbol.noun(), &place]))
            }
            _ => error,
        }
    }

    /// The names for which `keep` holds.
    pub(super) fn of(&self, keep: fn(Symbol) -> bool) -> Vec<&'t str> {
        let mut names = Vec::new();
        for known in &self.known {
            if keep(known.symbol) {
                names.push(known.name);
            }
        }
        names
    }
}
