import { expect, it } from "vitest";
import { formatPageRange } from "../../../shared/formats/page-range.ts";

it.each<[string, string | undefined, string | undefined, string | undefined]>([
  ["first and last → joined", "1", "9", "1-9"],
  ["the same → once", "7", "7", "7"],
  ["no last → first", "e17", undefined, "e17"],
  ["a range for a first page → kept, the dash a hyphen", "1 – 9", "9", "1-9"],
  ["no first → undefined", undefined, "9", undefined],
])("formatPageRange: %s", (_title, first, last, pages) => expect(formatPageRange(first, last)).toBe(pages));
