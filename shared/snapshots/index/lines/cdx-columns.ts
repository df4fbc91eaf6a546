/** The columns of a CDX by their content, counted from 0. */
export interface CdxColumns {
  url: number;
  date: number;
  file: number;
  offset: number;
  /**
   * Checked only in files without a header, because in a line of another format this column has another
   * content.
   */
  length?: number;
  /** Known only from a header. */
  mimeType?: number;
  /** The minimum number of columns. */
  count: number;
}

/**
 * The columns of a CDX of NetarchiveSuite, which has no header: URL, address, date, MIME type, length, file,
 * offset.
 */
export const netarchiveColumns: CdxColumns = { url: 0, date: 2, length: 4, file: 5, offset: 6, count: 7 };

/** The maximum number of columns that are read. */
export const maxCdxColumns = 32;

/**
 * Returns the columns that the header of a CDX names by letters, as in ` CDX N b a m s k r M S V g`.
 * @returns undefined if it lacks the URL, date, file or offset
 * @see https://iipc.github.io/warc-specifications/specifications/cdx-format/cdx-2015/
 */
export function cdxColumns(header: string): CdxColumns | undefined {
  const letters = header.trim().split(/\s+/).slice(1);
  const place = (...names: string[]) =>
    names.map((name) => letters.indexOf(name)).find((column) => column >= 0);
  // The original URL is preferred to the canonical one, and the compressed offset to the uncompressed one.
  const [url, date, file, offset] = [place("a", "A"), place("b"), place("g"), place("V", "v")];
  if (url === undefined || date === undefined || file === undefined || offset === undefined) return undefined;
  const mimeType = place("m");
  const count = Math.max(url, date, file, offset, mimeType ?? 0) + 1;
  if (count > maxCdxColumns) return undefined;
  return { url, date, file, offset, count, ...(mimeType !== undefined && { mimeType }) };
}
