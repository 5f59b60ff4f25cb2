// What many embeds cost a page: downloads, time until the first can be used, and work while nobody looks.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { address, open, requests } from './harness.mjs';
import { embedsStarted, serveHost, strictPolicy } from './hosts.mjs';
import { busyShare, median, percent } from './measure.mjs';

/** How long a page is watched for work, in ms. */
const WATCHED = 2000;
/** The share of the time that a page which does nothing may be at work: its own timers, and the browser's. */
const IDLE = 0.01;

let host;
let app;

before(async () => {
  app = await address();
  host = await serveHost({ csp: await strictPolicy() });
  host.put('host.css', 'body { margin: 0 auto; max-width: 752px } .tall { height: 3000px }');
});

after(() => host.close());

const EMBED = '<fencing-lab lesson="rule-at-the-write" title="The rule"><a href="https://example.com/">The rule at the write</a></fencing-lab>';
const EAGER = EMBED.replace('>', ' load="eager">');

let pages = 0;

/** Opens a page with this body, its time of the first `ready` kept, with nothing in the cache. */
function pageWith(body) {
  const html = `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Host</title><link rel="stylesheet" href="host.css">
<script type="module" src="${app}fencing-lab.js"></script></head><body>${body}</body></html>`;
  const prepare = (page) =>
    page.addInitScript(() => addEventListener('fencing-lab:ready', () => (globalThis.readyAt ??= performance.now())));
  return open(host.put(`cost-${++pages}.html`, html), { width: 1000, height: 900, wait: false, prepare });
}

/** Milliseconds from the start of a page's load until its first embed answers: the median of three. */
async function firstReady(body) {
  const times = [];
  for (let n = 0; n < 3; n++) {
    const page = await pageWith(body);
    await page.waitForFunction(() => globalThis.readyAt);
    times.push(await page.evaluate(() => globalThis.readyAt));
    await page.context().close();
  }
  return median(times);
}

test('ten embeds ask the server for the app once', async (t) => {
  const before = (await requests()).length;
  const page = await pageWith(EAGER.repeat(10));
  await embedsStarted(page, 10);
  const asked = (await requests()).slice(before).map((path) => path.split('/').at(-1));
  const hashed = asked.filter((name) => /-[0-9a-f]{8,}/.test(name));
  t.diagnostic(`requests: ${asked.length}, of them for files with a hash: ${hashed.join(' ')}`);
  assert.ok(hashed.some((name) => name.endsWith('.wasm')));
  assert.equal(hashed.length, new Set(hashed).size);
});

test('the first of ten embeds is there almost as soon as one alone', async (t) => {
  const alone = await firstReady(EMBED);
  const first = await firstReady(EMBED.repeat(10));
  t.diagnostic(`ready after ${alone.toFixed(0)} ms alone, ${first.toFixed(0)} ms as the first of ten: ${(first / alone).toFixed(2)} times`);
  assert.ok(first <= 1.5 * alone);
});

test('embeds that are paused or out of sight do nothing', async (t) => {
  const page = await pageWith(`${EAGER.repeat(10)}<div class="tall"></div>`);
  await embedsStarted(page, 10);
  await page.waitForTimeout(1000);
  const paused = await busyShare(page, WATCHED);
  const speed = (value) => page.evaluate((s) => document.querySelectorAll('fencing-lab').forEach((one) => (s ? one.play(s) : one.reset())), value);
  await speed(0.5);
  const playing = await busyShare(page, WATCHED);
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await page.waitForTimeout(500);
  const hidden = await busyShare(page, WATCHED);
  t.diagnostic(`at work: ${percent(paused)} while paused, ${percent(playing)} while playing, ${percent(hidden)} out of sight`);
  assert.ok(paused < IDLE);
  assert.ok(hidden < IDLE);
  // What is measured is the embeds.
  assert.ok(playing > 5 * IDLE);
});
