// Memory stays flat: over many steps of a run, and over many changes of the lesson.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually, open } from './harness.mjs';
import { SLUGS } from './lessons.mjs';

const STEPS = 10_000;
const CHANGES = 1_000;

/** How much more there may be after all of it than after a tenth of it. */
const MORE = { heap: 1_000_000, nodes: 500, listeners: 20, wasm: 0 };

/** Notes the memories of the page's programs, so that their sizes can be read. */
function noteMemories() {
  globalThis.memories = [];
  for (const name of ['instantiate', 'instantiateStreaming']) {
    const real = WebAssembly[name];
    WebAssembly[name] = async (...rest) => {
      const result = await real(...rest);
      globalThis.memories.push((result.instance ?? result).exports.memory);
      return result;
    };
  }
}

/** What the page holds after garbage was collected: bytes of JavaScript and of wasm, nodes, listeners. */
async function held(session, page) {
  // What came last is let go of only a moment later.
  for (const ms of [0, 500]) {
    await page.waitForTimeout(ms);
    await session.send('HeapProfiler.collectGarbage');
  }
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  const { metrics } = await session.send('Performance.getMetrics');
  const value = (name) => metrics.find((metric) => metric.name === name).value;
  const wasm = await page.evaluate(() => globalThis.memories.reduce((sum, memory) => sum + memory.buffer.byteLength, 0));
  assert.ok(wasm > 0);
  return { heap: usedSize, nodes: value('Nodes'), listeners: value('JSEventListeners'), wasm };
}

/**
 * How much more nodes there are, as if each half of the way added as many as the one that added fewer: the
 * browser holds what was last taken from the page, or does not, which is no growth.
 */
const nodesMore = (before, between, later) => 2 * Math.min(between.nodes - before.nodes, later.nodes - between.nodes);

/** Does something a tenth of `times`, then the rest in two halves, and compares. */
async function staysFlat(t, page, times, act) {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  await act(times / 10);
  const before = await held(session, page);
  await act((times * 4.5) / 10);
  const between = await held(session, page);
  await act((times * 4.5) / 10);
  // Not all is let go of by the first collection.
  const changes = await eventually(async () => {
    const later = await held(session, page);
    return Object.entries(MORE).map(([name, most]) => {
      const change = `${name}: ${before[name]} after ${times / 10}, ${later[name]} after ${times}`;
      const more = name === 'nodes' ? nodesMore(before, between, later) : later[name] - before[name];
      assert.ok(more <= most, `${change}: it grows`);
      return change;
    });
  });
  changes.forEach((change) => t.diagnostic(change));
  assert.deepEqual(page.problems, []);
}

/** In the page: presses what fits the selectors, one after the other, `times` in all, with a frame now and then. */
async function pressInTurn({ selectors, times }) {
  for (let n = 0; n < times; n += 1) {
    document.querySelector(selectors[n % selectors.length]).click();
    await null;
    if (n % 50 === 0) await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  }
}

test(`over ${STEPS} steps`, async (t) => {
  const page = await open('#/play', { prepare: (p) => p.addInitScript(noteMemories) });
  await page.locator('svg.tl').waitFor();
  const forward = Array(14).fill('[data-do=forward]');
  const back = Array(14).fill('[data-do=back]');
  await staysFlat(t, page, STEPS, (times) => page.evaluate(pressInTurn, { selectors: [...forward, ...back], times }));
});

/** In the page: goes from lesson to lesson by the address, `times` in all, and waits for each. */
async function visit({ slugs, times }) {
  const title = () => document.querySelector('svg.tl') && document.querySelector('.lesson-menu')?.innerText;
  for (let n = 0; n < times; n += 1) {
    const before = title();
    const isHere = () => title() && title() !== before;
    location.hash = `#/lesson/${slugs[n % slugs.length]}/1`;
    while (!isHere()) await new Promise((done) => setTimeout(done));
  }
}

test(`over ${CHANGES} changes of the lesson`, async (t) => {
  const page = await open('', { prepare: (p) => p.addInitScript(noteMemories) });
  await page.locator('.tile').first().waitFor();
  let done = 0;
  await staysFlat(t, page, CHANGES, async (times) => {
    // Each time on from where the last one ended, so that every step is a change.
    const slugs = [...SLUGS.slice(done % SLUGS.length), ...SLUGS.slice(0, done % SLUGS.length)];
    await page.evaluate(visit, { slugs, times });
    done += times;
  });
});
