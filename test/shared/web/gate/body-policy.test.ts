import { describe, expect, it } from "vitest";
import { applyBodyPolicy, type BodyPolicy } from "../../../../shared/web/gate/body-policy.ts";

const html = "text/html; charset=utf-8";
const all: BodyPolicy[] = [true, "markup", "markup-if-inconclusive"];

describe("the bodies that are wanted", () => {
  it.each<[status: number, type: string | undefined, wishes: BodyPolicy[]]>([
    [200, html, all],
    [200, undefined, all],
    [200, "application/xhtml+xml", all],
    [200, "application/pdf", [true]],
    [200, "image/png", [true]],
    [300, html, all],
    [301, html, []],
    [308, "application/pdf", []],
    [403, html, all],
    [404, html, [true, "markup"]],
    [404, "application/pdf", [true]],
    [410, html, [true, "markup"]],
    [429, html, [true, "markup"]],
    [500, html, [true, "markup"]],
    [999, html, [true, "markup"]],
  ])("%d, %s → of %j", (status, type, wishes) => {
    const headers: Record<string, string> = type === undefined ? {} : { "content-type": type };
    const wanted = [false, ...all].filter((wish) => applyBodyPolicy(wish, { status, headers }) === "keep");
    expect(wanted).toEqual(wishes);
  });
});
