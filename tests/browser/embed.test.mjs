// Embeds in pages of others: what they show, what they owe their host, and what hosts can ask for.
import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { address, axeFindings, eventually, open, overflow, shot } from './harness.mjs';
import { embedsStarted, fitting, heights, holdApp, serveHost, staysDark, strictPolicy } from './hosts.mjs';

let host;
let app;

before(async () => {
  app = await address();
  host = await serveHost({ csp: await strictPolicy() });
});

after(() => host.close());

let pages = 0;

/** Opens a host's page with this body. */
async function embedIn(body, options = {}) {
  const { head = '', html = '', script = true } = options;
  const loader = script ? `<script type="module" src="${app}fencing-lab.js" ${options.loader ?? ''}></script>` : '';
  const text = `<!DOCTYPE html><html lang="en" ${html}><head><meta charset="utf-8"><title>Host</title>
<link rel="stylesheet" href="host.css">${head}${loader}</head><body><main><h1>Leases</h1>${body}</main></body></html>`;
  host.put('host.css', options.css ?? 'body { margin: 0 auto; padding: 16px; max-width: 752px }');
  return open(host.put(`page-${++pages}.html`, text), { width: 1000, height: 900, ...options, wait: false });
}

/** Opens the app itself as an embed. */
async function alone(query, options = {}) {
  const page = await open(`?embed&${query}`, { width: 720, height: 600, ...options });
  await page.waitForSelector('.embed');
  return page;
}

const LESSON = '<fencing-lab lesson="rule-at-the-write" at="18" title="The rule"><a href="https://example.com/">The rule at the write</a></fencing-lab>';
const OWN = '<fencing-lab title="My run"><pre>scenario "Mine"\ntoken 7\nA acquires\nA writes w "x"\n</pre></fencing-lab>';

/** Waits for something that a page's embeds say. */
function said(page, type) {
  return page.evaluate(
    (name) => new Promise((resolve) => addEventListener(`fencing-lab:${name}`, (event) => resolve(event.detail), { once: true })),
    type,
  );
}

const stateOf = (page, index = 0) => page.evaluate((i) => document.querySelectorAll('fencing-lab')[i].getState(), index);
const tell = (page, code) => page.evaluate(code);

test('two embeds under a strict policy: they start, fit, and find nothing to complain about', async () => {
  const page = await embedIn(`<p>Before.</p>${LESSON}<p>Between.</p>${OWN}<p>After.</p>`);
  const frames = await embedsStarted(page, 2);
  await fitting(page, frames);
  await shot(page, 'embed-host', { fullPage: true });
  assert.deepEqual(page.problems, []);
  assert.deepEqual(await axeFindings(page), []);
  assert.equal(await overflow(page), 0);
  assert.match(await frames[1].locator('.caption').textContent(), /Mine/);
});

test('the height follows the content both ways', async () => {
  const page = await embedIn(LESSON);
  const frames = await embedsStarted(page, 1);
  /** Waits until the frame has its content's height, and that height is as wanted. */
  const becomes = (isWanted) =>
    eventually(async () => {
      const [[outer, inner]] = await heights(page, frames);
      assert.equal(outer, inner);
      assert.ok(isWanted(outer), `${outer}`);
      return outer;
    });
  const small = await becomes(() => true);
  await tell(page, "document.querySelector('fencing-lab').setOption('show', 'timeline panels script transcript')");
  await becomes((height) => height > small + 100);
  await tell(page, "document.querySelector('fencing-lab').setOption('show', 'timeline')");
  await becomes((height) => height === small);
  await page.setViewportSize({ width: 372, height: 800 });
  await becomes((height) => height > small);
});

test('the placeholder has the height of the embed', async () => {
  const page = await embedIn(`${LESSON}<p id="after">After.</p>`, {
    prepare: (p) =>
      p.addInitScript(() => {
        globalThis.shifts = [];
        new PerformanceObserver((list) => {
          globalThis.shifts.push(...list.getEntries());
        }).observe({ type: 'layout-shift', buffered: true });
      }),
  });
  await page.waitForFunction(() => document.querySelector('fencing-lab').shadowRoot);
  // The frame in which the placeholder comes is told of after it.
  const [first, from] = await page.evaluate(async () => {
    for (const _ of [1, 2]) await new Promise(requestAnimationFrame);
    return [document.getElementById('after').offsetTop, performance.now()];
  });
  await embedsStarted(page, 1);
  await page.waitForTimeout(300);
  const last = await page.evaluate(() => document.getElementById('after').offsetTop);
  assert.ok(Math.abs(last - first) <= 8, `${first} → ${last}`);
  const later = await page.evaluate((ms) => globalThis.shifts.filter((one) => one.startTime > ms).map((one) => one.value), from);
  assert.ok(later.reduce((sum, value) => sum + value, 0) < 0.001, `${later}`);
});

