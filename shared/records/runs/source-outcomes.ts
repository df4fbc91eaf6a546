/** The outcomes of the articles that a source lists: each article has one. Reports, mails, the API and the console count them. */
export const outcomes = [
  "delivered",
  /** Valid, and not delivered yet. */
  "undelivered",
  /** By validation, by this run first or again. */
  "refused",
  /** Waiting for volume and issue. */
  "onlineFirst",
  /** The same article as another record, or excluded by an operator meanwhile. */
  "duplicates",
  /** Left out, as the archive knows them. */
  "known",
  /** Unfit to become a record. */
  "unusable",
  /** Not provided by their hosts. */
  "unreachable",
  /** Requested, and without a response so far, or at the deadline. */
  "unanswered",
] as const;

/** The outcomes of articles that are listed one by one: of those without a response, a run keeps only the number. */
export const articleOutcomes = outcomes.filter((outcome) => outcome !== "unanswered");

export type ArticleOutcome = (typeof articleOutcomes)[number];

export type OutcomeCounts = Record<(typeof outcomes)[number], number>;

/** The number of articles: each has one outcome. Released records count as listed by the run that takes them. */
export function listedOf(counts: OutcomeCounts): number {
  return outcomes.reduce((sum, outcome) => sum + counts[outcome], 0);
}

/** What a list of sources is asked for: those that failed, or with such articles. */
export const sourceOutcomes = ["failed", ...outcomes] as const;
