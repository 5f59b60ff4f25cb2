// The lab: text and picture two ways, documents, actions, policy, compare, explore.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { axeFindings, open, overflow } from './harness.mjs';
import { median, searchRate } from './measure.mjs';

const STORY = `scenario "A paused holder"
ttl 10
token 41
resource doc: fenced

A acquires
A writes draft "draft"
A pauses
at 11 B acquires
B writes final "final"
A resumes
A writes late "late"
`;

/** Opens the lab with a text in it. */
async function lab(text = STORY, options = {}) {
  const page = await open('lab.html', options);
  if (text) await script(page).fill(text);
  return page;
}

const script = (page) => page.getByRole('textbox', { name: 'Script' });
const text = (page) => script(page).inputValue();
const menu = (page, name) => page.locator(`summary[aria-label^="${name}"]`);
const picture = (page) => page.getByRole('img', { name: /^Timeline/ });

/** Waits until the text is as wanted. */
async function becomes(page, wanted) {
  const fits = (value) => (wanted instanceof RegExp ? wanted.test(value) : value === wanted);
  let value;
  for (let tries = 0; tries < 60; tries++) {
    value = await text(page);
    if (fits(value)) return value;
    await page.waitForTimeout(50);
  }
  assert.fail(`the text is ${JSON.stringify(value)}, not ${wanted}`);
}

/** Puts the cursor at the end of the run. */
async function toEnd(page) {
  await page.getByRole('slider', { name: 'Time' }).press('End');
  await menu(page, 'Coordinator: actions').waitFor();
}

test('an empty lab has a picture and handles, and says nothing on the console', async () => {
  const page = await lab('');
  await picture(page).waitFor();
  await menu(page, 'Client A: actions').click();
  await page.getByRole('button', { name: /^Acquire/ }).click();
  await becomes(page, 'A acquires\n');
  assert.deepEqual(page.problems, []);
});

test('typing redraws; a mistake is left out, named and mended by one click', async () => {
  const page = await lab(STORY.replace('A resumes', 'A resmes').replace('A writes late "late"\n', ''));
  await page.getByText('Found resmes, expected a verb. Did you mean resumes?').waitFor();
  await picture(page).getByText('“final”').first().waitFor();
  assert.match(await page.locator('#script-state').innerText(), /1 error/);
  await page.getByRole('button', { name: 'Change to resumes' }).click();
  await becomes(page, /A resumes/);
  await page.getByText('No errors').waitFor();
});

test('the line being typed is not judged until it rests', async () => {
  const page = await lab('A acquires\n');
  await page.getByText('No errors').waitFor();
  await script(page).press('Control+End');
  await page.keyboard.type('B wri');
  assert.equal(await page.getByRole('button', { name: /^Line/ }).count(), 0);
  await page.getByRole('button', { name: 'Line 2' }).waitFor();
});

test('a failed expectation says what the run says', async () => {
  const page = await lab(`${STORY}\nexpect fenced: late accepted\n`);
  await page.getByText('The run says late rejected').waitFor();
  await page.getByRole('button', { name: 'Expect that' }).click();
  await becomes(page, /expect fenced: late rejected because stale\n/);
  await page.getByText('The expectation holds').waitFor();
  await page.getByRole('button', { name: 'Write as expected' }).click();
  await becomes(page, /A writes late "late" +=> rejected because stale/);
});

test('completion offers what is possible first, and why the rest is not', async () => {
  const page = await lab('A acquires\nA pauses\n');
  await script(page).press('Control+End');
  await page.keyboard.type('A re');
  const list = page.getByRole('listbox', { name: 'Completions' });
  await list.getByRole('option').first().waitFor();
  assert.match(await list.getByRole('option').first().innerText(), /^resumes/);
  assert.match(await list.getByRole('option', { name: /^renews/ }).innerText(), /A is paused/);
  assert.deepEqual(await axeFindings(page, { include: '#script' }), []);
  await page.keyboard.press('Tab');
  await becomes(page, 'A acquires\nA pauses\nA resumes ');
});

test('format evens the spaces and keeps comments', async () => {
  const page = await lab('A   acquires=>granted 1 # first\n');
  await page.getByRole('button', { name: 'Format' }).click();
  await becomes(page, 'A acquires  => granted 1  # first\n');
});

