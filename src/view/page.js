// Brings an element of the page up to date with markup: what is the same stays as it is, with its
// focus, selection and transitions.

/** Applies `data-vars="--a:1px;--b:2"`: markup has no style attributes under a strict policy. */
function applyVariables(element) {
  for (const pair of element.dataset.vars.split(';')) {
    const [name, value] = pair.split(/:(.*)/);
    element.style.setProperty(name, value);
  }
}

/** The same for a new part of the page. */
function dressed(part) {
  const within = part.querySelectorAll?.('[data-vars]') ?? [];
  for (const element of [part, ...within]) if (element.dataset?.vars) applyVariables(element);
  return part;
}

function parse(markup) {
  const template = document.createElement('template');
  // Parts of pictures are understood only inside of one.
  const inPicture = markup.startsWith('<g');
  template.innerHTML = inPicture ? `<svg>${markup}</svg>` : markup;
  const first = template.content.firstChild;
  return inPicture ? first.firstChild : first;
}

function updateAttributes(old, fresh) {
  for (const { name } of [...old.attributes]) {
    // What a reader has opened stays open.
    if (!fresh.hasAttribute(name) && name !== 'open' && name !== 'style') old.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) {
    if (name !== 'style' && old.getAttribute(name) !== value) {
      old.setAttribute(name, value);
      if (name === 'data-vars') applyVariables(old);
    }
  }
  if (old.tagName === 'INPUT') {
    old.checked = fresh.checked;
    old.value = fresh.value;
  }
}

function update(old, fresh) {
  updateAttributes(old, fresh);
  const children = [...fresh.childNodes];
  children.forEach((child, index) => {
    const before = old.childNodes[index];
    if (!before) old.append(dressed(child));
    else if (before.nodeName !== child.nodeName || before.id !== child.id) before.replaceWith(dressed(child));
    else if (child.nodeType === Node.ELEMENT_NODE) update(before, child);
    else if (before.data !== child.data) before.data = child.data;
  });
  while (old.childNodes.length > children.length) old.lastChild.remove();
}

/**
 * Updates the element with this id. `shell`: only its attributes; the markup is its start tag.
 */
export function morph(id, markup, shell) {
  const old = document.getElementById(id);
  if (!old) return;
  const fresh = parse(markup);
  if (shell) updateAttributes(old, fresh);
  else update(old, fresh);
}

// ---- texts in addresses: raw deflate in URL-safe base64, by the browser's own streams

async function through(Stream, bytes, most) {
  const stream = new Blob([bytes]).stream().pipeThrough(new Stream('deflate-raw'));
  const chunks = [];
  let size = 0;
  for (const reader = stream.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(chunks).arrayBuffer());
    chunks.push(value);
    // A small text may unpack to more than a page can hold.
    if ((size += value.length) > most) throw new RangeError('too long');
  }
}

/** A text as a word for addresses; fails where the browser cannot. */
export async function pack(text) {
  const bytes = await through(CompressionStream, new TextEncoder().encode(text), Infinity);
  const latin = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return btoa(latin).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** The text of such a word; fails for anything else, and for more than `most` bytes. */
export async function unpack(word, most) {
  const latin = atob(word.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(latin, (c) => c.charCodeAt(0));
  return new TextDecoder('utf-8', { fatal: true }).decode(await through(DecompressionStream, bytes, most));
}

// ---- files

/** The bytes of the file that `boot.js` has asked for, once; nothing if it is another, or did not come. */
function takeFirst(path) {
  const first = globalThis.fencingLabFile;
  if (first?.path !== path) return undefined;
  delete globalThis.fencingLabFile;
  return first.bytes.catch(() => undefined);
}

/** The bytes of a file beside the page; fails with a sentence for the reader, as some pages' own `fetch` does. */
export async function get(path) {
  const first = await takeFirst(path);
  if (first) return new Uint8Array(first);
  const response = await fetch(path).catch((why) => Promise.reject(why.trim ? why : 'The network did not answer.'));
  if (!response.ok) throw `The server answered ${response.status}.`;
  return new Uint8Array(await response.arrayBuffer());
}

// ---- the simulation: a program of its own, bytes in, bytes out

let engine;

/** Fetches and starts it, unless it is there; the page says where it is. */
export async function loadEngine() {
  if (engine) return;
  const { content } = document.querySelector('meta[name=engine]');
  engine = (await WebAssembly.instantiate(await get(content), {})).instance.exports;
}

/** The answer to a question; undefined while there is no simulation. */
export function ask(question) {
  if (!engine) return undefined;
  const at = engine.room(question.length);
  new Uint8Array(engine.memory.buffer, at, question.length).set(question);
  const length = engine.answer();
  return new Uint8Array(engine.memory.buffer, engine.answer_at(), length).slice();
}
