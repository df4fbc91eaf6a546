import { createHash } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { bucketNames } from "../../shared/names.ts";
import { sharedCloud } from "./local-cloud.ts";

beforeAll(() => sharedCloud());

const mib = 1024 * 1024;

/** So many bytes, in pieces of a size that fits into nothing. */
async function* content(sizeBytes: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < sizeBytes; at += 70_001) {
    yield Buffer.alloc(Math.min(70_001, sizeBytes - at), at % 251);
  }
}

async function digestOf(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of pieces) hash.update(piece);
  return hash.digest("hex");
}

describe("an object that is written piece by piece", () => {
  it.each([
    ["nothing", 0],
    ["less than a part", 1000],
    ["exactly one part", 8 * mib],
    ["a part and a byte", 8 * mib + 1],
    ["several parts", 25 * mib],
  ])("%s → the same bytes when it is read", async (_what, sizeBytes) => {
    const { streamObject, writeObject } = await import("../../shared/adapters/aws/s3.ts");
    const bucket = bucketNames.deliveries("000000000000", process.env.AWS_REGION ?? "");
    const key = `test/${sizeBytes}`;
    const written = { content: content(sizeBytes), contentType: "application/octet-stream" };
    expect(await writeObject(bucket, key, written)).toBe(sizeBytes);
    expect(await digestOf(streamObject(bucket, key))).toBe(await digestOf(content(sizeBytes)));
  });
});

it.each([8, 12, 32])("a kept body of %i MiB → the same bytes when a reader loads it", async (sizeMib) => {
  const { bodyStore } = await import("../../shared/adapters/aws/gate/body-store.ts");
  const bodies = bodyStore();
  const content = Buffer.alloc(sizeMib * mib, `${sizeMib} MiB`);
  const key = await bodies.store(`exchange-${sizeMib}`, content, undefined);
  expect(content.equals(await bodies.load(key))).toBe(true);
});
