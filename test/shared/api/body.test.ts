import { Hono } from "hono";
import { expect, it } from "vitest";
import { jsonBody, textBody } from "../../../shared/api/parse-request.ts";

const app = new Hono()
  .post("/text", async (context) => context.json(await textBody(context)))
  .post("/json", async (context) => context.json(await jsonBody(context)));
app.onError((error, context) => context.json(error.message, 400));

async function post(path: string, body: Uint8Array | string) {
  const answer = await app.request(path, { method: "POST", body });
  return [answer.status, await answer.json()];
}

const latin1 = (text: string) => Uint8Array.from(Buffer.from(text, "latin1"));

it.each<[title: string, body: Uint8Array | string, status: number, answer: unknown]>([
  ["UTF-8", '{"title": "Zeitschrift für 山田"}', 200, { title: "Zeitschrift für 山田" }],
  ["a byte order mark before it", '\ufeff{"title": "T"}', 200, { title: "T" }],
  [
    "Latin-1",
    latin1('{\n  "title": "für"\n}'),
    400,
    'body: byte 15, in line 2, is not UTF-8 (got "  \\"title\\": \\"f\ufffdr\\"")',
  ],
  [
    "what a gateway has put in its place, after a mark and a letter of several bytes",
    '\ufeff{"ü": "f\ufffdr"}',
    400,
    expect.stringMatching(/^body: byte 12, in line 1, is not UTF-8/),
  ],
  ["a whole pair of surrogates", String.raw`{"title": "\ud83d\udc1d"}`, 200, { title: "🐝" }],
  [
    "half of a pair, anywhere",
    String.raw`{"rules": [{"title": "a\ud800"}]}`,
    400,
    String.raw`rules.0.title: has half of a surrogate pair, which is not a character (got "a\ud800")`,
  ],
  [
    "half of a pair in a name",
    String.raw`{"\udc1d": 1}`,
    400,
    expect.stringMatching(/^body: has half of a /),
  ],
  [
    "half of a pair, deep down",
    `${"[".repeat(1e5)}"\\udc1d"${"]".repeat(1e5)}`,
    400,
    expect.stringMatching(/has half/),
  ],
  [
    "100 levels",
    `${"[".repeat(100)}1${"]".repeat(100)}`,
    200,
    JSON.parse(`${"[".repeat(100)}1${"]".repeat(100)}`),
  ],
  [
    "100,000 levels",
    `{"rule": ${"[".repeat(1e5)}${"]".repeat(1e5)}}`,
    400,
    expect.stringMatching(/^rule: must not be nested more than 100 levels deep/),
  ],
  [
    "a letter that is cut off",
    Buffer.from('{"title": "ü').subarray(0, -1),
    400,
    expect.stringMatching(/^body: byte 11, in line 1,/),
  ],
])("JSON: %s → %i", async (_title, body, status, answer) => {
  expect(await post("/json", body)).toEqual([status, answer]);
});

it("text that is not UTF-8 → 400 that names the byte and the line", async () => {
  expect(await post("/text", latin1("a\nb\nSão Paulo"))).toEqual([
    400,
    'body: byte 5, in line 3, is not UTF-8 (got "S\ufffdo Paulo")',
  ]);
});
