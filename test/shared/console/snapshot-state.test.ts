import { expect, it } from "vitest";
import { type Definition, stateOf } from "../../../shared/snapshots/pages/snapshots.ts";

it.each([
  [{ isActive: false, jobIds: [] }, "inactive"],
  [{ isActive: true, jobIds: [] }, "waiting"],
  [{ isActive: true, jobIds: [1] }, "begun"],
  [{ isActive: true, jobIds: [1], endedAt: "2026-11-22T12:00:00Z" }, "ended"],
  [{ isActive: false, jobIds: [1], endedAt: "2026-11-22T12:00:00Z" }, "ended"],
] satisfies [Partial<Definition>, string][])("a snapshot %j → %s", (given, expected) => {
  expect(stateOf(given as Definition)).toBe(expected);
});
