import { expect, it } from "vitest";
import { IdentifierSet } from "../../../../local/cli/harvest/identifier-set.ts";

it("300,000 identifiers that differ in one character → each is new once", () => {
  const set = new IdentifierSet();
  const identifiers = Array.from({ length: 300_000 }, (_, number) => `oai:repository.example:${number}`);
  expect(identifiers.filter((identifier) => set.add(identifier))).toHaveLength(300_000);
  expect(identifiers.filter((identifier) => set.add(identifier))).toEqual([]);
  expect(set.size).toBe(300_000);
});
