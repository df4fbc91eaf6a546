import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { seededRandom } from "../local/cloud/seeded-random.ts";

/** The ids of 8 jobs. */
export const jobs = [1, 2, 3, 4, 5, 6, 7, 8];

const words = ["north", "river", "museum", "library", "press"];
const folders = ["articles", "images/thumbs", "assets/media", "download"];
const types = [
  "text/html",
  "image/jpeg",
  "image/png",
  "application/javascript",
  "text/css",
  "application/pdf",
];
const digestLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const linesAtOnce = 10_000;

/** Generates the crawl log of a job in pieces. */
export function logTexts(job: number, lines: number): Generator<string> {
  return texts(capturesOf(job, lines), logLine);
}

/**
 * Writes a crawl log (`N.log`) and a CDX (`N.cdx`) for each job. One in ten fetched URLs is a duplicate,
 * which the CDX does not contain.
 */
export async function writeLogs(folder: string, lines: number): Promise<void> {
  const perJob = Math.floor(lines / jobs.length);
  for (const job of jobs) {
    const captures = () => capturesOf(job, perJob);
    const file = (ending: string) => createWriteStream(join(folder, `${job}.${ending}`));
    await pipeline(texts(captures(), logLine), file("log"));
    await pipeline(texts(captures(), cdxLine), file("cdx"));
  }
}

interface Capture {
  job: number;
  number: number;
  host: string;
  url: string;
  type: string;
  size: number;
  time: string;
  digest: string;
  isDuplicate: boolean;
}

function* capturesOf(job: number, count: number): Generator<Capture> {
  const random = seededRandom(job);
  const below = (limit: number) => Math.floor(random() * limit);
  const one = (list: readonly string[] | string) => list[below(list.length)] ?? "";
  for (let number = 0; number < count; number += 1) {
    const host = `www.${one(words)}-${job}${below(2000)}.example`;
    yield {
      job,
      number,
      host,
      url: `http://${host}/${one(folders)}/${2000 + below(25)}/${below(1e9).toString(36)}/${number}.jpg`,
      type: one(types),
      size: below(90_000),
      time: `20240101${100_000 + (number % 100_000)}`,
      digest: Array.from({ length: 32 }, () => one(digestLetters)).join(""),
      isDuplicate: random() < 0.1,
    };
  }
}

function* texts(captures: Iterable<Capture>, lineOf: (capture: Capture) => string): Generator<string> {
  let lines: string[] = [];
  for (const capture of captures) {
    lines.push(lineOf(capture));
    if (lines.length < linesAtOnce) continue;
    yield lines.join("");
    lines = [];
  }
  yield lines.join("");
}

function logLine({ host, url, type, size, time, digest, isDuplicate }: Capture): string {
  const origin = `duplicate:"1-1-20230101000000-00000-crawler.warc.gz,${7 * size},20230101000000000"`;
  const annotations = isDuplicate ? origin : "-";
  const column = String(size).padStart(10);
  return `2024-01-01T10:00:00.000Z   200 ${column} ${url} LLE http://${host}/ ${type} #017 ${time}123+15 sha1:${digest} - ${annotations}\n`;
}

function cdxLine({ job, number, url, type, size, time, digest, isDuplicate }: Capture): string {
  const file = `${job}-1-20240101000000-${String(Math.floor(number / 5000)).padStart(5, "0")}-crawler.warc.gz`;
  return isDuplicate ? "" : `${url} 192.0.2.7 ${time} ${type} ${size} ${file} ${9 * size} ${digest}\n`;
}
