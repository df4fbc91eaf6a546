import type { Authority } from "../convert/authorities.ts";

/** Cached answers of the authority file (GND), by lookup id. */
export interface AuthorityStore {
  /** Expired answers are left out. */
  cached(lookupIds: string[]): Promise<ReadonlyMap<string, Authority>>;
  /** Stores an answer until a time, unless an unexpired one is stored. */
  store(lookupId: string, authority: Authority, until: Date): Promise<void>;
}
