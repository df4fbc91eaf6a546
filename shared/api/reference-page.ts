import { hash } from "node:crypto";
import { html, raw } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";
import { fromMarkdown } from "mdast-util-from-markdown";
import type { JsonSchema, openApiDocument } from "./open-api.ts";
import { describeLimits, describeType, outlineSchema } from "./schema-outline.ts";

type Html = HtmlEscapedString | Promise<HtmlEscapedString>;
type OpenApiDocument = ReturnType<typeof openApiDocument>;

interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  security: Record<string, string[]>[];
  parameters: { name: string; in: string; required: boolean; description?: string; schema: JsonSchema }[];
  requestBody?: { content: Content };
  responses: Record<string, Answer | { $ref: string }>;
}

interface Answer {
  description: string;
  headers?: Record<string, { description: string }>;
  content?: Content;
}

type Content = Record<string, { schema: JsonSchema; example?: unknown }>;

const style = `
:root{color-scheme:light dark}
body{max-width:72rem;margin:0 auto;padding:1.5rem;font:16px/1.5 system-ui,sans-serif}
h2{margin-top:3rem;border-bottom:1px solid}
h3{margin-top:2rem;overflow-wrap:anywhere}
h3 code{font-size:1.125rem}
nav ul{columns:15rem}
td p{margin:0}
pre{padding:.5rem 1rem;overflow:auto;border-left:3px solid}
code,pre{font-family:ui-monospace,Menlo,Consolas,monospace;font-size:.875rem}
table{border-collapse:collapse}
td,th{padding:.25rem .75rem .25rem 0;text-align:left;vertical-align:top}
`;

/** The page needs only its own style. It uses no scripts and no other addresses. */
export const referencePolicy = `default-src 'none'; style-src 'sha256-${hash("sha256", style, "base64")}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/**
 * Renders an OpenAPI document as one HTML page: the routes by subject, the shared responses, and the objects by name.
 */
export async function referencePage(document: OpenApiDocument): Promise<string> {
  const { info, tags, paths, components } = document;
  const names = new Set(Object.keys(components.schemas));
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      route: `${method.toUpperCase()} ${path}`,
      operation: operation as Operation,
    })),
  );
  const subjects = tags.map(({ name, description }) => ({
    name,
    description,
    operations: operations.filter(({ operation }) => operation.tags.includes(name)),
  }));
  const title = `${info.title} API ${info.version}`;
  const page = await html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title}</title><style>${raw(style)}</style></head><body>
<h1>${title}</h1><p>${info.description} This page is made from <a href="/openapi.json">the OpenAPI document</a>.</p>
<nav aria-label="Subjects"><ul>${subjects.map(({ name }) => html`<li><a href="#${anchor(name)}">${name}</a></li>`)}
<li><a href="#answers">Shared answers</a></li><li><a href="#objects">Objects</a></li></ul></nav>
<main>${subjects.map(
    ({
      name,
      description,
      operations,
    }) => html`<section><h2 id="${anchor(name)}">${name}</h2>${markdown(description)}
${operations.map(({ route, operation }) => operationPart(route, operation, names))}</section>`,
  )}
<section><h2 id="answers">Shared answers</h2>${Object.entries(components.responses).map(
    ([name, answer]) =>
      html`<div id="${name}">${answerPart(name.replace("Status", ""), answer as Answer, names)}</div>`,
  )}</section>
<section><h2 id="objects">Objects</h2>${Object.entries(components.schemas).map(
    ([name, schema]) => html`<h3 id="${name}">${name}</h3>${schemaPart(schema, names)}`,
  )}</section></main></body></html>`;
  return page.toString();
}

