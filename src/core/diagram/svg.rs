//! A picture as a standalone SVG: no script, no font, no other file.

use super::text::{join, number};
use super::{Item, Scene, Shape};

/// Which colours a standalone picture has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// On white.
    Light,
    /// On black.
    Dark,
    /// As the reader's system says.
    Auto,
}

const LIGHT: &str = "--bg:#fff;--sunk:#f6f7f8;--line:#e4e6e9;--ctl:#868d97;--ink:#15181c;--ink2:#4d545e;--ink3:#666d77;--ok:#006d57;--no:#ad1457;--no-tint:#fce6ef;--on:#fff;--a:#005ea2;--a-tint:#e1eefa;--b:#a34600;--b-tint:#fcebdb;--c:#6a3fa0;--c-tint:#eee7f8;--d:#6b5b00;--d-tint:#f5f0d3;--e:#4a5568;--e-tint:#e8ebf0;--f:#8a3324;--f-tint:#f8e4df";
const DARK: &str = "--bg:#111316;--sunk:#181b1f;--line:#2a2e34;--ctl:#707884;--ink:#eceef1;--ink2:#b0b7c1;--ink3:#8f97a3;--ok:#4cc8a5;--no:#ff7da9;--no-tint:#3b1525;--on:#0e1013;--a:#6ab4f0;--a-tint:#15293c;--b:#f0a154;--b-tint:#372410;--c:#bb9cf0;--c-tint:#2a1f3d;--d:#d8c24a;--d-tint:#302a0c;--e:#a9b6c9;--e-tint:#232a34;--f:#e59a88;--f-tint:#38201a";

const STYLE: &str = "text{font-family:system-ui,sans-serif;font-size:12px;font-variant-numeric:tabular-nums;fill:var(--ink2)}\
.lane{font-size:13px;font-weight:640;fill:var(--who,var(--ink))}\
.sub{font-size:11px}\
.num,.chip-n{font:640 11px ui-monospace,Consolas,monospace;font-variant-ligatures:none;fill:var(--ink)}\
.strong{font-weight:640}\
.lbl,.knock{paint-order:stroke;stroke:var(--bg);stroke-width:4px}\
.msg,.open,.mark,.bad,.tick{fill:none}\
.page,.veil,.pause-bg{fill:var(--bg)}\
.band{fill:var(--sunk)}\
.grid,.brk{stroke:var(--line)}\
.brk{stroke:var(--ctl);stroke-dasharray:2 4}\
.life,.drop{stroke:var(--ctl);stroke-opacity:.6}\
.drop{stroke-dasharray:1 3}\
.lease,.value{fill:var(--tint)}\
.plain{fill:var(--line)}\
.lease,.belief,.edge,.guide,.msg,.open{stroke:var(--who)}\
.edge{stroke-width:3}\
.guide{stroke-dasharray:0 4;stroke-linecap:round}\
.msg:not(.reply){stroke-width:1.75}\
.held{stroke-dasharray:1 4;stroke-linecap:round}\
.belief{fill:var(--who);fill-opacity:.17;stroke-width:.75}\
.belief-wrong{fill:var(--no-tint);stroke-dasharray:4 3}\
.hatch{stroke:var(--ctl)}\
.pause{stroke:var(--ctl);fill:url(#hatch)}\
.head,.port,.chip,.who{fill:var(--who)}\
.halo,.chip{stroke:var(--bg)}\
.halo{stroke-width:5}\
.v-ok{fill:var(--ok)}\
.v-dup{fill:var(--ink3)}\
.v-no{fill:var(--no)}\
.tick{stroke:var(--on)}\
.bad,.belief-wrong{stroke:var(--no)}\
.mark,.event{stroke:var(--ink)}\
.mark,.bad,.hatch,.tick,.chip,.guide,.event{stroke-width:2}\
.ring{stroke-dasharray:3 3}\
.ring-thin{fill:none;stroke:var(--ctl)}\
.mark-fill{fill:var(--ink);fill-opacity:.07}\
.pt{fill:var(--ink)}\
.chip-n{fill:var(--on)}\
.callout{fill:var(--no-tint)}\
.no-t{fill:var(--no)}\
.unknown{fill:var(--bg);stroke:var(--who);stroke-dasharray:2 3}\
.stall{fill:none;stroke:var(--ink3);stroke-width:2;stroke-dasharray:1 4;stroke-linecap:round}\
.stall-pt{fill:var(--bg);stroke:var(--ink);stroke-width:1.5}";

/// The picture as one SVG document with `title` as its accessible name, the whole run past.
pub fn svg(scene: &Scene, theme: Theme, title: &str) -> String {
    let mut rules = String::new();
    style(&mut rules, theme);
    document(scene, &rules, title)
}

/// The same in light colours, for programs that do not know custom properties.
pub fn plain_svg(scene: &Scene, title: &str) -> String {
    document(scene, &plain_style(), title)
}

fn document(scene: &Scene, rules: &str, title: &str) -> String {
    let mut out = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" stroke-width=\"1.25\" width=\"",
    );
    number(&mut out, scene.width);
    out.push_str("\" height=\"");
    number(&mut out, scene.height);
    out.push_str("\" viewBox=\"0 0 ");
    number(&mut out, scene.width);
    out.push(' ');
    number(&mut out, scene.height);
    out.push_str("\"><title>");
    escape(&mut out, title);
    out.push_str("</title><style>");
    out.push_str(rules);
    out.push_str("</style><defs><pattern id=\"hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\"><path d=\"M0 0V6\" class=\"hatch\"/></pattern></defs>");
    out.push_str("<rect width=\"100%\" height=\"100%\" class=\"page\"/>");
    scene.ground.iter().for_each(|one| shape(&mut out, one));
    for lane in &scene.lanes {
        group(&mut out, "", lane.who.map(|who| who.0), &lane.shapes);
    }
    scene
        .bars
        .iter()
        .chain(&scene.marks)
        .for_each(|one| item(&mut out, one));
    out.push_str("</svg>\n");
    out
}

