import { describe, expect, it } from "vitest";
import { type BodyWish, wantedBody } from "../../../../shared/web/gate/wanted-body.ts";

const html = "text/html; charset=utf-8";
const all: BodyWish[] = [true, "documents", "undecided"];

describe("the bodies that are wanted", () => {
  it.each<[status: number, type: string | undefined, wishes: BodyWish[]]>([
    [200, html, all],
    [200, undefined, all],
    [200, "application/xhtml+xml", all],
    [200, "application/pdf", [true]],
    [200, "image/png", [true]],
    [300, html, all],
    [301, html, []],
    [308, "application/pdf", []],
    [403, html, all],
    [404, html, [true, "documents"]],
    [404, "application/pdf", [true]],
    [410, html, [true, "documents"]],
    [429, html, [true, "documents"]],
    [500, html, [true, "documents"]],
    [999, html, [true, "documents"]],
  ])("%d, %s → of %j", (status, type, wishes) => {
    const headers: Record<string, string> = type === undefined ? {} : { "content-type": type };
    const wanted = [false, ...all].filter((wish) => wantedBody(wish, { status, headers }) === "keep");
    expect(wanted).toEqual(wishes);
  });
});
