import type { DividedStepName } from "./stages.ts";

/** The tally of a run's sources. */
export const sourcesTallyName = "sources";

/** The tally of the requests of one source in a run: its pages, and the parts that its articles are counted in. */
export function sourceTallyName(sourceId: string): string {
  return `source#${sourceId}`;
}

/** The tally of the parts of a divided step. */
export function stepTallyName(step: DividedStepName): string {
  return `step#${step}`;
}

/** The tally of a part of a source's requests. */
export function partTallyName(sourceId: string, part: string): string {
  return `${sourceTallyName(sourceId)}#${part}`;
}
