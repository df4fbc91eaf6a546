import { createHash, randomBytes } from "node:crypto";
import type { Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { bodyOfCapture } from "../../../../shared/web/exchange/captured-body.ts";
import type { Answer, Failure } from "../../../../shared/web/exchange/exchange.ts";
import { limitsFor } from "../hostile-responses.ts";
import { client, serve } from "./client-and-servers.ts";

const sha1 = (bytes: Buffer | string) => createHash("sha1").update(bytes).digest("hex");
const latin1 = (text: string) => Buffer.from(text, "latin1");

async function capture(
  sent: Buffer,
  given: { thenEnd?: boolean; maxBytes?: number; streamMs?: number; headersMs?: number } = {},
) {
  const server = await serve((socket: Socket) => {
    // In pieces, so that heads and chunks are divided anywhere.
    const divided = Math.min(60, sent.length);
    for (let at = 0; at < divided; at += 7) socket.write(sent.subarray(at, Math.min(at + 7, divided)));
    socket.write(sent.subarray(divided));
    if (given.thenEnd) socket.end();
  });
  const objects: Buffer[] = [];
  const store = async (content: AsyncIterable<Uint8Array>) => {
    const pieces: Uint8Array[] = [];
    for await (const piece of content) pieces.push(piece);
    objects.push(Buffer.concat(pieces));
    return "key";
  };
  const { exchange } = client([server.hostKey], {
    limits: {
      ...limitsFor("none"),
      streamMs: given.streamMs ?? 60_000,
      ...(given.headersMs !== undefined && { headersMs: given.headersMs }),
    },
  });
  const outcome = await exchange({
    url: server.origin,
    capture: { maxBytes: given.maxBytes ?? 10_000_000, store },
  });
  return { outcome, objects, server };
}

const facts = (outcome: unknown) => (outcome as Answer).stored?.capture;

describe("a captured answer", () => {
  const gzipped = gzipSync("hello");
  const odd =
    "HTTP/1.1 200 Fine, thanks\r\nX-LIBRARY: Universit\xe4t\r\nSet-Cookie: a=1\r\nset-cookie: b=2\r\n";

  it.each<[string, Buffer, string | Buffer]>([
    [
      "status line and headers in their order, case and encoding",
      latin1(`${odd}Content-Length: 5\r\n\r\nhello`),
      "hello",
    ],
    [
      "no reason, with a space or without",
      latin1("HTTP/1.1 200 \r\nContent-Length: 5\r\n\r\nhello"),
      "hello",
    ],
    ["a redirect", latin1("HTTP/1.1 301 Moved\r\nLocation: /x\r\nContent-Length: 2\r\n\r\nhi"), "hi"],
    ["204", latin1("HTTP/1.1 204 No Content\r\nDate: now\r\n\r\n"), ""],
    [
      "chunks, with extensions and a trailer",
      latin1(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;a=b\r\nhel\r\n2\r\nlo\r\n0\r\nX: y\r\n\r\n",
      ),
      "hello",
    ],
    [
      "gzip, as it was sent",
      Buffer.concat([
        latin1(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${gzipped.length}\r\n\r\n`),
        gzipped,
      ]),
      gzipped,
    ],
    [
      "gzip that is none",
      latin1("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nplain"),
      "plain",
    ],
    ["lines that end with LF", latin1("HTTP/1.1 200 OK\nContent-Length: 5\n\nhello"), "hello"],
    [
      "chunks that end with LF",
      latin1("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\nhello\n0\n\n"),
      "hello",
    ],
    [
      "chunks of other sizes, with the same digest of the payload",
      latin1("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nh\r\n4\r\nello\r\n0\r\n\r\n"),
      "hello",
    ],
    [
      "an invalid name of a header",
      latin1("HTTP/1.1 200 OK\r\nPower by: x\r\nContent-Length: 5\r\n\r\nhello"),
      "hello",
    ],
    ["a folded header", latin1("HTTP/1.1 200 OK\r\nA: b\r\n c\r\nContent-Length: 5\r\n\r\nhello"), "hello"],
    ["a space before a colon", latin1("HTTP/1.1 200 OK\r\nA : b\r\nContent-Length: 5\r\n\r\nhello"), "hello"],
  ])("%s → stored as it came", async (_title, sent, payload) => {
    const { outcome, objects, server } = await capture(sent);
    expect(objects).toEqual([sent]);
    expect(outcome).not.toHaveProperty("bodyProblem");
    const headBytes = sent.includes("\r\n\r\n") ? sent.indexOf("\r\n\r\n") + 4 : sent.indexOf("\n\n") + 2;
    expect((outcome as Answer).stored?.sizeBytes).toBe(sent.length);
    expect(facts(outcome)).toMatchObject({
      headBytes,
      sha1: sha1(sent),
      payloadBytes: payload.length,
      payloadSha1: sha1(payload),
      address: "127.0.0.1",
    });
    expect(facts(outcome)?.requestHead).toMatch(
      new RegExp(`^GET / HTTP/1.1\r\nhost: ${server.hostKey}\r\n[^]*\r\n\r\n$`),
    );
    expect(facts(outcome)).not.toHaveProperty("truncated");
  });

  it("HTTP/1.0 until the connection ends → all of it", async () => {
    const sent = latin1("HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\nuntil the end");
    expect((await capture(sent, { thenEnd: true })).objects).toEqual([sent]);
  });

  it("informational responses before it → stored before it, and not in its digest", async () => {
    const hints = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n";
    const final = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi";
    const { outcome, objects } = await capture(latin1(hints + final));
    expect(objects.map(String)).toEqual([hints + final]);
    expect((outcome as Answer).stored?.sizeBytes).toBe(hints.length + final.length);
    expect(facts(outcome)).toMatchObject({
      informationalBytes: hints.length,
      headBytes: final.length - 2,
      sha1: sha1(final),
      payloadSha1: sha1("hi"),
    });
    expect(String(await bodyOfCapture(latin1(hints + final)))).toBe("hi");
  });

  it("bytes after its end → left out", async () => {
    const sent = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi";
    const { outcome, objects } = await capture(latin1(`${sent} and more, which nobody asked for`));
    expect(objects.map(String)).toEqual([sent]);
    expect(outcome).toMatchObject({ status: 200 });
  });

  it("a connection that ends within the body → what came, truncated by a disconnect", async () => {
    const sent = latin1("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc");
    const { outcome, objects } = await capture(sent, { thenEnd: true });
    expect(objects).toEqual([sent]);
    expect(outcome).toMatchObject({ bodyProblem: { reason: "reset" } });
    expect(facts(outcome)).toMatchObject({ truncated: "disconnect", payloadSha1: sha1("abc") });
  });

  it("chunks without a last one → truncated", async () => {
    const sent = latin1("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n");
    expect(facts((await capture(sent, { thenEnd: true })).outcome)).toMatchObject({
      truncated: "disconnect",
    });
  });

  it("a body that never ends → what came in time", async () => {
    const sent = latin1("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc");
    const { outcome, objects } = await capture(sent, { streamMs: 200 });
    expect(objects).toEqual([sent]);
    expect(facts(outcome)).toMatchObject({ truncated: "time" });
  });

  it("a larger body than wanted → its beginning", async () => {
    const body = randomBytes(300_000);
    const head = latin1("HTTP/1.1 200 OK\r\nContent-Length: 300000\r\n\r\n");
    const { outcome, objects } = await capture(Buffer.concat([head, body]), { maxBytes: 100_000 });
    expect(objects[0]?.equals(Buffer.concat([head, body.subarray(0, 100_000)]))).toBe(true);
    expect(outcome).toMatchObject({ bodyProblem: { reason: "body-too-large" } });
    expect(facts(outcome)).toMatchObject({ truncated: "length", payloadBytes: 100_000 });
  });

  it("a large body to a slow store → whole", async () => {
    const body = randomBytes(5_000_000);
    const sent = Buffer.concat([latin1(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n`), body]);
    const { objects } = await capture(sent);
    expect(objects[0]?.equals(sent)).toBe(true);
  });

  it.each([
    ["two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nhi", "unspecified"],
    ["no HTTP", "SSH-2.0-x\r\n", "unspecified"],
    ["half of a head", "HTTP/1.1 200 OK\r\nContent-Le", "disconnect"],
    ["an invalid head that breaks off", "HTTP/1.1 200 OK\r\nPower by: x\r\n", "disconnect"],
    ["a zero byte in its head", "HTTP/1.1 200 OK\r\nA: \0\r\n\r\nhi", "unspecified"],
    ["a switch that was not requested", "HTTP/1.1 101 Switching Protocols\r\n\r\n", "unspecified"],
    ["a status below 100", "HTTP/1.1 42 Answer\r\nContent-Length: 2\r\n\r\nhi", "unspecified"],
  ])("an answer with %s → a failure, and all of it stored as it came", async (_title, sent, truncated) => {
    const { outcome, objects } = await capture(latin1(sent), { thenEnd: true });
    expect(outcome).toMatchObject({ type: "failed", stored: { key: "key", sizeBytes: sent.length } });
    expect(objects.map((object) => object.toString("latin1"))).toEqual([sent]);
    const { capture: stored } = (outcome as Failure).stored ?? {};
    expect(stored).toMatchObject({
      headBytes: sent.length,
      sha1: sha1(latin1(sent)),
      payloadBytes: 0,
      truncated,
    });
  });

  it("a head that is too large → a failure, and what came of it", async () => {
    const sent = `HTTP/1.1 200 OK\r\nA: ${"x".repeat(100_000)}\r\n\r\n`;
    const { outcome, objects } = await capture(latin1(sent), { thenEnd: true });
    expect(outcome).toMatchObject({ type: "failed", stored: { capture: { truncated: "length" } } });
    expect(sent.startsWith(String(objects[0]))).toBe(true);
  });

  it("a head that never ends → what came in time", async () => {
    const sent = "HTTP/1.1 200 OK\r\nA: b\r\n";
    const { outcome, objects } = await capture(latin1(sent), { headersMs: 200 });
    expect(outcome).toMatchObject({ type: "failed", reason: "timeout" });
    expect(objects.map(String)).toEqual([sent]);
  });

  it("a host that ends the connection at once → a failure", async () => {
    expect((await capture(Buffer.alloc(0), { thenEnd: true })).outcome).toMatchObject({
      type: "failed",
      reason: "reset",
    });
  });
});
