import { readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { fileURLToPath } from "node:url";

/** The source map of each bundled file that a stack trace has named. */
const maps = new Map<string, SourceMap | undefined>();

/**
 * A line of a stack trace with its position in the source, by the map beside the bundled file. Only an error reads
 * maps: the option `--enable-source-maps` reads them at each cold start.
 *
 * @returns the line as it is where there is no map
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
    // The line is unchanged: an error in telling an error would hide it.
    return undefined;
  }
}
