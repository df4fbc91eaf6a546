import { describe, expect, it } from "vitest";
import { srcsetUrls } from "../../../../shared/formats/page/srcset.ts";

describe("srcsetUrls", () => {
  it.each([
    ["", []],
    ["a.png", ["a.png"]],
    [" a.png 1x, b.png 2x ", ["a.png", "b.png"]],
    ["a.png,b.png", ["a.png,b.png"]],
    ["a.png, b.png", ["a.png", "b.png"]],
    ["a.png 100w,b.png 200w", ["a.png", "b.png"]],
    ["a.png (x, y) 1x, b,c.png 2x", ["a.png", "b,c.png"]],
    ["data:image/png;base64,AAA= 1x, b.png 2x", ["data:image/png;base64,AAA=", "b.png"]],
    [",, a.png,, b.png,", ["a.png", "b.png"]],
    ["a.png 1x (unclosed, b.png", ["a.png"]],
    [",,,", []],
  ])("of %j → %j", (srcset, urls) => {
    expect(srcsetUrls(srcset)).toEqual(urls);
  });

  it("a hostile value of 1 MB → at once", () => {
    for (const part of ["a ", "a(", ", ", ",", "a,", "a 1x(", "a"]) srcsetUrls(part.repeat(500_000));
  });
});
