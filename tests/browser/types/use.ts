// Uses everything that fencing-lab.d.ts has: it must compile. What is marked as an error must be one.
import type {
  FencingLabElement, FencingLabOption, FencingLabPlace, FencingLabSpeed, FencingLabState, FencingLabTheme, FromFencingLab, ToFencingLab,
} from '../../../dist/fencing-lab';

// The element is known by its name, wherever the DOM makes or finds one.
const embed: FencingLabElement = document.createElement('fencing-lab');
const found: FencingLabElement | null = document.querySelector('fencing-lab');
document.body.append(embed);

// Each option that may change, with a value.
const options: Record<FencingLabOption, string> = {
  lesson: 'paused-holder',
  scenario: 'packed',
  step: '3',
  at: '16.5',
  event: 'late',
  policy: 'unfenced',
  show: 'timeline gate',
  controls: 'full',
  theme: 'dark',
  speed: '2',
  caption: 'line',
  'accent-a': '#123456',
  'accent-b': 'teal',
};
for (const [name, value] of Object.entries(options)) embed.setOption(name as FencingLabOption, value);
// @ts-expect-error There is no such option.
embed.setOption('colour', 'red');

// Each method.
const places: FencingLabPlace[] = [{ step: 3 }, { at: 16.5 }, { event: 'late' }];
for (const place of places) embed.goto(place);
embed.next();
embed.prev();
embed.play();
const speeds: FencingLabSpeed[] = [0.5, 1, 2, 4];
for (const speed of speeds) embed.play(speed);
embed.pause();
embed.reset();
const themes: FencingLabTheme[] = ['auto', 'light', 'dark'];
for (const theme of themes) embed.setTheme(theme);
embed.loadScenario('A acquires');
const state: Promise<FencingLabState> | undefined = found?.getState();
// @ts-expect-error A place is a step, a time or an event.
embed.goto({ line: 3 });
// @ts-expect-error No such speed.
embed.play(3);
// @ts-expect-error No such theme.
embed.setTheme('blue');
// @ts-expect-error The answer comes later.
embed.getState().url;

// Each event, with all of its own fields.
type Name = Extract<keyof HTMLElementEventMap, `fencing-lab:${string}`>;
type Detail<N extends Name> = HTMLElementEventMap[N] extends CustomEvent<infer D> ? D : never;
const fields: { [N in Name]: (detail: Detail<N>) => (string | number | boolean | null | undefined)[] } = {
  'fencing-lab:hello': ({ versions, app }) => [versions[0], app],
  'fencing-lab:ready': ({ lesson, step, total, steps, storage }) => [lesson, step, total, steps, storage],
  'fencing-lab:resize': ({ height }) => [height],
  'fencing-lab:step': ({ step, total, at, text }) => [step, total, at, text],
  'fencing-lab:verdict': ({ write, verdict, reason, token, mark, anomaly, policy }) => [write, verdict, reason, token, mark, anomaly, policy],
  'fencing-lab:lesson-complete': ({ lesson }) => [lesson],
  'fencing-lab:state': ({ lesson, step, total, at, playing, policy, text, url }) => [lesson, step, total, at, playing, policy, text, url],
  'fencing-lab:error': ({ code, message, line, column }) => [code, message, line, column],
};
embed.addEventListener('fencing-lab:verdict', ({ detail }) => {
  const refused: boolean = detail.verdict === 'rejected';
  // @ts-expect-error No such verdict.
  detail.verdict === 'expired';
  console.log(refused, fields['fencing-lab:verdict'](detail));
});
// @ts-expect-error A height is of another event.
embed.addEventListener('fencing-lab:step', ({ detail }) => detail.height);

// A bare frame: what it sends and takes.
declare const frame: HTMLIFrameElement;
addEventListener('message', ({ source, data }: MessageEvent<FromFencingLab>) => {
  if (source !== frame.contentWindow || data.source !== 'fencing-lab') return;
  if (data.type === 'resize') frame.height = String(data.height);
  if (data.type === 'error' && data.code === 'bad-scenario') console.log(data.line, data.column);
});
const messages: ToFencingLab[] = [
  { target: 'fencing-lab', v: 1, type: 'hello', id: 'mine' },
  { target: 'fencing-lab', v: 1, type: 'next' },
  { target: 'fencing-lab', v: 1, type: 'prev' },
  { target: 'fencing-lab', v: 1, type: 'pause' },
  { target: 'fencing-lab', v: 1, type: 'reset' },
  { target: 'fencing-lab', v: 1, type: 'get-state' },
  { target: 'fencing-lab', v: 1, type: 'goto', event: 'late' },
  { target: 'fencing-lab', v: 1, type: 'play', speed: 2 },
  { target: 'fencing-lab', v: 1, type: 'set-theme', theme: 'dark' },
  { target: 'fencing-lab', v: 1, type: 'set-option', name: 'controls', value: 'none' },
  { target: 'fencing-lab', v: 1, type: 'load-scenario', text: 'A acquires' },
];
for (const message of messages) frame.contentWindow?.postMessage(message, '*');
// @ts-expect-error There is one version.
const other: ToFencingLab = { target: 'fencing-lab', v: 2, type: 'next' };

export { other, state };
