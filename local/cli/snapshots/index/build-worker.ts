/** A worker thread of `BuildThreads`: it does the steps of a build that it is sent. */
import { parentPort, workerData } from "node:worker_threads";
import { type BuildFolders, type BuildStep, doStep } from "./build-step.ts";
import { folderPorts } from "./index-folder.ts";

const { plan, folder, working } = workerData as BuildFolders;
const ports = folderPorts(folder, working);

parentPort?.on("message", async (step: BuildStep) => {
  try {
    parentPort?.postMessage({ result: await doStep(step, plan, ports) });
  } catch (error) {
    parentPort?.postMessage({ error });
  }
});
