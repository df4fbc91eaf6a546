import { problemBody } from "../../shared/api/answer.ts";
import {
  describeParameters,
  type JsonSchema,
  type Parameter,
  toJsonSchema,
} from "../../shared/api/open-api.ts";
import type { RouteAnswer, RouteDescription } from "../../shared/api/route.ts";
import { subjects } from "../../shared/operations/routes/routes.ts";
import { describeLimits, describeType, namedSchemas, outlineSchema } from "./schema-outline.ts";

const folder = "docs/api";

/** Generates `docs/api.md`, and a page of each subject and one of the objects beside it, from the table of routes. */
export function apiPages(): Record<string, () => string> {
  const ofSubjects = subjects.map((subject) => [
    `${folder}/${anchor(subject.title)}.md`,
    () => subjectPage(subject),
  ]);
  return {
    "docs/api.md": contentsPage,
    ...Object.fromEntries(ofSubjects),
    [`${folder}/objects.md`]: objectsPage,
  };
}

function contentsPage(): string {
  const sections = subjects.flatMap(({ title, routes }) => [
    `### [${title}](api/${anchor(title)}.md)`,
    [
      "| route | what it does |",
      "|---|---|",
      ...routes.map((route) => routeRow(route, `api/${anchor(title)}.md`)),
    ].join("\n"),
  ]);
  return `${[introduction, "## Routes", "[Objects](api/objects.md) lists the bodies that several routes have.", ...sections].join("\n\n")}\n`;
}

function subjectPage(subject: (typeof subjects)[number]): string {
  const text = describeSubject(subject, new Map());
  // Texts of the table link to the documents beside `docs/api.md`.
  return `${text.replaceAll(/\]\((?!https?:|#|objects\.md)/g, "](../")}\n`;
}

function objectsPage(): string {
  const objects = new Map<string, JsonSchema>();
  for (const subject of subjects) describeSubject(subject, objects);
  const named = [...objects]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, schema]) => `## ${name}\n\n${code("ts", outlineSchema(schema, { hasLimits: false }))}`);
  const head = `# Objects of the API\n\n${generated}\n\nThe bodies that routes of the [API](../api.md) share, by name.`;
  return `${[head, ...named].join("\n\n")}\n`;
}

const generated = "<!-- Generated from shared/api by `npm run docs`; edit the routes there. -->";

const introduction = `# API

${generated}

The HTTP API serves records to everybody, and everything else to operators. Requests and answers are JSON in UTF-8, unless
a route says otherwise.

\`npm start\` prints the address of the API and a token. On AWS the address is the output \`ApiUrl\` of the stack
\`ingather-api\`.

**Token.** Routes for operators need \`Authorization: Bearer TOKEN\`: the token that \`npm start\` prints, or the access
token of a user of the Cognito user pool ([operators](operations.md#operators)). \`npx ingather token\` prints one for a
machine, and renews it. Public routes need none. A token gives a role: viewers read, operators change, admins do all.

\`\`\`sh
curl -H "Authorization: Bearer TOKEN" http://127.0.0.1:4800/runs
\`\`\`

**Errors** are problems ([RFC 9457](https://www.rfc-editor.org/rfc/rfc9457.html)) of the type
\`application/problem+json\`, with one of the statuses below:

\`\`\`json
{
  "type": "about:blank",
  "title": "Bad Request",
  "status": 400,
  "detail": "limit: must be a whole number from 1 to 500, in digits (got \\"1e2\\")",
  "field": "limit",
  "value": "1e2"
}
\`\`\`

\`field\` is the parameter or field that is wrong, \`value\` what it was. On AWS, API Gateway itself answers 401, 413 and
429, and 500 and 503 when a function does not answer, with \`{"message": "…"}\`: go by the status.

| status | when |
|---|---|
| 400 | a parameter or the body is not valid: also a parameter that is unknown or given twice, a number that is not in digits, or text that is not UTF-8 |
| 401 | the token is missing or invalid |
| 403 | the token gives a lower role than the route needs |
| 404 | there is no such thing, or no such route |
| 405 | the path has other methods: \`Allow\` lists them |
| 406 | \`Accept\` names no format that the route has |
| 409 | the state of the thing does not allow it |
| 412 | others have changed it since: see Changes |
| 413 | the body is larger than 6 MB |
| 422 | the \`Idempotency-Key\` belongs to another request |
| 429 | too many requests |
| 431 | the address and the headers have more than 10 KB |
| 500 | an error in Ingather; the log has it |
| 502, 503 | a system behind the API fails or is busy: try again, after \`Retry-After\` if there is one |

**Paging.** Lists come in pages of \`limit\` entries. While there are more, an answer has \`next\`: give it as \`after\`.

**Work that takes longer** is answered with 202 and \`{"status": "…", "result": "/path"}\`: request the path in \`result\`,
which \`Location\` has, too, after \`Retry-After\` seconds. It answers 202 until the work is done, then 200; a run and a
harvest answer 200 all the while, with their state.

**Changes.** Sources, groups, collections, validation rules and imports have an \`ETag\`, rules in the field \`etag\`. Send it as
\`If-Match\` with \`PUT\`, \`PATCH\`, \`DELETE\` or an import: what others have written since is not overwritten, and the answer is
412. Without \`If-Match\` the last write wins. \`PUT /validation-rules\` with \`If-None-Match: *\` only creates a rule. A \`GET\`
with the present \`ETag\` as \`If-None-Match\` is answered with 304.

**Repeats.** Give a \`POST\` an \`Idempotency-Key\` of your choice, such as a UUID. A repeat of the request with the same key gets
the first answer and does nothing, for a day; 409 while the first one is in progress. After a
request that failed (400, or 500 and above), the same key is free again.

**Methods.** Each \`GET\` has its \`HEAD\`. Another method is answered with 405, \`OPTIONS\` with 204, both with \`Allow\`. Pages
of other origins may call the API when the setting \`corsOrigins\` has their origin ([operations](operations.md)).

**Clients.** [\`GET /openapi.json\`](api/the-api-itself.md#get-openapijson) has the whole API as an OpenAPI 3.1 document, with
its version. This page and those of its subjects are made from the same table. A client in TypeScript, for instance:

\`\`\`sh
npx openapi-typescript http://127.0.0.1:4800/openapi.json -o api.ts
\`\`\`

\`\`\`ts
import createClient from "openapi-fetch";
import type { paths } from "./api.ts";

const client = createClient<paths>({ baseUrl: "http://127.0.0.1:4800", headers: { authorization: \`Bearer \${token}\` } });
const { data, error } = await client.GET("/deliveries", { params: { query: { limit: 10 } } });
\`\`\`

**Ids** in paths have at most 400 bytes. Encode \`#\` and \`%\`; ids contain no \`/\` or \`?\`.

**Times** are ISO 8601 in UTC, days \`YYYY-MM-DD\`. In the descriptions below, \`field?\` may be absent. 400 is listed
only where it means more than above.`;