/// What does not depend on time, as the inside of a `<g>`: for a page with its own styles.
pub fn ground_markup(scene: &Scene) -> String {
    let mut out = String::new();
    scene.ground.iter().for_each(|one| shape(&mut out, one));
    for lane in &scene.lanes {
        group(&mut out, "", lane.who.map(|who| who.0), &lane.shapes);
    }
    out
}

/// The shapes of one item, as the inside of a `<g>`.
pub fn shapes_markup(shapes: &[Shape]) -> String {
    let mut out = String::new();
    shapes.iter().for_each(|one| shape(&mut out, one));
    out
}

fn style(out: &mut String, theme: Theme) {
    let mut colours = |before: &str, colours: &str, after: &str| {
        out.push_str(before);
        out.push_str("svg{");
        out.push_str(colours);
        out.push('}');
        out.push_str(after);
    };
    match theme {
        Theme::Light => colours("", LIGHT, ""),
        Theme::Dark => colours("", DARK, ""),
        Theme::Auto => {
            colours("", LIGHT, "");
            colours("@media (prefers-color-scheme:dark){", DARK, "}");
        }
    }
    for who in ["a", "b", "c", "d", "e", "f"] {
        out.push_str(&join(&[
            "[data-who=",
            who,
            "]{--who:var(--",
            who,
            ");--tint:var(--",
            who,
            "-tint)}",
        ]));
    }
    out.push_str(STYLE);
}

/// [`STYLE`] with all colours written out: once for what belongs to nobody, then for each client.
fn plain_style() -> String {
    let mut out = String::new();
    for who in ["", "a", "b", "c", "d", "e", "f"] {
        for (selectors, declarations) in STYLE.split('}').filter_map(|rule| rule.split_once('{')) {
            plain_rule(&mut out, who, selectors, declarations);
        }
    }
    for (name, value) in LIGHT.split(';').filter_map(|pair| pair.split_once(':')) {
        out = out.replace(&join(&["var(", name, ")"]), value);
    }
    out
}

/// The rule inside of what is `who`'s. Rules without a client's colour come again as well, so that
/// the order of the rules still decides between them.
fn plain_rule(out: &mut String, who: &str, selectors: &str, declarations: &str) {
    if who.is_empty() {
        let declarations = declarations.replace("var(--who,var(--ink))", "var(--ink)");
        if !declarations.contains("var(--who") && !declarations.contains("var(--tint") {
            out.push_str(&join(&[selectors, "{", &declarations, "}"]));
        }
        return;
    }
    let colour = join(&["var(--", who, ")"]);
    let tint = join(&["var(--", who, "-tint)"]);
    let declarations = declarations
        .replace("var(--who,var(--ink))", &colour)
        .replace("var(--who)", &colour)
        .replace("var(--tint)", &tint);
    let selectors: Vec<String> = (selectors.split(','))
        .map(|selector| join(&["[data-who=", who, "] ", selector]))
        .collect();
    out.push_str(&join(&[&selectors.join(","), "{", &declarations, "}"]));
}

fn item(out: &mut String, item: &Item) {
    group(
        out,
        " class=\"it\"",
        item.who.map(|who| who.0),
        &item.shapes,
    );
}

fn group(out: &mut String, class: &str, who: Option<usize>, shapes: &[Shape]) {
    out.push_str("<g");
    out.push_str(class);
    if let Some(who) = who {
        out.push_str(" data-who=\"");
        out.push((b'a' + (who % 6) as u8) as char);
        out.push('"');
    }
    out.push('>');
    shapes.iter().for_each(|one| shape(out, one));
    out.push_str("</g>");
}

fn attribute(out: &mut String, name: &str, value: f64) {
    out.push_str(name);
    number(out, value);
    out.push('"');
}

fn class_end(out: &mut String, class: &str) {
    out.push_str(" class=\"");
    out.push_str(class);
    out.push_str("\"/>");
}

fn shape(out: &mut String, shape: &Shape) {
    match shape {
        Shape::Rect {
            x,
            y,
            w,
            h,
            rx,
            class,
        } => {
            attribute(out, "<rect x=\"", *x);
            attribute(out, " y=\"", *y);
            attribute(out, " width=\"", *w);
            attribute(out, " height=\"", *h);
            attribute(out, " rx=\"", *rx);
            class_end(out, class);
        }
        Shape::Path { d, class } => {
            out.push_str("<path d=\"");
            out.push_str(d);
            out.push('"');
            class_end(out, class);
        }
        Shape::Circle { cx, cy, r, class } => {
            attribute(out, "<circle cx=\"", *cx);
            attribute(out, " cy=\"", *cy);
            attribute(out, " r=\"", *r);
            class_end(out, class);
        }
        Shape::Text {
            x,
            y,
            text,
            class,
            anchor,
        } => {
            attribute(out, "<text x=\"", *x);
            attribute(out, " y=\"", *y);
            out.push_str(" dy=\".35em\" text-anchor=\"");
            out.push_str(anchor.name());
            out.push_str("\" class=\"");
            out.push_str(class);
            out.push_str("\">");
            escape(out, text);
            out.push_str("</text>");
        }
    }
}

/// Appends text; characters that XML has no place for are left out.
fn escape(out: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\t' | '\n' | '\r' => out.push(' '),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => {}
            other => out.push(other),
        }
    }
}
