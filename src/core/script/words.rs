//! The vocabulary: which words begin a line, and who does what.

/// Words that begin a header line. `coordinator` does too, with a colon after it.
pub(super) const HEADERS: [&str; 8] = [
    "scenario", "ttl", "latency", "token", "clients", "lease", "resource", "external",
];
/// The other words that begin a line.
pub(super) const STARTERS: [&str; 5] = ["coordinator", "at", "wait", "note", "expect"];

/// Whether a word begins a line, and so cannot be a name.
pub(super) fn is_keyword(word: &str) -> bool {
    HEADERS.contains(&word) || STARTERS.contains(&word)
}

/// Whether a word has the shape of a name.
pub(super) fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic())
        && word
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
}

/// A kind of subject with its verbs.
pub(super) struct Role {
    pub(super) noun: &'static str,
    pub(super) verbs: &'static [&'static str],
}

pub(super) const CLIENT: Role = Role {
    noun: "a client",
    verbs: &[
        "acquires", "renews", "releases", "pauses", "resumes", "crashes", "restarts", "checks",
        "writes", "reads", "claims", "calls",
    ],
};
pub(super) const MESSAGE: Role = Role {
    noun: "a message",
    verbs: &["arrives", "is"],
};
pub(super) const COORDINATOR: Role = Role {
    noun: "the coordinator",
    verbs: &[
        "expires", "revokes", "saves", "restores", "restarts", "grants",
    ],
};
pub(super) const RESOURCE: Role = Role {
    noun: "a resource",
    verbs: &["forgets", "restarts", "saves", "restores", "becomes"],
};

/// The first kind of subject that has this verb.
pub(super) fn role_of(verb: &str) -> Option<&'static Role> {
    [&CLIENT, &MESSAGE, &RESOURCE, &COORDINATOR]
        .into_iter()
        .find(|role| role.verbs.contains(&verb))
}
