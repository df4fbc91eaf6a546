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

The HTTP API serves records to everybody, and everything else to operators. Requests and responses are JSON in UTF-8,
unless the description of a route says otherwise.

\`npm start\` prints the address of the API and a token. On AWS, the address is the output \`ApiUrl\` of the stack
\`ingather-api\`.

**Reference.** \`GET /reference\` shows each route with its parameters, bodies, responses and role. \`GET /openapi.json\`
returns the same reference as an OpenAPI 3.1 document. While \`npm start\` runs, open <http://127.0.0.1:4800/reference>.

**Token.** Routes for operators need the header \`Authorization: Bearer TOKEN\`. The token is either the one that
\`npm start\` prints, or the access token of a user of the Cognito user pool ([operators](operations.md#operators)).
\`npx ingather token\` prints a token for a machine, and renews it. Public routes need no token. A token has a role: viewers
can read, operators can also make changes, and admins can do everything.

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

\`field\` names the parameter or field that is wrong, and \`value\` is its value. On AWS, API Gateway itself sends 401, 413
and 429, and also 500 and 503 if a function does not respond. These responses have the body \`{"message": "…"}\` instead, so
base your error handling on the status.

| status | when |
|---|---|
| 400 | a parameter or the body is invalid; this includes unknown or repeated parameters, numbers that are not in digits, and text that is not UTF-8 |
| 401 | the token is missing or invalid |
| 403 | the token gives a lower role than the route needs |
| 404 | the resource or the route does not exist |
| 405 | the path does not support this method; \`Allow\` lists the supported methods |
| 406 | the route supports none of the formats in \`Accept\` |
| 409 | the state of the resource does not allow the request |
| 412 | the resource has changed since you read it; see *Changes* below |
| 413 | the body is larger than 6 MB |
| 422 | the \`Idempotency-Key\` was used for a different request |
| 429 | too many requests |
| 431 | the URL and the headers together have more than 10 KB |
| 500 | an error in Ingather, described in the log |
| 502, 503 | a system behind the API fails or is busy; try again, after the time in \`Retry-After\` if the response has it |

**Paging.** Lists are returned in pages of \`limit\` entries. If more entries follow, the response has \`next\`. To get the next
page, send this value as \`after\`.

**Work that takes longer.** The response is 202 with \`{"status": "…", "result": "/path"}\`. The header \`Location\` has the
same path as \`result\`. Request this path after \`Retry-After\` seconds. It returns 202 until the work is done, then 200. The
paths of runs and harvests are an exception: they always return 200, with the current state.

**Changes.** Sources, groups, collections, validation rules and imports have an \`ETag\`; validation rules have it in the field
\`etag\`. Send it as \`If-Match\` with \`PUT\`, \`PATCH\`, \`DELETE\` or an import. If the resource has changed since then, the
change is not overwritten and the response is 412. Without \`If-Match\`, the last write wins. \`PUT /validation-rules\` with
\`If-None-Match: *\` only creates a rule and never replaces one. A \`GET\` with the current \`ETag\` as \`If-None-Match\` returns
304.

**Repeats.** Send an \`Idempotency-Key\` of your choice, such as a UUID, with a \`POST\`. For a day, repeating the request with
the same key has no further effect and returns the first response. While the first request is in progress, a repeat returns
409. If the first request failed (400, or 500 and above), its key can be used again.

**Methods.** Each route with \`GET\` also supports \`HEAD\`. \`OPTIONS\` returns 204, and unsupported methods return 405, both with
\`Allow\`. Pages of other origins may call the API if the setting \`corsOrigins\` lists their origin
([operations](operations.md)).

**Clients** can be generated from \`GET /openapi.json\`. For example, a client in TypeScript:

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

**Times** are in ISO 8601, in UTC. Days have the format \`YYYY-MM-DD\`.`;
