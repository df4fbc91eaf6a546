import type { LookupAddress } from "node:dns";
import net from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, test, vi } from "vitest";
import { defaultPolicy } from "../../../../shared/web/address/admit-url.ts";
import type { ExchangeOutcome } from "../../../../shared/web/exchange/exchange.ts";
import {
  createHttpClient,
  type ExchangeRequest,
  type HttpClient,
  type HttpClientOptions,
} from "../../../../shared/web/exchange/http-client.ts";
import { fromNameServers } from "../../../../shared/web/exchange/resolve.ts";
import { badBodies, encoded, ending, noAnswers, ok, saying, tightLimits } from "../hostile-answers.ts";
import { serveNames } from "../name-server.ts";
import { type Behaviour, type RawServer, serveRaw, writeForever } from "../servers.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function serve(behave: Behaviour): Promise<RawServer> {
  const server = await serveRaw(behave);
  closers.push(server.close);
  return server;
}

function client(allowed: string[], options: Partial<HttpClientOptions> = {}): HttpClient {
  const policy = { ...defaultPolicy, allowedPrivateHosts: new Set(allowed) };
  const made = createHttpClient({ policy, limits: tightLimits, ...options });
  closers.push(made.close);
  return made;
}

describe("exchange with a hostile server that", () => {
  test.each(noAnswers)("%s → %s, and a good exchange afterwards", async (_title, reason, behave) => {
    const hostile = await serve(behave);
    const good = await serve(saying(ok));
    const { exchange } = client([hostile.hostKey, good.hostKey]);

    const outcome = await exchange({ url: `${hostile.origin}/secret-path` });
    expect(outcome).toEqual({
      type: "failed",
      reason,
      detail: expect.stringMatching(/^[^\n]{1,200}$/),
      elapsedMs: expect.any(Number),
    });
    expect(await exchange({ url: good.origin })).toMatchObject({ type: "answered", status: 200 });
  });

  test.each(badBodies)("%s → %i, and %s", async (_title, status, reason, behave) => {
    const hostile = await serve(behave);
    const { exchange } = client([hostile.hostKey]);
    const asked = await exchange({ url: `${hostile.origin}/secret-path` });
    expect(asked).toMatchObject({
      type: "answered",
      status,
      body: new Uint8Array(0),
      bodyProblem: { reason, detail: expect.stringMatching(/^[^\n]{1,200}$/) },
    });
    const discarded = await exchange({ url: hostile.origin, answerBody: "discard" });
    expect(discarded).toMatchObject({ type: "answered", status });
    expect(discarded).not.toHaveProperty("bodyProblem");
  });

  test("a body in a million chunks of one byte → read in memory that its size bounds", async () => {
    const size = 1_000_000;
    const hostile = await serve((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
      socket.write("1\r\nx\r\n".repeat(size));
      socket.write("0\r\n\r\n");
    });
    const roomy = { ...tightLimits, bodyBytes: 2 * size, bodyMs: 30_000 };
    const { exchange } = client([hostile.hostKey], { limits: roomy });
    const before = process.memoryUsage().arrayBuffers;
    const outcome = await exchange({ url: hostile.origin });
    expect(outcome.type === "answered" && outcome.body.byteLength).toBe(size);
    expect(outcome.type === "answered" && outcome.body.buffer.byteLength).toBeLessThanOrEqual(2 * size);
    // A chunk that is kept keeps what it was read with: 64 KiB.
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20 * size);
  });
});

