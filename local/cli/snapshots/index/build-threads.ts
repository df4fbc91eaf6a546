import { once } from "node:events";
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import {
  type BuildStep,
  doStep,
  type StepResult,
} from "../../../../shared/snapshots/index/build/build-steps.ts";
import type { IndexPlan } from "../../../../shared/snapshots/index/build/index-plan.ts";
import { folderPorts } from "./index-folder.ts";

/** What is built, and where. */
export interface BuildFolders {
  plan: IndexPlan;
  folder: string;
  /** Where the build keeps what only it needs. */
  working: string;
}

/** Does the steps of a build side by side, on several threads or, with none, here. */
export class BuildThreads {
  private readonly work: ((step: BuildStep) => Promise<StepResult>)[];
  private readonly workers: Worker[];

  constructor(folders: BuildFolders, count: number) {
    const script = new URL(`./build-worker${extname(import.meta.filename)}`, import.meta.url);
    this.workers = Array.from({ length: count }, () => new Worker(script, { workerData: folders }));
    const ports = folderPorts(folders.folder, folders.working);
    this.work =
      count === 0
        ? [(step) => doStep(folders.plan, step, ports)]
        : this.workers.map((worker) => (step) => send(worker, step));
  }

  /** Does all steps, and reports each one that has ended. @throws the first error, when the steps in work have ended */
  async run(steps: readonly BuildStep[], onResult: (result: StepResult) => void): Promise<void> {
    const errors: unknown[] = [];
    const remaining = steps.values();
    const runNext = async (work: (step: BuildStep) => Promise<StepResult>) => {
      for (const step of remaining) {
        if (errors.length > 0) return;
        try {
          onResult(await work(step));
        } catch (error) {
          errors.push(error);
        }
      }
    };
    await Promise.all(this.work.map(runNext));
    if (errors.length > 0) throw errors[0];
  }

  async close(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.terminate()));
  }
}

/** @throws also when the thread ends */
async function send(worker: Worker, step: BuildStep): Promise<StepResult> {
  worker.postMessage(step);
  const [answer] = (await once(worker, "message")) as [{ result: StepResult } | { error: unknown }];
  if ("error" in answer) throw answer.error;
  return answer.result;
}
