//! The cases of the tests as a gallery, by theme.

/// A theme with its cases.
pub struct Theme {
    /// What they are about.
    pub title: &'static str,
    /// Their texts.
    pub cases: &'static [&'static str],
}

/// The text of a case.
macro_rules! case {
    ($name:literal) => {
        include_str!(concat!("../../../tests/cases/", $name, ".fence"))
    };
}

/// All cases.
pub static THEMES: &[Theme] = &[
    Theme {
        title: "Pauses and late packets",
        cases: &[
            case!("two-clients-41-42"),
            case!("zombie-after-a-gc-pause-33-34"),
            case!("checked-paused-written"),
            case!("the-client-is-dead-its-packet-is-not"),
            case!("crash-loses-memory"),
            case!("held-messages-and-copies"),
            case!("one-token-packets-reordered-and-duplicated"),
        ],
    },
    Theme {
        title: "What the resource has seen",
        cases: &[
            case!("the-successor-holds-34-but-has-not-written-yet"),
            case!("seed-sequence"),
            case!("claim-before-work"),
            case!("fence-switched-on-mid-run"),
            case!("external-call-after-a-rejection"),
            case!("one-code-path-forgot-the-token"),
            case!("stalled-inside-the-resource"),
            case!("check-pause-then-write-the-resource-s-own-race"),
            case!("each-replica-checks-for-itself"),
            case!("replicas-copies-and-a-majority"),
        ],
    },
    Theme {
        title: "Which comparison",
        cases: &[
            case!("strict-greater-than-refuses-the-holder-s-second"),
            case!("equality-as-a-fence-the-first-writer-pins-the-to"),
            case!("token-minted-before-the-lock-was-won"),
            case!("token-minted-before-the-lock-was-won-other-token"),
            case!("forged-enormous-token"),
            case!("two-scopes"),
            case!("time-bounded-write-instead-of-a-token-nobody-els"),
            case!("an-idempotency-record-with-an-in-progress-timeou"),
        ],
    },
    Theme {
        title: "Leases and renewal",
        cases: &[
            case!("late-renewal-allowed"),
            case!("late-renewal-refused"),
            case!("lapsed-but-nobody-else-wanted-it-late-renew-vs-n"),
            case!("renewal-applied-only-the-answer-got-lost"),
            case!("same-view-at-the-client-but-the-renewal-request"),
            case!("granted-a-lock-with-an-already-dead-lease-expire"),
            case!("a-stale-coordinator-leader-revokes-a-lease-that"),
            case!("lock-delay-longer-than-the-slowest-packet-no-tok"),
            case!("lock-delay-reentry-and-grants"),
            case!("all-at-one-instant"),
            case!("latency-one-second-each-way"),
        ],
    },
    Theme {
        title: "Counters and marks that go back",
        cases: &[
            case!("coordinator-restored-without-a-jump"),
            case!("coordinator-restored-jumping"),
            case!("coordinator-restored-from-backup-mints-the-live"),
            case!("consul-lockindex-starts-again-at-1-after-the-loc"),
            case!("consul-lockindex-starts-again-at-1-after-the-loc-other-token"),
            case!("recreated-lock-document-restarts-at-version-0-he"),
            case!("recreated-lock-document-restarts-at-version-0-he-other-token"),
            case!("garbage-collection-removes-the-fence-marker"),
        ],
    },
];

/// What a case is called.
pub fn title(text: &str) -> &str {
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("scenario \""));
    line.map_or("Untitled", |line| line.trim_end().trim_end_matches('"'))
}
