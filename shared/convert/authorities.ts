/** What the authority file (GND) answered when it was asked for a name. */
export type Authority =
  | { type: "identified"; number: string }
  | { type: "unknown" }
  /** No answer was to be had; nothing is known of the name. */
  | { type: "failed"; reason: string };

/** By "Last, First". */
export type Authorities = ReadonlyMap<string, Authority>;
