// The page before and while the app starts, and the headers and policy it works under.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { HtmlValidate } from 'html-validate';
import { address, appStarted, axeFindings, open } from './harness.mjs';

/** Holds every request for wasm back until `release()`. */
function heldWasm() {
  let release;
  const released = new Promise((resolve) => (release = resolve));
  const prepare = (page) =>
    page.route('**/*.wasm', async (route) => {
      await released;
      await route.continue();
    });
  return { prepare, release };
}

/** Notes in the page when the text `Loading` was first shown, in milliseconds. */
function noteLoading() {
  new MutationObserver(() => {
    const text = document.getElementById('boot-loading');
    if (text && !text.hidden) globalThis.loadingSince ??= performance.now();
  }).observe(document, { subtree: true, attributes: true });
}

test('the app starts without an error or warning', async () => {
  const page = await open();
  await page.waitForTimeout(200);
  assert.deepEqual(page.problems, []);
});

test('the app starts under a file name too', async () => {
  const page = await open('index.html');
  assert.deepEqual(page.problems, []);
});

test('every request goes to the app’s own files', async () => {
  const requests = [];
  await open('', { prepare: (page) => page.on('request', (request) => requests.push(request.url())) });
  const base = await address();
  assert.ok(requests.length > 3);
  assert.deepEqual(requests.filter((url) => !url.startsWith(base)), []);
  assert.equal(new Set(requests).size, requests.length, `something was loaded twice: ${requests}`);
});

test('the policy of the page itself refuses inline scripts and styles', async () => {
  // Without the header, so that it is the page's own policy that is tested.
  const prepare = (page) =>
    page.route(/\/$/, async (route) => {
      const response = await route.fetch();
      const headers = response.headers();
      delete headers['content-security-policy'];
      await route.fulfill({ response, headers });
    });
  const page = await open('', { prepare });
  assert.deepEqual(page.problems, []);
  const ran = await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'window.inlineRan = true';
    const style = document.createElement('style');
    style.textContent = 'html { z-index: 7 }';
    document.head.append(script, style);
    return [window.inlineRan, getComputedStyle(document.documentElement).zIndex];
  });
  assert.deepEqual(ran, [undefined, 'auto']);
});

test('hashed files are cached for ever, the page is not', async () => {
  const page = await open();
  const cacheOf = (url) => page.evaluate(async (u) => (await fetch(u)).headers.get('cache-control'), url);
  const urls = await page.evaluate(() =>
    [...document.querySelectorAll('link[href], script[src]')].map((element) => element.href ?? element.src),
  );
  assert.ok(urls.length >= 4);
  for (const url of urls) assert.match(await cacheOf(url), /immutable/, url);
  assert.equal(await cacheOf(await address()), 'no-cache');
});

test('a slow start says so, but not at once', async () => {
  const { prepare, release } = heldWasm();
  const page = await open('', {
    wait: false,
    prepare: async (p) => {
      await p.addInitScript(noteLoading);
      await prepare(p);
    },
  });
  await page.getByText('Loading').waitFor();
  assert.ok((await page.evaluate('loadingSince')) >= 300);
  assert.deepEqual(await axeFindings(page, { include: '#boot' }), []);
  release();
  await appStarted(page);
  assert.equal(await page.getByText('Loading').count(), 0);
  assert.deepEqual(page.problems, []);
});

for (const kind of ['wasm', 'js']) {
  test(`when the ${kind} cannot be loaded, the page says so and can try again`, async () => {
    const files = `**/app-*.${kind}`;
    const page = await open('', { wait: false, prepare: (p) => p.route(files, (route) => route.abort()) });
    await page.getByRole('alert').getByText('could not start').waitFor();
    assert.equal(await page.getByText('Loading').isVisible(), false);
    assert.deepEqual(await axeFindings(page, { include: '#boot' }), []);
    await page.unroute(files);
    await page.getByRole('button', { name: 'Retry' }).click();
    await appStarted(page);
  });
}

test('without WebAssembly the page says so', async () => {
  const prepare = (page) => page.addInitScript(() => delete globalThis.WebAssembly);
  const page = await open('', { wait: false, prepare });
  await page.getByRole('alert').getByText('no WebAssembly').waitFor();
});

test('without JavaScript the page says so', async () => {
  const page = await open('', { wait: false, context: { javaScriptEnabled: false } });
  const notice = page.locator('noscript p');
  await notice.waitFor();
  assert.match(await notice.textContent(), /needs JavaScript/);
});

test('the page is valid HTML', async () => {
  const html = await readFile(new URL('../../dist/index.html', import.meta.url), 'utf8');
  const validator = new HtmlValidate({ extends: ['html-validate:recommended'] });
  const report = await validator.validateString(html);
  const findings = report.results.flatMap((result) =>
    result.messages.map((m) => `${m.line}:${m.column} ${m.ruleId} ${m.message}`),
  );
  assert.deepEqual(findings, []);
});
