/**
 * The reason why a record must not be harvested or delivered (again). When the keys of a record have different reasons,
 * the first of them in this list counts.
 * - `ignored`: an operator has excluded it
 * - `elsewhere`: delivered in another way, according to an operator
 * - `delivered`: delivered by a run
 * - `claimed`: claimed by a run that has not delivered it yet
 * - `waiting`: online-first; harvested again when its entry expires
 */
export const knownReasons = ["ignored", "elsewhere", "delivered", "claimed", "waiting"] as const;
export type KnownReason = (typeof knownReasons)[number];

/** The number of known records for each reason. A reason without records is absent. */
export type KnownCounts = Partial<Record<KnownReason, number>>;

/**
 * Returns why a record with these keys is known.
 * @param known the known keys of the archive
 * @returns undefined when the record is not known
 */
export function findKnownReason(
  keys: readonly string[],
  known: ReadonlyMap<string, KnownReason>,
): KnownReason | undefined {
  return knownReasons.find((reason) => keys.some((key) => known.get(key) === reason));
}

/** Counts the reasons. `undefined` represents a record that is not known. */
export function countKnownReasons(reasons: readonly (KnownReason | undefined)[]): KnownCounts {
  return sumKnownCounts(reasons.map((reason) => (reason === undefined ? {} : { [reason]: 1 })));
}

export function sumKnownCounts(all: readonly KnownCounts[]): KnownCounts {
  const sums = knownReasons.map(
    (reason) => [reason, all.reduce((sum, counts) => sum + (counts[reason] ?? 0), 0)] as const,
  );
  return Object.fromEntries(sums.filter(([, sum]) => sum > 0));
}
