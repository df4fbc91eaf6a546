import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, inject } from "vitest";
import { closeFile } from "./after-file.ts";
import { heartbeatMs } from "./end-hangs.ts";

// Vitest's time-outs are timers in the process of the test, so they never fire during an endless loop.
// Therefore each process shows that its timers fire, and names its current test; `end-hangs.ts` watches.
const file = join(inject("heartbeats"), String(process.pid));
let test = "";
const beat = () => writeFileSync(file, test);
beat();
const timer = setInterval(beat, heartbeatMs).unref();

beforeEach(({ task }) => {
  test = `${task.file.name} > ${task.name}`;
  beat();
});
afterAll(async () => {
  await closeFile();
  clearInterval(timer);
  rmSync(file, { force: true });
});
