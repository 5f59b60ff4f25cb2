// The player: the whole 41/42 story by mouse and by keyboard, the policy switch, the learner's own
// actions, themes and sizes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axeFindings, open, overflow, shot } from './harness.mjs';

/** The moments of the story, as the transcript tells them (written from the rules of the language). */
const STORY = [
  ['0 s', /A asks the coordinator for the lease/],
  ['1 s', /coordinator grants A the lease until 11 s, with token 41/],
  ['2 s', /A learns that it holds the lease.*sends “draft” with token 41/],
  ['3 s', /accepts “draft”.*mark is now 41/],
  ['4 s', /A learns that “draft” was accepted, and pauses/],
  ['11 s', /A’s lease expires/],
  ['16 s', /B asks/],
  ['17 s', /grants B the lease until 27 s, with token 42/],
  ['18 s', /B learns.*sends “final” with token 42/],
  ['19 s', /accepts “final”.*mark is now 42/],
  ['20 s', /A resumes/],
  ['20 s', /A sends “late” with token 41/],
  ['21 s', /rejects “late”: 41 is below the mark, 42/],
  ['22 s', /A learns that “late” was rejected/],
];

const button = (page, name) => page.getByRole('button', { name, exact: true });
const current = (page) => page.locator('.transcript summary .clip').innerText();
const badge = (page) => page.locator('.badge').innerText();

async function play(options) {
  const page = await open('#/play', options);
  await page.locator('svg.tl').waitFor();
  return page;
}

/** All that a page shows of the state at the cursor. */
async function state(page) {
  const texts = ['.panels', '.badge', '.transcript summary'].map((part) => page.locator(part).innerText());
  return (await Promise.all(texts)).join('\n');
}

test('the story by mouse, a moment a press', async () => {
  const page = await play();
  assert.match(await current(page), /Nothing has happened yet/);
  for (const [at, text] of STORY) {
    await button(page, 'Next event').click();
    const shown = await current(page);
    assert.ok(shown.startsWith(at), `${shown} at ${at}`);
    assert.match(shown, text);
  }
  assert.match(await badge(page), /No stale write accepted/);
  assert.deepEqual(page.problems, []);
});

test('the story by keyboard, and only while the focus is inside the player', async () => {
  const page = await play();
  await page.keyboard.press('ArrowRight');
  assert.match(await current(page), /Nothing has happened yet/);
  await button(page, 'Next event').focus();
  for (const [, text] of STORY) {
    await page.keyboard.press('ArrowRight');
    assert.match(await current(page), text);
  }
  await page.keyboard.press('Home');
  assert.match(await current(page), /Nothing has happened yet/);
  await page.keyboard.press('End');
  const slider = page.getByRole('slider', { name: 'Time' });
  await slider.focus();
  await page.keyboard.press('ArrowLeft');
  assert.match(await slider.getAttribute('aria-valuetext'), /seconds\. /);
  assert.deepEqual(page.problems, []);
});

test('stepping back equals replaying the prefix', async () => {
  const there = await play();
  await button(there, 'Last event').click();
  const replay = await play();
  for (let passed = 0; passed < 9; passed += 1) await button(replay, 'Next event').click();
  for (let guard = 0; guard < 40; guard += 1) {
    if ((await current(there)) === (await current(replay))) break;
    await button(there, 'Previous event').click();
  }
  assert.equal(await state(there), await state(replay));
});

test('every speed ends with the same verdicts', async () => {
  const ends = [];
  for (const presses of [1, 2, 3]) {
    const page = await play();
    await button(page, 'Last event').click();
    for (let back = 0; back < 3; back += 1) await button(page, 'Previous event').click();
    for (let press = 0; press < presses; press += 1) await page.getByRole('button', { name: /^Speed/ }).click();
    await button(page, 'Play').click();
    await page.getByRole('button', { name: 'Play again' }).waitFor();
    ends.push(await state(page));
  }
  assert.equal(new Set(ends).size, 1);
});

test('without fencing the late write is stored and the badge breaks', async () => {
  const page = await play();
  await button(page, 'Last event').click();
  assert.match(await badge(page), /No stale write accepted/);
  await page.getByText('No fencing', { exact: true }).click();
  assert.match(await badge(page), /Stale write accepted: token 41 after 42/);
  assert.match(await page.locator('.places').innerText(), /late|v3/);
  await page.getByText('Fenced', { exact: true }).click();
  assert.match(await badge(page), /No stale write accepted/);
});

