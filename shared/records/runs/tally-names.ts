import type { DividedStepName } from "./stages.ts";

/** The name of the tally of a run's sources. */
export const sourcesTallyName = "sources";

/**
 * Returns the name of the tally of a source's requests in a run. It counts the pages of the source, and the parts in
 * which its articles are counted.
 */
export function sourceTallyName(sourceId: string): string {
  return `source#${sourceId}`;
}

/** Returns the name of the tally of a divided step's parts. */
export function stepTallyName(step: DividedStepName): string {
  return `step#${step}`;
}

/** Returns the name of the tally of a part of a source's requests. */
export function partTallyName(sourceId: string, part: string): string {
  return `${sourceTallyName(sourceId)}#${part}`;
}
