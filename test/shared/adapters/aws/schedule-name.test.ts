import { expect, it } from "vitest";
import { scheduleName } from "../../../../shared/adapters/aws/schedules.ts";

const accepted = /^[\w.-]{1,64}$/;

it.each([
  ["deadline-live-20261120T190000Z", "deadline-live-20261120T190000Z"],
  [`recheck-${"a".repeat(56)}`, `recheck-${"a".repeat(56)}`],
  [`recheck-${"a".repeat(57)}`, expect.stringMatching(/^recheck-a{24}-[\w-]{16}$/)],
  ["recheck-https://host.example/ä?b", expect.stringMatching(/^recheck-https___host.example__b?[\w-]*$/)],
])("the name %s → %s, which the service accepts", (name, expected) => {
  expect(scheduleName(name)).toEqual(expected);
  expect(scheduleName(name)).toMatch(accepted);
});

it("two long ids with the same beginning → two names", () => {
  const id = (last: string) => scheduleName(`recheck-${"a".repeat(100)}${last}`);
  expect(id("1")).not.toBe(id("2"));
});