describe("exchange with hosts that must not be asked", () => {
  const loopback: LookupAddress[] = [{ address: "127.0.0.1", family: 4 }];

  test.each([
    ["a literal", (port: number) => `http://127.0.0.1:${port}/`],
    ["a literal in decimal", (port: number) => `http://2130706433:${port}/`],
    ["a mapped literal", (port: number) => `http://[::ffff:127.0.0.1]:${port}/`],
    ["a name that resolves to loopback", (port: number) => `http://rebound.example:${port}/`],
    ["localhost", (port: number) => `http://localhost:${port}/`],
  ])("%s → refused, and no connection is made", async (_title, urlOf) => {
    const server = await serve(saying(ok));
    const policy = { ports: new Set([server.port]), allowedPrivateHosts: new Set<string>() };
    const { exchange } = client([], { policy, resolve: async () => loopback });
    expect(await exchange({ url: urlOf(server.port) })).toMatchObject({ type: "refused", reason: "address" });
    expect(server.connections).toBe(0);
  });

  test("a name on the list → its private address is used", async () => {
    const server = await serve(saying(ok));
    const { exchange } = client([`demo.internal:${server.port}`], { resolve: async () => loopback });
    const outcome = await exchange({ url: `http://demo.internal:${server.port}/` });
    expect(outcome).toMatchObject({ type: "answered" });
    expect(server.requests[0]).toContain(`host: demo.internal:${server.port}\r\n`);
  });

  test.each([
    ["javascript:alert(1)", "scheme"],
    ["http://user:secret@127.0.0.1/", "address"],
    ["http://example.org:25/", "port"],
    ["http://", "bad-url"],
  ])("%s → refused: %s", async (url, reason) => {
    expect(await client([]).exchange({ url })).toEqual({
      type: "refused",
      reason,
      detail: expect.any(String),
    });
  });

  test("a redirect to a private host → an answer; the next hop is refused", async () => {
    const target = await serve(saying(ok));
    const server = await serve(
      saying(`HTTP/1.1 302 Found\r\nLocation: ${target.origin}\r\nContent-Length: 0\r\n\r\n`),
    );
    const { exchange } = client([server.hostKey]);
    const outcome = await exchange({ url: server.origin });
    expect(outcome).toMatchObject({ status: 302, headers: { location: target.origin } });
    expect(await exchange({ url: target.origin })).toMatchObject({ type: "refused" });
    expect(target.connections).toBe(0);
  });
});

describe("exchange with a host that is not there", () => {
  test("an unknown name → dns", async () => {
    const resolve = async (): Promise<never> => {
      throw Object.assign(new Error("getaddrinfo ENOTFOUND gone.example"), { code: "ENOTFOUND" });
    };
    const outcome = await client([], { resolve }).exchange({ url: "http://gone.example/" });
    expect(outcome).toMatchObject({
      type: "failed",
      reason: "dns",
      detail: "getaddrinfo ENOTFOUND gone.example",
    });
  });

  test("a name server that never answers → dns, in time", async () => {
    const resolve = (): Promise<never> => new Promise(() => {});
    const outcome = await client([], { resolve }).exchange({ url: "http://gone.example/" });
    expect(outcome).toMatchObject({
      type: "failed",
      reason: "dns",
      detail: "the name gone.example could not be resolved within 0.12 s",
    });
  });

  test("ten names that no name server knows of in time → dns each; a host asked after them is answered", async () => {
    const names = await serveNames((name) => (name.startsWith("dead") ? "silence" : { a: "127.0.0.1" }));
    closers.push(names.close);
    const server = await serve(saying(ok));
    const good = `good.example:${server.port}`;
    const { exchange } = client([good], { resolve: fromNameServers([names.address]) });
    const ended: string[] = [];
    const ask = async (name: string, url: string) => {
      const outcome = await exchange({ url });
      ended.push(name);
      return outcome;
    };
    const dead = Array.from({ length: 10 }, (_, number) => ask("dead", `http://dead${number}.example/`));
    expect(await ask("good", `http://${good}/`)).toMatchObject({ type: "answered", status: 200 });
    for (const outcome of await Promise.all(dead)) {
      expect(outcome).toMatchObject({ type: "failed", reason: "dns" });
    }
    expect(ended[0]).toBe("good");
  });

  test("several addresses → each has a quarter of the time to connect, not of a second", async () => {
    const server = await serve(saying(ok));
    const good = `good.example:${server.port}`;
    const resolve = async (): Promise<LookupAddress[]> => [
      { address: "127.0.0.1", family: 4 },
      { address: "::1", family: 6 },
    ];
    const connect = vi.spyOn(net, "connect");
    const { exchange } = client([good], { resolve, limits: { ...tightLimits, connectMs: 10_000 } });
    expect(await exchange({ url: `http://${good}/` })).toMatchObject({ type: "answered" });
    expect(connect).toHaveBeenCalledWith(expect.objectContaining({ autoSelectFamilyAttemptTimeout: 2_500 }));
    connect.mockRestore();
  });

  test("a closed port → connect", async () => {
    const server = await serve(saying(ok));
    await server.close();
    const outcome = await client([server.hostKey]).exchange({ url: server.origin });
    expect(outcome).toMatchObject({
      type: "failed",
      reason: "connect",
      detail: expect.stringContaining("ECONNREFUSED"),
    });
  });

  test("https on a server of plain http → tls", async () => {
    const server = await serve(saying("HTTP/1.1 400 Bad Request\r\n\r\n"));
    const outcome = await client([server.hostKey]).exchange({ url: `https://${server.hostKey}/` });
    expect(outcome).toMatchObject({ type: "failed", reason: "tls" });
  });

  test("https on a server that hangs up → reset", async () => {
    const server = await serve((socket) => socket.destroy());
    const outcome = await client([server.hostKey]).exchange({ url: `https://${server.hostKey}/` });
    expect(outcome).toMatchObject({ type: "failed", reason: "reset" });
  });
});

