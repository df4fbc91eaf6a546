import { runInCloud } from "./makespan-cloud.ts";
import { createLoad } from "./makespan-loads.ts";
const run = await runInCloud(createLoad({ shape: "giant", requests: 1e6, hosts: 5e4, delayMs: 1000, backoffMs: 5000, hostSpread: 1, busyShare: 0.005 }), { order: "spread", workers: 5e4, queues: 1 });
console.log(run, run.makespanMs / run.shortestMs);