test('undo and redo go over typing, actions and settings', async () => {
  const page = await lab('A acquires\n');
  await page.waitForTimeout(700);
  await toEnd(page);
  await menu(page, 'Client A: actions').click();
  await page.getByRole('button', { name: /^Pause/ }).click();
  await becomes(page, /A pauses/);
  await page.getByRole('button', { name: 'Undo' }).click();
  await becomes(page, 'A acquires\n');
  await page.getByRole('button', { name: 'Undo' }).click();
  await becomes(page, '');
  await page.getByRole('button', { name: 'Redo' }).click();
  await becomes(page, 'A acquires\n');
});

test('a write with details, by mouse', async () => {
  const page = await lab('A acquires\n');
  await toEnd(page);
  await menu(page, 'Client A: actions').click();
  const open = page.locator('.act[open] > .menu');
  await open.getByText('Write…', { exact: true }).click();
  await open.getByLabel('Name', { exact: true }).first().fill('x');
  await open.getByLabel('Value', { exact: true }).fill('say "hi"');
  await open.getByRole('combobox', { name: 'Token' }).first().selectOption({ label: 'none' });
  assert.equal(await open.locator('.writes code').innerText(), 'A writes x "say \\"hi\\"" no token');
  await open.getByRole('button', { name: 'Write', exact: true }).click();
  await becomes(page, /A writes x "say \\"hi\\"" no token\n/);
});

test('what cannot be done is named with the reason, and does nothing', async () => {
  const page = await lab('A acquires\nA pauses\n');
  await toEnd(page);
  await menu(page, 'Client A: actions').click();
  const open = page.locator('.act[open] > .menu');
  await open.getByText('Not while A is paused').waitFor();
  const off = open.getByRole('button', { name: 'Renew' });
  assert.equal(await off.getAttribute('aria-disabled'), 'true');
  await off.click({ force: true });
  assert.equal(await text(page), 'A acquires\nA pauses\n');
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('.act[open]').count(), 0);
});

test('coordinator, resource, messages and time have their menus', async () => {
  const page = await lab('A acquires\nA writes w "v" held\n');
  const choose = async (owner, row, wanted) => {
    await toEnd(page);
    await menu(page, owner).focus();
    await page.keyboard.press('Enter');
    await page.locator('.pop[open] > .menu, .pop[open] .menu').getByRole('button', { name: row }).first().click();
    await becomes(page, wanted);
  };
  await choose('“w”: actions', /^Deliver/, /w arrives\n/);
  await choose('Coordinator: actions', /^Revoke/, /coordinator revokes A\n/);
  await choose('Resource: actions', /^Forget the mark/, /doc forgets mark\n/);
  await choose('“w”: actions', /^Send it lost/, /A writes w "v" lost\n/);
});

test('the set-up panel writes the header', async () => {
  const page = await lab('A acquires\n');
  await page.getByText('Set-up', { exact: true }).click();
  await page.getByLabel('Clients').fill('A, B, C');
  await page.getByLabel('Lock delay, s').fill('3');
  await page.getByLabel('Lock delay, s').press('Enter');
  await becomes(page, 'clients A, B, C\ncoordinator: lock delay 3\n\nA acquires\n');
  await page.getByLabel('Lease duration, s').fill('ten');
  await page.getByLabel('Lease duration, s').press('Enter');
  await page.getByText('This should be a whole number, not “ten”.').waitFor();
});

test('the policy panel sets the line of the header', async () => {
  const page = await lab();
  await menu(page, 'Policy of the resource').click();
  const cas = page.getByRole('checkbox', { name: /^cas/ });
  assert.ok(await cas.isDisabled());
  await page.getByText('only with check-then-write').waitFor();
  await page.getByRole('radio', { name: /^check-then-write/ }).check();
  await cas.check();
  await becomes(page, /resource doc: check-then-write\+cas\n/);
  await page.getByRole('radio', { name: /^strict/ }).check();
  await becomes(page, /resource doc: strict\n/);
});

