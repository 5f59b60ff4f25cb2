// How fast the app is: until a page answers on a slow machine and network, at a step, at the slider, and
// how little it does while it plays or rests.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { open } from './harness.mjs';
import { PAGES, busyShare, interactive, percent, scrubLatency, stepLatency, told } from './measure.mjs';

/** Milliseconds until a page answers, on a quarter of this machine's speed at 1.6 Mb/s and 150 ms. */
const LIMIT_MS = { home: 900, lesson: 900, embed: 900 };

/** Shares of the main thread. */
const PLAYING = 0.05;
const IDLE = 0.005;

/** Milliseconds of work for a step and a move of the slider: half a frame. */
const CHANGE_MS = 8;

for (const name of Object.keys(PAGES)) {
  test(`${name}: time until it answers, on a slow machine and network`, async (t) => {
    const { ms, bytes } = await interactive(name);
    t.diagnostic(`${name}: answers after ${ms.toFixed(0)} ms and ${bytes} bytes (medians of three)`);
    assert.ok(ms <= LIMIT_MS[name], `${ms.toFixed(0)} ms`);
  });
}

/** The pages where time can run, with the button that starts it. */
const PLAYERS = { home: '', lesson: '#/lesson/paused-holder/2', play: '#/play', embed: '?embed&lesson=paused-holder&controls=full' };

for (const [name, path] of Object.entries(PLAYERS)) {
  test(`${name}: the main thread while it rests and while it plays`, async (t) => {
    const page = await open(path);
    await page.locator('svg.tl').first().waitFor();
    await page.waitForTimeout(1000);
    const idle = await busyShare(page);
    const start = page.getByRole('button', { name: 'First event', exact: true });
    if (await start.count()) await start.click({ force: true });
    await page.getByRole('button', { name: /^Play/ }).click();
    await page.waitForTimeout(300);
    const playing = await busyShare(page);
    assert.equal(await page.getByRole('button', { name: 'Pause', exact: true }).count(), 1, 'it played to the end of the measurement');
    t.diagnostic(`${name}: at work ${percent(idle)} while it rests, ${percent(playing)} while it plays`);
    assert.ok(idle < IDLE, percent(idle));
    assert.ok(playing <= PLAYING, percent(playing));
  });
}

test('a step and a move of the slider in a lesson', async (t) => {
  const page = await open('#/lesson/paused-holder/2');
  await page.locator('svg.tl').first().waitFor();
  const scrub = await scrubLatency(page);
  await page.getByRole('slider', { name: 'Time' }).press('Home');
  const step = await stepLatency(page);
  t.diagnostic(`a step ${told(step)}; the slider ${told(scrub)}`);
  assert.ok(step.work <= CHANGE_MS && scrub.work <= CHANGE_MS);
});
