import { describe, expect, it } from "vitest";
import { marcLanguage } from "../../../../shared/marc/language-codes.ts";
import { settings } from "../../../../shared/records/sources/settings.ts";
import { source } from "../../../../shared/records/sources/source.ts";

const minimal = {
  sourceId: "a-feed",
  title: "A",
  type: "RSS",
  url: "https://example.org/feed",
  groupId: "G",
};

describe("source", () => {
  it("only id, title, type, URL and group → valid", () => {
    expect(source.parse(minimal)).toMatchObject({
      ...minimal,
      deliveryMode: "NONE",
      additionalSelectors: [],
    });
  });

  it.for([
    [{ sourceId: "A feed" }, "sourceId"],
    [{ title: " " }, "title"],
    [{ title: "A\u202eB" }, "title"],
    [{ url: "ftp://example.org" }, "url"],
    [{ type: "FTP" }, "type"],
    [{ filters: { removeFields: [{ tag: "65", code: "a", pattern: "x" }] } }, "filters.removeFields.0.tag"],
    [{ filters: { addFields: ["000abc"] } }, "filters.addFields.0"],
    [{ filters: { addFields: ["650XY\u001fatext"] } }, "filters.addFields.0"],
    [{ filters: { addFields: ["650  \u001fatext\u001fétext"] } }, "filters.addFields.0"],
    [{ crawl: { urlRegex: "(" } }, "crawl.urlRegex"],
    [{ expectedLanguages: { codes: [] } }, "expectedLanguages.codes"],
  ] as const)("%j → a problem with %s", ([change, path]) => {
    expect(source.safeParse({ ...minimal, ...change }).error?.issues[0]?.path.join(".")).toBe(path);
  });
});

it("a default delay above the maximum → a problem with the maximum", () => {
  expect(settings.safeParse({ defaultDelayMs: 9000 }).error?.issues[0]?.path).toEqual(["maxDelayMs"]);
});

it.for([
  ["de", "ger"],
  ["deu", "ger"],
  ["ger", "ger"],
  ["nl", "dut"],
  ["ro", "rum"],
  ["syr", "syr"],
  ["xx", undefined],
] as const)("language %s → %s", ([code, marc]) => {
  expect(marcLanguage(code)).toBe(marc);
});
