//! The seam between the app's wasm and its glue, the script of wasm-bindgen
//! that loads it: the names by which each calls the other.
//!
//! wasm-bindgen's names are long and end in hashes, which do not compress, and
//! they are in both files. Also, it exports to scripts what some library has for
//! them, which keeps that code alive though no script here calls it. So the wasm
//! loses such exports with what only they lead to, and both files get short names.

use crate::Result;
use std::collections::{HashMap, HashSet};
use walrus::{ElementItems, FunctionBuilder, FunctionId, Module, passes};

/// The crate by which Leptos streams what server functions send. It is reached through its exports only,
/// and tables of functions to be called later would keep it though these are gone.
const UNREACHED: &str = "wasm_streams";

/// The wasm without the exports that its glue does not name; it still has the names of its functions.
pub fn without_unused_exports(wasm: &[u8], glue: &str) -> Result<Vec<u8>> {
    let used: HashSet<&str> = glue.split(|c| !in_word(c)).collect();
    let mut module = read(wasm)?;
    let exports = module.exports.iter();
    let unused: Vec<_> = exports
        .filter(|export| !used.contains(export.name.as_str()))
        .map(walrus::Export::id)
        .collect();
    for export in unused {
        module.exports.delete(export);
    }
    forget_unreached(&mut module);
    passes::gc::run(&mut module);
    Ok(module.emit_wasm())
}

/// Puts a trap into tables in the place of each function of [`UNREACHED`].
fn forget_unreached(module: &mut Module) {
    let is_unreached = |name: &String| name.contains(UNREACHED);
    let functions = module.funcs.iter();
    let unreached: HashSet<FunctionId> = functions
        .filter(|function| function.name.as_ref().is_some_and(is_unreached))
        .map(walrus::Function::id)
        .collect();
    let mut trap = FunctionBuilder::new(&mut module.types, &[], &[]);
    trap.func_body().unreachable();
    let trap = trap.finish(Vec::new(), &mut module.funcs);
    for element in module.elements.iter_mut() {
        if let ElementItems::Functions(entries) = &mut element.items {
            let gone = entries.iter_mut().filter(|entry| unreached.contains(entry));
            gone.for_each(|entry| *entry = trap);
        }
    }
}

/// The glue, as wasm-bindgen lays it out, without the functions that the wasm does not import any more:
/// those of one object, each from a line `NAME: function…` to one that closes it.
pub fn without_unused_imports(glue: &str, wasm: &[u8]) -> Result<String> {
    const INDENT: &str = "        ";
    let module = read(wasm)?;
    let used: HashSet<&str> = module.imports.iter().map(|import| &*import.name).collect();
    let mut skipping = false;
    let mut kept = String::with_capacity(glue.len());
    for line in glue.lines() {
        let entry = line
            .strip_prefix(INDENT)
            .filter(|rest| !rest.starts_with(' '));
        if let Some((name, _)) = entry.and_then(|entry| entry.split_once(": function")) {
            skipping = !used.contains(name);
        }
        if !skipping {
            kept.push_str(line);
            kept.push('\n');
        }
        skipping &= !entry.is_some_and(|entry| entry.starts_with('}'));
    }
    Ok(kept)
}

/// Both with short names instead of wasm-bindgen's.
pub fn with_short_names(wasm: &[u8], glue: &str) -> Result<(Vec<u8>, String)> {
    let mut module = read(wasm)?;
    let imports = module.imports.iter().map(|import| &import.name);
    let exports = module.exports.iter().map(|export| &export.name);
    let names: Vec<String> = imports.chain(exports).cloned().collect();
    let short = shorten(&names);
    let imports = module.imports.iter_mut().map(|import| &mut import.name);
    let exports = module.exports.iter_mut().map(|export| &mut export.name);
    for name in imports.chain(exports) {
        if let Some(new) = short.get(name) {
            name.clone_from(new);
        }
    }
    Ok((module.emit_wasm(), rename(glue, &short)))
}

fn read(wasm: &[u8]) -> Result<Module> {
    Module::from_buffer(wasm).map_err(|error| format!("the wasm: {error}"))
}

/// A short name for each that is wasm-bindgen's own, which two underscores tell.
fn shorten(names: &[String]) -> HashMap<String, String> {
    let mut free = (0..).map(letters).filter(|name| !names.contains(name));
    let mut short = HashMap::new();
    for name in names.iter().filter(|name| name.contains("__")) {
        if !short.contains_key(name) {
            short.extend(free.next().map(|new| (name.clone(), new)));
        }
    }
    short
}

/// `a` to `z`, then `aa`, `ba` and so on.
fn letters(mut number: u32) -> String {
    let mut text = String::new();
    loop {
        text.push(char::from(b'a' + (number % 26) as u8));
        number /= 26;
        if number == 0 {
            return text;
        }
        number -= 1;
    }
}

