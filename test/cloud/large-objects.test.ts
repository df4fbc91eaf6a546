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

it.each([10, 11, 40])(
  "an object of %i MiB in one PUT to a signed address → the same bytes, with the ETag of its content",
  async (sizeMib) => {
    const { signPut } = await import("../../shared/adapters/aws/sign-url.ts");
    const { getObject } = await import("../../shared/adapters/aws/s3.ts");
    const object = {
      Bucket: bucketNames.deliveries("000000000000", process.env.AWS_REGION ?? ""),
      Key: `test/put-${sizeMib}`,
    };
    const bytes = Buffer.alloc(sizeMib * mib + 1, `${sizeMib} MiB`);
    const answer = await fetch(await signPut(object, 60), { method: "PUT", body: bytes });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("etag")).toBe(`"${createHash("md5").update(bytes).digest("hex")}"`);
    expect(bytes.equals(await getObject(object.Bucket, object.Key))).toBe(true);
  },
);

it("a signed address that names a file → browsers save it under that name", async () => {
  const { signGet } = await import("../../shared/adapters/aws/sign-url.ts");
  const { putObject } = await import("../../shared/adapters/aws/s3.ts");
  const object = {
    Bucket: bucketNames.deliveries("000000000000", process.env.AWS_REGION ?? ""),
    Key: "test/named",
  };
  await putObject(object.Bucket, object.Key, { content: Buffer.from("a"), contentType: "text/plain" });
  const get = async (ResponseContentDisposition?: string, headers = {}) =>
    fetch(
      await signGet({ ...object, ...(ResponseContentDisposition && { ResponseContentDisposition }) }, 60),
      { headers },
    );
  const named = 'attachment; filename="records 1.xml"';
  for (const headers of [{}, { range: "bytes=0-0" }]) {
    expect((await get(named, headers)).headers.get("content-disposition")).toBe(named);
  }
  expect((await get()).headers.get("content-disposition")).toBeNull();
  for (const refused of ["attachment\r\nx-other: 1", "attachment; filename=Über"]) {
    expect((await get(refused)).ok).toBe(false);
  }
});

it.each([8, 12, 32])("a kept body of %i MiB → the same bytes when a reader loads it", async (sizeMib) => {
  const { bodyStore } = await import("../../shared/adapters/gate/body-store.ts");
  const bodies = bodyStore();
  const content = Buffer.alloc(sizeMib * mib, `${sizeMib} MiB`);
  const key = await bodies.store(`exchange-${sizeMib}`, content, undefined);
  expect(content.equals(await bodies.load(key))).toBe(true);
});
