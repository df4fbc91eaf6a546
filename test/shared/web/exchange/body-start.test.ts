import { randomBytes } from "node:crypto";
import type { Socket } from "node:net";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { ExchangeOutcome } from "../../../../shared/web/exchange/exchange.ts";
import { encoded, ending, limitsFor, ok, saying } from "../hostile-responses.ts";
import { type Behaviour, drip, writeForever } from "../servers.ts";
import { client, serve } from "./client-and-servers.ts";

/** Far more than is wanted of it, and than may be kept of a whole one. */
const long = Buffer.from("Disallow: /a\n".repeat(100_000));
const firstBytes = 5000;

describe("the first bytes of an answer", () => {
  const unending = (head: string, chunk: Buffer) => (socket: Socket) => {
    socket.write(`HTTP/1.1 200 OK\r\n${head}\r\n`);
    socket.write(chunk);
    writeForever(socket, long);
  };
  const breakingOff = (encoding: string, body: Buffer) =>
    ending(
      `HTTP/1.1 200 OK\r\nContent-Encoding: ${encoding}\r\nContent-Length: ${body.length + 1}\r\n\r\n`,
      body,
    );
  const noise = randomBytes(20_000);

  test.each<[title: string, body: Buffer, Behaviour]>([
    [
      "plain, too large to be kept",
      long,
      saying(`HTTP/1.1 200 OK\r\nContent-Length: ${long.length}\r\n\r\n`, long),
    ],
    ["plain, without end", long, unending("", long)],
    ["gzip, too large to be kept, a bomb", long, encoded("gzip", gzipSync(long))],
    ["deflate", long, encoded("deflate", deflateSync(long))],
    ["deflate without its header", long, encoded("deflate", deflateRawSync(long))],
    ["br", long, encoded("br", brotliCompressSync(long))],
    ["zstd", long, encoded("zstd", zstdCompressSync(long))],
    ["br in gzip", long, encoded("br, gzip", gzipSync(brotliCompressSync(long)))],
    ["gzip that does not shrink", noise, encoded("gzip", gzipSync(noise))],
    ["gzip, then something else without end", long, unending("Content-Encoding: gzip\r\n", gzipSync(long))],
    ["gzip that breaks off after them", long, breakingOff("gzip", gzipSync(long))],
    ["gzip that is broken after them", long, encoded("gzip", gzipSync(long).subarray(0, -20))],
    ["an unknown encoding", long, encoded("utf-8", long)],
  ])("%s → they are there", async (_title, body, behave) => {
    const server = await serve(behave);
    const { exchange } = client([server.hostKey]);
    const outcome = await exchange({ url: server.origin, bodyMode: { firstBytes } });
    expect(outcome).not.toHaveProperty("bodyProblem");
    expect(textOf(outcome)).toBe(body.subarray(0, firstBytes).toString());
  });

  test("gzip that stands still after them → they are there when the time is over", async () => {
    const server = await serve(saying("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n", gzipSync(long)));
    const { exchange } = client([server.hostKey], { limits: limitsFor("timeout") });
    const outcome = await exchange({ url: server.origin, bodyMode: { firstBytes } });
    expect(outcome).not.toHaveProperty("bodyProblem");
    expect(textOf(outcome)).toBe(long.subarray(0, firstBytes).toString());
  });

  test.each<[title: string, Behaviour]>([
    ["plain", saying(ok)],
    ["gzip", encoded("gzip", gzipSync("hello"))],
  ])("fewer than are wanted, %s → the whole body", async (_title, behave) => {
    const server = await serve(behave);
    const { exchange } = client([server.hostKey]);
    expect(textOf(await exchange({ url: server.origin, bodyMode: { firstBytes } }))).toBe("hello");
  });

  test.each<[title: string, reason: string, Behaviour]>([
    ["breaks off", "reset", ending("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nhello")],
    ["breaks off, gzip", "reset", breakingOff("gzip", gzipSync("hello"))],
    ["stands still", "timeout", saying("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nhello")],
    [
      "drips and never ends",
      "timeout",
      (socket) => {
        socket.write("HTTP/1.1 200 OK\r\n\r\n");
        drip(socket, "# slow\n");
      },
    ],
    ["cannot be unpacked", "bad-encoding", encoded("gzip", long)],
    ["has an unknown encoding", "bad-encoding", encoded("compress", long)],
  ])("a body that %s before them → %s", async (_title, reason, behave) => {
    const server = await serve(behave);
    const { exchange } = client([server.hostKey], { limits: limitsFor(reason) });
    expect(await exchange({ url: server.origin, bodyMode: { firstBytes } })).toMatchObject({
      bodyProblem: { reason },
    });
  });
});

describe("a look at an answer", () => {
  const peekBytes = firstBytes;
  const start = long.subarray(0, peekBytes).toString();

  test.each<[title: string, Behaviour, text: string, connections: number]>([
    ["short", saying(ok), "hello", 1],
    ["gzip", encoded("gzip", gzipSync("hello")), "hello", 1],
    ["longer than is wanted", encoded("identity", long.subarray(0, 9000)), start, 1],
    ["too long to be read to its end", encoded("gzip", gzipSync(long)), start, 1],
    ["plain, too long to be read to its end", encoded("identity", long), start, 2],
    ["breaks off", ending("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nhello"), "hello", 2],
    ["cannot be unpacked", encoded("gzip", long.subarray(0, 900)), "", 1],
  ])("%s → its beginning, without a problem", async (_title, behave, text, connections) => {
    const server = await serve(behave);
    const { exchange } = client([server.hostKey]);
    for (let request = 0; request < 2; request++) {
      const outcome = await exchange({ url: server.origin, bodyMode: { peekBytes } });
      expect(outcome).not.toHaveProperty("bodyProblem");
      expect(textOf(outcome)).toBe(text);
    }
    expect(server.connections).toBe(connections);
  });
});

function textOf(outcome: ExchangeOutcome): string | undefined {
  return outcome.type === "answered" ? Buffer.from(outcome.body).toString() : undefined;
}
