// The reference of the HTTP API: Swagger UI shows the OpenAPI document, and every route can be tried.

import { byId, h } from "./dom/dom.js";
import { address, Problem, request } from "./server/api.js";

const main = byId("reference");
const root = document.documentElement;

/** Swagger UI filters the names of groups only; this one looks at what a route is called and does, too. */
const search = {
  fn: {
    opsFilter: (/** @type {any} */ groups, /** @type {string} */ phrase) => {
      const isWanted = (/** @type {any} */ route) =>
        [route.get("path"), ...["summary", "description"].map((key) => route.getIn(["operation", key], ""))]
          .join(" ")
          .toLowerCase()
          .includes(phrase.toLowerCase());
      return groups
        .map((/** @type {any} */ group) => group.update("operations", (/** @type {any} */ all) => all.filter(isWanted)))
        .filter((/** @type {any} */ group) => group.get("operations").size > 0);
    },
  },
};

try {
  const openapi = await (await request("openapi.json")).json();
  openapi.servers = [{ url: address("..").replace(/\/$/, "") }]; // behind any prefix
  main.replaceChildren();
  await new Promise((resolve) => {
    // @ts-expect-error: its script is loaded before this one
    SwaggerUIBundle({
      spec: openapi,
      domNode: main,
      filter: true,
      tryItOutEnabled: true,
      defaultModelsExpandDepth: 0,
      plugins: [search],
      onComplete: resolve,
    });
  });
  improve();
  new MutationObserver(improve).observe(main, { childList: true, subtree: true });
} catch (error) {
  main.replaceChildren(h("p", { role: "alert" }, error instanceof Problem ? error.message : String(error)));
}
main.setAttribute("aria-busy", "false");

/** Say what is missing for those who do not see the page. */
function improve() {
  const field = main.querySelector(".operation-filter-input");
  field?.setAttribute("placeholder", "Search");
  field?.setAttribute("aria-label", "Search the routes");
  for (const heading of main.querySelectorAll("h3, h4, h5")) {
    heading.setAttribute("aria-level", String(Number(heading.tagName[1]) - 1)); // none is left out after the title
  }
}

// Its dark colours hang on a class, and not on what the system prefers.
const system = matchMedia("(prefers-color-scheme: dark)");
const recolour = () => {
  const { theme } = root.dataset;
  root.classList.toggle("dark-mode", theme === "dark" || (theme === "auto" && system.matches));
};
system.addEventListener("change", recolour);
new MutationObserver(recolour).observe(root, { attributeFilter: ["data-theme"] });
recolour();
