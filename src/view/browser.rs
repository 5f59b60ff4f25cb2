//! Everything the app asks of the browser, by web_sys, js_sys and gloo. Other files name types of theirs,
//! and change elements that they were given.
//!
//! Each function is total: what a browser refuses (storage, clipboard, history in a frame) is an
//! `Option` or a `Result`, never a panic.

use crate::embed::{self, Message, Received, Value};
use std::rc::{Rc, Weak};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Document, Element, Event, HtmlElement, Window};

/// The page's window; there is one wherever this code runs.
pub fn window() -> Window {
    web_sys::window().unwrap_throw()
}

fn document() -> Document {
    window().document().unwrap_throw()
}

/// The element of the page.
pub fn root() -> Element {
    document().document_element().unwrap_throw()
}

// ---- time

/// Calls `tick` with the real milliseconds since the last call, in the next frame after as many as that
/// one asked for, until dropped. Where nobody sees the page there are no frames, and time stands still.
pub struct Ticks(#[expect(dead_code, reason = "time runs as long as it is held")] Rc<()>);

impl Ticks {
    pub fn start(tick: impl FnMut(u64) -> u64 + 'static) -> Self {
        let held = Rc::new(());
        tick_after(0, Rc::downgrade(&held), Box::new(tick));
        Ticks(held)
    }
}

fn tick_after(wait_ms: u64, held: Weak<()>, mut tick: Box<dyn FnMut(u64) -> u64>) {
    let start = now_ms();
    let in_time = move || {
        in_next_frame(move || {
            if held.strong_count() == 0 {
                return;
            }
            // What was out of sight for long does not leap ahead.
            let passed = (now_ms() - start).clamp(0.0, (wait_ms + 100) as f64);
            let next = tick(passed.round() as u64);
            tick_after(next, held, tick);
        });
    };
    match wait_ms {
        0 => in_time(),
        _ => after(wait_ms as u32, in_time),
    }
}

/// Calls `then` once after so many real milliseconds, whatever happens to its component.
pub fn after(ms: u32, then: impl FnOnce() + 'static) {
    gloo_timers::callback::Timeout::new(ms, then).forget();
}

/// Calls `then` once when the next frame is on screen.
pub fn after_frame(then: impl FnOnce() + 'static) {
    in_next_frame(move || after(0, then));
}

fn in_next_frame(then: impl FnOnce() + 'static) {
    let callback = Closure::once_into_js(then);
    let _ = window().request_animation_frame(callback.unchecked_ref());
}

/// Real milliseconds since the page was opened.
pub fn now_ms() -> f64 {
    window().performance().map_or(0.0, |clock| clock.now())
}

// ---- what JavaScript says in fewer bytes

#[wasm_bindgen(module = "/src/view/page.js")]
unsafe extern "C" {
    /// Brings the element with this id up to date with markup; `shell`: only its start tag.
    pub fn morph(id: &str, markup: &str, shell: bool);
    #[wasm_bindgen(catch, js_name = pack)]
    async fn pack_text(text: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(catch, js_name = unpack)]
    async fn unpack_word(word: &str, most: usize) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(catch, js_name = get)]
    async fn get_file(path: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(catch, js_name = loadEngine)]
    async fn start_engine() -> Result<JsValue, JsValue>;
    #[wasm_bindgen(catch)]
    fn ask(question: &[u8]) -> Result<Option<Vec<u8>>, JsValue>;
}

/// Loads the simulation, or says why not, as a sentence.
pub async fn load_engine() -> Result<(), String> {
    start_engine().await.map(drop).map_err(sentence)
}

/// Why something failed, where that is known.
fn sentence(reason: JsValue) -> String {
    reason.as_string().unwrap_or_default()
}

/// Asks the simulation; `None` while it is not there.
pub fn ask_engine(question: &[u8]) -> Option<Vec<u8>> {
    ask(question).ok().flatten()
}

// ---- events

/// A listener that is removed when dropped.
pub struct Listener {
    target: web_sys::EventTarget,
    name: &'static str,
    callback: Closure<dyn FnMut(Event)>,
}

impl Listener {
    pub fn on(
        target: &web_sys::EventTarget,
        name: &'static str,
        callback: impl FnMut(Event) + 'static,
    ) -> Self {
        Self::boxed(target, name, Box::new(callback))
    }

