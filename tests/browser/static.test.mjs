// The pages of lessons that need no script: as readers without one see them, printed, and until the app takes over.
import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { test } from 'node:test';
import { HtmlValidate } from 'html-validate';
import { address, appStarted, axeFindings, open, overflow, shot } from './harness.mjs';

const dist = new URL('../../dist/', import.meta.url);
const files = await readdir(new URL('lessons', dist));
const SLUGS = files.filter((file) => file.endsWith('.html')).map((file) => file.replace('.html', ''));

/** Opens a lesson's page with JavaScript off. */
function withoutScripts(path, options = {}) {
  return open(path, { wait: false, ...options, context: { javaScriptEnabled: false } });
}

/** Opens a lesson's page without the script that loads the app, so that tools can still look at it. */
function still(slug, options = {}) {
  const prepare = (page) => page.route('**/boot-*.js', (route) => route.fulfill({ body: '', contentType: 'text/javascript' }));
  return open(`lessons/${slug}.html`, { wait: false, prepare, ...options });
}

/** The problems of a page but the app's script, which browsers do not load where scripts are off. */
const problemsBesideScripts = (page) => page.problems.filter((problem) => !/app-\w+\.js csp$/.test(problem));

async function invalid(html) {
  const report = await new HtmlValidate({ extends: ['html-validate:recommended'] }).validateString(html);
  return report.results.flatMap((result) => result.messages.map((m) => `${m.line}:${m.column} ${m.ruleId} ${m.message}`));
}

test('there is a page for each lesson', () => {
  assert.equal(SLUGS.length, files.filter((file) => /^[a-z-]+\.bin$/.test(file) && file !== 'home.bin').length);
  assert.ok(SLUGS.length >= 18);
});

for (const slug of SLUGS) {
  test(`${slug}: valid, with pictures, answers and transcript, without a script`, async () => {
    assert.deepEqual(await invalid(await readFile(new URL(`lessons/${slug}.html`, dist), 'utf8')), []);
    const page = await withoutScripts(`lessons/${slug}.html`);
    assert.ok((await page.locator('figure svg:visible').count()) >= 2);
    assert.ok((await page.locator('details.transcript[open] li:visible').count()) >= 5);
    for (const answer of await page.locator('.predict details').all()) {
      assert.equal(await answer.locator('li').first().isVisible(), false);
      await answer.locator('summary').click();
      assert.equal(await answer.locator('li').first().isVisible(), true);
    }
    assert.deepEqual(problemsBesideScripts(page), []);
  });

  for (const dark of [false, true]) {
    test(`${slug}, ${dark ? 'dark' : 'light'}: axe, no sideways scrolling at any width`, async () => {
      const page = await still(slug, { dark });
      await page.evaluate(() => document.querySelectorAll('details').forEach((one) => (one.open = true)));
      assert.deepEqual(await axeFindings(page), []);
      for (const width of [1280, 640, 320]) {
        await page.setViewportSize({ width, height: 800 });
        assert.equal(await overflow(page), 0, `at ${width} px`);
      }
      assert.deepEqual(page.problems, []);
    });
  }
}

test('the picture that fits is shown', async () => {
  const page = await still(SLUGS[0], { width: 320 });
  assert.equal(await page.locator('.tl-h:visible').count(), 0);
  assert.ok((await page.locator('.tl-v:visible').count()) >= 3);
  await shot(page, 'static-320', { fullPage: true });
  await page.setViewportSize({ width: 1280, height: 800 });
  assert.equal(await page.locator('.tl-v:visible').count(), 0);
  await shot(page, 'static-1280', { fullPage: true });
});

test('pictures stop at the playhead', async () => {
  const page = await still('paused-holder');
  const [end, playhead] = await page.locator('figure svg:visible').first().evaluate((svg) => [
    svg.querySelector('clipPath rect').width.baseVal.value,
    svg.querySelector('.playhead').getBBox().x,
  ]);
  assert.ok(end > 0 && Math.abs(end - playhead) < 0.1, `${end} ${playhead}`);
});

