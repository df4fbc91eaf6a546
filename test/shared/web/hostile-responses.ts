import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { type Behaviour, drip, writeForever } from "./servers.ts";

/**
 * What the tests of hostile answers allow an exchange. Nothing is to run out of time on a machine that is busy, but what
 * is meant to.
 * @param reason the problem that is expected of it; `timeout`: as little time as a good answer needs on any machine
 */
export function limitsFor(reason: string) {
  const ms = reason === "timeout" ? 1000 : 60_000;
  return { ...sizes, connectMs: ms, headersMs: ms, bodyMs: ms };
}

const sizes = {
  headerBytes: 4096,
  bodyBytes: 100_000,
  drainBytes: 10_000,
  ratioFreeBytes: 10_000,
  decompressionRatio: 50,
};

export const ok = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

const zeros = Buffer.alloc(2_000_000);

export function saying(...parts: (string | Buffer)[]): Behaviour {
  return (socket) => {
    for (const part of parts) socket.write(part);
  };
}

export function ending(...parts: (string | Buffer)[]): Behaviour {
  return (socket) => socket.end(Buffer.concat(parts.map((part) => Buffer.from(part))));
}

export function encoded(encoding: string, body: Buffer, status = "200 OK"): Behaviour {
  return saying(
    `HTTP/1.1 ${status}\r\nContent-Encoding: ${encoding}\r\nContent-Length: ${body.length}\r\n\r\n`,
    body,
  );
}

function prefixed(socket: Parameters<Behaviour>[0], more = ""): Parameters<Behaviour>[0] {
  socket.write(`HTTP/1.1 200 OK\r\n${more}`);
  return socket;
}

/** Servers that come to no answer: what each does, and the failure that it is. */
export const noAnswers: [title: string, reason: string, Behaviour][] = [
  ["closes at once", "reset", (socket) => socket.destroy()],
  ["resets", "reset", (socket) => socket.resetAndDestroy()],
  ["closes within the status line", "reset", ending("HTTP/1.1 2")],
  ["closes within the headers", "reset", ending("HTTP/1.1 200 OK\r\nContent-")],
  ["speaks another protocol", "bad-http", saying("220 mail.example ESMTP\r\n")],
  ["sends only a body", "bad-http", saying("<html><p>HTTP/0.9</p></html>")],
  ["names an unknown version", "bad-http", saying("HTTP/9.9 200 OK\r\n\r\n")],
  ["sends a status of letters", "bad-http", saying("HTTP/1.1 abc OK\r\n\r\n")],
  [
    "switches protocols unasked",
    "bad-http",
    saying("HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"),
  ],
  ["sends a giant header", "headers-too-large", saying(`HTTP/1.1 200 OK\r\nA: ${"x".repeat(5000)}\r\n\r\n`)],
  [
    "sends headers without end",
    "headers-too-large",
    (socket) => writeForever(prefixed(socket), "A: b\r\n".repeat(500)),
  ],
  [
    "sends one header without end",
    "headers-too-large",
    (socket) => writeForever(prefixed(socket, "A: "), "x".repeat(999)),
  ],
  [
    "sends a giant header name",
    "headers-too-large",
    (socket) => writeForever(prefixed(socket), "x".repeat(999)),
  ],
  ["says nothing", "timeout", () => {}],
  ["drips its headers", "timeout", (socket) => drip(prefixed(socket), "A: b\r\n")],
  ["sends 103 without end", "timeout", (socket) => drip(socket, "HTTP/1.1 103 Early Hints\r\n\r\n")],
  ["sends a status below 100", "bad-http", saying("HTTP/1.1 099 What\r\n\r\n")],
];

