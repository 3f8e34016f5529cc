// The reference of the HTTP API, drawn from the OpenAPI document. It knows no route by name.

import { byId, h } from "./dom/dom.js";
import { capital } from "./dom/text.js";
import { Problem, request } from "./server/api.js";

/** What a field, a parameter or a body may be.
 * @typedef {object} Schema
 * @property {string} [$ref]
 * @property {string} [type]
 * @property {string} [description]
 * @property {Schema[]} [anyOf]
 * @property {any[]} [enum]
 * @property {any} [const]
 * @property {any} [default]
 * @property {any[]} [examples]
 * @property {Schema} [items]
 * @property {Schema} [additionalProperties]
 * @property {Record<string, Schema>} [properties]
 * @property {string[]} [required]
 * @property {number} [minimum]
 * @property {number} [exclusiveMinimum]
 * @property {number} [maximum]
 * @property {number} [exclusiveMaximum]
 */

/** @typedef {{name: string, required?: boolean, schema: Schema, description?: string, examples?: Record<string, {value: any}>}} Parameter */
/** @typedef {{description: string, content?: Record<string, {schema?: Schema}>, headers?: Record<string, unknown>}} Answer */

/** What one method of one address does.
 * @typedef {object} Operation
 * @property {string} operationId
 * @property {string} [summary]
 * @property {string} [description]
 * @property {string[]} [tags]
 * @property {Parameter[]} [parameters]
 * @property {{content: Record<string, {schema: Schema}>}} [requestBody]
 * @property {Record<string, Answer>} responses
 */

/** @typedef {{info: {description: string, version: string}, paths: Record<string, Record<string, Operation>>, components: {schemas: Record<string, Schema>}}} OpenApi */

/** A parameter, or a field of a schema, as it is listed.
 * @typedef {{name: string, required: boolean, schema: Schema, examples?: Parameter["examples"]}} Field */

const main = byId("reference");

try {
  const response = await request("openapi.json");
  main.replaceChildren(...reference(await response.json()));
} catch (error) {
  main.replaceChildren(h("p", { role: "alert" }, error instanceof Problem ? error.message : String(error)));
}
main.setAttribute("aria-busy", "false");
document.getElementById(location.hash.slice(1))?.scrollIntoView();

/** @param {OpenApi} openapi */
function reference(openapi) {
  /** @type {Map<string, HTMLElement[]>} */
  const groups = new Map();
  for (const [path, methods] of Object.entries(openapi.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const tag = operation.tags?.[0] ?? "";
      groups.set(tag, [...(groups.get(tag) ?? []), route(openapi, method, path, operation)]);
    }
  }
  return [
    ...paragraphs(openapi.info.description),
    h("p", { class: "version" }, `Version ${openapi.info.version}`),
    ...[...groups].map(([tag, routes]) => section(tag, routes)),
    section(
      "Schemas",
      Object.entries(openapi.components.schemas).map(([name, schema]) => schemaOf(name, schema)),
    ),
  ];
}

/**
 * @param {string} title
 * @param {HTMLElement[]} children
 */
function section(title, children) {
  return h("section", { class: "card" }, h("h2", {}, capital(title)), ...children);
}

/**
 * Return what one method of one address asks and answers, and a way to try it.
 * @param {OpenApi} openapi
 * @param {string} method
 * @param {string} path
 * @param {Operation} operation
 */
function route(openapi, method, path, operation) {
  const body = operation.requestBody?.content["application/json"].schema;
  return h(
    "details",
    { class: "route", id: operation.operationId },
    h(
      "summary",
      {},
      h("code", { class: "method" }, method.toUpperCase()),
      " ",
      h("code", { class: "path" }, path),
      h("span", { class: "about" }, operation.description?.split("\n")[0] ?? operation.summary),
    ),
    ...paragraphs(operation.description?.split("\n").slice(1).join("\n")),
    operation.parameters?.length ? fields("Parameters", operation.parameters.map(parameter)) : null,
    body ? h("p", {}, "The body is ", type(body), ".") : null,
    h("h3", {}, "Answers"),
    h("dl", {}, ...Object.entries(operation.responses).flatMap(answer)),
    path.includes("{") ? null : attempt(openapi, method, path, operation, body),
  );
}

/**
 * @param {Parameter} parameter
 * @returns {Field}
 */
function parameter({ name, required = false, schema, description }) {
  return { name, required, schema: { ...schema, description: description ?? schema.description } };
}

/** @param {[string, Answer]} answer */
function answer([status, { description, content = {}, headers = {} }]) {
  const kinds = Object.entries(content).map(([media, { schema }]) => [
    h("code", {}, media),
    ...(schema?.$ref ? [": ", type(schema)] : []),
    " ",
  ]);
  const named = Object.keys(headers).map((name) => h("code", {}, `${name} `));
  return [h("dt", {}, status), h("dd", {}, description, " ", ...kinds.flat(), ...named)];
}

/**
 * Return a form that sends a request and shows the answer.
 * @param {OpenApi} openapi
 * @param {string} method
 * @param {string} path
 * @param {Operation} operation
 * @param {Schema} [body]
 */
