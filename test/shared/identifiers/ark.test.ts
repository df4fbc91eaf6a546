import { describe, expect, it } from "vitest";
import { containsArk, formatArk, parseArk } from "../../../shared/identifiers/ark.ts";

describe("parseArk", () => {
  it.each([
    ["ark:/80444/xv43658", "ark:/80444/xv43658"],
    ["ark:80444/xv43658", "ark:/80444/xv43658"],
    [" ARK:/80444/xv43658 ", "ark:/80444/xv43658"],
    ["ark:/80444/xv-436-58", "ark:/80444/xv43658"],
    ["ark:/80444/xv43658/", "ark:/80444/xv43658"],
    ["ark:/80444/xv43658/c2.v1", "ark:/80444/xv43658/c2.v1"],
    ["ark%3A%2F80444%2Fxv43658", "ark:/80444/xv43658"],
    ["ark:/B5072/xv4", "ark:/b5072/xv4"],
    ["ark:/80444/", undefined],
    ["ark:/80444", undefined],
    ["ark:/80444/--", undefined],
    ["80444/xv43658", undefined],
    ["ark:/80444/xv4 3658", undefined],
    ['ark:/80444/xv4"}', undefined],
    ["ark:/80444/xv43658 or 1=1", undefined],
    ["ark:/al/xv43658", undefined],
    ["", undefined],
  ])("%j → %j", (text, expected) => {
    const ark = parseArk(text);
    expect(ark && formatArk(ark)).toBe(expected);
  });
});

describe("containsArk", () => {
  const ark = "ark:/80444/xv43658";
  it.each([
    ["itself", ark, true],
    ["in a URL", `https://archiveswest.orbiscascade.org/${ark}`, true],
    ["without the slash after the label", "https://n2t.net/ark:80444/xv43658", true],
    ["a longer name", `${ark}9`, false],
    ["the beginning of a name", "ark:/80444/xv4365", false],
    ["a name that continues behind a hyphen", `${ark}-2`, false],
    ["a hyphen that means nothing", "ark:/80444/xv4-3658", true],
    ["a part of the object", `${ark}/c2`, true],
    ["a variant of the object", `${ark}.pdf`, true],
    ["the end of a sentence", `See ${ark}.`, true],
    ["a query behind it", `http://n2t.net/${ark}?info`, true],
    ["a fragment behind it", `http://n2t.net/${ark}#top`, true],
    ["in brackets", `(${ark})`, true],
    ["another NAAN", "ark:/80445/xv43658", false],
    ["another case of the name", "ark:/80444/XV43658", false],
    ["another case of the label", "ARK:/80444/xv43658", true],
    ["a second ARK in the text", `ark:/80444/xv1; ${ark}`, true],
    ["percent-encoded in a URL", "https://a.example/?id=ark%3A%2F80444%2Fxv43658", true],
    ["a broken escape beside it", `100%zz ${ark}`, true],
    ["a word that ends on ark", "bookmark:/80444/xv43658", false],
    ["the name alone", "80444/xv43658", false],
  ])("%s: %j → %j", (_title, text, expected) => {
    expect(containsArk(text, parseArk(ark))).toBe(expected);
  });

  it.each([
    ["https://n2t.net/ark:/12148/btv1b8449691v", true],
    ["ark:12148/btv1b8449691v/f29", true],
    ["ark:/12148/", false],
    ["Noah's ark: a story", false],
    ["http://hdl.handle.net/10/1", false],
  ])("any in %j → %j", (text, expected) => {
    expect(containsArk(text, undefined)).toBe(expected);
  });

  it("a part that is asked for → not in the ARK of the whole", () => {
    expect(containsArk(ark, parseArk(`${ark}/c2`))).toBe(false);
    expect(containsArk(`${ark}/c2.v1`, parseArk(`${ark}/c2`))).toBe(true);
    expect(containsArk(`${ark}/c21`, parseArk(`${ark}/c2`))).toBe(false);
  });

  it("a text of a million characters → no slow search", () => {
    expect(containsArk(`${"ark:/8/%".repeat(125_000)}`, parseArk(ark))).toBe(false);
  });
});
