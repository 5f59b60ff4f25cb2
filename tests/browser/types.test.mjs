// fencing-lab.d.ts: it compiles, its use compiles, and it says the same as the documentation.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { run } from './install.mjs';

const path = (name) => fileURLToPath(new URL(name, import.meta.url));

test('uses of each option, event and method compile, and wrong ones do not', async () => {
  const strict = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--lib', 'es2022,dom,dom.iterable', '--target', 'es2022'];
  const compiler = path('node_modules/typescript/bin/tsc');
  const result = await run(process.execPath, [compiler, ...strict, path('types/use.ts')]).catch((error) => error);
  assert.equal(result.stdout, '');
});

test('the documentation and the types name the same events, options and methods', async () => {
  const types = await readFile(path('../../dist/fencing-lab.d.ts'), 'utf8');
  const text = await readFile(path('../../EMBEDDING.md'), 'utf8');
  const part = (title) => text.slice(text.indexOf(`\n## ${title}\n`)).split(/\n## /)[1];
  /** All that stands in backticks in the first column of a part's tables. */
  const named = (title) => {
    const rows = part(title).match(/^\| `[^|]*\|/gm) ?? [];
    return rows.flatMap((row) => row.match(/`[^`]+`/g).map((name) => name.slice(1, -1)));
  };
  const inTypes = (pattern) => [...types.matchAll(pattern)].map(([, name]) => name);
  const [events, methods] = [named('Events and commands').filter((name) => !name.includes('(')), named('Events and commands').filter((name) => name.includes('('))];
  assert.deepEqual(events, inTypes(/'fencing-lab:([a-z-]+)': CustomEvent/g));
  const element = /interface FencingLabElement[^]*?\n}/.exec(types)[0];
  const own = [...element.matchAll(/^ {2}(\w+)\(/gm)].map(([, name]) => name);
  assert.deepEqual([...new Set(methods.map((name) => name.split('(')[0]))].sort(), own.sort());
  const options = /type FencingLabOption =([^;]*);/.exec(types)[1].match(/[a-z-]{2,}/g);
  // Those that count when an embed starts, and for the element alone, do not change.
  const fixed = ['autoplay', 'height', 'load', 'title'];
  assert.deepEqual(named('Options').filter((name) => !fixed.includes(name)).sort(), options.sort());
});
