// <fencing-lab>: a run of Fencing Lab in a page of yours. No dependencies; the app is found beside
// this file. Children of the element are what is read without scripts, indexed, and printed.
// Options, events and methods: EMBEDDING.md; types: fencing-lab.d.ts.
const app = new URL('.', import.meta.url);
// What a sandboxed page frames has no origin either. Of a page that is a file this is not so.
const origin = self.origin === 'null' && location.protocol !== 'file:' ? 'null' : app.origin;
const OPTIONS = 'lesson scenario at step event policy show controls speed autoplay caption accent-a accent-b'.split(' ');
const PATIENCE_MS = 8000;
const html = document.documentElement;
const system = matchMedia('(prefers-color-scheme:dark)');
const add = (parent, tag) => parent.appendChild(document.createElement(tag));
let count = 0;
// The first embed of a page starts alone, so that it is there as soon as without the others.
let started;
let free;
const first = new Promise((done) => (free = done));

const sheet = new CSSStyleSheet();
sheet.replaceSync(
  ':host{display:block;margin:1em 0;position:relative}:host([hidden]),.paper,.failed~*{display:none}' +
    'iframe,.wait{display:grid;place-items:center;box-sizing:border-box;width:100%;border:0 solid #8886;border-radius:6px}' +
    '.wait{border-width:1px}.wait~iframe{position:absolute;top:0;opacity:0}.failed{display:none}.failed~.paper{display:block}' +
    '@media print{iframe,.wait{display:none}.paper{display:block}}',
);

/** Whether the host page says that it is dark, else looks so, else the system says so. */
function isDark() {
  const parts = [document.body, html];
  const said = parts.flatMap(({ dataset: d }) => [d.theme, d.mdColorScheme, d.bsTheme]);
  const word = /(?<!\S)(?:(dark|slate|navy|coal|ayu)|light|default|rust)(?!\S)/.exec(`${said.join(' ')} ${html.className}`);
  if (word) return !!word[1];
  for (const part of parts) {
    const colour = getComputedStyle(part).backgroundColor;
    const [x, y, z, alpha = 1] = colour.match(/[\d.]+/g) ?? [0, 0, 0, 0];
    // Of rgb(…) the brightness; of lab(…) and its kin the first number says it.
    const light = /^rgb/.test(colour) ? (x * 3 + y * 6 + +z) / 2550 : /^l/.test(colour) ? x / 100 : x;
    if (alpha > 0.5) return light < 0.5;
  }
  return system.matches;
}

// One watch on the host's theme for all embeds of a page.
const paints = new Set();
let dark;
function watchTheme() {
  if (dark !== undefined) return;
  const look = () => {
    const before = dark;
    dark = isDark();
    if (dark !== before) paints.forEach((paint) => paint());
  };
  // Backgrounds may fade from one theme to the other.
  const change = () => (look(), setTimeout(look, 400));
  const observer = new MutationObserver(change);
  for (const part of [html, document.body]) observer.observe(part, { attributes: true });
  system.addEventListener('change', change);
  look();
}

/** Raw deflate in URL-safe base64, as the app reads it. */
async function pack(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const latin = bytes.reduce((text, byte) => text + String.fromCharCode(byte), '');
  return btoa(latin).replace(/[+/=]/g, (sign) => ({ '+': '-', '/': '_' })[sign] ?? '');
}

class FencingLab extends HTMLElement {
  static observedAttributes = ['theme', ...OPTIONS];
  #wait;
  #link;
  #frame;
  #id;
  #height;
  #seen;
  #greeting;
  #patience;
  #ready;
  #queue = [];
  #paint = () => {
    this.#wait.style.background = this.#theme === 'dark' ? '#111316' : '#fff';
    if (this.#ready) this.#send('set-theme', { theme: this.#theme });
  };