describe("an answer", () => {
  async function answerTo(
    raw: string | Buffer,
    request: Partial<ExchangeRequest> = {},
  ): Promise<ExchangeOutcome> {
    const server = await serve(saying(raw));
    return client([server.hostKey]).exchange({ url: server.origin, ...request });
  }

  test("headers → lower case, repeated ones joined, cookies and locations line by line", async () => {
    const raw = `HTTP/1.1 200 OK\r\nLocation: /a,b\r\nLocation: /c\r\nX-A: 1\r\nx-a: 2\r\nSet-Cookie: a=1, b\r\nSET-COOKIE: c=2\r\n__proto__: x\r\nContent-Length: 0\r\n\r\n`;
    expect(await answerTo(raw)).toMatchObject({
      headers: { "x-a": "1, 2", "set-cookie": "a=1, b\nc=2", location: "/a,b\n/c" },
    });
  });

  test.each([
    ["a length", ok],
    ["chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n"],
    ["hints before it", `HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${ok}`],
    ["HTTP/1.0", "HTTP/1.0 200\r\nContent-Length: 5\r\n\r\nhello"],
  ])("a body with %s → kept", async (_title, raw) => {
    const outcome = await answerTo(raw);
    expect(outcome).toMatchObject({ type: "answered", status: 200 });
    expect(textOf(outcome)).toBe("hello");
  });

  test("a body that ends with the connection → kept", async () => {
    const server = await serve(ending("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhello"));
    expect(textOf(await client([server.hostKey]).exchange({ url: server.origin }))).toBe("hello");
  });

  test("a compressed body → decompressed", async () => {
    const server = await serve(encoded("gzip", gzipSync("hello")));
    expect(textOf(await client([server.hostKey]).exchange({ url: server.origin }))).toBe("hello");
  });

  test.each([
    [
      "HEAD, a giant length → headers alone",
      "HTTP/1.1 200 OK\r\nContent-Length: 999999999\r\n\r\n",
      { method: "HEAD" },
    ],
    [
      "304 with a giant length → headers alone",
      "HTTP/1.1 304 Not Modified\r\nContent-Length: 999999999\r\n\r\n",
      {},
    ],
    ["204 → no body", "HTTP/1.1 204 No Content\r\n\r\n", {}],
    [
      "an empty body said to be gzip → no body",
      "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 0\r\n\r\n",
      {},
    ],
  ] as [string, string, Partial<ExchangeRequest>][])("%s", async (_title, raw, request) => {
    expect(await answerTo(raw, request)).toMatchObject({ type: "answered", body: new Uint8Array(0) });
  });

  test.each([
    ["announces too much", "Content-Length: 999999999\r\n\r\n"],
    ["breaks off", "Content-Length: 99\r\n\r\nhello"],
    ["has an unknown encoding", "Content-Encoding: compress\r\nContent-Length: 5\r\n\r\nhello"],
  ])("discarded, when the body %s → its status counts", async (_title, rest) => {
    const outcome = await answerTo(`HTTP/1.1 200 OK\r\n${rest}`, { answerBody: "discard" });
    expect(outcome).toMatchObject({ type: "answered", status: 200, body: new Uint8Array(0) });
  });

  test("discarded, a body without end → its status counts, the connection is closed", async () => {
    const server = await serve((socket) => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      writeForever(socket, "x".repeat(999));
    });
    const { exchange } = client([server.hostKey]);
    expect(await exchange({ url: server.origin, answerBody: "discard" })).toMatchObject({ type: "answered" });
    expect(await exchange({ url: server.origin, answerBody: "discard" })).toMatchObject({ type: "answered" });
    expect(server.connections).toBe(2);
  });
});

