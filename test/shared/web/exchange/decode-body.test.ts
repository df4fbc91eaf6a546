import * as zlib from "node:zlib";
import { describe, expect, test } from "vitest";
import { decodeBody } from "../../../../shared/web/exchange/decode-body.ts";
import { defaultLimits } from "../../../../shared/web/exchange/limits.ts";

const text = Buffer.from("<p>Lorem ipsum dolor sit amet</p>".repeat(200));
const limits = { ...defaultLimits, bodyBytes: 1_000_000, ratioFreeBytes: 10_000, decompressionRatio: 50 };
const zeros = Buffer.alloc(5_000_000);

/** Hard to compress: what a photograph looks like. */
const noise = Buffer.from(
  Array.from({ length: 1_100_000 }, (_, i) => (Math.imul(i, 2654435761) >>> 13) & 255),
);

describe("decodeBody", () => {
  test.each([
    ["gzip", zlib.gzipSync(text)],
    ["GZip", zlib.gzipSync(text)],
    ["x-gzip", zlib.gzipSync(text)],
    ["deflate", zlib.deflateSync(text)],
    ["deflate", zlib.deflateRawSync(text)],
    ["br", zlib.brotliCompressSync(text)],
    ["zstd", zlib.zstdCompressSync(text)],
    ["identity", text],
    ["", text],
    ["utf-8", text],
    ["none", text],
    ["binary, gzip", zlib.gzipSync(text)],
    ["deflate, gzip", zlib.gzipSync(zlib.deflateSync(text))],
    ["br, identity, gzip", zlib.gzipSync(zlib.brotliCompressSync(text))],
    ["gzip", Buffer.concat([zlib.gzipSync(text.subarray(0, 99)), zlib.gzipSync(text.subarray(99))])],
  ])("%s → the text", async (encoding, wire) => {
    const decoded = await decodeBody(wire, encoding, limits);
    expect(decoded.type === "decoded" && Buffer.from(decoded.body).equals(text)).toBe(true);
  });

  test("an empty body with an encoding → empty", async () => {
    expect(await decodeBody(Buffer.alloc(0), "gzip", limits)).toEqual({
      type: "decoded",
      body: Buffer.alloc(0),
    });
  });

  test.each([
    ["an encoding that is not read", "compress", text, "bad-encoding"],
    ["plain text said to be gzip", "gzip", text, "bad-encoding"],
    ["plain text said to be deflate", "deflate", text, "bad-encoding"],
    ["plain text said to be br", "br", text, "bad-encoding"],
    ["plain text said to be zstd", "zstd", text, "bad-encoding"],
    ["gzip that breaks off", "gzip", zlib.gzipSync(text).subarray(0, -20), "bad-encoding"],
    ["deflate that breaks off", "deflate", zlib.deflateSync(text).subarray(0, -20), "bad-encoding"],
    ["br that breaks off", "br", zlib.brotliCompressSync(text).subarray(0, -20), "bad-encoding"],
    ["zstd that breaks off", "zstd", zlib.zstdCompressSync(text).subarray(0, -20), "bad-encoding"],
    [
      "gzip with a wrong checksum",
      "gzip",
      Buffer.concat([zlib.gzipSync(text).subarray(0, -8), Buffer.alloc(8)]),
      "bad-encoding",
    ],
    [
      "encodings in the wrong order",
      "gzip, br",
      zlib.gzipSync(zlib.brotliCompressSync(text)),
      "bad-encoding",
    ],
    ["four encodings", "gzip, gzip, gzip, gzip", text, "bad-encoding"],
    ["a gzip bomb", "gzip", zlib.gzipSync(zeros), "decompression-ratio"],
    [
      "a br bomb",
      "br",
      zlib.brotliCompressSync(zeros, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } }),
      "decompression-ratio",
    ],
    ["a zstd bomb", "zstd", zlib.zstdCompressSync(zeros), "decompression-ratio"],
    ["a bomb in a bomb", "gzip, gzip", zlib.gzipSync(zlib.gzipSync(zeros)), "decompression-ratio"],
    ["more than the limit at an honest ratio", "gzip", zlib.gzipSync(noise), "body-too-large"],
  ])("%s → failed", async (_title, encoding, wire, reason) => {
    expect(await decodeBody(wire, encoding, limits)).toEqual({
      type: "failed",
      reason,
      detail: expect.any(String),
    });
  });
});
