/** What a list of sources is asked for: those that failed, or with such articles. */
export const sourceOutcomes = [
  "failed",
  "delivered",
  "refused",
  "onlineFirst",
  "unusable",
  "unreachable",
  "undelivered",
] as const;
