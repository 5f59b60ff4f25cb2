// Without a network: the worker that keeps the app, and its updates.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { BASE, address, appStarted, open } from './harness.mjs';
import { serveHost } from './hosts.mjs';
import { serve } from './server.mjs';

const dist = fileURLToPath(new URL('../../dist', import.meta.url));
const PAGES = ['./', 'lessons/paused-holder.html'];
const cleanups = [];
after(() => Promise.all(cleanups.map((cleanup) => cleanup())));

/** A copy of the app on a server of its own: `url`, `dir`, `requests`, `close()`. */
async function copy() {
  const dir = await mkdtemp(join(tmpdir(), 'fencing-lab-'));
  await cp(dist, dir, { recursive: true });
  const server = await serve(dir, BASE);
  cleanups.push(async () => {
    await server.close();
    await rm(dir, { recursive: true });
  });
  return { dir, ...server };
}

/** Opens a page of a copy, and waits until the worker keeps all of it. */
async function kept(app, path = '') {
  const page = await open(new URL(path, app.url).href);
  await page.evaluate(async () => {
    const { active } = await navigator.serviceWorker.ready;
    while (active.state !== 'activated') await new Promise((resolve) => setTimeout(resolve, 20));
  });
  return page;
}

const hashOf = (text) => `sha256-${createHash('sha256').update(text).digest('base64')}`;

/** Puts a next build into the copy: pages with `data-build`, and a worker that knows them. */
async function rebuild(app, build) {
  const worker = join(app.dir, 'sw.js');
  let code = await readFile(worker, 'utf8');
  for (const path of PAGES) {
    const file = join(app.dir, path === './' ? 'index.html' : path);
    const before = await readFile(file, 'utf8');
    const html = before.replace(/<html lang="en"( data-build="\d+")?/, `<html lang="en" data-build="${build}"`);
    assert.ok(code.includes(hashOf(before)));
    code = code.replace(hashOf(before), hashOf(html));
    await writeFile(file, html);
  }
  const version = /VERSION="([^"]+)"/.exec(code)[1];
  await writeFile(worker, code.replace(version, `build-${build}`));
}

/** The builds that a page and the files that it asks for are of, and how many versions are kept. */
function builds(page) {
  return page.evaluate(async (paths) => {
    const fetched = await Promise.all(paths.map(async (path) => (await fetch(path)).text()));
    const found = fetched.map((html) => /data-build="(\d+)"/.exec(html)?.[1] ?? '1');
    const own = document.documentElement.dataset.build ?? '1';
    return { builds: [own, ...found].join(' '), kept: (await caches.keys()).length };
  }, PAGES);
}

/** Waits until the next version's worker has this state. */
function nextWorker(page, state) {
  return page.evaluate(async (wanted) => {
    const registration = await navigator.serviceWorker.getRegistration();
    await registration.update().catch(() => {});
    const started = performance.now();
    while (!registration[wanted] && performance.now() < started + 5000) await new Promise((resolve) => setTimeout(resolve, 20));
    return Boolean(registration[wanted]);
  }, state);
}

test('the second visit needs no network: home, lessons, lab', async () => {
  const app = await copy();
  const page = await kept(app);
  await app.close();
  const next = await page.context().newPage();
  await next.goto(app.url);
  await appStarted(next);
  await next.locator('.tile').first().click();
  await next.locator('#beat').waitFor();
  await next.goto(`${app.url}#/lesson/break-it-yourself/1`);
  await next.locator('#beat').waitFor();
  await next.goto(`${app.url}index.html`);
  await appStarted(next);
  await next.goto(`${app.url}lab.html`);
  await appStarted(next);
  await next.locator('textarea').first().waitFor();
  await next.goto(`${app.url}lessons/equal-tokens.html`);
  await next.locator('#beat').waitFor();
});

