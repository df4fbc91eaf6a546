import { Worker } from "node:worker_threads";

/** Worker threads of `LinkThreads` that load their code (0.2 s) while the links are still being read. */
export class WaitingThreads {
  private readonly waiting: Worker[];

  constructor(count: number) {
    this.waiting = Array.from({ length: count }, startThread);
  }

  /** Returns a waiting thread, or a new one. The caller must end it. */
  take(): Worker {
    return this.waiting.pop() ?? startThread();
  }

  /** Ends the threads that were not taken. */
  async close(): Promise<void> {
    await Promise.all(this.waiting.splice(0).map((thread) => thread.terminate()));
  }
}

function startThread(): Worker {
  return new Worker(new URL("./start-thread.js", import.meta.url));
}
