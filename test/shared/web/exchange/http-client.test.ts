import { gzipSync } from "node:zlib";
import { describe, expect, test, vi } from "vitest";
import type { ExchangeOutcome } from "../../../../shared/web/exchange/exchange.ts";
import type { ExchangeRequest } from "../../../../shared/web/exchange/http-client.ts";
import { encoded, ending, limitsFor, ok, saying } from "../hostile-responses.ts";
import { drip, writeForever } from "../servers.ts";
import { client, serve } from "./client-and-servers.ts";

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
    const outcome = await answerTo(`HTTP/1.1 200 OK\r\n${rest}`, { bodyMode: "discard" });
    expect(outcome).toMatchObject({ type: "answered", status: 200, body: new Uint8Array(0) });
  });

  test("discarded, a body without end → its status counts, the connection is closed", async () => {
    const server = await serve((socket) => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      writeForever(socket, "x".repeat(999));
    });
    const { exchange } = client([server.hostKey]);
    expect(await exchange({ url: server.origin, bodyMode: "discard" })).toMatchObject({ type: "answered" });
    expect(await exchange({ url: server.origin, bodyMode: "discard" })).toMatchObject({ type: "answered" });
    expect(server.connections).toBe(2);
  });

  test("discarded, a body that drips for hours → not waited for; the next request has a connection of its own", async () => {
    const server = await serve((socket) => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      drip(socket, "x");
    });
    const { exchange } = client([server.hostKey], {
      limits: { ...limitsFor("none"), bodyMs: 3_600_000, drainMs: 20 },
    });
    expect(await exchange({ url: server.origin, bodyMode: "discard" })).toMatchObject({ status: 200 });
    expect(await exchange({ url: server.origin, bodyMode: "discard" })).toMatchObject({ status: 200 });
    expect(server.connections).toBe(2);
  });

  test("wanted or not by its status and headers → as they say", async () => {
    const server = await serve(saying("HTTP/1.1 403 No\r\nX-A: 1\r\nContent-Length: 5\r\n\r\nhello"));
    const { exchange } = client([server.hostKey]);
    for (const [wanted, text] of [
      ["keep", "hello"],
      ["discard", ""],
    ] as const) {
      const bodyMode = vi.fn(() => wanted);
      expect(textOf(await exchange({ url: server.origin, bodyMode }))).toBe(text);
      expect(bodyMode.mock.calls).toEqual([
        [{ status: 403, headers: expect.objectContaining({ "x-a": "1" }) }],
      ]);
    }
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
    "a connection that the host closes under a later %s → a failure, sent once; the next uses a new connection",
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

  test("a host that closes idle connections after a second → no request on a connection that it may be closing", async () => {
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
