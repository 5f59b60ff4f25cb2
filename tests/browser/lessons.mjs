// What tests of the lessons share: which there are, and how one is walked through.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { open } from './harness.mjs';

const folder = fileURLToPath(new URL('../../src/lesson/lessons', import.meta.url));
/** The names of all lessons, in order. */
export const SLUGS = readdirSync(folder)
  .sort()
  .map((file) => file.replace(/^\d+-/, '').replace(/\.md$/, ''));

/** Which step of a lesson is shown, in the page's words. */
export const step = (page) => page.locator('.read .eyebrow').first().innerText();

/** Has each frame of the page last a tenth of a second, and follow at once: a test need not wait for what plays. */
export const hurry = (page) =>
  page.addInitScript(() => {
    let now = 0;
    globalThis.requestAnimationFrame = (then) => setTimeout(() => then((now += 100)));
  });

/** Opens a lesson at its first step. */
export async function lesson(slug, options) {
  const page = await open(`#/lesson/${slug}/1`, options);
  await page.locator('#beat').waitFor();
  return page;
}

/** Presses Next until the lesson is done; calls `seen` on each new state. */
export async function walk(page, press, seen) {
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

/** Takes a turn of the learner's own where a beat has one: picks, acts, and reads the answer. Whether there was a question. */
export async function ownTurn(page) {
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

/** Pages that are walked through at the same time. */
export const AT_ONCE = 3;