test('the gate shows the rule and the numbers; SQL says the same', async () => {
  const page = await play();
  for (let press = 0; press < 13; press += 1) await button(page, 'Next event').click();
  assert.match(await page.locator('.eval').innerText(), /41\s+>=\s+42\s+→\s+no\s+→\s+reject/);
  assert.match(await page.locator('.gate [aria-current]').innerText(), /else: reject/);
  await button(page, 'SQL').click();
  assert.match(await page.locator('pre.sql').first().innerText(), /UPDATE doc SET value = :value, mark = :token/);
  assert.match(await page.locator('.gate-panel').innerText(), /no row was changed/);
});

test('own actions write lines, fork the run, and can be undone', async () => {
  const page = await play();
  await page.getByRole('slider', { name: 'Time' }).focus();
  for (let press = 0; press < 5; press += 1) await page.keyboard.press('ArrowRight');
  // At 4 s A is paused: it cannot write, and the button says why.
  const write = page.getByRole('button', { name: 'Client A: Write' });
  assert.equal(await write.getAttribute('aria-disabled'), 'true');
  await write.focus();
  await page.keyboard.press('Enter');
  assert.match(await page.locator('.why').innerText(), /A is paused: resume it first/);
  await page.getByRole('button', { name: 'Time: Let the lease end' }).click();
  await page.getByText(/A’s lease expires/).first().waitFor();
  await page.getByRole('button', { name: 'Client B: Acquire' }).click();
  await page.getByText(/B learns that it holds the lease/).first().waitFor();
  assert.match(await page.locator('.panels').innerText(), /held by B/);
  assert.match(page.url(), /s=/);
  const forked = page.url();
  await button(page, 'Undo').click();
  await button(page, 'Undo').click();
  await button(page, 'Last event').click();
  assert.match(await current(page), /A learns that “late” was rejected|expires/);
  // The address of the fork restores it.
  const again = await open(new URL(forked).hash);
  await again.getByText(/B learns that it holds the lease/).first().waitFor();
  assert.deepEqual(page.problems, []);
});

test('nothing runs while nothing moves', async () => {
  const page = await play();
  await page.waitForTimeout(600);
  const frames = await page.evaluate(async () => {
    let calls = 0;
    const real = globalThis.requestAnimationFrame;
    globalThis.requestAnimationFrame = (callback) => ((calls += 1), real(callback));
    const timers = [];
    for (const name of ['setTimeout', 'setInterval']) {
      const old = globalThis[name];
      globalThis[name] = (...rest) => (timers.push(name), old(...rest));
    }
    await new Promise((resolve) => real(() => real(resolve)));
    return { calls, timers };
  });
  assert.deepEqual(frames, { calls: 0, timers: [] });
});

test('reduced motion plays moment by moment', async () => {
  const page = await play({ reducedMotion: true });
  await button(page, 'Play').click();
  await page.getByText(/A asks the coordinator/).first().waitFor({ timeout: 4000 });
  await button(page, 'Pause').click();
});

for (const dark of [false, true]) {
  const theme = dark ? 'dark' : 'light';
  test(`axe finds nothing, in ${theme}`, async () => {
    const page = await play({ dark });
    await button(page, 'Last event').click();
    await page.locator('.transcript summary').click();
    await page.waitForTimeout(300);
    assert.deepEqual(await axeFindings(page), []);
    await page.getByText('No fencing', { exact: true }).click();
    await page.waitForTimeout(300);
    assert.deepEqual(await axeFindings(page), []);
    await shot(page, `play-${theme}`, { fullPage: true });
  });
}

for (const width of [340, 390, 768, 1024, 1280]) {
  test(`no sideways scrolling at ${width} px`, async () => {
    const page = await play({ width });
    await button(page, 'Next event').click();
    assert.equal(await overflow(page), 0);
    await shot(page, `play-${width}`, { fullPage: true });
  });
}

test('the theme can be set and is remembered', async () => {
  const page = await play();
  await page.getByRole('button', { name: 'Switch to the dark theme' }).click();
  assert.equal(await page.locator('html').getAttribute('data-theme'), 'dark');
  await page.reload();
  await page.locator('svg.tl').waitFor();
  assert.equal(await page.locator('html').getAttribute('data-theme'), 'dark');
});
