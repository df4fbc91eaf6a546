import type { KnownReason } from "./known-reason.ts";

/**
 * The state of a record in the archive.
 * - `automatic`: delivered by a run
 * - `manual`: delivered in another way, according to an operator
 * - `online_first`: seen without volume and issue; harvested again when the entry expires
 * - `error`: refused by validation
 * - `ignore`: excluded from delivery by an operator
 * - `reset`: to be delivered again, as an operator decided
 * - `claimed`: about to be delivered by the run that owns the claim
 */
export const archiveStates = [
  "automatic",
  "manual",
  "online_first",
  "error",
  "ignore",
  "reset",
  "claimed",
] as const;
export type ArchiveState = (typeof archiveStates)[number];

/** The states in which a record's keys are free, so that any record may claim them. */
export const claimableStates = ["error", "reset"] as const satisfies ArchiveState[];

/** The states that operators may set. */
export const operatorStates = ["reset", "ignore", "manual"] as const satisfies ArchiveState[];
export type OperatorState = (typeof operatorStates)[number];

/** A claim to a key. */
export interface ArchiveClaim {
  /** The record and the run that have claimed the key. */
  owner: string;
  /** The key of the item that describes the record. */
  entryKey: string;
  state: ArchiveState;
  /** The end of the claim, in seconds since 1970. Without it, the claim is permanent. */
  expiresAt?: number;
}

/** The description of a record in the archive. It is stored under the record's entry key. */
export interface ArchiveEntry extends ArchiveClaim {
  /** All keys that are claimed for the record, including its entry key. */
  keys: string[];
  recordId: string;
  sourceId: string;
  title: string;
  hash: string;
  doi?: string;
  urls: string[];
  /** The key of the record's object. */
  recordKey: string;
  /** When the record was delivered or last seen. ISO 8601 in UTC. */
  at: string;
  /**
   * The delivered file that contains the record. If the record has since been reset, and then refused or found to be
   * online-first, this is the file of its last delivery.
   */
  file?: string;
  /** The reason why validation refused the record. */
  error?: string;
  /** The reconversion that has reserved the entry, to deliver an update of the record. */
  pendingUpdate?: string;
}

/** The new description of a record whose update was delivered. */
export interface UpdatedEntry
  extends Pick<ArchiveEntry, "owner" | "title" | "hash" | "urls" | "recordKey" | "keys" | "at"> {
  doi: string | undefined;
  file: string;
  /** The reconversion that has reserved the entry. */
  update: string;
}

const reasons: Record<Exclude<ArchiveState, (typeof claimableStates)[number]>, KnownReason> = {
  automatic: "delivered",
  claimed: "claimed",
  manual: "elsewhere",
  online_first: "waiting",
  ignore: "ignored",
};

/**
 * Returns why a record with this key must not be harvested or delivered (again).
 * @returns undefined when it may
 */
export function blockReason(
  { state, expiresAt }: Pick<ArchiveClaim, "state" | "expiresAt">,
  now: Date,
): KnownReason | undefined {
  if (isClaimable(state) || (expiresAt !== undefined && expiresAt * 1000 <= now.getTime())) return undefined;
  return reasons[state];
}

/**
 * Returns the same reason for any key of a record. Only the entry key shows that the record was delivered: the other
 * keys stay `claimed` after the delivery.
 * @param entry the item stored under the entry key; undefined when there is none
 */
export function keyBlockReason(
  claim: Pick<ArchiveClaim, "state" | "expiresAt">,
  entry: Pick<ArchiveClaim, "state"> | undefined,
  now: Date,
): KnownReason | undefined {
  const reason = blockReason(claim, now);
  const isDelivered = reason === "claimed" && entry !== undefined && entry.state !== "claimed";
  return isDelivered ? "delivered" : reason;
}

function isClaimable(state: ArchiveState): state is (typeof claimableStates)[number] {
  return (claimableStates as readonly ArchiveState[]).includes(state);
}

const daySeconds = 86_400;

/** The longest time after which a record without volume and issue is harvested again. */
const maxOnlineFirstDays = 14;

/**
 * The number of days after which a refused record is forgotten. Each run harvests a refused record again, so a record
 * that has not been seen for this time was withdrawn or corrected.
 */
export const refusedDays = 90;

/**
 * Returns when an entry expires, in seconds since 1970. An online-first entry expires after half the source's window,
 * but at most after 14 days. The entry of a delivered record never expires, because no record may be delivered twice.
 * @returns undefined when the entry never expires
 */
export function entryExpiry(state: ArchiveState, windowDays: number, now: Date): number | undefined {
  const nowSeconds = Math.floor(now.getTime() / 1000);
  if (state === "error") return nowSeconds + refusedDays * daySeconds;
  if (state !== "online_first") return undefined;
  return nowSeconds + Math.round(Math.min(windowDays / 2, maxOnlineFirstDays) * daySeconds);
}