function describeSubject(
  { title, introduction, audience, routes }: (typeof subjects)[number],
  objects: Map<string, JsonSchema>,
): string {
  const rows = routes.map((route) => routeRow(route, ""));
  const who =
    audience === "public"
      ? "Public: no token is needed."
      : "Needs a token: of a viewer for `GET`, of an operator for the rest, unless a route says otherwise.";
  return [
    `# ${title}`,
    generated,
    wrap(`${introduction}${introduction.includes("\n") ? "\n\n" : " "}${who}`),
    ["| route | what it does |", "|---|---|", ...rows].join("\n"),
    ...routes.map((route) => describeRoute(route, objects)),
  ].join("\n\n");
}

function routeRow(route: RouteDescription, page: string): string {
  return `| [\`${route.method} ${route.path}\`](${page}#${anchor(heading(route))}) | ${route.summary} |`;
}

function heading({ method, path }: RouteDescription): string {
  return `${method} ${path}`;
}

function describeRoute(route: RouteDescription, objects: Map<string, JsonSchema>): string {
  const { summary, details, role, example, textBody } = route;
  const body = route.bodyDocs ?? route.body;
  // What all requests of a method may have is described once.
  const parameters = describeParameters(route).filter(({ place }) => place !== "header");
  return [
    `## ${heading(route)}`,
    wrap([`${summary}.`, details, role && `Needs the role \`${role}\`.`].filter(Boolean).join(" ")),
    ...(parameters.length > 0
      ? [["| parameter | value | meaning |", "|---|---|---|", ...parameters.map(parameterRow)].join("\n")]
      : []),
    ...(body === undefined
      ? []
      : [
          textBody === undefined ? "Body:" : "Body, as JSON:",
          describeBody(toJsonSchema(body, "input"), { objects, hasLimits: true }),
        ]),
    ...(example === undefined ? [] : ["For example", code("json", formatJson(example))]),
    ...Object.entries(route.answers).flatMap(([status, answer]) => describeAnswer(status, answer, objects)),
  ].join("\n\n");
}

function parameterRow({ name, place, isRequired, schema }: Parameter): string {
  // A query cannot contain null; the parameter is omitted instead.
  const { default: value, ...rest } = schema;
  const type = describeType(schema)
    .replace(/ \| null$/, "")
    .replaceAll("|", "\\|")
    .replaceAll('"', "`");
  const limits = [type, ...describeLimits(value === null ? rest : schema)].join(", ");
  const need = place === "path" || !isRequired ? "" : "; required";
  return `| \`${place === "path" ? `{${name}}` : name}\` | ${limits}${need} | ${schema.description ?? ""} |`;
}

function describeAnswer(status: string, answer: RouteAnswer, objects: Map<string, JsonSchema>): string[] {
  const { description, body, alternatives = {}, headers = {} } = answer;
  if (status === "400" && body === problemBody) return [];
  const notes = [
    ...Object.entries(headers).map(([name, text]) => `Header \`${name}\`: ${text}.`),
    ...Object.entries(alternatives).map(([type, text]) => `As \`${type}\`: ${text}.`),
  ];
  const line = wrap([`**${status}** ${description}.`, ...notes].join(" "));
  if (body === undefined || body === problemBody) return [line];
  return [line, describeBody(toJsonSchema(body, "output"), { objects, hasLimits: false })];
}

function describeBody(
  schema: JsonSchema,
  { objects, hasLimits }: { objects: Map<string, JsonSchema>; hasLimits: boolean },
): string {
  for (const [name, each] of namedSchemas(schema)) objects.set(name, each);
  if (typeof schema.title === "string") return `[${schema.title}](objects.md#${anchor(schema.title)})`;
  return code("ts", outlineSchema(schema, { hasLimits }));
}

/** Formats JSON with short lists and objects on one line. */
function formatJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll(
    /([[{])\n\s+([^[\]{}]{1,80}?)\n\s*([\]}])/g,
    (_, open, inner, close) => {
      const space = open === "{" ? " " : "";
      return `${open}${space}${inner.replaceAll(/\n\s+/g, " ")}${space}${close}`;
    },
  );
}

/** Wraps lines at 120 characters. */
function wrap(text: string): string {
  return text.replaceAll(/(?=.{121})(.{1,119}\S) /g, "$1\n");
}

function code(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

/** Returns the anchor that GitHub gives a heading. */
function anchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, "")
    .replaceAll(" ", "-");
}
