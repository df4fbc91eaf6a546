import { describe, expect, it } from "vitest";
import {
  authorityLookupUrl,
  buildAuthorityLookup,
  parseAuthorityPage,
} from "../../../../shared/harvest/authority/authority.ts";
import type { Authority } from "../../../../shared/harvest/convert/authorities.ts";
import type { NewSource } from "../../../../shared/records/sources/source.ts";
import { contextOf } from "../convert/fixtures.ts";

const unknown: Authority = { type: "unknown" };
const number = (text: string): Authority => ({ type: "identified", number: text });

describe("readAuthorityPage", () => {
  it.for<[string, string, Authority]>([
    ["a link", '<a href="http://d-nb.info/gnd/118629743">', number("118629743")],
    ["a link of today", '<a href="https://d-nb.info/gnd/118629743/about">', number("118629743")],
    ["a check digit", "https://d-nb.info/gnd/11868644X", number("11868644X")],
    ["a number with a hyphen", "d-nb.info/gnd/4049712-4<br>", number("4049712-4")],
    [
      "a pope",
      "<b>Johannes Paul II., Papst, 1920-2005</b> d-nb.info/gnd/118558064",
      { type: "identified", number: "118558064", title: "Papst" },
    ],
    [
      "a king",
      "Karl III., Großbritannien, König d-nb.info/gnd/1",
      { type: "identified", number: "1", title: "König" },
    ],
    ["a person named König", "Anna König d-nb.info/gnd/1", number("1")],
    ["two persons", "d-nb.info/gnd/1 d-nb.info/gnd/2", number("1")],
    ["no link", "<p>Nobody of that name</p>", unknown],
    ["another host", "https://evil-d-nb.info.example/gnd/1", unknown],
    ["a number of 450 KB", `d-nb.info/gnd/${"1".repeat(450_000)}`, unknown],
    ["a link without a number", "https://d-nb.info/gnd/", unknown],
    ["nothing", "", unknown],
  ])("a page with %s → its person, if any", ([, page, authority]) => {
    expect(parseAuthorityPage(page)).toEqual(authority);
  });
});

describe("lookups", () => {
  it("a name → encoded behind the address, under the same id each time", () => {
    const lookup = buildAuthorityLookup("Müller, Jörg & Co", "https://example.org/q=");
    expect(lookup.url).toBe("https://example.org/q=M%C3%BCller%2C%20J%C3%B6rg%20%26%20Co");
    expect(buildAuthorityLookup("Müller, Jörg & Co", "https://example.org/q=").lookupId).toBe(
      lookup.lookupId,
    );
    expect(buildAuthorityLookup("Müller, Jörg & Co", "https://example.net/q=").lookupId).not.toBe(
      lookup.lookupId,
    );
  });

  const groupUrl = "https://example.org/group?q=";
  const partUrl = "https://example.org/part?q=";

  it.for<[string, Partial<NewSource>, string | undefined, string | undefined]>([
    ["a group", {}, groupUrl, groupUrl],
    ["a group that looks nothing up", {}, undefined, undefined],
    ["a subgroup with an address", { subgroupId: "Part" }, groupUrl, partUrl],
    ["a subgroup without one", { subgroupId: "Silent" }, groupUrl, groupUrl],
    ["a subgroup that is not configured", { subgroupId: "Gone" }, groupUrl, groupUrl],
  ])("of %s → its address", ([, source, authorLookupUrl, expected]) => {
    const context = contextOf({
      source,
      group: { authorLookupUrl },
      settings: { subgroups: [{ subgroupId: "Part", authorLookupUrl: partUrl }, { subgroupId: "Silent" }] },
    });
    expect(authorityLookupUrl(context.source, context.group, context.settings)).toBe(expected);
  });
});
