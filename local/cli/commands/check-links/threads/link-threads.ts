import type { Worker } from "node:worker_threads";
import type { LinkResult } from "../../../../../shared/links/check/check-links.ts";
import { HostDivision } from "./host-division.ts";
import type { FromThread, ThreadSettings, ToThread } from "./thread-messages.ts";
import type { WaitingThreads } from "./waiting-threads.ts";

interface LinkThreadsOptions extends Omit<ThreadSettings, "urls"> {
  urls: readonly string[];
  waitingThreads: WaitingThreads;
  signal: AbortSignal;
  report(result: LinkResult): void;
}

/**
 * Checks links on several threads. Resolves when all links are reported or, after an abort, when no request
 * is in flight.
 * Each host belongs to one thread, which keeps the queue, the delay and the failures of the host. If a
 * redirect leads to a host of another thread, the link moves to that thread. So the results equal those of a
 * single thread, except for their order.
 * @throws the error of a thread
 */
export async function checkLinksOnThreads(options: LinkThreadsOptions): Promise<void> {
  await new LinkThreads(options).run();
}

class LinkThreads {
  private readonly options: LinkThreadsOptions;
  private readonly hosts: HostDivision;
  private threads: Worker[] = [];
  private unsettled: number;

  constructor(options: LinkThreadsOptions) {
    this.options = options;
    this.hosts = new HostDivision(options.threads);
    this.unsettled = options.urls.length;
  }

  async run(): Promise<void> {
    const { urls, signal } = this.options;
    const parts = this.hosts.divide(urls);
    const abort = () => this.sendAll({ type: "abort" });
    signal.addEventListener("abort", abort, { once: true });
    try {
      const running = parts.map((part, at) => this.start(part, at));
      await Promise.all(running);
    } finally {
      signal.removeEventListener("abort", abort);
      await Promise.all(this.threads.map((thread) => thread.terminate()));
    }
  }

  /** Starts a thread. Resolves when the thread has finished. */
  private start(urls: readonly string[], at: number): Promise<void> {
    const { addresses, concurrency, delayMs, headers, insecureHosts } = this.options;
    const { retries, rule, threads, timeoutMs, userAgent } = this.options;
    const share = Math.max(1, Math.floor((concurrency + at) / threads));
    const settings: ThreadSettings = {
      ...{ addresses, delayMs, headers, insecureHosts, retries, rule, threads, timeoutMs, userAgent },
      concurrency: share,
      urls,
    };
    const thread = this.options.waitingThreads.take();
    this.threads.push(thread);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    thread.on("message", (message: FromThread) => {
      if (message.type === "results") this.settle(thread, message);
      else if (message.error === undefined) resolve();
      else reject(message.error);
    });
    thread.on("error", reject);
    thread.on("exit", (code) => reject(new Error(`a thread of check-links ended with code ${code}`)));
    thread.postMessage({ type: "start", settings } satisfies ToThread);
    return promise;
  }

  private settle(thread: Worker, { results, leaving }: Extract<FromThread, { type: "results" }>): void {
    for (const result of results) this.options.report(result);
    for (const link of leaving) {
      const owner = this.threads[this.hosts.ownerOf(link.hostKey)];
      owner?.postMessage({ type: "link", link } satisfies ToThread);
    }
    this.unsettled -= results.length;
    if (results.length > 0) thread.postMessage({ type: "read", count: results.length } satisfies ToThread);
    if (this.unsettled === 0) this.sendAll({ type: "end" });
  }

  private sendAll(message: ToThread): void {
    for (const thread of this.threads) thread.postMessage(message);
  }
}