    /// One function for all of them.
    #[inline(never)]
    fn boxed(
        target: &web_sys::EventTarget,
        name: &'static str,
        callback: Box<dyn FnMut(Event)>,
    ) -> Self {
        let callback = Closure::wrap(callback);
        let _ = target.add_event_listener_with_callback(name, callback.as_ref().unchecked_ref());
        Listener {
            target: target.clone(),
            name,
            callback,
        }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let callback = self.callback.as_ref().unchecked_ref();
        let _ = self
            .target
            .remove_event_listener_with_callback(self.name, callback);
    }
}

/// The width of an element in px, now and whenever it changes.
pub struct WidthObserver {
    observer: web_sys::ResizeObserver,
    _callback: Closure<dyn FnMut(js_sys::Array)>,
}

impl WidthObserver {
    pub fn new(element: &Element, mut changed: impl FnMut(f64) + 'static) -> Option<Self> {
        Self::observe(element, Box::new(move |size| changed(size.width())))
    }

    /// The same of the element with this id, if it is there.
    pub fn of(id: &str, changed: impl FnMut(f64) + 'static) -> Option<Self> {
        Self::new(&document().get_element_by_id(id)?, changed)
    }

    /// The height of the page's content instead.
    pub fn of_page_height(mut changed: impl FnMut(f64) + 'static) -> Option<Self> {
        let body = document().body()?;
        Self::observe(&body, Box::new(move |size| changed(size.height())))
    }

    #[inline(never)]
    fn observe(
        element: &Element,
        mut changed: Box<dyn FnMut(web_sys::DomRectReadOnly)>,
    ) -> Option<Self> {
        let callback = Closure::<dyn FnMut(js_sys::Array)>::new(move |entries: js_sys::Array| {
            if let Ok(entry) = entries.get(0).dyn_into::<web_sys::ResizeObserverEntry>() {
                changed(entry.content_rect());
            }
        });
        let observer = web_sys::ResizeObserver::new(callback.as_ref().unchecked_ref()).ok()?;
        observer.observe(element);
        Some(WidthObserver {
            observer,
            _callback: callback,
        })
    }
}

impl Drop for WidthObserver {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}

/// So many px before an element comes into view it counts as in sight, where the browser can tell.
const AHEAD: &str = "300px";

/// Watches which elements the reader sees, or is about to see, until dropped.
pub struct Sight {
    observer: Option<web_sys::IntersectionObserver>,
    _callback: Closure<dyn FnMut(js_sys::Array)>,
}

impl Sight {
    /// Calls `changed` with each watched element that comes into sight or leaves it.
    pub fn new(mut changed: impl FnMut(&Element, bool) + 'static) -> Self {
        let callback = Closure::<dyn FnMut(js_sys::Array)>::new(move |entries: js_sys::Array| {
            for entry in entries.iter() {
                if let Ok(entry) = entry.dyn_into::<web_sys::IntersectionObserverEntry>() {
                    changed(&entry.target(), entry.is_intersecting());
                }
            }
        });
        let options = web_sys::IntersectionObserverInit::new();
        options.set_root_margin(AHEAD);
        // Of what scrolls inside of the page, too.
        let _ = js_sys::Reflect::set(&options, &"scrollMargin".into(), &AHEAD.into());
        let function = callback.as_ref().unchecked_ref();
        let observer = web_sys::IntersectionObserver::new_with_options(function, &options).ok();
        Sight {
            observer,
            _callback: callback,
        }
    }

    /// Watches one more element, as long as it is on the page.
    pub fn watch(&self, element: &Element) {
        if let Some(observer) = &self.observer {
            observer.observe(element);
        }
    }
}

impl Drop for Sight {
    fn drop(&mut self) {
        if let Some(observer) = &self.observer {
            observer.disconnect();
        }
    }
}

/// Whether a key press belongs to a control that uses it itself.
pub fn types_text(event: &Event) -> bool {
    let Some(element) = event.target().and_then(|t| t.dyn_into::<Element>().ok()) else {
        return false;
    };
    let tag = element.tag_name();
    matches!(tag.as_str(), "TEXTAREA" | "SELECT")
        || tag == "INPUT" && element.get_attribute("type").as_deref() == Some("text")
}

/// Whether the target is a slider.
pub fn is_slider(event: &Event) -> bool {
    let element = event.target().and_then(|t| t.dyn_into::<Element>().ok());
    element.is_some_and(|element| element.get_attribute("type").as_deref() == Some("range"))
}

