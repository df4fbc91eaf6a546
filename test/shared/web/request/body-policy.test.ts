import { describe, expect, it } from "vitest";
import { applyBodyPolicy, type BodyPolicy } from "../../../../shared/web/request/body-policy.ts";

const html = "text/html; charset=utf-8";
const all: BodyPolicy[] = ["keep", "markup", "markup-if-inconclusive"];

describe("the bodies that are read", () => {
  it.each<[status: number, type: string | undefined, wishes: BodyPolicy[]]>([
    [200, html, all],
    [200, undefined, all],
    [200, "application/xhtml+xml", all],
    [200, "application/pdf", ["keep"]],
    [200, "image/png", ["keep"]],
    [300, html, all],
    [301, html, []],
    [308, "application/pdf", []],
    [403, html, all],
    [404, html, ["keep", "markup"]],
    [404, "application/pdf", ["keep"]],
    [410, html, ["keep", "markup"]],
    [429, html, ["keep", "markup"]],
    [500, html, ["keep", "markup"]],
    [999, html, all],
  ])("%d, %s → of %j", (status, type, wishes) => {
    const headers: Record<string, string> = type === undefined ? {} : { "content-type": type };
    const policies: BodyPolicy[] = ["discard", ...all];
    const wanted = policies.filter((policy) => applyBodyPolicy(policy, { status, headers }) === "keep");
    expect(wanted).toEqual(wishes);
  });

  it.each([
    [200, "text/html", { peekBytes: 16_384 }],
    [404, "text/html", { peekBytes: 16_384 }],
    [403, "application/xhtml+xml", { peekBytes: 16_384 }],
    [200, "application/pdf", "discard"],
    [301, "text/html", "discard"],
    [429, "text/html", "discard"],
    [503, "text/html", "discard"],
  ])("markup-start, %d of %s → %j", (status, type, expected) => {
    expect(applyBodyPolicy("markup-start", { status, headers: { "content-type": type } })).toEqual(expected);
  });

  it.each([
    ["stream", 200, "stream"],
    ["stream", 404, "stream"],
    ["stream", 301, "discard"],
  ] as const)("%s, %d → %s", (type, status, expected) => {
    const decision = applyBodyPolicy({ type, maxBytes: 1 }, { status, headers: {} });
    expect(typeof decision === "object" && "type" in decision ? decision.type : decision).toBe(expected);
  });
});