function operationPart(route: string, operation: Operation, names: ReadonlySet<string>): Html {
  const { operationId, summary, description, security, parameters, requestBody, responses } = operation;
  const roles = security.flatMap((scheme) => Object.values(scheme).flat());
  const references = Object.entries(responses).flatMap(([status, answer]) =>
    "$ref" in answer ? [{ status, name: nameOf(answer.$ref) }] : [],
  );
  return html`<article><h3 id="${operationId}"><code>${route}</code></h3><p>${summary}.</p>${markdown(description ?? "")}
<p>${roles.length === 0 ? "Public: no token is needed." : `Needs a token with the role ${roles.join(", ")}.`}</p>
${
  parameters.length === 0
    ? ""
    : html`<table><thead><tr><th>Parameter</th><th>In</th><th>Value</th><th>Meaning</th></tr></thead><tbody>${parameters.map(parameterRow)}</tbody></table>`
}
${requestBody === undefined ? "" : html`<p>Body:</p>${contentPart(requestBody.content, names, { hasLimits: true })}`}
${Object.entries(responses).map(([status, answer]) => ("$ref" in answer ? "" : answerPart(status, answer, names)))}
<p>Shared answers: ${references.map(({ status, name }) => html`<a href="#${name}">${status}</a> `)}</p></article>`;
}

function parameterRow({
  name,
  in: place,
  required,
  description,
  schema,
}: Operation["parameters"][number]): Html {
  const value = [describeType(schema), ...describeLimits(schema), ...(required ? ["required"] : [])].join(
    ", ",
  );
  return html`<tr><td><code>${name}</code></td><td>${place}</td><td>${value}</td><td>${markdown(description ?? "")}</td></tr>`;
}

function answerPart(status: string, answer: Answer, names: ReadonlySet<string>): Html {
  const { description, headers = {}, content = {} } = answer;
  return html`${markdown(`**${status}** ${description}.`)}<ul>${Object.entries(headers).map(
    ([name, header]) => html`<li>Header <code>${name}</code>: ${header.description}</li>`,
  )}</ul>${contentPart(content, names)}`;
}

function contentPart(content: Content, names: ReadonlySet<string>, options = { hasLimits: false }): Html[] {
  return Object.entries(content).map(
    ([type, { schema, example }]) =>
      html`<p><code>${type}</code></p>${schemaPart(schema, names, options)}${
        example === undefined ? "" : html`<p>For example:</p><pre>${JSON.stringify(example, null, 2)}</pre>`
      }`,
  );
}

/** Renders the outline of a schema, with a link wherever the outline names an object of the document. */
function schemaPart(schema: JsonSchema, names: ReadonlySet<string>, options = { hasLimits: false }): Html {
  const { type, description } = schema;
  if (type === "string" && typeof description === "string") return html`${markdown(description)}`;
  const parts = outlineSchema(schema, options).split(/((?<!["\w])[A-Z]\w+\b)/);
  return html`<pre>${parts.map((part) => (names.has(part) ? html`<a href="#${part}">${part}</a>` : part))}</pre>`;
}

interface MarkdownNode {
  type: string;
  value?: string;
  url?: string;
  children?: MarkdownNode[];
}

/**
 * Renders Markdown. Relative links lead to documents of the repository, which this server does not have, so their path
 * is shown as text.
 */
function markdown(text: string): Html[] {
  const render = ({ type, value = "", url = "", children = [] }: MarkdownNode): Html => {
    const inner = children.map(render);
    if (type === "inlineCode") return html`<code>${value}</code>`;
    if (type === "paragraph") return html`<p>${inner}</p>`;
    if (type === "strong") return html`<strong>${inner}</strong>`;
    if (type === "list") return html`<ul>${inner}</ul>`;
    if (type === "listItem") return html`<li>${inner}</li>`;
    if (type !== "link") return html`${inner.length > 0 ? inner : value}`;
    return /^https?:/.test(url) ? html`<a href="${url}">${inner}</a>` : html`${inner} (docs/${url})`;
  };
  return (fromMarkdown(text) as MarkdownNode).children?.map(render) ?? [];
}

function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf("/") + 1);
}

function anchor(title: string): string {
  return title.toLowerCase().replaceAll(" ", "-");
}