test('on a dark page of a light system nothing ever flashes light, and the theme is followed', async () => {
  let release;
  const page = await embedIn(LESSON, {
    html: 'data-theme="dark"',
    css: 'html { background: #111 } html[data-theme=light] { background: #fff } body { margin: 0; padding: 0 16px }',
    prepare: async (p) => (release = await holdApp(p)),
  });
  const [frame] = await staysDark(page, release);
  const theme = (name) => frame.waitForFunction((n) => document.documentElement.dataset.theme === n, name);
  await theme('dark');
  await tell(page, "document.documentElement.dataset.theme = 'light'");
  await theme('light');
  await tell(page, "document.querySelector('fencing-lab').setTheme('dark')");
  await theme('dark');
});

for (const [name, html, css, dark] of [
  ['Docusaurus, Starlight', 'data-theme="dark"', '', true],
  ['Bootstrap', 'data-bs-theme="dark"', '', true],
  ['Material', 'data-md-color-scheme="slate"', '', true],
  ['mdBook', 'class="js navy sidebar-visible"', '', true],
  ['mdBook, light', 'class="js rust"', 'body { background: #000 }', false],
  ['VitePress', 'class="dark"', '', true],
  ['furo, by its look', 'data-theme="auto"', 'body { background: #131416 }', true],
  ['a page with modern colours', '', 'body { background: oklch(0.2 0.02 260) }', true],
  ['a page with modern light colours', '', 'body { background: lab(98 0 0) }', false],
  ['a page without any sign', '', '', false],
]) {
  test(`the theme of ${name} is understood`, async () => {
    const page = await embedIn(OWN, { html, css });
    const [frame] = await embedsStarted(page, 1);
    assert.equal(await frame.evaluate(() => document.documentElement.dataset.theme), dark ? 'dark' : 'light');
    await page.context().close();
  });
}

test('nothing takes the focus, scrolls the page or listens to its keys', async () => {
  const page = await embedIn(`<p><button id="mine">Mine</button></p>${LESSON.replace('>', ' load="eager">')}<div class="tall"></div>${OWN.replace('>', ' load="eager">')}`, {
    css: '.tall { height: 1500px }',
  });
  await embedsStarted(page, 2);
  await page.waitForTimeout(300);
  const place = () => page.evaluate(() => [document.activeElement.tagName, scrollY]);
  assert.deepEqual(await place(), ['BODY', 0]);
  await page.focus('#mine');
  const before = await stateOf(page);
  for (const key of ['ArrowRight', 'ArrowLeft', 'k', 'Home', 'u']) await page.keyboard.press(key);
  const after = await stateOf(page);
  assert.deepEqual([after.step, after.playing], [before.step, before.playing]);
});

test('Tab goes through an embed and on; keys work inside, and Escape leaves', async () => {
  const page = await embedIn(`<p><button id="one">One</button></p>${LESSON}<p><button id="two">Two</button></p>`);
  const [frame] = await embedsStarted(page, 1);
  await page.focus('#one');
  const inside = [];
  for (let n = 0; n < 12; n++) {
    await page.keyboard.press('Tab');
    if ((await page.evaluate(() => document.activeElement.id)) === 'two') break;
    inside.push(await frame.evaluate(() => document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent));
  }
  assert.deepEqual(inside, ['Time', 'Previous event', 'Play', 'Next event', 'Open in Fencing Lab']);
  await frame.focus('button[aria-label="Next event"]');
  const { step } = await stateOf(page);
  await page.keyboard.press('ArrowRight');
  await eventually(async () => assert.equal((await stateOf(page)).step, step + 1));
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => document.activeElement.tagName !== 'FENCING-LAB');
  await page.keyboard.press('ArrowRight');
  assert.equal((await stateOf(page)).step, step + 1);
});

test('the wheel over an embed scrolls the page', async () => {
  const page = await embedIn(`${LESSON}<div class="tall"></div>`, { css: '.tall { height: 3000px }' });
  await embedsStarted(page, 1);
  const box = await page.locator('fencing-lab').boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + 150);
  await page.mouse.wheel(0, 400);
  await page.waitForFunction(() => scrollY > 300);
});

