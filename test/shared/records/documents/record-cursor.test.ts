import { describe, expect, it } from "vitest";
import { formatCursor, parseCursor } from "../../../../shared/records/documents/record-cursor.ts";

const place = { syndicatedAt: "2026-01-01T00:00:00.000Z", recordId: "r-1" };
const encoded = (text: string) => Buffer.from(text).toString("base64url");

describe("where the list of a collection continues", () => {
  it("as text → the same place again", () => {
    expect(parseCursor("c", formatCursor("c", place))).toEqual(place);
  });

  it.each<[what: string, text: string]>([
    ["another collection's", formatCursor("xc", place)],
    ["no such text", "elsewhere"],
    ["an empty one", ""],
    ["without a collection", encoded("2026-01-01T00:00:00.000Z r")],
    ["with a time that no key can have", encoded(`c ${"9".repeat(1200)}Z r`)],
    ["with a day that there is not", encoded("c 2026-99-99T00:00:00.000Z r")],
    ["with a record that there cannot be", encoded("c 2026-01-01T00:00:00.000Z r/s")],
    ["with more behind it", `${formatCursor("c", place)}==`],
  ])("%s → none", (_what, text) => {
    expect(parseCursor("c", text)).toBeUndefined();
  });
});
