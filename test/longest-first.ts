import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * The files to start first, in this order: the console in its browser, which takes longest, and the tests of
 * whole clouds, which mostly wait.
 */
const first = [/\/cloud\/console\.test\.ts$/, /\/cloud\/start-/, /\/cloud\/[\w-]+\.test\.ts$/];

function rank({ moduleId }: TestSpecification): number {
  const at = first.findIndex((pattern) => pattern.test(moduleId));
  return at === -1 ? first.length : at;
}

/**
 * Starts the longest files first. Vitest itself knows durations only from an earlier run. On a new machine,
 * one of the longest files would start last, and the other cores would wait for it.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => rank(one) - rank(other));
  }
}
