/** What the server takes at once, by the original's experience. */
export const maxConcurrentCalls = 15;

/** The places at the server, over all that ask it. */
export interface TranslationSlots {
  /** Takes a place for a time; undefined when all are taken. */
  claim(forMs: number): Promise<{ release(): Promise<void> } | undefined>;
}
