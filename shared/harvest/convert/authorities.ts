/** The result of looking up a name in the authority file (GND). */
export type Authority =
  | IdentifiedAuthority
  | { type: "unknown" }
  /** The lookup failed, so nothing is known about the name. */
  | { type: "failed"; reason: string };

export interface IdentifiedAuthority {
  type: "identified";
  number: string;
  /** The title of a pope or monarch, such as `Papst`. */
  title?: string;
}

/** The results by "Last, First". */
export type Authorities = ReadonlyMap<string, Authority>;
