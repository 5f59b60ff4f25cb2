/** Types of `fencing-lab.js`: the element, its events, and the messages of the protocol, version 1. */

/** A place in a run: moments that have passed, virtual seconds, or the name of an event. */
export type FencingLabPlace = { step: number } | { at: number } | { event: string };

export type FencingLabTheme = 'auto' | 'light' | 'dark';

export type FencingLabSpeed = 0.5 | 1 | 2 | 4;

/** Options that may change while an embed is shown. */
export type FencingLabOption =
  | 'lesson' | 'scenario' | 'step' | 'at' | 'event' | 'policy' | 'show' | 'controls' | 'theme' | 'speed'
  | 'caption' | 'accent-a' | 'accent-b';

/** What all messages of an embed have in common. */
interface FromEmbed<Type extends string> {
  source: 'fencing-lab';
  v: 1;
  /** That of the host's last `hello`; in an answer, that of the question. */
  id: string;
  type: Type;
}

export interface FencingLabHello extends FromEmbed<'hello'> {
  versions: number[];
  /** The version of the app. */
  app: string;
}

export interface FencingLabReady extends FromEmbed<'ready'> {
  /** The lesson's name in addresses, if it is one. */
  lesson: string | null;
  /** Moments that have passed. */
  step: number;
  /** Moments of the run. */
  total: number;
  /** Lines of the scenario that do something. */
  steps: number;
  /** Whether the browser lets the embed store anything. */
  storage: boolean;
}

export interface FencingLabResize extends FromEmbed<'resize'> {
  /** Of all that is shown, in CSS px. */
  height: number;
}

export interface FencingLabStep extends FromEmbed<'step'> {
  step: number;
  total: number;
  /** Virtual seconds. */
  at: number;
  /** What has just happened, as a sentence. */
  text: string;
}

export interface FencingLabVerdict extends FromEmbed<'verdict'> {
  /** The write's name in the scenario, if it has one. */
  write: string | null;
  verdict: 'accepted' | 'rejected' | 'duplicate';
  reason: string | null;
  /** The token that it carried; a text where it was no number. */
  token: number | string | null;
  /** The resource's mark when it compared. */
  mark: number;
  /** What an observer says: `stale`, `unseen`, …; several with a comma. */
  anomaly: string | null;
  policy: string;
}

export interface FencingLabComplete extends FromEmbed<'lesson-complete'> {
  lesson: string;
}

export interface FencingLabState extends FromEmbed<'state'> {
  lesson: string | null;
  step: number;
  total: number;
  at: number;
  playing: boolean;
  /** Of the switch; null: the scenario's own. */
  policy: string | null;
  /** The scenario. */
  text: string;
  /** The same state in the app. */
  url: string;
}

export interface FencingLabError extends FromEmbed<'error'> {
  code: 'boot' | 'wasm-unsupported' | 'bad-scenario' | 'unknown-command' | 'bad-version';
  message: string;
  /** In the scenario, from 1. */
  line?: number;
  column?: number;
}

export type FromFencingLab =
  | FencingLabHello | FencingLabReady | FencingLabResize | FencingLabStep | FencingLabVerdict
  | FencingLabComplete | FencingLabState | FencingLabError;

/** What a host may say to an embed. Whatever is unknown or malformed changes nothing. */
export type ToFencingLab = { target: 'fencing-lab'; v: 1; id?: string } & (
  | { type: 'hello' | 'next' | 'prev' | 'pause' | 'reset' | 'get-state' }
  | ({ type: 'goto' } & FencingLabPlace)
  | { type: 'play'; speed?: FencingLabSpeed }
  | { type: 'set-theme'; theme: FencingLabTheme }
  | { type: 'set-option'; name: FencingLabOption; value: string }
  | { type: 'load-scenario'; text: string }
);

/** `<fencing-lab>`. Commands that come before the embed is ready wait until it is. */
export interface FencingLabElement extends HTMLElement {
  goto(place: FencingLabPlace): void;
  next(): void;
  prev(): void;
  play(speed?: FencingLabSpeed): void;
  pause(): void;
  /** Back to what the attributes say. */
  reset(): void;
  setTheme(theme: FencingLabTheme): void;
  setOption(name: FencingLabOption, value: string): void;
  loadScenario(text: string): void;
  getState(): Promise<FencingLabState>;
}

declare global {
  interface HTMLElementTagNameMap {
    'fencing-lab': FencingLabElement;
  }
  /** All of them bubble. */
  interface HTMLElementEventMap {
    'fencing-lab:hello': CustomEvent<FencingLabHello>;
    'fencing-lab:ready': CustomEvent<FencingLabReady>;
    'fencing-lab:resize': CustomEvent<FencingLabResize>;
    'fencing-lab:step': CustomEvent<FencingLabStep>;
    'fencing-lab:verdict': CustomEvent<FencingLabVerdict>;
    'fencing-lab:lesson-complete': CustomEvent<FencingLabComplete>;
    'fencing-lab:state': CustomEvent<FencingLabState>;
    'fencing-lab:error': CustomEvent<FencingLabError>;
  }
}
