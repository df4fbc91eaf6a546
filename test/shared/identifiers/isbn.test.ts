import { expect, it } from "vitest";
import { normalizeIsbns } from "../../../shared/identifiers/isbn.ts";

it("ISBN with hyphens and ISBN-10 → digits only", () => {
  expect(normalizeIsbns(["978-3-16-148410-0", "0-306-40615-x"])).toBe("9783161484100, 030640615X");
});
