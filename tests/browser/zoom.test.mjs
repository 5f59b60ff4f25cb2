// Every page at 400 % zoom and in forced colours: nothing sideways, every control within reach and in
// sight while it has the focus, no finding of axe; a lesson can be read to its end.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { COLOUR_RULES, address, axeFindings, open, overflow, shot } from './harness.mjs';

/** A window of 1280 by 1024 pixels at 400 %. */
const ZOOMED = { width: 320, height: 256, zoom: 4 };
const FORCED = { forcedColors: true };
const STORY = 'A acquires\nA writes draft "v1"\nwait 12\nB acquires\nB writes final "v2"\nA writes late "v3"\n';

/** A page: its path, and what is there when it is complete. */
const PAGES = {
  home: ['', '.tile'],
  lesson: ['#/lesson/paused-holder/1', '.steps .next'],
  'a lesson of two runs': ['#/lesson/rule-at-the-write/4', '.steps'],
  play: ['#/play', 'svg.tl'],
  embed: ['?embed&lesson=paused-holder&controls=full&show=timeline+panels+gate+transcript', 'svg.tl'],
  lab: ['lab.html', 'textarea'],
  docs: ['#/docs', 'main h1'],
  'static lesson': ['lessons/paused-holder.html', 'main h1'],
};

/** Opens a page in a mode, complete. */
async function complete(name, options) {
  const [path, there] = PAGES[name];
  // The static page is for readers without the app, which would take over.
  const isStatic = path.startsWith('lessons/');
  const empty = (route) => route.fulfill({ body: '', contentType: 'text/javascript' });
  const prepare = (page) => (isStatic ? page.route('**/boot-*.js', empty) : undefined);
  const page = await open(path, { ...options, prepare, wait: !isStatic });
  await page.locator(there).first().waitFor();
  if (name === 'lab') await page.locator('textarea').fill(STORY);
  return page;
}

/** Whether there is a page of a lesson without a script in this build. */
const built = async (name) => !PAGES[name][0].startsWith('lessons/') || (await fetch(await address(PAGES[name][0]))).ok;

/**
 * Goes through a page by Tab and says what of it cannot be reached, or is not in sight while it has the focus.
 */
async function unreachable(page) {
  const count = await page.evaluate(() => {
    document.body.tabIndex = -1;
    document.body.focus();
    globalThis.reached = new Set();
    const all = 'a[href], button, input, select, textarea, summary, [tabindex="0"]';
    const isShown = (element) => element.checkVisibility({ checkVisibilityCSS: true }) && !element.disabled && element.tabIndex >= 0;
    // Of a group of radio buttons the one that is chosen, or the first, takes the focus for all.
    const isAlone = (element) => {
      if (element.type !== 'radio') return true;
      const group = [...document.querySelectorAll(`input[type=radio][name="${element.name}"]`)].filter(isShown);
      return element === (group.find((one) => one.checked) ?? group[0]);
    };
    globalThis.wanted = [...document.querySelectorAll(all)].filter((element) => isShown(element) && isAlone(element));
    return globalThis.wanted.length;
  });
  assert.ok(count > 0);
  const hidden = [];
  for (let press = 0; press < count + 5; press += 1) {
    await page.keyboard.press('Tab');
    const trouble = await page.evaluate(() => {
      const element = document.activeElement;
      globalThis.reached.add(element);
      if (element === document.body) return null;
      const boxes = [...element.getClientRects()];
      // Radio buttons are shown by their labels, the text of an editor by what is drawn over it.
      const drawing = element.matches('.editor textarea') ? element.parentElement : element;
      if (element.type === 'radio') boxes.push(...[...element.labels].flatMap((label) => [...label.getClientRects()]));
      const isSeen = ({ left, top, right, bottom }) => {
        const x = (Math.max(left, 0) + Math.min(right, innerWidth)) / 2;
        const y = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2;
        const found = document.elementFromPoint(x, y);
        return found !== null && (drawing.contains(found) || found.contains(element) || [...(element.labels ?? [])].some((label) => label.contains(found)));
      };
      return boxes.some(isSeen) ? null : `covered or out of sight: ${element.outerHTML.slice(0, 120)}`;
    });
    if (trouble) hidden.push(trouble);
  }
  const missed = await page.evaluate(() =>
    globalThis.wanted.filter((element) => element.isConnected && !globalThis.reached.has(element)).map((element) => `not reached: ${element.outerHTML.slice(0, 120)}`),
  );
  return [...new Set([...hidden, ...missed])];
}

/** The content that stands out of the window to the right, for the message of a failure. */
const wide = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('body *')]
      .filter((element) => element.getBoundingClientRect().right > innerWidth + 0.5 && element.getBoundingClientRect().width > 0)
      .slice(0, 5)
      .map((element) => element.outerHTML.slice(0, 100)),
  );

const began = performance.now();
after(() => console.log(`# at 400 % and in forced colours: ${((performance.now() - began) / 1000).toFixed(0)} s`));

describe('at 400 %', { concurrency: 2 }, () => {
  for (const name of Object.keys(PAGES)) {
    test(name, async (t) => {
      if (!(await built(name))) return t.skip('a debug build has no such pages');
      const page = await complete(name, ZOOMED);
      assert.equal(await overflow(page), 0, `${await wide(page)}`);
      assert.deepEqual(await axeFindings(page), []);
      assert.deepEqual(await unreachable(page), []);
      await shot(page, `zoom-${name.replaceAll(' ', '-')}`);
      return page.context().close();
    });
  }
});

/** In forced colours no colour is the page's. */
const NO_COLOURS = Object.fromEntries(COLOUR_RULES.map((rule) => [rule, { enabled: false }]));

describe('in forced colours', { concurrency: 2 }, () => {
  for (const name of Object.keys(PAGES)) {
    test(name, async (t) => {
      if (!(await built(name))) return t.skip('a debug build has no such pages');
      const page = await complete(name, FORCED);
      assert.equal(await overflow(page), 0);
      await shot(page, `forced-${name.replaceAll(' ', '-')}`);
      assert.deepEqual(await axeFindings(page, { rules: NO_COLOURS }), []);
      assert.deepEqual(await unreachable(page), []);
      return page.context().close();
    });
  }
});

for (const [mode, options] of Object.entries({ 'at 400 %': ZOOMED, 'in forced colours': FORCED })) {
  test(`a lesson can be read to its end ${mode}`, async () => {
    const page = await open('#/lesson/paused-holder/1', { ...options, reducedMotion: true });
    const next = page.locator('.steps .next');
    await next.waitFor();
    for (let guard = 0; guard < 40 && (await next.count()); guard += 1) {
      const before = await page.locator('.lesson').innerHTML();
      await next.click();
      await page.waitForFunction((html) => document.querySelector('.lesson').innerHTML !== html, before);
      assert.equal(await overflow(page), 0);
    }
    await page.getByRole('link', { name: /^Next lesson/ }).waitFor();
    assert.deepEqual(page.problems, []);
  });
}