test('documents: lesson, gallery, file, drafts', async () => {
  const page = await lab('A acquires\n');
  await page.waitForTimeout(700);
  await menu(page, 'Run:').click();
  await page.getByText('From the gallery…').click();
  await page.getByRole('button', { name: 'Two scopes with unrelated counters' }).click();
  await becomes(page, /^# Two leases/);
  await page.locator('input[type=file]').setInputFiles({ name: 'x.fence', mimeType: 'text/plain', buffer: Buffer.from('B acquires\n') });
  await becomes(page, 'B acquires\n');
  await menu(page, 'Run:').click();
  await page.getByText('From a lesson…').click();
  await page.locator('.fold[open] li button').first().click();
  await becomes(page, /^scenario/);
  await menu(page, 'Run:').click();
  await page.getByRole('button', { name: /^Untitled run/ }).first().click();
  await becomes(page, /acquires\n$/);
});

test('the link holds text and moment', async () => {
  const page = await lab();
  await page.getByRole('button', { name: 'Next event' }).click();
  await menu(page, 'Share').click();
  const field = page.getByRole('textbox', { name: 'Link' });
  await page.waitForFunction(() => document.querySelector('#link').value.includes('s='));
  const link = await field.inputValue();
  const other = await open(`lab.html${new URL(link).hash}`);
  await becomes(other, STORY);
  assert.match(new URL(link).hash, /step=1/);
  await open('lab.html#/lab?s=AAAA').then((damaged) => damaged.getByText('damaged').waitFor());
});

test('every export is a file', async () => {
  const page = await lab();
  await menu(page, 'Export').click();
  const save = async (ending) => {
    const row = page.locator('.export').getByRole('button', { name: new RegExp(`\\${ending}$`) });
    const [download] = await Promise.all([page.waitForEvent('download'), row.click()]);
    assert.equal(download.suggestedFilename(), `a-paused-holder${ending}`);
    return readFile(await download.path());
  };
  assert.equal(String(await save('.fence')), STORY);
  assert.match(String(await save('.svg')), /^<svg xmlns/);
  assert.equal((await save('.png')).subarray(1, 4).toString(), 'PNG');
  assert.match(String(await save('.txt')), /^0 s {2}A asks/);
  assert.equal(JSON.parse(String(await save('.json'))).verdicts.length, 3);
});

test('blocked storage is told, once', async () => {
  const prepare = (page) =>
    page.addInitScript(() => Object.defineProperty(window, 'localStorage', { get: () => { throw new DOMException('no', 'SecurityError'); } }));
  const page = await lab('A acquires\n', { prepare });
  await page.getByText('This browser keeps nothing for this page').waitFor();
  await page.getByRole('button', { name: 'Dismiss' }).click();
});

test('compare: four policies, what differs is marked', async () => {
  const page = await lab();
  await page.getByRole('button', { name: 'Compare' }).click();
  await page.getByText('They part at late.').waitFor();
  const table = page.getByRole('table');
  assert.equal(await table.getByRole('columnheader').count(), 5);
  const row = table.getByRole('row', { name: /late/ }).first();
  assert.match(await row.innerText(), /accepted/);
  assert.ok((await row.getByText('differs').count()) >= 1);
  await page.getByRole('combobox', { name: 'Change strict' }).selectOption('ask-holder');
  await page.getByRole('combobox', { name: 'Change ask-holder' }).waitFor();
  assert.match(page.url(), /#\/lab\/compare/);
  await page.goBack();
  await page.waitForFunction(() => !location.hash.includes('compare'));
  await menu(page, 'Policy of the resource').waitFor();
  assert.deepEqual(page.problems, []);
});

test('explore: a failure is found, shown and played', async () => {
  const page = await open('lab.html#/lab/explore');
  await page.getByRole('combobox', { name: 'Policy' }).selectOption('check-then-write');
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await page.getByRole('heading', { name: 'A stale write is accepted, in 6 steps' }).waitFor();
  assert.equal(await page.locator('.found > li').count(), 6);
  await page.getByRole('button', { name: 'Play this run' }).click();
  await becomes(page, /^scenario "Found/);
  assert.equal(await page.locator('.troubles li').count(), 0);
});

test('explore: nothing found says what was covered and what was not', async () => {
  const page = await open('lab.html#/lab/explore');
  await page.getByRole('combobox', { name: 'Policy' }).selectOption('fenced');
  await page.getByRole('combobox', { name: 'Writes', exact: true }).selectOption({ label: 'one write' });
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await page.getByRole('heading', { name: /^No violation in [\d,]+ distinct states/ }).waitFor();
  await page.getByRole('heading', { name: 'Covered', exact: true }).waitFor();
  await page.getByRole('heading', { name: 'Not covered' }).waitFor();
});

test('explore: a long search shows progress and can be cancelled', async () => {
  const page = await open('lab.html#/lab/explore');
  for (const [name, label] of [['Clients', 'Three clients'], ['Writes', 'three writes'], ['Pauses', 'twice'], ['Late writes', 'three']]) {
    await page.getByRole('combobox', { name, exact: true }).selectOption({ label });
  }
  await page.getByRole('combobox', { name: 'Policy' }).selectOption('fenced');
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await page.getByRole('heading', { name: /nothing wrong yet/ }).waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('heading', { name: 'Cancelled' }).waitFor();
  assert.deepEqual(page.problems, []);
});

test('a run that went wrong can be tried with fenced, in one click', async () => {
  const page = await lab(STORY.replace('doc: fenced', 'doc: unfenced'));
  assert.equal(await page.getByRole('button', { name: 'Try it with fenced' }).count(), 0);
  await toEnd(page);
  await page.getByText('Stale write accepted').first().waitFor();
  await page.getByRole('button', { name: 'Try it with fenced' }).click();
  // It is what a resource is without a line of its own.
  await becomes(page, STORY.replace('resource doc: fenced\n', ''));
  await page.getByText('No stale write accepted').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Try it with fenced' }).count(), 0);
});

test('explore: a failure can be tried with fenced', async () => {
  const page = await open('lab.html#/lab/explore');
  await page.getByRole('combobox', { name: 'Policy' }).selectOption('check-then-write');
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await page.getByRole('button', { name: 'Try it with fenced' }).click();
  const found = await becomes(page, /^scenario "Found/);
  assert.doesNotMatch(found, /=>|expect|check-then-write/);
  await page.getByText('No stale write accepted').waitFor();
  assert.equal(await page.locator('.troubles li').count(), 0);
});

test('explore: each tile is a run, and the grid is named', async () => {
  const page = await open('lab.html#/lab/explore');
  assert.equal(await page.locator('.prop svg.mini').count(), 5);
  await page.getByRole('img', { name: /^A grid/ }).waitFor();
  await page.getByText('One way through the grid is one order').waitFor();
});

for (const [width, height] of [[1280, 800], [390, 844]]) {
  test(`a mistake of the caret's line is in view and hides no text at ${width} px`, async () => {
    const wrong = Array.from({ length: 12 }, (_, index) => `A wirtes w${index} "v"\n`).join('');
    const page = await lab(`${STORY}${wrong}`, { width, height });
    const line = page.locator('.editor li.err').nth(11);
    await line.waitFor();
    await line.scrollIntoViewIfNeeded();
    const told = page.locator('.troubles [aria-current]');
    const box = await line.boundingBox();
    await page.mouse.click(box.x + 100, box.y + 11);
    await told.getByRole('button', { name: 'Line 24' }).waitFor();
    const [there, here] = [await told.boundingBox(), await line.boundingBox()];
    assert.ok(there.y >= 0 && there.y + there.height <= height, 'it is in view');
    assert.ok(there.y >= here.y + here.height, 'it lies below the line');
    await told.getByRole('button', { name: 'Change to writes' }).click();
    await becomes(page, /A writes w11 "v"\n$/);
  });
}

test('the end of an arrow is dragged, and moved by keys', async () => {
  const page = await lab('A acquires\nA writes w "v"\n');
  await toEnd(page);
  const grip = () => page.getByRole('slider', { name: 'Arrival of “w”' });
  await grip().waitFor();
  assert.equal(await grip().getAttribute('aria-valuetext'), 'at 3 s');
  const box = await grip().boundingBox();
  assert.ok(box.width >= 24 && box.height >= 24);
  await page.mouse.move(box.x + 12, box.y + 12);
  await page.mouse.down();
  await page.mouse.move(box.x + 60, box.y + 12, { steps: 4 });
  await page.mouse.move(box.x + 150, box.y + 12, { steps: 4 });
  assert.equal(await text(page), 'A acquires\nA writes w "v"\n');
  await page.mouse.up();
  const dragged = await becomes(page, /taking \d+\n$/);
  const seconds = Number(/taking (\d+)/.exec(dragged)[1]);
  assert.ok(seconds > 1, dragged);
  await page.getByText(`“w” arrives at ${2 + seconds} s`, { exact: true }).waitFor();
  await toEnd(page);
  await grip().focus();
  await page.keyboard.press('ArrowRight');
  await becomes(page, `A acquires\nA writes w "v" taking ${seconds + 1}\n`);
  await page.waitForFunction(() => document.activeElement?.dataset.grip === '0');
  await page.keyboard.press('Home');
  await becomes(page, 'A acquires\nA writes w "v" taking 0\n');
  assert.deepEqual(page.problems, []);
});

/** Drags by one finger, in px of the window. */
async function swipe(page, from, to) {
  const session = await page.context().newCDPSession(page);
  const touch = (type, ...touchPoints) => session.send('Input.dispatchTouchEvent', { type, touchPoints });
  await touch('touchStart', from);
  for (let part = 1; part <= 8; part++) {
    await touch('touchMove', { x: from.x + ((to.x - from.x) * part) / 8, y: from.y + ((to.y - from.y) * part) / 8 });
  }
  await touch('touchEnd');
  await session.detach();
}

for (const [width, height] of [[1280, 800], [390, 844]]) {
  test(`by touch the end of an arrow and the time are dragged at ${width} px`, async () => {
    const page = await lab('A acquires\nA writes w "v"\n', { width, height, touch: true });
    await toEnd(page);
    const grip = page.getByRole('slider', { name: 'Arrival of “w”' });
    await grip.scrollIntoViewIfNeeded();
    const end = await grip.boundingBox();
    assert.ok(end.width >= 24 && end.height >= 24);
    const from = { x: end.x + 12, y: end.y + 12 };
    const down = width < 560;
    const scrolled = await page.evaluate(() => scrollY);
    await swipe(page, from, { x: from.x + (down ? 0 : 120), y: from.y + (down ? 120 : 0) });
    const [, seconds] = /taking (\d+)\n$/.exec(await becomes(page, /taking \d+\n$/));
    assert.ok(Number(seconds) > 1, seconds);
    assert.equal(await page.evaluate(() => scrollY), scrolled, 'the page stays while a grip is held');
    const slider = page.getByRole('slider', { name: 'Time' });
    const rail = await slider.boundingBox();
    assert.ok(rail.height >= 24);
    const on = (share) => ({ x: rail.x + rail.width * share, y: rail.y + rail.height / 2 });
    await swipe(page, on(0.9), on(0.25));
    const share = Number(await slider.inputValue()) / 1000;
    assert.ok(Math.abs(share - 0.25) < 0.1, `the time stands at ${share} of the run`);
    assert.deepEqual(page.problems, []);
  });
}

test('a long text is coloured where it is in sight, and line for line as high as the text area', async () => {
  const line = (_, index) => (index % 7 ? `A writes w${index} "v"` : `# a note that is too long for its column, so that it takes two lines or three: ${index}`);
  const page = await lab(`A acquires\n${Array.from({ length: 400 }, line).join('\n')}\n`);
  const heights = () => page.evaluate(() => {
    const area = document.querySelector('.editor textarea');
    Object.assign(area.style, { height: '0', minHeight: '0', alignSelf: 'start' });
    const needed = area.scrollHeight;
    area.removeAttribute('style');
    return [document.querySelector('.copy').offsetHeight, needed];
  });
  const same = async () => {
    const [copy, area] = await heights();
    assert.equal(copy, area);
  };
  await page.locator('.editor li b').first().waitFor();
  await same();
  assert.ok((await page.locator('.editor li').count()) < 150);
  await page.locator('.script .code').evaluate((code) => code.scrollTo(0, code.scrollHeight));
  await page.locator('.editor li', { hasText: 'A writes w398 "v"' }).locator('b').first().waitFor();
  await same();
  await script(page).press('Control+End');
  await page.keyboard.type('A releases');
  await page.locator('.editor li', { hasText: /^\d+A releases/ }).locator('b').first().waitFor();
  await same();
  assert.deepEqual(page.problems, []);
});

/** In the page: makes so many changes, each after a rest, and marks where it begins and where its frame ends. */
async function markChanges({ code, times, restMs }) {
  const act = new Function('index', code);
  const frame = () => new Promise((done) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = done;
    port2.postMessage(0);
  }));
  for (let index = 0; index < times; index++) {
    await new Promise((done) => setTimeout(done, restMs));
    await frame();
    performance.mark('change-begins');
    act(index);
    await frame();
    performance.mark('change-ends');
  }
}

/** Events of the browser's own record of what it does while `act` runs. */
async function traced(session, act) {
  const events = [];
  const keep = ({ value }) => events.push(...value);
  session.on('Tracing.dataCollected', keep);
  const includedCategories = ['disabled-by-default-devtools.timeline', 'blink.user_timing'];
  await session.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories } });
  await act();
  const complete = new Promise((done) => session.once('Tracing.tracingComplete', done));
  await session.send('Tracing.end');
  await complete;
  session.off('Tracing.dataCollected', keep);
  return events;
}

