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

/** The folders of a build. */
export interface BuildFolders {
  plan: IndexPlan;
  folder: string;
  /** The folder for files that only the build needs. */
  working: string;
}

/** Runs the steps of a build in parallel on several threads or, with none, in this thread. */
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

  /**
   * Runs all steps, and reports each completed step. @throws the first error, after the running steps have
   * ended
   */
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

/** Sends a step to a thread. @throws also if the thread ends */
async function send(worker: Worker, step: BuildStep): Promise<StepResult> {
  worker.postMessage(step);
  const [answer] = (await once(worker, "message")) as [{ result: StepResult } | { error: unknown }];
  if ("error" in answer) throw answer.error;
  return answer.result;
}
