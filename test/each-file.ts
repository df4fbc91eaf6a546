import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, inject } from "vitest";
import { closeFile } from "./after-file.ts";
import { heartbeatMs } from "./end-hangs.ts";

// Vitest's time-outs are timers of the test's own process: they never fire while its code goes round in a circle. So each
// process shows that its timers do, and which test it is at; who watches is `end-hangs.ts`.
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
