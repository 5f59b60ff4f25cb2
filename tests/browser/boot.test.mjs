// The page before and while the app starts, and the headers and policy it works under.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { HtmlValidate } from 'html-validate';
import { address, appStarted, axeFindings, eventually, open } from './harness.mjs';

/** Holds requests for some files back until `release()`. */
function held(files = '**/*.wasm') {
  let release;
  const released = new Promise((resolve) => (release = resolve));
  const prepare = (page) =>
    page.route(files, async (route) => {
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
    [...document.querySelectorAll('link[href]:not([rel=manifest], [href^=lessons]), script[src]')].map((element) => element.href ?? element.src),
  );
  assert.ok(urls.length >= 4);
  for (const url of urls) assert.match(await cacheOf(url), /immutable/, url);
  assert.equal(await cacheOf(await address()), 'no-cache');
});

test('a slow start says so, but not at once', async () => {
  const { prepare, release } = held();
  const page = await open('', {
    wait: false,
    prepare: async (p) => {
      await p.addInitScript(noteLoading);
      await prepare(p);
    },
  });
  await page.getByText('Loading').waitFor();
  assert.ok((await page.evaluate('loadingSince')) >= 500);
  assert.deepEqual(await axeFindings(page, { include: '#boot' }), []);
  release();
  await appStarted(page);
  assert.equal(await page.getByText('Loading').count(), 0);
  assert.deepEqual(page.problems, []);
});

/** In the page, before it loads: adds up by how much what is on screen moves. */
function noteShifts() {
  globalThis.shifted = 0;
  new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => (globalThis.shifted += value))).observe({
    type: 'layout-shift',
    buffered: true,
  });
}

for (const [place, words] of [
  ['', /^See why a lease alone/],
  ['#/lesson/paused-holder', /./],
  ['#/lesson/break-it-yourself/1', /./],
]) {
  test(`the text of “${place}” is there before the app, which goes on from it`, async () => {
    const { prepare, release } = held();
    const page = await open(place, {
      wait: false,
      width: 390,
      height: 844,
      prepare: async (p) => {
        await p.addInitScript(noteShifts);
        await prepare(p);
      },
    });
    const heading = page.locator('#app.early[inert] h1');
    await heading.waitFor();
    assert.match(await heading.textContent(), words);
    // It says nothing that is not so yet: no run, no control that could be reached.
    assert.equal(await page.locator('#stage, #app svg.tl, #lessons').count(), 0);
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement.closest('#app')), null);
    await page.evaluate(() => (globalThis.early = document.querySelector('#app h1')));
    release();
    await page.locator('#app:not([inert]):not(.early) svg.tl').first().waitFor();
    assert.ok(await page.evaluate(() => globalThis.early.isConnected));
    assert.ok((await page.evaluate('shifted')) < 0.02, `shifted by ${await page.evaluate('shifted')}`);
    assert.deepEqual(page.problems, []);
  });
}

/** Opens the first step of a lesson; the app may start once its early text is there. */
async function openEarly(prepareMore) {
  const { prepare, release } = held();
  const page = await open('#/lesson/paused-holder/1', {
    wait: false,
    prepare: async (p) => {
      await prepareMore(p);
      await prepare(p);
    },
  });
  await page.locator('#app.early[inert] h1').waitFor();
  release();
  return page;
}

test('who goes on in the early text need not wait for the first page', async () => {
  const pressAtOnce = () => {
    const woken = new MutationObserver(([change]) => {
      if (change.target.id !== 'app' || change.target.inert) return;
      woken.disconnect();
      globalThis.pictures = document.querySelectorAll('svg.tl').length;
      document.querySelector('.steps .next').click();
    });
    woken.observe(document, { subtree: true, attributeFilter: ['inert'] });
  };
  const page = await openEarly((p) => p.addInitScript(pressAtOnce));
  // The first thing to do there is the learner's, and has been done.
  await page.waitForURL(/\/paused-holder\/1\?step=\d/);
  await page.locator('#app:not(.early) svg.tl').first().waitFor();
  assert.equal(await page.evaluate('pictures'), 0);
  assert.deepEqual(page.problems, []);
});

