import { isBodyName } from "../../../formats/body-names.ts";
import { parseCreatorName } from "../../../formats/creator-names.ts";
import { collapseSpace } from "../../../formats/plain-text.ts";
import type { DataField } from "../../../marc/record.ts";
import { marcField, repeated } from "./marc-fields.ts";

export type NameKind = "personal" | "corporate" | "conference";

export interface ResourceName {
  kind: NameKind;
  /** The name; that of a person is inverted: "Last, First". */
  name: string;
  /** The subordinate units of a body. */
  units?: string[];
  /** Titles and other words that accompany a name. */
  titles?: string[];
  dates?: string;
  /** Relator codes. @see https://www.loc.gov/marc/relators/relaterm.html */
  codes: string[];
  /** The relator terms that have no code. */
  terms?: string[];
  affiliations?: string[];
  /** The address of the authority record. */
  authority?: string | undefined;
}

/** The maximum length of a text that is searched for words of bodies. */
export const maxNameChars = 200;

const tags = { personal: "00", corporate: "10", conference: "11" } as const;

/** Builds 1XX for the first name with the role of a creator, and 7XX for all other names. */
export function nameFields(
  names: readonly ResourceName[],
  isCreator: (name: ResourceName) => boolean,
): DataField[] {
  const main = names.find(isCreator);
  return names.flatMap((name) => nameField(name, name === main ? "1" : "7"));
}

/**
 * Builds the field of a name.
 * @param series the first digit of the tag: 1, 6, 7 or 8
 */
export function nameField(name: ResourceName, series: string, secondIndicator = " "): DataField[] {
  const { kind, codes, terms = [], units = [], titles = [], dates, affiliations = [], authority } = name;
  const indicator = kind === "personal" ? (name.name.includes(",") ? "1" : "0") : "2";
  return marcField(
    `${series}${tags[kind]}`,
    `${indicator}${secondIndicator}`,
    ["a", name.name],
    ...repeated("b", kind === "corporate" ? units : []),
    ...repeated("c", titles),
    ["d", dates],
    ...repeated(kind === "conference" ? "j" : "e", terms),
    ...repeated("u", affiliations),
    ...repeated("0", authority === undefined ? [] : [authority]),
    ...repeated("4", codes),
  );
}

/**
 * Parses the names in a value of Dublin Core, which contains one name, or several names separated by semicolons. If a
 * person's name is followed by a text that is obviously a body, this text is the affiliation, as in Open Journal
 * Systems.
 * @returns the names, and parts that are not names, such as an address
 */
export function parseNames(value: string, code: string): { names: ResourceName[]; others: string[] } {
  const names: ResourceName[] = [];
  const others: string[] = [];
  for (const part of collapseSpace(value)
    .split(";")
    .map((each) => each.trim())
    .filter(Boolean)) {
    const before = names.at(-1);
    const parsed = parseName(part, code);
    if (parsed === undefined) others.push(part);
    else if (before?.kind === "personal" && parsed.kind === "corporate")
      before.affiliations = [...(before.affiliations ?? []), part];
    else names.push(parsed);
  }
  return { names, others };
}

/** Parses a name as it is written; only the order of a person's names is changed. */
function parseName(text: string, code: string): ResourceName | undefined {
  if (text.length <= maxNameChars && isBodyName(text))
    return { kind: "corporate", name: text, codes: [code] };
  const creator = parseCreatorName(text);
  if (creator === undefined) return undefined;
  const { name, firstName, lastName } = creator;
  const isInverted = /^[^,]+,\s*\S/.test(text);
  return { kind: "personal", name: isInverted ? text : (name ?? `${lastName}, ${firstName}`), codes: [code] };
}
