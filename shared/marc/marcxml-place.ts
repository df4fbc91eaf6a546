import type { MarcXmlRecordBuilder } from "./marcxml-record-builder.ts";
import type { MalformedRecord, ReadOutcome } from "./read-outcome.ts";

/** Where records are in a document. Positions count characters (UTF-16) from the beginning of the document. */
export interface MarcXmlPlace {
  /** Where parsing begins. */
  at: number;
  line: number;
  /** Records before. */
  count: number;
  /** By prefix, the namespaces that are declared around the records. */
  namespaces: ReadonlyMap<string, string>;
  /** The name of the collection that they are in; undefined when they are in none. */
  collection: string | undefined;
}

/** A record that is being read. */
export interface OpenRecord {
  building: MarcXmlRecordBuilder;
  depth: number;
  line: number;
  /** Its place in the document, from 1. */
  number: number;
  /** Where its start tag ends. */
  contentAt: number;
}

/** The start tag that stands for those around the records. */
export function surroundingTag({
  collection,
  namespaces,
}: Pick<MarcXmlPlace, "collection" | "namespaces">): string {
  const declarations = [...namespaces].flatMap(([prefix, namespace]) =>
    prefix === "xml" ? [] : [` xmlns${prefix && ":"}${prefix}="${escapeAttribute(namespace)}"`],
  );
  return `<${collection ?? "resumed"}${declarations.join("")}>`;
}

/** A record whose end tag was read. */
export function finishedRecord({ building, number, line }: OpenRecord): ReadOutcome {
  const result = building.finish();
  if (typeof result !== "string") return { type: "record", record: result };
  return malformedRecord({ number, line, controlNumber: building.controlNumber }, result);
}

/** A record of MARCXML that cannot be used. */
export function malformedRecord(
  { number, line, controlNumber }: { number: number; line: number; controlNumber?: string | undefined },
  problem: string,
): MalformedRecord {
  const reason = `record ${number} at line ${line}: ${problem}`;
  return { type: "malformed", number, ...(controlNumber && { controlNumber }), reason };
}

function escapeAttribute(value: string): string {
  return value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
