// Pages made by real documentation tools, with the snippets that the builder gives for them.
//
// The tools are installed into target/hosts on first use. Where a registry cannot be reached, the
// tests that need it are skipped and say so.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { address, axeFindings, open, shot } from './harness.mjs';
import { embedsStarted, heights, serveHost } from './hosts.mjs';

const hosts = fileURLToPath(new URL('../../target/hosts', import.meta.url));
const bin = (name) => join(hosts, 'venv/bin', name);
const modules = join(hosts, 'npm/node_modules');
const BASE = '/docs/guide/';
const PIP = ['sphinx==9.0.4', 'furo==2025.12.19', 'mkdocs==1.6.1', 'mkdocs-material==9.8.2'];
const NPM = ['vitepress@1.6.4', 'reveal.js@5.2.1'];
const UNREACHABLE = /NewConnectionError|Failed to establish|name resolution|Network is unreachable|ENOTFOUND|ECONNREFUSED|ETIMEDOUT|EAI_AGAIN/;

const run = promisify(execFile);

/** Installs tools once; the reason why it cannot be done, if no registry answers. */
async function install(marker, steps) {
  if (existsSync(join(hosts, marker))) return undefined;
  await mkdir(hosts, { recursive: true });
  try {
    for (const [program, ...options] of steps) await run(program, options, { cwd: hosts, maxBuffer: 1e8 });
  } catch (error) {
    const text = `${error.stdout} ${error.stderr}`;
    if (UNREACHABLE.test(text)) return `the registry cannot be reached: ${error.message.split('\n')[0]}`;
    throw error;
  }
  await writeFile(join(hosts, marker), '');
  return undefined;
}

const python = () =>
  install(`pip-${PIP.join('-')}`, [
    ['python3', '-m', 'venv', 'venv'],
    [bin('pip'), 'install', '--quiet', '--disable-pip-version-check', ...PIP],
  ]);

const node = () =>
  install(`npm-${NPM.join('-')}`.replaceAll('/', '-'), [['npm', 'install', '--silent', '--no-fund', '--no-audit', '--prefix', 'npm', ...NPM]]);

let app;
let snippets;

/** What the builder page gives for each tool: for a lesson at a write, and for a scenario. */
before(async () => {
  app = await address();
  const page = await open('#/embed');
  const pieces = async () => {
    const all = {};
    for (const tool of await page.locator('[data-tool]').allTextContents()) {
      await page.getByRole('button', { name: tool, exact: true }).click();
      all[tool] = await page.locator('.snip code').allTextContents();
    }
    return all;
  };
  await page.getByLabel('Lesson', { exact: true }).selectOption('rule-at-the-write');
  await page.getByLabel('Start at').selectOption({ label: 'late is rejected, 18 s' });
  const lesson = await pieces();
  await page.getByLabel('Show').first().selectOption('own');
  await page.getByLabel('Scenario').fill('scenario "Two {{ writes }}"\n\nresource doc: fenced\nA acquires\nA writes draft "<b>"\n');
  await page.getByLabel('Scenario').blur();
  const own = await pieces();
  snippets = (tool) => ({ setup: lesson[tool].length > 1 ? lesson[tool][0] : '', lesson: lesson[tool].at(-1), own: own[tool].at(-1) });
  await page.context().close();
});

/** Writes the files of a site anew and returns its folder. */
async function site(name, files) {
  const dir = join(hosts, `npm/site-${name}`);
  await rm(dir, { recursive: true, force: true });
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), text);
  }
  return dir;
}

/** Serves a built site under a sub-path and policy, and checks what every host is owed. */
async function check(t, name, dir, { embeds = 2, dark }) {
  const { origin } = new URL(app);
  const csp = `default-src 'self' data:; script-src 'self' 'unsafe-inline' ${origin}; style-src 'self' 'unsafe-inline'; frame-src ${origin}`;
  const host = await serveHost({ dir, base: BASE, csp });
  t.after(host.close);
  const plain = await open(host.url, { wait: false, context: { javaScriptEnabled: false } });
  assert.ok(await plain.getByRole('link', { name: 'The rule at the write' }).count(), 'fallback without scripts');
  const page = await open(host.url, { wait: false, width: 1280, height: 1400 });
  const frames = await embedsStarted(page, embeds);
  await page.waitForTimeout(300);
  for (const [outer, inner] of await heights(page, frames)) assert.equal(outer, inner);
  const captions = await Promise.all(frames.map((frame) => frame.locator('.caption').textContent()));
  assert.deepEqual(captions.slice(0, 2), ['The rule at the write', 'Two {{ writes }}']);
  const theme = (name) => frames[0].waitForFunction((n) => document.documentElement.dataset.theme === n, name);
  await theme('light');
  await dark(page);
  await theme('dark');
  await page.waitForTimeout(300);
  await shot(page, `host-${name}`, { fullPage: true });
  assert.deepEqual(page.problems.filter((text) => /fencing|app-|embed/i.test(text)), []);
  assert.deepEqual(await axeFindings(page, { include: 'fencing-lab' }), []);
  assert.equal(await page.evaluate(() => document.activeElement.tagName === 'FENCING-LAB'), false);
  // Once it is there it needs nobody.
  await page.context().setOffline(true);
  const step = await page.evaluate(async () => {
    const embed = document.querySelector('fencing-lab');
    embed.prev();
    return (await embed.getState()).step;
  });
  assert.ok(step > 0);
  await page.context().setOffline(false);
  assert.ok((await page.pdf()).length > 1000);
}

