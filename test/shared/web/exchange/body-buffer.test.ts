import { describe, expect, test } from "vitest";
import { BodyBuffer } from "../../../../shared/web/exchange/body-buffer.ts";

/** Pieces of one read of a connection, of the sizes given; the rest of the read is something else. */
function read(sizes: number[], rest = 0): Uint8Array[] {
  const memory = new Uint8Array(sizes.reduce((sum, size) => sum + size, rest)).map((_, at) => at % 251);
  let at = 0;
  return sizes.map((size) => {
    at += size;
    return memory.subarray(at - size, at);
  });
}

describe("BodyBuffer", () => {
  test.each([
    { what: "nothing", chunks: [] },
    { what: "an empty chunk", chunks: read([0]) },
    { what: "one chunk that is a whole read", chunks: read([1000]) },
    { what: "one chunk that is most of a read", chunks: read([1000], 900) },
    { what: "one chunk that is little of a read", chunks: read([100], 900) },
    { what: "a whole read and then a piece", chunks: [...read([1000]), ...read([10], 900)] },
    { what: "a piece and then a whole read", chunks: [...read([10], 900), ...read([1000])] },
    { what: "three pieces of one read", chunks: read([600, 10, 300]) },
    { what: "an empty chunk, then a whole read and a piece", chunks: [...read([0, 1000]), ...read([1])] },
  ])("$what → these bytes, in memory of no more than twice their size", ({ chunks }) => {
    const kept = chunks.map((chunk) => Buffer.from(chunk));
    const buffer = new BodyBuffer(10_000);
    for (const chunk of chunks) buffer.add(chunk);
    expect(Buffer.from(buffer.bytes)).toEqual(Buffer.concat(kept));
    expect(buffer.bytes.buffer.byteLength).toBeLessThanOrEqual(2 * buffer.bytes.byteLength);
    expect(chunks.map((chunk) => Buffer.from(chunk))).toEqual(kept);
  });

  test("one chunk that is most of a read → not copied", () => {
    const [chunk = new Uint8Array()] = read([1000], 900);
    const buffer = new BodyBuffer(10_000);
    buffer.add(chunk);
    expect(buffer.bytes.buffer).toBe(chunk.buffer);
  });
});
