import { readLongHarvests, takeJoinedBatches } from "../../../../shared/deliver/validate/joined-harvests.ts";
import { readArticleResponse } from "../../../../shared/harvest/article/read-article-response.ts";
import { readCrawledPageResponse } from "../../../../shared/harvest/crawl/read-crawled-page-response.ts";
import { readOaiResponse } from "../../../../shared/harvest/oai/read-oai-response.ts";
import { type PollSummary, pollSources } from "../../../../shared/harvest/polls/poll-sources.ts";
import { readFeedResponse } from "../../../../shared/harvest/rss/read-feed-response.ts";
import type { DomainEvent } from "../../../../shared/records/events/events.ts";
import type { Run } from "../../../../shared/records/runs/run.ts";
import type { NewRequest } from "../../../../shared/web/request/request.ts";
import type { InboundResponse } from "../../../../shared/web/request/response.ts";
import { Killed } from "../../memory/writes.ts";
import { ReaderWorld } from "../reader-world.ts";

/** Sources that are polled, on sites that answer by a script; everything is done twice, as messages may be. */
export class PolledWorld extends ReaderWorld {
  /** What a URL answers at the time of the clock; undefined: the host fails. */
  answer: (url: URL) => string | undefined = () => undefined;
  /** The URLs that were requested, in order. */
  readonly requested: string[] = [];
  /** The ids of the records that deliveries have taken, in order. */
  readonly delivered: string[] = [];
  private readonly done = new Set<string>();

  /** Polls at a time, and reads all that follows from it. */
  async poll(at: Date): Promise<PollSummary> {
    this.memory.now = at;
    const summary = await this.alive(() => pollSources(at, this.ports()));
    await pollSources(at, this.ports());
    await this.read();
    return summary;
  }

  async read(): Promise<void> {
    for (let request = this.sent.shift(); request !== undefined; request = this.sent.shift()) {
      if (this.done.has(request.id)) continue;
      this.done.add(request.id);
      this.requested.push(request.url);
      const body = this.answer(new URL(request.url));
      const failed = { type: "failed" as const, reason: "timeout", detail: "no answer", attempts: 1 };
      const response = this.respond(request, body ?? failed);
      for (const _time of [1, 2]) await this.alive(() => this.readResponse(request, response));
    }
  }

  /** Does something; again when it was killed. */
  private async alive<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (!isKill(error)) throw error;
      this.memory.live();
      return work();
    }
  }

  /** What was published, each change once. */
  get changes(): DomainEvent[] {
    return [...new Map(this.memory.published.map((event) => [event.changeId, event])).values()];
  }

  private async readResponse({ kind }: NewRequest, response: InboundResponse): Promise<void> {
    const ports = this.ports();
    if (kind === "feed") return readFeedResponse(response, ports);
    if (kind === "page") return readCrawledPageResponse(response, ports);
    if (kind === "article") return readArticleResponse(response, ports);
    const { documents, events } = this.memory;
    const kept = { documents, events, requestFiles: async () => undefined };
    return readOaiResponse(response, {
      ...ports,
      kept,
      responses: { send: (again) => this.readResponse(again.request, again) },
      setRegistrations: { send: async () => undefined },
    });
  }

  /** Delivers what polls have found, as the daily run does; the archive knows it from then on. */
  async deliver(at: Date): Promise<void> {
    this.memory.now = at;
    const startedAt = at.toISOString();
    const run: Run = {
      runId: `live-${startedAt}`,
      deliveryMode: "LIVE",
      state: "delivering",
      startedAt,
      deadlineAt: startedAt,
    };
    const { runs, clock, archived } = this.memory;
    const joined = await readLongHarvests(run, { runs, clock }, async (outcomes) => {
      for (const outcome of outcomes) {
        if (outcome.state !== "converted") continue;
        // The archive admits a record once: the windows of a list overlap.
        if (outcome.archiveKeys.some((key) => archived.has(key))) continue;
        this.delivered.push(outcome.recordId);
        for (const key of outcome.archiveKeys)
          archived.set(key, { owner: run.runId, state: "automatic", entryKey: key });
      }
    });
    await takeJoinedBatches(run, joined, { runs, clock });
  }
}

/** Whether a kill is an error's cause: the poll names the sources at which it happened. */
function isKill(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(isKill);
  return (
    error instanceof Killed || (error instanceof Error && error.cause !== undefined && isKill(error.cause))
  );
}
