// The app as one page, opened from a file: all of it, and one for each lesson. And what oEmbed says of each lesson.
import assert from 'node:assert/strict';
import { mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { deflateRawSync } from 'node:zlib';
import { axeFindings, eventually, open, overflow } from './harness.mjs';
import { SLUGS, hurry, ownTurn, walk } from './lessons.mjs';

const file = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

const WHOLE = 'fencing-lab.html';
/** The page of a lesson in which runs stand side by side, and one after it. */
const LESSON = 'rule-at-the-write';
const OTHER = 'equal-tokens';

/** The most bytes of a page with one lesson. */
const MOST_BYTES = 150_000;

/** The address of a page in a folder of its own: nothing of the app is beside it. `site`: as if it was built for that. */
async function address(name, site) {
  const folder = file(site ? 'target/single/site' : 'target/single');
  await mkdir(folder, { recursive: true });
  const copy = `${folder}/${name.split('/').at(-1)}`;
  const page = await readFile(file(`dist/${name}`), 'utf8');
  // Its policy names the script by its hash.
  const built = page.replace(/<meta http-equiv[^>]*>/, '').replace('"site":null', `"site":"${site}"`);
  await writeFile(copy, site ? built : page);
  return pathToFileURL(copy).href;
}

/** Opens a page, with a list of everything that the browser asks the network or the disk for. */
async function openSingle(rest, { name = WHOLE, site, prepare, ...options } = {}) {
  const asked = [];
  const url = await address(name, site);
  const page = await open(url + rest, {
    ...options,
    prepare: async (page) => {
      page.on('request', (request) => /^(data|blob):/.test(request.url()) || asked.push(request.url()));
      await prepare?.(page);
    },
  });
  return { page, asked, url };
}

const openLesson = (rest, options) => openSingle(rest, { name: `single/${LESSON}.html`, ...options });

/** Whether a page shows the first step of its lesson. */
const isAtStart = (page, url) => page.url().replace(/\?step=\d+$/, '') === `${url}#/lesson/${LESSON}/1`;

/** Closes what the page says, and returns it. */
async function said(page) {
  const box = page.getByRole('dialog');
  await box.waitFor();
  const text = await box.locator('p').innerText();
  await box.getByRole('button', { name: 'Close' }).click();
  await box.waitFor({ state: 'detached' });
  return text;
}

/** Why a file does not come; its length if it does. */
const fetched = (page, path) =>
  page.evaluate(
    (name) =>
      fetch(name).then(
        async (response) => (await response.arrayBuffer()).byteLength,
        (why) => why,
      ),
    path,
  );

test('opened from a file, a lesson is read and stepped without a request', async () => {
  const { page, asked, url } = await openSingle('#/lesson/paused-holder/1');
  await page.locator('#beat').waitFor();
  const before = await page.locator('.lesson').innerHTML();
  await page.locator('.steps .next').click();
  await page.waitForFunction((html) => document.querySelector('.lesson').innerHTML !== html, before);
  assert.deepEqual(asked, [url]);
  assert.deepEqual(page.problems, []);
  assert.deepEqual(await axeFindings(page), []);
});

test('opened from a file, it is an embed, too', async () => {
  const { page, asked, url } = await openSingle('?embed&lesson=rule-at-the-write&event=late');
  await page.waitForSelector('.embed svg.tl');
  assert.equal(await page.locator('output').textContent(), '18.0 s');
  const [app] = await Promise.all([page.context().waitForEvent('page'), page.locator('#open').click()]);
  await app.locator('#beat').waitFor();
  assert.ok(app.url().startsWith(`${url}#/lesson/rule-at-the-write/1`), app.url());
  assert.equal(asked.length, 1);
  assert.deepEqual(page.problems, []);
});

test('what is not in it is not there', async () => {
  const { page, asked } = await openSingle('');
  assert.ok((await fetched(page, 'lessons/paused-holder.bin?x#y')) > 1000);
  for (const path of ['lessons/nothing.bin', '__proto__', 'https://example.com/', 'other/paused-holder.bin']) {
    assert.equal(await fetched(page, path), 'It is not in this file.', path);
  }
  assert.equal(asked.length, 1);
});

test('links to pages that are not in it say so', async () => {
  const { page, asked, url } = await openSingle('');
  for (const name of ['Lab', 'Embed']) {
    const link = page.getByRole('link', { name, exact: true }).first();
    await link.click();
    assert.equal(await said(page), `“${name}” is not in this file.`);
    assert.ok(await link.evaluate((link) => link === document.activeElement));
  }
  assert.equal(page.url().split('#')[0], url);
  assert.equal(asked.length, 1);
});

test('each lesson has a page of its own that can be sent', async () => {
  const pages = await readdir(file('dist/single'));
  assert.deepEqual(pages.sort(), SLUGS.map((slug) => `${slug}.html`).sort());
  for (const name of pages) {
    const { size } = await stat(file(`dist/single/${name}`));
    assert.ok(size <= MOST_BYTES, `${name}: ${size} bytes`);
  }
});

/** How each picture that is shown lies in its room: where its right edge is, and how high its lanes are. */
const pictures = (page) =>
  page.locator('svg.tl').evaluateAll((all) =>
    all.map((svg) => {
      const { a: scale } = svg.getScreenCTM();
      return { scale, wide: (svg.viewBox.baseVal.width * scale) / svg.parentElement.clientWidth, parts: svg.querySelectorAll('.it').length };
    }),
  );

describe('the page of a lesson, opened from a file, is read to its end', () => {
  for (const width of [1280, 768, 390]) {
    test(`${width} px wide`, async () => {
      const { page, asked, url } = await openLesson('', { width, height: 800, prepare: hurry });
      await page.locator('#beat').waitFor();
      assert.ok(isAtStart(page, url), page.url());
      assert.equal(await page.title(), 'The rule at the write · Fencing Lab');
      let revealed = 0;
      const seen = async () => {
        if (await ownTurn(page)) revealed += 1;
        await eventually(async () => {
          const shown = await pictures(page);
          assert.ok(shown.length > 0);
          for (const picture of shown) {
            assert.ok(picture.parts > 5 && picture.scale > 0.8 && picture.wide > 0.85, JSON.stringify(picture));
          }
        });
        assert.equal(await overflow(page), 0);
        assert.deepEqual(await axeFindings(page), []);
      };
      await walk(page, (next) => next.click(), seen);
      assert.ok(revealed > 0);
      assert.deepEqual(asked, [url]);
      assert.deepEqual(page.problems, []);
    });
  }
});

test('the page of each lesson has all that its steps show', async () => {
  for (const slug of SLUGS) {
    const { page, asked } = await openSingle('', { name: `single/${slug}.html`, prepare: hurry });
    await page.locator('#beat').waitFor();
    const seen = () => eventually(async () => assert.ok((await page.locator('svg.tl').count()) > 0));
    await walk(page, (next) => next.click(), seen);
    assert.equal(await page.locator('.notice').count(), 0, slug);
    assert.equal(asked.length, 1, slug);
    assert.deepEqual(page.problems, [], slug);
    await page.context().close();
  }
});

test('the slider stands below the picture, whatever its size', async () => {
  const { page } = await openLesson('', { width: 1440, height: 900 });
  await page.locator('svg.tl .playhead').waitFor({ state: 'attached' });
  const off = () =>
    page.evaluate(() => {
      const line = document.querySelector('.tl .playhead').getBoundingClientRect();
      const thumb = document.querySelector('.rail').getBoundingClientRect();
      const now = Number(getComputedStyle(document.querySelector('.rail')).getPropertyValue('--now'));
      return Math.abs(line.x - (thumb.x + thumb.width * now));
    });
  await page.locator('[data-do=last]').click();
  await eventually(async () => assert.ok((await off()) < 2, String(await off())));
  const [{ scale }] = await pictures(page);
  assert.ok(scale > 1.1 && scale < 1.3, String(scale));
});

test('the page of a lesson is an embed, too', async () => {
  for (const [rest, width] of [[`?embed&lesson=${LESSON}&event=late`, 720], ['?embed&controls=full#event=late', 340]]) {
    const { page, asked, url } = await openLesson(rest, { width, height: 460 });
    await page.waitForSelector('.embed svg.tl .it');
    await eventually(async () => assert.match(await page.locator('#announcer').textContent(), /^At 18 s: /));
    const [app] = await Promise.all([page.context().waitForEvent('page'), page.locator('#open').click()]);
    await app.locator('#beat').waitFor();
    assert.ok(isAtStart(app, url), app.url());
    assert.equal(asked.length, 1);
    assert.deepEqual(page.problems, []);
    assert.deepEqual(await axeFindings(page), []);
  }
});

test('in an embed, a run that is not in the file is told', async () => {
  const { page, asked } = await openLesson(`?embed&lesson=${OTHER}`);
  await page.getByText('This run could not be loaded. It is not in this file.').waitFor();
  assert.equal(asked.length, 1);
});

test('the page of a lesson shows its own run where an address has another, and says why', async () => {
  const edited = deflateRawSync('A acquires\n').toString('base64url');
  const { page, asked } = await openLesson(`#/lesson/${LESSON}/1?s=${edited}`);
  await page.getByText('there are no runs of your own. It is not in this file.').waitFor();
  await page.locator('svg.tl').first().waitFor();
  assert.equal(asked.length, 1);
  assert.deepEqual(page.problems, []);
});

test('the page of a lesson says what is not in it', async () => {
  const { page, asked } = await openLesson('', { prepare: hurry });
  await page.locator('#beat').waitFor();
  for (const name of ['Lessons', 'Lab', 'Embed', 'About']) {
    assert.equal(await page.getByRole('link', { name, exact: true }).count(), 0, name);
  }
  assert.ok(await page.locator('.try').isHidden());
  await page.getByRole('link', { name: 'Fencing Lab, all lessons' }).click();
  const [box] = await page.getByRole('dialog').all();
  assert.equal(await box.getByRole('link').count(), 0, 'there is no address to lead to');
  assert.deepEqual(await axeFindings(page), []);
  assert.equal(await said(page), '“Fencing Lab, all lessons” is not in this file.');
  await page.locator('.lesson-menu').click();
  await page.getByRole('link', { name: 'Equal tokens' }).click();
  assert.equal(await said(page), '“Equal tokens” is not in this file.');
  await walk(page, (next) => next.click());
  await page.getByRole('link', { name: /^Next lesson: / }).click();
  assert.equal(await said(page), '“Next lesson: Equal tokens” is not in this file.');
  assert.equal(asked.length, 1);
  assert.deepEqual(page.problems, []);
});

test('where the app is online, it is offered', async () => {
  const { page } = await openLesson('', { site: 'https://example.com/lab/' });
  await page.getByRole('link', { name: 'Fencing Lab, all lessons' }).click();
  const link = page.getByRole('link', { name: 'Open it online' });
  assert.equal(await link.getAttribute('href'), 'https://example.com/lab/#/');
});

test('an address that is not in the page of a lesson leads to the lesson, and says so', async () => {
  const { page, asked, url } = await openLesson(`#/lesson/${OTHER}/1`);
  assert.equal(await said(page), `“#/lesson/${OTHER}/1” is not in this file.`);
  await page.locator('#beat').waitFor();
  assert.ok(isAtStart(page, url), page.url());
  await page.evaluate(() => (location.hash = '#/play'));
  assert.equal(await said(page), '“#/play” is not in this file.');
  await page.locator('#beat').waitFor();
  assert.ok(isAtStart(page, url), page.url());
  assert.deepEqual(new Set(asked), new Set([url]));
});

test('oEmbed describes each lesson by a bare frame', async () => {
  const names = async (folder, ending) => {
    const all = await readdir(file(folder));
    return all.filter((name) => name.endsWith(ending)).map((name) => name.slice(0, -ending.length)).sort();
  };
  const lessons = await names('dist/lessons', '.html');
  assert.ok(lessons.length > 0);
  assert.deepEqual(await names('dist/oembed', '.json'), lessons);
  for (const slug of lessons) {
    const answer = JSON.parse(await readFile(file(`dist/oembed/${slug}.json`), 'utf8'));
    assert.deepEqual([answer.version, answer.type, answer.width], ['1.0', 'rich', 720], slug);
    const frame = new RegExp(`^<iframe src="[^"]*\\?embed&amp;lesson=${slug}" title="[^"<>]+" width="100%" height="${answer.height}" [^<>]*></iframe>$`);
    assert.match(answer.html, frame);
  }
});
