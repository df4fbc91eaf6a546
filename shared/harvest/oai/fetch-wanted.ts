import type { OaiAnswer } from "../../formats/oai/answer.ts";
import type { Completeness } from "../../formats/oai/completeness.ts";
import { judgeGetRecord } from "../../formats/oai/get-record.ts";
import type { OaiRecord } from "../../formats/oai/page.ts";

/** Records that a list of headers names and no list of changes will have. JSON, in the context of the requests. */
export interface WantedRecords {
  identifiers: string[];
  /** There are more than may be asked for, or the repository does not give them: the next full list reads all records. */
  isMore?: true;
  /** Set while they are asked for, after the list. */
  after?: { completeness: Completeness; listedAt: string };
}

/** The most GetRecord requests after a list, and the length of their identifiers, which are part of each request. */
const maxWanted = 100;
const maxWantedChars = 20_000;

/** The wanted records with those of a further page. */
export function addWanted(before: WantedRecords | undefined, identifiers: readonly string[]): WantedRecords {
  const known = before?.identifiers ?? [];
  const all = [...new Set([...known, ...identifiers])];
  const isTooMuch = all.length > maxWanted || all.join("").length > maxWantedChars;
  return { ...before, identifiers: isTooMuch ? known : all, ...(isTooMuch && { isMore: true }) };
}

/**
 * Reads the response to GetRecord for the first wanted record.
 * @returns the record, if there is one, and what is wanted still
 */
export function takeWanted(
  { identifiers: [identifier = "", ...others], ...wanted }: WantedRecords,
  answer: OaiAnswer,
): { record?: OaiRecord; wanted: WantedRecords } {
  const evidence = judgeGetRecord(answer, { identifier });
  if (evidence.type === "unknown") return { wanted: { ...wanted, identifiers: [], isMore: true } };
  const left = { ...wanted, identifiers: others };
  return evidence.type === "present" ? { record: evidence.record, wanted: left } : { wanted: left };
}
