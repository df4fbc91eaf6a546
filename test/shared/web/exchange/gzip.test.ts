import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { ungzip } from "../../../../shared/web/exchange/gzip.ts";

const text = "a page, a page, a page\n".repeat(50);
const limits = { maxOutputLength: 10_000, chunkSize: 64 };
const member = gzipSync(text);
const named = Buffer.concat([
  // An extra field of 3 bytes, name and comment.
  Buffer.from([0x1f, 0x8b, 8, 4 | 8 | 16, 0, 0, 0, 0, 0, 3, 3, 0, 1, 2, 3]),
  Buffer.from("name\0comment\0", "latin1"),
  member.subarray(10),
]);
const wrongSum = Buffer.from(member);
wrongSum.writeUInt8(wrongSum.readUInt8(wrongSum.length - 8) ^ 1, wrongSum.length - 8);
const junk = Buffer.from("<!-- cached -->");

describe("ungzip", () => {
  it.each([
    ["one member", [member], 1],
    ["two members", [member, member], 2],
    ["a line end after it", [member, Buffer.from("\r\n")], 1],
    ["a comment after it", [member, junk], 1],
    ["a comment after two members", [member, member, junk], 2],
    ["a header with all fields, and a comment after it", [named, junk], 1],
    ["zero bytes after it", [member, Buffer.alloc(12)], 1],
    ["half a header after it", [member, Buffer.from([0x1f, 0x8b, 9, 9, 9])], 1],
    [
      "a view into a larger buffer, with a comment after it",
      [Buffer.concat([junk, member, junk]).subarray(15)],
      1,
    ],
  ])("%s → the members", async (_title, pieces, count) => {
    const body = await ungzip(pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces), limits);
    expect(Buffer.from(body).toString()).toBe(text.repeat(count));
  });

  it.each([
    ["no gzip", [junk]],
    ["a member that breaks off", [member.subarray(0, -12)]],
    ["a second member that breaks off", [member, member.subarray(0, -12)]],
    ["a wrong checksum", [wrongSum]],
    ["a wrong checksum, and a comment", [wrongSum, junk]],
    ["a second member with a wrong checksum, and a comment", [member, wrongSum, junk]],
    ["more members than servers send, and a comment", [...Array(101).fill(gzipSync("")), junk]],
    ["a name that never ends", [named.subarray(0, 18)]],
  ])("%s → an error", async (_title, pieces) => {
    await expect(ungzip(Buffer.concat(pieces), limits)).rejects.toThrow();
  });

  it("members beyond the limit together, and a comment → too large", async () => {
    const wire = Buffer.concat([...Array.from({ length: 12 }, () => member), junk]);
    await expect(ungzip(wire, limits)).rejects.toMatchObject({ code: "ERR_BUFFER_TOO_LARGE" });
  });
});
