import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** A line of a crawl log of Heritrix. */
export const logLine = (url: string, digest: string, { mime = "image/gif", notes = "- -" } = {}) =>
  `2020-01-01T00:00:00.000Z 200 10 ${url} L http://a.example/ ${mime} #001 20200101000000123+4 sha1:${digest} ${notes}\n`;
/** A line of a CDX of NetarchiveSuite. */
export const cdxLine = (url: string, offset: number) =>
  `${url} 1.2.3.4 20200101000001 image/gif 10 a.warc.gz ${offset}\n`;

/** Writes the crawl log and the CDX of a job. */
export function writeJob(folder: string, name: string, urls: number): { log: string; cdx: string } {
  const numbers = Array.from({ length: urls }, (_, n) => n);
  const log = join(folder, `${name}.log`);
  const cdx = join(folder, `${name}.cdx`);
  writeFileSync(log, numbers.map((n) => logLine(`http://a.example/${n}`, `D${n}`)).join(""));
  writeFileSync(cdx, numbers.map((n) => cdxLine(`http://a.example/${n}`, n)).join(""));
  return { log, cdx };
}
