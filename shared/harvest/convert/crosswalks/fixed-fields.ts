import type { ControlField, DataField } from "../../../marc/record.ts";
import { marcField } from "./marc-fields.ts";
import type { PublicationYears } from "./publication-years.ts";

/** The data for the fixed fields of a record. */
export interface FixedData {
  /** Leader/06. @see https://www.loc.gov/marc/bibliographic/bdleader.html */
  recordType: string;
  /** Leader/07. */
  level: string;
  /** Leader/17 and 18. */
  encoding: string;
  isOnline: boolean;
  years: PublicationYears | undefined;
  /** 008/00-05; blank when the date is unknown. */
  entered?: string | undefined;
  /** 008/06, when it does not follow from the years. */
  dateType?: string | undefined;
  /** 008/15-17: a MARC country code. */
  country?: string | undefined;
  /** 008/35-37: a MARC language code. */
  language?: string | undefined;
  /** 008/18-34 by position. */
  details?: Readonly<Record<number, string>>;
}

/** @see https://www.loc.gov/marc/bibliographic/bdleader.html */
export function buildLeader({ recordType, level, encoding }: FixedData): string {
  return `00000n${recordType}${level} a2200445${encoding} 4500`;
}

/**
 * Builds 006 and 007 of online resources, 007 of other resources, and 008. Positions about which a document contains
 * nothing get a fill character. The date of entry stays blank, because a record must not change from day to day.
 * @see https://www.loc.gov/marc/bibliographic/bd008a.html
 */
export function buildControlFields(data: FixedData): ControlField[] {
  const { recordType, isOnline, years, entered, country, language, details = {} } = data;
  const first = years?.first ?? "uuuu";
  const last = years === undefined ? "uuuu" : (years.last ?? "    ");
  const specific = [...Array(17).keys()].map((at) => details[at + 18] ?? "|").join("");
  return [
    ...(isOnline && recordType !== "m" ? [["006", "m    |o  | |      "] as ControlField] : []),
    ["007", isOnline ? "cr|||||" : recordType === "a" ? "tu" : "zu"],
    [
      "008",
      `${entered ?? "      "}${dateType(data)}${first}${last}${(country ?? "xx").padEnd(3)}${specific}${language ?? "|||"}||`,
    ],
  ];
}

function dateType({ dateType: stated, years }: FixedData): string {
  if (stated !== undefined) return stated;
  if (years === undefined) return "n";
  return years.last !== undefined ? "m" : years.isUncertain ? "q" : "s";
}

/**
 * The content types by leader/06.
 * @see https://www.loc.gov/standards/valuelist/rdacontent.html
 */
const contentTypes: Readonly<Record<string, readonly [term: string, code: string]>> = {
  a: ["text", "txt"],
  c: ["notated music", "ntm"],
  d: ["notated music", "ntm"],
  e: ["cartographic image", "cri"],
  f: ["cartographic image", "cri"],
  g: ["two-dimensional moving image", "tdi"],
  i: ["spoken word", "spw"],
  j: ["performed music", "prm"],
  k: ["still image", "sti"],
  m: ["computer dataset", "cod"],
  r: ["three-dimensional form", "tdf"],
  t: ["text", "txt"],
};

/** Builds 336, and for online resources 337 and 338; the carrier of other resources is not known. */
export function buildTypeFields({
  recordType,
  isOnline,
}: Pick<FixedData, "recordType" | "isOnline">): DataField[] {
  const [term, code] = contentTypes[recordType] ?? ["unspecified", "zzz"];
  return [
    ...marcField("336", "  ", ["a", term], ["b", code], ["2", "rdacontent"]),
    ...(isOnline
      ? [
          ...marcField("337", "  ", ["a", "computer"], ["b", "c"], ["2", "rdamedia"]),
          ...marcField("338", "  ", ["a", "online resource"], ["b", "cr"], ["2", "rdacarrier"]),
        ]
      : []),
  ];
}