test('the early text stays until the lesson is there', async () => {
  const { prepare, release } = held('**/paused-holder.bin');
  const page = await openEarly(prepare);
  await appStarted(page);
  // Longer than the app waits before it shows that something is on its way.
  await page.waitForTimeout(500);
  assert.equal(await page.locator('#app.early[inert] h1').count(), 1);
  release();
  await page.locator('#app:not([inert]) svg.tl').first().waitFor();
  assert.deepEqual(page.problems, []);
});

test('the early text has the theme that the reader chose', async () => {
  const { prepare, release } = held();
  const page = await open('#/lesson/paused-holder/1', {
    wait: false,
    prepare: async (p) => {
      await p.addInitScript(() => localStorage.setItem('theme', 'dark'));
      await prepare(p);
    },
  });
  await page.locator('#app.early h1').waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
  release();
  await appStarted(page);
});

for (const place of ['#/lesson/paused-holder/2', '#/lesson/paused-holder/1?policy=fenced', '#/docs', '?embed&lesson=paused-holder', '?lesson=paused-holder']) {
  test(`there is no early text for “${place}”`, async () => {
    const { prepare, release } = held();
    const page = await open(place, { wait: false, prepare });
    await page.getByText('Loading', { exact: true }).waitFor();
    assert.equal(await page.locator('#app').innerHTML(), '');
    release();
    await appStarted(page);
    assert.deepEqual(page.problems, []);
  });
}

test('the app starts where the early text is missing', async () => {
  const page = await open('#/lesson/paused-holder/1', { prepare: (p) => p.route('**/*.early.txt', (route) => route.abort()) });
  await page.locator('svg.tl').first().waitFor();
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

const STOPPED = 'Fencing Lab has stopped because of a fault of its own.';
const KEPT = 'Your run is kept below as text.';
const RUN = 'token 41\nA acquires => granted 41\n';

/** Has the app stop as by a fault of its own: by a module whose start function is `unreachable`. */
async function trap(page, { text, rejected }) {
  const prelude = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
  const sections = [1, 4, 1, 0x60, 0, 0, 3, 2, 1, 0, 8, 1, 0, 10, 5, 1, 3, 0, 0, 11];
  const argument = { bytes: [...prelude, ...sections], text, rejected };
  await page.evaluate((given) => {
    globalThis.fencingLabText = given.text;
    const run = () => new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(given.bytes)));
    if (given.rejected) Promise.resolve().then(run);
    else setTimeout(run);
  }, argument);
}

for (const rejected of [false, true]) {
  test(`when the app stops, the page says so and keeps the run (${rejected ? 'in a promise' : 'in an event'})`, async () => {
    const page = await open('', { context: { permissions: ['clipboard-read', 'clipboard-write'] } });
    await trap(page, { text: RUN, rejected });
    const fault = page.locator('#fault');
    await fault.getByText(`${STOPPED} ${KEPT}`, { exact: true }).waitFor();
    assert.equal(await fault.getByRole('textbox', { name: 'Your run as text' }).inputValue(), RUN);
    assert.deepEqual(await axeFindings(page, { include: '#fault' }), []);
    await trap(page, { text: 'later', rejected });
    await fault.getByRole('button', { name: 'Copy' }).click();
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), RUN);
    assert.equal(await fault.count(), 1);
    await fault.getByRole('button', { name: 'Start again' }).click();
    await fault.waitFor({ state: 'detached' });
    await appStarted(page);
  });
}

test('without a run the page says only that the app has stopped', async () => {
  const page = await open('', { width: 320 });
  await trap(page, {});
  const fault = page.getByRole('alert');
  await fault.getByText(STOPPED).waitFor();
  assert.equal(await fault.getByText(KEPT).isVisible(), false);
  assert.equal(await fault.getByRole('textbox').count(), 0);
  assert.equal(await fault.getByRole('button').count(), 1);
});

test('an error that is no trap does not stop the app', async () => {
  const page = await open();
  await page.evaluate(() => {
    setTimeout(() => {
      throw new Error('one that code around the app may throw');
    });
    Promise.reject(new Error('another'));
  });
  await eventually(() => assert.equal(page.problems.length, 2));
  assert.equal(await page.locator('#fault').count(), 0);
});

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
