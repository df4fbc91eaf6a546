import { createHash, randomBytes } from "node:crypto";
import type { Socket } from "node:net";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { StoreMode } from "../../../../shared/web/exchange/exchange.ts";
import { limitsFor } from "../hostile-responses.ts";
import { writeForever } from "../servers.ts";
import { client, serve } from "./client-and-servers.ts";

/** Larger than what is read ahead of the store. */
const noise = randomBytes(3_000_000);
const text = Buffer.from("a line of text\n".repeat(100_000));
const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

/** A store that keeps whole bodies alone, and takes them at a configured speed. */
function slowStore(everyMs = 0) {
  const objects: Buffer[] = [];
  const store = async (content: AsyncIterable<Uint8Array>): Promise<string> => {
    const pieces: Uint8Array[] = [];
    for await (const piece of content) {
      pieces.push(piece);
      if (everyMs > 0) await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
    objects.push(Buffer.concat(pieces));
    return `key-${objects.length}`;
  };
  return { objects, store };
}

const chunked = (body: Buffer) =>
  Buffer.concat([
    ...Array.from({ length: Math.ceil(body.length / 50_000) }, (_, index) => {
      const piece = body.subarray(index * 50_000, (index + 1) * 50_000);
      return Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from("\r\n")]);
    }),
    Buffer.from("0\r\n\r\n"),
  ]);
const sized = (body: Buffer) => `Content-Length: ${body.length}`;

async function exchangeWith(
  mode: Partial<StoreMode>,
  behave: (socket: Socket) => void,
  limits = limitsFor("none"),
) {
  const server = await serve(behave);
  const { objects, store } = slowStore();
  const { exchange } = client([server.hostKey], { limits });
  const bodyMode = { maxBytes: 10_000_000, store, ...mode };
  const outcome = await exchange({ url: server.origin, bodyMode });
  return { outcome, objects, server };
}

function sending(head: string, body: Buffer) {
  return (socket: Socket) => {
    socket.write(`HTTP/1.1 200 OK\r\n${head}\r\n\r\n`);
    socket.write(body);
  };
}

