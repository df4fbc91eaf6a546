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
