import type { KnownReason } from "./known-reason.ts";

/**
 * The state of a record in the archive.
 * - `automatic`: delivered by a run
 * - `manual`: delivered in another way, as an operator says
 * - `online_first`: seen without volume and issue; harvested again when the entry expires
 * - `error`: refused by validation
 * - `ignore`: never to be delivered, as an operator decides
 * - `reset`: to be delivered again, as an operator decides
 * - `claimed`: about to be delivered, by the run that owns it
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

/** In these states a record's keys are free: any record may claim them. */
export const claimableStates = ["error", "reset"] as const satisfies ArchiveState[];

/** The states that operators may set. */
export const operatorStates = ["reset", "ignore", "manual"] as const satisfies ArchiveState[];
export type OperatorState = (typeof operatorStates)[number];

/** A claim to a key. */
export interface ArchiveClaim {
  /** One record of one run. */
  owner: string;
  /** The key of the item that describes the record. */
  entryKey: string;
  state: ArchiveState;
  /** Seconds since 1970; the claim holds permanently when absent. */
  expiresAt?: number;
}

/** The description of a record in the archive, stored under its entry key. */
export interface ArchiveEntry extends ArchiveClaim {
  /** All keys claimed for it, including its entry key. */
  keys: string[];
  recordId: string;
  sourceId: string;
  title: string;
  hash: string;
  doi?: string;
  urls: string[];
  /** The key of the record's object. */
  recordKey: string;
  /** When it was delivered, or last seen; ISO 8601, UTC. */
  at: string;
  /**
   * The delivered file that holds it. A record that was reset and is refused or online-first since keeps the file of
   * its last delivery.
   */
  file?: string;
  /** Why validation refused it. */
  error?: string;
}

const reasons: Record<Exclude<ArchiveState, (typeof claimableStates)[number]>, KnownReason> = {
  automatic: "delivered",
  claimed: "claimed",
  manual: "elsewhere",
  online_first: "waiting",
  ignore: "ignored",
};

/** Why a record with this key must not be harvested or delivered (again); undefined when it may. */
export function blockReason(
  { state, expiresAt }: Pick<ArchiveClaim, "state" | "expiresAt">,
  now: Date,
): KnownReason | undefined {
  if (isClaimable(state) || (expiresAt !== undefined && expiresAt * 1000 <= now.getTime())) return undefined;
  return reasons[state];
}

/**
 * The same for any key of a record. The entry key has the outcome of the record: its other keys stay `claimed` after
 * its delivery.
 * @param entry what is stored under the entry key; undefined when there is nothing
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

/** The longest time before a record without volume and issue is harvested again. */
const maxOnlineFirstDays = 14;

/** Each run harvests a refused record again, so one that is not seen for so long was withdrawn or corrected. */
export const refusedDays = 90;

/**
 * When an entry expires, in seconds since 1970. Online-first: after half the source's window, at most 14 days. Delivered: never,
 * as nothing may be delivered twice.
 */
export function entryExpiry(state: ArchiveState, windowDays: number, now: Date): number | undefined {
  const nowSeconds = Math.floor(now.getTime() / 1000);
  if (state === "error") return nowSeconds + refusedDays * daySeconds;
  if (state !== "online_first") return undefined;
  return nowSeconds + Math.round(Math.min(windowDays / 2, maxOnlineFirstDays) * daySeconds);
}
