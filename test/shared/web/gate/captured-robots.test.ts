import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { Answer, ExchangeOutcome } from "../../../../shared/web/exchange/exchange.ts";
import { CapturedRobots } from "../../../../shared/web/gate/captured-robots.ts";
import { answer, failure } from "../gate-world.ts";

/** What a robots.txt that came as these bytes is read as; undefined when it is to be fetched for itself. */
async function read(outcome: ExchangeOutcome, ...pieces: (string | Buffer)[]): Promise<string | undefined> {
  const stored: Uint8Array[] = [];
  const robots = new CapturedRobots({
    maxBytes: 10_000_000,
    async store(content) {
      stored.length = 0;
      for await (const piece of content) stored.push(piece);
      return "key";
    },
  });
  const sent = pieces.map((piece) => Buffer.from(piece as string));
  const content = async function* () {
    yield* sent;
  };
  // A repeated attempt replaces the one before.
  for (let attempt = 0; attempt < 2; attempt++) await robots.mode.store(content());
  expect(Buffer.concat(stored).equals(Buffer.concat(sent))).toBe(true);
  const exchange = await robots.outcome(outcome);
  return exchange?.type === "answered" ? Buffer.from(exchange.body).toString() : exchange?.type;
}

const rules = "User-agent: *\nDisallow: /a\n";
const head = "HTTP/1.1 200 OK\r\nConnection: close\r\n";
const filler = Buffer.alloc(700_000, "# of no use\n");

describe("a captured robots.txt", () => {
  it.each<[string, ExchangeOutcome, (string | Buffer)[], string | undefined]>([
    ["whole, in pieces", answer(200), [head, "\r\nUser-agent: *\n", "Disallow: /a\n"], rules],
    ["chunked", answer(200), [`${head}Transfer-Encoding: chunked\r\n\r\n1b\r\n${rules}\r\n0\r\n\r\n`], rules],
    [
      "compressed",
      answer(200, { "content-encoding": "gzip" }),
      [`${head}Content-Encoding: gzip\r\n\r\n`, gzipSync(rules)],
      rules,
    ],
    [
      "compressed, and cut where reading ends",
      answer(200, { "content-encoding": "gzip" }),
      [`${head}Content-Encoding: gzip\r\n\r\n`, gzipSync(filler, { level: 0 }), "more"],
      undefined,
    ],
    [
      "that did not come whole",
      { ...answer(200), bodyProblem: { reason: "reset", detail: "" } } as ExchangeOutcome,
      [`${head}\r\nUser-agent: *\n`],
      undefined,
    ],
    ["that is not there", answer(404, {}, ""), ["HTTP/1.1 404 Not Found\r\n\r\nDisallow: /"], ""],
    ["of a host that is down", failure("connect"), [], "failed"],
  ])("%s", async (_title, outcome, pieces, expected) => {
    expect(await read(outcome, ...pieces)).toBe(expected);
  });

  it.each<[string, Partial<Answer>]>([
    ["whole", {}],
    ["cut by the limit of an object", { bodyProblem: { reason: "body-too-large", detail: "" } }],
  ])("longer than is evaluated, %s → its beginning", async (_title, problem) => {
    const text = await read({ ...answer(200), ...problem } as Answer, `${head}\r\n${rules}`, filler, filler);
    expect(text?.startsWith(rules)).toBe(true);
    expect(text?.length).toBeGreaterThan(500 * 1024);
  });
});
