import type { deliveredModes } from "../runs/run.ts";

/**
 * The states of a reconversion, in order:
 * - `converting`: the delivered records are being converted and compared
 * - `tried`: the differences wait for an operator's decision
 * - `delivering`: an operator has accepted the differences; nothing has been sent
 * - `sending`: update files are being sent
 * - `delivered`: the update files are delivered and archived
 * - `cancelled`: an operator has cancelled it before it was sent
 */
export const reconversionStates = [
  "converting",
  "tried",
  "delivering",
  "sending",
  "delivered",
  "cancelled",
] as const;
export type ReconversionState = (typeof reconversionStates)[number];

/** The states in which a reconversion can be cancelled. */
export const cancellableStates = ["converting", "tried", "delivering"] as const satisfies ReconversionState[];

/** The states in which a reconversion may deliver the records that it has reserved. */
export const deliveringStates: readonly ReconversionState[] = ["delivering", "sending"];

/** Decides whether a reconversion may deliver the records that it has reserved. */
export function isDelivering({ state }: Pick<Reconversion, "state">): boolean {
  return deliveringStates.includes(state);
}

/**
 * The outcome of a delivered record:
 * - `changed`: its conversion differs from what was delivered
 * - `same`: it does not differ
 * - `refused`: validation refuses the new conversion
 * - `unconvertible`: the conversion yields no record
 * - `gone`: its stored page or document has been deleted
 * - `stale`: the delivered record has changed since it was compared
 * - `delivered`: the update was delivered
 */
export const triedOutcomes = [
  "changed",
  "same",
  "refused",
  "unconvertible",
  "gone",
  "stale",
  "delivered",
] as const;
export type TriedOutcome = (typeof triedOutcomes)[number];

/** The delivered records that are converted again. */
export type Selection =
  /** Those of a source, delivered from one day to another (`YYYY-MM-DD`, in UTC), or a single one. */
  | { type: "source"; sourceId: string; from?: string; to?: string }
  | { type: "record"; sourceId: string; recordId: string }
  /** Those with this outcome in an earlier reconversion. */
  | { type: "outcome"; sourceId: string; reconversionId: string; outcome: TriedOutcome }
  /** Those that a reconversion has delivered; they get their former content. */
  | { type: "reversal"; sourceId: string; reconversionId: string };

/** The new conversion of delivered records, the comparison with what was delivered, and the delivery of updates. */
export interface Reconversion {
  /** Begins with its time, by which reconversions are sorted: `20261120T190000Z-1b4e28ba`. */
  reconversionId: string;
  state: ReconversionState;
  /** The operator who requested it. */
  by: string;
  /** ISO 8601 in UTC, like all times here. */
  requestedAt: string;
  deliveryMode: (typeof deliveredModes)[number];
  selection: Selection;
  /** Whether the registration agencies are asked again for known DOIs. */
  asksAgencies: boolean;
  /** The number of records by outcome, from the end of the comparison. */
  counts?: Partial<Record<TriedOutcome, number>>;
  /** The operator who accepted or cancelled it. */
  decidedBy?: string;
  decidedAt?: string;
  deliveredAt?: string;
  /** The update files. */
  files?: string[];
  /** Why it has stopped. It resumes when it is requested again. */
  failure?: { reason: string; at: string };
}

export interface ReconversionStore {
  /** Stores a reconversion, unless it exists. */
  create(reconversion: Reconversion): Promise<void>;
  get(reconversionId: string): Promise<Reconversion | undefined>;
  /** Lists the reconversions after `after`, newest first. */
  list(page: { limit: number; after?: string | undefined }): Promise<Reconversion[]>;
  /**
   * Changes a reconversion that is in one of the states `from`, and removes its failure unless the change has one.
   * @returns false when it is in another state
   */
  change(
    reconversionId: string,
    from: readonly ReconversionState[],
    change: Partial<Omit<Reconversion, "reconversionId">>,
  ): Promise<boolean>;
}
