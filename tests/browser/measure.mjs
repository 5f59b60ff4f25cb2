// Measures what a reader waits for: until a page answers, for a step, for the slider; and how busy the
// page is. The tests have limits for these numbers, `cargo xtask bench` prints them.
import { open } from './harness.mjs';

/** A telephone of the middle class on a slow mobile network. */
const SLOW = { cpu: 4, kilobits: 1600, roundTripMs: 150 };

/** The pages that are measured: `path`; the first `control`; a part of the page that nothing but it changes. */
export const PAGES = {
  home: { path: '', control: '[data-do=play]', subject: '#story' },
  lesson: { path: '#/lesson/paused-holder/1', control: '.steps .next', subject: '#reading' },
  embed: { path: '?embed&lesson=paused-holder', control: '[data-do=forward]', subject: '[data-do=back]' },
};

/** The pages where time can run. */
export const PLAYERS = {
  home: '',
  lesson: '#/lesson/paused-holder/2',
  play: '#/play',
  embed: '?embed&lesson=paused-holder&controls=full',
};

/** The middle one of some numbers. */
export const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** Makes the page as slow as on a reader's telephone; the cache of a new context is empty. */
async function slowDown(page) {
  const session = await page.context().newCDPSession(page);
  const bytesPerSecond = (SLOW.kilobits * 1000) / 8;
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: SLOW.roundTripMs,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  });
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOW.cpu });
}

/** What a page writes to its console when it has answered. */
const ANSWERED = 'It has answered.';

/**
 * In the page: presses the control as soon as a reader sees it, until that changes something. Notes when the
 * press was that did, and when its change was there, and then says so: who asks the page has scripts read
 * there, which takes it a tenth of a second.
 */
function noteFirstAnswer({ control, subject, word }) {
  const told = () => document.querySelector(subject)?.outerHTML;
  const pause = () => new Promise((done) => setTimeout(done));
  const bytes = () =>
    ['navigation', 'resource'].flatMap((type) => performance.getEntriesByType(type)).reduce((sum, entry) => sum + entry.transferSize, 0);
  const isSeen = () => performance.getEntriesByName('first-contentful-paint').length > 0 && document.querySelector(`${control}:not([inert] *)`);
  const answered = async () => {
    const before = told();
    if (!isSeen() || before === undefined) return false;
    const ms = performance.now();
    document.querySelector(control).click();
    await pause();
    if (told() === before) return false;
    globalThis.firstAnswer = { ms, shown: performance.now(), bytes: bytes() };
    return true;
  };
  (async () => {
    while (!(await answered())) await pause();
    console.debug(word);
  })();
}

/**
 * Loads a page of {@link PAGES} `times` times on a slow machine and network, with an empty cache.
 *
 * @returns medians: `ms`, from the start of the navigation until its first control, which is on screen by
 *   then, answers a press; `shown`, until the change is on the page; `bytes`, transferred until then, with headers
 */
export async function interactive(name, times = 3) {
  const { path, ...parts } = PAGES[name];
  const runs = [];
  for (let run = 0; run < times; run += 1) {
    let answered;
    const prepare = async (page) => {
      answered = page.waitForEvent('console', (message) => message.text() === ANSWERED);
      await page.addInitScript(noteFirstAnswer, { ...parts, word: ANSWERED });
      await slowDown(page);
    };
    const page = await open(path, { width: 412, height: 823, wait: false, prepare });
    await answered;
    runs.push(await page.evaluate(() => globalThis.firstAnswer));
    await page.context().close();
  }
  const middle = (name) => median(runs.map((run) => run[name]));
  return { ms: middle('ms'), shown: middle('shown'), bytes: middle('bytes') };
}

/**
 * What the main thread of the page, with its frames, has worked since the last call, in ms of its own
 * time: other programs of the machine do not count.
 */
async function workMeter(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  let last = 0;
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    const total = metrics.find(({ name }) => name === 'TaskDuration').value * 1000;
    const since = total - last;
    last = total;
    return since;
  };
}

