import type { KnownReason } from "./known-reason.ts";

/**
 * What the archive says of a record.
 * - `automatic`: delivered by a run
 * - `manual`: delivered by other ways, by an operator's word
 * - `online_first`: seen without volume and issue; harvested again when the entry expires
 * - `error`: refused by validation
 * - `ignore`: not to be delivered, by an operator's word
 * - `reset`: to be delivered anew, by an operator's word
 * - `claimed`: about to be delivered, by the run that owns it
 */
const archiveStates = ["automatic", "manual", "online_first", "error", "ignore", "reset", "claimed"] as const;
export type ArchiveState = (typeof archiveStates)[number];

/** In these states a record keeps nobody from delivering it: whoever claims its keys gets them. */
export const claimableStates = ["error", "reset"] as const satisfies ArchiveState[];

/** What operators may make of a record. */
export const operatorStates = ["reset", "ignore", "manual"] as const satisfies ArchiveState[];
export type OperatorState = (typeof operatorStates)[number];

/** Who wants a key, and as what. */
export interface ArchiveClaim {
  /** One record of one run. */
  owner: string;
  /** The key under which the record is described. */
  entryKey: string;
  state: ArchiveState;
  /** Seconds since 1970; the claim holds for good when absent. */
  expiresAt?: number;
}

/** A record in the archive, as it is described under its entry key. */
export interface ArchiveEntry extends ArchiveClaim {
  /** All keys that were claimed for it, its entry key among them. */
  keys: string[];
  recordId: string;
  sourceId: string;
  title: string;
  hash: string;
  doi?: string;
  urls: string[];
  /** Where the record itself is kept. */
  recordKey: string;
  /** When it was delivered, or last seen; ISO 8601, UTC. */
  at: string;
  /** The delivered file that holds it; of one that was reset and has been refused, or waits, since: that of its last delivery. */
  file?: string;
  /** Why validation refused it. */
  error?: string;
}

const reasons: Record<Exclude<ArchiveState, (typeof claimableStates)[number]>, KnownReason> = {
  automatic: "delivered",
  claimed: "delivered",
  manual: "elsewhere",
  online_first: "waiting",
  ignore: "ignored",
};

/** Why a record that has this key is not to be harvested or delivered (again); undefined when it may be. */
export function blockReason(
  { state, expiresAt }: Pick<ArchiveClaim, "state" | "expiresAt">,
  now: Date,
): KnownReason | undefined {
  if (isClaimable(state) || (expiresAt !== undefined && expiresAt * 1000 <= now.getTime())) return undefined;
  return reasons[state];
}

function isClaimable(state: ArchiveState): state is (typeof claimableStates)[number] {
  return (claimableStates as readonly ArchiveState[]).includes(state);
}

const daySeconds = 86_400;

/** The longest that a record without volume and issue is left alone. */
const maxOnlineFirstDays = 14;

/** A refused record is harvested with every run: what is no longer seen was withdrawn or mended. */
export const refusedDays = 90;

/**
 * When an entry ends, in seconds since 1970: half a source's window, and at most 14 days, for what is online-first; for
 * what was delivered, never, as nothing may be delivered twice.
 */
export function entryExpiry(state: ArchiveState, windowDays: number, now: Date): number | undefined {
  const nowSeconds = Math.floor(now.getTime() / 1000);
  if (state === "error") return nowSeconds + refusedDays * daySeconds;
  if (state !== "online_first") return undefined;
  return nowSeconds + Math.round(Math.min(windowDays / 2, maxOnlineFirstDays) * daySeconds);
}
