//! What an author copies into a page, for each kind of host.
//!
//! Rules that were learned from real hosts: no `style` attribute (it breaks MDX), nothing
//! self-closed (HTML would swallow the rest of the page), no blank line inside (it would end the
//! HTML block of a Markdown page), no indentation (it would make a code block).

use crate::lesson::client_verb;
use crate::session::Run;
use crate::sim::*;

/// A tool that makes documentation pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Host {
    /// Any page.
    Html,
    /// mdBook.
    MdBook,
    /// Docusaurus, and other MDX.
    Docusaurus,
    /// MkDocs with Material.
    Material,
    /// Sphinx.
    Sphinx,
    /// Hugo.
    Hugo,
    /// VitePress.
    VitePress,
    /// reveal.js.
    Reveal,
}

impl Host {
    /// All, in the order of the tabs.
    pub const ALL: [Host; 8] = [
        Host::Html,
        Host::MdBook,
        Host::Docusaurus,
        Host::Material,
        Host::Sphinx,
        Host::Hugo,
        Host::VitePress,
        Host::Reveal,
    ];

    /// As its makers write it.
    pub fn label(self) -> &'static str {
        match self {
            Host::Html => "HTML",
            Host::MdBook => "mdBook",
            Host::Docusaurus => "Docusaurus",
            Host::Material => "MkDocs",
            Host::Sphinx => "Sphinx",
            Host::Hugo => "Hugo",
            Host::VitePress => "VitePress",
            Host::Reveal => "reveal.js",
        }
    }
}

/// A piece of a snippet and where it goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// A file of the host, or what kind of place it is.
    pub place: &'static str,
    /// To be copied as it is.
    pub text: String,
}

/// What is embedded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    /// The folder of the app: an address with a slash at its end.
    pub base: String,
    /// What a link to it says.
    pub title: String,
    /// The address of the same state in the app, after `base`.
    pub link: String,
    /// The options that differ from the default, by name.
    pub options: Vec<(String, String)>,
    /// The text of a scenario of the author's own.
    pub scenario: Option<String>,
}

/// The pieces for a host: first what is done once for the site, last what stands in the page.
pub fn snippet(host: Host, shown: &Shown) -> Vec<Piece> {
    let script = [shown.base.as_str(), "fencing-lab.js"].concat();
    let tag = [
        "<script type=\"module\" src=\"",
        &escape(&script),
        "\"></script>",
    ]
    .concat();
    let page = |place, text| Piece { place, text };
    match host {
        Host::Html => vec![page("the page", [&tag, "\n", &element(shown)].concat())],
        Host::MdBook => vec![
            page("theme/head.hbs", tag),
            page("a chapter", markdown(shown)),
        ],
        Host::Docusaurus => vec![
            page(
                "docusaurus.config.js",
                ["scripts: [{ src: '", &script, "', type: 'module' }],"].concat(),
            ),
            page("an .mdx page", jsx(shown)),
        ],
        Host::Material => vec![
            page(
                "mkdocs.yml",
                [
                    "extra_javascript:\n  - path: ",
                    &script,
                    "\n    type: module",
                ]
                .concat(),
            ),
            page("a page", markdown(shown)),
        ],
        Host::Sphinx => vec![
            page(
                "conf.py",
                [
                    "html_js_files = [(\"",
                    &script,
                    "\", {\"type\": \"module\"})]",
                ]
                .concat(),
            ),
            page("an .rst page", rst(shown)),
        ],
        Host::Hugo => vec![
            page(
                "layouts/shortcodes/fencing-lab.html",
                [&tag, HUGO_SHORTCODE].concat(),
            ),
            page("a page", hugo(shown)),
        ],
        Host::VitePress => vec![
            page(
                ".vitepress/config.js",
                [VITEPRESS_START, &script, VITEPRESS_END].concat(),
            ),
            page("a page", vue(shown)),
        ],
        Host::Reveal => vec![
            page("after the script of reveal.js", tag),
            page(
                "the slides",
                ["<section>\n", &element(shown), "\n</section>"].concat(),
            ),
        ],
    }
}

