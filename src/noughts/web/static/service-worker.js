// Keeps the pages that were opened, so that they open without the server too. It knows no file by name.
//
// A page names the folder of the day, v-<hash>, and all files that it needs from there. So there is one cache for each
// folder: what is in it fits together, and goes when a page names another folder. Pages come from the server whenever
// it is there; the API is never kept.

const SCOPE = self.registration.scope;
const LINK = /\b(?:href|src)="([^":]*?\b(v-\w+)\/[^"]+)"/g;
const AWAY = [502, 503, 504]; // what a proxy says when the server behind it is away

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(fetch(SCOPE).then((response) => keepPage(SCOPE, response)));
});

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(SCOPE)) return;
  const path = request.url.slice(SCOPE.length);
  if (path.startsWith("api/")) return;
  if (request.mode === "navigate") event.respondWith(openPage(event));
  else if (/^v-\w+\//.test(path)) event.respondWith(openFile(event));
});

/** Return a page from the server, and keep it; without the server, as it was kept. */
async function openPage(event) {
  const address = event.request.url.split(/[?#]/)[0];
  let response;
  try {
    response = await fetch(event.request);
  } catch (error) {
    response = error;
  }
  // With fields behind a ?, a page has tags of its own.
  if (response.ok && !event.request.url.includes("?")) event.waitUntil(keepPage(address, response.clone()));
  else if (response instanceof Error || AWAY.includes(response.status)) {
    response = (await caches.match(address, { ignoreVary: true })) ?? response;
  }
  if (response instanceof Error) throw response;
  return response;
}

/** Return a file of a folder, which never changes. */
async function openFile({ request }) {
  const kept = await caches.match(request.url, { ignoreVary: true });
  if (kept) return kept;
  const response = await fetch(request);
  if (response.ok) {
    const cache = await caches.open(cacheOf(request.url.slice(SCOPE.length).split("/")[0]));
    await cache.put(request.url, response.clone());
  }
  return response;
}

/** Keep a page with all files that it names, and forget those of other folders. */
async function keepPage(address, response) {
  const text = await response.clone().text();
  const links = [...text.matchAll(LINK)];
  if (!response.ok || links.length === 0) return;
  const name = cacheOf(links[0][2]);
  const cache = await caches.open(name);
  const files = new Set(links.map(([, link]) => new URL(link, address).href));
  const known = new Set((await cache.keys()).map(({ url }) => url));
  await cache.addAll([...files].filter((file) => !known.has(file)));
  await cache.put(address, response);
  const others = (await caches.keys()).filter((other) => other.startsWith(`${SCOPE} `) && other !== name);
  await Promise.all(others.map((other) => caches.delete(other)));
}

function cacheOf(folder) {
  return `${SCOPE} ${folder}`;
}
