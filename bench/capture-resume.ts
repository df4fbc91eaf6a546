/**
 * Measures how much a large capture reads and writes again: its journal, when the same command resumes it,
 * and its index, which is sorted at the end. The lists are generated for one host; nothing is requested.
 *
 * Usage: npx node bench/capture-resume.ts [--urls 5000000] [--folder DIR]
 */
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { CaptureFolder, type CapturePlan } from "../local/cli/snapshots/capture/capture-folder.ts";
import { SiteCapture } from "../local/cli/snapshots/capture/capture-sites.ts";
import { digest } from "../shared/core/digest.ts";

const { values } = parseArgs({
  options: {
    urls: { type: "string", default: "5000000" },
    folder: { type: "string", default: tmpdir() },
  },
});
const urls = Number(values.urls);
const folder = mkdtempSync(join(values.folder, "bench-capture-"));
const plan: CapturePlan = { seeds: ["https://www.journal.example/"], maxDepth: 20 };
const urlOf = (number: number) =>
  `https://www.journal.example/articles/${digest(String(number))}/${number}.html`;

/** Writes lists in which each URL was found by the one before it. */
function writeLists(): void {
  const [journal, index] = ["capture.jsonl", "index.cdxj.open"].map((name) =>
    openSync(join(folder, name), "w"),
  );
  if (journal === undefined || index === undefined) throw new Error("no files");
  writeSync(journal, `${JSON.stringify(plan)}\n`);
  const filename = "INGATHER-20260101000000000-00000.warc.gz";
  let [text, lines, cdxj] = ["", "", 0];
  for (let number = 0; number < urls; number += 1) {
    const url = urlOf(number);
    const path = new URL(url).pathname;
    const fields = {
      url,
      mime: "text/html",
      status: "200",
      digest: `sha1:${digest(url)}`,
      length: "5123",
      filename,
    };
    const line = `example,journal)${path} 20260101000000 ${JSON.stringify(fields)}\n`;
    lines += line;
    cdxj += line.length;
    const found = [{ url: urlOf(number + 1), hops: "L", via: url }];
    const warc = { name: filename, sizeBytes: 5123 * number };
    text += `${JSON.stringify({ url, found, bytes: 20_000, warc, sizes: { log: 0, cdxj } })}\n`;
    if (number % 10_000 !== 9999 && number + 1 < urls) continue;
    writeSync(journal, text);
    writeSync(index, lines);
    [text, lines] = ["", ""];
  }
  for (const file of [journal, index]) closeSync(file);
}

try {
  writeLists();
  const sizeMB = (name: string) => Math.round(statSync(join(folder, name)).size / 1e6);
  const sizes = { journalMB: sizeMB("capture.jsonl"), indexMB: sizeMB("index.cdxj.open") };
  const start = performance.now();
  const captured = new CaptureFolder(folder, plan);
  const { counts } = new SiteCapture({
    plan,
    folder: captured,
    limits: { maxObjects: urls, maxBytes: Number.MAX_SAFE_INTEGER, maxObjectBytes: 1e9 },
    threads: 1,
    retryFailed: false,
    signal: new AbortController().signal,
    onProgress() {},
    onSeedFailure() {},
    maxWarcBytes: 1e9,
    indexFolder: undefined,
    userAgent: "bench",
    delayMs: 0,
    allowPrivate: false,
  });
  const restored = performance.now();
  const restoredMB = Math.round(process.resourceUsage().maxRSS / 1024);
  captured.close();
  const sortSeconds = (performance.now() - restored) / 1000;
  const peakMB = Math.round(process.resourceUsage().maxRSS / 1024);
  const restoreSeconds = (restored - start) / 1000;
  console.log({ urls, fetched: counts.fetched, ...sizes, restoreSeconds, restoredMB, sortSeconds, peakMB });
} finally {
  rmSync(folder, { recursive: true });
}
