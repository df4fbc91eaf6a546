import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { recordAt } from "../../../../../local/cli/snapshots/wacz/record-at.ts";
import { temporaryFolder } from "../../../../temporary-folder.ts";

const url = "https://a.example/image.png";
const head = "HTTP/1.1 200 OK\r\nContent-Type: image/png; q=1\r\nContent-Length: 5\r\n\r\n";
const record = (type: string, block: string) =>
  Buffer.from(
    `WARC/1.1\r\nWARC-Type: ${type}\r\nWARC-Target-URI: <${url}>\r\nWARC-Payload-Digest: sha1:ABC\r\nContent-Length: ${block.length}\r\n\r\n${block}\r\n\r\n`,
  );
const request = record("request", "GET / HTTP/1.1\r\n\r\n");
const response = record("response", `${head}bytes`);

describe("a response of a WARC file without an index", () => {
  it.each([
    ["a.warc", [request, response, request]],
    ["a.warc.gz", [request, response, request].map((each) => gzipSync(each))],
  ])("%s → its line, by its place", async (name, [first = Buffer.alloc(0), second, third]) => {
    const path = join(temporaryFolder(), name);
    writeFileSync(path, Buffer.concat([first, second ?? first, third ?? first]));
    const place = { offset: first.byteLength, url, timestamp: "20260101000000" };
    expect(await recordAt(path, place)).toEqual({
      timestamp: "20260101000000",
      fields: {
        url,
        mime: "image/png",
        status: "200",
        digest: "sha1:ABC",
        length: String(second?.byteLength),
        offset: String(first.byteLength),
        filename: name,
      },
    });
    for (const wrong of [{ offset: 0 }, { offset: 3 }, { url: "https://a.example/" }, { offset: 100_000 }])
      expect(await recordAt(path, { ...place, ...wrong })).toBeUndefined();
  });
});