/** Servers that respond with a body that cannot be had: what each does, its status, and the problem. */
export const badBodies: [title: string, status: number, reason: string, Behaviour][] = [
  ["sends a zero byte in a header", 404, "bad-http", saying("HTTP/1.1 404 Gone\r\nA: b\0c\r\n\r\n")],
  [
    "sends two lengths",
    404,
    "bad-http",
    saying("HTTP/1.1 404 Gone\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!"),
  ],
  ["sends a negative length", 404, "bad-http", saying("HTTP/1.1 404 Gone\r\nContent-Length: -1\r\n\r\n")],
  ["sends a length of letters", 404, "bad-http", saying("HTTP/1.1 404 Gone\r\nContent-Length: abc\r\n\r\n")],
  [
    "sends a length and chunks",
    200,
    "bad-http",
    saying(
      "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
    ),
  ],
  [
    "sends less than its Content-Length",
    200,
    "reset",
    ending("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nhello"),
  ],
  [
    "sends less than its Content-Length and says close",
    200,
    "reset",
    ending("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 99\r\n\r\nhello"),
  ],
  [
    "closes within a chunk",
    200,
    "reset",
    ending("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n99\r\nhello"),
  ],
  [
    "closes before the last chunk",
    200,
    "reset",
    ending("HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"),
  ],
  [
    "sends a chunk size that is none",
    200,
    "bad-http",
    saying("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n"),
  ],
  ["stops within the body", 200, "timeout", saying("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nhello")],
  ["drips its body", 200, "timeout", (socket) => drip(prefixed(socket, "Content-Length: 9999\r\n\r\n"), "x")],
  [
    "drips chunks",
    200,
    "timeout",
    (socket) => drip(prefixed(socket, "Transfer-Encoding: chunked\r\n\r\n"), "1\r\nx\r\n"),
  ],
  [
    "drips a chunk's extension",
    200,
    "timeout",
    (socket) => drip(prefixed(socket, "Transfer-Encoding: chunked\r\n\r\n1;"), "x"),
  ],
  [
    "announces a giant body",
    200,
    "body-too-large",
    saying("HTTP/1.1 200 OK\r\nContent-Length: 100001\r\n\r\n"),
  ],
  [
    "sends a body without end",
    200,
    "body-too-large",
    (socket) => writeForever(prefixed(socket, "\r\n"), "x".repeat(20_000)),
  ],
  [
    "sends chunks without end",
    200,
    "body-too-large",
    (socket) =>
      writeForever(
        prefixed(socket, "Transfer-Encoding: chunked\r\n\r\n"),
        "4e20\r\n".concat("x".repeat(20_000), "\r\n"),
      ),
  ],
  ["sends a gzip bomb", 200, "decompression-ratio", encoded("gzip", gzipSync(zeros))],
  ["sends a bomb in a bomb", 200, "decompression-ratio", encoded("gzip, gzip", gzipSync(gzipSync(zeros)))],
  [
    "sends a br bomb",
    200,
    "decompression-ratio",
    encoded("br", brotliCompressSync(zeros, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })),
  ],
  ["sends an unknown encoding", 200, "bad-encoding", encoded("compress", Buffer.from("hello"))],
  ["says gzip and sends text", 200, "bad-encoding", encoded("gzip", Buffer.from("hello"))],
  ["sends gzip that breaks off", 200, "bad-encoding", encoded("gzip", gzipSync("hello").subarray(0, -4))],
  [
    "sends a body without end in chunks of four bytes",
    200,
    "body-too-large",
    (socket) =>
      writeForever(prefixed(socket, "Transfer-Encoding: chunked\r\n\r\n"), "4\r\nxxxx\r\n".repeat(999)),
  ],
  [
    "answers 404 with less than its Content-Length",
    404,
    "reset",
    ending("HTTP/1.1 404 Not Found\r\nContent-Length: 99\r\n\r\nhello"),
  ],
  ["answers 404 with a bad encoding", 404, "bad-encoding", encoded("br", Buffer.from("no"), "404 Not Found")],
  ["answers 403 with a gzip bomb", 403, "decompression-ratio", encoded("gzip", gzipSync(zeros), "403 No")],
  [
    "redirects with a giant body",
    301,
    "body-too-large",
    saying("HTTP/1.1 301 Moved\r\nLocation: /good\r\nContent-Length: 100001\r\n\r\n"),
  ],
];
