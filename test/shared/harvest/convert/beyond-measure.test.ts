import { describe, expect, it } from "vitest";
import { validateRecord } from "../../../../shared/deliver/validation/validate-record.ts";
import { convertItems } from "../../../../shared/harvest/convert/convert.ts";
import { contextOf, item, today } from "./fixtures.ts";

describe("oversized items", () => {
  it("a title of 50,000 characters → a record that validation refuses with the reason", () => {
    const [conversion] = convertItems([{ ...item, title: "x".repeat(50_000) }], contextOf(), { today });
    if (conversion?.type !== "converted") throw new Error("dropped");
    expect(conversion.title).toHaveLength(1_000);
    expect(validateRecord(conversion.record).findings.map(({ reason }) => reason)).toEqual([
      "245: the field has 50005 of 9999 possible bytes",
    ]);
  });

  it.for([
    [1_000, []],
    [2_000, [expect.stringMatching(/^LDR: the record has 1\d{5} of 99999 possible bytes$/)]],
  ] as const)("%i authors → a record with all of them, of which validation finds %j", ([count, reasons]) => {
    const creators = Array.from({ length: count }, (_, index) => ({
      firstName: "Ada",
      lastName: `Author-${index}`,
      creatorType: "author",
    }));
    const [conversion] = convertItems([{ ...item, creators }], contextOf(), { today });
    if (conversion?.type !== "converted") throw new Error("dropped");
    expect(conversion.record.fields.filter(([tag]) => tag === "700")).toHaveLength(count - 1);
    expect(validateRecord(conversion.record).findings.map(({ reason }) => reason)).toEqual(reasons);
  });

  const endless = "x".repeat(500_000);

  it.each<[string, object, string]>([
    ["a language", { language: endless }, "converted"],
    ["a title", { title: endless }, "converted"],
    ["a creator of an unknown kind", { creators: [{ creatorType: "author", foo: endless }] }, "converted"],
    ["an ORCID", { notes: [{ note: `orcid:${endless}` }] }, "converted"],
    ["a date", { date: endless }, "dropped"],
    ["a DOI", { DOI: `10.1234/${endless}` }, "dropped"],
    ["a URL", { url: `https://example.org/${endless}` }, "dropped"],
    ["a web page's URL", { itemType: "webpage", url: `https://example.org/${endless}` }, "dropped"],
  ])("%s without end → what is told beside the record has one", (_what, change, type) => {
    const [conversion] = convertItems([{ ...item, ...change }], contextOf(), { today: "2026-11-20" });
    expect(conversion?.type).toBe(type);
    const beside = { ...conversion, record: undefined };
    expect(JSON.stringify(beside).length).toBeLessThan(5_000);
  });

  it.each(["javascript:alert(1)", "not a url", "ftp://example.org/a"])(
    "url %s → a warning that names it",
    (url) => {
      const [conversion] = convertItems([{ ...item, url }], contextOf(), { today });
      expect(conversion?.type === "converted" && conversion.warnings).toEqual([
        `url "${url}" is not an http or https URL and was left out`,
      ]);
    },
  );

  it("an invalid DOI → a warning with it", () => {
    const [conversion] = convertItems([{ ...item, DOI: "garbage" }], contextOf(), { today });
    expect(conversion?.type === "converted" && conversion.warnings).toEqual([
      'DOI "garbage" is invalid and was left out',
    ]);
  });

  it("many warnings → the first 20 and the number of further ones", () => {
    const creators = Array.from({ length: 30 }, () => ({ name: "A B", creatorType: "chef" }));
    const [conversion] = convertItems([{ ...item, creators }], contextOf(), { today });
    expect(conversion?.type === "converted" && conversion.warnings).toHaveLength(21);
    expect(conversion?.type === "converted" && conversion.warnings.at(-1)).toBe("and 10 more");
  });
});
