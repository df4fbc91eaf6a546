/** The result of looking up a name in the authority file (GND). */
export type Authority =
  | { type: "identified"; number: string }
  | { type: "unknown" }
  /** The lookup failed, so nothing is known about the name. */
  | { type: "failed"; reason: string };

/** The results by "Last, First". */
export type Authorities = ReadonlyMap<string, Authority>;