function attempt(openapi, method, path, operation, body) {
  const example = body ? JSON.stringify(exampleOf(openapi, body), null, 2) : query(operation.parameters ?? []);
  const input = body
    ? h("textarea", { rows: example.split("\n").length, spellcheck: "false" })
    : h("input", { type: "text", spellcheck: "false" });
  input.value = example;
  const output = h("pre", { tabindex: "0", role: "status", "aria-label": "The answer", hidden: true });
  const send = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    output.hidden = false;
    output.textContent = "…";
    const options = body ? { headers: { "Content-Type": "application/json" }, body: input.value } : {};
    const response = await fetch(`.${path}${body ? "" : input.value}`, {
      method: method.toUpperCase(),
      ...options,
    }).catch((error) => error);
    output.textContent = response instanceof Response ? await written(response) : String(response);
  };
  const label = h("label", {}, h("span", {}, body ? "Body" : "Query"), input);
  const button = h("button", { class: "button", type: "submit" }, "Ask");
  return h("form", { onsubmit: send }, h("h3", {}, "Try it"), example === "" ? null : label, button, output);
}

/** @param {Response} response */
async function written(response) {
  const text = await response.text();
  const isJson = response.headers.get("Content-Type")?.startsWith("application/json");
  return `${response.status}\n${isJson ? JSON.stringify(JSON.parse(text), null, 2) : text}`;
}

/** @param {Parameter[]} parameters */
function query(parameters) {
  const asked = parameters.filter(({ required }) => required);
  const given = asked.map(({ name, schema, examples }) => [
    name,
    schema.examples?.[0] ?? Object.values(examples ?? {})[0]?.value ?? "",
  ]);
  return given.length ? `?${new URLSearchParams(given)}` : "";
}

/**
 * Return a body to begin with: each field's own example, or what it is when it is left out.
 * @param {OpenApi} openapi
 * @param {Schema} body
 */
function exampleOf(openapi, { $ref = "" }) {
  const { properties, examples } = openapi.components.schemas[nameIn($ref)];
  if (examples?.length) return examples[0];
  return Object.fromEntries(
    Object.entries(properties ?? {}).map(([name, schema]) => [
      name,
      schema.examples?.[0] ?? schema.default ?? schema.enum?.[0] ?? null,
    ]),
  );
}

// -- schemas -----------------------------------------------------------------------------------

/**
 * @param {string} name
 * @param {Schema} schema
 */
function schemaOf(name, schema) {
  const required = new Set(schema.required);
  const properties = Object.entries(schema.properties ?? {}).map(([field, about]) => ({
    name: field,
    required: required.has(field),
    schema: about,
  }));
  return h(
    "article",
    { class: "schema", id: name },
    h("h3", {}, name),
    ...paragraphs(schema.description),
    properties.length ? fields(`Fields of ${name}`, properties) : h("p", {}, type(schema)),
  );
}

/**
 * @param {string} title
 * @param {Field[]} rows
 */
function fields(title, rows) {
  return h(
    "div",
    { class: "fields", role: "region", "aria-label": title, tabindex: "0" },
    h(
      "table",
      {},
      h("thead", {}, h("tr", {}, ...["Name", "What it is", "About"].map((head) => h("th", { scope: "col" }, head)))),
      h("tbody", {}, ...rows.map(({ name, required, schema }) => row(name, required, schema))),
    ),
  );
}

/**
 * @param {string} name
 * @param {boolean} required
 * @param {Schema} schema
 */
function row(name, required, schema) {
  const left = schema.default !== undefined ? `else ${JSON.stringify(schema.default)}` : "may be missing";
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, h("code", {}, name)),
    h("td", {}, type(schema)),
    h("td", {}, schema.description ?? "", required ? "" : ` (${left})`),
  );
}

/**
 * Return in words what a schema allows; other schemas are linked.
 * @param {Schema} schema
 * @returns {HTMLElement}
 */
function type(schema) {
  if (schema.$ref) {
    const name = nameIn(schema.$ref);
    return h("a", { href: `#${name}` }, name);
  }
  if (schema.anyOf) return joined(schema.anyOf.map(type), " or ");
  if (schema.enum) return h("code", {}, schema.enum.map((value) => JSON.stringify(value)).join(" | "));
  if (schema.const !== undefined) return h("code", {}, JSON.stringify(schema.const));
  if (schema.type === "array") return joined(["list of ", type(schema.items ?? {})]);
  if (schema.type === "object" && schema.additionalProperties) {
    return joined(["names, each with ", type(schema.additionalProperties)]);
  }
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum } = schema;
  const bounds = Object.entries({ "≥": minimum, ">": exclusiveMinimum, "≤": maximum, "<": exclusiveMaximum })
    .filter(([, bound]) => bound !== undefined)
    .map(([sign, bound]) => ` ${sign} ${bound}`);
  return joined([schema.type ?? "anything", ...bounds]);
}

/**
 * Return the name of a schema from a reference to it.
 * @param {string} reference
 */
function nameIn(reference) {
  return reference.split("/").at(-1) ?? "";
}

/**
 * @param {(Node | string)[]} parts
 * @param {string} between
 */
function joined(parts, between = "") {
  return h("span", {}, ...parts.flatMap((part, place) => (place && between ? [between, part] : [part])));
}

/** @param {string} [text] */
function paragraphs(text) {
  return (text ?? "")
    .split(/\n\s*\n/)
    .filter((part) => part.trim())
    .map((part) => h("p", {}, ...part.split("`").map((piece, place) => (place % 2 ? h("code", {}, piece) : piece))));
}
