// What makes the page open without the server: see service-worker.js, which has to lie at the root to be allowed to.

/** Have the browser keep the pages that are opened, once it has nothing better to do. */
export function keepPages() {
  const register = () => navigator.serviceWorker?.register("service-worker.js").catch(() => {});
  if ("requestIdleCallback" in window) requestIdleCallback(register);
  else setTimeout(register, 1000);
}
