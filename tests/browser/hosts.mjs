// Pages of hosts that embed the app: served from another origin than the app, under a sub-path.
import { createServer } from 'node:http';
import { createServer as createSocket } from 'node:net';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import assert from 'node:assert/strict';
import { address, eventually, open } from './harness.mjs';

const TYPES = { '.css': 'text/css', '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.json': 'application/json', '.svg': 'image/svg+xml' };

/**
 * Serves pages that are written in a test, or the folder that a documentation tool wrote.
 *
 * @param options `dir`, a folder to serve under `base`; `base`, the sub-path;
 *   `csp`, the content security policy of all pages
 * @returns `put(path, html)`, which gives the page's address; `url`; `close()`
 */
export async function serveHost({ dir, base = '/docs/guide/', csp } = {}) {
  const pages = new Map();
  const read = async (path) => {
    if (pages.has(path)) return pages.get(path);
    if (!dir || !path.startsWith(base)) return null;
    const file = path.slice(base.length);
    return readFile(join(dir, file.endsWith('/') || file === '' ? `${file}index.html` : file)).catch(() => null);
  };
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url, 'http://host').pathname);
    const body = await read(path);
    const headers = { 'Content-Type': TYPES[extname(path) || '.html'] ?? 'application/octet-stream' };
    if (csp) headers['Content-Security-Policy'] = csp;
    response.writeHead(body === null ? 404 : 200, headers).end(body ?? '');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${server.address().port}${base}`;
  const put = (name, html) => {
    pages.set(base + name, html);
    return url + name;
  };
  const close = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return { put, url, close };
}

/** The strictest policy of a host under which embeds work. */
export async function strictPolicy() {
  const { origin } = new URL(await address());
  return `default-src 'none'; script-src ${origin}; frame-src ${origin}; style-src 'self'; base-uri 'none'; form-action 'none'`;
}

/** Waits until so many embeds of a page have started, and returns their frames in the page's order. */
export async function embedsStarted(page, count) {
  await page.waitForFunction((n) => {
    const all = [...document.querySelectorAll('fencing-lab')];
    return all.filter((one) => one.shadowRoot?.querySelector('iframe') && !one.shadowRoot.querySelector('.wait')).length >= n;
  }, count);
  const handles = await page.evaluateHandle(() =>
    [...document.querySelectorAll('fencing-lab')].map((one) => one.shadowRoot?.querySelector('iframe')).filter(Boolean),
  );
  const frames = [];
  for (const handle of (await handles.getProperties()).values()) {
    const frame = await handle.asElement().contentFrame();
    await frame.waitForSelector('.embed');
    frames.push(frame);
  }
  return frames;
}

/** Height of each embed's frame, and of what is in it, in px. */
export async function heights(page, frames) {
  const outer = await page.evaluate(() =>
    [...document.querySelectorAll('fencing-lab')]
      .map((one) => one.shadowRoot?.querySelector('iframe'))
      .filter(Boolean)
      .map((frame) => frame.getBoundingClientRect().height),
  );
  const inner = await Promise.all(frames.map((frame) => frame.evaluate(() => Math.ceil(document.body.getBoundingClientRect().height))));
  return outer.map((height, index) => [height, inner[index]]);
}

/** Waits until each embed's frame has the height of what is in it. */
export function fitting(page, frames) {
  return eventually(async () => {
    for (const [outer, inner] of await heights(page, frames)) assert.equal(outer, inner);
  });
}

/** The mean brightness of pictures, 0 to 255. */
async function brightness(page, pictures) {
  return page.evaluate(async (all) => {
    const means = [];
    for (const data of all) {
      const image = new Image();
      image.src = `data:image/png;base64,${data}`;
      await image.decode();
      const canvas = Object.assign(document.createElement('canvas'), { width: 20, height: 20 });
      const context = canvas.getContext('2d');
      context.drawImage(image, 0, 0, 20, 20);
      const { data: pixels } = context.getImageData(0, 0, 20, 20);
      means.push(pixels.reduce((sum, value) => sum + value, 0) / pixels.length);
    }
    return means;
  }, pictures);
}

/** Lets the app's program wait, from the next load on. Returns what lets it come. */
export async function holdApp(page) {
  let release;
  const held = new Promise((resolve) => (release = resolve));
  await page.route('**/*.wasm', async (route) => {
    await held;
    await route.continue();
  });
  return release;
}

/**
 * Looks at the first embed of a dark page again and again, before the app is there (see
 * {@link holdApp}), while it starts, and after: it is never light. Returns the frames of embeds.
 */
export async function staysDark(page, release) {
  const pictures = [];
  const look = async () => pictures.push((await page.locator('fencing-lab').first().screenshot()).toString('base64'));
  for (let n = 0; n < 4; n++) await look();
  release();
  for (let n = 0; n < 6; n++) await look();
  const frames = await embedsStarted(page, 1);
  await look();
  const checker = await open('');
  const means = await brightness(checker, pictures);
  await checker.context().close();
  // Three quarters of a black pixel's mean are black, one quarter is its opaqueness.
  for (const mean of means) assert.ok(mean < 110, means.map(Math.round).join(' '));
  return frames;
}

/** In a host's page: notes each height that its first embed has, from when that has a placeholder. */
export function noteHeights() {
  if (top !== self) return;
  globalThis.embedHeights = [];
  const look = () => {
    const embed = document.querySelector('fencing-lab');
    const height = embed?.shadowRoot && Math.round(embed.getBoundingClientRect().height);
    if (height && height !== globalThis.embedHeights.at(-1)) globalThis.embedHeights.push(height);
    requestAnimationFrame(look);
  };
  look();
}

/** A port of this machine that nobody listens to. */
export async function freePort() {
  const server = createSocket();
  await new Promise((resolve) => server.listen(0, resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Waits until a server answers at an address. */
export async function answers(url) {
  for (let tries = 100; tries > 0; tries--) {
    const ok = await fetch(url).then((response) => response.ok, () => false);
    if (ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${url} does not answer`);
}
