import { expect, it } from "vitest";
import { adviseOnState } from "../../local/state-advice.ts";

it.each([
  [Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" }), /free some space/],
  [new Error("database or disk is full"), /free some space/],
  [Object.assign(new Error("EACCES: permission denied, open"), { code: "EACCES" }), /let this user write/],
])("%s → says how to mend it, and not to delete the state", (error, advice) => {
  expect(adviseOnState(error)).toMatch(advice);
  expect(adviseOnState(error)).not.toMatch(/delete/);
});

it("a damaged database → to delete the state costs that everything is delivered again", () => {
  const advice = adviseOnState(new Error("file is not a database"));
  expect(advice).toMatch(/^file is not a database\. .* delete it, but .* delivers everything again\.$/);
});
