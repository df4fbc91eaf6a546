import { parseJson } from "../../core/parse-json.ts";

/** Where a capture of a URL is stored. */
export interface StoredCapture {
  url: string;
  /** `YYYYMMDDhhmmss`. */
  date: string;
  file: string;
  offset: string;
}

/** Why a line of a CDX is left out. */
export type CdxSkip = "too few fields" | "bad date" | "no length" | "no offset" | "a revisit" | "bad JSON";

const fieldsNeeded = 7;

/**
 * Reads a line of a CDX of NetarchiveSuite (URL, address, date, mime type, length, file, offset) or of a CDXJ (key, date,
 * JSON). A revisit stores no payload, so none can be found there.
 * @see https://specs.webrecorder.net/cdxj/0.1.0/
 */
export function parseCdxLine(line: string): StoredCapture | CdxSkip {
  const json = line.indexOf(" {");
  if (json > 0) return parseCdxjLine(line.slice(0, json).split(" ")[1] ?? "", line.slice(json + 1));
  const fields = line.trim().split(/\s+/);
  if (fields.length < fieldsNeeded) return "too few fields";
  const [url = "", , date = "", , length = "", file = "", offset = ""] = fields;
  if (!isNumber(length)) return "no length";
  if (!isNumber(offset)) return "no offset";
  return /^\d{14}$/.test(date) ? { url, date, file, offset } : "bad date";
}

function parseCdxjLine(date: string, json: string): StoredCapture | CdxSkip {
  const fields = parseJson(json) as Record<string, unknown> | undefined;
  if (typeof fields?.url !== "string" || typeof fields.filename !== "string") return "bad JSON";
  if (fields.mime === "warc/revisit") return "a revisit";
  const offset = String(fields.offset);
  if (!isNumber(String(fields.length))) return "no length";
  if (!isNumber(offset)) return "no offset";
  return /^\d{14}/.test(date)
    ? { url: fields.url, date: date.slice(0, 14), file: fields.filename, offset }
    : "bad date";
}

function isNumber(text: string): boolean {
  return /^\d+$/.test(text);
}
