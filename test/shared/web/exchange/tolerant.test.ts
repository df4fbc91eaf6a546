import { describe, expect, test } from "vitest";
import { ending, limitsFor, ok, saying } from "../hostile-responses.ts";
import { type Behaviour, writeForever } from "../servers.ts";
import { client, serve } from "./client-and-servers.ts";

const chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n";

/** Answers that break the rules of HTTP, and that browsers read: what is said of each, and the server. */
const tolerated: [title: string, warning: string, Behaviour][] = [
  ["ends lines with LF", "lines end with LF", saying("HTTP/1.1 200 OK\nContent-Length: 5\n\nhello")],
  [
    "ends one line with LF",
    "lines end with LF",
    saying("HTTP/1.1 200 OK\r\nA: b\nContent-Length: 5\r\n\r\nhello"),
  ],
  [
    "ends the head with LF only",
    "lines end with LF",
    saying("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\nhello"),
  ],
  [
    "folds a header",
    "a header is folded",
    saying("HTTP/1.1 200 OK\r\nA: b\r\n\tc\r\nContent-Length: 5\r\n\r\nhello"),
  ],
  [
    "sends a control character",
    "a header has control characters",
    saying("HTTP/1.1 200 OK\r\nA: b\x01c\r\nContent-Length: 5\r\n\r\nhello"),
  ],
  [
    "repeats its Content-Length",
    "Content-Length is repeated",
    saying("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nhello"),
  ],
  [
    "repeats its Content-Length in one header",
    "Content-Length is repeated",
    saying("HTTP/1.1 200 OK\r\nContent-Length: 5, 5\r\n\r\nhello"),
  ],
  [
    "writes a space before a colon",
    "a space follows the name of a header",
    saying("HTTP/1.1 200 OK\r\nA : b\r\nContent-Length: 5\r\n\r\nhello"),
  ],
  [
    "sends a header without a name",
    "a header has no valid name",
    saying("HTTP/1.1 200 OK\r\n: x\r\nContent-Length: 5\r\n\r\nhello"),
  ],
  [
    "sends a header with a space in its name",
    "a header has no valid name",
    saying("HTTP/1.1 200 OK\r\nPower by: x\r\nContent-Length: 5\r\n\r\nhello"),
  ],
  [
    "sends a line without a colon",
    "a header has no colon",
    saying("HTTP/1.1 200 OK\r\nGenerated in 3 ms\r\nContent-Length: 5\r\n\r\nhello"),
  ],
  [
    "says HTTP/2 in plain text",
    "the version is HTTP/2",
    saying("HTTP/2 200\r\nContent-Length: 5\r\n\r\nhello"),
  ],
  ["says ICY", "the version is ICY", saying("ICY 200 OK\r\nContent-Length: 5\r\n\r\nhello")],
  ["continues unasked", "a 100 Continue was not requested", saying("HTTP/1.1 100 Continue\r\n\r\n", ok)],
  ["ends chunks with LF", "lines of chunks end with LF", saying(chunked, "\r\n5\nhello\n0\n\n")],
  [
    "ends head and chunks with LF",
    "lines of chunks end with LF",
    saying("HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n5\nhello\n0\n\n"),
  ],
  [
    "ends only a later chunk with LF",
    "lines of chunks end with LF",
    saying(chunked, "\r\n2\r\nhe\r\n3\nllo\n0\n\n"),
  ],
  [
    "writes spaces after a chunk's size",
    "spaces follow the size of a chunk",
    saying(chunked, "\r\n5  \r\nhello\r\n0\r\n\r\n"),
  ],
  ["ends its body with the connection", "lines end with LF", ending("HTTP/1.0 200 OK\n\nhello")],
];

