import { Worker } from "node:worker_threads";

/** Worker threads of `LinkThreads` that load their code, which takes 0.2 s, while the links are still read. */
export class WaitingThreads {
  private readonly waiting: Worker[];

  constructor(count: number) {
    this.waiting = Array.from({ length: count }, startThread);
  }

  /** One that waits, or a new one. The caller ends it. */
  take(): Worker {
    return this.waiting.pop() ?? startThread();
  }

  /** Ends those that nobody has taken. */
  async close(): Promise<void> {
    await Promise.all(this.waiting.splice(0).map((thread) => thread.terminate()));
  }
}

function startThread(): Worker {
  return new Worker(new URL("./start-thread.js", import.meta.url));
}
