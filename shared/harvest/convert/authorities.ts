/** The answer of the authority file (GND) for a name. */
export type Authority =
  | { type: "identified"; number: string }
  | { type: "unknown" }
  /** The lookup failed: nothing is known about the name. */
  | { type: "failed"; reason: string };

/** By "Last, First". */
export type Authorities = ReadonlyMap<string, Authority>;
