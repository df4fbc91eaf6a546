/** A worker thread of `BuildThreads`. It runs the steps of a build that it receives. */
import { parentPort, workerData } from "node:worker_threads";
import { type BuildStep, doStep } from "../../../../shared/snapshots/index/build/build-steps.ts";
import type { BuildFolders } from "./build-threads.ts";
import { folderPorts } from "./index-folder.ts";

const { plan, folder, working } = workerData as BuildFolders;
const ports = folderPorts(folder, working);

parentPort?.on("message", async (step: BuildStep) => {
  try {
    parentPort?.postMessage({ result: await doStep(plan, step, ports) });
  } catch (error) {
    parentPort?.postMessage({ error });
  }
});