/// Whether the target is a control that a space or Enter presses.
pub fn is_pressed_by_keys(event: &Event) -> bool {
    let Some(element) = event.target().and_then(|t| t.dyn_into::<Element>().ok()) else {
        return false;
    };
    matches!(
        element.tag_name().as_str(),
        "BUTTON" | "A" | "SUMMARY" | "INPUT" | "SELECT" | "TEXTAREA"
    )
}

/// Whether the target is a group of choices in which arrow keys move.
pub fn uses_arrows(event: &Event) -> bool {
    let Some(element) = event.target().and_then(|t| t.dyn_into::<Element>().ok()) else {
        return false;
    };
    types_text(event) || element.get_attribute("type").as_deref() == Some("radio")
}

// ---- elements

/// Moves the focus to the element with this id, without scrolling the page if `still`.
pub fn focus(id: &str, still: bool) {
    if let Some(element) = document()
        .get_element_by_id(id)
        .and_then(|e| e.dyn_into::<HtmlElement>().ok())
    {
        let options = web_sys::FocusOptions::new();
        options.set_prevent_scroll(still);
        let _ = element.focus_with_options(&options);
    }
}

/// The element with this id, where nothing in it can be reached.
pub fn asleep(id: &str) -> Option<Element> {
    let element = document().get_element_by_id(id);
    element.filter(|element| element.has_attribute("inert"))
}

/// Scrolls the element with this id into view.
pub fn scroll_to(id: &str) {
    if let Some(element) = document().get_element_by_id(id) {
        element.scroll_into_view();
    }
}

/// Sets the title of the page.
pub fn set_title(title: &str) {
    document().set_title(title);
}

/// Sets or removes an attribute of `<html>`.
pub fn set_root_attribute(name: &str, value: Option<&str>) {
    let _ = match value {
        Some(value) => root().set_attribute(name, value),
        None => root().remove_attribute(name),
    };
}

/// Sets or removes a custom property of the page.
pub fn set_root_property(name: &str, value: Option<&str>) {
    if let Ok(root) = root().dyn_into::<HtmlElement>() {
        let _ = match value {
            Some(value) => root.style().set_property(name, value),
            None => root.style().remove_property(name).map(|_| ()),
        };
    }
}

/// The width of the window in px.
pub fn window_width() -> f64 {
    let width = window().inner_width().ok().and_then(|width| width.as_f64());
    width.unwrap_or(0.0)
}

// ---- preferences

/// Whether a media query matches now.
pub fn matches_media(query: &str) -> bool {
    let list = window().match_media(query).ok().flatten();
    list.is_some_and(|list| list.matches())
}

/// Calls `changed` whenever the media query starts or stops to match.
pub fn watch_media(query: &str, mut changed: impl FnMut(bool) + 'static) -> Option<Listener> {
    let list = window().match_media(query).ok().flatten()?;
    let watched = list.clone();
    Some(Listener::on(&list, "change", move |_| {
        changed(watched.matches())
    }))
}

// ---- storage

/// A stored text; `None` if there is none, or storage is blocked.
pub fn load(key: &str) -> Option<String> {
    window()
        .local_storage()
        .ok()
        .flatten()?
        .get_item(key)
        .ok()
        .flatten()
}

/// Stores a text; `false` if storage is blocked or full.
pub fn store(key: &str, value: &str) -> bool {
    let storage = window().local_storage().ok().flatten();
    storage.is_some_and(|storage| storage.set_item(key, value).is_ok())
}

/// Whether anything can be stored: other sites' frames and sandboxes may forbid it.
pub fn has_storage() -> bool {
    window().local_storage().ok().flatten().is_some()
}

// ---- address

/// The folder of the app, as an address with a slash at its end.
pub fn folder() -> String {
    let address = address();
    let path = address.split(['?', '#']).next().unwrap_or("");
    path.rsplit_once('/')
        .map_or(String::new(), |(folder, _)| [folder, "/"].concat())
}

/// The fragment of the address, without `#`. The static page of a lesson stands for its first beat.
pub fn fragment() -> String {
    let hash = window().location().hash().unwrap_or_default();
    match hash.strip_prefix('#') {
        Some(fragment) => fragment.to_owned(),
        None => root()
            .get_attribute("data-lesson")
            .map_or(hash, |slug| ["/lesson/", &slug, "/1"].concat()),
    }
}

/// The query of the address, without `?`.
pub fn query() -> String {
    let search = window().location().search().unwrap_or_default();
    search.strip_prefix('?').unwrap_or(&search).to_owned()
}

