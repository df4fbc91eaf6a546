/**
 * Measures processor time and peak memory of `npx ingather convert` by the number of items: `npx node bench/convert-command.ts
 * [items …]` (default: 1000 10000 100000). The items come from a pipe, and the records go to a file. The first count is
 * the base of the ratios.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { setTimeout } from "node:timers/promises";
import { listFileNames } from "../shared/records/sources/list-files.ts";
import { sampleItems } from "./convert-items.ts";

const script = join(import.meta.dirname, "../local/ingather.js");
const counts = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [1_000, 10_000, 100_000];
const names = createServer((_request, response) => response.end("<p>no hits</p>"));
names.listen(0, "127.0.0.1");
await once(names, "listening");
const { port } = names.address() as AddressInfo;
const configuration = `enhancement_maps_directory = .
groups = Bench
subgroups = None
default_download_delay_time = 0
max_download_delay_time = 0
common_strptime_format = "%Y-%m-%d|%Y"
skip_online_first_articles_unconditionally = false
timeout_crawl_operation = 1800
timeout_download_request = 60
[Bench]
user_agent = bench
isil = DE-1
output_folder = bench
author_swb_lookup_url = http://127.0.0.1:${port}/?q=
[None]
[Journal of Bees]
zeder_id = 4711
zotero_group = Bench
zotero_type = RSS
zotero_url = https://journal.example.org/feed
online_issn = 2049-3630
online_ppn = 320636356
`;

const folder = mkdtempSync(join(tmpdir(), "bench-convert-"));
const conf = join(folder, "bench.conf");
writeFileSync(conf, configuration);
for (const name of Object.values(listFileNames)) writeFileSync(join(folder, name), "");
try {
  console.log(`load ${loadavg()[0]?.toFixed(1)}`);
  let base: Measured | undefined;
  for (const count of counts) {
    const measured = await measure(count);
    base ??= measured;
    const ratioOf = (name: keyof Measured) => (measured[name] / (base?.[name] ?? 1)).toFixed(2);
    const cpu = `${measured.cpuSeconds.toFixed(1)} s of processor time (${ratioOf("cpuSeconds")} ×)`;
    const memory = `${Math.round(measured.peakMiB)} MiB (${ratioOf("peakMiB")} ×)`;
    console.log(`${count} items: ${cpu}, ${measured.seconds.toFixed(1)} s, ${memory}`);
  }
} finally {
  names.close();
  rmSync(folder, { recursive: true });
}

interface Measured {
  seconds: number;
  cpuSeconds: number;
  peakMiB: number;
}

async function measure(count: number): Promise<Measured> {
  const started = performance.now();
  const args = ["convert", "-", "--config", conf, "--source", "Journal of Bees", "--allow-private"];
  const command = spawn(process.execPath, [script, ...args, "--out", join(folder, `${count}.xml`)], {
    stdio: ["pipe", "inherit", "pipe"],
    env: { ...process.env, INGATHER_HANDED_OVER: "1" },
  });
  let [peakMiB, cpuSeconds] = [0, 0];
  let isRunning = true;
  const sampling = (async () => {
    for (; isRunning; await setTimeout(20)) {
      try {
        const status = readFileSync(`/proc/${command.pid}/status`, "utf8");
        const stat = readFileSync(`/proc/${command.pid}/stat`, "utf8")
          .replace(/^.*\) /, "")
          .split(" ");
        cpuSeconds = (Number(stat[11]) + Number(stat[12])) / 100;
        peakMiB = Math.max(peakMiB, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
      } catch {
        return;
      }
    }
  })();
  const ended = once(command, "exit");
  // The bench prints what the command says only if it fails.
  const said = text(command.stderr);
  await pipeline(Readable.from(itemTexts(count)), command.stdin).catch(() => undefined);
  const [code] = await ended;
  isRunning = false;
  await sampling;
  if (code > 1) throw new Error(`convert ended with ${code}: ${await said}`);
  return { seconds: (performance.now() - started) / 1000, cpuSeconds, peakMiB };
}

function* itemTexts(count: number): Generator<string> {
  for (let at = 0; at < count; at++) {
    yield `${at === 0 ? "[" : ","}${JSON.stringify(sampleItems[at % sampleItems.length])}\n`;
  }
  yield count === 0 ? "[]" : "]";
}
