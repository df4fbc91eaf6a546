import type { Authority } from "../convert/authorities.ts";

/** The cached responses of the authority file (GND), by lookup id. */
export interface AuthorityStore {
  /** Reads cached responses. Expired responses are left out. */
  cached(lookupIds: string[]): Promise<ReadonlyMap<string, Authority>>;
  /** Stores a response until the given time, unless an unexpired response is stored. */
  store(lookupId: string, authority: Authority, until: Date): Promise<void>;
}
