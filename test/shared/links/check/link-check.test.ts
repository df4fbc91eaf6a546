import { describe, expect, it } from "vitest";
import { draftCheck } from "../../../../shared/links/check/link-check.ts";
import { type NewLinkRule, readRule } from "../../../../shared/links/rule/rule.ts";

describe("the draft of a check", () => {
  it.each<[rule: NewLinkRule, isKnown: boolean, bodyPolicy: unknown]>([
    [{ xpath: "//p" }, true, "markup-if-inconclusive"],
    [{ xpath: "//p" }, false, "markup-if-inconclusive"],
    [{ statusCodes: "403" }, true, "markup-start"],
    [{ xpath: " " }, true, "markup-start"],
    // It may have an XPath by the time of the response.
    [{}, false, "markup-if-inconclusive"],
  ])("%j, known to the judge: %s → keeps %s", (input, isKnown, bodyPolicy) => {
    const rule = readRule(input);
    const check = {
      checkId: "x",
      recordId: "r",
      collectionId: "c",
      requestedAt: "2026-11-20T12:00:00.000Z",
      purpose: { type: "record" as const, attempt: 0 },
      ...(isKnown && { known: { rule, isSuppressed: false } }),
    };
    expect(draftCheck("https://a.example/1", check, { rule })).toMatchObject({ bodyPolicy });
  });
});