/**
 * What the main thread works from each of so many changes in the page to the end of its frame, on a
 * processor that is four times slower: milliseconds of its own time, so that other programs of the
 * machine do not count. `all`: with what comes in later frames, until the next change.
 */
async function frameWork(page, times, restMs, code) {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  const events = await traced(session, () => page.evaluate(markChanges, { code, times, restMs }));
  await session.detach();
  const marks = (name) => events.filter((event) => event.name === name).toSorted((a, b) => a.ts - b.ts);
  const [begins, ends] = [marks('change-begins'), marks('change-ends')];
  assert.equal(begins.length, times);
  const { tid, pid } = begins[0];
  const tasks = events.filter((event) => event.name === 'RunTask' && event.tid === tid && event.pid === pid);
  const between = (from, to) => {
    const counted = tasks.filter((task) => task.ts + task.dur > from && task.ts < to);
    return counted.reduce((sum, task) => sum + task.tdur / 1000, 0);
  };
  const work = begins.map(({ ts }, index) => between(ts, ends[index].ts));
  const all = begins.map(({ ts }, index) => between(ts, begins[index + 1]?.ts ?? Infinity));
  return { median: median(work), worst: Math.max(...work), all: median(all) };
}

/**
 * The most that a change of a long run may work, in ms on a quarter of this machine's speed. The goals
 * are 50 for an edit and 8 for the cursor, and are not reached: on a quiet machine an edit takes 65 at the
 * end and 60 in the middle, a step 12 and a jump 15. These are more, for slower and busy machines, and
 * only go down. An empty frame takes 4 of it, one in which a bare script moves a single layer 8;
 * typing into a text area of a thousand lines, its layout and its caret some 30 of an edit.
 */
