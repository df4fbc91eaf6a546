import type { LookupAnswer } from "./lookup-answer.ts";

/** The cached answers of the authority file (GND) and of registration agencies, by lookup id. */
export interface LookupStore {
  /** Reads cached answers. Expired answers are left out. */
  cached(lookupIds: string[]): Promise<ReadonlyMap<string, LookupAnswer>>;
  /** Stores an answer until the given time, unless an unexpired answer is stored. */
  store(lookupId: string, answer: LookupAnswer, until: Date): Promise<void>;
}
