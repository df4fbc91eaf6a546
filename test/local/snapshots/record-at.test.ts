import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateRawSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { recordAt } from "../../../local/snapshots/record-at.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const url = "http://a.example/1.png";
const timestamp = "20240203040506";
const record = (type: string, uri: string) =>
  `WARC/1.0\r\nWARC-Type: ${type}\r\nWARC-Target-URI: <${uri}>\r\nWARC-Payload-Digest: sha1:A\r\nContent-Length: 60\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: image/png; x=y\r\n\r\nbody\r\n\r\n`;

/** A gzip member whose header has a checksum, and the fields that wget and others write. */
function oddMember(text: string): Buffer {
  const header = Buffer.from([0x1f, 0x8b, 8, 0x1e, 0, 0, 0, 0, 0, 3, 6, 0]);
  const fields = Buffer.from("sl\x02\0\x01\x02name\0comment\0\x01\x02", "latin1");
  return Buffer.concat([header, fields, deflateRawSync(text), Buffer.alloc(8)]);
}

describe("recordAt", () => {
  const response = record("response", url);
  it.each<[string, Buffer, boolean]>([
    ["a response", gzipSync(response), true],
    ["one in a member with fields in its header", oddMember(response), true],
    ["a revisit", gzipSync(record("revisit", url)), false],
    ["a response of another URL", gzipSync(record("response", "http://b.example/")), false],
    ["no gzip member", Buffer.from(response), false],
    ["a member that is cut off", Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0xff]), false],
  ])("%s, between other records → its line, or none", async (_title, member, isThere) => {
    const before = gzipSync("before");
    const path = join(temporaryFolder(), "other.warc.gz");
    writeFileSync(path, Buffer.concat([before, member, gzipSync("after")]));
    const fields = {
      url,
      mime: "image/png",
      status: "200",
      digest: "sha1:A",
      length: String(member.byteLength),
      offset: String(before.byteLength),
      filename: "other.warc.gz",
    };
    const found = await recordAt(path, { offset: before.byteLength, url, timestamp });
    expect(found).toEqual(isThere ? { timestamp, fields } : undefined);
  });

  it("behind the end of the file → none", async () => {
    const path = join(temporaryFolder(), "other.warc.gz");
    writeFileSync(path, gzipSync(response));
    expect(await recordAt(path, { offset: 10_000, url, timestamp })).toBeUndefined();
  });
});
