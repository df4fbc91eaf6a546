import type { FeedEntry } from "../../formats/feed/feed-entry.ts";
import { objectKeys } from "../../names.ts";
import { recordIdOf } from "../../records/documents/document-identity.ts";
import type { InboundResponse } from "../../web/request/response.ts";
import type { LookupAnswer } from "../lookups/lookup-answer.ts";

/** All that conversion needs to convert an article again without requesting its host. */
export interface StoredPage {
  /** The start of the run that read the page. ISO 8601 in UTC. */
  readAt: string;
  /**
   * The last response to the requests for the article: of the page, of its linked record, or of the translation server.
   * Its request contains the feed entry. The keys of bodies are those of `bodies`.
   */
  response: InboundResponse;
  bodies: ReadonlyMap<string, Uint8Array>;
  /** The answers of the authority file and of the registration agencies, by lookup id. */
  answers: ReadonlyMap<string, LookupAnswer>;
}

/** What is kept of a page above the budget: the size of its bodies, in bytes. */
export interface OversizedPage {
  oversizeBytes: number;
}

/** The stored pages. Each is deleted some days after it was kept; see the setting `pageRetentionDays`. */
export interface PageStore {
  /** Keeps a page in place of the page with this key. Of a page above the budget, only the size is kept. */
  keep(pageKey: string, page: StoredPage): Promise<void>;
  /** @returns undefined when the page has been deleted */
  load(pageKey: string): Promise<StoredPage | OversizedPage | undefined>;
  /** Deletes a page. Has no effect when there is none. */
  remove(pageKey: string): Promise<void>;
  /** Deletes all pages of a source. */
  removeOfSource(sourceId: string): Promise<void>;
}

/** Returns the key of the page of a listed entry. A page that is read again replaces the earlier one. */
export function pageKeyOf(sourceId: string, { id, url }: Pick<FeedEntry, "id" | "url">): string {
  return objectKeys.storedPage(sourceId, recordIdOf({ sourceId, identifier: [id, url] }));
}
