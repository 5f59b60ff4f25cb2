// What the browser tests share. They run by Node's own test runner:
//
//   cargo xtask build && node --test tests/browser/boot.test.mjs
//
// (`cargo xtask test` runs all of them.) The app is served from dist/ under a
// sub-path and with the headers of `_headers`, as a strict host would, and
// opened in the machine's own Chromium: $CHROME, else the first known name.
import axe from 'axe-core';
import { chromium } from 'playwright-core';
import { existsSync, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { serve } from './server.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const shots = join(root, 'target/shots');

/** The sub-path that the app is served under. */
export const BASE = '/some/path/';

/** Milliseconds that a page may take for anything before a test fails. */
const PATIENCE = 15_000;

const FLAGS = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Path of the browser's program. */
export function browserPath() {
  if (process.env.CHROME) return process.env.CHROME;
  const dirs = (process.env.PATH ?? '').split(delimiter);
  const found = NAMES.flatMap((name) => dirs.map((dir) => join(dir, name))).find(existsSync);
  if (!found) throw new Error('no Chromium: install it, or set CHROME to its path');
  return found;
}

let started;

/** The server and the browser, started by the first test of a file that needs them. */
function start() {
  started ??= (async () => {
    const server = await serve(join(root, 'dist'), BASE);
    const browser = await chromium.launch({ executablePath: browserPath(), args: FLAGS });
    return { server, browser };
  })();
  return started;
}

after(async () => {
  if (!started) return;
  const { server, browser } = await started;
  await browser.close();
  await server.close();
});

/** The address of the app, or of a path in it. */
export async function address(path = '') {
  const { server } = await start();
  return new URL(path, server.url).href;
}

/** The paths that the app's server was asked for so far. */
export async function requests() {
  const { server } = await start();
  return server.requests;
}

/**
 * Opens a page of the app in a browser context of its own, which stays open until
 * the file's tests are over, or until `page.context().close()`.
 *
 * @param path what follows the app's address, such as `?embed` or `#/lab`
 * @param options
 *   `width`, `height` of the window in CSS pixels; `dark`, `reducedMotion`,
 *   `forcedColors`, `touch` as booleans; `zoom`, the device pixels of a CSS pixel;
 *   `wait` (true) for the app to have started; `prepare(page)`, run before the page
 *   loads; `context`, further options of Playwright's browser context
 * @returns the Playwright page; `page.problems` lists console errors and warnings,
 *   uncaught errors and failed requests so far
 */
export async function open(path = '', options = {}) {
  const { browser, server } = await start();
  const context = await browser.newContext({
    viewport: { width: options.width ?? 1280, height: options.height ?? 800 },
    colorScheme: options.dark ? 'dark' : 'light',
    reducedMotion: options.reducedMotion ? 'reduce' : 'no-preference',
    forcedColors: options.forcedColors ? 'active' : 'none',
    hasTouch: options.touch ?? false,
    deviceScaleFactor: options.zoom ?? 1,
    ...options.context,
  });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  page.problems = watchProblems(page);
  await options.prepare?.(page);
  await page.goto(new URL(path, server.url).href);
  if (options.wait ?? true) await appStarted(page);
  return page;
}

/** Waits until the app has taken over from the page's loading state. */
export async function appStarted(page) {
  await page.waitForSelector('#boot', { state: 'detached' });
}

function watchProblems(page) {
  const problems = [];
  page.on('console', (message) => {
    // On a slow machine the app is not there within the few seconds that the browser has in mind.
    const slow = /was preloaded using link preload but not used/.test(message.text());
    if (['error', 'warning'].includes(message.type()) && !slow) problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(`uncaught: ${error.message}`));
  page.on('requestfailed', (request) => {
    problems.push(`failed: ${request.url()} ${request.failure()?.errorText}`);
  });
  return problems;
}

/** Repeats a check until it finds nothing wrong, for as long as a page may take; then its error stands. */
export async function eventually(check) {
  const end = performance.now() + PATIENCE;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > end) throw error;
      await new Promise((done) => setTimeout(done, 50));
    }
  }
}

/** The rules of axe-core about colours: they alone depend on the theme. */
export const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/**
 * Runs axe-core on the page, or on a part of it.
 *
 * @param options `include`, a selector; `rules`, axe's own rule options; `only`, names of the only rules to run
 * @returns its findings, a line each with rule, help and the elements; [] is what tests want
 */
export async function axeFindings(page, options = {}) {
  if (!(await page.evaluate('"axe" in globalThis'))) await evaluatePastPolicy(page, axe.source);
  const { violations } = await page.evaluate(
    ({ include, rules, only }) =>
      globalThis.axe.run(include ?? document, {
        rules: rules ?? {},
        ...(only && { runOnly: only }),
        // What is right need not be listed, and no rule that is on reads style sheets.
        resultTypes: ['violations'],
        preload: false,
      }),
    options,
  );
  return violations.map(({ id, help, nodes }) => {
    const where = nodes.map((node) => node.target.join(' ')).join(', ');
    return `${id}: ${help} (${where})`;
  });
}

/** Runs code in the page that its content security policy would refuse, as browser tools do. */
async function evaluatePastPolicy(page, expression) {
  const session = await page.context().newCDPSession(page);
  await session.send('Runtime.evaluate', { expression });
  await session.detach();
}

/** How far the page can be scrolled sideways, in CSS pixels; 0 is what tests want. */
export function overflow(page) {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });
}

/** Saves a picture as target/shots/NAME.png and returns its path. */
export async function shot(page, name, options = {}) {
  mkdirSync(shots, { recursive: true });
  const path = join(shots, `${name}.png`);
  await page.screenshot({ path, ...options });
  return path;
}