/// The script with each whole word that has a short name replaced.
fn rename(glue: &str, short: &HashMap<String, String>) -> String {
    let mut text = String::with_capacity(glue.len());
    for piece in glue.split_inclusive(|c| !in_word(c)) {
        let word = piece.trim_end_matches(|c| !in_word(c));
        text.push_str(short.get(word).map_or(word, String::as_str));
        text.push_str(&piece[word.len()..]);
    }
    text
}

fn in_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

#[cfg(test)]
mod tests {
    use super::*;
    use walrus::ValType;

    /// A module that imports one function, and exports another one under two names.
    fn module(import: &str, exports: [&str; 2]) -> Vec<u8> {
        let mut module = Module::default();
        let nothing = module.types.add(&[], &[]);
        let (imported, _) = module.add_import_func("m", import, nothing);
        let mut own = FunctionBuilder::new(&mut module.types, &[], &[]);
        own.func_body().call(imported);
        let own = own.finish(Vec::new(), &mut module.funcs);
        for name in exports {
            module.exports.add(name, own);
        }
        module.emit_wasm()
    }

    /// The names of its imports and exports.
    fn names(wasm: &[u8]) -> Vec<String> {
        let module = read(wasm).unwrap();
        let imports = module.imports.iter().map(|import| import.name.clone());
        let exports = module.exports.iter().map(|export| export.name.clone());
        imports.chain(exports).collect()
    }

    #[test]
    fn exports_stay_if_the_glue_names_them_as_a_whole_word() {
        let wasm = module("__wbg_x_1", ["__wbindgen_free", "run"]);
        let glue = "w.run();w.__wbindgen_free_all()";
        let wasm = without_unused_exports(&wasm, glue).unwrap();
        assert_eq!(names(&wasm), ["__wbg_x_1", "run"]);
    }

    #[test]
    fn functions_that_only_tables_hold_go_if_nothing_leads_to_them() {
        let mut module = Module::default();
        let table = module
            .tables
            .add_local(false, 2, Some(2), walrus::RefType::FUNCREF);
        let mut add = |name: &str, number: i32| {
            let mut builder = FunctionBuilder::new(&mut module.types, &[], &[ValType::I32]);
            builder.name(name.to_owned()).func_body().i32_const(number);
            builder.finish(Vec::new(), &mut module.funcs)
        };
        let entries = vec![add("x::wasm_streams::poll", 4711), add("app::poll", 4712)];
        let start = walrus::ConstExpr::Value(walrus::ir::Value::I32(0));
        let kind = walrus::ElementKind::Active {
            table,
            offset: start,
        };
        let element = module.elements.add(kind, ElementItems::Functions(entries));
        module.tables.get_mut(table).elem_segments.insert(element);
        module.exports.add("table", table);
        let wasm = without_unused_exports(&module.emit_wasm(), "w.table").unwrap();
        let left = read(&wasm).unwrap();
        let named: Vec<_> = left.funcs.iter().filter_map(|f| f.name.clone()).collect();
        assert_eq!(named, ["app::poll"]);
        assert_eq!(left.funcs.iter().count(), 2, "the trap has no name");
    }

    #[test]
    fn the_glue_loses_what_is_not_imported() {
        let entry =
            |name: &str| format!("        {name}: function(a) {{\n            a();\n        }},\n");
        let guarded = "        __wbg_z: function() { return h(function (a) {\n            a.b();\n        }, arguments); },\n";
        let glue = |entries: &str| format!("    const import0 = {{\n{entries}    }};\n");
        let all = glue(&[&entry("__wbg_x"), guarded, &entry("__wbg_x_1")].concat());
        let wasm = module("__wbg_x_1", ["y", "z"]);
        let pruned = without_unused_imports(&all, &wasm).unwrap();
        assert_eq!(pruned, glue(&entry("__wbg_x_1")));
    }

    #[test]
    fn both_sides_get_the_same_short_names() {
        let wasm = module("__wbg_x_1", ["__wbg_x_12", "run"]);
        let glue = "({__wbg_x_1:1}),w.__wbg_x_12(w.run)";
        let (wasm, glue) = with_short_names(&wasm, glue).unwrap();
        assert_eq!(names(&wasm), ["a", "b", "run"]);
        assert_eq!(glue, "({a:1}),w.b(w.run)");
    }

    #[test]
    fn short_names_are_new_ones() {
        let wasm = module("__wbg_x_1", ["a", "run"]);
        let (wasm, _) = with_short_names(&wasm, "").unwrap();
        assert_eq!(names(&wasm), ["b", "a", "run"]);
        let letters: Vec<_> = [0, 25, 26, 27, 52].map(letters).into();
        assert_eq!(letters, ["a", "z", "aa", "ba", "ab"]);
    }

    #[test]
    fn broken_files_are_refused() {
        let wasm = module("x", ["y", "z"]);
        assert!(with_short_names(&wasm[..wasm.len() - 1], "").is_err());
    }
}
