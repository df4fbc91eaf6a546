import { fieldsOf, subfieldValuesIn } from "../../marc/fields.ts";
import type { DataField, MarcRecord } from "../../marc/record.ts";

/** Punctuation of ISBD at the end of a subfield, which separates it from the next one in a catalogue card. */
const endPunctuation = /\s*[/:;,=]\s*$|\s+\.\s*$/;

/** Joins the subfields with these codes, in the order of the field. */
export function joinSubfields(field: DataField, codes: string, separator = " "): string {
  return field[2]
    .filter(([code]) => codes.includes(code))
    .map(([, value]) => value.trim())
    .filter((value) => value !== "")
    .join(separator)
    .replace(endPunctuation, "");
}

/** Returns the first value of a subfield without the punctuation at its end; undefined when it is empty. */
export function subfieldOf(field: DataField, code: string): string | undefined {
  const [value = ""] = subfieldValuesIn(field, code);
  const text = value.trim().replace(endPunctuation, "");
  return text === "" ? undefined : text;
}

/** Returns the fields whose tags match a pattern such as `100`, `7..` or `60[01]`, in order. */
export function fieldsMatching(record: MarcRecord, tags: string): DataField[] {
  const pattern = new RegExp(`^(?:${tags})$`);
  return record.fields.filter(([tag]) => pattern.test(tag));
}

/** The kinds of material that position 06 of the leader names, as MODS names them. */
const materials: readonly (readonly [codes: string, type: string])[] = [
  ["at", "text"],
  ["ef", "cartographic"],
  ["cd", "notated music"],
  ["i", "sound recording-nonmusical"],
  ["j", "sound recording-musical"],
  ["k", "still image"],
  ["g", "moving image"],
  ["r", "three dimensional object"],
  ["m", "software, multimedia"],
  ["po", "mixed material"],
];

/** Returns the type of resource. @see https://www.loc.gov/marc/bibliographic/bdleader.html */
export function materialOf({ leader }: MarcRecord): string | undefined {
  return materials.find(([codes]) => codes.includes(leader.charAt(6)))?.[1];
}

/** Returns the languages as codes of MARC: those of field 041 or, without one, that of field 008. */
export function languagesOf(record: MarcRecord): string[] {
  const stated = fieldsOf(record, "041").flatMap((field) => subfieldValuesIn(field, "a"));
  const fixed = record.control.find(([tag]) => tag === "008")?.[1].slice(35, 38) ?? "";
  const languages = stated.length > 0 ? stated : [fixed];
  return [...new Set(languages)].filter((code) => /^[a-z]{3}$/.test(code) && !notLanguages.has(code));
}

/** Codes that say that the language is unknown, or that there is none. */
const notLanguages: ReadonlySet<string> = new Set(["und", "zxx"]);
