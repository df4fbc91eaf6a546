import { describe, expect, it } from "vitest";
import { Scope } from "../../../../shared/snapshots/capture/scope.ts";

const check = (seeds: string[], url: string, hop: "L" | "E" | "R" | "M" = "L", hops = "") =>
  new Scope({ seeds, maxDepth: 2 }).pathTo({ url, hop }, hops);

describe("scope", () => {
  it.each([
    ["http://a.example/", "http://a.example/x"],
    // A domain has its subdomains, and one of them its siblings.
    ["https://journal.example/", "https://www.journal.example/x"],
    ["https://journal.example/", "https://static.old.journal.example/x"],
    ["https://www.journal.example/", "http://journal.example:8080/x"],
    ["https://bücher.example/", "https://archiv.xn--bcher-kva.example/"],
    ["http://192.0.2.1:81/", "http://192.0.2.1/"],
  ])("%s: a link to %s → captured", (seed, url) => {
    expect(check([seed], url)).toEqual("L");
  });

  it.each([
    ["https://journal.example/", "https://otherjournal.example/"],
    // Those of a public suffix belong to different owners.
    ["https://one.github.io/", "https://two.github.io/"],
    ["https://one.ac.uk/", "https://two.ac.uk/"],
    ["http://192.0.2.1/", "http://192.0.2.2/"],
  ])("%s: a link to %s → another site", (seed, url) => {
    expect(check([seed], url)).toEqual(undefined);
  });

  it.each([
    ["a part on another site", "E", "", "E"],
    ["a redirect to another site", "R", "L", "LR"],
    ["a part of a part, five times", "E", "EEEE", "EEEEE"],
    ["six times", "E", "EEEEE", undefined],
    ["twenty redirects", "R", "R".repeat(20), undefined],
  ] as const)("%s → %j", (_title, hop, hops, expected) => {
    expect(check(["http://a.example/"], "http://b.test/x", hop, hops)).toEqual(expected);
  });

  it.each([
    // What a sitemap lists is as deep as the links of a seed.
    [1, "M", "P", "PM"],
    [1, "L", "PM", "PML"],
    [1, "M", "PM", "PMM"],
    [1, "L", "PML", undefined],
    [0, "M", "P", undefined],
  ] as const)("depth %i: %s after %s → %j", (maxDepth, hop, hops, expected) => {
    const scope = new Scope({ seeds: ["http://a.example/"], maxDepth });
    expect(scope.pathTo({ url: "http://a.example/sitemap.xml", hop }, hops)).toEqual(expected);
  });

  it.each([
    ["too deep", "http://a.example/x", "LL"],
    ["a segment three times", "http://a.example/x/y/x/x", ""],
    ["a URL that is too long to be requested", `http://a.example/${"x".repeat(8192)}`, ""],
    ["21 segments", `http://a.example/${Array.from({ length: 21 }, (_, n) => n).join("/")}`, ""],
  ])("%s → not captured", (_title, url, hops) => {
    expect(check(["http://a.example/"], url, "L", hops)).toBeUndefined();
  });
});
