// All lessons: by Next alone, by the learner's own turns; links; damage. By keyboard: lessons-keyboard.test.mjs.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { axeFindings, open, overflow, shot } from './harness.mjs';
import { AT_ONCE, SLUGS, hurry, lesson, ownTurn, step, walk } from './lessons.mjs';

const began = performance.now();
after(() => console.log(`# all lessons, twice each: ${((performance.now() - began) / 1000).toFixed(0)} s`));

test('there are eighteen lessons', () => {
  assert.equal(SLUGS.length, 18);
});

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
