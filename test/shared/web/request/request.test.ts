import { describe, expect, it } from "vitest";
import { type NewRequest, outboundRequest } from "../../../../shared/web/request/request.ts";
import { answer, GateWorld } from "../gate-world.ts";

const base: NewRequest = { id: "r", kind: "authority", url: "https://a.example/sparql" };
const ask = {
  ...base,
  method: "POST" as const,
  headers: { accept: "application/sparql-results+json", "content-type": "application/sparql-query" },
  body: "ASK { ?a ?b ?c }",
};

describe("a request", () => {
  it.each<[string, object]>([
    ["a POST with body and headers", ask],
    ["a HEAD", { method: "HEAD" }],
    ["a body of 128 KiB", { method: "POST", body: "é".repeat(64 * 1024) }],
    ["a capture", { bodyPolicy: { type: "capture", maxBytes: 1024 ** 3 } }],
  ])("%s → accepted", (_title, change) => {
    expect(outboundRequest.safeParse({ ...base, ...change }).error).toBeUndefined();
  });

  it.each<[string, object]>([
    ["another method", { method: "PUT" }],
    ["a method in lower case", { method: "post" }],
    ["a GET with a body", { body: "x" }],
    ["a HEAD with a body", { method: "HEAD", body: "x" }],
    ["a body of more than 128 KiB", { method: "POST", body: `${"é".repeat(64 * 1024)}x` }],
    ...[
      "host",
      "connection",
      "transfer-encoding",
      "content-length",
      "te",
      "upgrade",
      "proxy-authorization",
    ].map((name): [string, object] => [`the header ${name}`, { headers: { [name]: "x" } }]),
    ...["cookie", "user-agent", "if-none-match", "accept-encoding", "authorization", "Host", "a b", ""].map(
      (name): [string, object] => [`the header "${name}"`, { headers: { [name]: "x" } }],
    ),
    ["a header with a line break", { headers: { accept: "a\r\nhost: b" } }],
    ["a header beyond ASCII", { headers: { accept: "é" } }],
    ["more headers than 8 KiB", { headers: { accept: "x".repeat(8192) } }],
    ["a stream without a limit", { bodyPolicy: { type: "stream" } }],
    ["a stream without room", { bodyPolicy: { type: "stream", maxBytes: 0 } }],
    ["an invalid body policy", { bodyPolicy: "some" }],
  ])("%s → rejected", (_title, change) => {
    expect(outboundRequest.safeParse({ ...base, ...change }).success).toBe(false);
  });

  it("no policies of its own → those of its kind", () => {
    expect(outboundRequest.parse(base)).toMatchObject({ obeyRobots: true, bodyPolicy: "keep" });
  });
});

describe("the gate", () => {
  it("a POST → sent with its body, method and headers, and never conditionally", async () => {
    const sent: object[] = [];
    const world = new GateWorld(
      {},
      {},
      {
        exchange: async ({ bodyMode: _mode, ...request }) => {
          sent.push(request);
          return answer(200, { etag: '"1"' });
        },
      },
    );
    await world.serve([
      { ...ask, obeyRobots: false },
      { ...ask, id: "again", obeyRobots: false },
    ]);
    const { url, method, body, headers } = ask;
    expect(sent.slice(1)).toEqual([
      { url, method, body, headers: { ...headers, "user-agent": "Ingather/test" } },
      { url, method, body, headers: { ...headers, "user-agent": "Ingather/test" } },
    ]);
    expect(world.validators.size).toBe(0);
  });

  it.each([
    ["stream", "text/html"],
    ["capture", "application/http; msgtype=response"],
  ] as const)("a %s → to the store under its exchange, unconditionally", async (type, contentType) => {
    const stored: unknown[] = [];
    const asked: unknown[] = [];
    const world = new GateWorld(
      {},
      {},
      {
        exchange: async (request) => {
          const head = { status: 200, headers: { "content-type": "text/html", etag: '"1"' } };
          if (request.url.endsWith("/robots.txt")) return answer(404);
          const { bodyMode } = request;
          const mode = typeof bodyMode === "function" ? bodyMode(head) : request.capture;
          if (typeof mode !== "object" || !("store" in mode)) throw new Error(`no store in ${mode}`);
          asked.push([mode.maxBytes, request.headers["if-none-match"]]);
          const key = await mode.store((async function* () {})());
          return {
            type: "answered",
            ...head,
            body: new Uint8Array(),
            stored: { key, sizeBytes: 3, sha256: "0" },
            elapsedMs: 1,
          };
        },
        streamBody: async (exchangeId, _body, given) => {
          stored.push([exchangeId, given]);
          return `bodies/${exchangeId}`;
        },
      },
    );
    const request = { url: "https://a.example/file", bodyPolicy: { type, maxBytes: 1000 } };
    await world.serve([request, { ...request, id: "again" }]);
    expect(asked).toEqual(Array(2).fill([1000, undefined]));
    // Of a capture each exchange, of a stream the last one of a request.
    const key = (id: string) => expect.stringMatching(type === "capture" ? `^${id}-0-\\d+$` : `^${id}-0$`);
    expect(stored).toEqual([
      [key("r1"), contentType],
      [key("again"), contentType],
    ]);
    expect(world.responses.map(({ outcome }) => outcome)).toMatchObject([
      { status: 200, bodyKey: expect.stringMatching(/^bodies\/r1-0/), stored: { sizeBytes: 3 } },
      { bodyKey: expect.stringMatching(/^bodies\/again-0/) },
    ]);
    expect(world.validators.size).toBe(0);
  });

  it("a stream, with too little time left → returned for another invocation", async () => {
    const world = new GateWorld({});
    world.remainingMs = 150_000;
    const page = { url: "https://a.example/page", obeyRobots: false, throttleMs: 0 };
    const file = {
      ...page,
      url: "https://a.example/file",
      bodyPolicy: { type: "stream", maxBytes: 9 } as const,
    };
    expect(await world.serve([page, file])).toEqual(["m2"]);
  });
});
