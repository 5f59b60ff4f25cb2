//! Which elements the reader sees, or is about to see.

use wasm_bindgen::prelude::*;
use web_sys::{Element, IntersectionObserver, IntersectionObserverEntry, IntersectionObserverInit};

/// So many px before an element comes into view it counts as in sight, where the browser can tell.
const AHEAD: &str = "300px";

/// Watches elements until dropped.
pub struct Sight {
    observer: Option<IntersectionObserver>,
    _callback: Closure<dyn FnMut(js_sys::Array)>,
}

impl Sight {
    /// Calls `changed` with each watched element that comes into sight or leaves it.
    pub fn new(mut changed: impl FnMut(&Element, bool) + 'static) -> Self {
        let callback = Closure::<dyn FnMut(js_sys::Array)>::new(move |entries: js_sys::Array| {
            for entry in entries.iter() {
                if let Ok(entry) = entry.dyn_into::<IntersectionObserverEntry>() {
                    changed(&entry.target(), entry.is_intersecting());
                }
            }
        });
        let options = IntersectionObserverInit::new();
        options.set_root_margin(AHEAD);
        // Of what scrolls inside of the page, too.
        let _ = js_sys::Reflect::set(&options, &"scrollMargin".into(), &AHEAD.into());
        let function = callback.as_ref().unchecked_ref();
        let observer = IntersectionObserver::new_with_options(function, &options).ok();
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