/// Goes to another page.
pub fn go_to(address: &str) {
    let _ = window().location().set_href(address);
}

/// The whole address.
pub fn address() -> String {
    window().location().href().unwrap_or_default()
}

/// Writes the fragment: as a new entry of the history, or in place of the current one.
pub fn set_fragment(fragment: &str, new_entry: bool) {
    let url = ["#", fragment].concat();
    if let Ok(history) = window().history() {
        let _ = if new_entry {
            history.push_state_with_url(&JsValue::NULL, "", Some(&url))
        } else {
            history.replace_state_with_url(&JsValue::NULL, "", Some(&url))
        };
    }
}

/// Calls `changed` when the reader goes back or on, follows a link or edits the address.
pub fn watch_address(changed: impl FnMut() + Clone + 'static) -> [Listener; 2] {
    let window = window();
    let (mut by_history, mut by_hand) = (changed.clone(), changed);
    [
        Listener::on(&window, "popstate", move |_| by_history()),
        Listener::on(&window, "hashchange", move |_| by_hand()),
    ]
}

// ---- files, clipboard, network

/// Puts a text on the clipboard; `false` if the browser refuses.
pub async fn copy(text: String) -> bool {
    let clipboard = js_sys::Reflect::get(&window().navigator(), &"clipboard".into());
    match clipboard {
        Ok(found) if !found.is_undefined() => {
            JsFuture::from(window().navigator().clipboard().write_text(&text))
                .await
                .is_ok()
        }
        _ => false,
    }
}

/// The bytes of a file beside the page.
///
/// # Errors
/// A sentence for the reader.
pub async fn fetch(path: &str) -> Result<Vec<u8>, String> {
    match get_file(path).await {
        Ok(bytes) => Ok(js_sys::Uint8Array::new(&bytes).to_vec()),
        Err(reason) => Err(sentence(reason)),
    }
}

/// A text as a word for addresses: raw deflate in URL-safe base64. `None` where the browser cannot.
pub async fn pack(text: &str) -> Option<String> {
    pack_text(text).await.ok()?.as_string()
}

/// The text of [`pack`]; `None` for anything else, and for more than `most` bytes.
pub async fn unpack(word: &str, most: usize) -> Option<String> {
    unpack_word(word, most).await.ok()?.as_string()
}

fn get(object: &JsValue, name: &str) -> Option<JsValue> {
    js_sys::Reflect::get(object, &name.into())
        .ok()
        .filter(|value| !value.is_undefined())
}

fn call(object: &JsValue, name: &str, argument: Option<&JsValue>) -> Option<JsValue> {
    let method: js_sys::Function = get(object, name)?.dyn_into().ok()?;
    match argument {
        Some(argument) => method.call1(object, argument).ok(),
        None => method.call0(object).ok(),
    }
}

/// Whether the target is open: of what unfolds.
pub fn is_open(event: &Event) -> bool {
    let target = event.target().map(JsValue::from);
    target
        .and_then(|target| get(&target, "open"))
        .is_some_and(|open| open.is_truthy())
}

/// The attribute of the event's target.
pub fn data_of_target(event: &Event, name: &str) -> Option<String> {
    event
        .target()?
        .dyn_into::<Element>()
        .ok()?
        .get_attribute(name)
}

/// The fields of the form around the event's target, as the query of an address.
pub fn form_query(event: &Event) -> Option<String> {
    let form = event
        .target()?
        .dyn_into::<Element>()
        .ok()?
        .closest("form")
        .ok()??;
    let make = |name: &str, from: &JsValue| {
        let constructor: js_sys::Function = get(&window(), name)?.dyn_into().ok()?;
        js_sys::Reflect::construct(&constructor, &js_sys::Array::of1(from)).ok()
    };
    let query = make("URLSearchParams", &make("FormData", &form)?)?;
    call(&query, "toString", None)?.as_string()
}

/// Loads a script beside the page, once.
pub fn load_module(path: &str) {
    let found = document().query_selector(&["script[src=\"", path, "\"]"].concat());
    if matches!(found, Ok(None))
        && let Ok(script) = document().create_element("script")
    {
        let _ = script.set_attribute("type", "module");
        let _ = script.set_attribute("src", path);
        let _ = root().append_child(&script);
    }
}