const CODE = 'scenario "A block"\nA acquires';
const upgrading = () => `<script type="module" src="${app}fencing-lab.js" data-upgrade-code></script>`;

test('MkDocs Material', async (t) => {
  const missing = await python();
  if (missing) return t.skip(missing);
  const { setup, lesson, own } = snippets('MkDocs');
  const palette = (scheme, icon) => `    - scheme: ${scheme}\n      toggle:\n        icon: material/${icon}\n        name: Switch theme\n`;
  const dir = await site('material', {
    'mkdocs.yml': `site_name: Host\ntheme:\n  name: material\n  font: false\n  palette:\n${palette('default', 'brightness-7')}${palette('slate', 'brightness-4')}${setup}\n`,
    'docs/index.md': `# Leases\n\n${lesson}\n\nBetween.\n\n${own}\n\n\`\`\`fence\n${CODE}\n\`\`\`\n\n${upgrading()}\n`,
  });
  await run(bin('mkdocs'), ['build', '--quiet', '--strict'], { cwd: dir });
  await check(t, 'material', join(dir, 'site'), { embeds: 3, dark: (page) => page.locator('label[title="Switch theme"]:visible').click() });
});

test('Sphinx with furo', async (t) => {
  const missing = await python();
  if (missing) return t.skip(missing);
  const { setup, lesson, own } = snippets('Sphinx');
  const dir = await site('sphinx', {
    'conf.py': `project = "Host"\nhtml_theme = "furo"\n${setup}\n`,
    'index.rst': `Leases\n======\n\n${lesson}\n\nBetween.\n\n${own}\n\n.. code-block:: fence\n\n   ${CODE.replace('\n', '\n   ')}\n\n.. raw:: html\n\n   ${upgrading()}\n`,
  });
  await run(bin('sphinx-build'), ['-q', '-b', 'html', '.', 'out'], { cwd: dir });
  const dark = async (page) => {
    const button = page.locator('.theme-toggle:visible').first();
    for (let n = 0; n < 3 && (await page.evaluate(() => document.body.dataset.theme)) !== 'dark'; n++) await button.click();
  };
  await check(t, 'sphinx', join(dir, 'out'), { embeds: 3, dark });
  // For print there is a sentence with the address.
  await run(bin('sphinx-build'), ['-q', '-b', 'text', '.', 'text'], { cwd: dir });
});

test('VitePress', async (t) => {
  const missing = await node();
  if (missing) return t.skip(missing);
  const { setup, lesson, own } = snippets('VitePress');
  const dir = await site('vitepress', {
    'package.json': '{ "type": "module" }',
    '.vitepress/config.js': `export default {\ntitle: 'Host',\nbase: '${BASE}',\nignoreDeadLinks: true,\n${setup}\n};\n`,
    'index.md': `# Leases\n\n${lesson}\n\nBetween.\n\n${own}\n\n[Other](./other.md)\n`,
    'other.md': '# Other\n\n[Back](./index.md)\n',
  });
  await run(join(modules, '.bin/vitepress'), ['build', dir], { cwd: join(hosts, 'npm') });
  await check(t, 'vitepress', join(dir, '.vitepress/dist'), { dark: (page) => page.locator('.VPSwitchAppearance:visible').first().click() });
});

test('reveal.js', async (t) => {
  const missing = await node();
  if (missing) return t.skip(missing);
  const { setup, lesson, own } = snippets('reveal.js');
  const dir = await site('reveal', {
    'index.html': `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Slides</title><link rel="stylesheet" href="dist/reveal.css">
<style>html { background: #fff } html.night { background: #111 }</style></head><body><div class="reveal"><div class="slides">${lesson}${own}</div></div>
<script src="dist/reveal.js"></script><script>Reveal.initialize({ hash: false });</script>${setup}</body></html>`,
  });
  await cp(join(modules, 'reveal.js/dist'), join(dir, 'dist'), { recursive: true });
  const host = await serveHost({ dir, base: BASE });
  t.after(host.close);
  const page = await open(host.url, { wait: false });
  const [first] = await embedsStarted(page, 1);
  const slide = () => page.evaluate(() => Reveal.getIndices().h);
  // Keys belong to the slides until the embed has the focus, and again after Escape.
  await page.keyboard.press('ArrowRight');
  assert.equal(await slide(), 1);
  await embedsStarted(page, 2);
  await page.keyboard.press('ArrowLeft');
  assert.equal(await slide(), 0);
  await first.getByRole('button', { name: 'Previous event' }).click();
  await page.keyboard.press('ArrowRight');
  await page.waitForTimeout(100);
  assert.equal(await slide(), 0);
  await page.keyboard.press('Escape');
  await page.waitForTimeout(100);
  await page.keyboard.press('ArrowRight');
  assert.equal(await slide(), 1);
  await shot(page, 'host-reveal');
  assert.deepEqual(page.problems.filter((text) => /fencing|app-|embed/i.test(text)), []);
});
