import { expect, it } from "vitest";
import { findOrcid, readOrcids } from "../../../../shared/harvest/convert/orcids.ts";

const id = "0000-0002-1825-0097";

it.for<[string, string, string]>([
  ["first and last name", `${id} | Ada Miller`, id],
  ["last and first name", `${id} | Miller, Ada`, id],
  ["further information", ` ${id} | Ada Miller | taken from website`, id],
  ["the iD as a URL", `https://orcid.org/${id} | Ada Miller`, id],
  ["the iD as a URL without scheme, and a slash at its end", `orcid.org/${id}/ | Ada Miller`, id],
  ["a check digit in lower case", "0000-0002-1694-233x | Ada Miller", "0000-0002-1694-233x"],
])("a note with %s → the iD of its person", ([, note, expected]) => {
  const orcids = readOrcids(new Map([["orcid", [note]]]), () => {});
  expect(findOrcid({ firstName: "Ada", lastName: "Miller" }, orcids)).toBe(expected);
});

it.for(["Ida Miller", "ADA MILLER"])("a note for %s → none for Ada Miller", (name) => {
  const orcids = readOrcids(new Map([["orcid", [`${id} | ${name}`]]]), () => {});
  expect(findOrcid({ firstName: "Ada", lastName: "Miller" }, orcids)).toBeUndefined();
});

it("a name with brackets → no iD, as in delivered records", () => {
  const orcids = readOrcids(new Map([["orcid", [`${id} | Ada (Mia) Miller`]]]), () => {});
  expect(findOrcid({ firstName: "Ada (Mia)", lastName: "Miller" }, orcids)).toBeUndefined();
});

it.for([
  [id, `invalid ORCID information: "${id}"`],
  [
    "https://orcid.org/0000-0002-1825-0098 | Ada Miller",
    'invalid ORCID "https://orcid.org/0000-0002-1825-0098"',
  ],
  ["0000-0002 | Ada Miller", 'invalid ORCID "0000-0002"'],
] as const)("%s → left out, with a warning", ([note, warning]) => {
  const warnings: string[] = [];
  expect(readOrcids(new Map([["orcid", [note]]]), (text) => warnings.push(text)).size).toBe(0);
  expect(warnings).toEqual([warning]);
});

it("a bare iD with a wrong check digit → kept, as in the records that were delivered, with a warning", () => {
  const warnings: string[] = [];
  const orcids = readOrcids(new Map([["orcid", ["0000-0002-1825-0098 | Ada Miller"]]]), (text) =>
    warnings.push(text),
  );
  expect([...orcids]).toEqual([["Ada Miller", "0000-0002-1825-0098"]]);
  expect(warnings).toEqual(['ORCID "0000-0002-1825-0098" has a wrong check digit']);
});
