/** A share: of `of` records, `has` have a field. */
export interface Share {
  has: number;
  of: number;
}

/** The fewest records from which a drop is concluded, on both sides. */
export const minRecords = 5;

const standardErrors = 3;

/** The probability that chance alone is three standard errors below the mean, in the normal distribution. */
const maxChance = 0.00135;

/**
 * Decides whether a share is lower than before by more than chance explains. Two tests must agree, because each is right
 * where the other is not:
 * - three standard errors of the difference. Runs that differ from each other more than records drawn at random (an issue
 *   has only reviews, the next one none) enlarge the error.
 * - Fisher's exact test at the same level, because the normal distribution is wrong for few records and for shares near 1
 * @param before the runs with which the share is compared
 * @see https://doi.org/10.2307/2340521 Fisher's exact test
 * @see https://doi.org/10.1093/biomet/61.3.439 quasi-likelihood, which enlarges the error
 */
export function isDrop(now: Share, before: readonly Share[]): boolean {
  const past = sumShares(before);
  if (now.of < minRecords || past.of < minRecords) return false;
  const drop = past.has / past.of - now.has / now.of;
  const pooled = (past.has + now.has) / (past.of + now.of);
  const variance = pooled * (1 - pooled) * (1 / now.of + 1 / past.of) * dispersionOf(before);
  return drop > 0 && drop >= standardErrors * Math.sqrt(variance) && chanceOf(now, past) <= maxChance;
}

export function sumShares(shares: readonly Share[]): Share {
  return shares.reduce((sum, { has, of }) => ({ has: sum.has + has, of: sum.of + of }), { has: 0, of: 0 });
}

/**
 * Returns how much more the shares of runs vary than those of records drawn at random: Pearson's statistic by its
 * degrees of freedom, at least 1.
 */
function dispersionOf(runs: readonly Share[]): number {
  const { has, of } = sumShares(runs);
  const share = has / of;
  if (runs.length < 2 || share === 0 || share === 1) return 1;
  const statistic = runs.reduce(
    (sum, run) => sum + (run.has - run.of * share) ** 2 / (run.of * share * (1 - share)),
    0,
  );
  return Math.max(1, statistic / (runs.length - 1));
}

/** Returns the probability that, of all these records, so few that have the field are among the new ones by chance. */
function chanceOf(now: Share, past: Share): number {
  const [all, having] = [now.of + past.of, now.has + past.has];
  const fewest = Math.max(0, now.of - (all - having));
  let term = Math.exp(
    logChoose(having, now.has) + logChoose(all - having, now.of - now.has) - logChoose(all, now.of),
  );
  let sum = term;
  // From one number of records to the one below it, by the ratio of their probabilities.
  for (let has = now.has; has > fewest && term > sum * Number.EPSILON; has -= 1) {
    term *= (has * (all - having - now.of + has)) / ((having - has + 1) * (now.of - has + 1));
    sum += term;
  }
  return sum;
}

function logChoose(of: number, chosen: number): number {
  return logFactorial(of) - logFactorial(chosen) - logFactorial(of - chosen);
}

/** The logarithm of n!, by Stirling's series from 32 on. */
function logFactorial(n: number): number {
  if (n >= 32) return n * Math.log(n) - n + Math.log(2 * Math.PI * n) / 2 + 1 / (12 * n) - 1 / (360 * n ** 3);
  let sum = 0;
  for (let factor = 2; factor <= n; factor += 1) sum += Math.log(factor);
  return sum;
}