test('without JavaScript the children are shown', async () => {
  const page = await embedIn(LESSON, { context: { javaScriptEnabled: false } });
  await page.getByRole('link', { name: 'The rule at the write' }).waitFor();
});

test('on paper stand the children and a link', async () => {
  const page = await embedIn(LESSON + OWN);
  await embedsStarted(page, 2);
  await page.emulateMedia({ media: 'print' });
  assert.ok(await page.getByText('The rule at the write').isVisible());
  assert.ok(await page.getByText('A writes w "x"').isVisible());
  const link = page.locator('fencing-lab').first().getByRole('link', { name: 'Fencing Lab: The rule' });
  assert.equal(await link.getAttribute('href'), `${app}#/lesson/rule-at-the-write/1`);
  const frames = await page.evaluate(() => [...document.querySelectorAll('fencing-lab')].map((one) => one.shadowRoot.querySelector('iframe').offsetHeight));
  assert.deepEqual(frames, [0, 0]);
  assert.ok((await page.pdf()).length > 1000);
});

test('a bare frame works in a sandbox without storage', async () => {
  const page = await embedIn(
    `<iframe sandbox="allow-scripts" title="Lab" src="${app}?embed&lesson=paused-holder&at=16" width="600" height="400"></iframe>`,
    {
      script: false,
      prepare: (p) => p.addInitScript(() => {
        globalThis.heard = [];
        addEventListener('message', ({ data, origin }) => globalThis.heard.push({ ...data, origin }));
      }),
    },
  );
  await page.waitForFunction(() => globalThis.heard.some((message) => message.type === 'ready'));
  const ready = await page.evaluate(() => globalThis.heard.find((message) => message.type === 'ready'));
  assert.deepEqual([ready.storage, ready.lesson, ready.origin], [false, 'paused-holder', 'null']);
  const [, frame] = page.frames();
  assert.ok(await frame.locator('.embed svg.tl').isVisible());
  // Without a resizer it scrolls inside.
  assert.ok(await frame.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
});

test('ten embeds load the app once', async () => {
  const page = await embedIn(LESSON.replace('>', ' load="eager">').repeat(10), { height: 3000 });
  const frames = await embedsStarted(page, 10);
  const loads = await Promise.all(frames.map((frame) => frame.evaluate(() =>
    performance.getEntriesByType('resource').filter(({ name, transferSize }) => /\.wasm$/.test(name) && transferSize > 0).length)));
  assert.equal(loads.reduce((sum, one) => sum + one, 0), 1, loads.join(' '));
});

test('hosts can drive an embed, and hear of it', async () => {
  const page = await embedIn(LESSON);
  await embedsStarted(page, 1);
  const start = await stateOf(page);
  assert.deepEqual([start.lesson, start.at, start.playing, start.policy], ['rule-at-the-write', 18, false, null]);
  assert.match(start.url, /#\/lesson\/rule-at-the-write\/1\?step=\d+$/);
  const verdict = page.evaluate(() => {
    const embed = document.querySelector('fencing-lab');
    embed.goto({ step: 0 });
    embed.goto({ event: 'late' });
    return new Promise((resolve) => {
      const all = [];
      addEventListener('fencing-lab:verdict', ({ detail }) => all.push(detail) === 3 && resolve(all));
    });
  });
  const last = (await verdict).at(-1);
  assert.deepEqual([last.write, last.verdict, last.reason, last.token, last.mark], ['late', 'rejected', 'stale', 41, 42]);
  await tell(page, "document.querySelector('fencing-lab').prev()");
  const before = (await stateOf(page)).step;
  const step = said(page, 'step');
  await tell(page, "document.querySelector('fencing-lab').next()");
  assert.match((await step).text, /late/);
  assert.equal((await stateOf(page)).step, before + 1);
  await tell(page, "document.querySelector('fencing-lab').play(4)");
  await eventually(async () => assert.equal((await stateOf(page)).playing, true));
  await tell(page, "document.querySelector('fencing-lab').pause()");
  await eventually(async () => assert.equal((await stateOf(page)).playing, false));
  await tell(page, "document.querySelector('fencing-lab').reset()");
  await eventually(async () => assert.equal((await stateOf(page)).at, 18));
  await tell(page, "document.querySelector('fencing-lab').loadScenario('scenario \"Other\"\\nA acquires')");
  await eventually(async () => assert.match((await stateOf(page)).text, /Other/));
  const error = said(page, 'error');
  await tell(page, "document.querySelector('fencing-lab').loadScenario('A acquires\\nA flies')");
  const { code, line, column } = await error;
  assert.deepEqual([code, line, column], ['bad-scenario', 2, 3]);
  const complete = page.evaluate(() => new Promise((resolve) => addEventListener('fencing-lab:lesson-complete', (event) => resolve(event.detail.lesson))));
  await tell(page, "document.querySelector('fencing-lab').setOption('lesson', 'paused-holder')");
  await tell(page, "document.querySelector('fencing-lab').goto({ at: 1000 })");
  assert.equal(await complete, 'paused-holder');
});

test('malformed, foreign and hostile messages change nothing', async () => {
  const page = await embedIn(LESSON, { css: '' });
  const [frame] = await embedsStarted(page, 1);
  const picture = () => frame.evaluate(() => document.body.textContent + document.documentElement.outerHTML.length);
  const before = [await picture(), JSON.stringify(await stateOf(page)).replace(/"id":"[^"]*"/, '')];
  await page.evaluate(() => {
    const { contentWindow } = document.querySelector('fencing-lab').shadowRoot.querySelector('iframe');
    const to = (fields) => ({ target: 'fencing-lab', v: 1, ...fields });
    const deep = {};
    for (let n = 0, at = deep; n < 1000; n++) at = at.next = {};
    const messages = [
      null, 1, 'next', [], {}, { type: 'next' }, { target: 'fencing-lab', type: 'next' }, to({ v: 2, type: 'next' }), to({ v: '1', type: 'next' }),
      to({}), to({ type: 7 }), to({ type: '__proto__' }), to({ type: 'goto' }), to({ type: 'goto', step: -1 }), to({ type: 'goto', step: '3' }), to({ type: 'goto', at: NaN }),
      to({ type: 'goto', event: 'x'.repeat(1e6) }), to({ type: 'set-option', name: 'accent-a', value: 'url(https://evil.example/)' }),
      to({ type: 'set-option', name: '<img src=x onerror=alert(1)>', value: 'x' }), to({ type: 'set-option', name: 'show', value: {} }),
      to({ type: 'set-theme', theme: 'blue' }), to({ type: 'load-scenario', text: '#'.repeat(300_000) }), to({ type: 'load-scenario', text: ['A acquires'] }),
      to({ type: 'goto', deep }), to({ type: 'constructor' }), to({ type: 'eval', code: 'alert(1)' }),
    ];
    for (const message of messages) contentWindow.postMessage(message, '*');
    // And to the host, as if from the embed.
    for (const data of [{ source: 'fencing-lab', v: 1, type: 'resize', height: 4000 }, { source: 'fencing-lab', v: 1, type: 'ready' }]) postMessage(data, '*');
  });
  // A frame beside the embed is no host of it.
  await page.evaluate(() => {
    const { contentWindow } = document.querySelector('fencing-lab').shadowRoot.querySelector('iframe');
    const event = new MessageEvent('message', { data: { source: 'fencing-lab', v: 1, type: 'resize', height: 3000 }, origin: 'https://evil.example', source: contentWindow });
    dispatchEvent(event);
  });
  await page.waitForTimeout(200);
  assert.deepEqual([await picture(), JSON.stringify(await stateOf(page)).replace(/"id":"[^"]*"/, '')], before);
  await fitting(page, [frame]);
  assert.deepEqual(page.problems.filter((text) => !text.startsWith('Fencing Lab embed: ')), []);
});

test('only the page around an embed is listened to', async () => {
  const page = await alone('lesson=paused-holder&at=5');
  const text = () => page.locator('output').textContent();
  const before = await text();
  await page.evaluate(() => postMessage({ target: 'fencing-lab', v: 1, type: 'next' }, '*'));
  await page.waitForTimeout(100);
  assert.equal(await text(), before);
});

test('code blocks in the language become embeds where the script is asked to', async () => {
  const code = 'scenario "Block"\nA acquires\n';
  const body = `<pre><code class="language-fence">${code}</code></pre>
<div class="highlight-fence notranslate"><div class="highlight"><pre>${code}</pre></div></div>
<pre><code class="language-rust">fn main() {}</code></pre>`;
  const page = await embedIn(body, { loader: 'data-upgrade-code="controls=full&amp;show=timeline script"' });
  const frames = await embedsStarted(page, 2);
  assert.equal(frames.length, 2);
  for (const frame of frames) {
    assert.match(await frame.locator('pre.sql').textContent(), /Block/);
    assert.ok(await frame.getByRole('button', { name: /Speed/ }).isVisible());
  }
  assert.ok(await page.getByText('fn main').isVisible());
});

test('the classic script does the same', async () => {
  const page = await embedIn(OWN, { script: false, head: `<script src="${app}fencing-lab.classic.js"></script>` });
  const [frame] = await embedsStarted(page, 1);
  assert.match(await frame.locator('.caption').textContent(), /Mine/);
  assert.deepEqual(page.problems, []);
});

test('a page that is opened from a file has embeds like any other', async () => {
  const folder = fileURLToPath(new URL('../../target/hosts', import.meta.url));
  await mkdir(folder, { recursive: true });
  const file = `${folder}/page.html`;
  await writeFile(file, `<!DOCTYPE html><html lang="en"><title>Host</title><script type="module" src="${app}fencing-lab.js"></script>${LESSON}</html>`);
  const page = await open(pathToFileURL(file).href, { wait: false });
  await embedsStarted(page, 1);
  assert.equal((await stateOf(page)).lesson, 'rule-at-the-write');
  assert.deepEqual(page.problems, []);
});

test('an embed loads when it comes near, or on a click', async () => {
  const page = await embedIn(`${OWN.replace('>', ' load="click">')}<div class="tall"></div>${LESSON}`, { css: '.tall { height: 4000px }' });
  await page.getByRole('button', { name: 'Load Fencing Lab: My run' }).waitFor();
  assert.equal(page.frames().length, 1);
  await page.getByRole('button', { name: /Load/ }).click();
  await embedsStarted(page, 1);
  assert.equal(page.frames().length, 2);
  await page.evaluate(() => scrollTo(0, 4000));
  await embedsStarted(page, 2);
});

test('an embed that is moved starts again', async () => {
  const page = await embedIn(`${LESSON}<div id="other"></div>`);
  await embedsStarted(page, 1);
  await tell(page, "document.querySelector('fencing-lab').remove()");
  await tell(page, "document.createElement('fencing-lab')");
  const [gone] = [await page.evaluate(() => document.querySelectorAll('fencing-lab').length)];
  assert.equal(gone, 0);
  await page.evaluate(() => {
    const embed = Object.assign(document.createElement('fencing-lab'));
    embed.setAttribute('lesson', 'paused-holder');
    document.getElementById('other').append(embed);
    document.querySelector('main').append(embed);
  });
  await embedsStarted(page, 1);
  assert.equal((await stateOf(page)).lesson, 'paused-holder');
});

test('an app that does not answer leaves the children and a link', async () => {
  const page = await embedIn(LESSON, { prepare: (p) => p.route('**/*.wasm', () => {}) });
  await page.waitForFunction(() => document.querySelector('fencing-lab').shadowRoot.querySelector('.failed'), null, { timeout: 12_000 });
  assert.ok(await page.getByText('The rule at the write').isVisible());
  assert.equal(await page.evaluate(() => document.querySelector('fencing-lab').shadowRoot.querySelector('iframe').offsetHeight), 0);
});

test('autoplay waits until the embed is seen, and respects reduced motion', async () => {
  const body = `<div class="tall"></div>${LESSON.replace('at="18"', 'autoplay load="eager" speed="4"')}`;
  const css = '.tall { height: 2000px }';
  const page = await embedIn(body, { css });
  await embedsStarted(page, 1);
  await page.waitForTimeout(300);
  assert.equal((await stateOf(page)).at, 0);
  await page.evaluate(() => scrollTo(0, 2000));
  await eventually(async () => {
    const { playing, at } = await stateOf(page);
    assert.ok(playing && at > 0);
  });
  await page.evaluate(() => scrollTo(0, 0));
  await eventually(async () => assert.equal((await stateOf(page)).playing, false));
  const still = await embedIn(body, { css: '', reducedMotion: true });
  await embedsStarted(still, 1);
  await still.waitForTimeout(300);
  assert.deepEqual([(await stateOf(still)).playing, (await stateOf(still)).at], [false, 0]);
});

test('each part can be shown', async () => {
  const parts = { timeline: 'svg.tl', panels: '.parties', gate: '.gate-panel', transcript: '.transcript', script: 'pre.sql', prose: '.prose' };
  for (const [part, selector] of Object.entries(parts)) {
    const page = await alone(`lesson=paused-holder&at=16&show=${part}`);
    for (const [other, its] of Object.entries(parts)) {
      const both = part === 'panels' && other === 'gate';
      assert.equal(await page.locator(its).first().isVisible(), other === part || both, `${other} with show=${part}`);
    }
    assert.deepEqual(page.problems, []);
    await page.context().close();
  }
});

test('captions and controls', async () => {
  const page = await alone('lesson=paused-holder&event=late&caption=line&controls=full');
  assert.match(await page.locator('.caption').textContent(), /^A writes late/);
  assert.equal(await page.getByRole('radio').count(), 2);
  const none = await alone('lesson=paused-holder&caption=none&controls=none');
  assert.equal(await none.locator('.caption').count(), 0);
  assert.equal(await none.getByRole('button').count(), 0);
  assert.ok(await none.getByRole('link', { name: 'Open in Fencing Lab' }).isVisible());
});

test('wrong options are noted and change nothing', async () => {
  const page = await alone('lesson=no-such-lesson&speed=fast&colour=red&at=soon');
  assert.ok(await page.locator('svg.tl').isVisible());
  const notes = page.problems.filter((text) => text.startsWith('Fencing Lab embed: '));
  assert.equal(notes.length, 4, page.problems.join('\n'));
});

test('accents and old addresses', async () => {
  const page = await alone('lesson=paused-holder&accent-a=%23123456&v=1');
  assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--a')), '#123456');
});

for (const [width, dark] of [[720, false], [340, false], [720, true], [340, true]]) {
  test(`it looks right at ${width} px${dark ? ', dark' : ''}`, async () => {
    const page = await alone('lesson=paused-holder&event=late', { width, height: 640, dark });
    await page.waitForTimeout(300);
    assert.equal(await overflow(page), 0);
    assert.deepEqual(await axeFindings(page), []);
    await shot(page, `embed-${width}${dark ? '-dark' : ''}`, { fullPage: true });
  });
}

test('the builder shows what its snippet makes, and copies it', async () => {
  const page = await open('lab.html#/embed', { context: { permissions: ['clipboard-read', 'clipboard-write'] } });
  const [first] = await embedsStarted(page, 1);
  assert.match(await first.locator('.caption').textContent(), /paused holder/);
  const code = page.locator('.snip code');
  assert.match(await code.textContent(), /^<script type="module" src="http[^"]*fencing-lab.js"><\/script>\n<fencing-lab lesson="paused-holder"><a href/);
  assert.deepEqual(await axeFindings(page), []);
  assert.deepEqual(page.problems, []);
  await shot(page, 'embed-builder', { fullPage: true });
  await page.getByLabel('Start at').selectOption({ label: 'late is accepted, 18 s' });
  await page.getByLabel('Controls').selectOption('full');
  await page.getByLabel('Gate').check();
  await page.getByLabel('Page around it').selectOption('dark');
  assert.match(await code.textContent(), /<fencing-lab lesson="paused-holder" event="late" show="timeline gate" controls="full">/);
  const [second] = await embedsStarted(page, 1);
  await second.getByRole('button', { name: /Speed/ }).waitFor();
  assert.equal(await second.locator('output').textContent(), '18.0 s');
  assert.equal(await second.evaluate(() => document.documentElement.dataset.theme), 'dark');
  for (const name of ['HTML', 'mdBook', 'Docusaurus', 'MkDocs', 'Sphinx', 'Hugo', 'VitePress', 'reveal.js']) {
    await page.getByRole('button', { name, exact: true }).click();
    assert.match(await code.last().textContent(), /event="late"/, name);
  }
  await page.getByRole('button', { name: 'Copy' }).last().click();
  await page.getByText('Copied.').waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), await code.last().textContent());
  await page.getByLabel('Show').first().selectOption('own');
  await page.getByLabel('Scenario').fill('scenario "Own"\nA acquires');
  await page.getByLabel('Scenario').blur();
  await page.getByRole('button', { name: 'HTML', exact: true }).click();
  assert.match(await code.textContent(), /<pre>\nscenario &quot;Own&quot;\nA acquires\n<\/pre>/);
  for (const width of [768, 390, 340]) {
    await page.setViewportSize({ width, height: 844 });
    assert.equal(await overflow(page), 0, `${width} px`);
  }
});

test('the loader is small', async () => {
  for (const name of ['fencing-lab.js', 'fencing-lab.classic.js']) {
    const script = await readFile(new URL(`../../dist/${name}`, import.meta.url));
    assert.ok(gzipSync(script, { level: 9 }).length <= 3000, name);
  }
});