  connectedCallback() {
    watchTheme();
    paints.add(this.#paint);
    addEventListener('message', this);
    const root = this.shadowRoot ?? this.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [sheet];
    root.replaceChildren();
    this.#wait = add(root, 'div');
    this.#wait.className = 'wait';
    const paper = add(root, 'div');
    paper.className = 'paper';
    add(paper, 'slot');
    this.#link = add(add(paper, 'p'), 'a');
    this.#id = `fencing-lab-${++count}`;
    this.#ready = this.#height = 0;
    this.#size(+this.getAttribute('height') || (this.clientWidth < 592 ? 760 : 410));
    this.#paint();
    this.#begin(this.getAttribute('load'));
  }

  disconnectedCallback() {
    paints.delete(this.#paint);
    removeEventListener('message', this);
    this.#seen?.disconnect();
    clearInterval(this.#greeting);
    clearTimeout(this.#patience);
    this.#frame = null;
    free();
  }

  attributeChangedCallback(name, before, value) {
    if (!this.#frame || before === value) return;
    if (name === 'theme') this.#paint();
    else if (value !== null) this.setOption(name, value);
  }

  get #theme() {
    const own = this.getAttribute('theme');
    return own === 'light' || own === 'dark' ? own : dark ? 'dark' : 'light';
  }

  /** Starts now, when it is asked to, or when it comes near. */
  async #begin(load) {
    // A script that does not wait for the page runs before the element's children are there.
    if (document.readyState === 'loading') await new Promise((done) => addEventListener('DOMContentLoaded', done));
    const options = await this.#options();
    const [lesson, packed] = [options.get('lesson'), options.get('scenario')];
    this.#link.href = app + (packed ? `lab.html#/lab?s=${packed}` : lesson ? `#/lesson/${lesson}/1` : '');
    this.#link.textContent = `Fencing Lab: ${this.title || lesson || 'scenario'}`;
    if (!this.isConnected) return;
    const start = () => this.#start();
    if (load === 'eager') start();
    else if (load === 'click') {
      const button = add(this.#wait, 'button');
      button.textContent = `Load ${this.#link.textContent}`;
      button.onclick = start;
    } else {
      this.#seen = new IntersectionObserver((all) => all.some((one) => one.isIntersecting) && start(), { rootMargin: '400px' });
      this.#seen.observe(this);
    }
  }

  async #options() {
    const all = new URLSearchParams();
    const style = getComputedStyle(this);
    for (const name of OPTIONS) {
      const value = this.getAttribute(name) ?? style.getPropertyValue(`--fencing-lab-${name}`).trim();
      if (value || this.hasAttribute(name)) all.set(name, value);
    }
    // The element's own text is a scenario.
    const text = this.querySelector('pre')?.textContent.trim();
    if (text && !all.has('lesson')) all.set('scenario', await pack(text));
    return all;
  }

  async #start() {
    this.#seen?.disconnect();
    if (this.#frame) return;
    const frame = (this.#frame = document.createElement('iframe'));
    this.#patience = setTimeout(() => free(this.#wait.classList.add('failed')), PATIENCE_MS);
    if (started) await first;
    started = 1;
    const options = await this.#options();
    if (this.#frame !== frame) return;
    options.set('theme', this.#theme);
    frame.title = this.#link.textContent;
    frame.allow = 'clipboard-write; fullscreen';
    frame.scrolling = 'no';
    frame.style.height = this.#wait.style.height;
    // The fragment may be long, is not sent to the server, and leaves one address to be cached.
    frame.src = `${app}?embed#${options}`;
    frame.onload = () => {
      let left = 20;
      const greet = () => (this.#ready || !left-- ? clearInterval(this.#greeting) : this.#send('hello'));
      clearInterval(this.#greeting);
      this.#greeting = setInterval(greet, 500);
      greet();
    };
    this.#wait.after(frame);
  }

  #size(height) {
    const px = Math.min(4000, Math.max(120, Math.ceil(height)));
    if (!px || Math.abs(px - this.#height) < 2) return;
    this.#height = px;
    for (const part of [this.#wait, this.#frame]) if (part) part.style.height = `${px}px`;
  }

  handleEvent({ source, origin: from, data }) {
    if (!this.#frame || source !== this.#frame.contentWindow || from !== origin) return;
    if (data?.source !== 'fencing-lab' || data.v !== 1) return;
    const { type } = data;
    if (type === 'resize') this.#size(data.height);
    if (type === 'ready' && !this.#ready) {
      this.#ready = 1;
      clearTimeout(this.#patience);
      this.#wait.remove();
      this.#paint();
      free();
      for (const message of this.#queue.splice(0)) this.#send(...message);
    }
    this.dispatchEvent(new CustomEvent(`fencing-lab:${type}`, { bubbles: true, composed: true, detail: data }));
  }

  #send(type, fields) {
    const message = { target: 'fencing-lab', v: 1, id: this.#id, type, ...fields };
    this.#frame?.contentWindow?.postMessage(message, origin === 'null' ? '*' : origin);
  }

  /** Commands wait until there is somebody to carry them out. */
  #ask(...message) {
    if (this.#ready) this.#send(...message);
    else this.#queue.push(message);
  }

  goto(place) {
    this.#ask('goto', place);
  }

  next() {
    this.#ask('next');
  }

  prev() {
    this.#ask('prev');
  }

  play(speed) {
    this.#ask('play', { speed });
  }

  pause() {
    this.#ask('pause');
  }

  reset() {
    this.#ask('reset');
  }

  setTheme(theme) {
    this.setAttribute('theme', theme);
  }

  setOption(name, value) {
    this.#ask('set-option', { name, value: `${value}` });
  }

  loadScenario(text) {
    this.#ask('load-scenario', { text });
  }

  getState() {
    return new Promise((resolve) => {
      const id = `${this.#id}-${++count}`;
      const answer = ({ detail }) => {
        if (detail.id !== id) return;
        this.removeEventListener('fencing-lab:state', answer);
        resolve(detail);
      };
      this.addEventListener('fencing-lab:state', answer);
      this.#ask('get-state', { id });
    });
  }
}

if (!customElements.get('fencing-lab')) customElements.define('fencing-lab', FencingLab);

// Code blocks in the language `fence` become embeds where the script is asked to do so; its
// attribute may hold options for all of them.
const script = document.querySelector('script[data-upgrade-code]');
if (script) {
  const upgrade = () => {
    for (const part of document.querySelectorAll('[class*="language-fence"],[class*="highlight-fence"]')) {
      const pre = part.closest('pre') ?? part.querySelector('pre');
      if (!pre || pre.closest('fencing-lab')) continue;
      const block = part.contains(pre) ? part : pre;
      const embed = document.createElement('fencing-lab');
      new URLSearchParams(script.dataset.upgradeCode).forEach((value, name) => embed.setAttribute(name, value));
      block.replaceWith(embed);
      embed.append(block);
    }
  };
  upgrade();
  // Also pages that are still coming, and those that are swapped without a load.
  new MutationObserver(upgrade).observe(html, { childList: true, subtree: true });
}