describe("a request", () => {
  test("its parts → sent, without credentials and fragment", async () => {
    const server = await serve(saying(ok));
    await client([server.hostKey]).exchange({
      url: `http://user:secret@${server.hostKey}/a?b=c#d`,
      method: "POST",
      headers: { "user-agent": "Ingather", "content-type": "text/plain" },
      body: "question",
    });
    const [request = ""] = server.requests;
    expect(request).toMatch(/^POST \/a\?b=c HTTP\/1\.1\r\n/);
    expect(request).toContain("user-agent: Ingather\r\n");
    expect(request).toContain("accept-encoding: gzip, deflate, br, zstd\r\n");
    expect(request).toMatch(/\r\n\r\nquestion$/);
    expect(request).not.toMatch(/user:|secret|dXNlc|#d/);
  });

  test("two to one host → one connection", async () => {
    const server = await serve(saying(ok));
    const { exchange } = client([server.hostKey]);
    for (const path of ["/a", "/b", "/c"]) await exchange({ url: server.origin + path });
    expect(server.connections).toBe(1);
  });

  test.each(["GET", "POST"] as const)(
    "a connection that the host closes under a later %s → a failure, asked once; the next over a fresh one",
    async (method) => {
      const server = await serve((socket) => {
        if (server.requests.length === 2) socket.destroy();
        else socket.write(ok);
      });
      const { exchange } = client([server.hostKey]);
      await exchange({ url: `${server.origin}/a` });
      expect(await exchange({ url: `${server.origin}/b`, method })).toMatchObject({ reason: "reset" });
      expect(textOf(await exchange({ url: `${server.origin}/c` }))).toBe("hello");
      expect(server.requests.map((request) => /\/[abc]/.exec(request)?.[0])).toEqual(["/a", "/b", "/c"]);
    },
  );

  test("a host that closes idle connections after a second → not asked over one that it may be closing", async () => {
    const server = await serve(
      saying("HTTP/1.1 200 OK\r\nKeep-Alive: timeout=1\r\nContent-Length: 5\r\n\r\nhello"),
    );
    const { exchange } = client([server.hostKey]);
    for (const path of ["/a", "/b"]) await exchange({ url: server.origin + path });
    expect(server.connections).toBe(2);
  });

  test("more hosts than may be open → the one unused for longest is closed", async () => {
    const servers = await Promise.all([serve(saying(ok)), serve(saying(ok)), serve(saying(ok))]);
    const [first, second, third] = servers;
    const { exchange } = client(
      servers.map((server) => server.hostKey),
      { maxOpenHosts: 2 },
    );
    for (const server of [first, second, first, third, first, second]) await exchange({ url: server.origin });
    expect(servers.map((server) => server.connections)).toEqual([1, 2, 1]);
  });

  test("an aborted one → rejected with the caller's reason, and the connection is closed", async () => {
    const closed = Promise.withResolvers<void>();
    const reason = new Error("out of time");
    const controller = new AbortController();
    const server = await serve((socket) => {
      socket.on("close", () => closed.resolve());
      controller.abort(reason);
    });
    const asked = client([server.hostKey]).exchange({ url: server.origin, signal: controller.signal });
    await expect(asked).rejects.toBe(reason);
    await closed.promise;
  });

  test("one aborted before it starts → rejected, nothing is sent", async () => {
    const server = await serve(saying(ok));
    const signal = AbortSignal.abort(new Error("too late"));
    await expect(client([server.hostKey]).exchange({ url: server.origin, signal })).rejects.toThrow(
      "too late",
    );
    expect(server.connections).toBe(0);
  });

  test("a header with a line break → rejected as the caller's mistake", async () => {
    const server = await serve(saying(ok));
    const asked = client([server.hostKey]).exchange({
      url: server.origin,
      headers: { "x-a": "1\r\nx-b: 2" },
    });
    await expect(asked).rejects.toThrow("invalid x-a header");
  });
});

function textOf(outcome: ExchangeOutcome): string | undefined {
  return outcome.type === "answered" ? Buffer.from(outcome.body).toString() : undefined;
}
