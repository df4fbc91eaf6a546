import { printable } from "../../printable.ts";
import type { FilePlace, LinkOutput, ReportedLink } from "./link-output.ts";

const header =
  "url,verdict,reason,status,finalUrl,rulePart,matchedText,notCounted,elapsedMs,file,line,column,record";

/** Cells that spreadsheets would interpret as formulas. */
const formula = /^[=+\-@\t\r]/;

/** Writes CSV: a header, and one row per place of each link. */
export class CsvOutput implements LinkOutput {
  private isBegun = false;

  add(link: ReportedLink): string {
    const places = link.places.length > 0 ? link.places : [undefined];
    return this.begin() + places.map((place) => rowOf(link, place)).join("");
  }

  finish(): string {
    return this.begin();
  }

  private begin(): string {
    if (this.isBegun) return "";
    this.isBegun = true;
    return `${header}\r\n`;
  }
}

function rowOf(link: ReportedLink, place: FilePlace | undefined): string {
  const last = link.hops.at(-1);
  const cells = [
    link.url,
    link.verdict,
    link.reason,
    last?.status,
    last?.url,
    link.rulePart,
    link.matchedText,
  ];
  const found = [place?.file, place?.line, place?.column, place?.record];
  return `${[...cells, link.notCounted, link.elapsedMs, ...found].map(cell).join(",")}\r\n`;
}

/**
 * Formats a cell. Pages and files are untrusted, so formulas are escaped.
 * @see https://owasp.org/www-community/attacks/CSV_Injection
 */
function cell(value: string | number | undefined): string {
  const text = printable(String(value ?? ""));
  const safe = typeof value === "string" && formula.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
