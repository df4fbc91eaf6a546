/**
 * Runs one stage of `delivery.ts`: calls the function's handler with its messages, and prints time and
 * memory.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { takeMessages } from "../local/cloud/sqs/take-messages.ts";
import { stageRequest } from "../shared/records/runs/stages.ts";
import type { StageFigures } from "./delivery.ts";

/** The longest timer of Node, in place of timeouts, because the machine may be busy. */
const longestTimerMs = 2 ** 31 - 1;

const [stage = "", runId = ""] = process.argv.slice(2);
const root = join(import.meta.dirname, "..");
const { handler } = await import(join(root, `functions/delivery/${stage}.ts`));
const event = JSON.parse(readFileSync(join(root, `events/${stage}.json`), "utf8"));
const queueUrl = process.env[`${stage.split("-")[0]?.toUpperCase()}_QUEUE_URL`];
const startedAt = performance.now();
const handle = async (body: string) => {
  event.Records[0].body = body;
  const { batchItemFailures } = await handler(event, { getRemainingTimeInMillis: () => longestTimerMs });
  if (batchItemFailures.length > 0) throw new Error(`${stage} failed`);
};
await handle(JSON.stringify({ runId }));
// Processes the parts that the stage requested from itself, one after the other.
if (queueUrl !== undefined) {
  for await (const body of takeMessages(queueUrl))
    if (stageRequest.parse(JSON.parse(body)).runId === runId) await handle(body);
}
const figures: StageFigures = {
  seconds: (performance.now() - startedAt) / 1000,
  peakMiB: Math.round(process.resourceUsage().maxRSS / 1024),
};
console.log(JSON.stringify(figures));