const MOST_WORK_MS = {
  'an edit at the end': 95,
  'an edit in the middle': 90,
  'a step of the cursor': 23,
  'a jump of the slider': 28,
};

test('a 1,000-step run stays fluid on a slow processor', async (t) => {
  const lines = Array.from({ length: 998 }, (_, i) => (i % 2 ? 'wait 1' : `A writes w${i} "v${i}"`));
  // Tests may run code from text; the page itself may not.
  const page = await lab(`A acquires\n${lines.join('\n')}\n`, { context: { bypassCSP: true } });
  await page.waitForTimeout(1500);
  const measured = {
    'nothing at all': await frameWork(page, 12, 200, ''),
    'an edit at the end': await frameWork(page, 12, 900, typed(`area.value.length`)),
    'an edit in the middle': await frameWork(page, 12, 900, typed(`area.value.indexOf('\\nA writes w400 ')`)),
    'a step of the cursor': await frameWork(page, 60, 200, `document.querySelector('[aria-label="Next event"]').click()`),
    'a jump of the slider': await frameWork(page, 30, 100, `
      const slider = document.querySelector('input[type=range]');
      slider.value = (index * 379) % 1000;
      slider.dispatchEvent(new InputEvent('input', { bubbles: true }))`),
  };
  for (const [what, work] of Object.entries(measured)) {
    const [median, worst, all] = [work.median, work.worst, work.all].map((ms) => ms.toFixed(1));
    t.diagnostic(`${what}: median ${median} ms, worst ${worst} ms; ${all} ms with what follows`);
  }
  for (const [what, limit] of Object.entries(MOST_WORK_MS)) {
    assert.ok(measured[what].median <= limit, `${what}: ${measured[what].median.toFixed(1)} ms`);
  }
  assert.deepEqual(page.problems, []);
});

/** A line typed at a place, or the end of one: every other time. */
const typed = (place) => `
  const area = document.querySelector('textarea');
  area.focus();
  const at = ${place};
  area.setSelectionRange(at, at);
  document.execCommand('insertText', false, index % 2 ? '\\n' : 'A checks')`;

test('the search is fast in the browser too', async (t) => {
  const rate = await searchRate();
  t.diagnostic(`${rate} states a second; \`cargo xtask bench\` compares that with native searches`);
  assert.ok(rate >= 20_000);
});

for (const [width, height] of [[1280, 800], [768, 1024], [390, 844], [340, 700]]) {
  test(`nothing overflows and axe finds nothing at ${width} px`, async () => {
    const page = await lab(STORY, { width, height });
    await toEnd(page);
    assert.equal(await overflow(page), 0);
    assert.deepEqual(await axeFindings(page), []);
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.getByRole('table').waitFor();
    assert.equal(await overflow(page), 0);
    assert.deepEqual(await axeFindings(page), []);
    await page.getByRole('button', { name: 'Explore' }).click();
    await page.getByRole('heading', { name: 'What must never happen?' }).waitFor();
    assert.equal(await overflow(page), 0);
    assert.deepEqual(await axeFindings(page), []);
  });
}
