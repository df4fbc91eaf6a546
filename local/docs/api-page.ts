import { subjects } from "../../shared/operations/routes/routes.ts";

/** Generates `docs/api.md`: what all routes share, and the routes by subject. The running API serves its reference. */
export function apiPage(): string {
  const sections = subjects.map(({ title, audience, routes }) => {
    const rows = routes.map(({ method, path, summary }) => `| \`${method} ${path}\` | ${summary} |`);
    const access = audience === "public" ? ["Public: no token is needed."] : [];
    return [`### ${title}`, ...access, ["| route | what it does |", "|---|---|", ...rows].join("\n")].join(
      "\n\n",
    );
  });
  return `${[introduction, "## Routes", ...sections].join("\n\n")}\n`;
}

const introduction = `# API

<!-- Generated from shared/api by \`npm run docs\`; edit the routes there. -->

The HTTP API serves records to everybody, and everything else to operators. Requests and answers are JSON in UTF-8, unless
a route says otherwise.

\`npm start\` prints the address of the API and a token. On AWS the address is the output \`ApiUrl\` of the stack
\`ingather-api\`.

**Reference.** \`GET /reference\` shows each route with its parameters, bodies, answers and role, and \`GET /openapi.json\` is
the same as an OpenAPI 3.1 document: while \`npm start\` runs, open <http://127.0.0.1:4800/reference>.

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

**Clients** are generated from \`GET /openapi.json\`. A client in TypeScript, for instance:

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

**Times** are ISO 8601 in UTC, days \`YYYY-MM-DD\`.`;
