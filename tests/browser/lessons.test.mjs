// All lessons: by Next alone, by the learner's own turns, by keyboard; links; damage.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { COLOUR_RULES, axeFindings, open, overflow, shot } from './harness.mjs';

const folder = fileURLToPath(new URL('../../src/lesson/lessons', import.meta.url));
const SLUGS = readdirSync(folder)
  .sort()
  .map((file) => file.replace(/^\d+-/, '').replace(/\.md$/, ''));

const step = (page) => page.locator('.read .eyebrow').first().innerText();

/** Has each frame of the page last a tenth of a second, and follow at once: a test need not wait for what plays. */
const hurry = (page) =>
  page.addInitScript(() => {
    let now = 0;
    globalThis.requestAnimationFrame = (then) => setTimeout(() => then((now += 100)));
  });

async function lesson(slug, options) {
  const page = await open(`#/lesson/${slug}/1`, options);
  await page.locator('#beat').waitFor();
  return page;
}

/** Presses Next until the lesson is done; calls `seen` on each new state. */
async function walk(page, press, seen) {
  for (let guard = 0; guard < 40; guard += 1) {
    await seen?.();
    const next = page.locator('.steps .next');
    if ((await next.count()) === 0) return;
    const before = await page.locator('.lesson').innerHTML();
    await press(next);
    await page.waitForFunction((html) => document.querySelector('.lesson').innerHTML !== html, before);
  }
  assert.fail('the lesson does not end');
}

/** Pages that are walked through at the same time. */
const AT_ONCE = 3;

const began = performance.now();
after(() => console.log(`# all lessons, three times each: ${((performance.now() - began) / 1000).toFixed(0)} s`));

test('there are eighteen lessons', () => {
  assert.equal(SLUGS.length, 18);
});

/** What axe finds in the light theme, and by its rules of colour in the dark one: the rest is the same. */
async function findingsInBoth(page) {
  const light = await axeFindings(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await axeFindings(page, { only: COLOUR_RULES });
  await page.emulateMedia({ colorScheme: 'light' });
  return [...light, ...dark.map((finding) => `dark: ${finding}`)];
}

describe('by Next alone', { concurrency: AT_ONCE }, () => {
  for (const slug of SLUGS) {
    test(slug, async () => {
      const page = await lesson(slug, { prepare: hurry });
      let states = 0;
      await walk(
        page,
        (next) => next.click(),
        async () => {
          states += 1;
          assert.equal(await overflow(page), 0);
        },
      );
      assert.ok(states >= 4);
      assert.deepEqual(page.problems, []);
      await shot(page, `lesson-${slug}`);
      await page.context().close();
    });
  }
});

/** Goes on by Tab until the focus is on what fits a selector. */
async function tabTo(page, selector) {
  for (let guard = 0; guard < 60; guard += 1) {
    await page.keyboard.press('Tab');
    if (await page.evaluate((wanted) => document.activeElement.matches(wanted), selector)) return;
  }
  assert.fail(`Tab does not lead to ${selector}`);
}

/** What the page shows as said last, and what it announces. */
const spoken = (page) =>
  page.evaluate(() => ({
    said: document.querySelector('#said').innerText.replace(/\s+/g, ' ').trim(),
    announced: document.querySelector('#announcer').innerText.replace(/\s+/g, ' ').trim(),
  }));

/** The announcement of what the transcript shows as its current sentence. */
const announcementOf = (said) => said.replace(/^(\d+ s) /, 'At $1: ').replace('Nothing has happened yet.', '');

/** Plays on, if it plays, to the moment where it rests. */
const rest = (page) => page.waitForFunction(() => !document.querySelector('[data-do=play][aria-label=Pause]'));

describe('by keyboard alone: focus and announcement are right at each step, without a finding in light or dark', { concurrency: AT_ONCE }, () => {
  for (const slug of SLUGS) {
    test(slug, async () => {
      const page = await lesson(slug, { prepare: hurry });
      let title = await step(page);
      await walk(
        page,
        async () => {
          await tabTo(page, '.steps .next');
          await page.keyboard.press('Enter');
        },
        async () => {
          await rest(page);
          const now = await step(page);
          if (now !== title) await page.waitForFunction(() => document.activeElement.id === 'beat');
          title = now;
          const { said, announced } = await spoken(page);
          assert.equal(announced, announcementOf(said), title);
          assert.deepEqual(await findingsInBoth(page), [], title);
        },
      );
      assert.notEqual(await page.evaluate(() => document.activeElement.tagName), 'BODY', 'the focus is lost at the end');
      await page.locator('[data-do=previous]').focus();
      await page.keyboard.press('Enter');
      await page.waitForFunction(() => document.activeElement?.id === 'beat');
      assert.deepEqual(page.problems, []);
      await page.context().close();
    });
  }
});

/** Takes a turn of the learner's own where a beat has one: picks, acts, and reads the answer. Whether there was a question. */
async function ownTurn(page) {
  const choice = page.locator('.choice');
  const asked = (await choice.count()) > 0;
  if (asked) {
    await choice.first().click();
    assert.equal(await page.locator('.answer').innerText(), '', 'nothing is told before the act');
  }
  const act = page.locator('.turn .btn.primary');
  if ((await act.count()) === 0) return false;
  await act.click();
  await page.getByText('Run again').waitFor();
  if (!asked) return false;
  assert.notEqual(await page.locator('.answer').innerText(), '');
  assert.equal(await page.locator('.choice[data-mark=right]').count(), 1);
  return true;
}

describe('by the learner’s own turns: predict, act, reveal', { concurrency: AT_ONCE }, () => {
  for (const slug of SLUGS) {
    test(slug, async () => {
      const page = await lesson(slug, { prepare: hurry });
      let revealed = 0;
      await walk(
        page,
        (next) => next.click(),
        async () => {
          if (await ownTurn(page)) revealed += 1;
        },
      );
      assert.ok(revealed >= 1);
      assert.deepEqual(page.problems, []);
      await page.context().close();
    });
  }
});

test('the future is hidden while a question about it is open', async () => {
  const page = await lesson(SLUGS[0]);
  for (let guard = 0; guard < 20 && !(await page.locator('.choice').count()); guard += 1) {
    await page.locator('.steps .next').click();
  }
  assert.equal(await page.locator('svg.tl').first().getAttribute('data-hide'), '');
});

test('an experiment, and back to the lesson', async () => {
  const page = await lesson(SLUGS[0]);
  await page.getByText('Try something else').click();
  await page.getByRole('button', { name: 'Client B: Acquire' }).click();
  await page.getByText('This is your own run now').waitFor();
  await page.getByRole('button', { name: 'Back to the lesson' }).click();
  assert.equal(await page.getByText('This is your own run now').count(), 0);
});

test('prose points at the picture', async () => {
  const page = await lesson(SLUGS[3]);
  for (let guard = 0; guard < 20 && !(await page.locator('.ref').count()); guard += 1) {
    await page.locator('.steps .next').click();
  }
  await page.locator('.ref').first().focus();
  await page.locator('svg.tl[data-lit]').first().waitFor();
});

test('addresses: reload restores, back and forward go through the beats', async () => {
  const page = await lesson(SLUGS[0]);
  const first = await step(page);
  await page.getByRole('button', { name: 'Step 3' }).click();
  assert.match(await step(page), /^Step 3/);
  await page.waitForFunction(() => location.hash.includes('/3?'));
  await page.reload();
  await page.locator('#beat').waitFor();
  assert.match(await step(page), /^Step 3/);
  await page.goBack();
  await page.waitForFunction((text) => document.querySelector('.read .eyebrow')?.innerText === text, first);
  await page.goForward();
  await page.waitForFunction(() => document.querySelector('.read .eyebrow')?.innerText.startsWith('Step 3'));
});

for (const [hash, notice] of [
  ['#/lesson/no-such-lesson/1', /There is no lesson “no-such-lesson”/],
  ['#/nowhere', /There is no page “nowhere”/],
  ['#/lesson/paused-holder/99', /fewer steps/],
  ['#/lesson/paused-holder/1?policy=sharp', /policy “sharp” of this address/],
  ['#/lesson/paused-holder/1?s=AAAA', /damaged/],
]) {
  test(`a damaged address: ${hash}`, async () => {
    const page = await open(hash);
    await page.getByText(notice).waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).first().click();
    assert.deepEqual(page.problems, []);
  });
}