test('a new build takes over as a whole, once no page of the old one is open', async () => {
  const app = await copy();
  const first = await kept(app);
  const page = await first.context().newPage();
  await first.close();
  await page.goto(app.url);
  await rebuild(app, 2);
  assert.equal(await nextWorker(page, 'waiting'), true);
  assert.deepEqual(await builds(page), { builds: '1 1 1', kept: 2 });
  await page.reload();
  assert.deepEqual(await builds(page), { builds: '1 1 1', kept: 2 });
  await page.goto('about:blank');
  await page.waitForTimeout(500);
  await page.goto(app.url);
  assert.deepEqual(await builds(page), { builds: '2 2 2', kept: 1 });
  await app.close();
  await page.goto('about:blank');
  await page.goto(app.url);
  await appStarted(page);
  assert.deepEqual(await builds(page), { builds: '2 2 2', kept: 1 });
});

test('of a build that is there in part, nothing is taken', async () => {
  const app = await copy();
  const first = await kept(app);
  const page = await first.context().newPage();
  await first.close();
  await page.goto(app.url);
  await rebuild(app, 2);
  await writeFile(join(app.dir, 'lessons/paused-holder.html'), 'of a third build');
  assert.equal(await nextWorker(page, 'waiting'), false);
  assert.deepEqual(await builds(page), { builds: '1 1 1', kept: 1 });
});

test('an embed on another site starts no worker and keeps nothing', async () => {
  const host = await serveHost();
  cleanups.push(() => host.close());
  const src = `${await address()}?embed&lesson=paused-holder`;
  const page = await open(host.put('a.html', `<iframe src="${src}" title="x" width="700" height="500"></iframe>`), { wait: false });
  const frame = page.frames().at(-1);
  await frame.waitForSelector('.embed .tl');
  const found = await frame.evaluate(async () => [
    (await navigator.serviceWorker.getRegistrations()).length,
    navigator.serviceWorker.controller,
    (await caches.keys()).length,
  ]);
  assert.deepEqual(found, [0, null, 0]);
});

test('an embed beside a kept app has all from the network', async () => {
  const app = await copy();
  await writeFile(join(app.dir, 'host.html'), '<!DOCTYPE html><title>Host</title><iframe src="./?embed&lesson=paused-holder" title="x" width="700" height="500"></iframe>');
  const page = await kept(app);
  const embedStarts = async () => {
    await page.goto(`${app.url}host.html`);
    await page.frames().at(-1).waitForSelector('.embed .tl');
  };
  await embedStarts();
  assert.ok(app.requests.some((path) => path.endsWith('/?embed&lesson=paused-holder')));
  await rebuild(app, 2);
  await embedStarts();
  assert.equal((await builds(page.frames().at(-1))).builds, '2 2 2');
  await page.goto(app.url);
  assert.equal((await builds(page)).builds, '1 1 1');
});

for (const [name, refuse] of [
  ['are not known', () => delete Navigator.prototype.serviceWorker],
  ['are refused', () => (ServiceWorkerContainer.prototype.register = () => Promise.reject(new DOMException('no', 'SecurityError')))],
]) {
  test(`where workers ${name}, the app runs as ever`, async () => {
    const page = await open('', { prepare: (p) => p.addInitScript(refuse) });
    await page.locator('.tile').first().click();
    await page.locator('#beat').waitFor();
    assert.deepEqual(page.problems, []);
  });
}

test('the app can be installed', async () => {
  const page = await open();
  const session = await page.context().newCDPSession(page);
  const { errors, data } = await session.send('Page.getAppManifest');
  assert.deepEqual(errors, []);
  const { icons } = JSON.parse(data);
  for (const { src, sizes } of icons.filter((icon) => icon.type === 'image/png')) {
    const natural = await page.evaluate(async (url) => {
      const image = new Image();
      image.src = url;
      await image.decode();
      return `${image.naturalWidth}x${image.naturalHeight}`;
    }, src);
    assert.equal(natural, sizes);
  }
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
  assert.deepEqual(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito'), []);
});
