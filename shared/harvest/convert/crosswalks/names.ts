import { classifyName } from "../../../formats/body-names.ts";
import { parseCreatorName, splitNames } from "../../../formats/creator-names.ts";
import { splitRegnalName, stripBrackets, tidyName } from "../../../formats/personal-names.ts";
import { collapseSpace } from "../../../formats/plain-text.ts";
import type { DataField } from "../../../marc/record.ts";
import { marcField, repeated } from "./marc-fields.ts";

/** The kind of an `uncontrolled` name is not known. */
export type NameKind = "personal" | "corporate" | "conference" | "uncontrolled";

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

const tags = { personal: "00", corporate: "10", conference: "11", uncontrolled: "00" } as const;

/**
 * Builds 1XX for the first name with the role of a creator, and 7XX for all other names. A name whose kind is not known
 * is 720, and never the main entry.
 */
export function nameFields(
  names: readonly ResourceName[],
  isCreator: (name: ResourceName) => boolean,
): DataField[] {
  const main = names.find((name) => name.kind !== "uncontrolled" && isCreator(name));
  return names.flatMap((name) =>
    name.kind === "uncontrolled"
      ? marcField(
          "720",
          "  ",
          ["a", name.name],
          ...repeated("e", name.terms ?? []),
          ...repeated("4", name.codes),
        )
      : nameField(name, name === main ? "1" : "7"),
  );
}

/**
 * Builds the field of a name.
 * @param series the first digit of the tag: 1, 6, 7 or 8
 */
export function nameField(name: ResourceName, series: string, secondIndicator = " "): DataField[] {
  const { kind, codes, terms = [], units = [], titles = [], dates, affiliations = [], authority } = name;
  const isPersonal = tags[kind] === "00";
  const indicator = isPersonal ? (name.name.includes(",") ? "1" : "0") : "2";
  const regnal = isPersonal ? splitRegnalName(name.name) : undefined;
  return marcField(
    `${series}${tags[kind]}`,
    `${indicator}${secondIndicator}`,
    ["a", regnal?.name ?? name.name],
    ["b", regnal && `${regnal.numeral}.`],
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
  for (const part of splitNames(collapseSpace(value))
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
  const named = readName(text);
  return named && { ...named, codes: [code] };
}

/**
 * Reads a name whose kind its source does not state. A person's name is inverted, without signs and academic titles; all
 * other names are unchanged.
 * @returns undefined for a text that is not a name
 */
export function readName(text: string): Pick<ResourceName, "kind" | "name"> | undefined {
  const creator = parseCreatorName(text);
  if (creator === undefined) return undefined;
  const tidy = tidyName(text);
  const kind = classifyName(tidy.includes(",") ? tidy : stripBrackets(tidy));
  if (kind !== "person") return { kind: kind === "body" ? "corporate" : "uncontrolled", name: text };
  const { name, firstName, lastName } = creator;
  const isInverted = /^[^,]+,\s*\S/.test(tidy);
  return { kind: "personal", name: isInverted ? tidy : (name ?? `${lastName}, ${firstName}`) };
}
