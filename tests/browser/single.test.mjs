// The app as one page, opened from a file, and what oEmbed says of each lesson.
import assert from 'node:assert/strict';
import { copyFile, mkdir, readFile, readdir } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { axeFindings, open } from './harness.mjs';

const file = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** The address of the page in a folder of its own: nothing of the app is beside it. */
async function address() {
  const folder = file('target/single');
  await mkdir(folder, { recursive: true });
  await copyFile(file('dist/fencing-lab.html'), `${folder}/fencing-lab.html`);
  return pathToFileURL(`${folder}/fencing-lab.html`).href;
}

/** Opens the page, with a list of everything that the browser asks the network or the disk for. */
async function openSingle(rest) {
  const asked = [];
  const prepare = (page) => page.on('request', (request) => /^(data|blob):/.test(request.url()) || asked.push(request.url()));
  const url = (await address()) + rest;
  const page = await open(url, { prepare });
  return { page, asked, url };
}

test('opened from a file, a lesson is read and stepped without a request', async () => {
  const { page, asked, url } = await openSingle('#/lesson/paused-holder/1');
  await page.locator('#beat').waitFor();
  const before = await page.locator('.lesson').innerHTML();
  await page.locator('.steps .next').click();
  await page.waitForFunction((html) => document.querySelector('.lesson').innerHTML !== html, before);
  assert.deepEqual(asked, [url.split('#')[0]]);
  assert.deepEqual(page.problems, []);
  assert.deepEqual(await axeFindings(page), []);
});

test('opened from a file, it is an embed, too', async () => {
  const { page, asked } = await openSingle('?embed&lesson=rule-at-the-write&event=late');
  await page.waitForSelector('.embed svg.tl');
  assert.equal(await page.locator('output').textContent(), '18.0 s');
  assert.equal(asked.length, 1);
  assert.deepEqual(page.problems, []);
});

test('what is not in it is not there', async () => {
  const { page, asked } = await openSingle('');
  const status = (path) => page.evaluate((name) => fetch(name).then((response) => response.status), path);
  assert.equal(await status('lessons/paused-holder.bin?x#y'), 200);
  for (const path of ['lessons/nothing.bin', '__proto__', 'https://example.com/', '../lessons/paused-holder.bin']) {
    assert.equal(await status(path), 404, path);
  }
  assert.equal(asked.length, 1);
});

test('links to pages that are not in it say so', async () => {
  const { page, asked, url } = await openSingle('');
  const said = [];
  page.on('dialog', (dialog) => {
    said.push(dialog.message());
    return dialog.accept();
  });
  for (const name of ['Lab', 'Embed']) await page.getByRole('link', { name, exact: true }).first().click();
  assert.deepEqual(said, ['“Lab” is not in this file.', '“Embed” is not in this file.']);
  assert.equal(page.url().split('#')[0], url);
  assert.equal(asked.length, 1);
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