test('the base address of the page leads no reference of a picture elsewhere', async () => {
  const page = await still('paused-holder');
  const picture = page.locator('figure svg:visible', { has: page.locator('.pause') }).first();
  const looks = () => picture.screenshot();
  const whole = await looks();
  assert.deepEqual(await looks(), whole);
  await page.evaluate(() => document.querySelector('#hatch path').remove());
  const plain = await looks();
  assert.notDeepEqual(plain, whole);
  await picture.evaluate((svg) => svg.querySelector('clipPath rect').setAttribute('width', 0));
  assert.notDeepEqual(await looks(), plain);
});

test('print has text, pictures, answers and transcripts, and no controls', async () => {
  const page = await still('paused-holder', { dark: true });
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  for (const hidden of ['.topbar', '.open-app', '.neighbours']) assert.equal(await page.locator(hidden).isVisible(), false, hidden);
  for (const shown of ['h1', '.prose', 'figure svg', '.predict details li', '.predict details figure']) {
    assert.equal(await page.locator(`${shown}:visible`).first().isVisible(), true, shown);
  }
  const closed = page.locator('details:not([open])');
  for (const one of await closed.all()) assert.ok((await one.locator('li:visible').count()) > 0);
  assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgb(255, 255, 255)');
});

test('the app takes over, at the lesson, under its own address', async () => {
  const page = await open('lessons/counter-goes-back.html');
  await page.locator('#beat').waitFor();
  assert.equal(await page.locator('.static, .open-app').count(), 0);
  await page.waitForFunction(() => location.hash.startsWith('#/lesson/counter-goes-back/1'));
  assert.equal((await page.evaluate('location.href')).replace(/#.*/, ''), await address());
  await page.locator('.steps .next').click();
  await page.getByRole('link', { name: /Fencing Lab/ }).click();
  await page.locator('.tile').first().waitFor();
  await page.getByRole('link', { name: 'Lab', exact: true }).click();
  await appStarted(page);
  assert.equal((await page.evaluate('location.href')).replace(/#.*/, ''), await address('lab.html'));
  assert.deepEqual(page.problems, []);
});

test('after the app took over, reload and back work', async () => {
  const page = await open('lessons/paused-holder.html');
  await page.locator('.steps .next').click();
  await page.getByRole('button', { name: 'Step 2' }).click();
  await page.waitForFunction(() => location.hash.includes('/2?'));
  await page.reload();
  await page.locator('.read .eyebrow', { hasText: 'Step 2' }).waitFor();
  await page.goBack();
  await page.locator('.read .eyebrow', { hasText: 'Step 1' }).waitFor();
});

test('where the app cannot start, the page stays', async () => {
  const prepare = (page) => page.route('**/*.wasm', (route) => route.abort());
  const page = await open('lessons/paused-holder.html', { wait: false, prepare });
  await page.getByRole('alert').getByText('could not start').waitFor();
  assert.equal(await page.getByRole('heading', { name: 'The paused holder' }).isVisible(), true);
  assert.deepEqual(await axeFindings(page), []);
});

test('without scripts, home leads to all lessons, and they to each other', async () => {
  const page = await withoutScripts('');
  const links = page.locator('noscript a');
  assert.equal(await links.count(), SLUGS.length);
  await links.first().click();
  for (let count = 1; count < SLUGS.length; count += 1) await page.locator('[rel=next]').click();
  assert.equal(await page.locator('[rel=next]').count(), 0);
  await page.getByRole('link', { name: 'All lessons', exact: true }).click();
  assert.equal(page.url(), await address());
});

test('each lesson is an image too', async () => {
  for (const slug of SLUGS) {
    const page = await withoutScripts(`lessons/${slug}.svg`);
    assert.ok((await page.locator('svg .it').count()) > 5, slug);
    await page.context().close();
  }
});
