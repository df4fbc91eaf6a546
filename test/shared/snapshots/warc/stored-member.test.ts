import { randomBytes } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { storedMember } from "../../../../shared/snapshots/warc/stored-member.ts";

describe("storedMember", () => {
  it.each([[[]], [[0]], [[1]], [[65_535]], [[65_536]], [[3, 0, 200_000, 5]]])(
    "pieces of %j bytes → a member that zlib reads",
    (sizes) => {
      const pieces = sizes.map((size) => randomBytes(size));
      const member = Buffer.concat(storedMember(pieces));
      expect(gunzipSync(member).equals(Buffer.concat(pieces))).toBe(true);
      const blocks = sizes.reduce((sum, size) => sum + Math.ceil(size / 65_535), 1);
      expect(member.byteLength).toBe(Buffer.concat(pieces).byteLength + 18 + 5 * blocks);
    },
  );
});