const HUGO_SHORTCODE: &str = "\n<fencing-lab{{ range $name, $value := .Params }} {{ $name | safeHTMLAttr }}=\"{{ $value }}\"{{ end }}>{{ .Inner }}</fencing-lab>";
const VITEPRESS_START: &str = "head: [['script', { type: 'module', src: '";
const VITEPRESS_END: &str = "' }]],\nvue: { template: { compilerOptions: { isCustomElement: (tag) => tag === 'fencing-lab' } } },";

/// What a form of choices says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chosen {
    /// The options that differ from the default, in the order of [`OPTIONS`].
    pub options: Vec<(String, String)>,
    /// The author's own text, instead of a lesson.
    pub scenario: Option<String>,
    /// Width of the preview in px; `None`: all there is.
    pub width: Option<u32>,
    /// The page around the preview is dark.
    pub dark: bool,
}

/// Options that a form offers: name, default, and what it means.
pub const OPTIONS: [(&str, &str, &str); 9] = [
    ("lesson", "", "or a scenario as the element’s text"),
    (
        "event",
        "",
        "where the cursor stands: the name of a write or event",
    ),
    ("policy", "", "the scenario’s own, or this one"),
    (
        "show",
        "timeline",
        "of timeline, panels, gate, transcript, script, prose",
    ),
    ("controls", "minimal", "full, minimal or none"),
    ("caption", "title", "title, line, none, or your own text"),
    ("theme", "auto", "auto follows the page"),
    ("speed", "1", "0.5, 1, 2 or 4"),
    ("autoplay", "", "plays while it is seen"),
];

/// Reads a form, written as the query of an address. Parts of one name are joined by spaces.
pub fn chosen(form: &str) -> Chosen {
    let fields: Vec<_> = form_urlencoded::parse(form.as_bytes()).collect();
    let value = |name: &str| {
        let all: Vec<&str> = fields
            .iter()
            .filter(|(known, _)| known == name)
            .map(|(_, value)| value.trim())
            .collect();
        all.join(" ")
    };
    let own = value("what") == "own";
    let is_set = |name: &str, default: &str, value: &str| {
        !value.is_empty() && value != default && !(own && matches!(name, "lesson" | "event"))
    };
    let options = (OPTIONS.iter())
        .map(|(name, default, _)| (*name, *default, value(name)))
        .filter(|(name, default, value)| is_set(name, default, value))
        .map(|(name, _, value)| (name.to_owned(), value))
        .collect();
    Chosen {
        options,
        scenario: own.then(|| value("text")),
        width: value("width").parse().ok(),
        dark: value("host") == "dark",
    }
}

/// Places of a run that an embed can start at: the name for the option `event`, and what happens.
pub fn places(run: &Run) -> Vec<(String, String)> {
    let (scenario, trace) = (run.scenario(), &run.trace);
    let mut all = Vec::new();
    for event in &trace.events {
        let at = [", ", &event.at_secs.to_string(), " s"].concat();
        match &event.kind {
            EventKind::Judged(verdict) => {
                let verdict = trace.verdicts.get(*verdict);
                let name = verdict
                    .and_then(|v| v.name)
                    .and_then(|name| scenario.messages.get(name.0));
                if let Some((verdict, name)) = verdict.zip(name) {
                    let answer = if verdict.answer == Answer::Accepted {
                        " is accepted"
                    } else {
                        " is rejected"
                    };
                    all.push((name.clone(), [name, answer, &at].concat()));
                }
            }
            EventKind::Client(client, action) => {
                let name = [&scenario.clients[client.0], " ", client_verb(*action)].concat();
                all.push((name.clone(), [name, at].concat()));
            }
            _ => {}
        }
    }
    // A name stands for the first event that has it.
    let mut known: Vec<(String, String)> = Vec::new();
    for (name, label) in all {
        if known.iter().all(|(before, _)| *before != name) {
            known.push((name, label));
        }
    }
    known
}

