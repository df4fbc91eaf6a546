import { collapseSpace } from "../../../formats/plain-text.ts";
import { findFieldDoi } from "../../../identifiers/doi.ts";
import { MarcXmlParser } from "../../../marc/marcxml-parser.ts";
import type { DataField, MarcRecord } from "../../../marc/record.ts";
import type { CrosswalkResult } from "./described-resource.ts";
import { buildControlFields } from "./fixed-fields.ts";
import { marcField } from "./marc-fields.ts";

/**
 * Takes a MARCXML record unchanged, with two exceptions. Its number is moved to 035, because 001 and 003 belong to the
 * aggregator. 007 and 008 are added if they are missing, because a record needs them.
 * @see https://www.loc.gov/standards/marcxml/
 * @see https://www.loc.gov/marc/bibliographic/bd035.html
 */
export function describeMarcXml(raw: string): CrosswalkResult {
  const parser = new MarcXmlParser();
  try {
    parser.write(raw);
    parser.close();
  } catch (error) {
    return { type: "unreadable", detail: (error as Error).message };
  }
  const [first, ...others] = parser.ready;
  if (first === undefined) return { type: "unreadable", detail: "it has no record" };
  if (first.type !== "record") return { type: "unreadable", detail: first.reason };
  const { record } = first;
  const [url] = linksOf(record);
  const year = /^.{7}([12]\d{3})/.exec(controlValue(record, "008") ?? "")?.[1];
  const doi = doiOf(record);
  return {
    type: "described",
    resource: {
      leader: record.leader,
      control: controlFields(record, url !== undefined),
      fields: [...record.fields, ...numberField(record)],
      title: titleOf(record),
      ...(doi !== undefined && { doi }),
      ...(year !== undefined && { date: year }),
      ...(url !== undefined && { url }),
      warnings: others.length > 0 ? [`the first of ${others.length + 1} records is taken`] : [],
    },
  };
}

function controlFields(record: MarcRecord, isOnline: boolean): MarcRecord["control"] {
  const kept = record.control.filter(([tag, value]) => tag !== "001" && tag !== "003" && value.trim() !== "");
  const has = (tag: string) => kept.some(([each]) => each === tag);
  const recordType = record.leader.charAt(6);
  const built = buildControlFields({ recordType, level: "", encoding: "", isOnline, years: undefined });
  return [...kept, ...built.filter(([tag]) => tag !== "006" && !has(tag))];
}

/** Builds 035, which contains the record's own number, with the code of the institution that assigned it. */
function numberField(record: MarcRecord): DataField[] {
  const number = controlValue(record, "001")?.trim();
  if (number === undefined || number === "") return [];
  const agency = controlValue(record, "003")?.trim();
  const known = subfields(record, "035", "a");
  const value = agency ? `(${agency})${number}` : number;
  return known.includes(value) ? [] : marcField("035", "  ", ["a", value]);
}

/** Returns the URLs in 856 $u. Those of the resource itself come first. */
function linksOf({ fields }: MarcRecord): string[] {
  const links = fields.filter(([tag]) => tag === "856");
  const isOwn = ([, indicators]: DataField) => !indicators.endsWith("2");
  return [...links.filter(isOwn), ...links.filter((field) => !isOwn(field))].flatMap(([, , parts]) =>
    parts
      .filter(([code, value]) => code === "u" && /^https?:\/\//i.test(value.trim()))
      .map(([, value]) => value.trim()),
  );
}

function titleOf({ fields }: MarcRecord): string {
  const [, , parts = []] = fields.find(([tag]) => tag === "245") ?? [];
  const of = (code: string) =>
    parts.filter(([each]) => each === code).map(([, value]) => collapseSpace(value));
  return [...of("a").slice(0, 1), ...of("b").slice(0, 1)].join(" ").replace(/ ?[/:=;,] ?$/, "");
}

function doiOf({ fields }: MarcRecord): string | undefined {
  const found = fields.find(
    ([tag, , parts]) => tag === "024" && parts.some(([code, value]) => code === "2" && value === "doi"),
  );
  return findFieldDoi(found?.[2].find(([code]) => code === "a")?.[1] ?? "");
}

function controlValue({ control }: MarcRecord, tag: string): string | undefined {
  return control.find(([each]) => each === tag)?.[1];
}

function subfields({ fields }: MarcRecord, tag: string, code: string): string[] {
  return fields.flatMap(([each, , parts]) =>
    each === tag ? parts.filter(([own]) => own === code).map(([, value]) => value) : [],
  );
}
