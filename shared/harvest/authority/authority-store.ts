import type { Authority } from "../../convert/authorities.ts";

/** What the authority file (GND) answered before, by the id of the lookup. */
export interface AuthorityStore {
  /** Answers that are out of date are left out. */
  cached(lookupIds: string[]): Promise<ReadonlyMap<string, Authority>>;
  /** Keeps an answer for so long, unless there is one that is not out of date. */
  store(lookupId: string, authority: Authority, until: Date): Promise<void>;
}
