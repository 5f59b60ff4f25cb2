// A static server for the tests: one directory under one path, with the headers of its `_headers` file;
// for browsers that take it, compressed: with brotli what has such a form beside it, else with gzip.
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { extname, join, normalize, sep } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const compress = promisify(gzip);

const TYPES = {
  '.bin': 'application/octet-stream',
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.xml': 'application/xml',
};

/**
 * Serves `dir` under `base`, a path with a slash at both ends, on a free port of 127.0.0.1.
 *
 * @returns `url`, the address of `base`; `requests`, the paths and queries that were asked for; `close()`
 */
export async function serve(dir, base) {
  const rules = parseHeaders(readFileSync(join(dir, '_headers'), 'utf8'));
  const requests = [];
  const packed = new Map();
  const server = createServer((request, response) => {
    requests.push(request.url);
    answer({ dir, base, rules, packed }, request, response);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${server.address().port}${base}`;
  const close = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return { url, requests, close };
}

async function answer({ dir, base, rules, packed }, request, response) {
  const { pathname } = new URL(request.url, 'http://127.0.0.1');
  const path = pathname.startsWith(base) ? `/${pathname.slice(base.length)}` : null;
  const body = path === null ? null : await read(dir, path);
  if (body === null) {
    response.writeHead(404, { 'Content-Type': 'text/plain' }).end('not found');
    return;
  }
  const type = TYPES[extname(path) || '.html'];
  const headers = { 'Content-Type': type ?? 'application/octet-stream', ...headersFor(rules, path) };
  // What has no type of its own here, such as a picture, is compressed already.
  const accepted = request.headers['accept-encoding'] ?? '';
  const brotli = /\bbr\b/.test(accepted) && (await read(dir, `${path}.br`));
  if (brotli) {
    response.writeHead(200, { ...headers, 'Content-Encoding': 'br', Vary: 'Accept-Encoding', 'Content-Length': brotli.length }).end(brotli);
    return;
  }
  if (!type || !/\bgzip\b/.test(accepted)) {
    response.writeHead(200, headers).end(body);
    return;
  }
  const zipped = await gzipped(packed, path, body);
  response.writeHead(200, { ...headers, 'Content-Encoding': 'gzip', Vary: 'Accept-Encoding', 'Content-Length': zipped.length }).end(zipped);
}

/** The body compressed; once for each file, as long as it stays the same. */
async function gzipped(packed, path, body) {
  const known = packed.get(path);
  if (known?.body.equals(body)) return known.zipped;
  const zipped = await compress(body);
  packed.set(path, { body, zipped });
  return zipped;
}

/** The file at `path`, an address with a leading slash, or null. */
async function read(dir, path) {
  try {
    const file = normalize(join(dir, decodeURIComponent(path.endsWith('/') ? `${path}index.html` : path)));
    return file.startsWith(dir + sep) ? await readFile(file) : null;
  } catch {
    return null;
  }
}

/** Reads `_headers`: paths, each followed by indented `Name: value` lines; `#` starts a comment line. */
export function parseHeaders(text) {
  const rules = [];
  for (const line of text.split('\n')) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    if (!/^\s/.test(line)) {
      rules.push({ pattern: line.trim(), headers: {} });
      continue;
    }
    const colon = line.indexOf(':');
    rules.at(-1).headers[line.slice(0, colon).trim()] = line.slice(colon + 1).trim();
  }
  return rules;
}

/** All headers whose pattern fits the path; `*` stands for anything. */
export function headersFor(rules, path) {
  const fits = ({ pattern }) => {
    const [start, end] = pattern.split('*');
    return end === undefined ? path === pattern : path.startsWith(start) && path.endsWith(end);
  };
  return Object.assign({}, ...rules.filter(fits).map(({ headers }) => headers));
}
