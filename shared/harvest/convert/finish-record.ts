import { budgets } from "../../core/budgets.ts";
import { truncateText } from "../../core/truncate-text.ts";
import type { MarcRecord } from "../../marc/record.ts";
import type { Group } from "../../records/sources/group.ts";
import type { Settings } from "../../records/sources/settings.ts";
import type { Source } from "../../records/sources/source.ts";
import { buildDropped, type Conversion, truncateWarnings } from "./conversion.ts";
import { addCustomFields } from "./custom-fields.ts";
import { filterRecord, findExcludingRecordFilter } from "./record-filters.ts";
import { recordHash } from "./record-hash.ts";
import { sanitizeRecord } from "./sanitize-record.ts";

/** A record before the fields and filters of its configuration are applied. */
interface UnfinishedRecord {
  /** Without 001. */
  record: MarcRecord;
  title: string;
  doi?: string;
  /** YYYY-MM-DD. */
  date?: string;
  /** The notes that custom fields may refer to. */
  notes: Parameters<typeof addCustomFields>[2];
  warnings: string[];
  /** Warnings that follow the warnings about the record's characters. */
  lastWarnings?: string[];
}

/**
 * Adds the custom fields, applies the record filters, replaces characters that are not permitted in records, adds 001
 * with the record's hash, and sorts the fields.
 * @param today YYYY-MM-DD
 */
export function finishRecord(
  { record, title, doi, date, notes, warnings, lastWarnings = [] }: UnfinishedRecord,
  { source, group, settings }: { source: Source; group: Group; settings: Settings },
  today: string,
): Conversion {
  const chain = [settings.filters, source.filters];
  const templates = [...settings.filters.addFields, ...group.addFields, ...source.filters.addFields];
  addCustomFields(record, templates, notes);
  filterRecord(record, chain);
  const recordWarnings: string[] = [];
  sanitizeRecord(record, (warning) => recordWarnings.push(warning));
  const hash = recordHash(record);
  record.control.push(["001", `${group.groupId}#${today}#${hash}`]);
  sortFields(record);

  const exclusion = findExcludingRecordFilter(record, chain);
  if (exclusion !== undefined) return buildDropped("excluded-record", exclusion);
  const urls = record.fields.flatMap(([tag, , subfields]) => {
    const code = tag === "856" ? "u" : tag === "URL" ? "a" : undefined;
    return subfields.filter(([c]) => c === code).map(([, value]) => value);
  });
  const urlChars = [doi, ...urls].join("").length;
  if (urlChars > budgets.recordUrlChars)
    return buildDropped("malformed", `its DOI and URLs have ${urlChars} characters`);
  return {
    type: "converted",
    record,
    hash,
    title: truncateText(title),
    ...(doi !== undefined && { doi }),
    ...(date !== undefined && { date }),
    urls: [...new Set(urls)],
    warnings: truncateWarnings([...warnings, ...recordWarnings, ...lastWarnings]),
  };
}

/** Sorts the fields by tag. Fields with the same tag keep their order. */
function sortFields(record: MarcRecord): void {
  const byTag = (a: [string, ...unknown[]], b: [string, ...unknown[]]) =>
    a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0;
  record.control.sort(byTag);
  record.fields.sort(byTag);
}
