/**
 * Why the archive keeps a record from being harvested and delivered (again). When the keys of a record say different
 * things, the first of these counts.
 * - `ignored`: by an operator's word
 * - `elsewhere`: delivered by other ways, by an operator's word
 * - `delivered`: by a run, or about to be
 * - `waiting`: seen as online-first; asked for again when its time is up
 */
export const knownReasons = ["ignored", "elsewhere", "delivered", "waiting"] as const;
export type KnownReason = (typeof knownReasons)[number];

/** How many records are known for each reason; absent where there are none. */
export type KnownCounts = Partial<Record<KnownReason, number>>;

/**
 * Why a record with these keys is known; undefined when it is not.
 * @param known what the archive says of keys
 */
export function findKnownReason(
  keys: readonly string[],
  known: ReadonlyMap<string, KnownReason>,
): KnownReason | undefined {
  return knownReasons.find((reason) => keys.some((key) => known.get(key) === reason));
}

/** Counts reasons; what is undefined is not known. */
export function countKnownReasons(reasons: readonly (KnownReason | undefined)[]): KnownCounts {
  return sumKnownCounts(reasons.map((reason) => (reason === undefined ? {} : { [reason]: 1 })));
}

export function sumKnownCounts(all: readonly KnownCounts[]): KnownCounts {
  const sums = knownReasons.map(
    (reason) => [reason, all.reduce((sum, counts) => sum + (counts[reason] ?? 0), 0)] as const,
  );
  return Object.fromEntries(sums.filter(([, sum]) => sum > 0));
}
