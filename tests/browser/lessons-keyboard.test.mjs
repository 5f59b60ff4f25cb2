// All lessons by keyboard alone, with axe on each step in light and dark.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { COLOUR_RULES, axeFindings } from './harness.mjs';
import { AT_ONCE, SLUGS, hurry, lesson, step, walk } from './lessons.mjs';

const began = performance.now();
after(() => console.log(`# all lessons by keyboard: ${((performance.now() - began) / 1000).toFixed(0)} s`));

/** What axe finds in the light theme, and by its rules of colour in the dark one: the rest is the same. */
async function findingsInBoth(page) {
  const light = await axeFindings(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await axeFindings(page, { only: COLOUR_RULES });
  await page.emulateMedia({ colorScheme: 'light' });
  return [...light, ...dark.map((finding) => `dark: ${finding}`)];
}

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
