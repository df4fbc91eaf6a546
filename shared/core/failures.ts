import { PlatformError } from "./errors.ts";

/** Work on items of which each may fail alone: the others are done, and the failures are thrown in the end. */
export class Failures {
  private readonly failed: { name: string; error: unknown }[] = [];

  /** @returns undefined when the work failed */
  async try<Result>(name: string, work: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await work();
    } catch (error) {
      this.failed.push({ name, error });
      return undefined;
    }
  }

  /** @throws PlatformError with the sentence that describes the names of failed items, if there are any */
  throwAny(describe: (names: string[]) => string): void {
    if (this.failed.length === 0) return;
    const errors = this.failed.map(({ error }) => error);
    throw new PlatformError(describe(this.failed.map(({ name }) => name)), {
      cause: new AggregateError(errors, errors.map(String).join("; ")),
    });
  }
}
