/** One stage of `delivery.ts`: calls the function's handler with a message, and prints time and memory. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { StageFigures } from "./delivery.ts";

/** No timeout: the machine may be busy. */
const longestTimerMs = 2 ** 31 - 1;

const [stage = "", runId = ""] = process.argv.slice(2);
const root = join(import.meta.dirname, "..");
const { handler } = await import(join(root, `functions/delivery/${stage}.ts`));
const event = JSON.parse(readFileSync(join(root, `events/${stage}.json`), "utf8"));
event.Records[0].body = JSON.stringify({ runId });
const startedAt = performance.now();
const { batchItemFailures } = await handler(event, { getRemainingTimeInMillis: () => longestTimerMs });
if (batchItemFailures.length > 0) throw new Error(`${stage} failed`);
const figures: StageFigures = {
  seconds: (performance.now() - startedAt) / 1000,
  peakMiB: Math.round(process.resourceUsage().maxRSS / 1024),
};
console.log(JSON.stringify(figures));
