import { expect, it } from "vitest";
import { awsEndpoint } from "./endpoint.ts";

const asked = await awsEndpoint(({ path }) =>
  path.includes("uploads")
    ? "<InitiateMultipartUploadResult><UploadId>1</UploadId></InitiateMultipartUploadResult>"
    : "<CompleteMultipartUploadResult><ETag>tag</ETag></CompleteMultipartUploadResult>",
);
const { writeObject } = await import("../../../../shared/adapters/aws/s3.ts");

it("an object in parts → the checksums of the parts are announced, sent, and repeated at the end", async () => {
  const pieces = async function* () {
    for (let piece = 0; piece < 3; piece += 1) yield new Uint8Array(6 * 1024 * 1024).fill(piece);
  };
  await writeObject("bucket", "key", { content: pieces(), contentType: "text/plain" });
  const [begin, ...parts] = asked;
  const end = parts.pop();
  expect(begin?.headers["x-amz-checksum-algorithm"]).toBe("CRC32");
  const sent = parts.map(({ headers }) => headers["x-amz-checksum-crc32"]);
  expect(new Set(sent).size).toBe(3);
  const told = [...(end?.body ?? "").matchAll(/<ChecksumCRC32>(.*?)<\/ChecksumCRC32>/g)].map(
    ([, sum]) => sum,
  );
  expect(told).toEqual(sent);
});

it.each([4, 20])(
  "content that breaks off after %d MiB → rejected with its error, no object",
  async (sizeMiB) => {
    asked.length = 0;
    const content = async function* () {
      for (let piece = 0; piece < sizeMiB; piece += 2) yield new Uint8Array(2 * 1024 * 1024);
      throw new Error("it broke off");
    };
    const written = writeObject("bucket", "key", { content: content(), contentType: "text/plain" });
    await expect(written).rejects.toThrow("it broke off");
    // An object comes of a single PUT, or of the end of an upload, which is a POST with its id.
    const isPart = (path: string) => path.includes("partNumber=");
    const made = asked.filter(({ path }) => !path.includes("uploads") && !isPart(path));
    expect(made).toEqual([]);
    expect(asked.filter(({ path }) => isPart(path))).toHaveLength(Math.floor((sizeMiB - 1) / 8));
  },
);