/// Keeps the learner's text where the page finds it if the app stops (see `boot.js`).
pub fn keep_text(text: &str) {
    let _ = js_sys::Reflect::set(&window(), &"fencingLabText".into(), &text.into());
}

/// Runs a future of the page.
pub fn spawn(future: impl Future<Output = ()> + 'static) {
    wasm_bindgen_futures::spawn_local(future);
}

/// A note for the developers of a host page.
pub fn warn(text: &str) {
    web_sys::console::warn_1(&text.into());
}

/// Whether the page runs inside a frame of another.
pub fn is_framed() -> bool {
    let window = window();
    match window.parent() {
        Ok(Some(parent)) => parent != window,
        _ => true,
    }
}

// ---- host page

/// Says something to the page that this frame stands in; `id` tells it which frame speaks, or
/// which question is answered. Nothing of it is secret, so that any host may hear it.
pub fn post(id: &str, message: &Message) {
    if !is_framed() {
        return;
    }
    let object = js_sys::Object::new();
    let put = |name: &str, value: JsValue| {
        let _ = js_sys::Reflect::set(&object, &name.into(), &value);
    };
    put("source", "fencing-lab".into());
    put("v", 1.into());
    put("id", id.into());
    put("type", message.kind.into());
    for (name, value) in &message.fields {
        put(name, js_value(value));
    }
    if let Ok(Some(parent)) = window().parent() {
        let _ = parent.post_message(&object, "*");
    }
}

fn js_value(value: &Value) -> JsValue {
    match value {
        Value::Null => JsValue::NULL,
        Value::Flag(flag) => (*flag).into(),
        Value::Number(number) => (*number).into(),
        Value::Text(text) => text.as_str().into(),
        Value::Numbers(numbers) => numbers
            .iter()
            .map(|number| JsValue::from(*number))
            .collect::<js_sys::Array>()
            .into(),
    }
}

/// Calls `heard` with the `id` of each message of the page that this frame stands in, and with
/// what it says. Messages of others, and what is no object, are dropped; a text of more than
/// `most` UTF-16 units counts as missing.
pub fn watch_host(
    most: u32,
    mut heard: impl FnMut(Option<String>, Received) + 'static,
) -> Listener {
    Listener::on(&window(), "message", move |event| {
        let parent = window().parent().ok().flatten().map(JsValue::from);
        let of_parent = is_framed() && parent.is_some() && get(&event, "source") == parent;
        let Some(data) = get(&event, "data").filter(|data| of_parent && data.is_object()) else {
            return;
        };
        let text = |name: &str| {
            let text: js_sys::JsString = get(&data, name)?.dyn_into().ok()?;
            (text.length() <= most).then(|| String::from(text))
        };
        let number = |name: &str| get(&data, name)?.as_f64();
        heard(
            text("id").filter(|id| id.len() <= 64),
            embed::receive(&text, &number),
        );
    })
}

/// Calls `changed` when the page comes into view, and when it leaves it; never where the browser
/// cannot tell.
pub fn watch_view(mut changed: impl FnMut(bool) + 'static) {
    let callback = Closure::<dyn FnMut(js_sys::Array)>::new(move |entries: js_sys::Array| {
        let last = entries.get(entries.length().saturating_sub(1));
        changed(get(&last, "isIntersecting").is_some_and(|seen| seen.is_truthy()));
    });
    let start = || {
        let constructor: js_sys::Function =
            get(&window(), "IntersectionObserver")?.dyn_into().ok()?;
        let options = js_sys::Object::new();
        js_sys::Reflect::set(&options, &"threshold".into(), &0.1.into()).ok()?;
        let arguments = js_sys::Array::of2(callback.as_ref(), &options);
        let observer = js_sys::Reflect::construct(&constructor, &arguments).ok()?;
        call(&observer, "observe", Some(&root()))
    };
    let _ = start();
    // It lives as long as the page.
    callback.forget();
}

/// Gives the focus back to the page that this frame stands in.
pub fn leave() {
    if let Some(element) = document()
        .active_element()
        .and_then(|e| e.dyn_into::<HtmlElement>().ok())
    {
        let _ = element.blur();
    }
    if let Ok(Some(parent)) = window().parent() {
        let _ = parent.focus();
    }
}

// ---- markup with handlers above it

/// The nearest element around the event's target that fits a selector.
pub fn closest(event: &Event, selector: &str) -> Option<Element> {
    event
        .target()?
        .dyn_into::<Element>()
        .ok()?
        .closest(selector)
        .ok()
        .flatten()
}

