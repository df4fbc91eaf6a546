/**
 * The outcomes of the articles that a source lists. Each article has exactly one outcome. Reports, mails, the API and
 * the console count them.
 */
export const outcomes = [
  "delivered",
  /** Valid, but not delivered yet. */
  "undelivered",
  /** Refused by validation, by this run for the first time or again. */
  "refused",
  /** Waiting for volume and issue. */
  "onlineFirst",
  /** The same article as another record, or excluded by an operator meanwhile. */
  "duplicates",
  /** Left out, because the archive knows them. */
  "known",
  /** Not usable as a record. */
  "unusable",
  /** Not provided by their hosts. */
  "unreachable",
  /** Requested, but without a response so far, or without a response at the deadline. */
  "unanswered",
] as const;

/** The outcomes of articles that are listed one by one: of those without a response, a run keeps only the number. */
export const articleOutcomes = outcomes.filter((outcome) => outcome !== "unanswered");

export type ArticleOutcome = (typeof articleOutcomes)[number];

export type OutcomeCounts = Record<(typeof outcomes)[number], number>;

/**
 * Returns the number of listed articles. Each article has one outcome. Released records count as listed by the run that
 * takes them.
 */
export function listedOf(counts: OutcomeCounts): number {
  return outcomes.reduce((sum, outcome) => sum + counts[outcome], 0);
}

/** The filters of a list of sources: those that failed, or those with articles of an outcome. */
export const sourceOutcomes = ["failed", ...outcomes] as const;