/** Answers whose end could be read in two ways: the words that say so, and the server. */
const ambiguous: [title: string, detail: RegExp, Behaviour][] = [
  [
    "a length and chunks",
    /Content-Length and a Transfer-Encoding/,
    saying(chunked, "Content-Length: 5\r\n\r\n5\r\nhello\r\n0\r\n\r\n"),
  ],
  [
    "a length and chunks, with LF",
    /Content-Length and a Transfer-Encoding/,
    saying("HTTP/1.1 200 OK\nContent-Length: 5\nTransfer-Encoding: chunked\n\n5\nhello\n0\n\n"),
  ],
  [
    "different lengths",
    /different Content-Lengths/,
    saying("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!"),
  ],
  [
    "different lengths in one header",
    /different Content-Lengths/,
    saying("HTTP/1.1 200 OK\r\nContent-Length: 5, 6\r\n\r\nhello!"),
  ],
  [
    "a length that is not a number",
    /not a number/,
    saying("HTTP/1.1 200 OK\r\nContent-Length: five\r\n\r\nhello"),
  ],
  ["a length with a sign", /not a number/, saying("HTTP/1.1 200 OK\r\nContent-Length: +5\r\n\r\nhello")],
  ["an empty length", /not a number/, saying("HTTP/1.1 200 OK\nContent-Length:\n\nhello")],
  [
    "a folded length",
    /content-length is not valid/,
    saying("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n 5\r\n\r\nhello"),
  ],
  [
    "a length with a space before its colon",
    /content-length is not valid/,
    saying("HTTP/1.1 200 OK\r\nContent-Length : 5\r\n\r\nhello"),
  ],
  [
    "a length with a control character",
    /content-length. is not valid/,
    saying("HTTP/1.1 200 OK\r\nContent-Length\x01: 5\r\n\r\nhello"),
  ],
  [
    "a folded transfer coding",
    /transfer-encoding is not valid/,
    saying("HTTP/1.1 200 OK\r\nTransfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n"),
  ],
  [
    "another transfer coding",
    /not chunked/,
    saying("HTTP/1.1 200 OK\nTransfer-Encoding: gzip, chunked\n\n0\n\n"),
  ],
  ["a zero byte", /zero byte/, saying("HTTP/1.1 200 OK\r\nA: b\0c\r\n\r\n")],
  ["a length with a zero byte", /zero byte/, saying("HTTP/1.1 200 OK\r\nContent-Length: 5\0\r\n\r\nhello")],
];

/** Answers that are not HTTP: the words that say so, and the server. */
const refused: [title: string, detail: RegExp, Behaviour][] = [
  [
    "a carriage return within a line",
    /carriage return/,
    saying("HTTP/1.1 200 OK\r\nA: b\rContent-Length: 5\r\n\r\nhello"),
  ],
  ["HTTP/0.9", /status line/, saying("<html><p>HTTP/0.9</p></html>")],
  ["another protocol", /status line/, saying("220 mail.example ESMTP\r\n")],
  ["an unknown version", /status line/, saying("HTTP/9.9 200 OK\r\n\r\n")],
  ["a status below 100", /status/, saying("HTTP/1.1 099 What\n\n")],
];

describe.concurrent("exchange with a server that", () => {
  test.each(tolerated)("%s → read with a warning, by one request", async (_title, warning, behave) => {
    const server = await serve(behave);
    const { exchange } = client([server.hostKey], { limits: limitsFor("none") });
    const url = server.origin;
    expect(await exchange({ url })).toMatchObject({
      type: "answered",
      status: 200,
      body: Buffer.from("hello"),
      warnings: expect.arrayContaining([expect.stringContaining(warning)]),
    });
    expect(server.requests).toHaveLength(1);
    // What it has sent too much must not become the next answer.
    expect(await exchange({ url, bodyMode: "discard" })).toMatchObject({
      status: 200,
      warnings: expect.anything(),
    });
    expect(server.requests).toHaveLength(2);
  });

  test.each(ambiguous)(
    "sends %s → its status, without a body, by one request",
    async (_title, detail, behave) => {
      const server = await serve(behave);
      const { exchange } = client([server.hostKey], { limits: limitsFor("none") });
      expect(await exchange({ url: server.origin })).toMatchObject({
        type: "answered",
        status: 200,
        body: new Uint8Array(),
        bodyProblem: { reason: "bad-http", detail: expect.stringMatching(detail) },
      });
      expect(await exchange({ url: server.origin, bodyMode: "discard" })).toMatchObject({ status: 200 });
      expect(server.requests).toHaveLength(2);
    },
  );

  test.each(refused)("sends %s → bad-http, by one request", async (_title, detail, behave) => {
    const server = await serve(behave);
    const { exchange } = client([server.hostKey], { limits: limitsFor("none") });
    expect(await exchange({ url: server.origin })).toMatchObject({
      type: "failed",
      reason: "bad-http",
      detail: expect.stringMatching(detail),
    });
    expect(server.requests).toHaveLength(1);
  });
});

test("valid answers on one connection → no warnings, and the connection is kept", async () => {
  const server = await serve(saying(ok));
  const { exchange } = client([server.hostKey]);
  for (let request = 0; request < 3; request++) {
    expect(await exchange({ url: server.origin })).not.toHaveProperty("warnings");
  }
  expect(server.connections).toBe(1);
});

test("an invalid answer after a valid one on the same connection → read with a warning", async () => {
  const server = await serve((socket, request, connection) =>
    saying(request.includes("/second") ? "HTTP/1.1 404 Gone\nContent-Length: 2\n\nno" : ok)(
      socket,
      request,
      connection,
    ),
  );
  const { exchange } = client([server.hostKey]);
  await exchange({ url: server.origin });
  expect(await exchange({ url: `${server.origin}/second` })).toMatchObject({
    status: 404,
    body: Buffer.from("no"),
  });
  expect(server.connections).toBe(1);
  expect(await exchange({ url: server.origin })).toMatchObject({ status: 200 });
  expect(server.connections).toBe(2);
});

