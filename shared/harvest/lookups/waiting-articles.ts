import type { InboundResponse } from "../../web/request/response.ts";

/** Article responses that wait for lookups: of names in the authority file, of DOIs at their agencies. */
export interface WaitingArticles {
  add(runId: string, response: InboundResponse, lookupIds: string[]): Promise<void>;
  /** Returns the article responses that wait for a lookup, each with the ids of all its lookups. */
  waitingFor(runId: string, lookupId: string): Promise<{ response: InboundResponse; lookupIds: string[] }[]>;
}

export interface ArticleQueue {
  /** Delivers an article response to its reader again. */
  send(response: InboundResponse): Promise<void>;
}
