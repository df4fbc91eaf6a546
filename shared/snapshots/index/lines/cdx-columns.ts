/** Which columns of a CDX hold what; counted from 0. */
export interface CdxColumns {
  url: number;
  date: number;
  file: number;
  offset: number;
  /** Checked where there is no header: in a line of another format, it is something else. */
  length?: number;
  /** Known from a header alone. */
  mimeType?: number;
  /** How many columns must be there. */
  count: number;
}

/** A CDX of NetarchiveSuite has no header: URL, address, date, mime type, length, file, offset. */
export const netarchiveColumns: CdxColumns = { url: 0, date: 2, length: 4, file: 5, offset: 6, count: 7 };

/** More columns are not read. */
export const maxCdxColumns = 32;

/**
 * The columns that the header of a CDX names by letters, as ` CDX N b a m s k r M S V g`.
 * @returns undefined when it lacks the URL, date, file or offset
 * @see https://iipc.github.io/warc-specifications/specifications/cdx-format/cdx-2015/
 */
export function cdxColumns(header: string): CdxColumns | undefined {
  const letters = header.trim().split(/\s+/).slice(1);
  const place = (...names: string[]) =>
    names.map((name) => letters.indexOf(name)).find((column) => column >= 0);
  // The original URL, or the canonical one; the compressed offset, or the only one.
  const [url, date, file, offset] = [place("a", "A"), place("b"), place("g"), place("V", "v")];
  if (url === undefined || date === undefined || file === undefined || offset === undefined) return undefined;
  const mimeType = place("m");
  const count = Math.max(url, date, file, offset, mimeType ?? 0) + 1;
  if (count > maxCdxColumns) return undefined;
  return { url, date, file, offset, count, ...(mimeType !== undefined && { mimeType }) };
}
