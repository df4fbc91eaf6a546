/** A harvest and delivery on the local cloud under a meter, in a process of its own. Prints what AWS would bill, as JSON. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openCloud } from "../local/open-cloud.ts";
import type { NewSource } from "../shared/sources/source.ts";
import { Usage } from "./usage.ts";

const [hosts = 50, articles = 20, delayMs = 1000] = process.argv.slice(2).map(Number);
const stateDir = mkdtempSync(join(tmpdir(), "cost-"));
const sites = fork(join(import.meta.dirname, "local-cloud-sites.ts"), [String(hosts), String(articles)]);
const [port] = (await once(sites, "message")) as [number];
const origins = Array.from({ length: hosts }, (_, index) => `http://127.0.2.${index + 1}:${port}`);
const usage = new Usage();
const cloud = await openCloud({
  stateDir,
  apiPort: 0,
  schedules: "none",
  polling: false,
  allowedPrivateHosts: origins.map((origin) => new URL(origin).host),
  defaultDelayMs: delayMs,
  onLog: (line) => line.level === "ERROR" && console.error(`${line.functionName}: ${line.message}`),
  meter: usage,
});
const { runDelivery, storeConfiguration } = await import("../local/run-delivery.ts");
const { feedSource } = await import("../local/seed.ts");
const sources: NewSource[] = origins.map((origin) => ({
  ...feedSource(`${origin}/feed`),
  throttleMs: delayMs,
}));
await storeConfiguration(sources);
cloud.resumePolling();
const { signal } = new AbortController();
await runDelivery(sources, { print: () => undefined, signal });
await cloud.waitUntilIdle();
const count = hosts * articles;
const per = 10_000 / count;
console.log(`US$ per 10,000 records at a delay of ${delayMs} ms: ${(usage.usd * per).toFixed(3)}`);
for (const { item, count: total, usd, lines } of usage.byItem()) {
  console.log(`${(usd * per).toFixed(4)}  ${item}: ${(total / count).toFixed(2)} each`);
  for (const line of lines.slice(0, 14))
    console.log(`    ${(line.usd * per).toFixed(4)}  ${(line.count / count).toFixed(3)}  ${line.of}`);
}
console.log("calls");
for (const [name, calls] of [...usage.calls].toSorted((a, b) => b[1] - a[1]).slice(0, 45))
  console.log(`    ${(calls / count).toFixed(3)}  ${name}`);
await cloud.stop();
sites.kill();
rmSync(stateDir, { recursive: true, force: true });
process.exit(0);
