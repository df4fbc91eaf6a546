import { describe, expect, test } from "vitest";
import {
  formatPageRange,
  normalizeIsbns,
  normalizeIssns,
} from "../../../../shared/metadata/page/identifiers.ts";

describe("normalizeIssns and normalizeIsbns", () => {
  test.each<[string, (string | undefined)[], string | undefined]>([
    ["hyphen missing, small x → normal form", ["1234567x"], "1234-567X"],
    [
      "two in one value and one repeated → each once",
      ["ISSN 1234-5678 / 8765-4321", "1234-5678"],
      "1234-5678, 8765-4321",
    ],
    ["none → none", ["12-34", undefined], undefined],
  ])("ISSN: %s", (_title, values, issns) => expect(normalizeIssns(values)).toBe(issns));

  test("ISBN: with hyphens and of ten digits → digits alone", () => {
    expect(normalizeIsbns(["978-3-16-148410-0", "0-306-40615-x"])).toBe("9783161484100, 030640615X");
  });
});

describe("pageRange", () => {
  test.each<[string, string | undefined, string | undefined, string | undefined]>([
    ["first and last → joined", "1", "9", "1-9"],
    ["the same → once", "7", "7", "7"],
    ["no last → first", "e17", undefined, "e17"],
    ["a range for a first page → kept, the dash a hyphen", "1 – 9", "9", "1-9"],
    ["no first → none", undefined, "9", undefined],
  ])("%s", (_title, first, last, pages) => expect(formatPageRange(first, last)).toBe(pages));
});
