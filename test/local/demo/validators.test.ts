import { describe, expect, it } from "vitest";
import { isUnchanged, validatorsOf } from "../../../local/demo/validators.ts";

const validators = validatorsOf("a page", new Date("2026-09-01T00:00:00Z"));
const { etag } = validators;

describe("isUnchanged", () => {
  it.each([
    ["no condition", {}, false],
    ["its entity tag", { "if-none-match": etag }, true],
    ["its entity tag, weak and in a list", { "if-none-match": `"older", W/${etag}` }, true],
    ["any entity tag", { "if-none-match": "*" }, true],
    ["another entity tag", { "if-none-match": '"older"' }, false],
    ["its date", { "if-modified-since": "Tue, 01 Sep 2026 00:00:00 GMT" }, true],
    ["an earlier date", { "if-modified-since": "Mon, 31 Aug 2026 23:59:59 GMT" }, false],
    ["no date at all", { "if-modified-since": "yesterday" }, false],
    [
      "another entity tag and its date",
      { "if-none-match": '"older"', "if-modified-since": "Tue, 01 Sep 2026 00:00:00 GMT" },
      false,
    ],
  ])("%s → %s", (_, headers, unchanged) => {
    expect(isUnchanged(validators, headers)).toBe(unchanged);
  });
});