/** The share of `ms` milliseconds that the main thread of the page is at work. */
export async function busyShare(page, ms = 3000) {
  const work = await workMeter(page);
  await work();
  const start = performance.now();
  await page.waitForTimeout(ms);
  return (await work()) / (performance.now() - start);
}

/**
 * Opens a page of {@link PLAYERS} and plays its run from the start.
 *
 * @returns shares of the main thread: `resting` before, `playing` at the usual speed
 */
export async function restingAndPlaying(name) {
  const page = await open(PLAYERS[name]);
  await page.locator('svg.tl').first().waitFor();
  const play = page.locator('[data-do=play]');
  // The home page plays by itself. What is done once after the start is over soon.
  if ((await play.getAttribute('aria-label')) === 'Pause') await play.click();
  await page.waitForTimeout(1000);
  const resting = await busyShare(page);
  const first = page.locator('[data-do=first]:not([aria-disabled=true])');
  if (await first.count()) await first.click();
  await play.click();
  await page.waitForTimeout(300);
  const playing = await busyShare(page);
  if ((await play.getAttribute('aria-label')) !== 'Pause') throw new Error('it did not play to the end');
  await page.context().close();
  return { resting, playing };
}

/** In the page: makes changes one after the other. How long each takes until its frame is there, in ms. */
async function timeChanges({ selector, values, times }) {
  const element = document.querySelector(selector);
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const change = (value) => {
    if (value === undefined) return element.click();
    element.value = String(value);
    return element.dispatchEvent(new Event('input', { bubbles: true }));
  };
  const shown = [];
  for (let n = 0; n < times; n += 1) {
    await frame();
    const start = performance.now();
    change(values?.[n % values.length]);
    await frame();
    shown.push(performance.now() - start);
  }
  return shown;
}

async function latency(page, what) {
  const work = await workMeter(page);
  await work();
  const shown = await page.evaluate(timeChanges, what);
  return { work: (await work()) / what.times, shown: median(shown) };
}

/**
 * How long a press of “Next event” takes, in ms.
 *
 * @returns `work`, what the main thread does for it, the mean of `times`; `shown`, until its frame is
 *   there, the median: no less than the rest of a frame, and more where other programs are at work
 */
export const stepLatency = (page, times = 9) => latency(page, { selector: '[aria-label="Next event"]', times });

/** How long a move of the slider takes, to and fro over the whole run; as {@link stepLatency}. */
export async function scrubLatency(page, times = 16) {
  const most = await page.locator('input[type=range]').first().evaluate((slider) => Number(slider.max));
  const values = [0.1, 0.9, 0.3, 0.7, 0.5, 1, 0.2, 0.8].map((share) => Math.round(share * most));
  return latency(page, { selector: 'input[type=range]', values, times });
}

/** States a second of the lab's explorer, on the model of `cargo bench --bench explore`. */
export async function searchRate() {
  const page = await open('lab.html#/lab/explore');
  await page.getByRole('combobox', { name: 'Clients', exact: true }).selectOption({ label: 'Three clients' });
  await page.getByRole('combobox', { name: 'Policy' }).selectOption('check-then-write');
  // What never happens there, so that all of it is searched.
  await page.locator('#property-no-double-effect').check();
  for (const other of ['no-stale-accepted', 'holder-never-refused', 'no-lost-update', 'mark-never-falls']) {
    await page.locator(`#property-${other}`).uncheck();
  }
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await page.getByRole('heading', { name: /^No violation in [\d,]+ distinct states/ }).waitFor({ timeout: 120_000 });
  const said = await page.locator('#stage').innerText();
  await page.context().close();
  return Number(/([\d,]+) states a second/.exec(said)[1].replaceAll(',', ''));
}

/** `1.23 %` */
export const percent = (share) => `${(share * 100).toFixed(2)} %`;

/** A latency in words. */
export const told = ({ work, shown }) => `${work.toFixed(1)} ms of work, shown after ${shown.toFixed(1)} ms`;