test("folded and repeated headers, controls in values → their values as browsers have them", async () => {
  const lines = [
    "Location: /a\x01b",
    "X: one",
    "X: two",
    "Folded: a",
    "\t b",
    "Set-Cookie: a=\x02",
    "__proto__: c",
  ];
  const server = await serve(saying(`HTTP/1.1 302 Found\n${lines.join("\n")}\nContent-Length: 0\n\n`));
  const { exchange } = client([server.hostKey]);
  const outcome = await exchange({ url: server.origin });
  expect(outcome.type === "answered" && { ...outcome.headers }).toEqual({
    location: "/a\x01b",
    x: "one, two",
    folded: "a b",
    ["__proto__"]: "c",
    "content-length": "0",
  });
});

test("HEAD, 204 and 304 with a length → no body is awaited", async () => {
  const server = await serve(saying("HTTP/1.1 200 OK\nContent-Length: 5\n\n"));
  const { exchange } = client([server.hostKey]);
  expect(await exchange({ url: server.origin, method: "HEAD" })).toMatchObject({ status: 200 });
  const without = await serve(saying("HTTP/1.1 304 Not Modified\nContent-Length: 5\n\n"));
  expect(await client([without.hostKey]).exchange({ url: without.origin })).toMatchObject({ status: 304 });
});

test("an invalid head larger than the limit → headers-too-large", async () => {
  const server = await serve((socket) => {
    socket.write("HTTP/1.1 200 OK\n");
    writeForever(socket, "A: b\n".repeat(500));
  });
  const { exchange } = client([server.hostKey], { limits: limitsFor("headers-too-large") });
  expect(await exchange({ url: server.origin })).toMatchObject({
    type: "failed",
    reason: "headers-too-large",
  });
});

test("an invalid answer larger than the limit → its body is too large; discarded, it is answered", async () => {
  const server = await serve((socket) => {
    socket.write("HTTP/1.1 200 OK\n\n");
    writeForever(socket, "x".repeat(20_000));
  });
  const { exchange } = client([server.hostKey], { limits: limitsFor("body-too-large") });
  expect(await exchange({ url: server.origin })).toMatchObject({ bodyProblem: { reason: "body-too-large" } });
  expect(await exchange({ url: server.origin, bodyMode: "discard" })).toMatchObject({ status: 200 });
});

test("an invalid head without end → timeout", async () => {
  const server = await serve(saying("HTTP/1.1 200 OK\nA: b\n"));
  const { exchange } = client([server.hostKey], { limits: { ...limitsFor("none"), headersMs: 200 } });
  expect(await exchange({ url: server.origin })).toMatchObject({ type: "failed", reason: "timeout" });
});

test.each([
  ["its length", "HTTP/1.1 200 OK\nContent-Length: 9\n\nhello"],
  ["its last chunk", "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n5\nhello\n"],
])("an invalid answer that ends before %s → its body is incomplete", async (_title, text) => {
  const server = await serve(ending(text));
  const { exchange } = client([server.hostKey]);
  expect(await exchange({ url: server.origin })).toMatchObject({
    status: 200,
    bodyProblem: { reason: "reset" },
  });
});

test("a large body after an invalid head → stored whole, though the store is slow", async () => {
  const body = Buffer.alloc(3_000_000, "0123456789");
  const server = await serve(saying(`HTTP/1.1 200 OK\nContent-Length: ${body.length}\n\n`, body));
  const { exchange } = client([server.hostKey], { limits: {} });
  const chunks: Uint8Array[] = [];
  const store = async (content: AsyncIterable<Uint8Array>) => {
    for await (const chunk of content) {
      chunks.push(chunk);
      await new Promise(setImmediate);
    }
    return "key";
  };
  const capture = { maxBytes: 5_000_000, store };
  const outcome = await exchange({ url: server.origin, capture });
  const head = `HTTP/1.1 200 OK\nContent-Length: ${body.length}\n\n`;
  expect(outcome).toMatchObject({
    stored: { sizeBytes: head.length + body.length, capture: { headBytes: head.length } },
  });
  expect(Buffer.concat(chunks).equals(Buffer.concat([Buffer.from(head), body]))).toBe(true);
});

test("an invalid answer byte by byte → read like one in one piece", async () => {
  const text = "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\nA: b\n c\n\n5\nhello\n0\n\n";
  const server = await serve(async (socket) => {
    for (const byte of text) {
      socket.write(byte);
      await new Promise(setImmediate);
    }
  });
  const { exchange } = client([server.hostKey]);
  expect(await exchange({ url: server.origin })).toMatchObject({ status: 200, body: Buffer.from("hello") });
});