/// An attribute of the nearest element around the event's target that has it.
pub fn data_near(event: &Event, name: &str) -> Option<String> {
    closest(event, &["[", name, "]"].concat())?.get_attribute(name)
}

/// The elements below `root` that fit a selector.
fn all(root: &Element, selector: &str) -> Vec<Element> {
    let Ok(found) = root.query_selector_all(selector) else {
        return Vec::new();
    };
    (0..found.length())
        .filter_map(|index| found.item(index)?.dyn_into().ok())
        .collect()
}

/// The values of all inputs below `root`, in order; that of an empty check box is empty.
pub fn values_in(root: &Element) -> Vec<String> {
    let value = |element: Element| match element.dyn_into::<web_sys::HtmlInputElement>() {
        Ok(input) if input.type_() == "checkbox" => {
            if input.checked() {
                "on".to_owned()
            } else {
                String::new()
            }
        }
        Ok(input) => input.value(),
        Err(other) => other
            .dyn_into::<web_sys::HtmlSelectElement>()
            .map(|select| select.value())
            .unwrap_or_default(),
    };
    all(root, "input, select").into_iter().map(value).collect()
}

/// The value of the input that an event comes from.
pub fn value_of(event: &Event) -> String {
    let Some(target) = event.target() else {
        return String::new();
    };
    match target.dyn_into::<web_sys::HtmlInputElement>() {
        Ok(input) => input.value(),
        Err(other) => other
            .dyn_into::<web_sys::HtmlSelectElement>()
            .map(|select| select.value())
            .unwrap_or_default(),
    }
}

/// Puts a text into the first element below `root` that fits a selector.
pub fn set_text(root: &Element, selector: &str, text: &str) {
    if let Ok(Some(element)) = root.query_selector(selector) {
        element.set_text_content(Some(text));
    }
}

/// Puts markup in place of the children of `group` with these indices.
pub fn replace_children(group: &Element, range: std::ops::Range<usize>, markup: &str) {
    let children = group.children();
    let child = |index: usize| {
        u32::try_from(index)
            .ok()
            .and_then(|index| children.item(index))
    };
    match child(range.end) {
        Some(next) => drop(next.insert_adjacent_html("beforebegin", markup)),
        None => drop(group.insert_adjacent_html("beforeend", markup)),
    }
    for _ in range.clone() {
        if let Some(old) = child(range.start) {
            old.remove();
        }
    }
}

/// Top and height, in px within its offset parent, of the child of `group` with this index.
pub fn place_of(group: &Element, index: usize) -> Option<(i32, i32)> {
    let child = group
        .children()
        .item(u32::try_from(index).ok()?)?
        .dyn_into::<HtmlElement>()
        .ok()?;
    Some((child.offset_top(), child.offset_height()))
}

/// Closes all open menus but the one around the event's target. Whether one was closed.
pub fn close_menus(event: Option<&Event>) -> bool {
    let here = event.and_then(|event| closest(event, "details.pop"));
    let mut closed = false;
    for menu in all(&root(), "details.pop[open]") {
        if here.as_ref() != Some(&menu) {
            let _ = menu.remove_attribute("open");
            closed = true;
        }
    }
    closed
}

/// Closes all open menus and leaves the focus on the last one’s handle.
pub fn leave_menus() -> bool {
    let last = all(&root(), "details.pop[open] > summary").pop();
    let closed = close_menus(None);
    if let Some(summary) = last.and_then(|summary| summary.dyn_into::<HtmlElement>().ok()) {
        let _ = summary.focus();
    }
    closed
}

/// Start and end of the selection of a text area, in UTF-16 units.
pub fn selection(area: &web_sys::HtmlTextAreaElement) -> (u32, u32) {
    let at = |found: Result<Option<u32>, JsValue>| found.ok().flatten().unwrap_or(0);
    (at(area.selection_start()), at(area.selection_end()))
}

/// Selects all of a field.
pub fn select_all(id: &str) {
    let field = document()
        .get_element_by_id(id)
        .and_then(|e| e.dyn_into::<web_sys::HtmlInputElement>().ok());
    if let Some(field) = field {
        field.select();
    }
}

// ---- files

/// Milliseconds since 1970.
pub fn epoch_ms() -> u64 {
    js_sys::Date::now() as u64
}

