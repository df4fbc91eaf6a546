/** What the server takes at once, by the original's experience. */
export const mostCallsAtOnce = 15;

/** The places at the server, over all that ask it. */
export interface TranslationPlaces {
  /** Takes a place for a time; undefined when all are taken. */
  take(forMs: number): Promise<{ leave(): Promise<void> } | undefined>;
}
