import { readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { fileURLToPath } from "node:url";

/** The source maps of the bundled files that stack traces have named. */
const maps = new Map<string, SourceMap | undefined>();

/**
 * Adds the position in the source to a line of a stack trace, using the source map beside the bundled file. Maps are
 * read only after an error, whereas the option `--enable-source-maps` reads them at each cold start.
 * @returns the unchanged line when there is no map
 */
export function inSource(line: string): string {
  return line.replace(/(file:\/\/[^\s()]+\.mjs):(\d+):(\d+)/, (position, url, row, column) => {
    const entry = mapOf(url)?.findEntry(Number(row) - 1, Number(column) - 1);
    if (entry === undefined || !("originalSource" in entry)) return position;
    const source = entry.originalSource.replace(/^(\.\.\/)+/, "");
    return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  });
}

function mapOf(url: string): SourceMap | undefined {
  if (!maps.has(url)) maps.set(url, readMap(url));
  return maps.get(url);
}

function readMap(url: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${fileURLToPath(url)}.map`, "utf8")));
  } catch {
    // The line stays unchanged, because an error while describing an error would hide the original error.
    return undefined;
  }
}