describe("a streamed body", () => {
  it.each([
    ["plain", sized(noise), noise, noise],
    ["chunked", "Transfer-Encoding: chunked", chunked(noise), noise],
    ["gzip", `Content-Encoding: gzip\r\n${sized(gzipSync(text))}`, gzipSync(text), text],
    ["zlib", `Content-Encoding: deflate\r\n${sized(deflateSync(text))}`, deflateSync(text), text],
    [
      "bare DEFLATE",
      `Content-Encoding: deflate\r\n${sized(deflateRawSync(text))}`,
      deflateRawSync(text),
      text,
    ],
    ["Brotli", `Content-Encoding: br\r\n${sized(brotliCompressSync(text))}`, brotliCompressSync(text), text],
    ["Zstandard", `Content-Encoding: zstd\r\n${sized(zstdCompressSync(text))}`, zstdCompressSync(text), text],
    ["chunked gzip", "Content-Encoding: gzip\r\nTransfer-Encoding: chunked", chunked(gzipSync(noise)), noise],
    ["empty, said to be gzip", "Content-Encoding: gzip\r\nContent-Length: 0", Buffer.of(), Buffer.of()],
  ])(
    "%s → stored whole, with its length and digest; nothing of it in the response",
    async (_title, head, wire, body) => {
      const { outcome, objects } = await exchangeWith({}, sending(head, wire));
      expect(outcome).toMatchObject({
        type: "answered",
        status: 200,
        stored: { key: "key-1", sizeBytes: body.length, sha256: sha256(body) },
      });
      expect(outcome.type === "answered" && outcome.body.byteLength).toBe(0);
      expect(objects[0]?.equals(body)).toBe(true);
    },
  );

  const closing = (head: string, body: Buffer) => (socket: Socket) => {
    socket.write(`HTTP/1.1 200 OK\r\n${head}\r\n\r\n`);
    socket.end(body);
  };
  it.each<[string, (socket: Socket) => void, object]>([
    ["closed early", closing("Content-Length: 4000000", noise), { reason: "reset" }],
    [
      "closed within the chunks",
      closing("Transfer-Encoding: chunked", chunked(noise).subarray(0, 90_000)),
      { reason: "reset" },
    ],
    [
      "gzip that ends early",
      closing(`Content-Encoding: gzip\r\nContent-Length: 10000`, gzipSync(noise).subarray(0, 10_000)),
      { reason: "bad-encoding" },
    ],
    [
      "no gzip",
      closing(`Content-Encoding: gzip\r\n${sized(text)}`, text),
      { reason: "bad-encoding", detail: expect.stringMatching(/^not gzip: /) },
    ],
    [
      "an encoding that is not read",
      closing(`Content-Encoding: compress\r\n${sized(text)}`, text),
      {
        reason: "bad-encoding",
        detail: "encoding compress, which is not supported",
      },
    ],
    [
      "larger than the limit, by its Content-Length",
      closing("Content-Length: 10000001", noise),
      { reason: "body-too-large", detail: "more than 10000000 bytes" },
    ],
    [
      "without end",
      (socket) => {
        socket.write("HTTP/1.1 200 OK\r\n\r\n");
        writeForever(socket, noise);
      },
      { reason: "body-too-large" },
    ],
    [
      "larger than the limit when decompressed",
      closing(`Content-Encoding: gzip`, gzipSync(Buffer.alloc(10_000_001))),
      { reason: "body-too-large" },
    ],
  ])("%s → no object, and a body problem", async (_title, behave, bodyProblem) => {
    const { outcome, objects } = await exchangeWith({}, behave);
    expect(outcome).toMatchObject({ type: "answered", status: 200, bodyProblem });
    expect(outcome).not.toHaveProperty("stored");
    expect(objects).toEqual([]);
  });

  it("that stops coming → time out, no object", async () => {
    const limits = { ...limitsFor("none"), streamMs: 200 };
    const { outcome, objects } = await exchangeWith(
      {},
      (socket) => void socket.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"),
      limits,
    );
    expect(outcome).toMatchObject({ bodyProblem: { reason: "timeout" } });
    expect(objects).toEqual([]);
  });

  it.each([
    ["that breaks off", (socket: Socket) => socket.destroy()],
    ["that stops coming", () => {}],
  ])("%s, to be kept incomplete → what has come, with the problem", async (_how, end) => {
    const limits = { ...limitsFor("none"), streamMs: 2_000 };
    const half = noise.subarray(0, 1_500_000);
    const mode = { keepIncomplete: true } as const;
    const { outcome, objects } = await exchangeWith(
      mode,
      (socket) => {
        socket.write(`HTTP/1.1 200 OK\r\n${sized(noise)}\r\n\r\n`);
        socket.write(half, () => setImmediate(end, socket));
      },
      limits,
    );
    const [stored = Buffer.alloc(0)] = objects;
    expect(outcome).toMatchObject({
      type: "answered",
      stored: { sizeBytes: stored.length, sha256: sha256(stored) },
      bodyProblem: { reason: expect.stringMatching(/^(reset|timeout)$/) },
    });
    expect(stored.length).toBeGreaterThan(0);
    expect(stored.equals(half.subarray(0, stored.length))).toBe(true);
  });

  it("compressed, that breaks off, to be kept incomplete → no object", async () => {
    const wire = gzipSync(noise);
    const { objects } = await exchangeWith({ keepIncomplete: true }, (socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n${sized(wire)}\r\n\r\n`);
      socket.write(wire.subarray(0, 100_000), () => socket.destroy());
    });
    expect(objects).toEqual([]);
  });

  it("that the store does not take → the exchange throws the store's error, and the connection ends", async () => {
    const server = await serve((socket) => writeForever(socket, `HTTP/1.1 200 OK\r\n\r\n${noise}`));
    const { exchange } = client([server.hostKey]);
    const store = async (content: AsyncIterable<Uint8Array>) => {
      for await (const _piece of content) throw new Error("the store is full");
      return "";
    };
    await expect(exchange({ url: server.origin, bodyMode: { maxBytes: 1e9, store } })).rejects.toThrow(
      "the store is full",
    );
  });

  it("a store slower than the host → all of it, in order", async () => {
    const { objects, store } = slowStore(1);
    const server = await serve(sending(sized(noise), noise));
    const { exchange } = client([server.hostKey]);
    await exchange({ url: server.origin, bodyMode: { maxBytes: 10_000_000, store } });
    expect(objects[0]?.equals(noise)).toBe(true);
  });

  it("204 → no object", async () => {
    const { outcome, objects } = await exchangeWith(
      {},
      (socket) => void socket.write("HTTP/1.1 204 No Content\r\n\r\n"),
    );
    expect(outcome).toMatchObject({ status: 204 });
    expect(outcome).not.toHaveProperty("stored");
    expect(objects).toEqual([]);
  });
});
