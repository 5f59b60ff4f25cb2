// The browser's part of the performance report, which `cargo xtask bench` prints. It is run by Node's test
// runner for the harness's sake; it has no limits, those are in speed.test.mjs.
import { after, test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { address, browserPath, open } from './harness.mjs';
import { npm, run } from './install.mjs';
import { PAGES, PLAYERS, interactive, percent, restingAndPlaying, scrubLatency, searchRate, stepLatency, told } from './measure.mjs';

const LIGHTHOUSE = 'lighthouse@12.8.2';

/** How long the lab may take for a large scenario, in ms: it has no limit here but the reader's patience. */
const MINUTES = 180_000;

const heading = (text) => console.log(`\n${text}`);
const row = (name, text) => console.log(`  ${name.padEnd(16)} ${text}`);

test('time until a page answers', async () => {
  heading('Until the first control answers a press (a quarter of the speed, 1.6 Mb/s, 150 ms; medians of three)');
  for (const name of Object.keys(PAGES)) {
    const { ms, shown, bytes } = await interactive(name);
    row(name, `${ms.toFixed(0)} ms, its change shown after ${shown.toFixed(0)} ms, ${bytes} bytes`);
  }
});

test('main thread', async () => {
  heading('The main thread at work');
  for (const name of Object.keys(PLAYERS)) {
    const { resting, playing } = await restingAndPlaying(name);
    row(name, `${percent(resting)} at rest, ${percent(playing)} while playing at 1x`);
  }
});

/** A scenario with about so many moments: each write is sent, judged and answered. */
function scenarioOf(moments) {
  const lines = Array.from({ length: Math.round(moments / 3) }, (_, n) => `A writes w${n} "v${n}"\nwait 3\n`);
  return `ttl 1000000\nA acquires\n${lines.join('')}`;
}

test('step and scrub', async () => {
  heading('A change of the cursor in the lab');
  for (const moments of [100, 1000, 10_000]) {
    const packed = deflateRawSync(scenarioOf(moments)).toString('base64url');
    const page = await open(`lab.html#/lab?s=${packed}`);
    await page.getByRole('slider', { name: 'Time' }).waitFor({ timeout: MINUTES });
    const scrub = await scrubLatency(page, 8);
    await page.getByRole('slider', { name: 'Time' }).press('Home');
    const step = await stepLatency(page);
    row(`${moments} events`, `a step ${told(step)}`);
    row('', `the slider ${told(scrub)}`);
    await page.context().close();
  }
});

test('the explorer', async () => {
  heading('States a second of the explorer, one thread each (the goals: natively 1, here half of what stateright has)');
  const { stdout } = await run('cargo', ['bench', '--quiet', '--bench', 'explore']);
  const native = (name) => Number(new RegExp(`^${name} .* ([\\d.]+) states/s`, 'm').exec(stdout)[1]);
  const [own, theirs, here] = [native('explorer'), native('stateright'), await searchRate()];
  const line = (name, rate) => row(name, `${rate.toFixed(0)}, ${(rate / theirs).toFixed(2)} of stateright, ${(rate / own).toFixed(2)} of the native explorer`);
  line('stateright', theirs);
  line('native', own);
  line('in the browser', here);
});

/** Scores and findings of Lighthouse for a page. */
async function lighthouse(program, url, form) {
  const options = ['--quiet', '--output=json', '--output-path=stdout', '--chrome-flags=--headless=new --no-sandbox'];
  if (form === 'desktop') options.push('--preset=desktop');
  const env = { ...process.env, CHROME_PATH: browserPath() };
  const { stdout } = await run(program, [url, ...options], { env, maxBuffer: 1e8 });
  return JSON.parse(stdout);
}

/** The audits that keep a category from its full score. */
function shortcomings({ categories, audits }) {
  const wanted = Object.values(categories).flatMap(({ auditRefs }) => auditRefs.filter(({ weight }) => weight > 0));
  const found = wanted.map(({ id }) => audits[id]).filter(({ score }) => score !== null && score < 0.9);
  return [...new Set(found.map(({ title, displayValue }) => [title, displayValue].filter(Boolean).join(': ')))];
}

test('Lighthouse', async (t) => {
  const { missing, bin } = await npm('lighthouse', [LIGHTHOUSE]);
  if (missing) return t.skip(missing);
  heading('Lighthouse: performance, accessibility, best practices, search');
  for (const [name, { path }] of Object.entries(PAGES)) {
    for (const form of ['mobile', 'desktop']) {
      const report = await lighthouse(bin('lighthouse'), await address(path), form);
      const scores = Object.values(report.categories).map(({ score }) => Math.round(score * 100));
      row(`${name}, ${form}`, scores.join(' / '));
      for (const text of shortcomings(report)) row('', `- ${text}`);
    }
  }
  return undefined;
});

after(() => console.log(''));
