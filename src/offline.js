// Keeps the app for times without a network. The build writes two constants before this:
// FILES, each file of the app with its hash as for `integrity`, and VERSION, a hash of all.
//
// Invariants
// - A version is one cache, and it is filled with exactly the files of its build, or not at all.
// - A page has all its files from one version: the next one waits until no page of the last is open.
// - Frames and embeds have everything from the network, as without this worker.
'use strict';

// Other copies of the app may live on the same host.
const OURS = `fencing-lab ${registration.scope} `;
const CACHE = OURS + VERSION;
const FOLDER = new URL(registration.scope).pathname;
const KNOWN = new Set(FILES.map(([path]) => path));

addEventListener('install', (event) => event.waitUntil(fill()));
addEventListener('activate', (event) => event.waitUntil(dropOthers()));
addEventListener('fetch', (event) => {
  const path = pathOf(event.request);
  if (KNOWN.has(path) && !isFramePage(event.request)) event.respondWith(answer(event, path));
});

async function fill() {
  const requests = FILES.map(([path, integrity]) => new Request(path, { integrity, cache: 'no-cache' }));
  const cache = await caches.open(CACHE);
  try {
    await cache.addAll(requests);
  } catch (error) {
    await caches.delete(CACHE);
    throw error;
  }
}

async function dropOthers() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(OURS) && name !== CACHE).map((name) => caches.delete(name)));
}

// The path in FILES that a request is for, if it is for one.
function pathOf({ method, url }) {
  if (method !== 'GET' || !url.startsWith(registration.scope)) return null;
  const path = new URL(url).pathname.slice(FOLDER.length);
  return path === '' || path === 'index.html' ? './' : path;
}

function isFramePage({ mode, destination, url }) {
  return mode === 'navigate' && (destination !== 'document' || isEmbed(url));
}

function isEmbed(url) {
  return new URL(url).searchParams.has('embed');
}

async function answer({ request, clientId }, path) {
  const client = clientId ? await clients.get(clientId) : undefined;
  if (client && (client.frameType === 'nested' || isEmbed(client.url))) return fetch(request);
  const cache = await caches.open(CACHE);
  const kept = await cache.match(path);
  if (!kept) return fetch(request);
  // Some hosts redirect to addresses without `.html`; browsers do not take that from a worker.
  return kept.redirected ? new Response(kept.body, kept) : kept;
}
