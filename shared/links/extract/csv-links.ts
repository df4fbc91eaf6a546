import { LinkGatherer, type LinkReading } from "./found-link.ts";
import { LineIndex } from "./line-index.ts";
import { decodeLinkText } from "./link-text.ts";

/** Matches each address, because a cell may list several. */
const address = /https?:\/\/[^\s"|<>]+/gi;

/**
 * Reads the http and https URLs in the cells of all columns of a CSV file. Cells are separated by commas, semicolons or
 * tabs; quotes are read leniently.
 * @see https://www.rfc-editor.org/rfc/rfc4180
 */
export function readCsvLinks(bytes: Uint8Array): LinkReading {
  const decoded = decodeLinkText(bytes);
  if (decoded.type === "unreadable") return decoded;
  const { text } = decoded;
  const lines = new LineIndex(text);
  const links = new LinkGatherer();
  for (const { value, offset } of cellsOf(text, separatorOf(text))) {
    for (const { 0: url, index } of value.matchAll(address)) {
      links.add(url, lines.placeOf(offset + index), undefined);
    }
  }
  return links.finish();
}

/** Returns the separator that occurs most often in the first line. */
function separatorOf(text: string): string {
  const header = /^[^\r\n]*/.exec(text)?.[0] ?? "";
  const count = (separator: string) => header.split(separator).length;
  return [",", ";", "\t"].reduce((best, each) => (count(each) > count(best) ? each : best));
}

/**
 * Yields the cells as written, in order. A quoted cell may contain separators and line breaks; its quotes are removed.
 */
function* cellsOf(text: string, separator: string): Iterable<{ value: string; offset: number }> {
  for (let at = 0; at < text.length; ) {
    if (text[at] === '"') {
      const end = closingQuote(text, at + 1);
      yield { value: text.slice(at + 1, end), offset: at + 1 };
      at = end + 1;
    } else {
      let end = at;
      while (end < text.length && text[end] !== separator && text[end] !== "\n" && text[end] !== "\r") end++;
      if (end > at) yield { value: text.slice(at, end), offset: at };
      at = end + 1;
    }
  }
}

/** Returns the offset at which a quoted cell ends. A doubled quote is part of the cell. */
function closingQuote(text: string, start: number): number {
  for (let at = text.indexOf('"', start); at !== -1; at = text.indexOf('"', at + 2)) {
    if (text[at + 1] !== '"') return at;
  }
  return text.length;
}
