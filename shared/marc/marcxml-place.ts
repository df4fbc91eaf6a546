import type { MarcXmlRecordBuilder } from "./marcxml-record-builder.ts";
import type { MalformedRecord, ReadOutcome } from "./read-outcome.ts";

/**
 * The place at which parsing of records begins in a document. Positions count characters (UTF-16) from the beginning of
 * the document.
 */
export interface MarcXmlPlace {
  /** The position at which parsing begins. */
  at: number;
  line: number;
  /** Whether a collection or a record began before the place. Otherwise the place is the beginning of one. */
  isMarc: boolean;
  /** The number of records before the place. */
  count: number;
  /** The namespaces that the elements around the records declare, by prefix. */
  namespaces: ReadonlyMap<string, string>;
  /** The name of the collection that contains the records; undefined when there is no collection. */
  collection: string | undefined;
}

/** A record that is being read. */
export interface OpenRecord {
  building: MarcXmlRecordBuilder;
  depth: number;
  line: number;
  /** The number of the record in the document, from 1. */
  number: number;
  /** The position after the record's start tag. */
  contentAt: number;
}

/** Returns a start tag that replaces those of the elements around the records. */
export function surroundingTag({
  collection,
  namespaces,
}: Pick<MarcXmlPlace, "collection" | "namespaces">): string {
  const declarations = [...namespaces].flatMap(([prefix, namespace]) =>
    prefix === "xml" ? [] : [` xmlns${prefix && ":"}${prefix}="${escapeAttribute(namespace)}"`],
  );
  return `<${collection ?? "resumed"}${declarations.join("")}>`;
}

/** Returns the outcome of a record whose end tag was read. */
export function finishedRecord({ building, number, line }: OpenRecord): ReadOutcome {
  const result = building.finish();
  if (typeof result !== "string") return { type: "record", record: result };
  return malformedRecord({ number, line, controlNumber: building.controlNumber }, result);
}

/** Returns the outcome of a MARCXML record that cannot be used. */
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
