import type { InboundResponse } from "../../web/gate/response.ts";

/** Answers to requests for articles that are read again when names in them were looked up. */
export interface WaitingArticles {
  add(runId: string, response: InboundResponse, lookupIds: string[]): Promise<void>;
  /** Those that wait for a lookup, each with all the lookups that it waits for. */
  waitingFor(runId: string, lookupId: string): Promise<{ response: InboundResponse; lookupIds: string[] }[]>;
}

export interface ArticleQueue {
  /** Has an answer to a request for an article read (once more). */
  send(response: InboundResponse): Promise<void>;
}
