import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { mayHitPage } from "../../../shared/links/rule/match-page.ts";
import type { CompiledRule } from "../../../shared/links/rule/rule.ts";
import type { ChainOutcome } from "../../../shared/links/verdict/chain-outcome.ts";
import { type Judgement, judgeLink } from "../../../shared/links/verdict/verdict.ts";

/**
 * The number of pages that are parsed before threads are started. Starting threads takes about as long as
 * parsing these pages.
 */
const pagesBeforeThreads = 50;

interface Thread {
  worker: Worker;
  waiting: Map<number, { chain: ChainOutcome; settle: PromiseWithResolvers<Judgement> }>;
}

/**
 * Judges links by a rule. Once many pages had to be parsed, it starts several threads. If a thread fails, its
 * links are judged in this thread.
 */
export class JudgeWorkers {
  private readonly rule: CompiledRule;
  private readonly count: number;
  private threads: Thread[] = [];
  private parsed = 0;
  private sent = 0;

  /**
   * Creates the workers. @param count the maximum number of threads; with 0, all links are judged in this
   * thread
   */
  constructor(rule: CompiledRule, count: number) {
    this.rule = rule;
    this.count = count;
  }

  judge(chain: ChainOutcome): Judgement | Promise<Judgement> {
    if (!this.mustBeParsed(chain)) return judgeLink(chain, this.rule);
    if (++this.parsed <= pagesBeforeThreads || this.count === 0) return judgeLink(chain, this.rule);
    if (this.threads.length === 0) this.threads = Array.from({ length: this.count }, () => this.start());
    const thread = this.threads.reduce((a, b) => (b.waiting.size < a.waiting.size ? b : a));
    const settle = Promise.withResolvers<Judgement>();
    const id = this.sent++;
    thread.waiting.set(id, { chain, settle });
    send(thread.worker, id, chain);
    return settle.promise;
  }

  async close(): Promise<void> {
    const { threads } = this;
    this.threads = [];
    await Promise.all(threads.map(({ worker }) => worker.terminate()));
  }

  private mustBeParsed(chain: ChainOutcome): boolean {
    const { xpath } = this.rule;
    if (xpath === undefined || chain.type !== "answered" || chain.body === undefined) return false;
    return mayHitPage(xpath, chain.body, chain.headers["content-type"]);
  }

  private start(): Thread {
    const worker = new Worker(new URL(`./judge-worker${extname(import.meta.filename)}`, import.meta.url), {
      workerData: this.rule.rule,
    });
    const thread: Thread = { worker, waiting: new Map() };
    worker.on("message", ({ id, judgement }: { id: number; judgement: Judgement }) => {
      thread.waiting.get(id)?.settle.resolve(judgement);
      thread.waiting.delete(id);
    });
    worker.on("error", () => this.replace(thread));
    return thread;
  }

  /** Judges the links of a failed thread in this thread. The other threads continue. */
  private replace(thread: Thread): void {
    this.threads = this.threads.filter((each) => each !== thread);
    for (const { chain, settle } of thread.waiting.values()) {
      try {
        settle.resolve(judgeLink(chain, this.rule));
      } catch (error) {
        settle.reject(error);
      }
    }
    thread.waiting.clear();
  }
}

/**
 * Sends the data for a judgement. A view is copied, because otherwise the whole memory behind it would be
 * sent.
 */
function send(worker: Worker, id: number, chain: ChainOutcome): void {
  if (chain.type !== "answered" || chain.body === undefined) {
    worker.postMessage({ id, chain });
    return;
  }
  const { "content-type": contentType } = chain.headers;
  const body = new Uint8Array(chain.body);
  const headers = contentType === undefined ? {} : { "content-type": contentType };
  worker.postMessage({ id, chain: { type: "answered", hops: chain.hops, headers, body } }, [body.buffer]);
}
