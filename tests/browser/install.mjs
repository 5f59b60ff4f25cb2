// Tools of the browser tests that only one test needs: installed into target/hosts on first use,
// by pip or npm, each set in a folder of its own.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** Runs a program to its end, as `execFile` does. */
export const run = promisify(execFile);

/** The folder that tools and sites are kept in. */
export const hosts = fileURLToPath(new URL('../../target/hosts', import.meta.url));

const UNREACHABLE = /NewConnectionError|Failed to establish|name resolution|Network is unreachable|ENOTFOUND|ECONNREFUSED|ETIMEDOUT|EAI_AGAIN/;

/** Installs a set once: `missing` is the reason why it cannot be done, if no registry answers. */
async function install(dir, packages, steps) {
  const marker = join(dir, `.has-${packages.join('-').replaceAll('/', '-')}`);
  if (existsSync(marker)) return undefined;
  await mkdir(dir, { recursive: true });
  try {
    for (const [program, ...options] of steps) await run(program, options, { cwd: dir, maxBuffer: 1e8 });
  } catch (error) {
    const text = `${error.stdout} ${error.stderr}`;
    if (UNREACHABLE.test(text)) return `the registry cannot be reached: ${error.message.split('\n')[0]}`;
    throw error;
  }
  await writeFile(marker, '');
  return undefined;
}

/**
 * A set of Python packages.
 *
 * @returns `missing`, the reason why they are not there, if so; `bin(name)`, the path of a program;
 *   `dir`, the folder of the set
 */
export async function python(name, packages) {
  const dir = join(hosts, `pip-${name}`);
  const bin = (program) => join(dir, 'venv/bin', program);
  const missing = await install(dir, packages, [
    ['python3', '-m', 'venv', 'venv'],
    [bin('pip'), 'install', '--quiet', '--disable-pip-version-check', ...packages],
  ]);
  return { missing, bin, dir };
}

/** A set of npm packages; see {@link python}. Sites in `dir` find the packages. */
export async function npm(name, packages) {
  const dir = join(hosts, `npm-${name}`);
  const bin = (program) => join(dir, 'node_modules/.bin', program);
  const missing = await install(dir, packages, [['npm', 'install', '--silent', '--no-fund', '--no-audit', '--prefix', dir, ...packages]]);
  return { missing, bin, dir };
}
