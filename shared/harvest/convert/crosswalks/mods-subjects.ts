import type { DataField } from "../../../marc/record.ts";
import { childrenInOrder, type XmlElement } from "../../../xml/xml-tree.ts";
import { marcField, repeated } from "./marc-fields.ts";
import { readModsName } from "./mods-names.ts";
import { titleSubfields } from "./mods-titles.ts";
import { authorityOf, modsChildren, modsTexts } from "./mods-values.ts";
import { nameField } from "./names.ts";

/** The subdivisions by the type of a part, for parts after the first one. */
const subdivisions: ReadonlyMap<string, string> = new Map([
  ["mods:topic", "x"],
  ["mods:geographic", "z"],
  ["mods:temporal", "y"],
  ["mods:genre", "v"],
]);

/** The tags by the type of the first part. */
const tags: ReadonlyMap<string, string> = new Map([
  ["mods:topic", "650"],
  ["mods:geographic", "651"],
  ["mods:temporal", "648"],
  ["mods:genre", "655"],
  ["mods:occupation", "656"],
]);

/**
 * The subfields of 752 by the parts of hierarchicalGeographic.
 * @see https://www.loc.gov/marc/bibliographic/bd752.html
 */
const hierarchy: readonly (readonly [name: string, code: string])[] = [
  ["continent", "a"],
  ["country", "a"],
  ["region", "a"],
  ["territory", "a"],
  ["island", "a"],
  ["state", "b"],
  ["province", "b"],
  ["county", "c"],
  ["city", "d"],
  ["citySection", "f"],
  ["area", "g"],
  ["extraterrestrialArea", "h"],
];

/** Builds 043, 255, 600 to 656 and 752 from all subjects. */
export function modsSubjectFields(mods: XmlElement): DataField[] {
  return modsChildren(mods, "subject").flatMap(subjectFields);
}

function subjectFields(subject: XmlElement): DataField[] {
  const parts = childrenInOrder(subject).filter(({ text }) => text.trim() !== "");
  const coded = parts.flatMap(codedFields);
  const [first, ...rest] = parts.filter(
    ({ name }) => name === "mods:name" || name === "mods:titleInfo" || tags.has(name),
  );
  if (first === undefined) return coded;
  const { indicator, code } = authorityOf(subject, first);
  const divisions = rest.flatMap(({ name, text }) => {
    const division = subdivisions.get(name);
    return division === undefined ? [] : [[division, text] as const];
  });
  const uri = first.attributes.valueURI ?? subject.attributes.valueURI;
  const ending = [...divisions, ...repeated("0", uri === undefined ? [] : [uri]), ["2", code] as const];
  return [...coded, ...headingFields(first, indicator, ending)];
}

function headingFields(
  first: XmlElement,
  indicator: string,
  ending: Parameters<typeof marcField>[2][],
): DataField[] {
  if (first.name === "mods:titleInfo")
    return marcField("630", `0${indicator}`, ...titleSubfields(first), ...ending);
  if (first.name !== "mods:name") {
    const tag = tags.get(first.name) ?? "653";
    return marcField(tag, ` ${tag === "656" ? "7" : indicator}`, ["a", first.text], ...ending);
  }
  const name = readModsName(first);
  if (name === undefined) return [];
  const [field] = nameField({ ...name, authority: undefined }, "6", indicator);
  if (field === undefined) return [];
  const [tag, indicators, subfields] = field;
  return marcField(tag, indicators, ...subfields, ...ending);
}

/** Builds 043, 255 and 752. */
function codedFields(part: XmlElement): DataField[] {
  if (part.name === "mods:geographicCode") {
    const code = { marcgac: "a", iso3166: "c" }[part.attributes.authority ?? ""];
    return code === undefined ? [] : marcField("043", "  ", [code, part.text]);
  }
  if (part.name === "mods:hierarchicalGeographic") {
    return marcField(
      "752",
      "  ",
      ...hierarchy.flatMap(([name, code]) => repeated(code, modsTexts(part, name))),
    );
  }
  if (part.name !== "mods:cartographics") return [];
  const [scale] = modsTexts(part, "scale");
  const [projection] = modsTexts(part, "projection");
  const [coordinates] = modsTexts(part, "coordinates");
  return marcField("255", "  ", ["a", scale], ["b", projection], ["c", coordinates]);
}