test('progress is shown on the home page', async () => {
  const page = await lesson(SLUGS[0]);
  await walk(page, (next) => next.click());
  await page.getByRole('link', { name: /Fencing Lab/ }).click();
  await page.getByText('1 of 3 done').waitFor();
  await page.getByRole('link', { name: 'Continue lesson 2' }).waitFor();
});

test('with storage blocked everything works', async () => {
  const prepare = (page) =>
    page.addInitScript(() => {
      Object.defineProperty(globalThis, 'localStorage', { get: () => { throw new DOMException('no', 'SecurityError'); } });
    });
  const page = await open(`#/lesson/${SLUGS[0]}/1`, { prepare });
  await page.locator('#beat').waitFor();
  await page.locator('.steps .next').click();
  assert.deepEqual(page.problems, []);
});

test('a lesson that cannot be fetched says so and can be tried again', async () => {
  let broken = true;
  const prepare = (page) => page.route('**/lessons/*.bin', (route) => (broken ? route.abort() : route.continue()));
  const page = await open(`#/lesson/${SLUGS[0]}/1`, { prepare });
  await page.getByText('The lesson could not be loaded').waitFor();
  broken = false;
  await page.getByRole('button', { name: 'Retry' }).click();
  await page.locator('#beat').waitFor();
});

for (const dark of [false, true]) {
  test(`home, ${dark ? 'dark' : 'light'}: axe, pictures of all lessons, no sideways scrolling`, async () => {
    const page = await open('', { dark, reducedMotion: true });
    assert.equal(await page.locator('.tile').count(), 18);
    assert.deepEqual(await axeFindings(page), []);
    assert.equal(await overflow(page), 0);
    await shot(page, `home-${dark ? 'dark' : 'light'}`, { fullPage: true });
    assert.deepEqual(page.problems, []);
  });
}

for (const width of [320, 390, 768]) {
  test(`a lesson at ${width} px`, async () => {
    const page = await lesson(SLUGS[0], { width });
    assert.equal(await overflow(page), 0);
    await page.locator('.steps .next').click();
    await shot(page, `lesson-${width}`, { fullPage: true });
  });
}
