import { BaseSequencer, type TestSpecification } from "vitest/node";

/** What begins first, in this order: the console in its browser is the longest file, and those of whole clouds mostly wait. */
const first = [/\/cloud\/console\.test\.ts$/, /\/cloud\/start-/, /\/cloud\/[\w-]+\.test\.ts$/];

function rank({ moduleId }: TestSpecification): number {
  const at = first.findIndex((pattern) => pattern.test(moduleId));
  return at === -1 ? first.length : at;
}

/**
 * Starts the longest files first. Vitest itself knows them from the run before only; on a fresh machine one of them would
 * begin last, and the other cores wait for it.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => rank(one) - rank(other));
  }
}