/// The first file that was chosen or dropped.
pub fn file_of(event: &Event) -> Option<web_sys::File> {
    let files = match event.dyn_ref::<web_sys::DragEvent>() {
        Some(drag) => drag.data_transfer()?.files()?,
        None => event
            .target()?
            .dyn_into::<web_sys::HtmlInputElement>()
            .ok()?
            .files()?,
    };
    files.get(0)
}

/// Lets the same file be chosen again.
pub fn forget_file(event: &Event) {
    if let Some(input) = event
        .target()
        .and_then(|target| target.dyn_into::<web_sys::HtmlInputElement>().ok())
    {
        input.set_value("");
    }
}

/// The text of a file of at most `most` bytes; `None` if it is larger or cannot be read.
pub async fn text_of(file: web_sys::File, most: usize) -> Option<String> {
    if file.size() > most as f64 {
        return None;
    }
    JsFuture::from(file.text()).await.ok()?.as_string()
}

/// Saves an address as a file.
fn save(url: &str, name: &str) -> Option<()> {
    let link = document()
        .create_element("a")
        .ok()?
        .dyn_into::<web_sys::HtmlAnchorElement>()
        .ok()?;
    link.set_href(url);
    link.set_download(name);
    link.click();
    Some(())
}

/// Saves a text as a file; `None` if the browser refuses.
pub fn save_text(name: &str, text: &str) -> Option<()> {
    let parts = js_sys::Array::of1(&text.into());
    let blob = web_sys::Blob::new_with_str_sequence(&parts).ok()?;
    let url = web_sys::Url::create_object_url_with_blob(&blob).ok()?;
    save(&url, name)?;
    after(10_000, move || drop(web_sys::Url::revoke_object_url(&url)));
    Some(())
}

/// Draws a standalone SVG at twice its size and saves it as PNG; `None` if the browser refuses.
pub async fn save_png(name: &str, svg: &str, width: f64, height: f64) -> Option<()> {
    let image = web_sys::HtmlImageElement::new().ok()?;
    let encoded = js_sys::encode_uri_component(svg).as_string()?;
    image.set_src(&["data:image/svg+xml,", &encoded].concat());
    JsFuture::from(image.decode()).await.ok()?;
    let canvas = document()
        .create_element("canvas")
        .ok()?
        .dyn_into::<web_sys::HtmlCanvasElement>()
        .ok()?;
    canvas.set_width((width * 2.0) as u32);
    canvas.set_height((height * 2.0) as u32);
    let context = canvas
        .get_context("2d")
        .ok()
        .flatten()?
        .dyn_into::<web_sys::CanvasRenderingContext2d>()
        .ok()?;
    context
        .draw_image_with_html_image_element_and_dw_and_dh(
            &image,
            0.0,
            0.0,
            width * 2.0,
            height * 2.0,
        )
        .ok()?;
    save(&canvas.to_data_url_with_type("image/png").ok()?, name)
}

/// Places the elements below `root` that fit a selector by their `data-x` and `data-y`, in px.
pub fn place_by_data(root: &Element, selector: &str) {
    for element in all(root, selector) {
        let Ok(element) = element.dyn_into::<HtmlElement>() else {
            continue;
        };
        for (data, property) in [("data-x", "--x"), ("data-y", "--y")] {
            let value = element.get_attribute(data).unwrap_or_default();
            let _ = element
                .style()
                .set_property(property, &[&value, "px"].concat());
        }
    }
}

/// Sets attributes of the event's target, and places it by them (see [`place_by_data`]).
pub fn move_by_data(event: &Event, attributes: &[(&str, &str)]) {
    let Some(element) = event.target().and_then(|e| e.dyn_into::<Element>().ok()) else {
        return;
    };
    for (name, value) in attributes {
        let _ = element.set_attribute(name, value);
    }
    if let Some(parent) = element.parent_element() {
        place_by_data(&parent, "[data-grip]");
    }
}

/// All that this pointer does until it is let go concerns the event's target.
pub fn capture_pointer(event: &web_sys::PointerEvent) {
    if let Some(element) = event.target().and_then(|e| e.dyn_into::<Element>().ok()) {
        let _ = element.set_pointer_capture(event.pointer_id());
    }
}

/// Sets the value of the select with this id.
pub fn set_value(id: &str, value: &str) {
    let found = document()
        .get_element_by_id(id)
        .and_then(|e| e.dyn_into::<web_sys::HtmlSelectElement>().ok());
    if let Some(select) = found {
        select.set_value(value);
    }
}