/// A bare frame, for hosts that take no script. `query`: the options as in addresses.
pub fn frame(base: &str, query: &str, title: &str, height: u32) -> String {
    let src = [base, "?embed&", query].concat();
    [
        "<iframe src=\"",
        &escape(src.trim_end_matches('&')),
        "\" title=\"",
        &escape(&["Fencing Lab: ", title].concat()),
        "\" width=\"100%\" height=\"",
        &height.to_string(),
        "\" loading=\"lazy\" allow=\"clipboard-write; fullscreen\"></iframe>",
    ]
    .concat()
}

/// ` lesson="paused-holder" at="16"`.
fn attributes(shown: &Shown) -> String {
    let mut out = String::new();
    for (name, value) in &shown.options {
        out.push_str(&[" ", name, "=\"", &escape(value), "\""].concat());
    }
    out
}

fn around(shown: &Shown, content: &str) -> String {
    [
        "<fencing-lab",
        &attributes(shown),
        ">",
        content,
        "</fencing-lab>",
    ]
    .concat()
}

/// What is read where scripts do not run, and what is printed.
fn link(shown: &Shown) -> String {
    let address = [shown.base.as_str(), &shown.link].concat();
    [
        "<a href=\"",
        &escape(&address),
        "\">",
        &escape(&shown.title),
        "</a>",
    ]
    .concat()
}

/// The element itself.
pub fn element(shown: &Shown) -> String {
    match &shown.scenario {
        Some(text) => around(
            shown,
            &["<pre>\n", &escape(&without_blank_lines(text)), "\n</pre>"].concat(),
        ),
        None => around(shown, &link(shown)),
    }
}

/// Markdown would put the element into a paragraph, which a `<pre>` ends: a block stands around it.
fn markdown(shown: &Shown) -> String {
    let element = element(shown);
    if shown.scenario.is_some() {
        ["<div>\n", &element, "\n</div>"].concat()
    } else {
        element
    }
}

/// In MDX braces and backticks mean something: the text is a string in JavaScript.
fn jsx(shown: &Shown) -> String {
    match &shown.scenario {
        Some(text) => {
            let text = without_blank_lines(text)
                .replace('\\', "\\\\")
                .replace('`', "\\`")
                .replace("${", "\\${");
            around(shown, &["<pre>{`\n", &text, "\n`}</pre>"].concat())
        }
        None => {
            // A title is text there too.
            let plain = Shown {
                title: shown.title.replace(['{', '}'], ""),
                ..shown.clone()
            };
            around(shown, &link(&plain))
        }
    }
}

/// Vue would read `{{`.
fn vue(shown: &Shown) -> String {
    markdown(shown).replacen("<pre>", "<pre v-pre>", 1)
}

fn rst(shown: &Shown) -> String {
    let indented: Vec<String> = element(shown)
        .lines()
        .map(|line| ["   ", line].concat())
        .collect();
    let otherwise = [&shown.title, ": ", &shown.base, &shown.link].concat();
    [
        ".. raw:: html\n\n",
        &indented.join("\n"),
        "\n\n.. only:: not html\n\n   ",
        &otherwise,
    ]
    .concat()
}

fn hugo(shown: &Shown) -> String {
    let inner = match &shown.scenario {
        Some(text) => ["<pre>\n", &escape(&without_blank_lines(text)), "\n</pre>"].concat(),
        None => link(shown),
    };
    [
        "{{< fencing-lab",
        &attributes(shown),
        " >}}",
        &inner,
        "{{< /fencing-lab >}}",
    ]
    .concat()
}

/// A comment of the language stands for each blank line.
fn without_blank_lines(text: &str) -> String {
    let lines: Vec<&str> = text
        .trim()
        .lines()
        .map(|line| {
            if line.trim().is_empty() {
                "#"
            } else {
                line.trim_end()
            }
        })
        .collect();
    lines.join("\n")
}

/// A text as HTML, also within quotes.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
